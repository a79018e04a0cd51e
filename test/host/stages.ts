import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventMark, type OfTest, reportMark, type TestEvent } from '../editor/report';
import { repository } from './openEditor';
import { cleanEnvironment, startGuarded, Watchdog } from './processes';
import { lanes, scaled } from './slowness';

/** The stages of `npm test`. */
export const stages = ['unit', 'rooms', 'pages', 'editor', 'web', 'browser', 'explorer'] as const;
export type Stage = (typeof stages)[number];

/** The longest first, so that the lanes end together. */
const bySize: readonly Stage[] = [
  ...(['browser', 'explorer', 'editor', 'unit', 'rooms', 'web', 'pages'] as const),
];

/** The unit tests of the stage `unit`, which has bounds of coverage: of what is covered, and of what uses it most. */
const ofCoverage = /^(?:(?:api|logs|connection|data|control-plane)\/|cases\.)/;

/** A stage ends when no test has ended for so long, in milliseconds: something hangs. */
export const longestSilence = 5 * 60_000;

/** The folder below `test` with the files of a stage. */
function folderOf(stage: Stage): string {
  if (stage === 'web') return 'editor';
  if (stage === 'rooms') return 'unit';
  return stage === 'explorer' ? 'browser' : stage;
}

/** Whether a file of that folder belongs to a stage: two stages share a folder. */
function isOf(stage: Stage, file: string): boolean {
  const isExplorer = /^(explorer|code)\//.test(file);
  switch (stage) {
    case 'unit':
      return ofCoverage.test(file);
    case 'rooms':
      return !ofCoverage.test(file);
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

/**
 * The stages with these names, all if there are none; `unit` is `rooms`, too.
 *
 * @param files which of those two has none of these is left out.
 */
export function stagesOf(names: readonly string[], files: readonly string[]): Stage[] {
  const isWanted = (stage: Stage): boolean =>
    names.length === 0 || names.includes(stage) || (stage === 'rooms' && names.includes('unit'));
  const hasSome = (stage: Stage): boolean =>
    files.length === 0 || folderOf(stage) !== 'unit' || files.some((file) => isOf(stage, file));
  return stages.filter((stage) => isWanted(stage) && hasSome(stage));
}

/** Whether a stage runs in Node.js alone: it needs no build, editor or browser. */
export function isOfNode(stage: Stage): boolean {
  return folderOf(stage) === 'unit';
}

/** Runs these stages in parallel lanes: each lane takes the next stage that none has taken. */
export async function runLanes(
  chosen: readonly Stage[],
  run: (stage: Stage) => Promise<StageResult>,
): Promise<StageResult[]> {
  const results: StageResult[] = [];
  const left = bySize.filter((stage) => chosen.includes(stage));
  const lane = async (): Promise<void> => {
    for (let stage = left.shift(); stage; stage = left.shift()) results.push(await run(stage));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results.sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
}

/** The headline of each stage. */
export const titles: Readonly<Record<Stage, string>> = {
  unit: 'Unit tests of the API, the logs and what both need, with coverage',
  rooms: 'Unit tests of the other rooms',
  pages: 'The pages in a browser, without VS Code',
  editor: 'Tests inside a real VS Code, Node extension host',
  web: 'Tests inside a real VS Code, web worker extension host',
  browser: 'A real VS Code window, driven like a person does',
  explorer: 'The Log Explorer, errors, pushes and the branch in such a window',
};

/** The result of a stage. */
export interface StageResult {
  readonly stage: Stage;
  passed: number;
  failed: number;
  skipped: number;
  /** The duration of the whole stage, including its start and end. */
  seconds: number;
  /** What has ended, in order. */
  readonly ended: OfTest[];
}

export interface StageOptions {
  /** Only tests with this text in their title. */
  readonly grep?: string;
  /** Only tests of these files, by their path below the folder of the stage. */
  readonly files?: readonly string[];
  /** Called with each line that the stage prints. */
  readonly onLine: (line: string) => void;
  /** Called when a test or a hook has ended. */
  readonly onEnd?: (one: OfTest) => void;
}

const tsx = ['--import', 'tsx'];
const mocha = path.join(repository, 'node_modules/mocha/bin/mocha.js');
const c8 = path.join(repository, 'node_modules/c8/bin/c8.js');

/**
 * The files of a stage by their paths below its folder, sorted by name; those whose scene keeps the window come first,
 * one after the other, so that they share it.
 */
export function filesOf(stage: Stage): string[] {
  const folder = path.join(repository, 'test', folderOf(stage));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.test.ts') && isOf(stage, file))
    .sort();
  const keeps = (file: string): boolean =>
    /\bkeepsWindow: true|\bset(?:Actions|Explorer|NamedTrees)\(/.test(
      readFileSync(path.join(folder, file), 'utf8'),
    );
  return [...files.filter(keeps), ...files.filter((file) => !keeps(file))];
}

/** The arguments for Node.js that run a stage. */
function command(stage: Stage, { grep = '', files = [] }: StageOptions): string[] {
  const some = grep ? ['--grep', grep] : [];
  const wanted = folderOf(stage) === 'unit' ? files.filter((file) => isOf(stage, file)) : files;
  const specs = (folder: string): string[] =>
    (files.length > 0 ? wanted : filesOf(stage)).map((file) => `${folder}/${file}`);
  const named = files.map((file) => `--file=${file}`);
  const withMocha = (folder: string, timeout = 60_000): string[] => [
    mocha,
    ...['--config', '.config/mocha.json', '--reporter', 'test/host/reporter.ts'],
    ...['--timeout', String(scaled(timeout))],
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
    case 'rooms':
      return withMocha('test/unit');
    case 'pages':
      return withMocha('test/pages');
    case 'browser':
    case 'explorer':
      return withMocha('test/browser', 120_000);
    case 'editor':
      return [...tsx, 'test/host/editorTests.ts', '--host=node', ...some, ...named];
    case 'web':
      return [...tsx, 'test/host/editorTests.ts', '--host=web', ...some, ...named];
  }
}

/** Runs a stage in a separate process. */
export function runStage(stage: Stage, options: StageOptions): Promise<StageResult> {
  return runReported(stage, command(stage, options), options);
}

/**
 * Runs a program that reports the events of its tests, and counts them as they come. If it breaks off, or
 * ends badly although no test failed (a broken build, too little coverage), or runs no test, that is one
 * more failure, with its reason: the totals are never better than the run, nor worse.
 *
 * @param args for Node.js.
 * @param silence after how many milliseconds without the end of a test the program is ended.
 */
export async function runReported(
  stage: Stage,
  args: readonly string[],
  { grep, onLine, onEnd }: StageOptions,
  silence = scaled(longestSilence + 30_000),
): Promise<StageResult> {
  const result: StageResult = {
    stage,
    passed: 0,
    failed: 0,
    skipped: 0,
    seconds: 0,
    ended: [],
  };
  const started = performance.now();
  /** What the program printed last, to say why it ended; not the output of Git and the like. */
  const last: string[] = [];
  /** What is running: a hook may run within a test. */
  const running: OfTest[] = [];
  /** How the run came to its end, as far as the events and the watch say. */
  const course: { isWhole: boolean; stall?: string } = { isWhole: false };

  const add = (one: OfTest): void => {
    result.ended.push(one);
    if (one.state === 'failed') result.failed++;
    else if (!one.isHook && one.state !== 'started') result[one.state]++;
    onEnd?.(one);
  };
  const handle = (event: TestEvent): void => {
    if (event.state === 'end') course.isWhole = true;
    else if (event.state === 'started') running.push(event);
    else {
      watchdog.restart();
      const at = running.map(({ title }) => title).lastIndexOf(event.title);
      if (at >= 0) running.splice(at, 1);
      add(event);
    }
  };
  const program = startGuarded(process.execPath, args, {
    // The caller has built `dist` for all stages.
    env: cleanEnvironment({ DCP_BUILT: '1' }),
    cwd: repository,
    onLine(line) {
      if (line.startsWith(eventMark)) {
        handle(JSON.parse(line.slice(eventMark.length)) as TestEvent);
        return;
      }
      if (line.startsWith('Exit code: ')) return;
      const text = line.startsWith(reportMark) ? line.slice(reportMark.length) : line;
      last.push(text);
      if (last.length > 200) last.shift();
      onLine(text);
    },
  });
  const watchdog = new Watchdog(silence, () => {
    course.stall = `No test has ended for ${Math.round(silence / 1000)} s.`;
    void program.end();
  });
  const code = await program.exited;
  watchdog.dispose();
  result.seconds = (performance.now() - started) / 1000;

  const fail = (title: string, reason: string): void => {
    const where = running.map((one) => `Running: ${one.file} ${one.title}`);
    const lines = last.filter((line) => !/^\s*($|hint: |✔ )/.test(line)).slice(-12);
    const error = [reason, ...where, ...lines].join('\n');
    add({ state: 'failed', isHook: true, file: '', title, ms: 0, error });
  };
  const exit = `It ended with code ${code}`;
  const errors = last.flatMap((line) => /\b\w*Error: .*/.exec(line) ?? []).slice(-1);
  if (course.stall !== undefined) fail('hangs', course.stall);
  else if (!course.isWhole) fail('broke off', errors[0] ?? `${exit} before its last test.`);
  else if (result.passed + result.failed === 0 && !(grep && code === 0)) {
    fail('did not run any tests', `${exit}.`);
  } else if (code !== 0 && result.failed === 0) fail('ended badly', `${exit}; no test failed.`);
  return result;
}

/** Keeps lines in a file of `.vscode-test`, to read if something fails. */
export function keeper(what: string): (line: string) => void {
  const file = path.join(repository, '.vscode-test', `${what}.log`.replaceAll(/[^\w.]+/g, '-'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return (line) => appendFileSync(file, `${line}\n`);
}

/** The table of a run: each stage with its totals, then the ten slowest files. */
export function tableOf(results: readonly StageResult[]): string {
  const files = results.flatMap(({ stage, ended }) => {
    const took = new Map<string, number>();
    for (const { file, ms } of ended) took.set(file, (took.get(file) ?? 0) + ms);
    return [...took].map(([file, ms]) => ({ stage, file, seconds: ms / 1000 }));
  });
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
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

/**
 * The slowest tests and hooks of each stage. What a stage takes besides them, such as the start of VS Code by its
 * runner, is the rest of its seconds.
 */
export function slowestOf(results: readonly StageResult[], count = 25): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;
  const lines = results.flatMap(({ stage, ended }) => {
    const sum = (isHook: boolean): number =>
      ended.filter((one) => one.isHook === isHook).reduce((all, { ms }) => all + ms, 0);
    const slowest = [...ended].sort((a, b) => b.ms - a.ms).slice(0, count);
    return [
      `Slowest of ${stage}:`,
      `${seconds(sum(false))}  all tests`,
      `${seconds(sum(true))}  all hooks`,
      ...slowest.map(({ file, title, ms }) => `${seconds(ms)}  ${file}  ${title}`),
    ];
  });
  return lines.join('\n');
}

/** A failed test or hook, as it is printed. */
export function failureText(stage: Stage, { file, title, error = '' }: OfTest): string {
  const lines = error.split('\n').slice(0, 20);
  return [`FAILED ${stage} ${file} ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** All that failed in a run, with its stage. */
export function failuresOf(results: readonly StageResult[]): { stage: Stage; one: OfTest }[] {
  return results.flatMap(({ stage, ended }) =>
    ended.filter(({ state }) => state === 'failed').map((one) => ({ stage, one })),
  );
}
