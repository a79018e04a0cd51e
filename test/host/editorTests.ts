import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { newAuthority, type Certificate } from '../unit/api/certificates';
import { buildEditorTests } from './testBuilds';
import { environmentFile, type TestEnvironment } from '../editor/testEnvironment';
import { requireDisplay } from './desktop';
import { wantedRelease } from './editor';
import { forgetFailures } from './failureFiles';
import { repository } from './openEditor';
import { atEnd, runScript, temporaryFolder } from './processes';
import { startRelay } from './relay';
import { slowness } from './slowness';

/**
 * Runs the editor tests in a real VS Code: `--host=node` (default) or `--host=web`. `--grep`
 * selects tests by title, `--file` the tests of a file and may be repeated. `VSCODE_TEST` is
 * the editor that `npm test` was asked for.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: 'node' },
      grep: { type: 'string', default: '' },
      file: { type: 'string', multiple: true, default: [] },
    },
  });
  const host = values.host === 'web' ? 'web' : 'node';
  const windows = process.platform === 'win32';
  if (windows && host === 'web')
    throw new Error('A desktop VS Code does not run web worker tests.');
  // The web worker host is the same everywhere, and a desktop has it only in separate windows.
  const desktop = windows || (process.env['VSCODE_TEST'] === 'desktop' && host === 'node');
  const vscodeExecutablePath = desktop
    ? await downloadedDesktop()
    : path.join(__dirname, 'launcher.mjs');
  await buildEditorTests(host);
  await forgetFailures(host);
  const relay = await startRelay(host);
  atEnd(() => relay.close());

  const folder = await temporaryFolder('workspace');
  const sources = path.join(repository, 'test/control-plane/demo-workspace');
  if (existsSync(sources)) await cp(sources, folder, { recursive: true });
  const environment: TestEnvironment = {
    host,
    grep: values.grep,
    files: values.file,
    slowness,
    relayUrl: relay.url,
    ...(desktop || host === 'web' || wantedRelease() === 'oldest'
      ? {}
      : { authority: await trustedAuthority() }),
  };
  await writeFile(path.join(folder, environmentFile), JSON.stringify(environment));

  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: repository,
    extensionTestsPath: path.join(repository, 'dist/test', host, 'index.js'),
    launchArgs: [folder, ...(desktop ? ['--disable-extensions'] : [`--host=${host}`])],
  });
}

/** An authority among the certificates of the system, for the processes that this one starts. */
async function trustedAuthority(): Promise<Certificate> {
  const authority = await newAuthority('an authority of this system');
  const file = path.join(await temporaryFolder('authority'), 'authority.pem');
  await writeFile(file, authority.cert);
  process.env['SSL_CERT_FILE'] = file;
  return authority;
}

/** The executable of a desktop VS Code, downloaded the first time. */
async function downloadedDesktop(): Promise<string> {
  requireDisplay();
  try {
    return await downloadAndUnzipVSCode();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The desktop VS Code could not be downloaded: ${reason}. Without --vscode desktop the ` +
        'tests run in the VS Code of the npm registry.',
      { cause: error },
    );
  }
}

runScript(main);
