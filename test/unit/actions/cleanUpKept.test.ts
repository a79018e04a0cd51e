import { assert } from 'chai';
import type { ActivityEntry } from '../../../src/actions/activityEntry';
import type { ActivityStorage } from '../../../src/actions/activityStorage';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { ApiError } from '../../../src/api/errors';
import { fakeClock, type FakeClock, settle } from '../fakeClock';
import { httpError } from '../data/fakeClient';
import { accepted, cleanUpServer, over, running } from './cleanUpServer';
import {
  createDisk,
  type Disk,
  isOver,
  openedWindow,
  openWindow,
  startedCleanUp,
  until,
  type Window,
} from './windows';

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

  it('is removed when its end is saved, however long that takes', async () => {
    let finish = (): void => undefined;
    const slow: ActivityStorage = {
      ...disk,
      async write(entry) {
        if (isOver(entry)) await new Promise<void>((resolve) => (finish = resolve));
        await disk.write(entry);
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

  it('is one of at most 200', async () => {
    const window = await openOn(cleanUpServer([httpError(403, 'forbidden')]).client);
    for (let count = 0; count < 203; count++) {
      await start(window, ({ progress }) => progress.kind === 'refused');
      await clock.advance(1);
    }
    assert.lengthOf(window.activity.entries, 200);
    assert.lengthOf([...disk.files], 200);
  });

  it('stays beyond those while it is running, and no longer', async () => {
    let refuse: ((error: ApiError) => void) | undefined;
    const window = await openOn({
      cleanUpOrphans: () =>
        refuse
          ? Promise.reject(httpError(403, 'forbidden'))
          : new Promise((_, reject) => (refuse = reject)),
    });
    const first = await start(window, ({ progress }) => progress.kind === 'sending');
    for (let count = 0; count < 200; count++) {
      await clock.advance(1);
      await start(window, ({ progress }) => progress.kind === 'refused');
    }
    assert.exists(window.activity.find(first.id));
    assert.lengthOf([...disk.files], 201);
    refuse?.(httpError(403, 'forbidden'));
    await settle();
    assert.notExists(window.activity.find(first.id));
    assert.lengthOf([...disk.files], 200);
  });

  it('is not listed if its file is not valid', async () => {
    const window = await openOn(cleanUpServer(['never']).client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    const text = disk.files.get(id)!;
    await window.activity.close();
    disk.files.set(id, text.replace('old-api', 'new-api'));
    disk.files.set('x', '{"kind":');
    const next = await openOn(cleanUpServer([accepted]).client);
    assert.isEmpty(next.activity.entries, 'its body does not match its items');
  });
});
