import * as vscode from 'vscode';
import { atMost } from '../../base/clock';
import type { Permission } from '../../api/types';
import type { Session } from '../../connection/ui/session';
import { createTimeFormat } from '../../base/timeFormat';
import { systemClock } from '../../vscode/clock';
import { counted } from '../../vscode/numbers';
import { apiStates, logTimeZone, onDidChangeSettings, refreshSeconds } from '../../vscode/settings';
import { createPolling, type Polling } from '../polling';
import { isRefusal, permissionOf } from '../cacheKeys';
import { setOwnMeanings } from '../states';
import { createStore, type Store, type StoreChange } from '../store';
import type { DataContext } from '../dataContext';
import { createTargetSettings, type TargetSettings } from './targetSettings';

/** How long a question waits for names, in milliseconds. */
const longestWait = 5000;

/** Loads the resources of a source if they are not loaded. Never rejects: ids replace missing names. */
export async function lookUpEnvironments(
  { store }: Pick<ConnectionData, 'store'>,
  sourceId: string,
  signal: AbortSignal,
): Promise<void> {
  if (store.resources(sourceId).value !== undefined) return;
  const loading = store.refresh({ kind: 'resources', sourceId }, 'person');
  await atMost(longestWait, loading, systemClock, signal).catch(() => undefined);
}

/** The data of the session's connection. */
export interface ConnectionData {
  readonly session: Session;
  readonly targets: TargetSettings;
  readonly store: Store;
  readonly polling: Polling;
  /**
   * The permissions for actions that the API key was found to lack: the last request that needs them was
   * refused. Cleared with the connection and the key.
   */
  readonly lacking: Set<Permission>;
  /** The data and texts that trees are built from. */
  readonly context: DataContext;
  /** The search of the repositories; empty for all. */
  repositorySearch: string;
  /** Fires when the store, the lists or the repository search change. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

export function createConnectionData(session: Session): ConnectionData {
  const targets = createTargetSettings();
  const store = createStore({ clock: systemClock });
  const polling = createPolling({ store, clock: systemClock, intervalSeconds: refreshSeconds });
  const changes = new vscode.EventEmitter<void>();
  const lacking = new Set<Permission>();
  let repositorySearch = '';

  const context: DataContext = {
    store,
    t: vscode.l10n.t,
    counted,
    timeFormat: createTimeFormat({
      formats: () => store.formats,
      timeZone: () => logTimeZone({ timeZone: session.timeZone ?? store.formats.timeZone }),
      now: () => systemClock.now(),
      locale: vscode.env.language,
    }),
    now: () => systemClock.now(),
    sources: targets.sources,
    servers: targets.servers,
    repositorySearch: () => repositorySearch,
  };

  /** Drops the data of the connection before. */
  const adopt = (): void => {
    lacking.clear();
    store.reset(session.signedIn?.client);
  };

  /** `integration.manage` is the only permission that both a view and an action need. */
  function learn(change: StoreChange): void {
    if (change.kind !== 'entry' || change.key.kind !== 'integrations') return;
    const { error, value } = store.integrations();
    if (isRefusal(error)) lacking.add(permissionOf(change.key));
    else if (error === undefined && value !== undefined) lacking.delete(permissionOf(change.key));
  }

  const subscription = store.onDidChange((change) => {
    learn(change);
    changes.fire();
  });
  const readStates = (): void => {
    setOwnMeanings(apiStates());
    changes.fire();
  };
  readStates();
  polling.setFocused(vscode.window.state.focused);
  const disposables = vscode.Disposable.from(
    targets,
    changes,
    targets.onDidChange(() => changes.fire()),
    // The store notifies the views.
    session.onDidChange(adopt),
    vscode.window.onDidChangeWindowState(({ focused }) => polling.setFocused(focused)),
    onDidChangeSettings('api.states', readStates),
    // Restarts the timers with the new interval.
    onDidChangeSettings('refresh', () => polling.setFocused(vscode.window.state.focused)),
  );
  void session.ready.then(() => {
    if (!store.isOpen) adopt();
  });

  return {
    session,
    targets,
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
      subscription.dispose();
      store.reset(undefined);
      disposables.dispose();
    },
  };
}
