import * as vscode from 'vscode';
import { type Disposable, Emitter, type Event } from '../../base/event';
import type { Diagnostics } from '../../vscode/diagnostics';
import { type ApiRepository, type GitApi, type GitExtension, GitRepository } from './gitRepository';

const gitExtensionId = 'vscode.git';

/**
 * The repositories of VS Code's Git extension, if it is installed and enabled. Without it, as in a browser,
 * there is never a repository.
 */
export class Git implements Disposable {
  private readonly changes = new Emitter<void>();
  private readonly opened = new Map<string, OpenRepository>();
  private api: GitApi | undefined;
  private ofApi: vscode.Disposable[] = [];
  private extension: GitExtension | undefined;
  private enablement: vscode.Disposable | undefined;
  private isLooking = false;
  private isDisposed = false;
  private lastEditor: vscode.Uri | undefined;
  private chosen: GitRepository | undefined;
  private readonly disposables: vscode.Disposable;
  /** Fires when the current repository or the content of one changes. */
  readonly onDidChange: Event<void> = this.changes.event;

  constructor(private readonly diagnostics: Diagnostics) {
    const update = (): void => this.update();
    this.disposables = vscode.Disposable.from(
      this.changes,
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.workspace.onDidChangeWorkspaceFolders(update),
      // The extension may appear when a folder becomes trusted.
      vscode.extensions.onDidChange(() => void this.look()),
    );
    void this.look();
  }

  /** The repository of the last active editor, otherwise of the first folder, otherwise the first. */
  get current(): GitRepository | undefined {
    return this.chosen;
  }

  /** All that are open. */
  get repositories(): readonly GitRepository[] {
    return [...this.opened.values()].map(({ repository }) => repository);
  }

  /** Whether the Git extension is missing or turned off, so that there is no repository. */
  get isOff(): boolean {
    return this.extension === undefined
      ? vscode.extensions.getExtension(gitExtensionId) === undefined
      : !this.extension.enabled;
  }

  /** The repository with a file; undefined if none is known. */
  repositoryOf(file: vscode.Uri): GitRepository | undefined {
    try {
      return this.opened.size === 0 ? undefined : this.find(file);
    } catch {
      return undefined;
    }
  }

  /**
   * The repository with a root; undefined if it is not open.
   *
   * @param root a URI as text.
   */
  readerOf(root: string): GitRepository | undefined {
    return this.opened.get(root)?.repository;
  }

  dispose(): void {
    this.isDisposed = true;
    this.disposables.dispose();
    this.enablement?.dispose();
    this.release();
  }

  private async look(): Promise<void> {
    if (this.extension !== undefined || this.isLooking) return;
    this.isLooking = true;
    try {
      // Waits until it is active.
      const exports = await vscode.extensions
        .getExtension<GitExtension>(gitExtensionId)
        ?.activate();
      if (exports === undefined || this.isDisposed) return;
      this.extension = exports;
      // The event fires just before the API is available.
      this.enablement = exports.onDidChangeEnablement(() =>
        queueMicrotask(() => this.guard(() => this.adopt())),
      );
      this.adopt();
    } catch (error) {
      this.report(error);
    } finally {
      this.isLooking = false;
    }
  }

  /** Uses the API if the extension is enabled, and releases it if not. */
  private adopt(): void {
    this.release();
    if (this.extension?.enabled === true) {
      const api = this.extension.getAPI(1);
      this.api = api;
      this.ofApi = [
        api.onDidOpenRepository((one) => this.guard(() => this.open(api, one))),
        api.onDidCloseRepository((one) => this.guard(() => this.close(one))),
      ];
      for (const one of api.repositories) this.open(api, one);
    }
    this.update();
  }

  private release(): void {
    for (const one of this.ofApi) one.dispose();
    for (const { subscription } of this.opened.values()) subscription.dispose();
    this.ofApi = [];
    this.opened.clear();
  }

  private open(api: GitApi, one: ApiRepository): void {
    const key = one.rootUri.toString();
    this.opened.get(key)?.subscription.dispose();
    const repository = new GitRepository(api, one);
    const subscription = repository.onDidChange(() => this.changes.fire());
    this.opened.set(key, { repository, subscription });
    this.update();
  }

  private close({ rootUri }: ApiRepository): void {
    const key = rootUri.toString();
    this.opened.get(key)?.subscription.dispose();
    if (this.opened.delete(key)) this.update();
  }

  /** Reports errors of an unexpected version of the Git extension instead of throwing them. */
  private guard(step: () => void): void {
    try {
      if (!this.isDisposed) step();
    } catch (error) {
      this.report(error);
    }
  }

  private report(error: unknown): void {
    this.diagnostics.error('The Git extension cannot be used.', error);
  }

  /** Chooses the current repository and fires the event. */
  private update(): void {
    this.guard(() => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      // The Output panel is an editor too, but belongs to no repository.
      if (uri !== undefined && this.opened.size > 0 && this.find(uri) !== undefined) {
        this.lastEditor = uri;
      }
      this.chosen = this.opened.size === 0 ? undefined : this.choose();
      this.changes.fire();
    });
  }

  private choose(): GitRepository | undefined {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    for (const uri of this.lastEditor === undefined ? folders : [this.lastEditor, ...folders]) {
      const found = this.find(uri);
      if (found) return found;
    }
    return this.repositories[0];
  }

  /** @throws if the extension is another version than expected. */
  private find(uri: vscode.Uri): GitRepository | undefined {
    const root = this.api?.getRepository(uri)?.rootUri;
    return root && this.opened.get(root.toString())?.repository;
  }
}

interface OpenRepository {
  readonly repository: GitRepository;
  readonly subscription: vscode.Disposable;
}
