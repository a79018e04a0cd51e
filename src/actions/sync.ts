import { minute, onAbort, second } from '../base/clock';
import type { Deployment } from '../api/types';
import { isRefusal, type CacheKey, cacheKeyId } from '../data/cacheKeys';
import { newestFirst } from '../data/deployments';
import { keepEqual } from '../data/structuralSharing';
import type { ActionContext, TrackedEntry } from './actionRun';
import type { SyncEntry, UnwatchedReason } from './activityEntry';
import { limitSize } from './activityStorage';
import {
  appsWithout,
  completeBaselines,
  deploymentsSince,
  environmentKeys,
} from './environmentDeployments';
import { sendAction } from './sendAction';
import { WatchedWork } from './watchedWork';

/** After this time without a deployment, the sync has started none. In milliseconds. */
const longestSilence = 2 * minute;
/** How long to wait for more deployments if not all apps were deployed, in milliseconds. */
const longestPause = minute;
/** How long a sync is watched, in milliseconds. */
const longestFollow = 30 * minute;
/** The most milliseconds between two checks that count as watched, because the machine may sleep. */
const longestGap = 2 * minute;
const checkEvery = 5 * second;
/** How many deployments an entry has at most: the newest. */
const maxDeployments = 50;

/**
 * Polls the environment of a sync and saves its new deployments. Ends when a deployment of each app has
 * ended, when all deployments have ended and no new one came for a minute, when there was none for two
 * minutes, or after half an hour. An unknown outcome stays unknown, because the deployments may have
 * another cause.
 *
 * @throws the reason of `lifetime`.
 */
async function followDeployments(
  tracked: TrackedEntry<SyncEntry>,
  { store, polling, clock, lifetime, stop }: ActionContext,
): Promise<void> {
  const { id } = tracked.entry;
  const reason = `sync ${id}`;
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
    const resources = environmentKeys(store, tracked.entry);
    const keys = resources.map(cacheKeyId);
    if (keys.length !== prioritized.size || keys.some((key) => !prioritized.has(key))) {
      prioritized = new Set(keys);
      polling.prioritize(reason, resources);
    }
    const shown = resources.filter((key) => !isRefusal(store.entry(key).error));
    // Without permission, there is nothing to watch.
    if (!shown.some(({ kind }) => kind === 'deployments') && resources.length > shown.length) {
      finish('noPolling');
      return;
    }
    const { entry } = tracked;
    const before = completeBaselines(
      store,
      entry,
      (resourceId) => seenUntil([{ kind: 'deployments', resourceId }]) >= start,
    );
    const found = deploymentsSince(store, entry, before);
    const deployments = keepEqual(entry.deployments, merge(entry.deployments, found));
    if (deployments !== entry.deployments) changedAt = clock.monotonic();
    if (deployments !== entry.deployments || before !== entry.before) {
      void tracked.set({ ...entry, before, deployments });
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
    const until = triedUntil(environmentKeys(store, tracked.entry));
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
    await (why === 'over' ? end(tracked) : leave(tracked, why));
  } finally {
    subscription.dispose();
    cancelTimer?.();
    release();
    polling.prioritize(reason, undefined);
  }
}

/** Keeps deployments that a later response does not contain. */
function merge(seen: readonly Deployment[], found: readonly Deployment[]): readonly Deployment[] {
  const ids = new Set(found.map(({ id }) => id));
  const gone = seen.filter(({ id }) => !ids.has(id));
  const all = [...found.map((one) => limitSize(one)), ...gone];
  return newestFirst(all).slice(0, maxDeployments);
}

async function end(tracked: TrackedEntry<SyncEntry>): Promise<void> {
  if (tracked.entry.progress.kind !== 'following') return;
  await tracked.set({ ...tracked.entry, progress: { kind: 'over' } });
}

async function leave(tracked: TrackedEntry<SyncEntry>, why: UnwatchedReason): Promise<void> {
  if (tracked.entry.progress.kind !== 'following') return;
  await tracked.set({ ...tracked.entry, progress: { kind: 'left', why } });
}

/**
 * Sends a sync once; it is sent again only after a 429. Then watches the deployments of the environment,
 * also if there was no response, because these show whether the sync started.
 *
 * @throws the reason of `lifetime`.
 */
export async function runSync(
  tracked: TrackedEntry<SyncEntry>,
  context: ActionContext,
): Promise<void> {
  const { sourceId, environmentId } = tracked.entry;
  const sent = await sendAction(
    'unsafe',
    (options) => context.client.syncEnvironment({ sourceId, environmentId }, options),
    context,
  );
  if (sent.kind === 'failed') {
    await tracked.set({ ...tracked.entry, progress: sent.progress });
    if (sent.progress.kind === 'unknown') await followDeployments(tracked, context);
    return;
  }
  const { sync } = sent.answer;
  await tracked.set({
    ...tracked.entry,
    progress: { kind: 'following' },
    ...(sync === undefined ? {} : { sync: limitSize(sync) }),
  });
  await followDeployments(tracked, context);
}

/** Resumes a sync after a reload. A sync without a response is never sent again. */
export async function resumeSync(
  tracked: TrackedEntry<SyncEntry>,
  context: ActionContext,
): Promise<void> {
  if (tracked.entry.progress.kind === 'sending') {
    await tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
  }
  await followDeployments(tracked, context);
}
