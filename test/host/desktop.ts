import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inPath } from './debian';
import { quietSettings } from './editorServer';
import { atEnd, cleanEnvironment, startGuarded, temporaryFolder, type Guarded } from './processes';

/** The commands of VS Code, and the application that each starts on Windows. */
const commands = {
  code: 'Code.exe',
  'code-insiders': 'Code - Insiders.exe',
  codium: 'VSCodium.exe',
};

/**
 * Makes sure that a desktop application can open a window here.
 *
 * @throws with what to do where there is no display.
 */
export function requireDisplay(): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) return;
  throw new Error(
    'A desktop VS Code needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set. ' +
      'xvfb-run gives it one that nobody sees.',
  );
}

/**
 * The VS Code that is installed here: `DCP_CODE` (a file or a command), or one in `PATH`.
 *
 * @throws if there is none.
 */
export function installedCode(): string {
  const wanted = process.env['DCP_CODE'];
  const names = wanted ? [wanted] : Object.keys(commands);
  if (process.platform === 'win32' && !wanted) return windowsApplication();
  const found = wanted && path.isAbsolute(wanted) ? wanted : inPath(...names);
  if (found && existsSync(found)) return found;
  throw new Error(
    wanted
      ? `DCP_CODE names ${wanted}, which is neither a file nor a command in PATH.`
      : `No VS Code is installed here: there is no ${names.join(', ')} in PATH. Set DCP_CODE to its ` +
          'command, or leave --desktop out to open VS Code in a browser.',
  );
}

/** Windows has batch files in `PATH`, which only a shell can start; the application is above them. */
function windowsApplication(): string {
  for (const [command, application] of Object.entries(commands)) {
    const batch = inPath(`${command}.cmd`);
    const file = batch && path.resolve(path.dirname(batch), '..', application);
    if (file && existsSync(file)) return file;
  }
  throw new Error('No VS Code is installed here. Set DCP_CODE to its Code.exe.');
}

/**
 * Opens the VS Code that is installed on this desktop, with fresh user data, the extensions under
 * development and one folder.
 *
 * @param code its command, see `installedCode`.
 */
export async function openDesktop(
  code: string,
  extensions: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Guarded> {
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
      // VS Code refuses to start as root with its sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--disable-workspace-trust', '--skip-welcome', '--wait', folder],
    ],
    { env: cleanEnvironment(env), onLine: (line) => console.log(line) },
  );
  // The command starts the application apart from itself; the application leaves its number.
  atEnd(async () => {
    const text = await readFile(path.join(userDataDir, 'code.lock'), 'utf8').catch(() => '');
    const pid = Number(text);
    if (!(pid > 0)) return;
    try {
      process.kill(pid);
    } catch {
      // Its window was closed before.
    }
  });
  return window;
}
