import { assert } from 'chai';
import type { EntryStore } from '../../../../src/workspace/operations/entryStore';
import { fakeClock, settle } from '../../fakeClock';
import { fakeClient } from '../fakeClient';
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

describe('a clean-up whose connection is opened twice in a row', () => {
  it('is gone on with, although its file is away while the first one claims it', async () => {
    const clock = fakeClock();
    const disk = createDisk();
    const window = await openedWindow(clock, disk, cleanUpServer([accepted], [running]).client);
    const { id } = await startedCleanUp(
      clock,
      window,
      ({ progress }) => progress.kind === 'following',
    );
    await window.activity.close();

    // As VS Code renames over a file: what is there is removed first.
    let isWritten: (() => void) | undefined;
    const store: EntryStore = {
      ...disk,
      async write(entry) {
        if (isWritten === undefined) {
          disk.files.delete(entry.id);
          await new Promise<void>((resolve) => (isWritten = resolve));
        }
        return disk.write(entry);
      },
    };
    const next = openWindow(clock, store, cleanUpServer([]).client);
    const first = next.open();
    await settle();
    assert.isFalse(disk.files.has(id), 'it is being claimed');
    const again = next.activity.open(connection, fakeClient(cleanUpServer([], [over]).client));
    await settle();
    isWritten?.();
    await clock.run(Promise.all([first, again]));
    await clock.run(until(next, id, isOver));
  });
});
