import { dotted, type Texts } from '../base/textFormat';
import type { TimeFormat } from '../base/timeFormat';
import { isCommit } from '../commits/commitFacts';
import { type Commit, type CommitRange, kindOfRange } from '../commits/commitRange';
import type { DeploymentPair } from '../data/deployments';
import { shortSha } from '../data/deployments';

/** The two commits to compare, or why there are not two. */
type ComparedCommits =
  | { readonly kind: 'two'; readonly before: string; readonly now: string }
  /** The app or job was deployed for the first time, as far as the control plane tells. */
  | { readonly kind: 'first' }
  /** The control plane does not say which commit one of the two deployed. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'same'; readonly sha: string };

/** The commits of a deployment and of the one before it in its place. */
export function comparedCommits({
  deployment,
  previous,
}: Pick<DeploymentPair, 'deployment' | 'previous'>): ComparedCommits {
  if (previous === undefined) return { kind: 'first' };
  const [before, now] = [previous.commitSha, deployment.commitSha];
  if (!isCommit(before) || !isCommit(now)) return { kind: 'unknown' };
  if (before.toLowerCase() === now.toLowerCase()) return { kind: 'same', sha: now.toLowerCase() };
  return { kind: 'two', before: before.toLowerCase(), now: now.toLowerCase() };
}

/** Commits under a heading. */
interface Section {
  readonly heading: string;
  readonly commits: readonly Commit[];
  /** How many more there are. */
  readonly more: number;
}

/** The most commits of a section. */
const mostCommits = 200;

/** What changed, as sections to choose a commit from; none of them is empty. */
export function sectionsOf(range: CommitRange, { counted }: Texts): readonly Section[] {
  const { added, removed } = range;
  const [came, gone] = [added.length, removed.length];
  const isRollback = kindOfRange(range) === 'rollback';
  const sections = [
    { heading: counted(came, '{0} commit deployed', '{0} commits deployed'), all: added },
    {
      heading: isRollback
        ? counted(gone, 'Rollback: {0} commit undone', 'Rollback: {0} commits undone')
        : counted(gone, '{0} commit no longer deployed', '{0} commits no longer deployed'),
      all: removed,
    },
  ];
  return sections
    .filter(({ all }) => all.length > 0)
    .map(({ heading, all }) => ({
      heading,
      commits: all.slice(0, mostCommits),
      more: Math.max(0, all.length - mostCommits),
    }));
}

export function rangeTitle(range: CommitRange, { t }: Texts): string {
  const [from, to] = [shortSha(range.from) ?? '', shortSha(range.to) ?? ''];
  switch (kindOfRange(range)) {
    case 'forward':
      return t('What changed from {0} to {1}', from, to);
    case 'rollback':
      return t('Rollback from {0} to {1}', from, to);
    case 'otherHistory':
      return range.base === undefined
        ? t('{0} and {1} have no common history', from, to)
        : t('{0} is not in the history of {1}: another branch or a force push', from, to);
  }
}

/** A commit in a list, beside its title: `9f8e7d6 · A Person · 2 days ago · 3 files`. Untrusted. */
export function commitText(
  { sha, author, at, files }: Commit,
  { counted, timeFormat }: Pick<Texts, 'counted'> & { readonly timeFormat: TimeFormat },
): string {
  return dotted([
    shortSha(sha),
    author,
    timeFormat.relativeTo(at),
    files === undefined ? undefined : counted(files, '{0} file', '{0} files'),
  ]);
}
