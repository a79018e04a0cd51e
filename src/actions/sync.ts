import { minute, second } from '../api/clock';
import type { Deployment } from '../api/types';
import { type ResourceKey, resourceKeyOf } from '../inventory/resourceKeys';
import { hasDeploymentEnded } from '../inventory/states';
import { keepEqual } from '../inventory/structuralSharing';
import type { ActionContext, TrackedEntry } from './actionRun';
import type { LeftWhy, SyncEntry } from './activityEntry';
import { limitSize } from './activityStorage';
import {
  appsWithout,
  compareDeployments,
  deploymentsSince,
  environmentTopics,
} from './environmentDeployments';
import { sendAction } from './sendAction';

/** So long without any deployment, and the sync has started none. */
const longestSilence = 2 * minute;
/** So long after all of them have ended one more may come, where not everything was deployed. */
const settling = minute;
/** So much time that was watched, and nobody watches any longer. */
const longestFollow = 30 * minute;
/** What lies between two looks counts as watched up to this: a machine that sleeps watches nothing. */
const longestGap = 2 * minute;
const lookAgain = 5 * second;
/** Of one entry, the newest. */
const maxDeployments = 50;

/**
 * Has the environment of a sync looked at often, and notes what is deployed to it since, until that of
 * each app has come to its end, or all that has come for a minute; until nothing has come in two
 * minutes; or until it was watched for half an hour. The outcome of a sync that is unknown stays
 * unknown: somebody else may have deployed too.
 *
 * @throws the reason of `lifetime`.
 */
async function followDeployments(
  tracked: TrackedEntry<SyncEntry>,
  { store, polling, clock, lifetime, stop }: ActionContext,
): Promise<void> {
  const { before, id } = tracked.entry;
  if (before === undefined) return leave(tracked, 'noPolling');
  const reason = `sync ${id}`;
  const start = clock.monotonic();
  let changedAt = start;
  let lookedUntil = start;
  let watched = 0;
  let prioritized: ReadonlySet<string> = new Set();
  let cancelTimer: (() => void) | undefined;
  let finish: (why: LeftWhy | 'over') => void = () => undefined;
  const finished = new Promise<LeftWhy | 'over'>((resolve) => (finish = resolve));

  function look(): void {
    const topics = environmentTopics(store, tracked.entry);
    const keys = topics.map(resourceKeyOf);
    if (keys.length !== prioritized.size || keys.some((key) => !prioritized.has(key))) {
      prioritized = new Set(keys);
      polling.prioritize(reason, topics);
    }
    const { entry } = tracked;
    const found = deploymentsSince(store, entry, before ?? {});
    const deployments = keepEqual(entry.deployments, merge(entry.deployments, found));
    if (deployments !== entry.deployments) {
      changedAt = clock.monotonic();
      void tracked.set({ ...entry, deployments });
    }
    const seen = seenUntil(topics);
    if (deployments.length === 0) {
      if (seen - start >= longestSilence) finish('nothing');
    } else if (deployments.every(hasDeploymentEnded)) {
      const isAll = seen >= start && appsWithout(store, entry, before ?? {}).length === 0;
      if (isAll || seen - changedAt >= settling) finish('over');
    }
  }

  /** When all of it was asked for last, on the monotonic clock. */
  function triedUntil(topics: readonly ResourceKey[]): number {
    return Math.min(...topics.map((topic) => store.entry(topic).triedAt ?? -Infinity));
  }

  /** When all of it was seen last: what was not answered proves no silence. */
  function seenUntil(topics: readonly ResourceKey[]): number {
    const isSeen = topics.every((topic) => store.entry(topic).error === undefined);
    return isSeen ? triedUntil(topics) : -Infinity;
  }

  /** Time itself may end it; and answers that change nothing, which the store tells nobody of. */
  function watchTime(): void {
    look();
    const until = triedUntil(environmentTopics(store, tracked.entry));
    if (until > lookedUntil) {
      watched += Math.min(until - lookedUntil, longestGap);
      lookedUntil = until;
    }
    if (watched >= longestFollow) finish('deadline');
    else cancelTimer = clock.setTimer(watchTime, lookAgain);
  }

  const onStop = (): void => finish('stopped');
  stop.addEventListener('abort', onStop);
  const unsubscribe = store.onDidChange((change) => {
    if (change.kind === 'entry' && prioritized.has(resourceKeyOf(change.key))) look();
  });
  try {
    if (stop.aborted) onStop();
    watchTime();
    const why = await finished;
    lifetime.throwIfAborted();
    await (why === 'over' ? end(tracked) : leave(tracked, why));
  } finally {
    unsubscribe();
    cancelTimer?.();
    stop.removeEventListener('abort', onStop);
    polling.prioritize(reason, undefined);
  }
}

/** What was seen stays, whatever a later answer leaves out. */
function merge(seen: readonly Deployment[], found: readonly Deployment[]): readonly Deployment[] {
  const ids = new Set(found.map(({ id }) => id));
  const gone = seen.filter(({ id }) => !ids.has(id));
  const all = [...found.map((one) => limitSize(one)), ...gone];
  return all.sort(compareDeployments).slice(0, maxDeployments);
}

async function end(tracked: TrackedEntry<SyncEntry>): Promise<void> {
  if (tracked.entry.progress.kind !== 'following') return;
  await tracked.set({ ...tracked.entry, progress: { kind: 'over' } });
}

async function leave(tracked: TrackedEntry<SyncEntry>, why: LeftWhy): Promise<void> {
  if (tracked.entry.progress.kind !== 'following') return;
  await tracked.set({ ...tracked.entry, progress: { kind: 'left', why } });
}

/**
 * Sends one sync, once: only what was surely refused for its rate is sent again. Then follows what is
 * deployed to the environment since; where no answer came too, since that is how one finds out.
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

/** Goes on after a reload; a sync whose answer nobody has seen is never sent again. */
export async function resumeSync(
  tracked: TrackedEntry<SyncEntry>,
  context: ActionContext,
): Promise<void> {
  if (tracked.entry.progress.kind === 'sending') {
    await tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
  }
  await followDeployments(tracked, context);
}
