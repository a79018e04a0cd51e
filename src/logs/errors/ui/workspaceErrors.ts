import * as vscode from 'vscode';
import type { Deployment } from '../../../api/types';
import { minute } from '../../../base/clock';
import { getOrMake } from '../../../base/maps';
import { StoredPerConnection } from '../../../connection/perConnection';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { pauseEvery, Soon, systemClock } from '../../../vscode/systemClock';
import { logSettings, onDidChangeSettings, refreshSeconds } from '../../../vscode/settings';
import { searchTime } from '../../query/ui/readSearch';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import type { Tails } from '../../tail/tails';
import { ErrorFeed, type FeedState } from '../errorFeed';
import { ErrorGroups } from '../errorGroups';
import type { ErrorKind } from '../errorKind';
import type { FindPlace } from '../errorPlaces';
import {
  fixedMark,
  type HiddenKinds,
  hideKinds,
  mutedKeyOf,
  type ErrorMemory,
  type ErrorScope,
  noMemory,
  readMemory,
  searchOf,
  withMuted,
  withoutMuted,
} from '../errorScope';
import type { SpottedKind } from '../marks';

interface OpenFolder {
  /** The ids of its apps and jobs; empty while they are unknown. */
  readonly apps: () => readonly string[];
  readonly onDidChange: vscode.Event<void>;
}

/** Milliseconds from a change to its event, so that a burst of records causes one. */
const gatherErrorsFor = 250;
/** The least time from a change to its event, in relation to how long the last one took. */
const rest = 10;
/** How long to wait for the source of the folder before all workloads are searched, in milliseconds. */
const patience = 1500;

/** The errors of the session's connection by kind. Empty until something wants them. */
export class Errors {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly wishes = new Set<string>();
  private readonly updating = new Soon(() => this.updateTimed());
  /** How long the last update took, in milliseconds. */
  private took = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** Looks for the files for which there was no time. */
  private readonly completion = new Soon(async () => {
    await this.groups.locateAgain('unknown');
    this.changeSoon();
  });
  /** When the wait for the source of the folder ends, on the monotonic clock. */
  private waitsUntil: number | undefined;
  private readonly saved: StoredPerConnection<ErrorMemory>;
  /** What is saved for the connection: read once, because rows ask for it often. */
  private kept = noMemory;
  /** What was shown last. */
  private shownKinds: readonly ErrorKind[] = [];
  private hiding: HiddenKinds = {
    shown: [],
    hidden: new Map(),
    muted: [],
    cameBack: new Map(),
  };
  private spots: ReadonlyMap<string, readonly SpottedKind[]> = new Map();
  private readonly groups: ErrorGroups;
  private readonly feed: ErrorFeed;
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChange: vscode.Event<void> = this.changes.event;

  constructor(
    private readonly data: ConnectionData,
    private readonly files: SourceFiles,
    private readonly folder: OpenFolder,
    following: Pick<Tails, 'onDidShow'>,
    workspaceState: vscode.Memento,
  ) {
    this.saved = new StoredPerConnection(this.data.session, workspaceState, 'errors', readMemory);
    this.groups = createWorkspaceGroups(this.files);
    this.feed = new ErrorFeed(systemClock, this.groups, () => refreshSeconds() * 1000);
    void this.data.session.ready.then(() => this.open());
    this.subscriptions = vscode.Disposable.from(
      this.changes,
      this.updating,
      this.completion,
      this.feed.onDidChange(() => this.changeSoon()),
      this.data.session.onDidChange(() => this.open()),
      onDidChangeSettings('logs.severity', () => this.feed.lookAgain()),
      onDidChangeSettings('logs.joinLines', () => this.feed.lookAgain()),
      vscode.window.onDidChangeWindowState(() => this.wantNow()),
      following.onDidShow((records) => this.feed.add(records)),
      this.folder.onDidChange(() => this.search()),
      this.files.onDidChange(
        () => void this.groups.locateAgain('all').then(() => this.changeSoon()),
      ),
      this.data.store.onDidChangeListing('deployments', () => this.changeSoon()),
    );
  }

  /** Those that are not muted, in no order. */
  get kinds(): readonly ErrorKind[] {
    return this.hiding.shown;
  }

  /** All kinds, also muted ones. */
  get all(): readonly ErrorKind[] {
    return this.shownKinds;
  }

  /** What is muted, and how kinds came back that were marked as fixed. */
  get muting(): Pick<HiddenKinds, 'hidden' | 'muted' | 'cameBack'> {
    return this.hiding;
  }

  /** How many errors were looked at. */
  get count(): number {
    return this.groups.size;
  }

  get state(): FeedState {
    return this.feed.state;
  }

  /** What this workspace keeps for the connection. */
  get memory(): ErrorMemory {
    return this.kept;
  }

  /** Whether only the workloads of the open folder count, because the scope says so. */
  get isOfFolder(): boolean {
    const { workloads } = this.kept.scope;
    return (workloads === 'auto' || workloads === 'folder') && this.folder.apps().length > 0;
  }

  /** Whether the workloads of the folder are wanted and unknown. */
  get needsSource(): boolean {
    return this.kept.scope.workloads === 'folder' && this.folder.apps().length === 0;
  }

  /** What points at a file and is not muted. @param file its URI as text. */
  spotsIn(file: string): readonly SpottedKind[] {
    return this.spots.get(file) ?? [];
  }

  /**
   * Says that something shows errors, or shows them no more. Without any, and without the focus of the
   * window, no request is sent.
   *
   * @param who a name for what wants them.
   */
  want(who: string, isWanted: boolean): void {
    if (isWanted) this.wishes.add(who);
    else this.wishes.delete(who);
    this.wantNow();
  }

  changeScope(change: Partial<ErrorScope>): void {
    this.keep({ ...this.kept, scope: { ...this.kept.scope, ...change } });
  }

  mute(kind: ErrorKind): void {
    this.keep(withMuted(this.kept, kind));
  }

  /** Mutes a kind until it comes back in a newer deployment. */
  muteUntilNext(kind: ErrorKind): void {
    const { now } = searchTime(this.data.session);
    const mark = fixedMark(kind, (id) => this.deploymentsOf(id), now);
    this.keep(withMuted(this.kept, kind, mark));
  }

  unmute(key: string): void {
    this.keep(withoutMuted(this.kept, key));
  }

  /** Looks for newer errors now, and finds the files of all frames again. */
  async refresh(): Promise<void> {
    this.files.findAgain();
    await Promise.all([this.feed.refresh(), this.groups.locateAgain('all')]);
    this.update();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.feed.dispose();
    this.subscriptions.dispose();
  }

  private changeSoon(): void {
    this.updating.in(Math.max(gatherErrorsFor, rest * this.took));
  }

  private updateTimed(): void {
    const start = systemClock.monotonic();
    this.update();
    this.took = systemClock.monotonic() - start;
  }

  private update(): void {
    const { since } = this.feed.state;
    const now = searchTime(this.data.session).now;
    const deploymentsOf = (id: string): readonly Deployment[] => this.deploymentsOf(id);
    this.groups.compare({ since, now }, deploymentsOf);
    this.shownKinds = this.groups.kinds;
    this.hiding = hideKinds(this.shownKinds, this.kept.muted, deploymentsOf);
    this.spots = spotsOf(this.hiding.shown);
    this.changes.fire();
    if (this.groups.isIncomplete && this.wishes.size > 0) this.completion.in(minute);
  }

  private deploymentsOf(workloadId: string): readonly Deployment[] {
    return this.data.store.read('deployments', workloadId).value?.deployments ?? [];
  }

  /** Looks at what the scope says, once something wants it. */
  private search(): void {
    clearTimeout(this.waiting);
    if (this.wishes.size === 0) return;
    const apps = this.folder.apps();
    const { scope } = this.kept;
    const now = systemClock.monotonic();
    const waits = scope.workloads === 'auto' && apps.length === 0 && this.mayBecomeKnown();
    if (waits) this.waitsUntil ??= now + patience;
    if (waits && this.waitsUntil !== undefined && now < this.waitsUntil) {
      this.waiting = setTimeout(() => this.search(), this.waitsUntil - now);
    } else this.feed.search(searchOf(scope, apps));
  }

  /** Whether the source of the folder may still be found: to search twice would cost more. */
  private mayBecomeKnown(): boolean {
    const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
    return hasFolder && this.data.context.sources().length > 0;
  }

  private wantNow(): void {
    const isWanted = this.wishes.size > 0 && vscode.window.state.focused;
    if (isWanted) this.search();
    this.feed.setWanted(isWanted);
  }

  private open(): void {
    this.waitsUntil = undefined;
    this.remember(this.saved.value ?? noMemory);
    this.feed.search(undefined);
    this.feed.open(this.data.session.signedIn);
    // Nothing of the connection before stays, not even for a moment.
    this.update();
    this.search();
  }

  private remember(next: ErrorMemory): void {
    const isSame = next.muted === this.kept.muted;
    this.kept = next;
    if (!isSame) this.groups.keepApart(mutedKeyOf(next.muted));
  }

  private keep(next: ErrorMemory): void {
    if (this.data.session.state.kind === 'none') return;
    this.remember(next);
    this.saved.set(next);
    this.search();
    this.update();
  }
}

/** Groups of errors with lines in the files of the workspace. */
export function createWorkspaceGroups(files: Pick<SourceFiles, 'look'>): ErrorGroups {
  return new ErrorGroups(pauseEvery(), placeFinder(files), logSettings);
}

/** Finds the places of stack frames in the workspace. */
export function placeFinder(files: Pick<SourceFiles, 'look'>): FindPlace {
  return async (frame, budget, workloadId) => {
    const place = await files.look(frame, budget, workloadId);
    if (place === 'unknown') return null;
    return place && { ...place, file: place.file.toString() };
  };
}

function spotsOf(kinds: readonly ErrorKind[]): ReadonlyMap<string, readonly SpottedKind[]> {
  const byFile = new Map<string, SpottedKind[]>();
  for (const kind of kinds) {
    for (const spot of kind.spots) {
      getOrMake(byFile, spot.file, () => []).push({ kind, spot });
    }
  }
  return byFile;
}
