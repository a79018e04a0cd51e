import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { buildExtension } from '../../.config/build';
import { addDemoRemote, createDemoRepository, demoSource } from './repository';
import { buildHelperExtension } from '../host/testBuilds';
import { likeNamed } from '../control-plane/faces';
import { keyList } from '../control-plane/keys';
import { type ControlPlane, startControlPlane } from '../control-plane/server';
import { createStackTraces } from '../control-plane/stackTraces';
import { installedCode, openDesktop } from '../host/desktop';
import { showRecord } from '../host/logFlow';
import { startEditorServer } from '../host/editorServer';
import { eventually } from '../host/eventually';
import { openEditor, repository, type OpenEditorOptions, windowUrl } from '../host/openEditor';
import { atEnd, runScript, temporaryFolder } from '../host/processes';
import {
  outputLines,
  screenshot,
  statusBarItem,
  waitForMark,
  waitForOutput,
} from '../host/workbench';

const help = `Opens a real VS Code with the extension, connected to a control plane on this machine whose logs it
follows.

  npm start
  npm start -- --ingest /var/log/syslog app.log

  --like FACE        the control plane to connect to: document (the default), or real, which has names of its
                     own and more than the document says
  --ingest FILE…     serve the lines of these files as logs, and follow them as they grow
  --browser          open VS Code in a browser, even if it is installed
  --port N           the port of VS Code in a browser (default: a free one)
  --screenshot FILE  take a picture of the window when logs flow, then end
  --help             show this text

VS Code opens on the desktop if it is installed and there is a display; DCP_CODE names its command if
it is not code in PATH. Otherwise the VS Code of the npm registry opens in a browser.
`;

/** A line of a stack trace that names a file of the demo workspace. */
const errorFrame = /[\w-]\.(?:ts|js|py|java|go|rb|cs|rs)"?(?::\d|, line|:line)/;

/** Milliseconds from the start of a tail to an error, so that its history is on the screen. */
const historyFirst = 3000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      like: { type: 'string', default: 'document' },
      ingest: { type: 'string', multiple: true },
      port: { type: 'string' },
      browser: { type: 'boolean', default: false },
      screenshot: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  // `--ingest a.log b.log`: the arguments after the first file are files, too.
  if (positionals.length > 0 && !values.ingest) {
    throw new Error(`Unknown argument ${positionals.join(' ')}.\n\n${help}`);
  }
  if (values.port !== undefined && !/^\d+$/.test(values.port)) {
    throw new Error('--port takes a number.');
  }
  const like = likeNamed(values.like);
  const inBrowser = values.browser || values.port !== undefined || values.screenshot !== undefined;
  const code = inBrowser ? undefined : installedCode();

  console.log('Building the extension…');
  const base = await temporaryFolder('start');
  const [, demoExtension] = await Promise.all([
    buildExtension({ dev: true }),
    buildHelperExtension('demo/extension', base),
  ]);
  const ingest = [...(values.ingest ?? []), ...positionals].map((file) => path.resolve(file));
  // A copy, so that changes in the window do not change the repository.
  const folder = path.join(base, 'demo');
  const releases = await createDemoRepository(folder);
  if (releases.length > 0) await addDemoRemote(folder);
  const controlPlane = await startControlPlane({ ingest, releases, like });
  atEnd(() => controlPlane.close());
  console.log(`The control plane runs at ${controlPlane.url}.\n\n${keyList(controlPlane.keys)}\n`);

  const extensions = [repository, demoExtension];
  const { sources, servers, workloads } = controlPlane.world;
  // The other face lists them itself.
  const entries = {
    'controlPlane.sources': sources.map(({ id, name }) => ({ id, label: name })),
    'controlPlane.servers': servers.map(({ id, name }) => ({ id, label: name })),
  };
  const settings = {
    ...(like === 'document' ? entries : {}),
    // The history of the folder tells where the lines of a deployed commit are now.
    'git.enabled': true,
    'remote.autoForwardPorts': false,
    'window.title': 'Deployment Control Plane',
  };
  const env = {
    DCP_DEMO_URL: controlPlane.url,
    DCP_DEMO_APPS: workloads
      .filter(({ source, kind }) => source.name === demoSource && kind === 'app')
      .map(({ id }) => id)
      .join(),
    DCP_DEMO_KEY: controlPlane.keys['demo-full'],
    // Only errors of these have marks in code: the view Errors shows what the folder deploys.
    DCP_DEMO_FOLDERS:
      ingest.length > 0
        ? ''
        : workloads
            .filter(({ source }) => source.name === demoSource)
            .map(({ name }) => name)
            .join(),
  };
  if (ingest.length === 0) failOnce(controlPlane);
  const isEmpty = ingest.length > 0 && controlPlane.admin.emitted().count === 0;
  if (isEmpty) console.log('No file has a whole line yet. They are followed as they grow.');
  if (values.screenshot) {
    const expected = isEmpty ? 'nothing' : ingest.length > 0 ? 'history' : 'more';
    const file = path.resolve(values.screenshot);
    await savePicture(file, expected, { extensions, folder, env, settings, guarded: true });
    return;
  }
  if (code) {
    const window = await openDesktop(code, { extensions, folder, env, settings });
    console.log('VS Code opens. Press Ctrl+C or close its window to end.');
    const exitCode = await window.exited;
    if (exitCode !== 0) throw new Error(`${code} ended with code ${exitCode}.`);
    return;
  }
  const server = await startEditorServer({
    extensions,
    env,
    port: Number(values.port ?? 0),
    settings,
    guarded: true,
  });
  console.log(`Open ${windowUrl(server.url, folder)}\nPress Ctrl+C to end.`);
  await server.exited;
  throw new Error(`VS Code has ended.\n${await server.logs(20)}`);
}

/** Logs an error that the files of the folder explain, once logs are followed: others may take a minute. */
function failOnce({ admin, world }: ControlPlane): void {
  const commit = world.releases[0]?.commit;
  const crash = createStackTraces(commit).find(({ workload }) => workload === 'web-api');
  const timer = setInterval(() => {
    if (admin.streams() === 0) return;
    clearInterval(timer);
    setTimeout(() => {
      admin.emit([{ workloadName: 'web-api', severity: 'error', body: crash?.body ?? '' }]);
    }, historyFirst);
  }, 200);
}

/**
 * Opens the window without a display, waits until logs are followed, and takes a picture.
 *
 * @param expected what to wait for: nothing of empty files, the history, or lines beyond it, too; files need not
 * grow.
 */
async function savePicture(
  file: string,
  expected: 'nothing' | 'history' | 'more',
  options: OpenEditorOptions,
): Promise<void> {
  console.log('Opening VS Code…');
  const window = await openEditor(options);
  const { page } = window;
  const late = setTimeout(() => void page.close(), 150_000);
  try {
    await statusBarItem(page, /live/).waitFor({ timeout: 90_000 });
    if (expected !== 'nothing') await waitForRecord(page);
    if (expected === 'more') {
      // An error after the history opens its file, whose line is marked: logs flow.
      await page.locator('.editor-container .monaco-editor').first().waitFor({ timeout: 60_000 });
      await waitForMark(page);
      await waitForOutput(page, errorFrame, 60_000);
    }
    await screenshot(page, file);
    console.log(`Logs are followed: ${file}`);
  } catch (error) {
    await screenshot(page, file).catch(() => undefined);
    const logs = await window.server.logs(20);
    throw new Error(`No logs flow. See ${file}.\n${logs}`, { cause: error });
  } finally {
    clearTimeout(late);
    await window.close();
  }
}

/** Waits until the log channel shows a record. */
async function waitForRecord(page: Page): Promise<void> {
  await eventually(() => outputLines(page), showRecord, 'the log channel shows no record', 30_000);
}

runScript(main);
