import * as vscode from 'vscode';
import type { Diagnostics } from '../../vscode/diagnostics';
import {
  type ApiRepository,
  type GitApi,
  type GitExtension,
  type GitRepository,
  wrapRepository,
} from './gitRepository';

/** The repositories of VS Code's Git extension. */
export interface Git {
  /** The repository of the last active editor, otherwise of the first folder, otherwise the first. */
  readonly current: GitRepository | undefined;
  /** All that are open. */
  readonly repositories: readonly GitRepository[];
  /** The repository with a file; undefined if none is known. */
  repositoryOf(file: vscode.Uri): GitRepository | undefined;
  /** The repository with a root; undefined if it is not open. @param root a URI as text. */
  readerOf(root: string): GitRepository | undefined;
  /** Whether the Git extension is missing or turned off, so that there is no repository. */
  readonly isOff: boolean;
  /** Fires when the current repository or the content of one changes. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

const extensionId = 'vscode.git';

/**
 * Uses the Git extension if it is installed and enabled. Without it, as in a browser, there is never a
 * repository.
 */
export function createGit(diagnostics: Diagnostics): Git {
  const changes = new vscode.EventEmitter<void>();
  const repositories = new Map<string, GitRepository>();
  let api: GitApi | undefined;
  let ofApi: vscode.Disposable[] = [];
  let extension: GitExtension | undefined;
  let enablement: vscode.Disposable | undefined;
  let isDisposed = false;
  let lastEditor: vscode.Uri | undefined;
  let current: GitRepository | undefined;

  function open(repository: ApiRepository): void {
    if (api === undefined) return;
    const key = repository.rootUri.toString();
    repositories.get(key)?.dispose();
    repositories.set(
      key,
      wrapRepository(api, repository, () => changes.fire()),
    );
    update();
  }

  function close({ rootUri }: ApiRepository): void {
    const key = rootUri.toString();
    repositories.get(key)?.dispose();
    if (repositories.delete(key)) update();
  }

  /** Uses the API if the extension is enabled, and releases it if not. */
  function adopt(): void {
    [...ofApi, ...repositories.values()].forEach((one) => void one.dispose());
    ofApi = [];
    repositories.clear();
    if (extension?.enabled === true) {
      api = extension.getAPI(1);
      ofApi = [api.onDidOpenRepository(guarded(open)), api.onDidCloseRepository(guarded(close))];
      api.repositories.forEach(open);
    }
    update();
  }

  /** Reports errors of an unexpected version of the Git extension instead of throwing them. */
  function guarded<Value>(step: (value: Value) => void): (value: Value) => void {
    return (value) => {
      try {
        if (!isDisposed) step(value);
      } catch (error) {
        diagnostics.error('The Git extension cannot be used.', error);
      }
    };
  }

  let isLooking = false;
  async function look(): Promise<void> {
    if (extension !== undefined || isLooking) return;
    isLooking = true;
    try {
      // Waits until it is active.
      const exports = await vscode.extensions.getExtension<GitExtension>(extensionId)?.activate();
      if (exports === undefined || isDisposed) return;
      extension = exports;
      // The event fires just before the API is available.
      enablement = exports.onDidChangeEnablement(() =>
        queueMicrotask(() => guarded(adopt)(undefined)),
      );
      adopt();
    } catch (error) {
      diagnostics.error('The Git extension cannot be used.', error);
    } finally {
      isLooking = false;
    }
  }

  /** @throws if the extension is another version than expected. */
  function repositoryOf(uri: vscode.Uri): GitRepository | undefined {
    const root = api?.getRepository(uri)?.rootUri;
    return root && repositories.get(root.toString());
  }

  function choose(): GitRepository | undefined {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    for (const uri of lastEditor === undefined ? folders : [lastEditor, ...folders]) {
      const found = repositoryOf(uri);
      if (found) return found;
    }
    return repositories.values().next().value;
  }

  /** Chooses the current repository and fires the event. */
  const update: (event?: unknown) => void = guarded(() => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    // The Output panel is an editor too, but belongs to no repository.
    if (uri !== undefined && repositories.size > 0 && repositoryOf(uri) !== undefined) {
      lastEditor = uri;
    }
    current = repositories.size === 0 ? undefined : choose();
    changes.fire();
  });

  const disposables = vscode.Disposable.from(
    changes,
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    // The extension may appear when a folder becomes trusted.
    vscode.extensions.onDidChange(() => void look()),
  );
  void look();

  return {
    get current() {
      return current;
    },
    get repositories() {
      return [...repositories.values()];
    },
    get isOff() {
      return extension === undefined
        ? vscode.extensions.getExtension(extensionId) === undefined
        : !extension.enabled;
    },
    repositoryOf(file) {
      try {
        return repositories.size === 0 ? undefined : repositoryOf(file);
      } catch {
        return undefined;
      }
    },
    readerOf: (root) => repositories.get(root),
    onDidChange: changes.event,
    dispose() {
      isDisposed = true;
      disposables.dispose();
      enablement?.dispose();
      [...ofApi, ...repositories.values()].forEach((one) => void one.dispose());
    },
  };
}
