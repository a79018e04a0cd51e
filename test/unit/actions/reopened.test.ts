import { assert } from 'chai';
import type { ActivityStorage } from '../../../src/actions/activityStorage';
import { fakeClock, settle } from '../fakeClock';
import { fakeClient } from '../data/fakeClient';
import { accepted, cleanUpServer, over, running } from './cleanUpServer';
import {
  connection,
  createDisk,
  isOver,
  openedWindow,
  openWindow,
  startedCleanUp,
  until,
} from './windows';

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
    async write(entry) {
      if (self.isSlow) {
        self.isSlow = false;
        disk.files.delete(entry.id);
        await new Promise<void>((resolve) => (goOn = resolve));
      }
      return disk.write(entry);
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
      async write(entry) {
        await disk.write(entry);
        written?.();
        // The file exists before its writer is notified.
        for (let turns = 0; turns < 20; turns++) await Promise.resolve();
      },
      async list() {
        await isWritten;
        return disk.list();
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
