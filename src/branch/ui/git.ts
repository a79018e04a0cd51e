import * as vscode from 'vscode';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { ApiRepository, GitApi, GitExtension } from './gitApi';
import { type GitRepository, wrapRepository } from './gitRepository';

/** Git, as far as VS Code's own extension for it has opened repositories. */
export interface Git {
  /** That of the editor that was used last, else that of the first folder, else the first. */
  readonly current: GitRepository | undefined;
  /** Another repository is the current one, or something in one of them has changed. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

const extensionId = 'vscode.git';

/**
 * Uses the Git extension where it is there and switched on; without it there never is a repository.
 * In a browser and in folders that are not on a disk it is not there.
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

  /** Takes the API up where the extension is enabled, and lets go of it where it is not any more. */
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

  /** Another extension than expected is none: nothing of it may reach who asks for repositories. */
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
      // It starts by itself; this waits until it has.
      const exports = await vscode.extensions.getExtension<GitExtension>(extensionId)?.activate();
      if (exports === undefined || isDisposed) return;
      extension = exports;
      // It says that it is enabled a step before it gives its API.
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

  /** @throws where the extension is another than expected. */
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

  /** Works out which one is current, and says that something has changed. */
  const update: (event?: unknown) => void = guarded(() => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    // The output panel is an editor too, and belongs to no repository.
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
    // A folder that comes to be trusted brings it.
    vscode.extensions.onDidChange(() => void look()),
  );
  void look();

  return {
    get current() {
      return current;
    },
    onDidChange: changes.event,
    dispose() {
      isDisposed = true;
      disposables.dispose();
      enablement?.dispose();
      [...ofApi, ...repositories.values()].forEach((one) => void one.dispose());
    },
  };
}
