import * as v from 'valibot';
import * as vscode from 'vscode';
import { readStored, StoredValue } from '../../../base/storedValue';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { randomId } from '../../../vscode/extensionHost';
import { JsonFiles } from '../../../vscode/jsonFiles';
import { readSavedTails, type SavedTails } from '../savedTails';

/** Where a window keeps what its next start restores. */
export type WindowStorage = Pick<
  vscode.ExtensionContext,
  'storageUri' | 'globalStorageUri' | 'workspaceState'
>;

/**
 * The tails of a window in a file of its own, which the extension host writes itself: a memento goes through the
 * window, which is gone when the last position is known. VS Code gives each open window of a workspace another folder.
 */
export class TailFile {
  private readonly folder: vscode.Uri;
  private readonly files: JsonFiles;
  /** The folder of the last window with this memento. */
  private readonly last: StoredValue<string>;
  /** Where an earlier version kept them. */
  private readonly before: StoredValue<SavedTails>;

  constructor(
    { storageUri, globalStorageUri, workspaceState }: WindowStorage,
    private readonly diagnostics: Pick<Diagnostics, 'error'>,
  ) {
    this.last = new StoredValue(workspaceState, 'tailsFolder', (one) =>
      readStored(v.string(), one),
    );
    this.before = new StoredValue(workspaceState, 'tails', readSavedTails);
    // Without a workspace a window has no folder, but a memento.
    this.folder =
      storageUri ?? this.lastFolder ?? vscode.Uri.joinPath(globalStorageUri, 'windows', randomId());
    this.files = new JsonFiles(this.folder);
  }

  async read(): Promise<SavedTails | undefined> {
    try {
      await this.moveBefore();
      return (await this.readIn(this.files)) ?? (await this.readLast());
    } catch (error) {
      this.diagnostics.error('The position in the logs could not be read', error);
      return undefined;
    }
  }

  async write(state: SavedTails): Promise<void> {
    try {
      await this.files.write('tails', state);
    } catch (error) {
      this.diagnostics.error('The position in the logs could not be saved', error);
    }
  }

  private async moveBefore(): Promise<void> {
    const { value } = this.before;
    if (value === undefined) return;
    await this.files.write('tails', value);
    await this.before.set(undefined);
  }

  /** Those of another window, which may still hold its folder because it did not end properly. */
  private async readLast(): Promise<SavedTails | undefined> {
    const { lastFolder, folder } = this;
    if (lastFolder?.toString() === folder.toString()) return undefined;
    await this.last.set(folder.toString());
    return lastFolder && this.readIn(new JsonFiles(lastFolder));
  }

  private get lastFolder(): vscode.Uri | undefined {
    const { value } = this.last;
    return value === undefined ? undefined : vscode.Uri.parse(value);
  }

  private async readIn(files: JsonFiles): Promise<SavedTails | undefined> {
    return readSavedTails(await files.readOrDraft('tails'));
  }
}
