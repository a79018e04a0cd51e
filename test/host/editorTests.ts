import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { buildEditorTests } from '../../.config/build';
import { environmentFile, type TestEnvironment } from '../editor/testEnvironment';
import { repository } from './openEditor';
import { endAll, endOnSignals, atEnd, temporaryFolder } from './processes';
import { startRelay } from './relay';

/** What `VSCODE_TEST` may be besides a release of the editor: a downloaded desktop VS Code. */
const desktop = process.env['VSCODE_TEST'] === 'desktop' || process.platform === 'win32';

/**
 * Runs the editor tests in a real VS Code: `--host=node` (default) or `--host=web`, `--grep` takes
 * some by title. `VSCODE_TEST` chooses the editor: `newest` (default), `oldest`, or `desktop`,
 * which `@vscode/test-electron` downloads; it has no web worker host of its own.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { host: { type: 'string', default: 'node' }, grep: { type: 'string', default: '' } },
  });
  const host = values.host === 'web' ? 'web' : 'node';
  if (desktop && host === 'web') throw new Error('A desktop VS Code runs no web worker tests.');
  await buildEditorTests();
  const relay = await startRelay();
  atEnd(() => relay.close());

  const folder = await temporaryFolder('workspace');
  const sources = path.join(repository, 'test/control-plane/demo-workspace');
  if (existsSync(sources)) await cp(sources, folder, { recursive: true });
  const environment: TestEnvironment = { host, grep: values.grep, relayUrl: relay.url };
  await writeFile(path.join(folder, environmentFile), JSON.stringify(environment));

  await runTests({
    ...(desktop ? {} : { vscodeExecutablePath: path.join(__dirname, 'launcher.mjs') }),
    extensionDevelopmentPath: repository,
    extensionTestsPath: path.join(repository, 'dist/test', host, 'index.js'),
    launchArgs: [folder, ...(desktop ? ['--disable-extensions'] : [`--host=${host}`])],
  });
}

endOnSignals();
main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(endAll)
  .catch((error: unknown) => console.error(error));
