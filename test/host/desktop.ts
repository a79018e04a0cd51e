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

function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
}

/**
 * Makes sure that a desktop application can open a window.
 *
 * @throws if there is no display, with what to do.
 */
export function requireDisplay(): void {
  if (hasDisplay()) return;
  throw new Error(
    'A desktop VS Code needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set. ' +
      'Run this with xvfb-run to use a virtual display.',
  );
}

/**
 * The VS Code that is installed: `DCP_CODE` (a file or a command), or one in `PATH`. Undefined if there
 * is none, or no display to show it on.
 *
 * @throws if `DCP_CODE` is set and names neither a file nor a command.
 */
export function installedCode(): string | undefined {
  const wanted = process.env['DCP_CODE'];
  if (!hasDisplay()) return undefined;
  if (process.platform === 'win32' && !wanted) return windowsApplication();
  const names = wanted ? [wanted] : Object.keys(commands);
  const found = wanted && path.isAbsolute(wanted) ? wanted : inPath(...names);
  if (found && existsSync(found)) return found;
  if (!wanted) return undefined;
  throw new Error(`DCP_CODE names ${wanted}, which is neither a file nor a command in PATH.`);
}

/** Windows has batch files in `PATH`, which only a shell can start; the application is above them. */
function windowsApplication(): string | undefined {
  for (const [command, application] of Object.entries(commands)) {
    const batch = inPath(`${command}.cmd`);
    const file = batch && path.resolve(path.dirname(batch), '..', application);
    if (file && existsSync(file)) return file;
  }
  return undefined;
}

interface DesktopOptions {
  readonly extensions: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** User settings on top of the quiet ones. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Opens the VS Code that is installed on this desktop, with fresh user data, the extensions under
 * development and one folder.
 *
 * @param code its command, see `installedCode`.
 */
export async function openDesktop(
  code: string,
  { extensions, folder, env, settings }: DesktopOptions,
): Promise<Guarded> {
  const base = await temporaryFolder('desktop');
  const userDataDir = path.join(base, 'data');
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  await writeFile(
    path.join(userDataDir, 'User/settings.json'),
    JSON.stringify({ ...quietSettings, ...settings }, null, 2),
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
