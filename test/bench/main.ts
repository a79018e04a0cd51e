import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { repository } from '../host/openEditor';
import { runScript, temporaryFolder } from '../host/processes';
import * as editorRows from './editor/rows';
import { printGroupings } from './labelledLogs';
import { table, type Figure, type RowFigures } from './figures';
import { sampleRecords } from './sampleRecords';
import { size } from './size';
import { structure } from './structure';

const run = promisify(execFile);

/** Where a row is measured, and its headline. */
const rows = {
  lines: { where: 'child', title: 'Bytes of a stream to formatted lines' },
  events: { where: 'child', title: 'The stream stage alone' },
  heap: { where: 'child', title: 'Memory' },
  trees: { where: 'child', title: 'Trees of a large workspace' },
  recovery: { where: 'child', title: 'Recovery' },
  query: { where: 'child', title: 'A query' },
  patterns: { where: 'child', title: 'Patterns of records' },
  comparison: { where: 'child', title: 'A comparison of logs' },
  errors: { where: 'child', title: 'Errors by kind' },
  marks: { where: 'child', title: 'Errors on lines of code' },
  statements: { where: 'child', title: 'Logging calls of a workspace' },
  suspects: { where: 'child', title: 'The commit behind an error' },
  size: { where: 'here', title: 'Size' },
  structure: { where: 'here', title: 'The code' },
  throughput: { where: 'editor', title: 'A real VS Code: many records' },
  latency: { where: 'editor', title: 'A real VS Code: one record' },
  activation: { where: 'editor', title: 'A real VS Code: the start' },
  burst: { where: 'editor', title: 'A real VS Code: 100,000 records a second for 10 s' },
  idle: { where: 'editor', title: 'A real VS Code: nothing happens' },
  following: { where: 'editor', title: 'The Log Explorer: following' },
  typing: { where: 'editor', title: 'A real VS Code: typing in a file with errors' },
  explorerFirstPage: { where: 'editor', title: 'The Log Explorer: a search' },
  explorerLoaded: { where: 'editor', title: 'The Log Explorer: 100,000 records' },
} as const;
type RowName = keyof typeof rows;
const names = Object.keys(rows) as RowName[];
type EditorRowName = {
  [Name in RowName]: (typeof rows)[Name]['where'] extends 'editor' ? Name : never;
}[RowName];
const isInEditor = (name: RowName): name is EditorRowName => rows[name].where === 'editor';

const help = `Measures the performance goals of the extension, as ratios within one run, and prints a table.\n\n  npm run bench\n  npm run bench -- lines events\n\n  ROW …         only these rows: ${names.join(', ')}\n  --rounds N    measurements for each median (5, the minimum)\n  --json FILE   write the figures as JSON (default: dist/bench.json)\n  --data FOLDER with the row patterns: how well the labelled logs of a folder are grouped\n                (*_structured.csv with Content and EventId); the last line is JSON\n  --help        show this text\n\nA missed goal does not fail the run; a figure that cannot be measured does.\n`;

interface Setting {
  readonly recordsFile: string;
  readonly rounds: number;
}

/**
 * Builds the measured code with the options of the extension; returns the file that measures a row.
 */
async function buildChild(): Promise<string> {
  const outfile = path.join(repository, 'dist/bench/pure.js');
  await build({
    absWorkingDir: repository,
    entryPoints: ['test/bench/pure/main.ts'],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'warning',
  });
  return outfile;
}

let child: Promise<string> | undefined;

/** Measures in a separate process, with a heap and compiled code of its own. */
async function measureInChild(name: string, { recordsFile, rounds }: Setting): Promise<Figure[]> {
  const mark = '##figures ';
  child ??= buildChild();
  const args = ['--expose-gc', await child, name, recordsFile, String(rounds)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
  const line = stdout.split('\n').find((text) => text.startsWith(mark)) ?? '';
  return JSON.parse(line.slice(mark.length)) as Figure[];
}

/** Begun before its turn, because it only waits. */
let recovery: Promise<Figure[]> | undefined;

let editorBench: ReturnType<typeof editorRows.prepareEditorBench> | undefined;

async function measure(name: RowName, setting: Setting): Promise<Figure[]> {
  if (isInEditor(name)) {
    editorBench ??= editorRows.prepareEditorBench();
    return editorRows[name](await editorBench, setting.recordsFile, setting.rounds);
  }
  switch (name) {
    case 'size':
      editorBench ??= editorRows.prepareEditorBench();
      return size((await editorBench).vsix);
    case 'structure':
      return structure();
    case 'recovery':
      return recovery ?? measureInChild(name, setting);
    default:
      return measureInChild(name, setting);
  }
}

function secondsSince(time: number): string {
  return ((performance.now() - time) / 1000).toFixed(0);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      json: { type: 'string', default: 'dist/bench.json' },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  if (values.data !== undefined) {
    if (positionals.join() !== 'patterns') throw new Error('--data is for the row patterns alone.');
    await printGroupings(path.resolve(values.data));
    return;
  }
  const unknown = positionals.filter((name) => !(names as string[]).includes(name));
  if (unknown.length > 0) throw new Error(`Unknown row ${unknown.join(', ')}.\n\n${help}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 5)
    throw new Error('--rounds takes a number of at least 5.');

  const recordsFile = path.join(await temporaryFolder('bench-records'), 'records.json');
  await writeFile(recordsFile, JSON.stringify(sampleRecords()));
  const results: RowFigures[] = [];
  const started = performance.now();
  const wanted = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  if (wanted.includes('recovery')) {
    recovery = measureInChild('recovery', { recordsFile, rounds });
    recovery.catch(() => undefined);
  }
  for (const name of wanted) {
    const row = rows[name].title;
    console.error(`${row}…`);
    const rowStarted = performance.now();
    try {
      results.push({ row, figures: await measure(name, { recordsFile, rounds }) });
    } catch (error) {
      console.error(error);
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      results.push({ row, figures: [], problem: `not measured: ${why ?? ''}` });
      process.exitCode = 1;
    }
    // Printed at once, so that an interrupted run shows its results so far.
    console.log(`${table(results.slice(-1))}\n  ${secondsSince(rowStarted)} s`);
  }
  await editorRows.editorsClosed();
  const [cpu] = os.cpus();
  const machine = `${os.cpus().length} × ${cpu?.model ?? 'unknown'}, load ${os.loadavg()[0]?.toFixed(1) ?? '?'}`;
  console.log(
    `\n${table(results)}\n\nNode ${process.version}, ${machine}, medians of ${rounds}, ${secondsSince(started)} s in total`,
  );
  const file = path.resolve(values.json);
  await mkdir(path.dirname(file), { recursive: true });
  const about = { node: process.version, machine, rounds, at: new Date().toISOString() };
  await writeFile(file, `${JSON.stringify({ ...about, rows: results }, null, 2)}\n`);
}

runScript(main);
