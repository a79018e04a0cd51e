import { cp } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../.config/build';
import { buildHelperExtension } from './testBuilds';
import { startControlPlane } from '../control-plane/server';
import { installedCode, openDesktop, requireDisplay } from './desktop';
import { startEditorServer } from './editorServer';
import { openEditor, repository } from './openEditor';
import { atEnd, endAll, endOnSignals, temporaryFolder } from './processes';
import { screenshot, statusBarItem, waitForOutput } from './workbench';

const help = `Shows the extension in a real VS Code that follows the live logs of a control plane, both on
this machine.

  npm start
  npm start -- --ingest /var/log/syslog app.log

  --ingest FILE…     the control plane serves the lines of these files, as they grow
  --port N           the port of the editor (a free one)
  --desktop          in the VS Code that is installed here, instead of one to open in a browser;
                     DCP_CODE names its command if it is not code in PATH
  --screenshot FILE  takes a picture of the window once logs flow, and ends
  --help             this text
`;

/** A line of the log channel: time, level, workload. */
const logLine = /\d\d:\d\d:\d\d.*\[(trace|debug|info|warning|error)\]/;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ingest: { type: 'string', multiple: true },
      port: { type: 'string', default: '0' },
      desktop: { type: 'boolean', default: false },
      screenshot: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  // `--ingest a.log b.log`: what follows the first file are files, too.
  if (positionals.length > 0 && !values.ingest) {
    throw new Error(`What is ${positionals.join(' ')}?\n\n${help}`);
  }
  if (!/^\d+$/.test(values.port)) throw new Error('--port takes a number.');
  if (values.desktop && values.screenshot) {
    throw new Error(
      '--screenshot takes its picture in a browser, so it does not go with --desktop.',
    );
  }
  const code = values.desktop ? installedCode() : undefined;
  if (code) requireDisplay();

  console.log('Building…');
  const [, demoExtension] = await Promise.all([
    buildExtension({ dev: true }),
    buildHelperExtension('demo'),
  ]);
  const ingest = [...(values.ingest ?? []), ...positionals].map((file) => path.resolve(file));
  const controlPlane = await startControlPlane({ ingest });
  atEnd(() => controlPlane.close());
  // A copy: what is changed in the window does not change the repository.
  const folder = path.join(await temporaryFolder('start'), 'demo');
  await cp(controlPlane.demoFolder, folder, { recursive: true });

  const extensions = [repository, demoExtension];
  const env = {
    DCP_DEMO_URL: controlPlane.url,
    DCP_DEMO_KEY: controlPlane.keys['demo-full'],
  };
  if (values.screenshot) {
    await takePicture(path.resolve(values.screenshot), { extensions, folder, env });
    return;
  }
  console.log(`Control plane: ${controlPlane.url}`);
  if (code) {
    const window = await openDesktop(code, extensions, folder, env);
    console.log('VS Code opens. Ctrl+C or closing its window ends everything.');
    const exitCode = await window.exited;
    if (exitCode !== 0) throw new Error(`${code} ended with code ${exitCode}.`);
    return;
  }
  const server = await startEditorServer({
    extensions,
    env,
    port: Number(values.port),
    settings: { 'window.title': 'Deployment Control Plane' },
  });
  console.log(`\n  Open ${server.url}/?folder=${folder}\n\nCtrl+C ends everything.`);
  await server.exited;
  throw new Error(`VS Code has ended.\n${await server.logs(20)}`);
}

/** Opens the window headless, waits until lines arrive on their own, and takes a picture. */
async function takePicture(
  file: string,
  options: { extensions: string[]; folder: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  console.log('Opening VS Code…');
  const window = await openEditor(options);
  const { page } = window;
  const late = setTimeout(() => void page.close(), 90_000);
  try {
    await waitForOutput(page, logLine, 60_000);
    // The history does not count for the rate.
    await statusBarItem(page, /live · (?!0 )/).waitFor({ timeout: 30_000 });
    await screenshot(page, file);
    console.log(`The window with logs flowing: ${file}`);
  } catch (error) {
    await screenshot(page, file).catch(() => undefined);
    throw new Error(`No logs flow.\n${await window.server.logs(20)}`, { cause: error });
  } finally {
    clearTimeout(late);
    await window.close();
  }
}

endOnSignals();
main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(endAll)
  .catch((error: unknown) => console.error(error));
