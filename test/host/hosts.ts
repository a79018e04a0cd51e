import { buildExtension } from '../../.config/build';
import { ensureBrowser } from './browser';
import { ensureEditor, type EditorRelease } from './editor';
import { endAll, endOnSignals } from './processes';
import { runStage, type Stage } from './stages';

/**
 * Runs the same tests inside every VS Code that can be had here: the newest and the oldest that is
 * promised, in the Node extension host and in the web worker host of each. `npm test` runs those of
 * the newest.
 */
const hosts: readonly { readonly release: EditorRelease; readonly stage: Stage }[] = [
  { release: 'newest', stage: 'editor' },
  { release: 'newest', stage: 'web' },
  { release: 'oldest', stage: 'editor' },
  { release: 'oldest', stage: 'web' },
];

async function main(): Promise<boolean> {
  await ensureBrowser();
  await buildExtension();
  const lines: string[] = [];
  let hasPassed = true;
  for (const { release, stage } of hosts) {
    const { version } = await ensureEditor(release);
    const name = `VS Code ${version}, ${stage === 'editor' ? 'Node' : 'web worker'} extension host`;
    console.log(`\n=== ${name}`);
    // The processes of the stage read it.
    process.env['VSCODE_TEST'] = release;
    const { passed, failed, skipped } = await runStage(stage, '');
    hasPassed &&= failed === 0;
    lines.push(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
  console.log(`\n${lines.join('\n')}`);
  return hasPassed;
}

endOnSignals();
main()
  .then((hasPassed) => {
    process.exitCode = hasPassed ? 0 : 1;
  })
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(endAll)
  .catch((error: unknown) => console.error(error));
