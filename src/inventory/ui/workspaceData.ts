import * as vscode from 'vscode';
import { delay } from '../../api/clock';
import type { Permission } from '../../api/types';
import type { Session } from '../../connection/ui/session';
import { createTimeFormat } from '../../text/timeFormat';
import { systemClock } from '../../vscode/clock';
import { counted } from '../../vscode/numbers';
import { onDidChangeSettings, refreshSeconds } from '../../vscode/settings';
import { createPolling, type Polling } from '../polling';
import { isMissingPermission, permissionOf } from '../resourceKeys';
import { createStore, type Store, type StoreChange } from '../store';
import type { TreeContext } from '../tree/nodes';
import { createTargetSettings, type TargetSettings } from './targets';

/** A question does not wait longer for the names of what it is about, in milliseconds. */
const longestLook = 5000;

/** Looks up what a source deploys, if nobody has yet. Never rejects: ids stand for what is not known. */
export async function lookUpEnvironments(
  { store }: Pick<WorkspaceData, 'store'>,
  sourceId: string,
  signal: AbortSignal,
): Promise<void> {
  if (store.resources(sourceId).value !== undefined) return;
  const look = store.refresh({ kind: 'resources', sourceId });
  await Promise.race([look, delay(systemClock, longestLook, signal).catch(() => undefined)]);
}

/** What is known of the workspace of the session's connection, and how it is kept fresh. */
export interface WorkspaceData {
  readonly session: Session;
  readonly known: TargetSettings;
  readonly store: Store;
  readonly polling: Polling;
  /**
   * What actions need and the key was found to lack: the last answer that said something of it was a
   * refusal. Forgotten with the connection and the key.
   */
  readonly lacking: Set<Permission>;
  /** What trees are built from. */
  readonly context: TreeContext;
  /** The search of the repositories; empty for all. */
  repositorySearch: string;
  /** Something that a row could show has changed: the store, the lists, the search, the session. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

export function createWorkspaceData(session: Session): WorkspaceData {
  const known = createTargetSettings();
  const store = createStore({ clock: systemClock, random: Math.random });
  const polling = createPolling({ store, clock: systemClock, intervalSeconds: refreshSeconds });
  const changes = new vscode.EventEmitter<void>();
  const lacking = new Set<Permission>();
  let repositorySearch = '';

  const context: TreeContext = {
    store,
    t: vscode.l10n.t,
    counted,
    moments: createTimeFormat({
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
  const adopt = (): void => {
    lacking.clear();
    store.reset(session.signedIn?.client);
  };

  /** Of what can be looked at, only this is what an action needs too. */
  function learn(change: StoreChange): void {
    if (change.kind !== 'topic' || change.topic.kind !== 'integrations') return;
    const { error, value } = store.integrations();
    if (isMissingPermission(error)) lacking.add(permissionOf(change.topic));
    else if (error === undefined && value !== undefined) lacking.delete(permissionOf(change.topic));
  }

  const unsubscribe = store.onDidChange((change) => {
    learn(change);
    changes.fire();
  });
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
    lacking,
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
