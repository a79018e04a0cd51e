import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { durationsMark, reportMark, totalsMark, type Duration } from '../editor/report';
import { repository } from './openEditor';
import { cleanEnvironment, startGuarded } from './processes';

/** The stages of `npm test`. */
export const stages = ['unit', 'editor', 'web', 'browser', 'explorer'] as const;
export type Stage = (typeof stages)[number];

/**
 * Lanes run in parallel. A window waits a third of its time, so three lanes fill two processors.
 */
const lanes: readonly (readonly Stage[])[] = [['browser'], ['unit', 'explorer'], ['editor', 'web']];

/** The folder below `test` with the files of a stage. */
function folderOf(stage: Stage): string {
  if (stage === 'web') return 'editor';
  return stage === 'explorer' ? 'browser' : stage;
}

/** Whether a file of that folder belongs to a stage: two stages share a folder. */
function isOf(stage: Stage, file: string): boolean {
  const isExplorer = /^(explorer|error)/.test(file);
  switch (stage) {
    case 'browser':
      return !isExplorer;
    case 'explorer':
      return isExplorer;
    case 'web':
      // test/editor/index.ts says why.
      return file.endsWith('.hosts.test.ts');
    default:
      return true;
  }
}

/** Runs these stages, with the lanes in parallel. */
export async function runLanes(
  chosen: readonly Stage[],
  run: (stage: Stage) => Promise<StageResult>,
): Promise<StageResult[]> {
  const results: StageResult[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const stage of lane) if (chosen.includes(stage)) results.push(await run(stage));
    }),
  );
  return results.sort((one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage));
}

/** The headline of each stage. */
export const titles: Readonly<Record<Stage, string>> = {
  unit: 'Unit tests, with coverage',
  editor: 'Tests inside a real VS Code, Node extension host',
  web: 'Tests inside a real VS Code, web worker extension host',
  browser: 'A real VS Code window, driven like a person does',
  explorer: 'The Log Explorer and errors in such a window',
};

/** The result of a stage. */
export interface StageResult {
  readonly stage: Stage;
  passed: number;
  failed: number;
  skipped: number;
  /** The duration of the whole stage, including its start and end. */
  seconds: number;
  readonly durations: Duration[];
}

export interface StageOptions {
  /** Only tests with this text in their title. */
  readonly grep?: string;
  /** Only tests of these files, by their path below the folder of the stage. */
  readonly files?: readonly string[];
  /** Called with each line that the stage prints. */
  readonly onLine: (line: string) => void;
  /** Called when a test or a hook has ended. */
  readonly onEnd?: (one: Duration) => void;
}

const tsx = ['--import', 'tsx'];
const mocha = path.join(repository, 'node_modules/mocha/bin/mocha.js');
const c8 = path.join(repository, 'node_modules/c8/bin/c8.js');

/** The files of a stage by their paths below its folder, sorted by name. */
export function filesOf(stage: Stage): string[] {
  return readdirSync(path.join(repository, 'test', folderOf(stage)), {
    recursive: true,
    encoding: 'utf8',
  })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.test.ts') && isOf(stage, file))
    .sort();
}

/** The arguments for Node.js that run a stage. */
function command(stage: Stage, { grep = '', files = [] }: StageOptions): string[] {
  const some = grep ? ['--grep', grep] : [];
  const specs = (folder: string): string[] =>
    (files.length > 0 ? files : filesOf(stage)).map((file) => `${folder}/${file}`);
  const named = files.map((file) => `--file=${file}`);
  const withMocha = (folder: string): string[] => [
    mocha,
    ...['--config', '.config/mocha.json', '--reporter', 'test/host/reporter.ts'],
    ...(process.stdout.isTTY ? ['--color'] : []),
    ...some,
    ...specs(folder),
  ];
  switch (stage) {
    case 'unit': {
      const run = withMocha('test/unit');
      // Coverage of a part of the tests means nothing.
      const isPart = grep !== '' || files.length > 0;
      return isPart ? run : [c8, '--config', '.config/c8.json', process.execPath, ...run];
    }
    case 'browser':
    case 'explorer':
      return [...withMocha('test/browser'), '--timeout', '120000'];
    case 'editor':
      return [...tsx, 'test/host/editorTests.ts', '--host=node', ...some, ...named];
    case 'web':
      return [...tsx, 'test/host/editorTests.ts', '--host=web', ...some, ...named];
  }
}

/**
 * Runs a stage in a separate process. A stage that ends badly without a failed test (a broken
 * build, too little coverage) or that ran no test counts as one failure, so that the totals are
 * never better than the run.
 */
export async function runStage(stage: Stage, options: StageOptions): Promise<StageResult> {
  /** The last lines, to say why a stage ended if no test did. */
  const last: string[] = [];
  const onLine = (line: string): void => {
    last.push(line);
    if (last.length > 20) last.shift();
    options.onLine(line);
  };
  const result: StageResult = {
    ...{ stage, passed: 0, failed: 0, skipped: 0, seconds: 0 },
    durations: [],
  };
  const started = performance.now();
  const { exited } = startGuarded(process.execPath, command(stage, options), {
    // The caller has built `dist` for all stages.
    env: cleanEnvironment({ DCP_BUILT: '1' }),
    cwd: repository,
    onLine(line) {
      if (line.startsWith(durationsMark)) {
        const duration = JSON.parse(line.slice(durationsMark.length)) as Duration;
        result.durations.push(duration);
        options.onEnd?.(duration);
        return;
      }
      readTotals(line, result);
      if (line.startsWith(totalsMark) || line.startsWith('Exit code: ')) return;
      onLine(line.startsWith(reportMark) ? line.slice(reportMark.length) : line);
    },
  });
  const code = await exited;
  result.seconds = (performance.now() - started) / 1000;
  const fail = (title: string): void => {
    const one = { file: '', title, ms: 0, state: 'failed', error: last.join('\n') } as const;
    result.failed++;
    result.durations.push(one);
    options.onEnd?.(one);
  };
  if (result.passed + result.failed === 0 && !(options.grep && code === 0)) {
    fail('did not run any tests');
  } else if (code !== 0 && result.failed === 0) {
    fail(`ended with code ${code} although no test failed`);
  } else if (result.failed > 0 && failuresOf([result]).length === 0) {
    result.failed--;
    fail('has failures without a report');
  }
  return result;
}

/** Keeps lines in a file of `.vscode-test`, to read if something fails. */
export function keeper(what: string): (line: string) => void {
  const file = path.join(repository, '.vscode-test', `${what}.log`.replaceAll(/[^\w.]+/g, '-'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return (line) => appendFileSync(file, `${line}\n`);
}

const words = { passing: 'passed', failing: 'failed', pending: 'skipped' } as const;

/** Reads the last line of an editor run, or the summary of mocha's spec reporter. */
function readTotals(line: string, result: StageResult): void {
  if (line.startsWith(totalsMark)) {
    Object.assign(result, JSON.parse(line.slice(totalsMark.length)));
    return;
  }
  // eslint-disable-next-line no-control-regex -- mocha's colours
  const plain = line.replaceAll(/\u001b\[\d+m/g, '');
  const summary = /^ {2}(\d+) (passing|failing|pending)\b/.exec(plain);
  if (!summary) return;
  result[words[summary[2] as keyof typeof words]] = Number(summary[1]);
}

/** The table of a run: each stage with its totals, then the ten slowest files. */
export function tableOf(results: readonly StageResult[]): string {
  const files = results.flatMap(({ stage, durations }) => {
    const took = new Map<string, number>();
    for (const { file, ms } of durations) took.set(file, (took.get(file) ?? 0) + ms);
    return [...took].map(([file, ms]) => ({ stage, file, seconds: ms / 1000 }));
  });
  const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, 10);
  const columns = (...cells: (string | number)[]): string =>
    cells
      .map((cell, at) => (at === 0 ? String(cell).padEnd(8) : String(cell).padStart(8)))
      .join(' ');
  return [
    columns('stage', 'passed', 'failed', 'skipped', 'seconds'),
    ...results.map(({ stage, passed, failed, skipped, seconds }) =>
      columns(stage, passed, failed, skipped, seconds.toFixed(0)),
    ),
    '',
    'Slowest files:',
    ...slowest.map(
      ({ stage, file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${stage}  ${file}`,
    ),
  ].join('\n');
}

/** A failed test or hook, as it is printed. */
export function failureText(stage: Stage, { file, title, error = '' }: Duration): string {
  const lines = error.split('\n').slice(0, 20);
  return [`FAILED ${stage} ${file} ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** All that failed in a run, with its stage. */
export function failuresOf(results: readonly StageResult[]): { stage: Stage; one: Duration }[] {
  return results.flatMap(({ stage, durations }) =>
    durations.filter(({ state }) => state === 'failed').map((one) => ({ stage, one })),
  );
}
