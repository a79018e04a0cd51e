import { buildExtension } from '../../.config/build';
import { ensureBrowser } from './browser';
import { ensureEditor, type EditorRelease } from './editor';
import { runScript } from './processes';
import { failureText, runStage, type Stage, type StageResult } from './stages';

/**
 * `npm run test:all`: what `npm test` omits because it takes long. Runs the properties in full,
 * takes pictures of the windows, and runs all tests in the editor in the newest and in the oldest
 * supported VS Code, in the Node extension host and in the web worker host of each.
 */
const steps: readonly { readonly release: EditorRelease; readonly stage: Stage }[] = [
  { release: 'newest', stage: 'unit' },
  { release: 'newest', stage: 'editor' },
  { release: 'newest', stage: 'web' },
  { release: 'oldest', stage: 'editor' },
  { release: 'oldest', stage: 'web' },
  { release: 'newest', stage: 'browser' },
  { release: 'newest', stage: 'explorer' },
];

async function main(): Promise<boolean> {
  await ensureBrowser();
  await buildExtension();
  // The processes of the stages read these.
  process.env['TEST_LONG'] = '1';
  process.env['DCP_PICTURES'] = '1';
  const lines: string[] = [];
  const results: StageResult[] = [];
  for (const { release, stage } of steps) {
    const { version } = await ensureEditor(release);
    const name = stage === 'unit' ? stage : `${stage}, VS Code ${version}`;
    console.log(`\n=== ${name}`);
    process.env['VSCODE_TEST'] = release;
    const result = await runStage(stage, {
      onLine: (line) => console.log(line),
      onEnd: (one) => one.state === 'failed' && console.log(failureText(stage, one)),
    });
    results.push(result);
    const { passed, failed, skipped, seconds } = result;
    lines.push(
      `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds | 0} s)`,
    );
  }
  const sum = (count: 'passed' | 'failed'): number =>
    results.reduce((all, result) => all + result[count], 0);
  console.log(`\n${lines.join('\n')}\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0;
}

runScript(async () => {
  if (!(await main())) process.exitCode = 1;
});
