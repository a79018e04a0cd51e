import { assert } from 'chai';
import type { ActivityEntry } from '../../../src/actions/activityEntry';
import { ApiError } from '../../../src/api/errors';
import { fakeClock, type FakeClock, settle } from '../fakeClock';
import { fakeClient, httpError } from '../data/fakeClient';
import { uuid } from '../trees/treeText';
import { accepted, cleanUpServer, network, over, running } from './cleanUpServer';
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
      activity.start('cleanUp', request),
      activity.start('previewReporting', undefined),
      activity.start('sync', target),
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
    const window = await openedWindow(clock, disk, cleanUpServer(['never']).client);
    await startedCleanUp(clock, window, ({ progress }) => progress.kind === 'sending');
    await settle();
    const reported: unknown[] = [];
    window.activity.onDidChange((change) => reported.push(change));
    await window.activity.close();
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
      list() {
        looks++;
        return disk.list();
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

  it('stops reading when its connection is closed', async () => {
    const server = cleanUpServer([accepted], [running]);
    const one = await openedWindow(clock, disk, server.client);
    await startedCleanUp(clock, one, isFollowing);
    const other = await openedWindow(clock, disk, server.client);
    await other.activity.close();
    await one.activity.close();
    assert.equal(clock.liveTimers, 0);
  });

  it('does not send a sync that cannot be saved', async () => {
    const window = await openedWindow(clock, disk, {});
    disk.failing = 1;
    const error: unknown = await clock
      .run(window.activity.start('sync', target))
      .catch((one: unknown) => one);
    assert.include(String(error), 'The disk is full.');
    assert.isEmpty(window.activity.entries);
  });

  it('does not watch an operation without an id', async () => {
    for (const id of [undefined, '']) {
      const operation = { state: 'queued', ...(id === undefined ? {} : { id }) };
      const server = cleanUpServer([{ operation }]);
      const window = await openedWindow(clock, disk, server.client);
      const entry = await startedCleanUp(clock, window, isLeft);
      assert.equal(progressOf(entry), 'left noPolling');
      assert.equal(server.polls, 0);
      assert.equal(entry.operationId, id);
      assert.notProperty(entry, 'replayed');
    }
    const server = cleanUpServer([{}]);
    const window = await openedWindow(clock, disk, server.client);
    assert.deepEqual((await startedCleanUp(clock, window, isLeft)).operation, {});
  });
});
