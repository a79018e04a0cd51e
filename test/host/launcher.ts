import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { durationsMark, reportMark, totalsMark } from '../editor/report';
import { environmentFile, type TestEnvironment } from '../editor/testEnvironment';
import { failureFile, type Failure } from './failureFiles';
import { serveJson } from './jsonServer';
import { openEditor, type EditorWindow } from './openEditor';
import { atEnd, endAll, endOnSignals, within } from './processes';

/** The time limits until the first test reports, and for all tests together. */
const startLimit = 120_000;
const runLimit = 15 * 60_000;

interface Arguments {
  developmentPaths: string[];
  testsPath: string;
  folder: string | undefined;
  host: 'node' | 'web';
}

function parse(args: readonly string[]): Arguments {
  const values = (name: string): string[] =>
    args
      .filter((arg) => arg.startsWith(`--${name}=`))
      .map((arg) => arg.slice(arg.indexOf('=') + 1));
  const [testsPath] = values('extensionTestsPath');
  if (!testsPath) throw new Error('--extensionTestsPath=… is missing.');
  return {
    developmentPaths: values('extensionDevelopmentPath'),
    // A folder means its index.js, as on the desktop.
    testsPath: testsPath.endsWith('.js') ? testsPath : `${testsPath}/index.js`,
    folder: args.find((arg) => !arg.startsWith('-')),
    host: values('host').at(-1) === 'web' ? 'web' : 'node',
  };
}

/** Runs the tests and resolves with their exit code. */
async function runInEditor({ developmentPaths, testsPath, folder, host }: Arguments) {
  const totals: string[] = [];
  let spoke: () => void;
  const spoken = new Promise<void>((resolve) => (spoke = resolve));
  let exit: (code: number) => void;
  const exited = new Promise<number>((resolve) => (exit = resolve));
  const others: string[] = [];
  const prepare = async (page: Page): Promise<void> => {
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)));
      const line = text.join(' ');
      // The editor prints a lot; only the report of the tests is shown.
      if ([reportMark, durationsMark, totalsMark].some((mark) => line.startsWith(mark))) {
        spoke();
        if (line.startsWith(totalsMark)) totals.push(line);
        console.log(line);
      } else {
        others.push(`${type}: ${line}`);
        if (process.env['DCP_VERBOSE']) console.log(line);
      }
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => exit(code));
  };
  const server = await serveJson((_, body) => explain(window, host, others, body as Failure));
  atEnd(() => server.close());
  await tellOf(server.url, folder);
  const window: EditorWindow = await openEditor({
    extensions: developmentPaths,
    ...(folder ? { folder } : {}),
    host,
    testsPath,
    prepare,
  });
  window.page.on('crash', () => exit(1));
  window.page.on('close', () => exit(1));
  let code = 1;
  try {
    await within(startLimit, 'No test has started', Promise.race([spoken, exited]));
    code = await within(runLimit, 'The tests do not end', exited);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  // Failed tests explain themselves; an aborted run does not.
  if (totals.length === 0) {
    await explain(window, host, others, { title: 'The run', there: '' });
    console.error(others.filter((line) => line.startsWith('error: ')).join('\n'));
    console.error(await window.server.logs(20));
  }
  return code;
}

/** Tells the tests where the window can be inspected; other tests do not need to know. */
async function tellOf(launcherUrl: string, folder: string | undefined): Promise<void> {
  const file = path.join(folder ?? '', environmentFile);
  if (folder === undefined || !existsSync(file)) return;
  const environment = JSON.parse(await readFile(file, 'utf8')) as TestEnvironment;
  await writeFile(file, JSON.stringify({ ...environment, launcherUrl }));
}

/** Keeps what helps to understand a failure: a picture of the window and the ends of its logs. */
async function explain(
  window: EditorWindow,
  host: string,
  log: readonly string[],
  { title, there }: Failure,
): Promise<void> {
  const picture = await failureFile(host, title, '.png');
  const taken = await window.page.screenshot({ path: picture }).catch(() => undefined);
  const logs = await failureFile(host, title, '.log');
  const page = ['--- page and hosts', ...log.slice(-1000)];
  await writeFile(logs, [there, ...page, await window.server.logs(1000)].join('\n'));
  console.error(`${title}: ${taken ? `${picture}, ` : ''}${logs}`);
}

endOnSignals();
runInEditor(parse(process.argv.slice(2)))
  .catch((error: unknown) => {
    console.error(error);
    return 1;
  })
  .then(async (code) => {
    await endAll();
    process.exit(code);
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
