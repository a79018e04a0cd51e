import { dotted, joined, type Texts } from '../base/textFormat';
import { cut } from '../base/plainText';
import type { TimeFormat } from '../base/timeFormat';
import { shortSha } from '../data/deployments';
import type { CheckedOutBranch } from './branch';
import type { BranchWords } from './branchText';
import { countedApps, endOfPush, hasCome, type PushedEnvironment } from './push';

/** The newest push, for the status bar. */
export interface ShownPush {
  /** The URI of the repository, as text. */
  readonly repository: string;
  readonly branch: string;
  readonly sha: string;
  /** When it was pushed, in wall-clock milliseconds of this machine. */
  readonly at: number;
  readonly environments: readonly PushedEnvironment[];
  readonly isOnItsWay: boolean;
  /** What became of it. */
  readonly note: string;
}

interface PushContext extends Texts {
  readonly timeFormat: TimeFormat;
  /** In wall-clock milliseconds. */
  readonly now: number;
}

/** The longest name in the status bar. */
const maxName = 30;

/** Whether a push goes to the branch that the status bar shows. */
export function isPushOf(
  push: ShownPush | undefined,
  { head }: CheckedOutBranch,
  repository: string | undefined,
): push is ShownPush {
  return push !== undefined && push.repository === repository && push.branch === head.branch;
}

/**
 * The texts of the status bar item after a push. While it is on its way, these are such as
 * `production a1b2c3d → 9f8e7d6 · deploying 1 of 3 · 1 min 20 sec`.
 *
 * @param words the texts without it.
 */
export function withPush(
  words: BranchWords,
  branch: CheckedOutBranch,
  push: ShownPush,
  { t, timeFormat, now }: PushContext,
): BranchWords {
  const environment = push.environments.find(({ apps }) => endOfPush(apps) === undefined);
  const shown = environment ?? push.environments[0];
  const apps = countedApps(push.environments.flatMap((one) => one.apps));
  const done = apps.filter(({ state }) => hasCome(state)).length;
  const sha = shortSha(push.sha) ?? '';
  const known = branch.environments.find(({ id, name }) =>
    id === undefined ? name === shown?.name : id.toLowerCase() === shown?.id?.toLowerCase(),
  );
  const before = known?.deployed.commits.find((one) => one.sha !== push.sha);
  const tooltip = [t('Pushed: {0}', dotted([sha, push.note])), ...words.tooltip];
  if (!push.isOnItsWay) return { ...words, tooltip };
  const name = cut(shown?.name ?? '', maxName);
  const step = apps.every(({ state }) => state === 'waiting')
    ? t('waiting for deployments')
    : t('deploying {0} of {1}', Math.min(done + 1, apps.length), apps.length);
  const way = before === undefined ? sha : `${shortSha(before.sha) ?? ''} → ${sha}`;
  return {
    text: dotted([joined([name, way], ' '), step, timeFormat.duration(now - push.at)]),
    // Without the time, which a screen reader would read every second.
    label: t('Control plane: {0} goes to {1}, {2}', sha, name, step),
    tooltip,
    isBusy: true,
  };
}
