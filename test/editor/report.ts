import type { Hook, Runner, Test } from 'mocha';

/** The prefix of the lines of the report, to tell them from other output of the editor. */
export const reportMark = '##test ';

/** The prefix of a line with what happens in a run; JSON of `TestEvent` follows. */
export const eventMark = '##event ';

/** What happens to a test or a hook. The last event of a run is `end`: without it, the run broke off. */
export type TestEvent = { readonly state: 'end' } | OfTest;

/** A test or a hook has started or ended. */
export interface OfTest {
  readonly state: 'started' | 'passed' | 'failed' | 'skipped';
  readonly isHook: boolean;
  /** The file below its stage's folder, such as `follow.test.ts`; empty for hooks around all files. */
  readonly file: string;
  /** The full title; for a hook, it begins with `"before each" hook` or similar. */
  readonly title: string;
  readonly ms: number;
  /** Why it failed. */
  readonly error?: string;
}

/**
 * Prints each event of a run as it comes, in a line for the runner, since a run can break off.
 *
 * @param nameOf the name of a file as the runner knows it.
 */
export function printEvents(
  runner: Runner,
  nameOf: (file: string) => string = (file) => file,
): void {
  const print = (event: TestEvent): void => console.log(eventMark + JSON.stringify(event));
  const report =
    (state: OfTest['state']) =>
    (what: Test | Hook, error?: Error): void => {
      const file = what.file ?? what.ctx?.currentTest?.file ?? what.parent?.file ?? '';
      const isHook = 'type' in what && what.type === 'hook';
      print({
        ...{ state, isHook, file: nameOf(file), ms: what.duration ?? 0 },
        // Mocha names a hook by its kind and its place: `"after each" hook for "a test"`.
        title: isHook ? what.title : what.fullTitle(),
        ...(error && { error: trimmed(error) }),
      });
    };
  runner.on('test', report('started'));
  runner.on('hook', report('started'));
  runner.on('pass', report('passed'));
  runner.on('hook end', report('passed'));
  runner.on('pending', report('skipped'));
  runner.on('fail', report('failed'));
  runner.on('end', () => print({ state: 'end' }));
}

/** A mocha reporter that prints nothing: only `report` prints. */
export const silent = 'base';

/**
 * Prints a run like mocha's `spec`, with console.log, since only that is passed on from both
 * extension hosts, and its events.
 *
 * @param onFailure called for each failure as it happens, before the test is cleaned up.
 */
export function report(runner: Runner, onFailure: (title: string) => void): void {
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
    print(`✔ ${test.title}${test.speed === 'slow' ? ` (${test.duration ?? 0}ms)` : ''}`);
  });
  runner.on('pending', (test) => print(`- ${test.title}`));
  runner.on('fail', (test, error: Error) => {
    onFailure(test.fullTitle());
    failures.push(`${test.fullTitle()}\n${trimmed(error)}`);
    print(`${failures.length}) ${test.title}`);
  });
  runner.on('end', () => {
    depth = 0;
    failures.forEach((failure, index) => print(`\n${index + 1}) ${failure}`));
  });
  printEvents(runner);
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
