import { assert } from 'chai';
import type { ActionProgress } from '../../../src/activity/activityEntry';
import type { PreviewReportingEntry } from '../../../src/actions/kinds/previewReporting';
import { ActivityLog } from '../../../src/activity/activityLog';
import type { ActivityStorage } from '../../../src/activity/activityStorage';
import { settle } from '../fakeClock';
import { uuid } from '../trees/treeText';
import { connection, createDisk, kinds, progressOf } from './windows';

const entry = (id: number, progress: ActionProgress['kind'] = 'sending'): PreviewReportingEntry =>
  ({
    ...{ id: uuid(id), connection, at: id, kind: 'previewReporting' },
    progress: { kind: progress },
  }) as PreviewReportingEntry;

/** A log on a disk whose held reads and writes wait for `release`. */
function logOn(disk = createDisk()) {
  const changes: string[] = [];
  const failures: unknown[] = [];
  let held: Promise<void> | undefined;
  let release = (): void => undefined;
  const storage: ActivityStorage = {
    ...disk,
    async readAll() {
      const all = await disk.readAll();
      await held;
      return all;
    },
    async write(id, one) {
      await held;
      await disk.write(id, one);
    },
  };
  const log = new ActivityLog(connection, storage, kinds);
  log.onDidChange(({ entry: now, previous }) =>
    changes.push(`${progressOf(previous)} > ${progressOf(now)}`),
  );
  log.onDidFail((error) => failures.push(error));
  return {
    log,
    disk,
    changes,
    failures,
    hold: () => void (held = new Promise((resolve) => (release = resolve))),
    release: () => {
      held = undefined;
      release();
    },
  };
}

describe('ActivityLog', () => {
  it('lists a new entry only after it was saved', async () => {
    const { log, disk, changes, hold, release } = logOn();
    hold();
    const adding = log.add(entry(1));
    await settle();
    assert.isEmpty(log.all);
    release();
    await adding;
    assert.deepEqual(changes, ['gone > sending']);
    disk.failing = 1;
    const error: unknown = await log.add(entry(2)).catch((one: unknown) => one);
    assert.instanceOf(error, Error);
    assert.deepEqual(
      log.all.map(({ id }) => id),
      [uuid(1)],
    );
  });

  it('lists a change at once, and writes one state at a time with the last one last', async () => {
    const { log, disk, changes, hold, release } = logOn();
    await log.add(entry(1));
    hold();
    const first = log.set(entry(1, 'following'));
    const second = log.set(entry(1, 'over'));
    const counted: PreviewReportingEntry = { ...entry(1, 'over'), attempted: 3 };
    const third = log.set(counted);
    assert.deepEqual(changes, [
      'gone > sending',
      'sending > following',
      'following > over',
      'over > over',
    ]);
    release();
    await Promise.all([first, second, third]);
    assert.deepEqual(disk.log, ['write sending', 'write following', 'write over']);
    assert.include(disk.files.get(uuid(1)), '"attempted":3');
  });

  it('reports a failed write, and writes the next state', async () => {
    const { log, disk, failures } = logOn();
    await log.add(entry(1));
    disk.failing = 1;
    await log.set(entry(1, 'following'));
    assert.lengthOf(failures, 1);
    assert.equal(progressOf(log.find(uuid(1))), 'following');
    await log.set(entry(1, 'over'));
    assert.include(disk.files.get(uuid(1)), 'over');
  });

  it('does not restore a removed entry by a pending write', async () => {
    const { log, disk, changes, hold, release } = logOn();
    await log.add(entry(1));
    hold();
    void log.set(entry(1, 'following'));
    void log.set(entry(1, 'over'));
    const removing = log.remove(uuid(1));
    release();
    await removing;
    await log.set(entry(1, 'over'));
    await log.merge(() => false);
    assert.isEmpty(log.all);
    assert.isEmpty([...disk.files]);
    assert.equal(changes.at(-1), 'over > gone');
    await log.remove(uuid(1));
    assert.equal(changes.at(-1), 'over > gone', 'reported only once');
    assert.lengthOf(changes, 4);
  });

  it('merges and reports only what other windows added, changed and removed', async () => {
    const { log, disk, changes } = logOn();
    await log.add(entry(1));
    await log.add(entry(2));
    await disk.keep(entry(2, 'over'));
    await disk.keep(entry(3));
    await disk.keep({ ...entry(4), connection: { ...connection, name: 'elsewhere' } });
    disk.files.set('x', 'no entry');
    disk.files.delete(uuid(1));
    changes.length = 0;
    await log.merge(() => false);
    assert.deepEqual(
      log.all.map(({ id }) => id),
      [uuid(3), uuid(2)],
    );
    assert.sameMembers(changes, ['sending > gone', 'sending > over', 'gone > sending']);
    changes.length = 0;
    await log.merge(() => false);
    assert.isEmpty(changes, 'nothing has changed');
  });

  it('does not merge entries that are in work, being written, or changed meanwhile', async () => {
    const { log, disk, hold, release } = logOn();
    for (const id of [1, 2, 3]) await log.add(entry(id));
    await disk.keep(entry(1, 'over'));
    disk.files.delete(uuid(2));
    hold();
    const looking = log.merge((id) => id === uuid(1));
    await settle();
    void log.set(entry(2, 'following'));
    void log.set(entry(3, 'following'));
    release();
    await looking;
    assert.equal(progressOf(log.find(uuid(1))), 'sending');
    assert.equal(progressOf(log.find(uuid(2))), 'following');
    assert.equal(progressOf(log.find(uuid(3))), 'following');
  });

  it('does not undo a change whose write has not ended', async () => {
    const disk = createDisk();
    let finish = (): void => undefined;
    const storage: ActivityStorage = {
      ...disk,
      write: (id, one) =>
        one.progress.kind === 'following'
          ? new Promise((resolve) => (finish = resolve))
          : disk.write(id, one),
    };
    const log = new ActivityLog(connection, storage, kinds);
    log.onDidFail((error) => assert.fail(String(error)));
    await log.add(entry(1));
    const written = log.set(entry(1, 'following'));
    await log.merge(() => false);
    assert.equal(progressOf(log.find(uuid(1))), 'following');
    finish();
    await written;
  });

  it('does not report a heartbeat, in either window', async () => {
    const { log, disk, changes } = logOn();
    const beating = (at: number) => ({ ...entry(1), heartbeat: { window: 'one', at } });
    await log.add(beating(1));
    await log.set(beating(2));
    assert.include(disk.files.get(uuid(1)), '"at":2');
    await disk.keep(beating(3));
    await log.merge(() => false);
    assert.equal(log.find(uuid(1))?.heartbeat?.at, 3);
    await log.set(entry(1));
    assert.lengthOf(changes, 1);
  });

  it('keeps 200 entries and removes the oldest ended ones', async () => {
    const { log, disk } = logOn();
    await log.add(entry(1));
    await log.add(entry(2, 'over'));
    for (let id = 3; id <= 201; id++) await log.add(entry(id, 'over'));
    assert.lengthOf(log.all, 201);
    assert.exists(log.find(uuid(1)), 'it has not ended');
    await log.set(entry(1, 'following'));
    assert.lengthOf(log.all, 201);
    await log.set(entry(1, 'over'));
    assert.lengthOf(log.all, 200);
    assert.notExists(log.find(uuid(1)));
    assert.isFalse(disk.files.has(uuid(1)));
    assert.exists(log.find(uuid(2)));
  });
});
