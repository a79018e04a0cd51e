import type { Runner } from 'mocha';

/** How each line of the report begins, to tell it from what else the editor prints. */
export const reportMark = '##test ';

/** How the last line of a run begins; JSON with passed, failed and skipped follows. */
export const totalsMark = '##totals ';

/** For mocha's options: nothing is printed but by `report`. */
export const silent = 'base';

/**
 * Prints a run like mocha's `spec`, by console.log alone: that is what comes through from both
 * extension hosts. It ends with a line that the runner reads.
 */
export function report(runner: Runner): void {
  let passed = 0;
  let skipped = 0;
  let depth = 0;
  const failures: string[] = [];
  const print = (text: string): void => {
    for (const line of text.split('\n')) console.log(reportMark + '  '.repeat(depth) + line);
  };
  runner.on('suite', (suite) => {
    if (suite.root) return;
    print(suite.title);
    depth++;
  });
  runner.on('suite end', (suite) => {
    if (!suite.root) depth--;
  });
  runner.on('pass', (test) => {
    passed++;
    print(`✔ ${test.title}${test.speed === 'slow' ? ` (${test.duration ?? 0}ms)` : ''}`);
  });
  runner.on('pending', (test) => {
    skipped++;
    print(`- ${test.title}`);
  });
  runner.on('fail', (test, error: Error) => {
    failures.push(`${test.fullTitle()}\n${trimmed(error)}`);
    print(`${failures.length}) ${test.title}`);
  });
  runner.on('end', () => {
    depth = 0;
    failures.forEach((failure, index) => print(`\n${index + 1}) ${failure}`));
    console.log(totalsMark + JSON.stringify({ passed, failed: failures.length, skipped }));
  });
}

/** The stack of an error without the frames inside VS Code, which fill a screen and say nothing. */
function trimmed(error: Error): string {
  const lines = (error.stack ?? error.message)
    .split('\n')
    .filter((line) => !/^\s+at .*(\/out\/vs\/|node:internal)/.test(line));
  // The message of an assertion cuts off what is long.
  if ('actual' in error && 'expected' in error) {
    lines.push(`expected ${inFull(error.expected)}`, `actual   ${inFull(error.actual)}`);
  }
  return lines.join('\n');
}

function inFull(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return (text ?? 'undefined').slice(0, 2000);
}
