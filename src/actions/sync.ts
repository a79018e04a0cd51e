import { bounded } from './limitSize';
import type { SyncEntry } from './entries';
import { followDeployments, type FollowContext } from './followDeployments';
import type { Tracked } from './run';
import { sendAction } from './sendAction';

/**
 * Sends one sync, once: only what was surely refused for its rate is sent again. Then follows what is
 * deployed to the environment since; where no answer came too, since that is how one finds out.
 *
 * @throws the reason of `lifetime`.
 */
export async function runSync(tracked: Tracked<SyncEntry>, context: FollowContext): Promise<void> {
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
    ...(sync === undefined ? {} : { sync: bounded(sync) }),
  });
  await followDeployments(tracked, context);
}

/** Goes on after a reload; a sync whose answer nobody has seen is never sent again. */
export async function resumeSync(
  tracked: Tracked<SyncEntry>,
  context: FollowContext,
): Promise<void> {
  if (tracked.entry.progress.kind === 'sending') {
    await tracked.set({ ...tracked.entry, progress: { kind: 'unknown', why: 'interrupted' } });
  }
  await followDeployments(tracked, context);
}
