import * as vscode from 'vscode';
import * as v from 'valibot';
import { requiresConnection } from '../../api/describedCalls';
import type { Permission } from '../../api/types';
import { atMost } from '../../base/clock';
import { readStored, type Storage } from '../../base/storedValue';
import { TimeFormat } from '../../base/timeFormat';
import { StoredPerConnection } from '../../connection/perConnection';
import type { Session, SignedInConnection } from '../../connection/ui/session';
import { systemClock } from '../../vscode/systemClock';
import { counted } from '../../vscode/numbers';
import {
  apiFiringStates,
  apiStates,
  logTimeZone,
  onDidChangeSettings,
  refreshSeconds,
} from '../../vscode/settings';
import type { CheckedOut, DataChange, DataContext } from '../labels';
import { listings } from '../listings';
import { Polling } from '../polling';
import { setOwnFiringStates, setOwnMeanings } from '../states';
import { isRefusal, Store, type CacheKey } from '../store';
import { listedTargets, type Target, withListed } from '../targets';
import { type TargetKind, TargetSettings } from './targetSettings';

/** How long a question waits for names, in milliseconds. */
const longestWaitForData = 5000;

/**
 * Loads the resources and environments of a source if they are not loaded. Never rejects: ids replace missing names.
 */
export async function lookUpEnvironments(
  { store, session }: Pick<ConnectionData, 'store' | 'session'>,
  sourceId: string,
  signal: AbortSignal,
): Promise<void> {
  const load = async (): Promise<void> => {
    await session.signedIn?.whenDescribed();
    const keys = (['resources', 'environments'] as const)
      .map((kind) => ({ kind, id: sourceId }))
      .filter((key) => store.entry(key).value === undefined);
    await Promise.all(keys.map((key) => store.refresh(key, 'person')));
  };
  await lookUp(load(), signal);
}

/** Loads what the control plane lists of sources or servers if it is not loaded. Never rejects. */
export async function lookUpTargets(
  data: ConnectionData,
  kind: TargetKind,
  { signal, whenDescribed }: SignedInConnection,
): Promise<void> {
  const load = async (): Promise<void> => {
    await whenDescribed();
    const keys = data.keyOfList(kind).filter((key) => data.store.entry(key).value === undefined);
    await data.store.refreshAll(keys);
  };
  await lookUp(load(), signal);
}

/** Waits a while for what a question needs, as the status bar says. Never rejects. */
export async function lookUp(loading: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  const waiting = atMost(longestWaitForData, loading, systemClock, signal).catch(() => undefined);
  await vscode.window.withProgress(
    { location, title: vscode.l10n.t('Looking up names…') },
    () => waiting,
  );
}

/** The listings of the control plane. */
const listKinds = { sources: 'sourceList', servers: 'serverList' } as const;

/** The list of sources or servers, and what it was made of. */
interface KnownList {
  readonly own: readonly Target[];
  readonly value: unknown;
  readonly all: readonly Target[];
}

/** The data of the session's connection. */
export class ConnectionData {
  readonly targets = new TargetSettings();
  readonly store = new Store(systemClock);
  readonly polling = new Polling(this.store, systemClock, refreshSeconds);
  private readonly changes = new vscode.EventEmitter<DataChange>();
  /**
   * The permissions for actions and whole listings that the API key was found to lack: the last request that
   * needs them was refused. Cleared with the connection and the key.
   */
  readonly lacking = new Set<Permission>();
  private readonly lists: Partial<Record<TargetKind, KnownList>> = {};
  private searched = '';
  private readonly connectionOfRepositories: StoredPerConnection<string>;
  private branch: CheckedOut | undefined;
  /** The data and texts that trees are built from. */
  readonly context: DataContext = {
    store: this.store,
    t: vscode.l10n.t,
    counted,
    timeFormat: new TimeFormat(
      () => this.store.formats,
      () => logTimeZone({ timeZone: this.session.timeZone ?? this.store.formats.timeZone }),
      () => this.session.serverNow(),
      vscode.env.language,
    ),
    sources: () => this.listed('sources'),
    servers: () => this.listed('servers'),
    repositorySearch: () => this.repositorySearch,
    checkedOut: () => this.branch,
  };
  private readonly subscription = this.store.onDidChange((change) => {
    if (change.kind !== 'entry') return;
    this.rememberRefusal(change.key);
    if (listings[change.key.kind].targetsBy !== undefined) this.changes.fire({ kind: 'context' });
  });
  private readonly disposables: vscode.Disposable;
  /** What the store says, and changes of the lists, the repository search, the checked-out branch and the words of states. */
  readonly onDidChange = (listener: (change: DataChange) => unknown): vscode.Disposable =>
    vscode.Disposable.from(this.store.onDidChange(listener), this.changes.event(listener));

  /** @param storage that of all windows. */
  constructor(
    readonly session: Session,
    storage: Storage,
  ) {
    this.connectionOfRepositories = new StoredPerConnection(
      session,
      storage,
      'repositoryConnection',
      (stored) => readStored(v.string(), stored),
    );
    this.readStates();
    this.polling.setFocused(vscode.window.state.focused);
    this.disposables = vscode.Disposable.from(
      this.targets,
      this.changes,
      this.targets.onDidChange(() => this.changes.fire({ kind: 'context' })),
      // The store notifies the views.
      this.session.onDidChange(() => this.adopt()),
      // What was requested before may be elsewhere, or be more.
      this.session.onDidDescribe(() => this.store.reset(this.session.signedIn?.client)),
      vscode.window.onDidChangeWindowState(({ focused }) => this.polling.setFocused(focused)),
      onDidChangeSettings('api.states', () => this.readStates()),
      onDidChangeSettings('api.firingStates', () => this.readStates()),
      // Restarts the timers with the new interval.
      onDidChangeSettings('refresh', () => this.polling.setFocused(vscode.window.state.focused)),
    );
    void this.session.ready.then(() => {
      if (!this.store.isOpen) this.adopt();
    });
  }

  /** The key of the list of sources or servers, if the control plane describes that it has one. */
  keyOfList(kind: TargetKind): readonly CacheKey[] {
    const { facts } = this.session.server ?? {};
    const list = listKinds[kind];
    const { targetsBy } = listings[list];
    const found = targetsBy === undefined ? undefined : facts?.operations[targetsBy];
    return found === undefined || found === 'none' ? [] : [{ kind: list, id: '' }];
  }

  /** Whether the control plane lists the repositories of one of its connections at a time. */
  get needsRepositoryConnection(): boolean {
    return requiresConnection(this.session.server?.facts);
  }

  /** The search of the repositories, or the chosen connection; empty for all. */
  get repositorySearch(): string {
    return this.needsRepositoryConnection
      ? (this.connectionOfRepositories.value ?? '')
      : this.searched;
  }

  set repositorySearch(search: string) {
    if (this.needsRepositoryConnection) {
      this.connectionOfRepositories.set(search === '' ? undefined : search);
    } else this.searched = search;
    this.changes.fire({ kind: 'context' });
  }

  /** Says which branch is checked out, whose preview rows show. */
  setCheckedOut(branch: CheckedOut | undefined): void {
    if (JSON.stringify(branch) === JSON.stringify(this.branch)) return;
    this.branch = branch;
    this.changes.fire({ kind: 'context' });
  }

  dispose(): void {
    this.polling.dispose();
    this.subscription.dispose();
    this.store.reset(undefined);
    this.disposables.dispose();
  }

  /** Those of the settings and of the control plane. Made again only if one of them has changed. */
  private listed(kind: TargetKind): readonly Target[] {
    const own = this.targets[kind]();
    const value = this.store.read(listKinds[kind], '').value;
    const before = this.lists[kind];
    if (before?.own === own && before.value === value) return before.all;
    const all = withListed(own, listedTargets(value ?? {}));
    this.lists[kind] = { own, value, all };
    return all;
  }

  /** Drops the data of the connection before. */
  private adopt(): void {
    this.lacking.clear();
    this.store.reset(this.session.signedIn?.client);
  }

  /** A listing of the whole workspace and an action may need the same permission, such as `integration.manage`. */
  private rememberRefusal(key: CacheKey): void {
    const { isOfWorkspace, permission } = listings[key.kind];
    if (!isOfWorkspace) return;
    const { error, value } = this.store.entry(key);
    if (isRefusal(error)) this.lacking.add(permission);
    else if (error === undefined && value !== undefined) this.lacking.delete(permission);
  }

  private readStates(): void {
    setOwnMeanings(apiStates());
    setOwnFiringStates(apiFiringStates());
    this.changes.fire({ kind: 'context' });
  }
}
