import { assert } from 'chai';
import { cleanUpKind } from '../../../src/actions/kinds/cleanUp';
import type { ActivityEntry } from '../../../src/activity/activityEntry';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { ActivityStorage } from '../../../src/activity/activityStorage';
import { covers } from '../covers';
import { fakeClock, type FakeClock, settle } from '../fakeClock';
import { fakeClient } from '../data/fakeClient';
import { accepted, cleanUpServer, over, running } from '../actions/cleanUpServer';
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
import { uuid } from '../trees/treeText';

const isUnknown = ({ progress }: ActivityEntry): boolean => progress.kind === 'unknown';

describe('a clean-up in several windows', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  const openOn = (given: Partial<ControlPlaneClient>) => openedWindow(clock, disk, given);
  const start = (window: Window, wanted: (entry: ActivityEntry) => boolean) =>
    startedCleanUp(clock, window, wanted);

  it(`continues in a new window if it was accepted ${covers('F44', 'unit')}`, async () => {
    const first = cleanUpServer([accepted], [running]);
    const window = await openOn(first.client);
    const entry = await start(window, ({ progress }) => progress.kind === 'following');
    const second = cleanUpServer([accepted], [over]);
    const next = openWindow(clock, disk, second.client);
    await window.activity.close();
    await clock.run(next.open());
    await clock.run(until(next, entry.id, isOver));
    assert.isEmpty(second.sent);
    assert.isEmpty(next.asked);
  });

  it(`asks before it is sent again, with the same key, if its window closed meanwhile ${covers('F44', 'unit')}`, async () => {
    const first = cleanUpServer(['never']);
    const window = await openOn(first.client);
    const entry = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    assert.equal(progressOf(window.activity.find(entry.id)), 'gone');

    const second = cleanUpServer([{ ...accepted, replayed: true }], [over]);
    const next = openWindow(clock, disk, second.client);
    await clock.run(next.open());
    await clock.run(until(next, entry.id, isUnknown));
    await clock.advance(600_000);
    assert.isEmpty(second.sent, 'the question is still open');
    await next.activity.close();

    const third = openWindow(clock, disk, second.client);
    third.answer = 'send';
    await clock.run(third.open());
    await clock.run(until(third, entry.id, isOver));
    assert.deepEqual(second.sent, first.sent);
    assert.deepEqual(second.sent[0]?.parameters['Idempotency-Key'], entry.idempotencyKey);
  });

  it('stays unknown and is not asked about again after Don’t Send', async () => {
    const first = cleanUpServer(['never']);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    for (const expected of [1, 0]) {
      const next = openWindow(clock, disk, first.client);
      next.answer = 'leave';
      await clock.run(next.open());
      await clock.advance(60_000);
      assert.lengthOf(next.asked, expected);
      assert.equal(progressOf(next.activity.find(id)), 'unknown noAnswer');
      await next.activity.close();
    }
    assert.lengthOf(first.sent, 1);
  });

  it('is sent and watched by one of two windows', async () => {
    const all = cleanUpServer([accepted], [running, running, running, over]);
    const one = await openOn(all.client);
    const other = await openOn(all.client);
    const id = await clock.run(one.activity.start(cleanUpKind, request));
    await clock.run(until(one, id, ({ progress }) => progress.kind === 'following'));
    await clock.run(other.activity.refresh());
    assert.isFalse(other.activity.isHere(id));
    assert.equal(other.activity.running, 1, 'both count it');
    await clock.run(until(one, id, isOver));
    await clock.run(until(other, id, isOver));
    assert.lengthOf(all.sent, 1);
    assert.equal(all.polls, 4);
    assert.isEmpty(other.asked);
  });

  it('is resumed by one of two windows that open at the same time', async () => {
    const first = cleanUpServer(['never']);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    const second = cleanUpServer([accepted], [over]);
    const pair = [openWindow(clock, disk, second.client), openWindow(clock, disk, second.client)];
    pair.forEach((next) => (next.answer = 'send'));
    pair[0]!.activity.setFocused(false);
    await clock.run(Promise.all(pair.map((next) => next.open())));
    await Promise.all(pair.map((next) => clock.run(until(next, id, isOver))));
    assert.lengthOf(second.sent, 1);
    assert.lengthOf(
      pair.flatMap(({ asked }) => asked),
      1,
    );
  });

  it(`is asked about in the one of many windows that has the focus ${covers('F80', 'unit')}`, async () => {
    const first = cleanUpServer(['never']);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    const all = Array.from({ length: 5 }, () => openWindow(clock, disk, first.client));
    all.forEach((next, index) => next.activity.setFocused(index === 2));
    await clock.run(Promise.all(all.map((next) => next.open())));
    await clock.advance(60_000);
    const asking = (): number[] => all.flatMap(({ asked }, index) => asked.map(() => index));
    assert.deepEqual(asking(), [2]);
    // While the question is open, it stays in that window.
    all[2]!.activity.setFocused(false);
    all[4]!.activity.setFocused(true);
    await clock.advance(60_000);
    assert.deepEqual(asking(), [2]);
    await all[2]!.activity.close();
    await clock.advance(60_000);
    assert.deepEqual(asking(), [2, 4]);
    assert.deepEqual(
      all.map(({ activity }) => activity.isHere(id)),
      [false, false, false, false, true],
    );
  });

  it(`is asked about although the claim cannot be written, and can still be sent again ${covers('F80', 'unit')}`, async () => {
    const first = cleanUpServer(['never']);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    const next = openWindow(clock, disk, first.client);
    disk.failing = 1;
    await clock.run(next.open());
    await clock.advance(60_000);
    assert.lengthOf(next.asked, 1);
    assert.lengthOf(next.failures, 1);
    assert.equal(progressOf(next.activity.find(id)), 'unknown interrupted');
    next.activity.sendAgain(id);
    await settle();
    assert.lengthOf(first.sent, 2);
  });

  it(`is watched by one window soon after two windows opened at the same time ${covers('F80', 'unit')}`, async () => {
    const first = cleanUpServer([accepted], [running]);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    await window.activity.close();
    const second = cleanUpServer([], [running]);
    const pair = [openWindow(clock, disk, second.client), openWindow(clock, disk, second.client)];
    await clock.run(Promise.all(pair.map((next) => next.open())));
    await clock.advance(120_000);
    assert.lengthOf(
      pair.filter(({ activity }) => activity.isHere(id)),
      1,
    );
    const before = second.polls;
    await clock.advance(60_000);
    assert.isAtMost(second.polls - before, 5);
  });

  it(`goes with its connection if that is forgotten, whatever its path was ${covers('F79', 'unit')}`, async () => {
    const window = await openOn(cleanUpServer([accepted], [running]).client);
    const entry = await start(window, ({ progress }) => progress.kind === 'following');
    await window.activity.close();
    const { name, baseUrl } = connection;
    for (const [id, own] of [
      [uuid(802), { name, baseUrl: `${baseUrl}/team` }],
      [uuid(803), { name: 'other', baseUrl }],
      [uuid(804), { name, baseUrl: 'https://elsewhere.example' }],
    ] as const) {
      disk.files.set(id, JSON.stringify({ ...entry, id, connection: own }));
    }
    await window.activity.forget(`${baseUrl} ${name}`);
    assert.sameMembers([...disk.files.keys()], [uuid(803), uuid(804)]);
  });

  it('stays with its connection and is resumed when that is opened again', async () => {
    const all = cleanUpServer([accepted], [running, over]);
    const window = await openOn(all.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    const elsewhere = { name: 'elsewhere', baseUrl: 'https://elsewhere.example' };
    await clock.run(
      window.activity.open(elsewhere, cleanUpServer([]).client as ControlPlaneClient),
    );
    assert.isEmpty(window.activity.entries);
    await clock.advance(60_000);
    assert.equal(all.polls, 0, 'the other connection is not polled');
    await clock.run(window.activity.open(connection, window.client));
    await clock.run(until(window, id, isOver));
  });

  it('is not started if its connection closes while it is being saved', async () => {
    const all = cleanUpServer([accepted]);
    const window = await openOn(all.client);
    const starting = window.activity.start(cleanUpKind, request).then(
      () => 'started',
      () => 'aborted',
    );
    await window.activity.close();
    assert.equal(await starting, 'aborted');
    await clock.advance(60_000);
    assert.isEmpty(all.sent);
    assert.isEmpty([...disk.files]);
  });
});

/** Writes like VS Code when it renames over a file: first removes the file, then takes a while. */
function slowDisk() {
  const disk = createDisk();
  let goOn: (() => void) | undefined;
  const self = {
    disk,
    /** Holds the next write while there is no file. */
    isSlow: false,
    release: () => goOn?.(),
  };
  const store: ActivityStorage = {
    ...disk,
    async write(id, entry) {
      if (self.isSlow) {
        self.isSlow = false;
        disk.files.delete(id);
        await new Promise<void>((resolve) => (goOn = resolve));
      }
      return disk.write(id, entry);
    },
  };
  return Object.assign(self, { store });
}

const isFollowing = ({ progress }: { readonly progress: { readonly kind: string } }): boolean =>
  progress.kind === 'following';

describe('a clean-up whose connection is opened twice', () => {
  it('is resumed although its file is missing while the first session claims it', async () => {
    const clock = fakeClock();
    const slow = slowDisk();
    const left = await openedWindow(clock, slow.store, cleanUpServer([accepted], [running]).client);
    const { id } = await startedCleanUp(clock, left, isFollowing);
    await left.activity.close();

    slow.isSlow = true;
    const next = openWindow(clock, slow.store, cleanUpServer([]).client);
    const first = next.open();
    await settle();
    assert.isFalse(slow.disk.files.has(id), 'it is being claimed');
    const again = next.activity.open(connection, fakeClient(cleanUpServer([], [over]).client));
    await settle();
    slow.release();
    await clock.run(Promise.all([first, again]));
    await clock.run(until(next, id, isOver));
  });

  it('is resumed after another connection although its file is missing during the switch', async () => {
    const clock = fakeClock();
    const slow = slowDisk();
    const server = cleanUpServer([accepted], [running]);
    const window = await openedWindow(clock, slow.store, server.client);
    const { id } = await startedCleanUp(clock, window, isFollowing);

    slow.isSlow = true;
    const other = window.activity.open({ ...connection, name: 'another' }, fakeClient({}));
    await settle();
    assert.isFalse(slow.disk.files.has(id), 'its connection is being closed');
    const again = window.activity.open(connection, fakeClient(cleanUpServer([], [over]).client));
    await settle();
    slow.release();
    await clock.run(Promise.all([other, again]));
    await clock.run(until(window, id, isOver));
  });
});

describe('a clean-up that starts while its connection is being opened', () => {
  it('is sent once and not resumed', async () => {
    const clock = fakeClock();
    const disk = createDisk();
    let written: (() => void) | undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const storage: ActivityStorage = {
      ...disk,
      async write(id, entry) {
        await disk.write(id, entry);
        written?.();
        // The file exists before its writer is notified.
        for (let turns = 0; turns < 20; turns++) await Promise.resolve();
      },
      async readAll() {
        await isWritten;
        return disk.readAll();
      },
    };
    const window = openWindow(clock, storage, cleanUpServer([accepted], [over]).client);
    const opened = window.open();
    const { id } = await startedCleanUp(clock, window, isOver);
    await clock.run(opened);
    assert.isEmpty(window.asked);
    assert.isDefined(window.activity.find(id));
  });
});
