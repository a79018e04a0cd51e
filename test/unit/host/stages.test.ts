import { assert } from 'chai';
import { eventMark, type TestEvent } from '../../editor/report';
import { scaled, slowness } from '../../host/slowness';
import { failureText, runReported, slowestOf, stagesOf, type StageResult } from '../../host/stages';
import { covers } from '../covers';

const silence = (): void => undefined;
const one = { isHook: false, file: 'a.test.ts', title: 'one', ms: 1 } as const;
const two = { ...one, title: 'two' };

/** The result of a program that prints these events and then does something. */
function resultOf(
  events: readonly TestEvent[],
  then: string,
  limit = 60_000,
): Promise<StageResult> {
  const lines = events.map((event) => eventMark + JSON.stringify(event)).join('\n');
  const script = `process.stdout.write(${JSON.stringify(`${lines}\n`)}); ${then}`;
  return runReported('editor', ['-e', script], { onLine: silence }, limit);
}

function totals({ passed, failed, skipped }: StageResult): number[] {
  return [passed, failed, skipped];
}

function failureOf(result: StageResult): string {
  return result.ended
    .filter(({ state }) => state === 'failed')
    .map((failed) => failureText('editor', failed))
    .join('\n');
}

describe('A stage of the tests', () => {
  it('counts tests, not hooks, and each failure', async () => {
    const result = await resultOf(
      [
        { ...one, isHook: true, title: '"before all" hook', state: 'passed' },
        { ...one, state: 'passed' },
        { ...two, state: 'skipped' },
        { ...one, isHook: true, title: '"after each" hook', state: 'failed', error: 'why' },
        { state: 'end' },
      ],
      'process.exitCode = 1',
    );
    assert.deepEqual(totals(result), [1, 1, 1]);
  });

  it('is chosen by its name; `unit` is two, of which those are left out that have no wanted file', () => {
    assert.includeMembers(stagesOf([], []), ['unit', 'rooms', 'web', 'explorer']);
    assert.deepEqual(stagesOf(['unit', 'web'], []), ['unit', 'rooms', 'web']);
    assert.deepEqual(stagesOf(['rooms'], []), ['rooms']);
    assert.deepEqual(stagesOf(['unit'], ['api/client.test.ts']), ['unit']);
    assert.deepEqual(stagesOf(['unit', 'web'], ['base/clock.test.ts']), ['rooms', 'web']);
  });

  it('lists its slowest tests and hooks, and how long all of each took', async () => {
    const hook = { ...one, isHook: true, title: '"before each" hook', ms: 2100 } as const;
    const slow = { ...two, ms: 1200 } as const;
    const result = await resultOf(
      [
        ...[hook, slow, one].map((each) => ({ ...each, state: 'passed' }) as const),
        { state: 'end' },
      ],
      '',
    );
    assert.equal(
      slowestOf([result], 2),
      [
        'Slowest of editor:',
        '    1.2 s  all tests',
        '    2.1 s  all hooks',
        '    2.1 s  a.test.ts  "before each" hook',
        '    1.2 s  a.test.ts  two',
      ].join('\n'),
    );
  });

  it('that breaks off keeps what passed, and says why first and what was running', async () => {
    const result = await resultOf(
      [
        { ...one, state: 'started' },
        { ...one, state: 'passed' },
        { ...two, state: 'started' },
      ],
      `for (let line = 0; line < 30; line++) console.error('hint: a line of Git');
       console.error('Error: The window is gone.');
       for (let line = 0; line < 30; line++) console.error('another line ' + line);
       process.exitCode = 1;`,
    );
    assert.deepEqual(totals(result), [1, 1, 0]);
    const lines = failureOf(result).split('\n');
    assert.match(lines[0]!, /broke off/);
    assert.match(lines[1]!, /The window is gone/);
    assert.match(lines[2]!, /Running: a.test.ts two/);
    assert.notInclude(failureOf(result), 'Git');
  });

  it('that hangs is ended, and says what was running', async () => {
    const events: TestEvent[] = [
      { ...one, state: 'passed' },
      { ...two, state: 'started' },
    ];
    const result = await resultOf(events, 'setInterval(() => undefined, 1000)', 2000);
    assert.deepEqual(totals(result), [1, 1, 0]);
    assert.match(failureOf(result), /hangs\n.*No test has ended.*\n.*Running: a.test.ts two/);
  });

  it('that ends badly without a failed test, or without any test, has failed', async () => {
    const passed: TestEvent[] = [{ ...one, state: 'passed' }, { state: 'end' }];
    assert.deepEqual(totals(await resultOf(passed, 'process.exitCode = 3')), [1, 1, 0]);
    assert.deepEqual(totals(await resultOf(passed, '')), [1, 0, 0]);
    assert.deepEqual(totals(await resultOf([{ state: 'end' }], '')), [0, 1, 0]);
  });

  it(`has bounds of time for a machine up to eight times slower, as its processes have ${covers('F92', 'unit')}`, () => {
    assert.isAtLeast(slowness, 1);
    assert.isAtMost(slowness, 8);
    assert.equal(scaled(1000), 1000 * slowness);
    assert.equal(process.env['TEST_SLOWNESS'], String(slowness));
  });
});
