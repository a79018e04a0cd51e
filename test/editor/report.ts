import type { Hook, Runner, Test } from 'mocha';

/** The prefix of the lines of the report, to tell them from other output of the editor. */
export const reportMark = '##test ';

/** The prefix of the last line of a run; JSON with passed, failed and skipped follows. */
export const totalsMark = '##totals ';

/** The prefix of a line with the duration of a test or a hook; JSON of `Duration` follows. */
export const durationsMark = '##duration ';

/** The duration of a test or of a hook. */
export interface Duration {
  /** The file below `test/editor`, such as `follow.test.ts`; empty for hooks around all files. */
  file: string;
  /** The full title; for a hook, it begins with `"before each" hook` or similar. */
  title: string;
  ms: number;
  state: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  error?: string;
}

/** A mocha reporter that prints nothing: only `report` prints. */
export const silent = 'base';

/**
 * Prints a run like mocha's `spec`, with console.log, since only that is passed on from both
 * extension hosts. Lines for the runner have the duration of each test and hook; the last one has
 * the totals.
 *
 * @param onFailure called for each failure as it happens, before the test is cleaned up.
 */
export function report(runner: Runner, onFailure: (title: string) => void): void {
  let passed = 0;
  let skipped = 0;
  let depth = 0;
  const failures: string[] = [];
  const print = (text: string): void => {
    for (const line of text.split('\n')) console.log(reportMark + '  '.repeat(depth) + line);
  };
  const took = (what: Test | Hook, state: Duration['state'], error?: string): void => {
    const file = what.file ?? what.ctx?.currentTest?.file ?? what.parent?.file ?? '';
    const { duration: ms = 0 } = what;
    const duration: Duration = { file, title: titleOf(what), ms, state, ...(error && { error }) };
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
    took(test, 'failed', trimmed(error));
    failures.push(`${test.fullTitle()}\n${trimmed(error)}`);
    print(`${failures.length}) ${test.title}`);
  });
  runner.on('end', () => {
    depth = 0;
    failures.forEach((failure, index) => print(`\n${index + 1}) ${failure}`));
    console.log(totalsMark + JSON.stringify({ passed, failed: failures.length, skipped }));
  });
}

/** Mocha names a hook by its kind and its place: `"after each" hook for "a test"`. */
function titleOf(what: Test | Hook): string {
  return 'type' in what && what.type === 'hook' ? what.title : what.fullTitle();
}

/** The stack of an error without the many frames inside VS Code. */
function trimmed(error: Error): string {
  const lines = (error.stack ?? error.message)
    .split('\n')
    .filter((line) => !/^\s+at .*(\/out\/vs\/|node:internal)/.test(line));
  // The message of an assertion truncates long values.
  if ('actual' in error && 'expected' in error) {
    lines.push(`expected ${inFull(error.expected)}`, `actual   ${inFull(error.actual)}`);
  }
  return lines.join('\n');
}

function inFull(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return (text ?? 'undefined').slice(0, 2000);
}
