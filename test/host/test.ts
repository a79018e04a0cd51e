import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../.config/build';
import { createPackage } from '../../.config/package';
import type { OfTest } from '../editor/report';
import { ensureBrowser } from './browser';
import { ensureEditor } from './editor';
import { repository } from './openEditor';
import { runScript, temporaryFolder } from './processes';
import { lanes, slowness } from './slowness';
import {
  failuresOf,
  failureText,
  isOfNode,
  keeper,
  runLanes,
  runStage,
  slowestOf,
  stages,
  stagesOf,
  tableOf,
  titles,
  type Stage,
  type StageResult,
} from './stages';

const help = `Runs the tests: ${stages.join(', ')}, or only the named stages; unit is rooms, too.\n\n  npm test\n  npm test -- unit\n  npm test -- editor web --grep reload\n  npm test -- browser --file views/trees.test.ts\n\n  --grep TEXT   only tests with this text in their title (without coverage)\n  --file NAME   only tests of this file, by its path below the folder of the stage; may be repeated\n  --pictures    also take pictures of the windows, in dist/screenshots\n  --long        run the properties in full instead of a short seed of each\n  --verbose     print each test also if several stages run\n  --slowest     print the slowest tests and hooks of each stage at the end\n  --vscode NAME the VS Code: the newest release (default) or the oldest supported one, both from the npm\n                registry, or, for the stage editor, the desktop version that @vscode/test-electron\n                downloads\n\nThe stages run in parallel lanes; what they print is kept in .vscode-test/STAGE.log.\ndist/test-report.json has the duration of each test.\n\nDCP_EDITOR_CACHE is the folder of installed editors, DCP_BROWSER the browser to use; DCP_VERBOSE=1\nshows all output of the editor.\n`;

function isStage(name: string): name is Stage {
  return (stages as readonly string[]).includes(name);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      grep: { type: 'string', default: '' },
      file: { type: 'string', multiple: true, default: [] },
      pictures: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      slowest: { type: 'boolean', default: false },
      vscode: { type: 'string', default: 'newest' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const unknown = positionals.filter((name) => !isStage(name));
  if (unknown.length > 0) throw new Error(`Unknown stage ${unknown.join(', ')}.\n\n${help}`);
  if (!['newest', 'oldest', 'desktop'].includes(values.vscode)) {
    throw new Error(`There is no VS Code ${values.vscode}.\n\n${help}`);
  }
  process.env['VSCODE_TEST'] = values.vscode;
  if (values.pictures) process.env['DCP_PICTURES'] = '1';
  if (values.long) process.env['TEST_LONG'] = '1';
  const chosen = stagesOf(positionals, values.file);

  const started = performance.now();
  console.log(`${lanes} lanes; bounds of time are multiplied with ${slowness}.`);
  // Unit tests need no preparation: they start at once.
  const prepared = chosen.some((stage) => !isOfNode(stage)) ? prepare(chosen) : undefined;
  const packaged = chosen.some(isOfPackage) ? prepared?.then(makePackage) : undefined;
  const isWhole = chosen.length === 1 || values.verbose;
  const run = async (stage: Stage): Promise<StageResult> => {
    const keep = keeper(stage);
    const onLine = (line: string): void => {
      keep(line);
      if (isWhole) console.log(chosen.length > 1 ? `${stage.padEnd(8)}${line}` : line);
    };
    console.log(`${time(started)}  ${titles[stage]}`);
    const broken = isOfNode(stage) ? undefined : await (isOfPackage(stage) ? packaged : prepared);
    const onEnd = (one: OfTest): void => {
      if (one.state === 'failed') console.log(`${time(started)}  ${failureText(stage, one)}`);
    };
    if (broken !== undefined) {
      const what = { isHook: true, file: '', title: 'cannot run', ms: 0, error: broken };
      const one: OfTest = { ...what, state: 'failed' };
      onEnd(one);
      return { stage, passed: 0, failed: 1, skipped: 0, seconds: 0, ended: [one] };
    }
    const { grep, file: files } = values;
    const result = await runStage(stage, { grep, files, onLine, onEnd });
    console.log(`${time(started)}  ${stage}: ${result.passed} passed, ${result.failed} failed.`);
    return result;
  };
  const results = await runLanes(chosen, run);
  const seconds = (performance.now() - started) / 1000;
  await keepReport({ seconds, stages: results });
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((all, result) => all + result[count], 0);
  const [passed, skipped] = [sum('passed'), sum('skipped')];
  const failed = passed === 0 ? Math.max(sum('failed'), 1) : sum('failed');
  if (values.slowest) console.log(`\n${slowestOf(results)}`);
  console.log(`\n${tableOf(results)}\n\n${Math.round(seconds)} s in total.`);
  for (const { stage, one } of failuresOf(results)) console.log(`\n${failureText(stage, one)}`);
  // The run ends with this one line of totals.
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}

/** Whether the windows of a stage have the extension as it is packaged. */
function isOfPackage(stage: Stage): boolean {
  return stage === 'browser' || stage === 'explorer';
}

/** The time since the start of the run, in minutes and seconds. */
function time(started: number): string {
  const seconds = Math.floor((performance.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

async function keepReport(report: object): Promise<void> {
  const folder = path.join(repository, 'dist');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'test-report.json'), JSON.stringify(report, null, 1));
}

/** Prepares what the stages in an editor need; returns the problem if they cannot run. */
async function prepare(chosen: readonly Stage[]): Promise<string | undefined> {
  try {
    const desktop = process.env['VSCODE_TEST'] === 'desktop';
    const inEditor = chosen.filter((stage) => !isOfNode(stage) && stage !== 'pages');
    const needsEditor = inEditor.some((stage) => !desktop || stage !== 'editor');
    if (needsEditor) await ensureEditor();
    if (needsEditor || chosen.includes('pages')) await ensureBrowser();
    await buildExtension();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Packages the extension once for all stages, if that is not given; returns the problem of that or of `broken`. */
async function makePackage(broken: string | undefined): Promise<string | undefined> {
  if (broken !== undefined || process.env['DCP_PACKAGE'] !== undefined) return broken;
  const { log } = console;
  // It lists the files of the package, among the lines of the run.
  const keep = keeper('package');
  console.log = (...parts: unknown[]) => keep(parts.join(' '));
  try {
    const { file } = await createPackage(await temporaryFolder('package'), { build: false });
    process.env['DCP_PACKAGE'] = file;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    console.log = log;
  }
}

runScript(async () => {
  process.exitCode = await main();
});
