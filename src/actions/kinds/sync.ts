import * as v from 'valibot';
import {
  type ActionProgress,
  storedMembers,
  storedTime,
  storedUuid,
  type UnwatchedReason,
} from '../../activity/activityEntry';
import { limitSize, maxDeployments, readDeployments } from '../../activity/activityStorage';
import { type ActionKind, type ActivityContext, durationHere } from '../../activity/entryKind';
import { cancelled } from '../../activity/problems';
import {
  type Look,
  pollUntil,
  type Runner,
  type RunSignals,
  throwUnlessStopped,
  WatchedWork,
} from '../../activity/runner';
import type { ControlPlaneClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import { operations } from '../../api/generated/operations';
import { readLenient } from '../../api/readLenient';
import type { Deployment, SyncOutcome } from '../../api/types';
import { type Clock, minute, second } from '../../base/clock';
import { isObject, type JsonObject, keepEqual } from '../../base/json';
import { maybe } from '../../base/storedValue';
import { dotted, joined, type Translate } from '../../base/textFormat';
import { newestFirst } from '../../data/deployments';
import type { Polling } from '../../data/polling';
import { hasEnded, hasSucceeded, stateMeaning } from '../../data/states';
import { workText } from '../../data/stateWords';
import { isRefusal, type CacheKey, cacheKeyId, type Store } from '../../data/store';
import { isUuid } from '../../data/targets';
import { detailLines, detailsOf } from '../../trees/nodes';
import { deploymentNodes } from '../../trees/sources/resourceNodes';
import { plain, workStatus, worst } from '../../trees/status';
import {
  appsWithout,
  type Baselines,
  completeBaselines,
  deploymentsSince,
  environmentKeys,
  readLastDeployed,
} from '../environmentDeployments';
import { sendAction } from '../sendAction';

const stored = v.pipe(
  v.object({
    ...storedMembers,
    kind: v.literal('sync'),
    sourceId: storedUuid,
    sourceName: maybe(v.string()),
    environmentId: storedUuid,
    environmentName: maybe(v.string()),
    /** When it was sent, or else started, in milliseconds since 1970 by the server's clock. */
    sentAt: maybe(storedTime),
    before: v.optional(
      v.pipe(v.fallback(v.custom<JsonObject>(isObject), {}), v.transform(readBaselines)),
      {},
    ),
    /** The members of `sync` in the response. */
    sync: maybe(v.pipe(v.custom<JsonObject>(isObject), v.transform(limitSize))),
    /** What became of it, where the control plane describes that it says so. */
    outcome: maybe(v.pipe(v.custom<JsonObject>(isObject), v.transform(readOutcome))),
    /** Whether the automatic deployment of the environment was paused afterwards. */
    isPaused: maybe(v.boolean()),
    /** Deployments to the environment since then, newest first. */
    deployments: v.optional(v.pipe(v.unknown(), v.transform(readDeployments)), []),
  }),
  v.transform(({ sourceName, environmentName, sentAt, ...entry }) => ({
    ...entry,
    sentAt: sentAt ?? entry.at,
    sourceName: sourceName ?? entry.sourceId,
    environmentName: environmentName ?? entry.environmentId,
  })),
  v.readonly(),
);

export type SyncEntry = v.InferOutput<typeof stored>;

function readBaselines(value: JsonObject): Baselines {
  const times = Object.entries(value).filter(
    (entry): entry is [string, number] => isUuid(entry[0]) && v.is(storedTime, entry[1]),
  );
  return Object.fromEntries(times);
}

function readOutcome(value: JsonObject): SyncOutcome {
  const { sync = {} } = readLenient('SyncOutcomeResponse', { sync: value }).value;
  return limitSize(sync);
}

/** Deploys an environment again. */
export const syncKind: ActionKind<
  SyncEntry,
  Pick<SyncEntry, 'sourceId' | 'sourceName' | 'environmentId' | 'environmentName'>
> = {
  name: 'sync',
  schema: stored,
  request: {
    operation: operations.syncEnvironment,
    lacksText: (t) =>
      t(
        'A sync requires the permission {0}, which the API key does not have.',
        operations.syncEnvironment.permission,
      ),
    unknownText: (t) =>
      t(
        'no response, so it may or may not have started. It is not sent again automatically. Check the deployments first.',
      ),
  },
  begin: (target, at) => ({
    kind: 'sync',
    ...target,
    sentAt: at,
    before: {},
    deployments: [],
    progress: { kind: 'preparing' },
  }),
  runner: ({ client, store, polling, clock, random }) =>
    new SyncRunner(client, store, polling, clock, random),
  title: ({ environmentName, sourceName }, { t }) =>
    t('Sync {0} of {1}', environmentName, sourceName),
  resultTitle: ({ environmentName }, t) => t('Sync of {0} – result', environmentName),
  words({ progress, deployments, outcome, isPaused }, context) {
    const { t } = context;
    const isWaiting = progress.kind === 'following' && deployments.length === 0;
    return dotted([
      outcomeText(outcome, context),
      isWaiting && outcome === undefined
        ? t('accepted, waiting for deployments')
        : deploymentsText(deployments, t),
      isPaused === true ? t('automatic deployment is paused') : undefined,
    ]);
  },
  leftText: (why, t) =>
    why === 'noPolling' ? t('accepted; deployments cannot be watched') : undefined,
  status: ({ deployments, outcome }) =>
    worst([...deployments, ...endedOutcome(outcome)].map(({ state }) => workStatus(state))) ?? {
      ...plain('sync~spin', 'charts.blue'),
      rank: 2,
    },
  target: ({ sourceId, environmentId }) => ({ sourceId, environmentId }),
  details(entry, context) {
    const { t } = context;
    const { sourceName, sourceId, environmentName, environmentId, sync, deployments } = entry;
    const issues = (entry.outcome?.issues ?? []).map(issueText);
    return [
      ...detailLines([
        [t('Source'), `${sourceName} (${sourceId})`],
        [t('Environment'), `${environmentName} (${environmentId})`],
      ]),
      ...detailLines(issues.map((text) => [t('Problem'), text])),
      ...(sync === undefined ? [] : detailsOf({ sync: { ...sync, ...entry.outcome } }, context)),
      ...detailLines([[t('Deployments since'), deployments.length]]),
    ];
  },
  children({ deployments, environmentName }, context, id) {
    const above = { branch: undefined, environment: environmentName };
    return deployments.length === 0
      ? undefined
      : () => deploymentNodes(context, id, deployments, above);
  },
  canWatch: () => true,
  duration: (entry) => (entry.deployments.every(hasEnded) ? durationHere(entry) : undefined),
  response: ({ sync }) => sync,
};

/** What became of the import of the configuration, with its first problem. Untrusted. */
function outcomeText(
  outcome: SyncOutcome | undefined,
  { t, counted }: Pick<ActivityContext, 't' | 'counted'>,
): string | undefined {
  const [ended] = endedOutcome(outcome);
  if (outcome === undefined || ended === undefined) return undefined;
  if (stateMeaning(ended.state) === 'succeeded') return t('configuration imported');
  const [first, ...others] = (outcome.issues ?? []).map(issueText);
  const state =
    stateMeaning(ended.state) === 'failed'
      ? t('the configuration was not imported')
      : workText(ended.state, t);
  const more =
    others.length > 0 ? counted(others.length, '{0} more problem', '{0} more problems') : undefined;
  return dotted([joined([state, first], ': '), more]);
}

/** Such as `apps.web.port: must be a number`. Untrusted. */
function issueText({ path, message }: NonNullable<SyncOutcome['issues']>[number]): string {
  return joined([path?.join('.'), message], ': ');
}

/** The state of an import that has ended. */
function endedOutcome(outcome: SyncOutcome | undefined): readonly { readonly state: string }[] {
  const { status, finishedAt } = outcome ?? {};
  const hasCome =
    status !== undefined &&
    hasEnded({ state: status, ...(finishedAt === undefined ? {} : { finishedAt }) });
  return hasCome ? [{ state: status }] : [];
}

/** The number of deployments in each state, such as `succeeded: 2/3, failed: 1`. */
function deploymentsText(deployments: readonly Deployment[], t: Translate): string | undefined {
  const counts = new Map<string, number>();
  const withResult = (isGood: boolean): readonly Deployment[] =>
    deployments.filter((one) => hasSucceeded(one) === isGood);
  for (const { state } of [...withResult(true), ...withResult(false)]) {
    const words = workText(state, t) ?? t('unknown');
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const all = deployments.length;
  return [...counts]
    .map(([state, count], index) => {
      const isPart = index === 0 && count < all;
      return `${state}: ${count}${isPart ? `/${all}` : ''}`;
    })
    .join(', ');
}

/** After this time without a deployment, the sync has started none. In milliseconds. */
const longestSilence = 2 * minute;
/** How long to wait for more deployments if not all apps were deployed, in milliseconds. */
const longestPause = minute;
/** How long a sync is watched, in milliseconds. */
const longestFollow = 30 * minute;
const checkEvery = 5 * second;

/**
 * Reads what is deployed and sends a sync once; it is sent again only after a 429. Then watches the
 * deployments of the environment, also if there was no response, because these show whether the sync started.
 */
class SyncRunner implements Runner<SyncEntry> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'syncEnvironment' | 'getSync' | 'serverNow'>,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'prioritize'>,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

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
      operations.syncEnvironment.retry,
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

  /** @throws the reason of `lifetime`. */
  private async follow(
    first: SyncEntry,
    signals: RunSignals,
    report: (entry: SyncEntry) => Promise<void>,
  ): Promise<SyncEntry> {
    const { store, polling, clock } = this;
    const watch = new SyncWatch(first, report, { store, polling, clock }, (entry) =>
      this.readOutcome(entry, signals),
    );
    const look = (): Promise<Look<WatchEnd>> => watch.look();
    const why = await pollUntil(clock, look, signals, store.onDidChange).finally(() => watch.end());
    const { entry } = watch;
    // The deployments may have another cause than a request without a response.
    if (entry.progress.kind !== 'following') return entry;
    const isPaused =
      why !== 'stopped' && entry.outcome !== undefined
        ? { isPaused: await this.readIsPaused(entry) }
        : {};
    const progress: ActionProgress = why === 'over' ? { kind: 'over' } : { kind: 'left', why };
    return { ...entry, ...isPaused, progress };
  }

  /**
   * Undefined if the control plane does not say what became of the sync, or not now. A person waits for it, so it does
   * not wait behind what is looked at in any case.
   */
  private async readOutcome(
    { sourceId, sync }: SyncEntry,
    { stop }: RunSignals,
  ): Promise<SyncOutcome | undefined> {
    const syncId = sync?.['id'];
    if (typeof syncId !== 'string' || !isUuid(syncId)) return undefined;
    const answer = await this.client
      .getSync({ sourceId, syncId }, { signal: stop, priority: 'person' })
      .catch((error: unknown) => {
        stop.throwIfAborted();
        if (error instanceof ApiError) return undefined;
        throw error;
      });
    return answer?.sync && limitSize(answer.sync);
  }

  private async readIsPaused({ sourceId, environmentId }: SyncEntry): Promise<boolean | undefined> {
    await this.store.refresh({ kind: 'environments', id: sourceId }, 'person');
    const { environments = [] } = this.store.read('environments', sourceId).value ?? {};
    return environments.find(({ id }) => id === environmentId)?.autoDeployPaused;
  }
}

type WatchEnd = UnwatchedReason | 'over';

/**
 * Watches the environment of a sync and saves its new deployments. Ends when a deployment of each app has ended,
 * when all deployments have ended and no new one came for a minute, when there was none for two minutes, after
 * half an hour, or when the control plane says that the sync has failed or deploys nothing. An unknown outcome
 * stays unknown, because the deployments may have another cause.
 */
class SyncWatch {
  private readonly start: number;
  private changedAt: number;
  private readonly work: WatchedWork;
  private prioritized: ReadonlySet<string> = new Set();
  private askedAt = -Infinity;

  /** @param readOutcome what became of the sync, if the control plane says that. */
  constructor(
    private current: SyncEntry,
    private readonly report: (entry: SyncEntry) => Promise<void>,
    private readonly watched: {
      readonly store: Store;
      readonly polling: Pick<Polling, 'prioritize'>;
      readonly clock: Clock;
    },
    private readonly readOutcome: (entry: SyncEntry) => Promise<SyncOutcome | undefined>,
  ) {
    this.start = watched.clock.monotonic();
    this.changedAt = this.start;
    this.work = new WatchedWork(this.start);
  }

  /** The sync with what was seen of it so far. */
  get entry(): SyncEntry {
    return this.current;
  }

  async look(): Promise<Look<WatchEnd>> {
    await this.ask();
    const [ended] = endedOutcome(this.current.outcome);
    if (ended !== undefined) {
      const isImportOnly = this.current.sync?.['deployAfterSync'] === false;
      if (isImportOnly || !hasSucceeded(ended)) return { end: 'over' };
    }
    return this.lookAtDeployments();
  }

  end(): void {
    this.watched.polling.prioritize(this.reason, undefined);
  }

  private get reason(): string {
    return `sync ${this.current.id}`;
  }

  private change(change: Partial<SyncEntry>): void {
    this.current = { ...this.current, ...change };
    void this.report(this.current);
  }

  private async ask(): Promise<void> {
    const { clock } = this.watched;
    const { outcome: before } = this.current;
    if (endedOutcome(before).length > 0 || clock.monotonic() - this.askedAt < checkEvery) return;
    this.askedAt = clock.monotonic();
    const outcome = keepEqual(before, await this.readOutcome(this.current));
    if (outcome !== before && outcome !== undefined) this.change({ outcome });
  }

  private lookAtDeployments(): Look<WatchEnd> {
    const { store } = this.watched;
    const resources = environmentKeys(store, this.current);
    this.prioritize(resources);
    const shown = resources.filter((key) => !isRefusal(store.entry(key).error));
    // Without permission, there is nothing to watch: the first key has the resources, without their deployments.
    if (shown.every((key) => key === resources[0]) && resources.length > shown.length) {
      return { end: 'noPolling' };
    }
    this.findDeployments();
    const end = this.endAt(this.seenUntil(shown));
    if (end !== undefined) return { end };
    this.work.lookAt(this.triedUntil(resources));
    // The store does not report responses that change nothing.
    return this.work.time >= longestFollow ? { end: 'deadline' } : { wait: checkEvery };
  }

  private prioritize(resources: readonly CacheKey[]): void {
    const keys = new Set(resources.map(cacheKeyId));
    const { prioritized } = this;
    if (keys.size === prioritized.size && [...keys].every((key) => prioritized.has(key))) return;
    this.prioritized = keys;
    this.watched.polling.prioritize(this.reason, resources);
  }

  private findDeployments(): void {
    const { store, clock } = this.watched;
    const entry = this.current;
    const before = completeBaselines(
      store,
      entry,
      (resourceId) => this.seenUntil([{ kind: 'deployments', id: resourceId }]) >= this.start,
    );
    const found = deploymentsSince(store, entry, before);
    const deployments = keepEqual(entry.deployments, merge(entry.deployments, found));
    if (deployments !== entry.deployments) this.changedAt = clock.monotonic();
    else if (before === entry.before) return;
    this.change({ before, deployments });
  }

  /**
   * Why there is nothing more to wait for.
   *
   * @param seen when everything was last loaded, on the monotonic clock.
   */
  private endAt(seen: number): WatchEnd | undefined {
    const { store } = this.watched;
    const { before, deployments } = this.current;
    if (deployments.length === 0)
      return seen - this.start >= longestSilence ? 'nothing' : undefined;
    // All are looked at: each look remembers what it saw.
    if (deployments.filter((one) => !this.work.hasEnded(one)).length > 0) return undefined;
    const isAll = seen >= this.start && appsWithout(store, this.current, before).length === 0;
    return isAll || seen - this.changedAt >= longestPause ? 'over' : undefined;
  }

  /** When all keys were last requested, on the monotonic clock. */
  private triedUntil(resources: readonly CacheKey[]): number {
    const { store } = this.watched;
    return Math.min(...resources.map((key) => store.entry(key).triedAt ?? -Infinity));
  }

  /** When all keys were last loaded. If one failed, nothing is known about new deployments. */
  private seenUntil(resources: readonly CacheKey[]): number {
    const { store } = this.watched;
    const isSeen = resources.every((key) => store.entry(key).error === undefined);
    return isSeen ? this.triedUntil(resources) : -Infinity;
  }
}

/** Keeps deployments that a later response does not contain. */
function merge(seen: readonly Deployment[], found: readonly Deployment[]): readonly Deployment[] {
  const ids = new Set(found.map(({ id }) => id));
  const gone = seen.filter(({ id }) => !ids.has(id));
  const all = [...found.map((one) => limitSize(one)), ...gone];
  return newestFirst(all).slice(0, maxDeployments);
}
