import { assert } from 'chai';
import * as vscode from 'vscode';
import type { SavedTails } from '../../../src/logs/tail/savedTails';
import { TailFile, type WindowStorage } from '../../../src/logs/tail/ui/tailFile';
import { inWorkspace } from '../environment';

const position = { from: 'a', to: 'b', cursor: 'c', seen: ['e-1'] };

function tailsAt(cursor: string): SavedTails {
  const tail = { filter: {}, label: 'all', paused: false, ownChannel: false };
  return { connection: 'c', tails: [{ ...tail, position: { ...position, cursor } }] };
}

describe('The file of the tails of a window', () => {
  const base = inWorkspace('.tails-test');
  const stored = new Map<string, unknown>();
  const workspaceState: vscode.Memento = {
    keys: () => [...stored.keys()],
    get: <T>(key: string, fallback?: T) => (stored.has(key) ? (stored.get(key) as T) : fallback),
    update(key, value) {
      if (value === undefined) stored.delete(key);
      else stored.set(key, value);
      return Promise.resolve();
    },
  };
  const failures: unknown[] = [];
  const open = (folder: string | undefined): TailFile => {
    const storage: WindowStorage = {
      storageUri: folder === undefined ? undefined : vscode.Uri.joinPath(base, folder),
      globalStorageUri: vscode.Uri.joinPath(base, 'global'),
      workspaceState,
    };
    return new TailFile(storage, { error: (_what, error) => failures.push(error) });
  };
  beforeEach(() => stored.clear());
  afterEach(async () => {
    assert.isEmpty(failures.splice(0));
    await vscode.workspace.fs.delete(base, { recursive: true });
  });

  it('says if it could not be written', async () => {
    await vscode.workspace.fs.createDirectory(base);
    // A file where its folder should be.
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(base, 'one'), new Uint8Array());
    const file = open('one');
    await file.write(tailsAt('1'));
    assert.lengthOf(failures.splice(0), 1);
    assert.isUndefined(await file.read());
  });

  it('has at once what was written, for its next window', async () => {
    const file = open('one');
    assert.isUndefined(await file.read());
    await file.write(tailsAt('1'));
    await file.write(tailsAt('2'));
    assert.deepEqual(await open('one').read(), tailsAt('2'));
  });

  it('gets what an earlier version stored, once', async () => {
    stored.set('tails', tailsAt('1'));
    assert.deepEqual(await open('one').read(), tailsAt('1'));
    assert.isFalse(stored.has('tails'));
    await open('one').write(tailsAt('2'));
    assert.deepEqual(await open('one').read(), tailsAt('2'));
  });

  it('is not that of another window of the workspace, which only a window without one reads', async () => {
    await open('one').read();
    await open('one').write(tailsAt('1'));
    assert.deepEqual(await open('two').read(), tailsAt('1'));
    await open('two').write(tailsAt('2'));
    assert.deepEqual(await open('one').read(), tailsAt('1'));
    assert.deepEqual(await open('two').read(), tailsAt('2'));
  });

  it('is found again without a workspace', async () => {
    const file = open(undefined);
    await file.read();
    await file.write(tailsAt('1'));
    assert.deepEqual(await open(undefined).read(), tailsAt('1'));
  });
});
