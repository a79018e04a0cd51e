import { limitSize } from '../activity/activityStorage';
import {
  type Look,
  pollUntil,
  type Runner,
  type RunnerTools,
  type RunSignals,
  throwUnlessStopped,
  WatchedWork,
} from '../activity/runner';
import type { ControlPlaneClient } from '../api/client';
import { failedAs } from '../api/errors';
import { pollDelay } from '../api/retryPolicy';
import type { Deployment, Resource } from '../api/types';
import { type Clock, minute, second } from '../base/clock';
import { keepEqual } from '../base/json';
import { timeOf } from '../base/timeFormat';
import { CommitAges } from '../commits/commitFacts';
import { isIn, isSameCommit, newestFirst } from '../data/deployments';
import type { Polling } from '../data/polling';
import type { CacheEntry, CacheKey, Store } from '../data/store';
import { isSameId } from '../data/targets';
import {
  appOf,
  countedApps,
  endOfPush,
  isSincePush,
  longestPush,
  mostAppsOfPush,
  type PushedApp,
  type PushedEnvironment,
  type PushEnd,
  readApp,
} from '../deployed/push';
import type { PushEntry, PushHealth } from './pushEntry';
import { PushHealthCheck } from './pushHealth';

/*
 * The time between two requests grows with the age of the push: together at most 40 in ten minutes, more of
 * them while most deployments end. In milliseconds.
 */
const firstSpacing = 6.5 * second;
const growth = 1 / 25;
/** The factor of a window without the focus. */
const awayFactor = 2;
/** The most milliseconds until the next look. */
const longestSpacing = 2 * minute;
/** What was read longer before the push was seen is read again, in milliseconds. */
const longestMemory = minute;
/** How many of the newest commits of an app are looked for in the history. */
const mostCommits = 3;
/** How often it is read which apps there are, while one waits: a push can add and remove some. In milliseconds. */
const listingSpacing = minute;
/** An app that has failed for as long will not be tried again, in milliseconds. */
const longestRetry = minute;
/** How long before all others had come it may have been read that an app is not live, in milliseconds. */
const longestBelief = 10 * second;

type PushWatchEnd =
  /** Each app has an end. */
  | 'over'
  /** It was watched for twenty minutes. */
  | 'deadline'
  /** The key may not read any of the deployments. */
  | 'noPolling';

type Watched = Pick<PushEntry, 'environments' | 'outcome'>;

/**
 * Watches the deployments of a pushed commit until each app has an end. Uses what the store gets for others, and
 * requests the rest itself, as what nobody waits for.
 */
class PushWatch {
  private readonly work: WatchedWork;
  private readonly start: number;
  /** How old the push was at the start, in milliseconds. */
  private readonly age: number;
  private requestedAt = -Infinity;
  private environments: readonly PushedEnvironment[];
  private outcome: PushEnd | undefined;
  /** When all apps had come to an end, in monotonic milliseconds. */
  private cameAt: number | undefined;

  constructor(
    private readonly entry: PushEntry,
    private readonly ages: CommitAges,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'hasFocus'>,
    private readonly clock: Clock,
    private readonly serverNow: () => number,
  ) {
    this.start = clock.monotonic();
    this.work = new WatchedWork(this.start);
    const age = serverNow() - entry.at;
    // One that was left for longer is watched like a new one.
    this.age = age >= 0 && age < longestPush ? age : 0;
    this.environments = entry.environments;
    this.outcome = entry.outcome;
  }

  /**
   * @param report called with each state on the way, and with the last one.
   * @throws the reason of `lifetime`.
   */
  run(signals: RunSignals, report: (watched: Watched) => void): Promise<PushWatchEnd | 'stopped'> {
    const look = async (): Promise<Look<PushWatchEnd>> => {
      const { environments: before, outcome } = this;
      await this.look();
      signals.stop.throwIfAborted();
      this.outcome ??= this.read();
      if (this.environments !== before || this.outcome !== outcome) {
        report({ environments: this.environments, outcome: this.outcome });
      }
      const end = this.end();
      return end === undefined ? { wait: this.request() } : { end };
    };
    return pollUntil(this.clock, look, signals, this.store.onDidChange);
  }

  private get apps(): readonly PushedApp[] {
    return this.environments.flatMap(({ apps }) => apps);
  }

  /** How long the push has been watched, in this window or before, in milliseconds. */
  private get elapsed(): number {
    return this.age + this.work.time;
  }

  /**
   * What the push has come to; undefined while that is open. An app that is not live may be deployed again while
   * others wait: when these have come it is read once more, and after a minute it has failed for good. The status bar is
   * red from the first failure, and that goes if the app is deployed again; a notification cannot be taken back.
   */
  private read(): PushEnd | undefined {
    const now = this.clock.monotonic();
    const others = countedApps(this.apps).filter(({ state }) => state !== 'live');
    const end = endOfPush(this.apps);
    this.cameAt = end === undefined ? undefined : (this.cameAt ?? now);
    const readAt = ({ resourceId }: PushedApp): number =>
      this.store.read('deployments', resourceId).triedAt ?? -Infinity;
    const { cameAt } = this;
    if (cameAt !== undefined) {
      return others.every((app) => readAt(app) >= cameAt - longestBelief) ? end : undefined;
    }
    const isFinal = (app: PushedApp): boolean => {
      const failedAt = timeOf(app.deployment?.finishedAt) ?? Infinity;
      return this.serverNow() - (now - readAt(app)) - failedAt >= longestRetry;
    };
    return others.some((app) => app.state === 'failed' && isFinal(app)) ? 'failed' : undefined;
  }

  private end(): PushWatchEnd | undefined {
    if (this.outcome !== undefined && endOfPush(this.apps) !== undefined) return 'over';
    if (this.apps.every(({ isUnseen }) => isUnseen)) return 'noPolling';
    return this.elapsed >= longestPush ? 'deadline' : undefined;
  }

  /** Reads what the store knows. */
  private async look(): Promise<void> {
    this.work.lookAt(this.clock.monotonic());
    const listing = this.store.read('resources', this.entry.sourceId);
    const all = this.isSincePush(listing) ? listing.value?.resources : undefined;
    const environments =
      all === undefined
        ? this.environments
        : this.environments.map((one) => withResources(one, all));
    const found = new Map<string, readonly Deployment[]>();
    for (const { apps, ...place } of environments) {
      for (const { resourceId } of apps) {
        const { value } = this.answer(resourceId);
        const known = value?.deployments?.filter((one) => isIn(one, place));
        if (known !== undefined) found.set(resourceId, newestFirst(known));
      }
    }
    await this.ages.read([...found.values()].flatMap((known) => this.othersOf(known)));
    const next = environments.map(({ apps, ...environment }) => ({
      ...environment,
      apps: apps.map((app) => this.readApp(app, found.get(app.resourceId))),
    }));
    this.environments = keepEqual(this.environments, next);
  }

  /** Whether an answer is from after the push, or from just before. */
  private isSincePush({ triedAt = -Infinity }: CacheEntry<unknown>): boolean {
    return triedAt >= this.start - longestMemory;
  }

  /** What the store has of an app since the push, or just before. */
  private answer(resourceId: string): CacheEntry<{ readonly deployments?: readonly Deployment[] }> {
    const entry = this.store.read('deployments', resourceId);
    return this.isSincePush(entry) ? entry : { isLoading: entry.isLoading, failures: 0 };
  }

  private readApp(app: PushedApp, found: readonly Deployment[] | undefined): PushedApp {
    const { error } = this.answer(app.resourceId);
    // After a reload, what was seen before is true until there is an answer.
    if (found === undefined && error === undefined) return app;
    const isUnseen = failedAs(error, 'missingPermission', 'notFound');
    if (found === undefined || isUnseen) return { ...app, isUnseen };
    const { deployment, ...read } = readApp(app, found, {
      sha: this.entry.sha,
      pushedAt: this.entry.pushedAt,
      ageOf: (commit) => this.ages.of(commit),
      isStill: (one) => this.work.hasEnded(one),
    });
    return { ...read, isUnseen, deployment: deployment && limitSize(deployment) };
  }

  /** The newest other commits of an app. */
  private othersOf(found: readonly Deployment[]): readonly string[] {
    const commits = found.map(({ commitSha = '' }) => commitSha.toLowerCase());
    return [...new Set(commits)]
      .filter((one) => !isSameCommit(one, this.entry.sha))
      .slice(0, mostCommits);
  }

  /** Requests what is due, if anything is. Returns the milliseconds until the next request. */
  private request(): number {
    const now = this.clock.monotonic();
    const away = this.polling.hasFocus ? 1 : awayFactor;
    const spacing = (firstSpacing + this.elapsed * growth) * away;
    const own = this.requestedAt + spacing - now;
    if (own > 0) return own;
    const { sourceId } = this.entry;
    const deployments = this.watchedApps().map(
      ({ resourceId }) => ({ kind: 'deployments', id: resourceId }) as const,
    );
    const isWaiting = this.apps.some(({ state, isUnseen }) => state === 'waiting' && !isUnseen);
    const hasEnvironment = this.environments.some(({ isPreview }) => !isPreview);
    const listing = { kind: 'resources', id: sourceId } as const;
    // The first listing after the push says which apps there are.
    const isListed = (this.store.entry(listing).triedAt ?? -Infinity) >= this.start;
    const listingAt = isListed ? this.dueAt(listing, listingSpacing) : -Infinity;
    const due = [
      ...(isWaiting && hasEnvironment ? [{ key: listing, at: listingAt }] : []),
      ...deployments.map((key) => ({ key, at: this.dueAt(key, spacing) })),
    ];
    const [next] = due.sort((a, b) => (a.at < b.at ? -1 : 1));
    if (next === undefined) return spacing;
    const wait = next.at - now;
    if (wait > 0) return Math.min(wait, longestSpacing);
    this.requestedAt = now;
    void this.store.refresh(next.key, 'automatic');
    return spacing;
  }

  /** Those that are not live: what failed may be tried again while others wait. */
  private watchedApps(): readonly PushedApp[] {
    return this.apps.filter(
      ({ state, isUnseen, isRemoved }) =>
        isUnseen !== true && isRemoved !== true && state !== 'live',
    );
  }

  /** When a key is requested again, in monotonic milliseconds. */
  private dueAt(key: CacheKey, spacing: number): number {
    const { triedAt = -Infinity, failures, error } = this.store.entry(key);
    return triedAt + pollDelay(spacing, failures, error);
  }
}

/** An environment with the apps and jobs that it has by now. */
function withResources(
  environment: PushedEnvironment,
  resources: readonly Resource[],
): PushedEnvironment {
  const { id, isPreview, apps } = environment;
  if (id === undefined || isPreview) return environment;
  const there = resources.filter(
    (one) => one.archivedAt === undefined && isSameId(one.environment?.id, id),
  );
  const found = new Map(
    there.flatMap((one) => appOf(one) ?? []).map((app) => [app.resourceId, app]),
  );
  const kept = apps.map((app) => {
    const now = found.get(app.resourceId);
    found.delete(app.resourceId);
    const isOptional = now?.isOptional ?? app.isOptional;
    return { ...app, isOptional, isRemoved: now === undefined ? true : undefined };
  });
  return { ...environment, apps: [...kept, ...found.values()].slice(0, mostAppsOfPush) };
}

/** Watches what becomes of a pushed commit. */
export class PushRunner implements Runner<PushEntry> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'hasFocus'>,
    private readonly tools: Pick<RunnerTools, 'historyOf' | 'logStyle'>,
    private readonly clock: Clock,
  ) {}

  async run(
    first: PushEntry,
    signals: RunSignals,
    report: (entry: PushEntry) => Promise<void>,
  ): Promise<PushEntry> {
    if (first.progress.kind !== 'following') return first;
    let entry = first;
    const why = await this.watch(entry).run(signals, (watched) => {
      entry = { ...entry, ...watched };
      void report(entry);
    });
    if (why !== 'over') return { ...entry, progress: { kind: 'left', why } };
    const health = await this.healthOf(entry, signals);
    return { ...entry, ...(health === undefined ? {} : { health }), progress: { kind: 'over' } };
  }

  /** How the errors are five minutes later. Undefined if it is not live, or the user does not want to wait. */
  private async healthOf(entry: PushEntry, signals: RunSignals): Promise<PushHealth | undefined> {
    const apps = entry.environments
      // The records of a preview are those of a deployment that has none before.
      .filter(({ isPreview }) => !isPreview)
      .flatMap((one) => countedApps(one.apps))
      .flatMap(({ resourceId, deployment }) => {
        // What ran before the push is as healthy as it was.
        const isNew = deployment !== undefined && isSincePush(deployment, entry.pushedAt);
        return isNew ? [{ resourceId, deployment }] : [];
      });
    if (entry.outcome !== 'live' || apps.length === 0) return undefined;
    try {
      const check = new PushHealthCheck(this.client, this.store, this.clock, this.tools.logStyle);
      return await check.run(apps, signals.stop);
    } catch (error) {
      throwUnlessStopped(error, signals);
      return undefined;
    }
  }

  private watch(entry: PushEntry): PushWatch {
    const { repository, sha, upstream, before } = entry;
    const ages = new CommitAges(this.tools.historyOf(repository), sha, upstream, before);
    return new PushWatch(entry, ages, this.store, this.polling, this.clock, () =>
      this.client.serverNow(),
    );
  }
}
