import type { ControlPlaneClient } from '../api/client';
import { failedAs } from '../api/errors';
import { pollDelay } from '../api/retryPolicy';
import type { Deployment, Resource } from '../api/types';
import { atMost, type Clock, minute, second } from '../base/clock';
import { keepEqual } from '../base/json';
import { CommitAges, type HistoryReader } from '../commits/commitFacts';
import { isPreview, isPreviewOf, newestFirst } from '../data/deployments';
import type { Polling } from '../data/polling';
import type { CacheEntry, Store } from '../data/store';
import { isSameId, mayBeSameId } from '../data/targets';
import {
  appOf,
  endOfPush,
  hasCome,
  longestPush,
  mostApps,
  type PushedApp,
  type PushedEnvironment,
  readApp,
} from '../deployed/push';
import type { PushEntry } from './activityEntry';
import { limitSize } from './activityStorage';
import { type PushHealth, PushHealthCheck } from './pushHealth';
import {
  type ActionTargets,
  type NewEntry,
  type Runner,
  type RunSignals,
  throwUnlessStopped,
  WatchedWork,
} from './runner';

/*
 * The time between two requests grows with the age of the push: together at most 40 in ten minutes, more of
 * them while most deployments end. In milliseconds.
 */
const firstSpacing = 6.5 * second;
const growth = 1 / 25;
/** The factor of a window without the focus. */
const awayFactor = 2;
/** The most milliseconds between two looks that count as watched, because the machine may sleep. */
const longestGap = 2 * minute;
/** What was read longer before the push was seen is read again, in milliseconds. */
const longestMemory = minute;
/** How many of the newest commits of an app are looked for in the history. */
const mostCommits = 3;

type PushWatchEnd =
  /** Each app has an end. */
  | 'over'
  /** It was watched for twenty minutes. */
  | 'deadline'
  /** The key may not read any of the deployments. */
  | 'noPolling';

/**
 * Watches the deployments of a pushed commit until each app has an end. Uses what the store gets for others, and
 * requests the rest itself, as what nobody waits for.
 */
class PushWatch {
  private readonly work = new WatchedWork();
  private readonly start: number;
  /** How old the push was at the start, in milliseconds. */
  private readonly age: number;
  private watched = 0;
  private lookedAt: number;
  private requestedAt = -Infinity;
  private environments: readonly PushedEnvironment[];

  constructor(
    private readonly entry: PushEntry,
    private readonly ages: CommitAges,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'hasFocus'>,
    private readonly clock: Clock,
  ) {
    this.start = this.lookedAt = clock.monotonic();
    const age = clock.now() - entry.at;
    // One that was left for longer is watched like a new one.
    this.age = age >= 0 && age < longestPush ? age : 0;
    this.environments = entry.environments;
  }

  /**
   * @param report called with each state on the way, and with the last one.
   * @throws the signal's reason.
   */
  async run(
    signal: AbortSignal,
    report: (environments: readonly PushedEnvironment[]) => void,
  ): Promise<PushWatchEnd> {
    let wake = (): void => undefined;
    const subscription = this.store.onDidChange(() => wake());
    try {
      for (;;) {
        const changed = new Promise<void>((resolve) => (wake = resolve));
        const before = this.environments;
        await this.look();
        signal.throwIfAborted();
        if (this.environments !== before) report(this.environments);
        const end = this.end();
        if (end !== undefined) return end;
        await atMost(this.request(), changed, this.clock, signal);
      }
    } finally {
      subscription.dispose();
    }
  }

  private get apps(): readonly PushedApp[] {
    return this.environments.flatMap(({ apps }) => apps);
  }

  /** How long the push has been watched, in this window or before, in milliseconds. */
  private get passed(): number {
    return this.age + this.watched;
  }

  private end(): PushWatchEnd | undefined {
    if (endOfPush(this.apps) !== undefined) return 'over';
    if (this.apps.every(({ isUnseen }) => isUnseen)) return 'noPolling';
    return this.passed >= longestPush ? 'deadline' : undefined;
  }

  /** Reads what the store knows. */
  private async look(): Promise<void> {
    const now = this.clock.monotonic();
    this.watched += Math.min(now - this.lookedAt, longestGap);
    this.lookedAt = now;
    const all = this.store.resources(this.entry.sourceId).value?.resources ?? [];
    const environments = this.environments.map((one) => withNewApps(one, all));
    const found = new Map<string, readonly Deployment[]>();
    for (const { apps, ...environment } of environments) {
      for (const { resourceId } of apps) {
        const { value } = this.answer(resourceId);
        const known = value?.deployments?.filter((one) => this.isIn(one, environment));
        if (known !== undefined) found.set(resourceId, newestFirst(known));
      }
    }
    await this.ages.learn([...found.values()].flatMap((known) => this.othersOf(known)));
    const next = environments.map(({ apps, ...environment }) => ({
      ...environment,
      apps: apps.map((app) => this.read(app, found.get(app.resourceId))),
    }));
    this.environments = keepEqual(this.environments, next);
  }

  /** What the store has of an app since the push, or just before. */
  private answer(resourceId: string): CacheEntry<{ readonly deployments?: readonly Deployment[] }> {
    const entry = this.store.deployments(resourceId);
    const isOld = (entry.triedAt ?? -Infinity) < this.start - longestMemory;
    return isOld ? { isLoading: entry.isLoading, failures: 0 } : entry;
  }

  private read(app: PushedApp, found: readonly Deployment[] | undefined): PushedApp {
    const { error } = this.answer(app.resourceId);
    // After a reload, what was seen before is true until there is an answer.
    if (found === undefined && error === undefined) return app;
    const isUnseen = failedAs(error, 'missingPermission', 'notFound');
    if (found === undefined || isUnseen) return { ...app, isUnseen };
    const { deployment, ...read } = readApp(app, found, {
      sha: this.entry.sha,
      pushedAt: this.entry.pushedAt,
      ageOf: (commit) => this.ages.of(commit),
      isStill: (one) => this.work.hasEnded(one, this.watched),
    });
    return { ...read, isUnseen, deployment: deployment && limitSize(deployment) };
  }

  private isIn(
    deployment: Deployment,
    { id, isPreview: isOfPreview }: Pick<PushedEnvironment, 'id' | 'isPreview'>,
  ): boolean {
    if (isOfPreview) return isPreviewOf(deployment, this.entry.branch);
    return !isPreview(deployment) && mayBeSameId(deployment.targetEnvironment?.id, id);
  }

  /** The newest other commits of an app. */
  private othersOf(found: readonly Deployment[]): readonly string[] {
    const commits = found.map(({ commitSha = '' }) => commitSha.toLowerCase());
    return [...new Set(commits)].filter((one) => one !== this.entry.sha).slice(0, mostCommits);
  }

  /** Requests what is due, if anything is. Returns the milliseconds until the next request. */
  private request(): number {
    const now = this.clock.monotonic();
    const away = this.polling.hasFocus ? 1 : awayFactor;
    const spacing = (firstSpacing + this.passed * growth) * away;
    const own = this.requestedAt + spacing - now;
    if (own > 0) return own;
    if (this.requestedAt === -Infinity && this.environments.some(({ isPreview: is }) => !is)) {
      // A push can add an app.
      this.requestedAt = now;
      const { sourceId } = this.entry;
      void this.store.refresh({ kind: 'resources', sourceId }, 'automatic');
      return spacing;
    }
    const dueIn = ({ resourceId }: PushedApp): number => {
      const { triedAt = -Infinity, failures, error } = this.store.deployments(resourceId);
      return triedAt + pollDelay(spacing, failures, error) - now;
    };
    const waiting = this.apps.filter(({ state, isUnseen }) => !hasCome(state) && isUnseen !== true);
    const [next] = waiting.sort((one, other) => (dueIn(one) < dueIn(other) ? -1 : 1));
    if (next === undefined) return spacing;
    const wait = dueIn(next);
    if (wait > 0) return Math.min(wait, longestGap);
    this.requestedAt = now;
    const { resourceId } = next;
    void this.store.refresh({ kind: 'deployments', resourceId }, 'automatic');
    return spacing;
  }
}

/** An environment with the apps and jobs that it has by now. */
function withNewApps(
  environment: PushedEnvironment,
  resources: readonly Resource[],
): PushedEnvironment {
  const { id, isPreview: isOfPreview, apps } = environment;
  if (id === undefined || isOfPreview) return environment;
  const known = new Set(apps.map(({ resourceId }) => resourceId));
  const added = resources
    .filter((one) => one.archivedAt === undefined && isSameId(one.environment?.id, id))
    .flatMap((one) => appOf(one) ?? [])
    .filter(({ resourceId }) => !known.has(resourceId));
  return added.length === 0
    ? environment
    : { ...environment, apps: [...apps, ...added].slice(0, mostApps) };
}

/** The repositories that are open. */
export interface Repositories {
  /** @param root the URI of a repository, as text. */
  readerOf(root: string): HistoryReader | undefined;
}

/** Watches what becomes of a pushed commit. */
export class PushRunner implements Runner<'push'> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'hasFocus'>,
    private readonly repositories: Repositories,
    private readonly clock: Clock,
  ) {}

  begin(target: ActionTargets['push']): NewEntry<'push'> {
    const pushedAt = this.client.serverNow();
    return { kind: 'push', ...target, pushedAt, progress: { kind: 'following' } };
  }

  async run(
    first: PushEntry,
    signals: RunSignals,
    report: (entry: PushEntry) => Promise<void>,
  ): Promise<PushEntry> {
    if (first.progress.kind !== 'following') return first;
    let entry = first;
    let why: PushWatchEnd | 'stopped';
    try {
      why = await this.watch(entry).run(signals.stop, (environments) => {
        entry = { ...entry, environments };
        void report(entry);
      });
    } catch (error) {
      throwUnlessStopped(error, signals);
      why = 'stopped';
    }
    if (why !== 'over') return { ...entry, progress: { kind: 'left', why } };
    const health = await this.healthOf(entry, signals);
    return { ...entry, ...(health === undefined ? {} : { health }), progress: { kind: 'over' } };
  }

  /** How the errors are five minutes later. Undefined if it is not live, or the user does not want to wait. */
  private async healthOf(entry: PushEntry, signals: RunSignals): Promise<PushHealth | undefined> {
    const apps = entry.environments
      // The records of a preview are those of a deployment that has none before.
      .filter(({ isPreview }) => !isPreview)
      .flatMap((one) => one.apps)
      .filter(({ state }) => state === 'live');
    const isLive = endOfPush(entry.environments.flatMap((one) => one.apps)) === 'live';
    if (!isLive || apps.length === 0) return undefined;
    try {
      return await new PushHealthCheck(this.client, this.store, this.clock).run(apps, signals.stop);
    } catch (error) {
      throwUnlessStopped(error, signals);
      return undefined;
    }
  }

  private watch(entry: PushEntry): PushWatch {
    const { repository, sha, upstream } = entry;
    const ages = new CommitAges(this.repositories.readerOf(repository), sha, upstream);
    return new PushWatch(entry, ages, this.store, this.polling, this.clock);
  }
}
