import { assert } from 'chai';
import { CleanUpRunner } from '../../../../src/actions/kinds/cleanUp';
import type { ActionProgress } from '../../../../src/activity/activityEntry';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { type Clock, delay } from '../../../../src/base/clock';
import { ApiError } from '../../../../src/api/errors';
import { operations } from '../../../../src/api/generated/operations';
import { RequestScheduler, requestsPerMinute } from '../../../../src/api/requestScheduler';
import type { Operation } from '../../../../src/api/types';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { fakeClient, httpError } from '../../data/fakeClient';
import { uuid } from '../../trees/treeText';

const id = 'ABCDEF00-0000-4000-8000-000000000007';
const running: Operation = { id, state: 'running' };
const over: Operation = { id, state: 'succeeded' };

interface Watched {
  readonly end: ActionProgress;
  /** The time of each poll, in seconds since the start. */
  readonly at: readonly number[];
}

const never = new AbortController().signal;

/** Watches the operation with this client until it ends. */
async function watchWith(
  clock: Clock,
  getOperation: ControlPlaneClient['getOperation'],
  random = 0.5,
  signal = never,
): Promise<ActionProgress> {
  const client = fakeClient({ getOperation });
  const runner = new CleanUpRunner(client, clock, () => random);
  const end = await runner.watch(id, { lifetime: signal, stop: signal }, () => undefined);
  assert(end !== 'gone');
  return end;
}

/** Watches a server with these responses in turn. The last one repeats. */
async function watch(
  answers: readonly (Operation | ApiError | undefined)[],
  random = 0.5,
): Promise<Watched> {
  const clock = fakeClock();
  const start = clock.monotonic();
  const at: number[] = [];
  const scheduler = new RequestScheduler(clock, () => random);
  const end = await clock.run(
    watchWith(
      clock,
      (_id, options) =>
        scheduler.run(operations.getOperation, options, () => {
          const answer = answers[Math.min(at.length, answers.length - 1)];
          at.push((clock.monotonic() - start) / 1000);
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
        }),
      random,
    ),
  );
  assert.equal(clock.liveTimers, 0);
  return { end, at };
}

/** Why it ended. */
function whyOf(end: ActionProgress): string {
  return end.kind === 'left' ? end.why : end.kind;
}

function garbage(): ApiError {
  return new ApiError({ kind: 'protocol', code: 'notJson', message: 'no JSON' });
}

describe('a watched operation', () => {
  it(`polls after 1 s, then at growing intervals up to 15 s ${covers('F47', 'unit')}`, async () => {
    const { at } = await watch([...Array<Operation>(7).fill(running), { id, state: 'succeeded' }]);
    assert.deepEqual(at, [1, 3, 7, 15, 30, 45, 60, 75]);
  });

  it('ends after five minutes without a change in a state that is not known', async () => {
    const odd: Operation = { id, state: 'active', updatedAt: '2026-11-20T12:00:00Z' };
    const moved = { ...odd, updatedAt: '2026-11-20T12:00:01Z' };
    const { end, at } = await watch([odd, odd, odd, moved]);
    assert.deepEqual(end, { kind: 'over' });
    assert.deepEqual(at.slice(0, 4), [1, 3, 7, 15]);
    assert.equal(at.at(-1), 15 + 300);
  });

  it('takes the id of the operation in other letters', async () => {
    const { end } = await watch([{ id: id.toLowerCase(), state: 'succeeded' }]);
    assert.deepEqual(end, { kind: 'over' });
  });

  it('varies the intervals by 20 %', async () => {
    assert.deepEqual((await watch([running, over], 0)).at.map(Math.round), [1, 2]);
    const [first, second] = (await watch([running, over], 0)).at;
    assert.closeTo(first!, 0.8, 0.001);
    assert.closeTo(second! - first!, 1.6, 0.001);
    const [late] = (await watch([over], 0.9999)).at;
    assert.closeTo(late!, 1.2, 0.001);
  });

  it(`ends after half an hour ${covers('F47', 'unit')}`, async () => {
    const { end, at } = await watch([running]);
    assert.equal(whyOf(end), 'deadline');
    assert.isBelow(at.at(-1)!, 1800);
    assert.isAbove(at.at(-1)!, 1780);
  });

  it('continues with an unknown state until the operation has an end time', async () => {
    const odd: Operation = { id, state: 'defragmenting' };
    const { end, at } = await watch([odd, odd, { ...odd, finishedAt: '2026-11-20T12:00:00Z' }]);
    assert.equal(whyOf(end), 'over');
    assert.lengthOf(at, 3);
  });

  it('ends when the operation is deleted', async () => {
    const { end } = await watch([{ id, state: 'running', deletedAt: '2026-11-20T12:00:00Z' }]);
    assert.equal(whyOf(end), 'over');
  });

  it(`ends as lost after three 404 responses within 10 s ${covers('F46', 'unit')}`, async () => {
    const { end, at } = await watch([httpError(404, 'not_found')], 0.9999);
    assert.equal(whyOf(end), 'lost');
    assert.lengthOf(at, 3);
    assert.isAtMost(at[2]! - at[0]!, 10);
    const again = await watch([httpError(404, 'not_found'), running, { id, state: 'failed' }]);
    assert.equal(whyOf(again.end), 'over', 'a new operation may not be available at once');
    const missing = httpError(404, 'not_found');
    const outage = httpError(503, 'unavailable');
    const between = await watch([
      missing,
      outage,
      missing,
      outage,
      missing,
      missing,
      running,
      over,
    ]);
    assert.equal(whyOf(between.end), 'over', 'only responses in a row count');
  });

  it(`detects that there is no endpoint ${covers('F46', 'unit')}`, async () => {
    assert.equal(whyOf((await watch([httpError(404, 'noErrorObject')])).end), 'noPolling');
    assert.equal(whyOf((await watch([httpError(405, 'method_not_allowed')])).end), 'noPolling');
    assert.equal(whyOf((await watch([httpError(501, 'not_implemented')])).end), 'noPolling');
    const off = await watch([undefined]);
    assert.equal(whyOf(off.end), 'noPolling', 'if the setting says so');
    const gone = await watch([running, httpError(404, 'noErrorObject')]);
    assert.equal(whyOf(gone.end), 'lost', 'it was found before');
  });

  it('ends as expired after a 410', async () => {
    assert.equal(whyOf((await watch([running, httpError(410, 'gone')])).end), 'expired');
  });

  it(`never polls before Retry-After is over ${covers('F47', 'unit')}`, async () => {
    const busy = new ApiError({
      kind: 'http',
      status: 429,
      code: 'rate_limited',
      message: '',
      retryAfter: 100_000,
    });
    const { at, end } = await watch([busy, { id, state: 'succeeded' }]);
    assert.equal(whyOf(end), 'over');
    assert.isAtLeast(at[1]! - at[0]!, 100);
    assert.lengthOf(at, 2);
  });

  it(`does not count the sleep of the machine ${covers('F67', 'unit')}`, async () => {
    const clock = fakeClock();
    let polls = 0;
    const watched = watchWith(clock, async () => {
      // The machine sleeps while it waits for the response.
      if (++polls === 3) await delay(clock, 3_600_000, never);
      return { id, state: polls > 10 ? 'succeeded' : 'running' };
    });
    assert.equal((await clock.run(watched)).kind, 'over');
  });

  it(`never waits longer than half an hour ${covers('F47', 'unit')}`, async () => {
    const busy = new ApiError({
      kind: 'http',
      status: 429,
      code: 'rate_limited',
      message: '',
      retryAfter: 86_400_000,
    });
    assert.equal(whyOf((await watch([busy])).end), 'deadline');
  });

  it('ends with an unexpected error of this client', async () => {
    const unexpected = new TypeError('unexpected');
    const { end, at } = await watch([unexpected as unknown as ApiError]);
    const problem = { kind: 'other', message: 'unexpected' };
    assert.deepEqual(end, { kind: 'left', why: 'failed', problem });
    assert.lengthOf(at, 1);
  });

  it('continues after outages', async () => {
    const network = new ApiError({ kind: 'network', code: 'reset', message: '' });
    const answers = [httpError(500, 'internal'), network, httpError(503, 'down')];
    const { at, end } = await watch([...answers, { id, state: 'succeeded' }]);
    assert.equal(whyOf(end), 'over');
    assert.lengthOf(at, 4);
    assert.equal(whyOf((await watch([httpError(500, 'internal')])).end), 'deadline');
  });

  it('ends after three invalid responses in a row', async () => {
    assert.equal(
      whyOf((await watch([garbage(), garbage(), running, { id, state: 'done' }])).end),
      'over',
    );
    const apart = [garbage(), garbage(), httpError(500, 'internal'), garbage(), running];
    assert.equal(whyOf((await watch([...apart, { id, state: 'done' }])).end), 'over');
    const { end, at } = await watch([garbage()]);
    assert.equal(whyOf(end), 'failed');
    assert.lengthOf(at, 3);
    assert.equal(
      whyOf((await watch([{ id: uuid(8), state: 'succeeded' }])).end),
      'failed',
      'another',
    );
    assert.equal(whyOf((await watch([{}])).end), 'failed', 'an empty one');
  });

  it('ends when polling cannot succeed any more', async () => {
    for (const status of [400, 401, 403]) {
      const { end, at } = await watch([httpError(status, 'no')]);
      assert.equal(whyOf(end), 'failed');
      assert.lengthOf(at, 1);
    }
  });

  it(`uses the request budget that all polling shares ${covers('F70', 'unit')}`, async () => {
    const clock = fakeClock();
    const scheduler = new RequestScheduler(clock, () => 0.5);
    const { signal } = new AbortController();
    for (let others = 0; others < requestsPerMinute.awaited; others++) {
      await scheduler.run(operations.listResources, { signal, priority: 'person' }, () =>
        Promise.resolve(),
      );
    }
    let polls = 0;
    const watching = watchWith(clock, (_, options) =>
      scheduler.run(operations.getOperation, options, () =>
        Promise.resolve((polls++, { id, state: 'succeeded' })),
      ),
    );
    await clock.advance(59_000);
    assert.equal(polls, 0);
    await clock.advance(2_000);
    assert.equal(polls, 1);
    assert.deepEqual(await watching, { kind: 'over' });
  });

  it('ends at once when it is aborted', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const watching = watchWith(
      ...([clock, () => Promise.resolve(running), 0.5, controller.signal] as const),
    ).catch((error: unknown) => error);
    await clock.advance(5000);
    const reason = new Error('enough');
    controller.abort(reason);
    assert.equal(await watching, reason);
    assert.equal(clock.liveTimers, 0);
  });
});
