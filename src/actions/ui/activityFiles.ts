import * as vscode from 'vscode';
import type { EntryStore } from '../activityStorage';
import { nodeFiles, ownerOnly } from '../../vscode/nodeFiles';

/** Two windows that replace a file at the same moment can make each other's attempt fail. */
const maxTries = 3;

/**
 * Keeps what was started in a file each, in the storage that all windows of this extension share: the
 * memento of the extension is one value, which two windows that write at the same time would lose
 * entries of.
 *
 * @param window what tells this window from all others: it writes drafts of its own.
 */
export function createActivityFiles(globalStorage: vscode.Uri, window: string): EntryStore {
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

  async function names(): Promise<string[]> {
    return files.readDirectory(folder).then(
      (found) => found.map(([name]) => name),
      () => [],
    );
  }

  async function replace(draft: vscode.Uri, file: vscode.Uri): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await files.rename(draft, file, { overwrite: true });
        return;
      } catch (error) {
        if (tries >= maxTries) throw error;
      }
    }
  }

  return {
    async list() {
      const kept = (await names()).filter((name) => name.endsWith('.json'));
      return Promise.all(kept.map((name) => read(vscode.Uri.joinPath(folder, name))));
    },
    read: (id) => read(fileOf(id)),
    async write(entry) {
      made ??= files.createDirectory(folder);
      try {
        await made;
        // Whole or not at all: a window may end at any moment, and others read and write meanwhile.
        const draft = vscode.Uri.joinPath(folder, `${entry.id}.${window}.draft`);
        const bytes = new TextEncoder().encode(JSON.stringify(entry));
        const own = nodeFiles(draft);
        if (own) await own.writeFile(draft.fsPath, bytes, { mode: ownerOnly });
        else await files.writeFile(draft, bytes);
        await replace(draft, fileOf(entry.id));
      } catch (error) {
        made = undefined;
        throw error;
      }
    },
    async remove(id) {
      // With drafts of windows that have ended while they wrote.
      const all = (await names()).filter((name) => name.startsWith(`${id}.`));
      for (const name of all) {
        await files.delete(vscode.Uri.joinPath(folder, name)).then(undefined, () => undefined);
      }
    },
  };
}
