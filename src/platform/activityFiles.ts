import * as vscode from 'vscode';
import type { EntryStore } from '../workspace/operations/entryStore';
import { nodeFiles, ownerOnly } from './nodeFiles';

/**
 * Keeps what was started in a file each, in the storage that all windows of this extension share: the
 * memento of the extension is one value, which two windows that write at the same time would lose
 * entries of.
 */
export function createActivityFiles(globalStorage: vscode.Uri): EntryStore {
  const folder = vscode.Uri.joinPath(globalStorage, 'activity');
  const fileOf = (id: string): vscode.Uri => vscode.Uri.joinPath(folder, `${id}.json`);
  const files = vscode.workspace.fs;
  let made: PromiseLike<void> | undefined;

  async function read(file: vscode.Uri): Promise<unknown> {
    try {
      return JSON.parse(new TextDecoder().decode(await files.readFile(file))) as unknown;
    } catch {
      return undefined;
    }
  }

  return {
    async list() {
      const names = await files.readDirectory(folder).then(
        (found) => found.map(([name]) => name).filter((name) => name.endsWith('.json')),
        () => [],
      );
      return Promise.all(names.map((name) => read(vscode.Uri.joinPath(folder, name))));
    },
    read: (id) => read(fileOf(id)),
    async write(entry) {
      made ??= files.createDirectory(folder);
      try {
        await made;
        // Whole or not at all: a window may end at any moment, and others read meanwhile.
        const draft = vscode.Uri.joinPath(folder, `${entry.id}.draft`);
        const bytes = new TextEncoder().encode(JSON.stringify(entry));
        const own = nodeFiles(draft);
        if (own) await own.writeFile(draft.fsPath, bytes, { mode: ownerOnly });
        else await files.writeFile(draft, bytes);
        await files.rename(draft, fileOf(entry.id), { overwrite: true });
      } catch (error) {
        made = undefined;
        throw error;
      }
    },
    async remove(id) {
      await files.delete(fileOf(id)).then(undefined, () => undefined);
    },
  };
}
