import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../.config/build';
import { ensureBrowser } from './browser';
import { ensureEditor } from './editor';
import { repository } from './openEditor';
import { type Guarded, cleanEnvironment, runScript, startGuarded } from './processes';
import {
  failuresOf,
  filesOf,
  keeper,
  runLanes,
  runStage,
  stages,
  type Stage,
  type StageResult,
} from './stages';

const help = `Checks that the tests are reliable: runs them repeatedly, and each on its own.\n\n  npm run test:steady                      ten runs of npm test, five of them on a busy machine\n  npm run test:steady -- --runs 3 --busy 1\n  npm run test:steady -- --alone unit      each file of a stage alone; in a window each test alone\n  npm run test:steady -- --alone browser --from 40 --count 20\n\n--runs N     how many runs (10); in the last --busy M (5) of them, two programs keep the\n             processors busy\n--alone S    run the files of this stage one by one (for browser and explorer, the tests)\n--from, --count   only some of those, sorted by name\n`;

interface Row {
  readonly what: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: readonly string[];
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10' },
      busy: { type: 'string', default: '5' },
      alone: { type: 'string' },
      from: { type: 'string', default: '0' },
      count: { type: 'string', default: '100000' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return true;
  }
  await ensureEditor();
  await ensureBrowser();
  await buildExtension();
  const rows: Row[] = [];
  const tell = (row: Row): void => {
    rows.push(row);
    console.log(lineOf(row));
    row.failed.forEach((title) => console.log(`    ${title}`));
  };
  if (values.alone !== undefined) {
    const stage = stages.find((one) => one === values.alone);
    if (!stage) throw new Error(`Unknown stage ${values.alone}.\n\n${help}`);
    const from = Number(values.from);
    for (const one of (await piecesOf(stage)).slice(from, from + Number(values.count))) {
      const what = one.grep ?? one.files[0] ?? stage;
      tell(
        rowOf(what, [
          await runStage(stage, { ...one, onLine: keeper(`steady ${what.slice(0, 80)}`) }),
        ]),
      );
    }
  } else {
    const [runs, busy] = [Number(values.runs), Number(values.busy)];
    for (let run = 1; run <= runs; run++) {
      const isBusy = run > runs - busy;
      tell(await wholeRun(`run ${run}${isBusy ? ', busy' : ''}`, isBusy));
    }
  }
  const failed = rows.filter((row) => row.failed.length > 0);
  console.log(
    `\n${rows.map(lineOf).join('\n')}\n${rows.length} rows, ${failed.length} with failures`,
  );
  return failed.length === 0;
}

const silence = (): void => undefined;

/** All stages as `npm test` runs them, in parallel. */
async function wholeRun(what: string, isBusy: boolean): Promise<Row> {
  const others: Guarded[] = isBusy ? [spin(), spin()] : [];
  const started = performance.now();
  const onLine = keeper(`steady ${what}`);
  const results = await runLanes(stages, (stage) => runStage(stage, { onLine }));
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(others.map((one) => one.end()));
  return { ...rowOf(what, results), seconds };
}

/** Keeps a processor busy until it is ended. */
function spin(): Guarded {
  return startGuarded(process.execPath, ['-e', 'for (;;);'], {
    env: cleanEnvironment(),
    onLine: silence,
  });
}

/** The parts of a stage that run separately. */
async function piecesOf(stage: Stage): Promise<{ files: string[]; grep?: string }[]> {
  const files = filesOf(stage);
  if (stage !== 'browser' && stage !== 'explorer') return files.map((file) => ({ files: [file] }));
  const pieces: { files: string[]; grep?: string }[] = [];
  for (const file of files) {
    for (const title of await titlesOf(file)) {
      // Mocha takes it as a pattern.
      const grep = `^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
      pieces.push({ files: [file], grep });
    }
  }
  return pieces;
}

/** The titles of the tests of a file of the browser stage, without running them. */
async function titlesOf(file: string): Promise<string[]> {
  const titles: string[] = [];
  const { exited } = startGuarded(
    process.execPath,
    [
      path.join(repository, 'node_modules/mocha/bin/mocha.js'),
      ...['--config', '.config/mocha.json', '--dry-run', '--reporter', 'json-stream'],
      `test/browser/${file}`,
    ],
    {
      env: cleanEnvironment(),
      cwd: repository,
      onLine(line) {
        if (!line.startsWith('["pass"')) return;
        const [, { fullTitle }] = JSON.parse(line) as [string, { fullTitle: string }];
        titles.push(fullTitle);
      },
    },
  );
  await exited;
  return titles;
}

function rowOf(what = '', results: readonly StageResult[]): Row {
  return {
    what,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: failuresOf(results).map(({ stage, one }) => `${stage} ${one.file} ${one.title}`),
  };
}

function lineOf({ what, seconds, passed, failed }: Row): string {
  const counts = `${passed} passed, ${failed.length} failed`;
  return `${seconds.toFixed(0).padStart(5)} s  ${counts.padEnd(26)}  ${what}`;
}

runScript(async () => {
  if (!(await main())) process.exitCode = 1;
});
