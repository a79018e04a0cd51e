import { assert } from 'chai';
import * as vscode from 'vscode';
import { openExportFile } from '../../../src/logs/explorer/ui/exportLogs';
import { isWebWorker, nodeFiles } from '../../../src/vscode/extensionHost';
import { JsonFiles } from '../../../src/vscode/jsonFiles';
import { inWorkspace } from '../environment';

describe('The file of an export', () => {
  const uri = inWorkspace('export file');
  afterEach(() => vscode.workspace.fs.delete(uri));

  const read = async (): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));

  it('contains everything that was written, in order, and nothing of its earlier content', async () => {
    await vscode.workspace.fs.writeFile(uri, new Uint8Array(100));
    const file = await openExportFile(uri);
    for (const piece of ['one\n', 'zwei €\n', '']) assert.isTrue(await file.write(piece));
    await file.end('three\n');
    assert.equal(await read(), 'one\nzwei €\nthree\n');
  });

  it('grows piece by piece on this machine; elsewhere it has a limit, with room for its end', async () => {
    const file = await openExportFile(uri, 5);
    assert.isTrue(await file.write('12345'));
    const isWhole = isWebWorker;
    assert.equal(await file.write('6'), !isWhole);
    if (!isWhole) assert.equal(await read(), '123456', 'it exists before the end');
    await file.end('!');
    assert.equal(await read(), isWhole ? '12345!' : '123456!');
  });

  const hasModes = !isWebWorker && process.platform !== 'win32';
  (hasModes ? it : it.skip)('can be read only by its owner, like the activity files', async () => {
    const files = nodeFiles(uri);
    if (files === undefined) throw new Error('It is no file of this machine.');
    await (await openExportFile(uri)).end('');
    const folder = vscode.Uri.joinPath(uri, '..', 'activity of a test');
    const store = new JsonFiles(folder);
    await store.write('one', {});
    const kept = vscode.Uri.joinPath(folder, 'one.json');
    try {
      for (const file of [uri, kept]) {
        assert.equal((await files.stat(file.fsPath)).mode & 0o777, 0o600, file.path);
      }
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });
});
