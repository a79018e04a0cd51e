import * as vscode from 'vscode';
import { nodeFiles, ownerOnly, randomId } from './extensionHost';

/** How often to try to replace a file. It can fail if another window replaces or reads it at the same time. */
const maxTries = 3;

/**
 * Files with JSON in a folder of this extension, which only the owner can read. A file is there as a whole at any
 * moment, whichever window writes it or ends while it does. On this computer, the extension host writes them itself,
 * which it can do to its end: what goes through the window is lost once the window is left.
 */
export class JsonFiles {
  private readonly files = vscode.workspace.fs;
  /** For the names of the drafts of this window. Made with the first: to begin with random numbers takes long. */
  private window: string | undefined;
  private made: PromiseLike<unknown> | undefined;

  constructor(private readonly folder: vscode.Uri) {}

  /** The content of every file, as `readOrDraft` finds it. Never rejects. */
  async readAll(): Promise<readonly unknown[]> {
    const names = new Set((await this.names()).map((file) => file.split('.', 1)[0] ?? ''));
    return Promise.all([...names].map((name) => this.readOrDraft(name)));
  }

  /** The content of `<name>.json`; undefined if it is missing or not valid. Never rejects. */
  read(name: string): Promise<unknown> {
    return this.readFile(`${name}.json`);
  }

  /** The same, or what a window was about to replace it with, if that ended after VS Code had removed the file. */
  async readOrDraft(name: string): Promise<unknown> {
    const content = await this.read(name);
    if (content !== undefined) return content;
    const draft = (await this.names()).find(
      (one) => one.startsWith(`${name}.`) && one.endsWith('.draft'),
    );
    // It may have become the file meanwhile.
    return draft === undefined ? this.read(name) : this.readFile(draft);
  }

  /**
   * Writes a draft, `<name>.<window>.draft`, and renames it to `<name>.json`.
   *
   * @throws if that is not possible; then the file is as before.
   */
  async write(name: string, value: unknown): Promise<void> {
    const draftName = `${name}.${(this.window ??= randomId())}.draft`;
    const draft = this.uri(draftName);
    const own = nodeFiles(draft);
    this.made ??= own
      ? own.mkdir(this.folder.fsPath, { recursive: true })
      : this.files.createDirectory(this.folder);
    try {
      await this.made;
      const file = this.uri(`${name}.json`);
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      if (own) {
        await own.writeFile(draft.fsPath, bytes, { mode: ownerOnly });
        await replace(() => own.rename(draft.fsPath, file.fsPath));
      } else {
        await this.files.writeFile(draft, bytes);
        // VS Code removes the file first, so it is missing for a moment.
        await replace(() => this.files.rename(draft, file, { overwrite: true }));
      }
    } catch (error) {
      this.made = undefined;
      // Otherwise it could be taken for one of a window that ended.
      await this.removeFile(draftName);
      throw error;
    }
  }

  /** Removes `<name>.json`, and drafts of windows that ended while they wrote it. Never rejects. */
  async remove(name: string): Promise<void> {
    const all = (await this.names()).filter((one) => one.startsWith(`${name}.`));
    for (const one of all) await this.removeFile(one);
  }

  /** The names of all files and drafts; none if there is no folder. */
  private async names(): Promise<string[]> {
    return this.files.readDirectory(this.folder).then(
      (found) => found.map(([name]) => name),
      () => [],
    );
  }

  private async readFile(file: string): Promise<unknown> {
    try {
      const bytes = await this.files.readFile(this.uri(file));
      return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    } catch {
      return undefined;
    }
  }

  private async removeFile(file: string): Promise<void> {
    await this.files.delete(this.uri(file)).then(undefined, () => undefined);
  }

  private uri(file: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, file);
  }
}

async function replace(rename: () => PromiseLike<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await rename();
      return;
    } catch (error) {
      if (tries >= maxTries) throw error;
    }
  }
}
