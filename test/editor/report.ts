import type { Hook, Runner, Test } from 'mocha';

/** How each line of the report begins, to tell it from what else the editor prints. */
export const reportMark = '##test ';

/** How the last line of a run begins; JSON with passed, failed and skipped follows. */
export const totalsMark = '##totals ';

/** How the line about what a test or a hook took begins; JSON of `Duration` follows. */
export const durationsMark = '##duration ';

/** What a test took, or a hook around tests. */
export interface Duration {
  /** The file below `test/editor`, such as `follow.test.ts`; empty for what is around all files. */
  file: string;
  /** In full; that of a hook begins with `"before each" hook` or the like. */
  title: string;
  ms: number;
  state: 'passed' | 'failed' | 'skipped';
}

/** For mocha's options: nothing is printed but by `report`. */
export const silent = 'base';

/**
 * Prints a run like mocha's `spec`, by console.log alone: that is what comes through from both
 * extension hosts. Lines for the runner say what each test and hook took; the last one has totals.
 *
 * @param onFailure told of each failure as it happens, before what was tested is cleaned up.
 */
export function report(runner: Runner, onFailure: (title: string) => void): void {
  let passed = 0;
  let skipped = 0;
  let depth = 0;
  const failures: string[] = [];
  const print = (text: string): void => {
    for (const line of text.split('\n')) console.log(reportMark + '  '.repeat(depth) + line);
  };
  const took = (what: Test | Hook, state: Duration['state']): void => {
    const file = what.file ?? what.ctx?.currentTest?.file ?? what.parent?.file ?? '';
    const { duration: ms = 0 } = what;
    const duration: Duration = { file, title: titleOf(what), ms, state };
    console.log(durationsMark + JSON.stringify(duration));
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
    took(test, 'passed');
    print(`✔ ${test.title}${test.speed === 'slow' ? ` (${test.duration ?? 0}ms)` : ''}`);
  });
  runner.on('pending', (test) => {
    skipped++;
    took(test, 'skipped');
    print(`- ${test.title}`);
  });
  runner.on('hook end', (hook) => took(hook, 'passed'));
  runner.on('fail', (test, error: Error) => {
    onFailure(test.fullTitle());
    took(test, 'failed');
    failures.push(`${test.fullTitle()}\n${trimmed(error)}`);
    print(`${failures.length}) ${test.title}`);
  });
  runner.on('end', () => {
    depth = 0;
    failures.forEach((failure, index) => print(`\n${index + 1}) ${failure}`));
    console.log(totalsMark + JSON.stringify({ passed, failed: failures.length, skipped }));
  });
}

/** Mocha calls a hook by what it is and what it is around: `"after each" hook for "a test"`. */
function titleOf(what: Test | Hook): string {
  return 'type' in what && what.type === 'hook' ? what.title : what.fullTitle();
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
