import { assert } from 'chai';
import { Activity } from '../../../src/actions/activity';
import type { ActionProgress, CleanUpEntry } from '../../../src/actions/activityEntry';
import type { Runner, Runners } from '../../../src/actions/runner';
import { cleanupText } from '../../../src/api/cleanupBody';
import { delay } from '../../../src/base/clock';
import { covers } from '../covers';
import { fakeClient } from '../data/fakeClient';
import { fakeClock, settle } from '../fakeClock';
import { uuid } from '../trees/treeText';
import { cleanUpServer } from './cleanUpServer';
import {
  connection,
  createDisk,
  openedWindow,
  openWindow,
  progressOf,
  startedCleanUp,
} from './windows';

type Steps = Runner<'cleanUp'>['run'];

const items = ['old-api'];
const entry: CleanUpEntry = {
  ...{ id: uuid(1), connection, at: 0, kind: 'cleanUp', serverId: uuid(2), serverName: 'fra' },
  ...{ items, idempotencyKey: uuid(3), body: cleanupText(items) },
  progress: { kind: 'following' },
};
const over: ActionProgress = { kind: 'over' };
const interrupted: ActionProgress = { kind: 'unknown', why: 'interrupted' };
const second = 1000;

/** Resumes an entry on a disk with a runner of these steps. */
async function work(
  stepsOf: (clock: ReturnType<typeof fakeClock>) => Steps,
  stored = entry,
  isFocused = true,
) {
  const clock = fakeClock();
  const disk = createDisk();
  await disk.write(stored);
  const errors: unknown[] = [];
  const asked: CleanUpEntry[] = [];
  const cleanUp = { begin: () => assert.fail('it is resumed'), run: stepsOf(clock) };
  const activity = new Activity(
    disk,
    () => ({ cleanUp }) as unknown as Runners,
    (one) => new Promise(() => asked.push(one)),
    clock,
    () => 'this one',
  );
  activity.onDidFail((error) => errors.push(error));
  activity.setFocused(isFocused);
  await activity.open(connection, fakeClient({}));
  const read = (): Partial<CleanUpEntry> =>
    JSON.parse(disk.files.get(entry.id) ?? '{}') as Partial<CleanUpEntry>;
  return { clock, disk, activity, errors, asked, read, isHere: () => activity.isHere(entry.id) };
}

const wait =
  (clock: ReturnType<typeof fakeClock>): Steps =>
  async (one, { stop }) => {
    await delay(clock, 3_600_000, stop);
    return one;
  };

describe('the work on an entry', () => {
  it('writes a heartbeat every 5 s, and removes it at the end', async () => {
    const { clock, read, isHere } = await work((time) => async (one, { stop }) => {
      await delay(time, 60 * second, stop);
      return { ...one, progress: over };
    });
    await settle();
    const begin = clock.now();
    assert.deepEqual(read().heartbeat, { window: 'this one', at: begin });
    await clock.advance(4_999);
    assert.equal(read().heartbeat?.at, begin);
    await clock.advance(1);
    assert.equal(read().heartbeat?.at, begin + 5 * second);
    await clock.advance(30 * second);
    assert.equal(read().heartbeat?.at, begin + 35 * second);
    await clock.advance(30 * second);
    assert.isFalse(isHere());
    assert.notProperty(read(), 'heartbeat');
    assert.equal(clock.liveTimers, 0);
  });

  it('reports no change for a heartbeat', async () => {
    const { clock, activity } = await work(wait);
    await settle();
    let changes = 0;
    activity.onDidChange(() => changes++);
    await clock.advance(60 * second);
    assert.equal(changes, 0);
  });

  it('saves the time of the end once, when the entry ends', async () => {
    const { clock, read } = await work((time) => async (one, { stop }, report) => {
      await delay(time, second, stop);
      await report({ ...one, operationId: 'o' });
      await delay(time, second, stop);
      await report({ ...one, progress: over });
      await delay(time, second, stop);
      return { ...one, progress: over, replayed: true };
    });
    const begin = clock.now();
    await clock.advance(1.5 * second);
    assert.notProperty(read(), 'endedAt');
    await clock.advance(5 * second);
    assert.equal(read().endedAt, begin + 2 * second);
    assert.isTrue(read().replayed);
  });

  it('reports an unexpected error, but not the end of its connection', async () => {
    const broken = await work(() => () => Promise.reject(new Error('unexpected')));
    await settle();
    assert.deepEqual(broken.errors.map(String), ['Error: unexpected']);
    assert.notProperty(broken.read(), 'heartbeat');

    const left = await work(wait);
    await settle();
    await left.activity.close();
    assert.isEmpty(left.errors);
    assert.deepEqual(left.read().progress, { kind: 'following' }, 'it is resumed later');
    assert.notProperty(left.read(), 'heartbeat');
    assert.equal(left.clock.liveTimers, 0);
  });

  it('can still update the entry after it was stopped', async () => {
    const { activity, read } = await work((time) => async (one, { stop, lifetime }) => {
      await delay(time, 3_600_000, stop).catch(() => undefined);
      assert.isFalse(lifetime.aborted);
      return { ...one, progress: { kind: 'left', why: 'stopped' } };
    });
    await settle();
    activity.stop(entry.id);
    await settle();
    assert.deepEqual(read().progress, { kind: 'left', why: 'stopped' });
  });

  it(`ends when another window has taken the entry over ${covers('F80', 'unit')}`, async () => {
    const { clock, disk, read, isHere, errors } = await work(wait);
    await settle();
    const heartbeat = { window: 'other', at: clock.now() + 4 * second };
    await disk.write({ ...entry, heartbeat });
    await clock.advance(5 * second);
    assert.isFalse(isHere());
    assert.deepEqual(read().heartbeat, heartbeat);
    assert.isEmpty(errors);
  });

  it('continues when its file cannot be read for a while', async () => {
    const { clock, disk, read, isHere } = await work(wait);
    await settle();
    disk.files.set(entry.id, '{');
    await clock.advance(5 * second);
    assert.isTrue(isHere());
    assert.equal(read().heartbeat?.window, 'this one');
  });

  it(`is left to a window whose heartbeat is younger than 15 s, whichever clock is ahead ${covers('F80', 'unit')}`, async () => {
    for (const [age, isTaken] of [
      [0, false],
      [14_999, false],
      [-14_999, false],
      [15_000, true],
      [-15_000, true],
    ] as const) {
      const heartbeat = { window: 'other', at: fakeClock().now() - age };
      const { isHere } = await work(wait, { ...entry, heartbeat });
      assert.equal(isHere(), isTaken, `${age}`);
    }
    const own = { window: 'this one', at: fakeClock().now() };
    assert.isTrue((await work(wait, { ...entry, heartbeat: own })).isHere());
  });

  it('takes over 15 s after the last heartbeat of a window that crashed', async () => {
    const heartbeat = { window: 'other', at: fakeClock().now() };
    const { clock, isHere } = await work(wait, { ...entry, heartbeat });
    await clock.advance(14 * second);
    assert.isFalse(isHere());
    await clock.advance(6 * second);
    assert.isTrue(isHere());
  });

  it(`asks only in the window with the focus, once, and again after the next start ${covers('F80', 'unit')}`, async () => {
    const steps = (): Steps => (one) => Promise.resolve(one);
    const all = await work(steps, { ...entry, progress: { kind: 'sending' } }, false);
    const { clock, activity, asked } = all;
    await clock.advance(60 * second);
    assert.isEmpty(asked);
    assert.equal(progressOf(activity.find(entry.id)), 'sending', 'the other windows see it, too');
    activity.setFocused(true);
    await settle();
    assert.deepEqual(asked.map(progressOf), ['unknown interrupted']);
    activity.setFocused(false);
    activity.setFocused(true);
    await clock.advance(60 * second);
    assert.lengthOf(asked, 1);
    await activity.close();
    await activity.open(connection, fakeClient({}));
    await settle();
    assert.lengthOf(asked, 2);
  });

  it('asks a dismissed question again only after the next start', async () => {
    const clock = fakeClock();
    const disk = createDisk();
    const { client, sent } = cleanUpServer(['never']);
    const first = await openedWindow(clock, disk, client);
    await startedCleanUp(clock, first, ({ progress }) => progress.kind === 'sending');
    await first.activity.close();
    for (let starts = 0; starts < 2; starts++) {
      const window = openWindow(clock, disk, client);
      window.answer = undefined;
      await clock.run(window.open());
      await clock.advance(30 * second);
      window.activity.setFocused(true);
      await clock.advance(30 * second);
      assert.lengthOf(window.asked, 1);
      await window.activity.close();
    }
    assert.lengthOf(sent, 1);
  });

  it(`does not ask what another window asks, until that is closed or has crashed ${covers('F80', 'unit')}`, async () => {
    const steps = (): Steps => (one) => Promise.resolve(one);
    const heartbeat = { window: 'other', at: fakeClock().now() };
    const { clock, disk, asked } = await work(steps, {
      ...entry,
      progress: interrupted,
      heartbeat,
    });
    for (let beats = 0; beats < 10; beats++) {
      await clock.advance(5 * second);
      await disk.write({
        ...{ ...entry, progress: interrupted },
        heartbeat: { window: 'other', at: clock.now() },
      });
    }
    assert.isEmpty(asked);
    await clock.advance(20 * second);
    assert.lengthOf(asked, 1);
  });
});
