import { assert } from 'chai';
import fc from 'fast-check';
import { shortOrLong } from '../../long';
import { refusal } from '../logServer';
import { numbers } from './searched';
import { endStreams, explored, type Explored } from './explored';

const calls = [
  ...(['older', 'newer', 'cancel', 'follow', 'pause'] as const),
  ...(['stopFollowing', 'back', 'keyChanged'] as const),
];
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ call: fc.constantFrom(...calls) }) },
  { weight: 3, arbitrary: fc.record({ append: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ status: fc.constantFrom(410, 413, 500) }) },
  { weight: 1, arbitrary: fc.record({ context: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant({ access: true }) },
  { weight: 1, arbitrary: fc.constant({ stream: true }) },
  { weight: 1, arbitrary: fc.constant({ run: true }) },
  { weight: 2, arbitrary: fc.constant({ wait: true }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs it without waiting for its effects; `explored` checks what is reported. */
function make(e: Explored, one: Step): void {
  const { explorer, server } = e;
  if ('call' in one) {
    if (one.call === 'older' || one.call === 'newer') explorer.load(one.call);
    else explorer[one.call]();
  } else if ('append' in one) server.append(one.append);
  else if ('status' in one) {
    server.on.query = ({ cursor }) => {
      if (cursor === undefined && one.status === 410) return;
      server.on.query = () => undefined;
      throw refusal(one.status);
    };
  } else if ('context' in one) {
    const record = explorer.records[one.context];
    if (record !== undefined) explorer.showContext(record);
  } else if ('access' in one) server.admin.changeAccess('demo-full');
  else if ('stream' in one) endStreams(e);
  else if ('run' in one) void e.run();
}

/** Runs them after a search; what is shown never has a gap or a record twice. */
async function makeAll(e: Explored, steps: readonly Step[]): Promise<void> {
  await e.run();
  for (const one of steps) {
    make(e, one);
    if ('wait' in one) await e.clock.advance(1000);
    const shown = e.numbers();
    assert.deepEqual(shown, numbers(shown[0] ?? 0, (shown[0] ?? 0) + shown.length));
  }
}

describe('explorer session with calls in any order', () => {
  it('shows a part of the log without gaps or repeats, and all of it in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(40), async (steps, records) => {
        const e = explored(records);
        await makeAll(e, steps);
        e.accept();
        await e.clock.advance(60_000);
        await e.after(() => e.explorer.back());
        e.explorer.follow();
        await e.clock.advance(60_000);
        e.server.append(3);
        await e.clock.advance(60_000);
        for (let times = 0; e.explorer.state.older.kind !== 'reached'; times++) {
          assert.isBelow(times, 200);
          await e.after(() => e.explorer.load('older'));
        }
        const { count, following, leftOut } = e.explorer.state;
        assert.deepEqual([following?.state.kind, leftOut], ['live', 0]);
        assert.deepEqual(e.numbers(), numbers(0, count));
        const appended = steps.map((one) => ('append' in one ? one.append : 0));
        assert.equal(
          count,
          appended.reduce((sum, one) => sum + one, records + 3),
        );
        e.explorer.dispose();
        await e.clock.advance(1000);
        assert.deepEqual([e.server.open.length, e.liveTimers], [0, 0]);
      }),
      { numRuns: shortOrLong(30, 200) },
    );
  }).timeout(60_000);

  it('shows the newest records up to its maximum', async () => {
    const maxRecords = 8;
    const reached = { full: 0, dropped: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(40), async (steps, records) => {
        const e = explored(records, { maxRecords });
        await makeAll(e, steps);
        e.accept();
        await e.clock.advance(60_000);
        await e.after(() => e.explorer.back());
        e.explorer.follow();
        await e.clock.advance(60_000);
        e.server.append(1);
        await e.clock.advance(60_000);
        const end = e.server.log.length;
        assert.deepEqual(e.numbers(), numbers(end - e.explorer.state.count, end));
        const results = e.states.filter(({ context }) => context === undefined);
        for (const { count } of results) assert.isAtMost(count, maxRecords);
        if (e.states.some(({ older }) => older.kind === 'full')) reached.full++;
        if (e.states.some(({ dropped }) => dropped > 0)) reached.dropped++;
        e.explorer.dispose();
      }),
      { numRuns: shortOrLong(30, 200) },
    );
    assert.isAbove(Math.min(reached.full, reached.dropped), shortOrLong(3, 20));
  }).timeout(60_000);
});
