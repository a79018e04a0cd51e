import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { eventMark, reportMark } from '../editor/report';
import { environmentFile, type TestEnvironment } from '../editor/testEnvironment';
import { plainSettings } from './editorServer';
import { failureFile, type Failure } from './failureFiles';
import { serveJson } from './jsonServer';
import { openEditor, type EditorWindow } from './openEditor';
import { atEnd, endAll, endOnSignals, Watchdog } from './processes';
import { scaled } from './slowness';
import { longestSilence } from './stages';

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
  const run = { isWhole: false };
  let exit: (code: number) => void;
  const exited = new Promise<number>((resolve) => (exit = resolve));
  const watchdog = new Watchdog(scaled(longestSilence), () => {
    console.error('Error: No test has ended for minutes.');
    exit(1);
  });
  const others: string[] = [];
  const prepare = async (page: Page): Promise<void> => {
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)));
      const line = text.join(' ');
      // The editor prints a lot; only the report of the tests is shown.
      if ([reportMark, eventMark].some((mark) => line.startsWith(mark))) {
        watchdog.restart();
        run.isWhole = line === `${eventMark}{"state":"end"}`;
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
  await report(server.url, folder);
  const window: EditorWindow = await openEditor({
    extensions: developmentPaths,
    ...(folder ? { folder } : {}),
    host,
    settings: plainSettings,
    plain: true,
    // A small window is drawn with a seventh less work.
    size: { width: 900, height: 600 },
    testsPath,
    prepare,
  });
  window.page.on('crash', () => exit(1));
  window.page.on('close', () => exit(1));
  const code = await exited;
  watchdog.dispose();
  // Failed tests explain themselves; an aborted run does not.
  if (!run.isWhole) {
    await explain(window, host, others, { title: 'The run', there: '' });
    console.error(others.filter((line) => line.startsWith('error: ')).join('\n'));
    console.error(await window.server.logs(20));
  }
  return code;
}

/** Tells the tests where the window can be inspected; other tests do not need to know. */
async function report(launcherUrl: string, folder: string | undefined): Promise<void> {
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
  const saved = await window.page.screenshot({ path: picture }).catch(() => undefined);
  const logs = await failureFile(host, title, '.log');
  const page = ['--- page and hosts', ...log.slice(-1000)];
  await writeFile(logs, [there, ...page, await window.server.logs(1000)].join('\n'));
  console.error(`${title}: ${saved ? `${picture}, ` : ''}${logs}`);
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
