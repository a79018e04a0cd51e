import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import type { LogRecord } from '../../src/api/types';
import { repository } from '../host/openEditor';
import { runScript, temporaryFolder } from '../host/processes';
import { EditorBench } from './editor/inEditor';
import { editorRows } from './editor/rows';
import { table, type Figure, type RowFigures } from './figures';
import { printGroupings } from './labelledLogs';
import { pureRows, type PureRowName } from './pure/rows';
import { sampleRecords } from './sampleRecords';
import { size, structure } from './sizes';

interface Setting {
  readonly records: readonly LogRecord[];
  readonly recordsFile: string;
  readonly rounds: number;
}

interface Row {
  readonly title: string;
  readonly measure: (setting: Setting) => Promise<Figure[]>;
}

/** All rows, in the order in which they are measured. */
const rows: Readonly<Record<string, Row>> = {
  ...mapValues(pureRows, ({ title }, name) => ({
    title,
    measure: (setting) => measureInChild(name, setting),
  })),
  size: { title: 'Size', measure: size },
  structure: { title: 'The code', measure: structure },
  ...mapValues(editorRows, ({ title, measure }) => ({
    title,
    measure: async ({ records, recordsFile, rounds }) => {
      const bench = await EditorBench.prepare();
      return measure({
        records,
        rounds,
        measure: (row, how) => bench.measure(row, recordsFile, how),
      });
    },
  })),
};

function mapValues<Name extends string, Value>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Row,
): Record<string, Row> {
  const names = Object.keys(values) as Name[];
  return Object.fromEntries(names.map((name) => [name, map(values[name], name)]));
}

const help = `Measures the performance goals of the extension, as ratios within one run, and prints a table.

  npm run bench
  npm run bench -- lines events

  ROW …         only these rows: ${Object.keys(rows).join(', ')}
  --rounds N    measurements for each median (5, the minimum)
  --json FILE   write the figures as JSON (default: dist/bench.json)
  --data FOLDER with the row patterns: how well the labelled logs of a folder are grouped
                (*_structured.csv with Content and EventId); the last line is JSON
  --help        show this text

A missed goal does not fail the run; a figure that cannot be measured does.
`;

let child: Promise<string> | undefined;

/** Measures in a separate process, with a heap and compiled code of its own. */
async function measureInChild(
  name: PureRowName,
  { recordsFile, rounds }: Setting,
): Promise<Figure[]> {
  child ??= buildChild();
  const args = ['--expose-gc', await child, name, recordsFile, String(rounds)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figure[];
}

/** Builds the measured code with the options of the extension; returns the file that measures a row. */
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
  const unknown = positionals.filter((name) => !(name in rows));
  if (unknown.length > 0) throw new Error(`Unknown row ${unknown.join(', ')}.\n\n${help}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 5)
    throw new Error('--rounds takes a number of at least 5.');

  const recordsFile = path.join(await temporaryFolder('bench-records'), 'records.json');
  const records = sampleRecords();
  await writeFile(recordsFile, JSON.stringify(records));
  const setting = { records, recordsFile, rounds };
  const results: RowFigures[] = [];
  const started = performance.now();
  const wanted = Object.entries(rows).filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  );
  // Begun before its turn, because it only waits.
  const recovery = wanted.find(([name]) => name === 'recovery')?.[1].measure(setting);
  recovery?.catch(() => undefined);
  for (const [name, { title: row, measure }] of wanted) {
    console.error(`${row}…`);
    const rowStarted = performance.now();
    try {
      const figures = await (name === 'recovery' ? recovery : measure(setting));
      results.push({ row, figures: figures ?? [] });
    } catch (error) {
      console.error(error);
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      results.push({ row, figures: [], problem: `not measured: ${why ?? ''}` });
      process.exitCode = 1;
    }
    // Printed at once, so that an interrupted run shows its results so far.
    console.log(`${table(results.slice(-1))}\n  ${secondsSince(rowStarted)} s`);
  }
  await EditorBench.closed();
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
