import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inPath } from './debian';
import { quietSettings } from './editorServer';
import { atEnd, cleanEnvironment, startGuarded, temporaryFolder, type Guarded } from './processes';

/**
 * Opens the VS Code that is installed on this desktop, with fresh user data, the extensions under
 * development and one folder. `DCP_CODE` names its command if it is not `code` in `PATH`.
 *
 * @throws if there is none.
 */
export async function openDesktop(
  extensions: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Guarded> {
  const code = process.env['DCP_CODE'] ?? inPath('code', 'code-insiders', 'codium', 'code.cmd');
  if (!code) throw new Error('There is no `code` in PATH; set DCP_CODE to the command of VS Code.');
  const base = await temporaryFolder('desktop');
  const userDataDir = path.join(base, 'data');
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  await writeFile(
    path.join(userDataDir, 'User/settings.json'),
    JSON.stringify(quietSettings, null, 2),
  );
  const window = startGuarded(
    code,
    [
      ...['--user-data-dir', userDataDir, '--extensions-dir', path.join(base, 'extensions')],
      ...extensions.map((extension) => `--extensionDevelopmentPath=${extension}`),
      ...['--disable-workspace-trust', '--skip-welcome', '--wait', folder],
    ],
    { env: cleanEnvironment(env), onLine: (line) => console.log(line) },
  );
  // The command starts the application apart from itself; the application leaves its number.
  atEnd(async () => {
    const pid = await readFile(path.join(userDataDir, 'code.lock'), 'utf8').catch(() => undefined);
    if (pid) process.kill(Number(pid));
  });
  return window;
}
