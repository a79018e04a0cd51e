import * as vscode from 'vscode';
import type { TreeContext } from '../workspace/nodes';
import { createMoments } from '../workspace/moments';
import { createPolling, type Polling } from '../workspace/polling';
import { createStore, type Store } from '../workspace/store';
import { systemClock } from './clock';
import { createKnownSettings, type KnownSettings } from './knownThings';
import type { Session } from './session';
import { onDidChangeSettings, refreshSeconds } from './settings';

/** What is known of the workspace of the session's connection, and how it is kept fresh. */
export interface WorkspaceData {
  readonly session: Session;
  readonly known: KnownSettings;
  readonly store: Store;
  readonly polling: Polling;
  /** What trees are built from. */
  readonly context: TreeContext;
  /** The search of the repositories; empty for all. */
  repositorySearch: string;
  /** Something that a row could show has changed: the store, the lists, the search, the session. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

export function createWorkspaceData(session: Session): WorkspaceData {
  const known = createKnownSettings();
  const store = createStore({ clock: systemClock, random: Math.random });
  const polling = createPolling({ store, clock: systemClock, intervalSeconds: refreshSeconds });
  const changes = new vscode.EventEmitter<void>();
  let repositorySearch = '';

  const context: TreeContext = {
    store,
    t: vscode.l10n.t,
    moments: createMoments({
      formats: () => store.formats,
      now: () => systemClock.now(),
      locale: vscode.env.language,
    }),
    now: () => systemClock.now(),
    sources: known.sources,
    servers: known.servers,
    repositorySearch: () => repositorySearch,
  };

  /** Another connection, another key or none: what the old one saw is dropped. */
  const adopt = (): void =>
    store.reset(session.state.kind === 'signedIn' ? session.client : undefined);

  const unsubscribe = store.onDidChange(() => changes.fire());
  polling.setFocused(vscode.window.state.focused);
  const disposables = vscode.Disposable.from(
    known,
    changes,
    known.onDidChange(() => changes.fire()),
    // The store says so when it is empty, which the views hear.
    session.onDidChange(adopt),
    vscode.window.onDidChangeWindowState(({ focused }) => polling.setFocused(focused)),
    // Turns the timers to the new interval.
    onDidChangeSettings('refresh', () => polling.setFocused(vscode.window.state.focused)),
  );
  void session.ready.then(() => {
    if (!store.isOpen) adopt();
  });

  return {
    session,
    known,
    store,
    polling,
    context,
    get repositorySearch() {
      return repositorySearch;
    },
    set repositorySearch(search) {
      repositorySearch = search;
      changes.fire();
    },
    onDidChange: changes.event,
    dispose() {
      polling.dispose();
      unsubscribe();
      store.reset(undefined);
      disposables.dispose();
    },
  };
}
