import { assert } from 'chai';
import { cleanUpKind } from '../../../src/actions/kinds/cleanUp';
import * as vscode from 'vscode';
import type { ActivityStorage } from '../../../src/activity/activityStorage';
import { JsonFiles } from '../../../src/vscode/jsonFiles';
import { systemClock } from '../../../src/vscode/systemClock';
import { cleanUpServer } from '../../unit/actions/cleanUpServer';
import { kinds, openWindow, request } from '../../unit/activity/windows';
import { covers } from '../../unit/covers';
import { inWorkspace } from '../environment';
import { until } from '../wait';

/**
 * On the disk of this machine.
 */
describe('The activity files of two windows', () => {
  const storage = inWorkspace('.activity-test');
  const folder = vscode.Uri.joinPath(storage, 'activity');
  let first: ActivityStorage;
  let second: ActivityStorage;
  beforeEach(() => {
    first = new JsonFiles(folder);
    second = new JsonFiles(folder);
  });
  afterEach(() => vscode.workspace.fs.delete(storage, { recursive: true }));

  /** The entry of a window that ended while it waited for an answer. */
  async function leftOff() {
    const window = openWindow(systemClock, first, cleanUpServer(['never']).client);
    await window.open();
    const id = await window.activity.start(cleanUpKind, request);
    await window.activity.close();
    const entry = kinds.read(await first.read(id));
    if (entry === undefined) throw new Error('It was not kept.');
    return entry;
  }

  it(`are written at the same time without an error, and stay complete ${covers('F80', 'editor')}`, async () => {
    const entry = await leftOff();
    for (let at = 0; at < 30; at++) {
      const beat = (window: string) => ({ ...entry, heartbeat: { window, at } });
      await Promise.all([
        first.write(entry.id, beat('one')),
        second.write(entry.id, beat('other')),
      ]);
      const kept = kinds.read(await first.read(entry.id));
      assert.equal(kept?.heartbeat?.at, at);
    }
    const names = await vscode.workspace.fs.readDirectory(folder);
    assert.deepEqual(
      names.map(([name]) => name),
      [`${entry.id}.json`],
    );
  });

  it('are there at any moment while they are replaced, since a window can end in between', async () => {
    const entry = await leftOff();
    const writing = new AbortController();
    const write = async (): Promise<void> => {
      for (let at = 0; at < 100; at++)
        await first.write(entry.id, { ...entry, heartbeat: { window: 'one', at } });
      writing.abort();
    };
    const written = write();
    while (!writing.signal.aborted) {
      const found = (await second.readAll()).map((value) => kinds.read(value)?.id);
      assert.deepEqual(found, [entry.id]);
    }
    await written;
  });

  it('are read from the draft if a window ended while it replaced one', async () => {
    const { id, ...entry } = await leftOff();
    const draft = vscode.Uri.joinPath(folder, `${id}.of-a-window.draft`);
    await vscode.workspace.fs.rename(vscode.Uri.joinPath(folder, `${id}.json`), draft);
    const [kept] = await first.readAll();
    assert.include(kinds.read(kept), { id, at: entry.at });
    await first.remove(id);
    assert.isEmpty(await vscode.workspace.fs.readDirectory(folder));
  });

  it('are not read from the draft of an entry that could not be saved, since its action did not start', async () => {
    const entry = await leftOff();
    const file = vscode.Uri.joinPath(folder, `${entry.id}.json`);
    await vscode.workspace.fs.delete(file);
    // No file can replace a folder.
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(file, 'full'));
    const failure: unknown = await first.write(entry.id, entry).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.instanceOf(failure, Error);
    assert.isEmpty((await second.readAll()).filter((value) => value !== undefined));
  });

  it(`lead to one question, in the window with the focus ${covers('F80', 'editor')}`, async () => {
    const { id } = await leftOff();
    const pair = [first, second].map((files) =>
      openWindow(systemClock, files, cleanUpServer(['never']).client),
    );
    pair[0]?.activity.setFocused(false);
    await Promise.all(pair.map((window) => window.open()));
    await until(
      'one of them has the entry',
      () =>
        pair[1]?.asked.length === 1 &&
        pair.filter(({ activity }) => activity.isHere(id)).length === 1,
    );
    assert.lengthOf(
      pair.flatMap(({ asked }) => asked),
      1,
    );
    assert.isEmpty(pair.flatMap(({ failures }) => failures));
    await Promise.all(pair.map(({ activity }) => activity.close()));
  });
});
