import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { canInstallPackages, inPath, installPackages } from './debian';
import { cleanEnvironment } from './processes';

const run = promisify(execFile);

/** The newest VS Code for the tests, and the oldest that `engines.vscode` promises. */
const releases = {
  newest: { codeServer: '4.139.1', vscode: '1.139.1', node: '24.21.0', native: [], newer: [] },
  oldest: {
    codeServer: '4.103.2',
    vscode: '1.103.2',
    node: '22.23.3',
    // Its server loads argon2 even without a password.
    native: ['argon2'],
    // An install script of its own ripgrep downloads the program; this one has it in a package.
    newer: ['@vscode/ripgrep@1.18.0'],
  },
} as const;

/** The release of the editor: `newest` is the default. */
export type EditorRelease = keyof typeof releases;

/** A real VS Code on this machine. */
export interface Editor {
  /** The version of VS Code, for example `1.139.1`. */
  version: string;
  /** The Node.js that runs its server and its extension hosts. */
  node: string;
  /** The script that starts it. */
  entry: string;
  /** The folder of the VS Code inside, with its `package.json` and built-in extensions. */
  vscode: string;
}

/**
 * The folder that keeps downloaded editors, outside of any clone: `DCP_EDITOR_CACHE`, or
 * `deployment-control-plane` in the user's cache folder.
 */
export function cacheFolder(): string {
  const { DCP_EDITOR_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (DCP_EDITOR_CACHE) return path.resolve(DCP_EDITOR_CACHE);
  const base = XDG_CACHE_HOME ?? LOCALAPPDATA ?? path.join(os.homedir(), '.cache');
  return path.join(base, 'deployment-control-plane');
}

/** The release that `VSCODE_TEST` names (`newest`, `oldest`); default `newest`. */
export function wantedRelease(): EditorRelease {
  return process.env['VSCODE_TEST'] === 'oldest' ? 'oldest' : 'newest';
}

/**
 * Installs a real VS Code on this machine if needed and returns it. VS Code comes as the npm
 * package `code-server` and its Node.js as `node-<platform>-<arch>`, so only the npm registry is
 * needed. Takes about a minute the first time; later calls return at once. Several clones may call
 * it at the same time.
 *
 * @throws with what to install if there is no Node.js package for the platform or no compiler.
 */
export async function ensureEditor(release: EditorRelease = wantedRelease()): Promise<Editor> {
  const { codeServer, vscode, node } = releases[release];
  const name = `vscode-${vscode}-${process.platform}-${process.arch}`;
  const folder = path.join(cacheFolder(), name);
  if (!existsSync(folder)) {
    console.log(`Installing VS Code ${vscode} into ${folder} (once, about a minute)…`);
    await mkdir(cacheFolder(), { recursive: true });
    await removeLeftovers(`${name}.building-`);
    const building = await mkdtemp(path.join(cacheFolder(), `${name}.building-`));
    try {
      await install(building, release, codeServer, node);
      // The folder appears complete or not at all; another process may have been faster.
      await rename(building, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  }
  const server = path.join(folder, 'node_modules/code-server');
  return {
    version: vscode,
    node: nodeIn(folder),
    entry: path.join(server, 'out/node/entry.js'),
    vscode: path.join(server, 'lib/vscode'),
  };
}

/** Removes what installations that were killed have left, not what another process installs now. */
async function removeLeftovers(prefix: string): Promise<void> {
  const names = await readdir(cacheFolder());
  for (const name of names.filter((entry) => entry.startsWith(prefix))) {
    const folder = path.join(cacheFolder(), name);
    // It may have got its final name at this moment.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 3_600_000) await rm(folder, { recursive: true, force: true });
  }
}

function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${platform}-${process.arch}`;
}

function nodeIn(folder: string): string {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(folder, 'node_modules', nodePackage(), 'bin', binary);
}

async function install(
  folder: string,
  release: EditorRelease,
  codeServer: string,
  node: string,
): Promise<void> {
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const environment = cleanEnvironment({
    // The editor's own Node.js runs npm and gyp, and includes its headers.
    PATH: [path.dirname(nodeIn(folder)), process.env['PATH']].join(path.delimiter),
    npm_config_nodedir: path.join(folder, 'node_modules', nodePackage()),
    npm_config_build_from_source: 'true',
    JOBS: 'max',
  });
  const npm = async (where: string, ...args: string[]): Promise<void> => {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', [...args, ...quiet], {
      cwd: path.join(folder, where),
      env: environment,
      shell: process.platform === 'win32',
      maxBuffer: 64 * 1024 * 1024,
    });
  };
  // Install scripts would build modules that are not needed; the two needed ones follow below.
  const installation = ['install', '--omit=dev', '--ignore-scripts'];
  const server = 'node_modules/code-server';
  console.log('  VS Code and its Node.js…');
  await npm('.', ...installation, `code-server@${codeServer}`, `${nodePackage()}@${node}`);
  console.log('  their dependencies…');
  const { native, newer } = releases[release];
  await npm(`${server}/lib/vscode`, ...installation, ...newer);
  await npm(`${server}/lib/vscode/extensions`, ...installation);
  console.log('  two native modules…');
  if (!inPath('g++', 'c++', 'clang++') || !inPath('make') || !inPath('python3')) {
    if (canInstallPackages()) await installPackages(['g++', 'make', 'python3']);
  }
  try {
    // Without spdlog every output channel stays empty.
    await npm(`${server}/lib/vscode`, 'rebuild', '@vscode/spdlog', '@vscode/native-watchdog');
    if (native.length > 0) await npm('.', 'rebuild', ...native);
  } catch (error) {
    throw new Error(
      'Could not build the native modules of VS Code. They need a C++ compiler, make and ' +
        'Python 3 (Debian: apt-get install g++ make python3).',
      { cause: error },
    );
  }
}
