import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureEditor, type Editor, type EditorRelease } from './editor';
import { startGuardedServer } from './guardedServer';
import { cleanEnvironment, startGuarded, temporaryFolder, within, type Guarded } from './processes';

const run = promisify(execFile);

/** Settings for a quiet window: no network requests, welcome pages or questions. */
export const quietSettings = {
  'chat.agentHost.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  // As on the desktop; a browser would save what a test has typed.
  'files.autoSave': 'off',
  'files.simpleDialog.enable': true,
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** For windows of tests: a tenth less work than with what these draw. */
export const plainSettings = {
  'breadcrumbs.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'workbench.iconTheme': null,
  'workbench.reduceMotion': 'on',
};

/** The theme follows the browser, which can change at any time: see `inEachLook`. */
export const themeOfBrowser = {
  'window.autoDetectColorScheme': true,
  'window.autoDetectHighContrast': true,
};

export interface EditorServerOptions {
  /** Extensions to install before the start: `.vsix` files, and folders. */
  extensions?: readonly string[];
  /** User settings in addition to the quiet ones. */
  settings?: Readonly<Record<string, unknown>>;
  /** Variables for the server and its extension hosts. */
  env?: NodeJS.ProcessEnv;
  /** Without the built-in extensions that run code, except Git: for windows of tests. */
  plain?: boolean;
  /** Keeps workspace trust on; otherwise every folder is trusted. */
  workspaceTrust?: boolean;
  release?: EditorRelease;
  /** Called with the folder of the installed packages, before the server starts. */
  prepare?(extensionsDir: string): Promise<void>;
  /** The port to listen on; by default, or with 0, a free one. */
  port?: number;
  /** Opens only with the token of its address, and only under a name of loopback: for people, who visit web pages. */
  guarded?: boolean;
}

/** A running server of VS Code on loopback, with its own fresh user data. */
export interface EditorServer {
  editor: Editor;
  /** Its address, for example `http://127.0.0.1:34567`; with a token if it is guarded. */
  url: string;
  /** Host and port, the authority of `vscode-remote:` URIs. */
  authority: string;
  userDataDir: string;
  /** The folder of the installed packages. */
  extensionsDir: string;
  /**
   * The last lines of the output of the server and of the logs of its extension hosts, for an error
   * report.
   */
  logs(lines?: number): Promise<string>;
  /** Resolves with the exit code when the server has ended, by itself or by `close`. */
  exited: Promise<number>;
  /** Ends the server and its extension hosts. */
  close(): Promise<void>;
}

/**
 * Starts a real VS Code server on a free port of 127.0.0.1; user data, extensions and its
 * configuration are in a temporary folder.
 *
 * @throws if it does not listen within 60 s, with its output.
 */
export async function startEditorServer(options: EditorServerOptions = {}): Promise<EditorServer> {
  const editor = await ensureEditor(options.release);
  const base = await temporaryFolder('editor');
  const userDataDir = path.join(base, 'data');
  const extensionsDir = path.join(base, 'extensions');
  const places = [
    ...['--user-data-dir', userDataDir],
    ...['--extensions-dir', extensionsDir],
    ...['--config', path.join(base, 'config.yaml')],
    ...(options.plain
      ? ['--builtin-extensions-dir', await plainExtensions(editor, path.join(base, 'built-in'))]
      : []),
  ];
  await writeFile(path.join(base, 'config.yaml'), 'auth: none\n');
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  await writeFile(
    path.join(userDataDir, 'User/settings.json'),
    JSON.stringify({ ...quietSettings, ...options.settings }, null, 2),
  );
  // Keeps its state apart from the user's own editor.
  const env = cleanEnvironment({
    XDG_DATA_HOME: base,
    XDG_CONFIG_HOME: base,
    // No gallery: VS Code would request updates and recommendations.
    EXTENSIONS_GALLERY: '{}',
    ...options.env,
  });
  const isPackage = (extension: string): boolean => extension.endsWith('.vsix');
  const extensions = options.extensions ?? [];
  await link(
    extensions.filter((extension) => !isPackage(extension)),
    extensionsDir,
  );
  for (const file of extensions.filter(isPackage)) {
    await run(editor.node, [editor.entry, ...places, '--install-extension', file], { env });
  }
  await options.prepare?.(extensionsDir);

  const output: string[] = [];
  const socket = path.join(base, 'socket');
  const { server, url: listened } = await listeningServer(() => {
    let listening: (address: string) => void;
    const address = new Promise<string>((resolve) => (listening = resolve));
    const started = startGuarded(
      editor.node,
      [
        editor.entry,
        ...places,
        ...['--auth', 'none'],
        ...(options.guarded
          ? ['--socket', socket, '--socket-mode', '600']
          : ['--bind-addr', `127.0.0.1:${options.port ?? 0}`]),
        ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
        ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
        '--ignore-last-opened',
      ],
      {
        env,
        onLine(line) {
          output.push(line);
          if (output.length > 2000) output.shift();
          const found = /HTTP server listening on (http:\/\/[\d.:]+|\/\S+)/.exec(line)?.[1];
          if (found) listening(found);
        },
      },
    );
    return { started, address };
  }, output);
  const guard = options.guarded ? await startGuardedServer(socket, options.port ?? 0) : undefined;
  const url = guard?.url ?? listened;
  return {
    editor,
    url,
    authority: new URL(url).host,
    userDataDir,
    extensionsDir,
    logs: async (lines = 40) =>
      [
        section('server', output.join('\n'), lines),
        ...(await extensionHostLogs(userDataDir)).map(([file, text]) => section(file, text, lines)),
      ].join('\n'),
    exited: server.exited,
    async close() {
      await guard?.close();
      await server.end();
    },
  };
}

/**
 * Starts the program until it listens. It has a bound of its own that no option changes: its two processes
 * find each other within 10 s, so on a busy machine it is started again.
 */
async function listeningServer(
  start: () => { readonly started: Guarded; readonly address: Promise<string> },
  output: readonly string[],
): Promise<{ readonly server: Guarded; readonly url: string }> {
  for (let tries = 1; ; tries++) {
    const { started: server, address } = start();
    const failed = server.exited.then((code) => {
      throw new Error(`VS Code ended with code ${code} before it listened.`);
    });
    failed.catch(() => undefined);
    try {
      const listens = Promise.race([address, failed]);
      return { server, url: await within(60_000, 'VS Code does not listen', listens) };
    } catch (error) {
      await server.end();
      if (tries < 5 && output.at(-1)?.endsWith('error timed out') === true) continue;
      throw new Error(section('server', output.join('\n'), 60), { cause: error });
    }
  }
}

/**
 * Makes a folder with the built-in extensions that are only data, such as languages and themes, and with Git, the only
 * one with code that ours works with. A window reads and starts all that it has each time it loads, and one with a
 * file in it starts what checks the language of the file.
 */
async function plainExtensions(editor: Editor, folder: string): Promise<string> {
  const builtIn = path.join(editor.vscode, 'extensions');
  await mkdir(folder);
  for (const name of await readdir(builtIn)) {
    const file = path.join(builtIn, name, 'package.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const read = JSON.parse(text) as { readonly main?: string; readonly browser?: string };
    const isData = read.main === undefined && read.browser === undefined;
    if (isData || name === 'git' || name === 'git-base') {
      await symlink(path.join(builtIn, name), path.join(folder, name));
    }
  }
  return folder;
}

/** Installs folders in place: the editor loads them as they are when a window starts. */
async function link(folders: readonly string[], extensionsDir: string): Promise<void> {
  const entries = folders.map(async (folder) => {
    const { id, version } = await manifest(folder);
    return { identifier: { id }, version, location: { $mid: 1, scheme: 'file', path: folder } };
  });
  await mkdir(extensionsDir, { recursive: true });
  await writeFile(
    path.join(extensionsDir, 'extensions.json'),
    JSON.stringify(await Promise.all(entries)),
  );
}

/** The identifier and version of the extension in a folder. */
export async function manifest(folder: string): Promise<{ id: string; version: string }> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8');
  const read: unknown = JSON.parse(text);
  if (!(read instanceof Object && 'publisher' in read && 'name' in read && 'version' in read)) {
    throw new Error(`${folder} does not contain an extension.`);
  }
  return { id: `${String(read.publisher)}.${String(read.name)}`, version: String(read.version) };
}

function section(title: string, text: string, lines: number): string {
  return [`--- ${title}`, ...text.trimEnd().split('\n').slice(-lines)].join('\n');
}

async function extensionHostLogs(userDataDir: string): Promise<[file: string, text: string][]> {
  const folder = path.join(userDataDir, 'logs');
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(
    files
      .filter((file) => /(exthost|Git|Control Plane[^/\\]*)\.log$/.test(file))
      // The latest host, which is the tenth or later in a long run, is the last.
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map(async (file): Promise<[string, string]> => [
        file,
        await readFile(path.join(folder, file), 'utf8'),
      ]),
  );
}
