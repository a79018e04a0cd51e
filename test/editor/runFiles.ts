import { files } from 'editor-tests';
import { testEnvironment } from './environment';
import { failuresAreKept, keepFailure } from './failures';
import { report } from './report';

/** Runs the files of this run with mocha. */
export async function runFiles(mocha: Mocha): Promise<void> {
  const { grep, files: wanted, slowness } = await testEnvironment();
  mocha.timeout(90_000 * slowness);
  const chosen = wanted.length === 0 ? files : wanted.flatMap(called);
  if (grep) mocha.grep(grep);
  for (const { name, load } of chosen) {
    mocha.suite.emit('pre-require', globalThis, name, mocha);
    await load();
  }
  const failures = await new Promise<number>((resolve) => report(mocha.run(resolve), keepFailure));
  await failuresAreKept();
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}

/** The files of a name: `tail/follow` means `tail/follow.test.ts` and `tail/follow.hosts.test.ts`. */
function called(wanted: string): typeof files {
  const found = files.filter(({ name }) => name === wanted || name.startsWith(`${wanted}.`));
  if (found.length === 0) throw new Error(`This host has no file ${wanted}.`);
  return found;
}
