import { assert } from 'chai';
import { type ActionContext, type ActionSteps, startRun } from '../../../src/actions/actionRun';
import type { ActionProgress, CleanUpEntry } from '../../../src/actions/activityEntry';
import { createActivityLog } from '../../../src/actions/activityLog';
import { cleanupText } from '../../../src/api/cleanupBody';
import { delay } from '../../../src/base/clock';
import { fakeClock, settle } from '../fakeClock';
import { uuid } from '../trees/treeText';
import { connection, createDisk, progressOf } from './windows';

const items = ['old-api'];
const entry: CleanUpEntry = {
  ...{ id: uuid(1), connection, at: 0, kind: 'cleanUp', serverId: uuid(2), serverName: 'fra' },
  ...{ items, idempotencyKey: uuid(3), body: cleanupText(items) },
  progress: { kind: 'following' },
};
const over: ActionProgress = { kind: 'over' };

/** Runs these steps for the entry in a window. `stored` reads the entry from the disk. */
async function work(steps: ActionSteps<CleanUpEntry>, first = entry, isResumed = false) {
  const clock = fakeClock();
  const storage = createDisk();
  const errors: unknown[] = [];
  const end = new AbortController();
  const onError = (error: unknown): unknown => errors.push(error);
  const log = createActivityLog({
    ...{ connection, storage, onError },
    onDidChange: () => undefined,
  });
  await log.add(first);
  const run = startRun(first, steps, {
    // These steps use nothing else.
    context: { clock, random: () => 0.5 } as unknown as ActionContext,
    ...{ window: 'this one', storage, log, isResumed, signal: end.signal },
    onError,
  });
  const stored = (): Partial<CleanUpEntry> =>
    JSON.parse(storage.files.get(first.id) ?? '{}') as Partial<CleanUpEntry>;
  return { clock, storage, log, run, end, errors, stored };
}

const wait: ActionSteps<CleanUpEntry> = (_, { clock, stop }) => delay(clock, 3_600_000, stop);

describe('startRun', () => {
  it('renews its lease while it is running, and removes it at the end', async () => {
    const { clock, run, stored } = await work(async (tracked, { clock: time, stop }) => {
      await tracked.set({ ...tracked.entry, operationId: 'o' });
      await delay(time, 60_000, stop);
    });
    await settle();
    assert.deepEqual(stored().lease, { window: 'this one', until: clock.now() + 15_000 });
    const begin = clock.now();
    await clock.advance(4_999);
    assert.equal(stored().lease?.until, begin + 15_000);
    await clock.advance(1);
    assert.equal(stored().lease?.until, begin + 20_000);
    await clock.advance(30_000);
    assert.equal(stored().lease?.until, begin + 50_000);
    await clock.run(run.done);
    assert.notProperty(stored(), 'lease');
    assert.equal(clock.liveTimers, 0);
  });

  it('saves the time of the end once, when the entry ends', async () => {
    const { clock, run, stored } = await work(async (tracked, { clock: time, stop }) => {
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, operationId: 'o' });
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, progress: over });
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, replayed: true });
    });
    const begin = clock.now();
    await clock.advance(1500);
    assert.notProperty(stored(), 'endedAt');
    await clock.run(run.done);
    assert.equal(stored().endedAt, begin + 2000);
    assert.isTrue(stored().replayed);
  });

  it('adds a missing end time, and removes it when the entry is running again', async () => {
    const unknown = {
      ...entry,
      progress: { kind: 'unknown', why: 'noAnswer' } as const,
    };
    const { clock, run, stored } = await work(async (tracked, { clock: time, stop }) => {
      await tracked.set({ ...tracked.entry, replayed: true });
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, progress: { kind: 'sending' } });
      await delay(time, 1000, stop);
    }, unknown);
    const begin = clock.now();
    await clock.advance(500);
    assert.equal(stored().endedAt, begin);
    await clock.advance(1000);
    assert.notProperty(stored(), 'endedAt');
    await clock.run(run.done);
  });

  it('reports an unexpected error, but not the end of its connection', async () => {
    const broken = await work(() => Promise.reject(new Error('unexpected')));
    await broken.run.done;
    assert.deepEqual(broken.errors.map(String), ['Error: unexpected']);
    assert.notProperty(broken.stored(), 'lease');

    const left = await work(wait);
    await settle();
    left.end.abort();
    await left.run.done;
    assert.isEmpty(left.errors);
    assert.equal(progressOf(left.log.find(entry.id)), 'following', 'it is resumed later');
    assert.equal(left.clock.liveTimers, 0);
  });

  it('can still update the entry after it was stopped', async () => {
    const { run, stored } = await work(async (tracked, context) => {
      await wait(tracked, context).catch(() => undefined);
      assert.isFalse(context.lifetime.aborted);
      await tracked.set({ ...tracked.entry, progress: { kind: 'left', why: 'stopped' } });
    });
    await settle();
    run.stop();
    await run.done;
    assert.deepEqual(stored().progress, { kind: 'left', why: 'stopped' });
  });

  it('ends when another window has taken the entry over (F80)', async () => {
    const { clock, storage, run, stored, errors } = await work(wait);
    await settle();
    const lease = { window: 'other', until: clock.now() + 18_000 };
    await storage.write({ ...entry, lease });
    await clock.advance(5_000);
    await run.done;
    assert.deepEqual(stored().lease, lease);
    assert.isEmpty(errors);
    assert.equal(clock.liveTimers, 0);
  });

  it('resumes at once, or after a delay if the user must be asked (F80)', async () => {
    for (const [progress, isAsked] of [
      [{ kind: 'following' }, false],
      [{ kind: 'unknown', why: 'interrupted' }, true],
    ] as const) {
      let begun = false;
      const { clock, run, stored } = await work(
        () => {
          begun = true;
          return Promise.resolve();
        },
        { ...entry, progress },
        true,
      );
      await settle();
      assert.equal(begun, !isAsked);
      if (isAsked) assert.equal(stored().lease?.window, 'this one');
      await clock.advance(1000);
      await run.done;
      assert.isTrue(begun);
    }
  });

  it('does not ask when another window claimed the entry last, or it cannot be read (F80)', async () => {
    for (const claim of [{ lease: { window: 'other', until: 1 } }, undefined]) {
      let begun = false;
      const unknown = { kind: 'unknown', why: 'interrupted' } as const;
      const { clock, storage, run, errors } = await work(
        () => Promise.resolve(void (begun = true)),
        { ...entry, progress: unknown },
        true,
      );
      await settle();
      if (claim === undefined) storage.files.set(entry.id, '{');
      else await storage.write({ ...entry, ...claim });
      const before = storage.files.get(entry.id);
      await clock.advance(1000);
      await run.done;
      assert.isFalse(begun);
      assert.equal(storage.files.get(entry.id), before);
      assert.isEmpty(errors);
    }
  });

  it('continues when its file cannot be read for a while', async () => {
    const { clock, storage, run, stored, errors } = await work(wait);
    await settle();
    storage.files.set(entry.id, '{');
    await clock.advance(5_000);
    assert.equal(stored().lease?.window, 'this one');
    run.stop();
    await run.done;
    assert.lengthOf(errors, 1, 'these steps do not handle the stop');
  });
});
