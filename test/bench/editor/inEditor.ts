import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { createPackage } from '../../../.config/package';
import { openEditor, repository, type EditorWindow } from '../../host/openEditor';
import { temporaryFolder, within } from '../../host/processes';
import type { EditorRowName, Report } from './extension/extension';
import type { Task } from './extension/host';
import { ReplayServer, type Answers } from './replayServer';

/** How a row is measured. */
export interface Measuring {
  readonly rounds: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder to open. Default: an empty one. */
  readonly folder?: string;
  /** Whether only the row itself may activate our extension. */
  readonly isCold?: boolean;
  /** The answers for the row, those for its task under `/bench/`; the window resolves when it is open. */
  readonly answers?: (server: ReplayServer, window: Promise<EditorWindow>) => Answers;
}

/** What the rows in the editor share. */
export class EditorBench {
  private static prepared: Promise<EditorBench> | undefined;
  private static readonly closing: Promise<void>[] = [];

  private constructor(
    /** The packaged extension, as a user installs it. */
    readonly vsix: string,
    private readonly others: readonly string[],
  ) {}

  /** Made once, when it is needed. */
  static prepare(): Promise<EditorBench> {
    return (this.prepared ??= this.create());
  }

  /** Resolves when every window and its server are gone. */
  static async closed(): Promise<void> {
    await Promise.all(this.closing);
  }

  private static async create(): Promise<EditorBench> {
    const folder = await temporaryFolder('bench');
    const { file: vsix } = await createPackage(folder);
    const source = path.join(__dirname, 'extension');
    const bench = path.join(folder, 'bench');
    await mkdir(bench);
    await copyFile(path.join(source, 'package.json'), path.join(bench, 'package.json'));
    await build({
      entryPoints: [path.join(source, 'extension.ts')],
      outfile: path.join(bench, 'extension.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      external: ['vscode'],
      logLevel: 'warning',
    });
    // One to compare with, and one to activate first.
    const empty = await Promise.all(
      ['empty', 'warm-up'].map((name) => writeEmptyExtension(folder, name)),
    );
    return new EditorBench(vsix, [bench, ...empty]);
  }

  /** Opens a fresh window in which the bench extension measures a row; returns what it reports. */
  async measure<Name extends EditorRowName>(
    row: Name,
    recordsFile: string,
    { rounds, settings, folder, isCold = false, answers }: Measuring,
  ): Promise<Report<Name>> {
    const server = new ReplayServer();
    await server.start();
    const reported = new Promise<unknown>((resolve, reject) => {
      server.answer({
        '/bench/task': (): Task => ({ row, rounds, recordsFile }),
        '/bench/note': (note) => {
          if (process.env['DCP_VERBOSE']) console.error(note);
        },
        '/bench/result': (body) => {
          const { result, problem } = body as { result?: unknown; problem?: string };
          if (problem === undefined) resolve(result);
          else reject(new Error(problem));
        },
      });
    });
    reported.catch(() => undefined);
    let didOpen: ((window: EditorWindow) => void) | undefined;
    const opened = new Promise<EditorWindow>((resolve) => (didOpen = resolve));
    server.answer(answers?.(server, opened) ?? {});
    const window = await openEditor({
      extensions: [this.vsix, ...this.others],
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
      const report = await within(10 * 60_000, `The editor does not report ${row}`, reported);
      return report as Report<Name>;
    } catch (error) {
      const picture = path.join(repository, '.vscode-test/bench.png');
      await window.page.screenshot({ path: picture }).catch(() => undefined);
      if (process.env['DCP_VERBOSE']) console.error(await window.server.logs(100));
      throw error;
    } finally {
      // The next window opens meanwhile; it measures later.
      EditorBench.closing.push(window.close().then(() => server.close()));
    }
  }
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
