import { assert } from 'chai';
import { type ActionContext, type ActionSteps, startRun } from '../../../src/actions/actionRun';
import type { ActionProgress, CleanUpEntry } from '../../../src/actions/activityEntry';
import { createActivityLog } from '../../../src/actions/activityLog';
import { cleanupText } from '../../../src/api/cleanupBody';
import { delay } from '../../../src/api/clock';
import { fakeClock, settle } from '../fakeClock';
import { uuid } from '../inventory/treeText';
import { connection, createDisk, progressOf } from './windows';

const items = ['old-api'];
const entry: CleanUpEntry = {
  ...{ id: uuid(1), connection, at: 0, kind: 'cleanUp', serverId: uuid(2), serverName: 'fra' },
  ...{ items, idempotencyKey: uuid(3), body: cleanupText(items) },
  progress: { kind: 'following' },
};
const over: ActionProgress = { kind: 'over' };

/** Works on the entry in a window, and says what is on the disk of it. */
async function work(steps: ActionSteps<CleanUpEntry>, first = entry, isLeftOff = false) {
  const clock = fakeClock();
  const storage = createDisk();
  const mistakes: unknown[] = [];
  const end = new AbortController();
  const onStorageFailure = (error: unknown): unknown => mistakes.push(error);
  const log = createActivityLog({
    ...{ connection, storage, onStorageFailure },
    onDidChange: () => undefined,
  });
  await log.add(first);
  const run = startRun(first, steps, {
    // What runs here asks for nothing else.
    context: { clock, random: () => 0.5 } as unknown as ActionContext,
    ...{ window: 'this one', storage, log, isLeftOff, signal: end.signal },
    onMistake: (error) => mistakes.push(error),
  });
  const kept = (): Partial<CleanUpEntry> =>
    JSON.parse(storage.files.get(first.id) ?? '{}') as Partial<CleanUpEntry>;
  return { clock, storage, log, run, end, mistakes, kept };
}

const wait: ActionSteps<CleanUpEntry> = (_, { clock, stop }) => delay(clock, 3_600_000, stop);

describe('somebody working on an entry', () => {
  it('holds it by a lease that is renewed, and lets go of it at the end', async () => {
    const { clock, run, kept } = await work(async (tracked, { clock: time, stop }) => {
      await tracked.set({ ...tracked.entry, operationId: 'o' });
      await delay(time, 60_000, stop);
    });
    await settle();
    assert.deepEqual(kept().lease, { window: 'this one', until: clock.now() + 15_000 });
    const begin = clock.now();
    await clock.advance(4_999);
    assert.equal(kept().lease?.until, begin + 15_000);
    await clock.advance(1);
    assert.equal(kept().lease?.until, begin + 20_000);
    await clock.advance(30_000);
    assert.equal(kept().lease?.until, begin + 50_000);
    await clock.run(run.done);
    assert.notProperty(kept(), 'lease');
    assert.equal(clock.liveTimers, 0);
  });

  it('notes when it was over, once, and not before', async () => {
    const { clock, run, kept } = await work(async (tracked, { clock: time, stop }) => {
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, operationId: 'o' });
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, progress: over });
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, replayed: true });
    });
    const begin = clock.now();
    await clock.advance(1500);
    assert.notProperty(kept(), 'endedAt');
    await clock.run(run.done);
    assert.equal(kept().endedAt, begin + 2000);
    assert.isTrue(kept().replayed);
  });

  it('notes an end also of what had one without a time, and takes it back from what goes on', async () => {
    const unknown = {
      ...entry,
      progress: { kind: 'unknown', why: 'noAnswer' } as const,
    };
    const { clock, run, kept } = await work(async (tracked, { clock: time, stop }) => {
      await tracked.set({ ...tracked.entry, replayed: true });
      await delay(time, 1000, stop);
      await tracked.set({ ...tracked.entry, progress: { kind: 'sending' } });
      await delay(time, 1000, stop);
    }, unknown);
    const begin = clock.now();
    await clock.advance(500);
    assert.equal(kept().endedAt, begin);
    await clock.advance(1000);
    assert.notProperty(kept(), 'endedAt');
    await clock.run(run.done);
  });

  it('tells of a mistake, and not of the end of its connection', async () => {
    const broken = await work(() => Promise.reject(new Error('a mistake')));
    await broken.run.done;
    assert.deepEqual(broken.mistakes.map(String), ['Error: a mistake']);
    assert.notProperty(broken.kept(), 'lease');

    const left = await work(wait);
    await settle();
    left.end.abort();
    await left.run.done;
    assert.isEmpty(left.mistakes);
    assert.equal(progressOf(left.log.find(entry.id)), 'following', 'it is gone on with later');
    assert.equal(left.clock.liveTimers, 0);
  });

  it('stops for whoever does not want to wait, and then still says so', async () => {
    const { run, kept } = await work(async (tracked, context) => {
      await wait(tracked, context).catch(() => undefined);
      assert.isFalse(context.lifetime.aborted);
      await tracked.set({ ...tracked.entry, progress: { kind: 'left', why: 'stopped' } });
    });
    await settle();
    run.stop();
    await run.done;
    assert.deepEqual(kept().progress, { kind: 'left', why: 'stopped' });
  });

  it('ends where another window has taken it, and leaves it to that one (F80)', async () => {
    const { clock, storage, run, kept, mistakes } = await work(wait);
    await settle();
    const lease = { window: 'other', until: clock.now() + 18_000 };
    await storage.write({ ...entry, lease });
    await clock.advance(5_000);
    await run.done;
    assert.deepEqual(kept().lease, lease);
    assert.isEmpty(mistakes);
    assert.equal(clock.liveTimers, 0);
  });

  it('takes up what was left off: at once, or once nobody else wants to ask too (F80)', async () => {
    for (const [progress, isAsked] of [
      [{ kind: 'following' }, false],
      [{ kind: 'unknown', why: 'interrupted' }, true],
    ] as const) {
      let begun = false;
      const { clock, run, kept } = await work(
        () => {
          begun = true;
          return Promise.resolve();
        },
        { ...entry, progress },
        true,
      );
      await settle();
      assert.equal(begun, !isAsked);
      if (isAsked) assert.equal(kept().lease?.window, 'this one');
      await clock.advance(1000);
      await run.done;
      assert.isTrue(begun);
    }
  });

  it('asks nothing where another window was the last to claim it, or it cannot be read (F80)', async () => {
    for (const claim of [{ lease: { window: 'other', until: 1 } }, undefined]) {
      let begun = false;
      const unknown = { kind: 'unknown', why: 'interrupted' } as const;
      const { clock, storage, run, mistakes } = await work(
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
      assert.isEmpty(mistakes);
    }
  });

  it('goes on where its file cannot be read for a while', async () => {
    const { clock, storage, run, kept, mistakes } = await work(wait);
    await settle();
    storage.files.set(entry.id, '{');
    await clock.advance(5_000);
    assert.equal(kept().lease?.window, 'this one');
    run.stop();
    await run.done;
    assert.lengthOf(mistakes, 1, 'these steps do not take a stop');
  });
});
