import { assert } from 'chai';
import { syncKind } from '../../../src/actions/kinds/sync';
import { previewReportingKind } from '../../../src/actions/kinds/previewReporting';
import { cleanUpKind } from '../../../src/actions/kinds/cleanUp';
import type { ActivityEntry, ActionProgress } from '../../../src/activity/activityEntry';
import type { CleanUpEntry } from '../../../src/actions/kinds/cleanUp';
import { ApiError } from '../../../src/api/errors';
import { Activity } from '../../../src/activity/activity';
import { EntryKinds } from '../../../src/activity/entryKind';
import type { Runner } from '../../../src/activity/runner';
import { Polling } from '../../../src/data/polling';
import { Store } from '../../../src/data/store';
import { usualStyle } from '../../../src/logs/record/recordStyle';
import { cleanupText } from '../../../src/api/validateRequest';
import { delay } from '../../../src/base/clock';
import type { ActivityStorage } from '../../../src/activity/activityStorage';
import type { ControlPlaneClient } from '../../../src/api/client';
import { fakeClock, type FakeClock, settle } from '../fakeClock';
import { fakeClient, httpError } from '../data/fakeClient';
import { read, uuid } from '../trees/treeText';
import { covers } from '../covers';
import { accepted, cleanUpServer, network, over, running } from '../actions/cleanUpServer';
import {
  connection,
  createDisk,
  type Disk,
  isOver,
  openedWindow,
  openWindow,
  progressOf,
  request,
  startedCleanUp,
  until,
  type Window,
} from './windows';

const target = {
  ...{ sourceId: uuid(1), sourceName: 'shop' },
  ...{ environmentId: uuid(2), environmentName: 'production' },
};
const isFollowing = ({ progress }: ActivityEntry): boolean => progress.kind === 'following';
const isLeft = ({ progress }: ActivityEntry): boolean => progress.kind === 'left';
const isUnknown = ({ progress }: ActivityEntry): boolean => progress.kind === 'unknown';

describe('Activity', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  it('is empty and starts nothing without a connection', async () => {
    const { activity } = openWindow(clock, disk, {});
    assert.isEmpty(activity.entries);
    assert.equal(activity.running, 0);
    assert.isFalse(activity.isHere('x'));
    for (const starting of [
      activity.start(cleanUpKind, request),
      activity.start(previewReportingKind, undefined),
      activity.start(syncKind, target),
    ]) {
      const error: unknown = await starting.catch((one: unknown) => one);
      assert.include(String(error), 'There is no connection.');
    }
    activity.stop('x');
    activity.watchAgain('x');
    activity.sendAgain('x');
    await Promise.all([activity.remove('x'), activity.refresh(), activity.close()]);
    assert.isEmpty(disk.log);
  });

  it('continues when the same connection is opened again, and restarts with another client', async () => {
    const server = cleanUpServer([accepted], [running]);
    const window = await openedWindow(clock, disk, server.client);
    const { id } = await startedCleanUp(clock, window, isFollowing);
    let isAll = 0;
    const end = window.activity.onDidChange((change) => {
      if (change === undefined) isAll++;
    });
    await clock.run(window.activity.open({ ...connection }, window.client));
    assert.equal(isAll, 0);
    assert.isTrue(window.activity.isHere(id));
    await clock.run(window.activity.open(connection, fakeClient(server.client)));
    assert.equal(isAll, 2, 'the old entries are removed, then the new ones added');
    assert.isTrue(window.activity.isHere(id));
    for (const other of [{ name: 'other' }, { baseUrl: 'https://other.example' }]) {
      await clock.run(window.activity.open({ ...connection, ...other }, window.client));
      assert.isEmpty(window.activity.entries);
    }
    end.dispose();
    await window.activity.close();
    assert.equal(isAll, 6, 'no calls after the end of the subscription');
  });

  it('does not report changes of a closed connection', async () => {
    const { client } = cleanUpServer([accepted], [running]);
    const other = await openedWindow(clock, disk, client);
    let read = (): void => undefined;
    const slow: ActivityStorage = {
      ...disk,
      async readAll() {
        await new Promise<void>((resolve) => (read = resolve));
        return disk.readAll();
      },
    };
    const window = openWindow(clock, slow, client);
    const opening = window.open();
    const reported: unknown[] = [];
    window.activity.onDidChange((change) => reported.push(change));
    await startedCleanUp(clock, other, isFollowing);
    const closing = window.activity.close();
    read();
    await clock.run(Promise.all([opening, closing]));
    assert.deepEqual(reported, [undefined]);
  });

  it('polls a server without an operation endpoint again when the user selects Watch Again', async () => {
    const server = cleanUpServer([accepted], [httpError(501, 'none'), running, over]);
    const window = await openedWindow(clock, disk, server.client);
    const { id } = await startedCleanUp(clock, window, isLeft);
    assert.equal(progressOf(window.activity.find(id)), 'left noPolling');
    assert.isNumber(window.activity.find(id)?.endedAt);
    await settle();
    window.activity.watchAgain(id);
    await clock.run(until(window, id, isFollowing));
    assert.isUndefined(window.activity.find(id)?.endedAt);
    await clock.run(until(window, id, isOver));
    assert.equal(server.polls, 3);
    await settle();
    window.activity.watchAgain(id);
    await clock.advance(60_000);
    assert.equal(server.polls, 3, 'there is nothing to watch');
  });

  it('resumes entries that ended without a key when there is a key', async () => {
    const signedOut = new ApiError({ kind: 'signedOut', code: 'signedOut', message: '' });
    const server = cleanUpServer([accepted], [signedOut, running, over]);
    const window = await openedWindow(clock, disk, server.client);
    const { id } = await startedCleanUp(clock, window, isLeft);
    assert.equal(progressOf(window.activity.find(id)), 'left failed');
    await window.activity.close();
    const next = await openedWindow(clock, disk, server.client);
    await clock.run(until(next, id, isOver));
  });

  it('sends again only a clean-up of unknown outcome, with its key', async () => {
    const failures = [network(), network(), network()];
    const server = cleanUpServer([...failures, accepted], [over]);
    const window = await openedWindow(clock, disk, server.client);
    window.answer = 'leave';
    const { id } = await startedCleanUp(clock, window, isUnknown);
    await clock.advance(10_000);
    assert.isFalse(window.activity.isHere(id));
    window.activity.sendAgain(id);
    await clock.run(until(window, id, isOver));
    assert.lengthOf(server.sent, 4);
    assert.lengthOf(new Set(server.sent.map((one) => JSON.stringify(one))), 1);
    await settle();
    window.activity.sendAgain(id);
    await clock.advance(10_000);
    assert.lengthOf(server.sent, 4, 'it has ended');
  });

  it('does not touch entries that another window works on', async () => {
    const server = cleanUpServer([accepted], [running]);
    const one = await openedWindow(clock, disk, server.client);
    const { id } = await startedCleanUp(clock, one, isFollowing);
    const other = await openedWindow(clock, disk, server.client);
    assert.exists(other.activity.find(id));
    other.activity.watchAgain(id);
    other.activity.stop(id);
    await other.activity.remove(id);
    await clock.advance(20_000);
    assert.isTrue(one.activity.isHere(id));
    assert.isFalse(other.activity.isHere(id));
    assert.exists(other.activity.find(id));
  });

  it('reads entries of other windows every 5 s while these are running', async () => {
    const server = cleanUpServer([accepted], [running, running, over]);
    const one = await openedWindow(clock, disk, server.client);
    let looks = 0;
    const counted: Disk = {
      ...disk,
      readAll() {
        looks++;
        return disk.readAll();
      },
    };
    await startedCleanUp(clock, one, isFollowing);
    const other = await openedWindow(clock, counted, server.client);
    assert.equal(looks, 1);
    await clock.advance(4_999);
    assert.equal(looks, 1);
    await clock.advance(1);
    assert.equal(looks, 2);
    await clock.advance(60_000);
    assert.equal(other.activity.running, 0);
    assert.isAtMost(looks, 5);
    assert.equal(clock.liveTimers, 0);
    await one.activity.close();
    await other.activity.close();
  });

  it('stops reading when its connection is closed, and reads again when that is opened again', async () => {
    const server = cleanUpServer([accepted], [running, running, running, over]);
    const one = await openedWindow(clock, disk, server.client);
    const { id } = await startedCleanUp(clock, one, isFollowing);
    const other = await openedWindow(clock, disk, server.client);
    await other.activity.close();
    await clock.run(other.open());
    await clock.run(until(one, id, isOver));
    await clock.run(until(other, id, isOver));
    await other.activity.close();
    await one.activity.close();
    assert.equal(clock.liveTimers, 0);
  });

  it('does not send a sync that cannot be saved', async () => {
    const window = await openedWindow(clock, disk, {});
    disk.failing = 1;
    const error: unknown = await clock
      .run(window.activity.start(syncKind, target))
      .catch((one: unknown) => one);
    assert.include(String(error), 'The disk is full.');
    assert.isEmpty(window.activity.entries);
  });

  it('does not watch an operation without an id', async () => {
    for (const json of [{ state: 'queued' }, { state: 'queued', id: '' }]) {
      const server = cleanUpServer([{ operation: read('Operation', json) }]);
      const window = await openedWindow(clock, disk, server.client);
      const entry = await startedCleanUp(clock, window, isLeft);
      assert.equal(progressOf(entry), 'left noPolling');
      assert.equal(server.polls, 0);
      assert.isUndefined(entry.operationId);
      assert.notProperty(entry, 'replayed');
    }
    const server = cleanUpServer([{}]);
    const window = await openedWindow(clock, disk, server.client);
    assert.deepEqual((await startedCleanUp(clock, window, isLeft)).operation, {});
  });
});

type Steps = Runner<CleanUpEntry>['run'];

const items = ['old-api'];
const entry: CleanUpEntry = {
  ...{ id: uuid(1), connection, at: 0, kind: 'cleanUp', serverId: uuid(2), serverName: 'fra' },
  ...{ items, idempotencyKey: uuid(3), body: cleanupText(items) },
  progress: { kind: 'following' },
};
const ended: ActionProgress = { kind: 'over' };
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
  await disk.keep(stored);
  const errors: unknown[] = [];
  const asked: ActivityEntry[] = [];
  const run = stepsOf(clock);
  const store = new Store(clock);
  const polling = new Polling(store, clock, () => 0);
  const activity = new Activity(
    new EntryKinds([{ ...cleanUpKind, runner: () => ({ run }) }]),
    disk,
    { store, polling, historyOf: () => undefined, logStyle: usualStyle, clock, random: () => 0.5 },
    (one) => new Promise(() => asked.push(one)),
    () => 'this one',
  );
  activity.onDidFail((error) => errors.push(error));
  activity.setFocused(isFocused);
  await activity.open(connection, fakeClient({ serverNow: () => clock.now() }));
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
      return { ...one, progress: ended };
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
      await report({ ...one, progress: ended });
      await delay(time, second, stop);
      return { ...one, progress: ended, replayed: true };
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
    await disk.keep({ ...entry, heartbeat });
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
    await activity.open(connection, fakeClient({ serverNow: () => clock.now() }));
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
      await disk.keep({
        ...{ ...entry, progress: interrupted },
        heartbeat: { window: 'other', at: clock.now() },
      });
    }
    assert.isEmpty(asked);
    await clock.advance(20 * second);
    assert.lengthOf(asked, 1);
  });
});

describe('a stored clean-up', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  const openOn = (given: Partial<ControlPlaneClient>) => openedWindow(clock, disk, given);
  const start = (window: Window, wanted: (entry: ActivityEntry) => boolean) =>
    startedCleanUp(clock, window, wanted);

  it('can be removed, but not while it is running', async () => {
    const window = await openOn(cleanUpServer([accepted], [running, over]).client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    await window.activity.remove(id);
    assert.lengthOf(window.activity.entries, 1);
    await clock.run(until(window, id, isOver));
    await settle();
    await window.activity.remove(id);
    assert.isEmpty(window.activity.entries);
    assert.isEmpty([...disk.files]);
  });

  it('can be removed while its question is open, which is then obsolete', async () => {
    const window = await openOn(cleanUpServer([network(), network(), network()]).client);
    const { id } = await start(window, isUnknown);
    await settle();
    assert.lengthOf(window.asked, 1);
    await clock.run(window.activity.remove(id));
    assert.isEmpty(window.activity.entries);
    assert.isEmpty([...disk.files]);
  });

  it('is removed when its end is saved, however long that takes', async () => {
    let finish = (): void => undefined;
    const slow: ActivityStorage = {
      ...disk,
      async write(id, entry) {
        if (isOver(entry)) await new Promise<void>((resolve) => (finish = resolve));
        await disk.write(id, entry);
      },
    };
    const { client } = cleanUpServer([accepted], [over]);
    const window = openWindow(clock, slow, client);
    await clock.run(window.open());
    await start(window, isOver);
    const removed = window.activity.remove(window.activity.entries[0]!.id);
    await settle();
    finish();
    await settle();
    finish();
    await removed;
    assert.isEmpty(window.activity.entries);
    assert.isEmpty([...disk.files]);
  });
});
