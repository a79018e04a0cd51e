import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { createPackage } from '../../../.config/package';
import type { LogRecord } from '../../../src/api/types';
import { openEditor, repository, type EditorWindow } from '../../host/openEditor';
import { temporaryFolder, within } from '../../host/processes';
import { startReplayServer, type ReplayServer } from './replayServer';

/** What the rows in the editor share; created once. */
export interface EditorBench {
  /** The packaged extension, as a user installs it. */
  readonly vsix: string;
  readonly benchExtension: string;
  /** Two extensions that do nothing: one to compare with, and one to activate first. */
  readonly emptyExtensions: readonly string[];
}

export async function prepareEditorBench(): Promise<EditorBench> {
  const folder = await temporaryFolder('bench');
  const { file: vsix } = await createPackage(folder);
  const source = path.join(__dirname, 'extension');
  const benchExtension = path.join(folder, 'bench');
  await mkdir(benchExtension);
  await copyFile(path.join(source, 'package.json'), path.join(benchExtension, 'package.json'));
  await build({
    entryPoints: [path.join(source, 'extension.ts')],
    outfile: path.join(benchExtension, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const emptyExtensions = [
    await writeEmptyExtension(folder, 'empty'),
    await writeEmptyExtension(folder, 'warm-up'),
  ];
  return { vsix, benchExtension, emptyExtensions };
}

/** An extension that does nothing, and is activated only by a call. */
async function writeEmptyExtension(folder: string, name: string): Promise<string> {
  const empty = path.join(folder, name);
  await mkdir(empty);
  const manifest = {
    name,
    version: '0.0.1',
    publisher: 'control-plane',
    engines: { vscode: '^1.103.0' },
    main: './extension.js',
    activationEvents: [],
  };
  await writeFile(path.join(empty, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(empty, 'extension.js'), 'exports.activate = () => {};\n');
  return empty;
}

export interface Measuring {
  readonly row: string;
  readonly rounds: number;
  readonly recordsFile?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder to open. Default: an empty one. */
  readonly folder?: string;
  /** Whether only the row itself may activate our extension. */
  readonly isCold?: boolean;
  /** Adds answers to the replay server for the row; the window resolves when it is open. */
  readonly serve?: (server: ReplayServer, window: Promise<EditorWindow>) => void;
}

export function readRecords(file: string): LogRecord[] {
  return JSON.parse(readFileSync(file, 'utf8')) as LogRecord[];
}

/** Opens a fresh window in which the benchmark extension measures one row; returns its report. */
export async function measureInEditor(
  { vsix, benchExtension, emptyExtensions }: EditorBench,
  { row, rounds, recordsFile, settings, folder, isCold = false, serve }: Measuring,
): Promise<unknown> {
  const server = await startReplayServer();
  server.onRequest('/bench/task', () => ({ row, rounds, recordsFile }));
  server.onRequest('/bench/note', (note) => {
    if (process.env['DCP_VERBOSE']) console.error(note);
  });
  const reported = new Promise<unknown>((resolve, reject) => {
    server.onRequest('/bench/result', (body) => {
      const { result, problem } = body as { result?: unknown; problem?: string };
      if (problem === undefined) resolve(result);
      else reject(new Error(problem));
    });
  });
  reported.catch(() => undefined);
  let didOpen: ((window: EditorWindow) => void) | undefined;
  const opened = new Promise<EditorWindow>((resolve) => (didOpen = resolve));
  serve?.(server, opened);
  const window = await openEditor({
    extensions: [vsix, benchExtension, ...emptyExtensions],
    ...(isCold ? { prepareExtensions: takeOutStart } : {}),
    ...(folder === undefined ? {} : { folder }),
    settings: {
      'controlPlane.logs.timeZone': 'utc',
      'controlPlane.code.errors': 'off',
      ...settings,
    },
    env: { DCP_BENCH_URL: server.url },
  });
  didOpen?.(window);
  try {
    return await within(10 * 60_000, `The editor does not report ${row}`, reported);
  } catch (error) {
    const picture = path.join(repository, '.vscode-test/bench.png');
    await window.page.screenshot({ path: picture }).catch(() => undefined);
    if (process.env['DCP_VERBOSE']) console.error(await window.server.logs(100));
    throw error;
  } finally {
    // The next window opens meanwhile; it measures later.
    closing.push(window.close().then(() => server.close()));
  }
}

const closing: Promise<void>[] = [];

/** Resolves when every window and its server are gone. */
export async function editorsClosed(): Promise<void> {
  await Promise.all(closing);
}

/** Removes the start of the window from the activation events of our extension. */
async function takeOutStart(extensionsDir: string): Promise<void> {
  const [installed] = (await readdir(extensionsDir)).filter((name) =>
    name.startsWith('control-plane.deployment-control-plane-'),
  );
  if (installed === undefined) throw new Error('The package is not installed.');
  const file = path.join(extensionsDir, installed, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { activationEvents?: string[] };
  const activationEvents = manifest.activationEvents?.filter((one) => one !== 'onStartupFinished');
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents }));
}
