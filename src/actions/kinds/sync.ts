import * as v from 'valibot';
import type { ControlPlaneClient } from '../../api/client';
import type { Deployment } from '../../api/types';
import { type Clock, minute, onAbort, second } from '../../base/clock';
import { Emitter, type Event } from '../../base/event';
import { keepEqual } from '../../base/json';
import { listOf, readStored, type Storage } from '../../base/storedValue';
import { StoredPerConnection } from '../../connection/perConnection';
import type { Session } from '../../connection/session';
import { newestFirst } from '../../data/deployments';
import type { Polling } from '../../data/polling';
import { isRefusal, type CacheKey, cacheKeyId, type Store } from '../../data/store';
import type { SyncEntry, UnwatchedReason } from '../../activity/activityEntry';
import { limitSize, maxDeployments } from '../../activity/activityStorage';
import {
  appsWithout,
  completeBaselines,
  deploymentsSince,
  environmentKeys,
  readLastDeployed,
  type EnvironmentTarget,
} from '../environmentDeployments';
import {
  type ActionTargets,
  type NewEntry,
  type Runner,
  type RunSignals,
  throwUnlessStopped,
  WatchedWork,
} from '../../activity/runner';
import { cancelled, sendAction } from '../sendAction';
import { isLikeProduction } from '../targetNames';

/** After this time without a deployment, the sync has started none. In milliseconds. */
const longestSilence = 2 * minute;
/** How long to wait for more deployments if not all apps were deployed, in milliseconds. */
const longestPause = minute;
/** How long a sync is watched, in milliseconds. */
const longestFollow = 30 * minute;
/** The most milliseconds between two checks that count as watched, because the machine may sleep. */
const longestGap = 2 * minute;
const checkEvery = 5 * second;

/**
 * Reads what is deployed and sends a sync once; it is sent again only after a 429. Then watches the
 * deployments of the environment, also if there was no response, because these show whether the sync started.
 */
export class SyncRunner implements Runner<'sync'> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'syncEnvironment' | 'serverNow'>,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'prioritize'>,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  begin(target: ActionTargets['sync']): NewEntry<'sync'> {
    const [kind, sentAt] = ['sync' as const, this.client.serverNow()];
    const progress = { kind: 'preparing' } as const;
    return { kind, ...target, sentAt, before: {}, deployments: [], progress };
  }

  async run(
    first: SyncEntry,
    signals: RunSignals,
    report: (entry: SyncEntry) => Promise<void>,
  ): Promise<SyncEntry> {
    const entry =
      first.progress.kind === 'preparing' ? await this.send(first, signals, report) : first;
    const { kind } = entry.progress;
    if (kind !== 'following' && kind !== 'unknown') return entry;
    if (entry !== first) await report(entry);
    return this.follow(entry, signals, report);
  }

  private async send(
    first: SyncEntry,
    signals: RunSignals,
    report: (entry: SyncEntry) => Promise<void>,
  ): Promise<SyncEntry> {
    const { sourceId, environmentId } = first;
    const before = await readLastDeployed(this.store, first, this.clock, signals.stop).catch(
      (error: unknown) => throwUnlessStopped(error, signals),
    );
    if (before === undefined) {
      return { ...first, progress: { kind: 'refused', problem: cancelled } };
    }
    const sentAt = this.client.serverNow();
    const entry: SyncEntry = { ...first, before, sentAt, progress: { kind: 'sending' } };
    await report(entry);
    const sent = await sendAction(
      'unsafe',
      (options) => this.client.syncEnvironment({ sourceId, environmentId }, options),
      { ...signals, clock: this.clock, random: this.random },
    );
    if (sent.kind === 'failed') return { ...entry, progress: sent.progress };
    const { sync } = sent.answer;
    return {
      ...entry,
      progress: { kind: 'following' },
      ...(sync === undefined ? {} : { sync: limitSize(sync) }),
    };
  }

  /**
   * Polls the environment of a sync and saves its new deployments. Ends when a deployment of each app has
   * ended, when all deployments have ended and no new one came for a minute, when there was none for two
   * minutes, or after half an hour. An unknown outcome stays unknown, because the deployments may have
   * another cause.
   *
   * @throws the reason of `lifetime`.
   */
  private async follow(
    first: SyncEntry,
    { lifetime, stop }: RunSignals,
    report: (entry: SyncEntry) => Promise<void>,
  ): Promise<SyncEntry> {
    const { store, polling, clock } = this;
    let entry = first;
    const reason = `sync ${entry.id}`;
    const start = clock.monotonic();
    let changedAt = start;
    let checkedUntil = start;
    let watched = 0;
    const work = new WatchedWork();
    let prioritized: ReadonlySet<string> = new Set();
    let cancelTimer: (() => void) | undefined;
    let finish: (why: UnwatchedReason | 'over') => void = () => undefined;
    const finished = new Promise<UnwatchedReason | 'over'>((resolve) => (finish = resolve));

    function check(): void {
      const resources = environmentKeys(store, entry);
      const keys = resources.map(cacheKeyId);
      if (keys.length !== prioritized.size || keys.some((key) => !prioritized.has(key))) {
        prioritized = new Set(keys);
        polling.prioritize(reason, resources);
      }
      const shown = resources.filter((key) => !isRefusal(store.entry(key).error));
      // Without permission, there is nothing to watch: the first key has the resources, without their deployments.
      if (shown.every((key) => key === resources[0]) && resources.length > shown.length) {
        finish('noPolling');
        return;
      }
      const before = completeBaselines(
        store,
        entry,
        (resourceId) => seenUntil([{ kind: 'deployments', id: resourceId }]) >= start,
      );
      const found = deploymentsSince(store, entry, before);
      const deployments = keepEqual(entry.deployments, merge(entry.deployments, found));
      if (deployments !== entry.deployments) changedAt = clock.monotonic();
      if (deployments !== entry.deployments || before !== entry.before) {
        entry = { ...entry, before, deployments };
        void report(entry);
      }
      const seen = seenUntil(shown);
      if (deployments.length === 0) {
        if (seen - start >= longestSilence) finish('nothing');
      } else if (deployments.filter((one) => !work.hasEnded(one, watched)).length === 0) {
        const isAll = seen >= start && appsWithout(store, entry, before).length === 0;
        if (isAll || seen - changedAt >= longestPause) finish('over');
      }
    }

    /** When all keys were last requested, on the monotonic clock. */
    function triedUntil(resources: readonly CacheKey[]): number {
      return Math.min(...resources.map((key) => store.entry(key).triedAt ?? -Infinity));
    }

    /** When all keys were last loaded. If one failed, nothing is known about new deployments. */
    function seenUntil(resources: readonly CacheKey[]): number {
      const isSeen = resources.every((key) => store.entry(key).error === undefined);
      return isSeen ? triedUntil(resources) : -Infinity;
    }

    /** Checks regularly, because the store does not report responses that change nothing. */
    function watchTime(): void {
      check();
      const until = triedUntil(environmentKeys(store, entry));
      if (until > checkedUntil) {
        watched += Math.min(until - checkedUntil, longestGap);
        checkedUntil = until;
      }
      if (watched >= longestFollow) finish('deadline');
      else cancelTimer = clock.setTimer(watchTime, checkEvery);
    }

    const release = onAbort(stop, () => finish('stopped'));
    const subscription = store.onDidChange((change) => {
      if (change.kind === 'entry' && prioritized.has(cacheKeyId(change.key))) check();
    });
    try {
      watchTime();
      const why = await finished;
      lifetime.throwIfAborted();
      // The deployments may have another cause than a request without a response.
      if (entry.progress.kind !== 'following') return entry;
      return { ...entry, progress: why === 'over' ? { kind: 'over' } : { kind: 'left', why } };
    } finally {
      subscription.dispose();
      cancelTimer?.();
      release();
      polling.prioritize(reason, undefined);
    }
  }
}

/** Keeps deployments that a later response does not contain. */
function merge(seen: readonly Deployment[], found: readonly Deployment[]): readonly Deployment[] {
  const ids = new Set(found.map(({ id }) => id));
  const gone = seen.filter(({ id }) => !ids.has(id));
  const all = [...found.map((one) => limitSize(one)), ...gone];
  return newestFirst(all).slice(0, maxDeployments);
}

/** How many environments are read of those that are stored for a connection. */
const mostEnvironments = 100;

const environments = listOf(v.string(), mostEnvironments);

/** What decides whether a sync may be sent without a question. */
export interface SyncRequest {
  readonly target: EnvironmentTarget;
  /** The name from the API; undefined if it is not known. */
  readonly environmentName: string | undefined;
  /** Whether the user picked the environment from the list of the command. An argument is not a choice. */
  readonly isPicked: boolean;
  /** Whether another sync of the environment is running. */
  readonly isRunning: boolean;
  /** Whether the name of the source comes from the open folder or another program. */
  readonly isNamedByOthers: boolean;
}

/** The environments of the current connection that the user does not want to be asked about. */
export class SyncConsent {
  private readonly changes = new Emitter<void>();
  private readonly stored: StoredPerConnection<readonly string[]>;

  constructor(session: Pick<Session, 'state'>, storage: Storage) {
    this.stored = new StoredPerConnection(session, storage, 'syncsWithoutQuestion', (value) =>
      readStored(environments, value),
    );
  }

  /** Fires when the user gave one or took all back. */
  get onDidChange(): Event<void> {
    return this.changes.event;
  }

  /** Whether there is any. */
  get isAny(): boolean {
    return (this.stored.value ?? []).length > 0;
  }

  /** Whether a sync of the environment needs no question if nothing else speaks for one. */
  covers(target: EnvironmentTarget): boolean {
    return this.stored.value?.includes(keyOf(target)) ?? false;
  }

  /** Whether the sync needs no question. */
  isGiven(request: SyncRequest): boolean {
    return canGiveConsent(request) && this.covers(request.target);
  }

  give(target: EnvironmentTarget): void {
    const key = keyOf(target);
    const others = (this.stored.value ?? []).filter((one) => one !== key);
    this.stored.set([key, ...others]);
    this.changes.fire();
  }

  /** Every sync asks again. */
  takeBack(): void {
    this.stored.set(undefined);
    this.changes.fire();
  }
}

/** Whether the user may choose not to be asked again. It is asked anew if the name changes. */
export function canGiveConsent(request: SyncRequest): boolean {
  const { environmentName, isPicked, isRunning, isNamedByOthers } = request;
  const isHarmless = environmentName !== undefined && !isLikeProduction(environmentName);
  return isHarmless && isPicked && !isRunning && !isNamedByOthers;
}

function keyOf({ sourceId, environmentId }: EnvironmentTarget): string {
  return `${sourceId} ${environmentId}`.toLowerCase();
}
