import * as vscode from 'vscode';
import { minute } from '../../../base/clock';
import { StoredPerConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/ui/session';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { searchTime } from '../../query/ui/readSearch';
import { pauseEvery, systemClock } from '../../../vscode/clock';
import { refreshSeconds } from '../../../vscode/settings';
import type { Tails } from '../../tail/tails';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import { createErrorFeed, type FeedState } from '../errorFeed';
import type { Patterns } from '../../record/patterns';
import { createErrorGroups, type ErrorGroups } from '../errorGroups';
import { type ErrorKind, KindLookup } from '../errorKind';
import {
  type ErrorMemory,
  type ErrorScope,
  noMemory,
  readMemory,
  searchOf,
  withMuted,
  withoutMuted,
} from '../errorScope';
import type { SpottedKind } from '../lineMarks';

/** The errors of the session's connection by kind. Empty until something wants them. */
export interface Errors {
  /** Those that are not muted, in no order. */
  readonly kinds: readonly ErrorKind[];
  readonly onDidChange: vscode.Event<void>;
  /** What points at a file and is not muted. @param file its URI as text. */
  spotsIn(file: string): readonly SpottedKind[];
  /**
   * Says that something shows errors, or shows them no more. Without any, and without the focus of the
   * window, no request is sent.
   *
   * @param who a name for what wants them.
   */
  want(who: string, isWanted: boolean): void;
  /** All kinds, also muted ones. */
  readonly all: readonly ErrorKind[];
  /** How many errors were looked at. */
  readonly count: number;
  readonly state: FeedState;
  /** What this workspace keeps for the connection. */
  readonly memory: ErrorMemory;
  /** Whether only the workloads of the open folder count, because the scope says so. */
  readonly isOfFolder: boolean;
  /** Whether the workloads of the folder are wanted and unknown. */
  readonly needsSource: boolean;
  changeScope(change: Partial<ErrorScope>): void;
  mute(kind: ErrorKind): void;
  unmute(key: string): void;
  /** Looks for newer errors now, and finds the files of all frames again. */
  refresh(): Promise<void>;
  dispose(): void;
}

/** What the open folder deploys. */
interface OpenFolder {
  /** The ids of its apps and jobs; empty while they are unknown. */
  readonly apps: () => readonly string[];
  readonly onDidChange: vscode.Event<void>;
}

interface ErrorsServices {
  readonly session: Session;
  readonly data: ConnectionData;
  readonly files: SourceFiles;
  readonly folder: OpenFolder;
  readonly following: Pick<Tails, 'onDidShow'>;
  readonly workspaceState: vscode.Memento;
}

/** How long errors are grouped before other work gets its turn, in milliseconds. */
const sliceTime = 8;
/** Milliseconds from a change to its event, so that a burst of records causes one. */
const gatherFor = 250;
/** The least time from a change to its event, in relation to how long the last one took. */
const rest = 10;
/** How long to wait for the source of the folder before all workloads are searched, in milliseconds. */
const patience = 1500;

export function createErrors(services: ErrorsServices): Errors {
  const { session, data, files, folder, following, workspaceState } = services;
  const { store } = data;
  const changes = new vscode.EventEmitter<void>();
  const wishes = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How long the last update took, in milliseconds. */
  let took = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let completion: ReturnType<typeof setTimeout> | undefined;
  /** When the wait for the source of the folder ends, on the monotonic clock. */
  let waitsUntil: number | undefined;
  const saved = new StoredPerConnection(session, workspaceState, 'errors', readMemory);
  /** What is saved for the connection: read once, because rows ask for it often. */
  let memory = noMemory;
  /** What was shown last. */
  let all: readonly ErrorKind[] = [];
  let kinds: readonly ErrorKind[] = [];
  let spots: ReadonlyMap<string, readonly SpottedKind[]> = new Map();

  const groups = createWorkspaceGroups(files);
  const feed = createErrorFeed({
    clock: systemClock,
    groups,
    interval: () => refreshSeconds() * 1000,
    onDidChange: changeSoon,
  });

  function changeSoon(): void {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        const start = systemClock.monotonic();
        update();
        took = systemClock.monotonic() - start;
      },
      Math.max(gatherFor, rest * took),
    );
  }

  function update(): void {
    const { since } = feed.state;
    const now = searchTime(session).now;
    groups.compare({ since, now }, (id) => store.deployments(id).value?.deployments ?? []);
    all = groups.kinds;
    const muted = new KindLookup(memory.muted);
    kinds = all.filter(({ key }) => !muted.has(key));
    spots = spotsOf(kinds);
    changes.fire();
    if (groups.isIncomplete && wishes.size > 0) completion ??= setTimeout(complete, minute);
  }

  /** Looks for the files for which there was no time. */
  function complete(): void {
    completion = undefined;
    void groups.locateAgain('unknown').then(changeSoon);
  }

  /** Looks at what the scope says, once something wants it. */
  function search(): void {
    clearTimeout(waiting);
    if (wishes.size === 0) return;
    const apps = folder.apps();
    const { scope } = memory;
    const now = systemClock.monotonic();
    const waits = scope.workloads === 'auto' && apps.length === 0 && mayBecomeKnown();
    if (waits) waitsUntil ??= now + patience;
    if (waits && waitsUntil !== undefined && now < waitsUntil) {
      waiting = setTimeout(search, waitsUntil - now);
    } else feed.search(searchOf(scope, apps));
  }

  /** Whether the source of the folder may still be found: to search twice would cost more. */
  function mayBecomeKnown(): boolean {
    const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
    return hasFolder && data.targets.sources().length > 0;
  }

  function wantNow(): void {
    const isWanted = wishes.size > 0 && vscode.window.state.focused;
    if (isWanted) search();
    feed.setWanted(isWanted);
  }

  function open(): void {
    waitsUntil = undefined;
    memory = saved.value ?? noMemory;
    feed.search(undefined);
    feed.open(session.signedIn);
    // Nothing of the connection before stays, not even for a moment.
    update();
    search();
  }

  function keep(next: ErrorMemory): void {
    if (session.state.kind === 'none') return;
    memory = next;
    saved.set(next);
    search();
    update();
  }

  void session.ready.then(open);
  const subscriptions = vscode.Disposable.from(
    changes,
    session.onDidChange(open),
    vscode.window.onDidChangeWindowState(wantNow),
    following.onDidShow((records) => feed.take(records)),
    folder.onDidChange(() => search()),
    files.onDidChange(() => void groups.locateAgain('all').then(changeSoon)),
    store.onDidChange((change) => {
      if (change.kind === 'entry' && change.key.kind === 'deployments') changeSoon();
    }),
  );

  return {
    get kinds() {
      return kinds;
    },
    get all() {
      return all;
    },
    get count() {
      return groups.size;
    },
    get state() {
      return feed.state;
    },
    get memory() {
      return memory;
    },
    get isOfFolder() {
      const { workloads } = memory.scope;
      return (workloads === 'auto' || workloads === 'folder') && folder.apps().length > 0;
    },
    get needsSource() {
      return memory.scope.workloads === 'folder' && folder.apps().length === 0;
    },
    onDidChange: changes.event,
    spotsIn: (file) => spots.get(file) ?? [],
    want(who, isWanted) {
      if (isWanted) wishes.add(who);
      else wishes.delete(who);
      wantNow();
    },
    changeScope: (change) => keep({ ...memory, scope: { ...memory.scope, ...change } }),
    mute: (kind) => keep(withMuted(memory, kind)),
    unmute: (key) => keep(withoutMuted(memory, key)),
    async refresh() {
      files.findAgain();
      await Promise.all([feed.refresh(), groups.locateAgain('all')]);
      update();
    },
    dispose() {
      clearTimeout(timer);
      clearTimeout(waiting);
      clearTimeout(completion);
      feed.dispose();
      subscriptions.dispose();
    },
  };
}

/** Groups of errors with lines in the files of the workspace. */
export function createWorkspaceGroups(
  files: Pick<SourceFiles, 'look'>,
  patterns?: Patterns,
): ErrorGroups {
  return createErrorGroups({
    ...(patterns === undefined ? {} : { patterns }),
    pause: pauseEvery(sliceTime),
    async find(path, budget, workloadId) {
      const file = await files.look(path, budget, workloadId);
      return file === 'unknown' ? null : file?.toString();
    },
  });
}

function spotsOf(kinds: readonly ErrorKind[]): ReadonlyMap<string, readonly SpottedKind[]> {
  const byFile = new Map<string, SpottedKind[]>();
  for (const kind of kinds) {
    for (const spot of kind.spots) {
      const there = byFile.get(spot.file) ?? [];
      byFile.set(spot.file, there);
      there.push({ kind, spot });
    }
  }
  return byFile;
}
