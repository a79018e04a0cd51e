import { dotted } from '../../base/textFormat';
import type { SuspectedCommit, SuspectReason } from '../../commits/suspects';
import type { DataContext } from '../../data/dataContext';
import { shortSha } from '../../data/deployments';
import { makeNode, type NodeDetail, type TreeNode } from '../../trees/nodes';
import { plain } from '../../trees/status';
import type { Suspicion } from './suspects';

/** How many suspected commits are below a kind. */
const mostSuspects = 3;

/** `likely 9f8e7d6 · 2 days ago · A Person` */
export function suspectText(suspect: SuspectedCommit, context: DataContext): string {
  const { sha } = suspect.commit;
  return dotted([context.t('likely {0}', shortSha(sha) ?? ''), byline(suspect, context)]);
}

function byline({ commit: { at, author } }: SuspectedCommit, { timeFormat }: DataContext): string {
  return dotted([at === undefined ? undefined : timeFormat.relativeTo(at), author]);
}

/** The suspected commits of a kind. A click shows what one changed. */
export function suspectNodes(
  context: DataContext,
  parent: string,
  errorKey: string,
  suspicion: Suspicion = [],
): readonly TreeNode[] {
  return suspicion.slice(0, mostSuspects).map((suspect) => {
    const { commit, file } = suspect;
    return makeNode({
      id: `${parent}/suspect ${commit.sha}`,
      kind: 'errorSuspect',
      label: commit.title === '' ? (shortSha(commit.sha) ?? '') : commit.title,
      description: suspectText(suspect, context),
      status: plain('git-commit'),
      target: { errorKey, suspect: { sha: commit.sha, file }, name: commit.sha },
      record: suspect,
      details: () => suspicionDetails([suspect], context),
    });
  });
}

/** Why the first commit is suspected, or that none is; nothing while that is not known. */
export function suspicionDetails(
  suspicion: Suspicion | undefined,
  context: DataContext,
): readonly NodeDetail[] {
  if (suspicion === undefined) return [];
  const { t } = context;
  const [first] = suspicion;
  const label = t('Likely commit');
  if (first === undefined) return [{ label, value: t('unknown: no commit touches its stack') }];
  return [
    { label, value: dotted([shortSha(first.commit.sha), first.commit.title]) },
    { label: t('Reason'), value: reasonText(first.reason, t) },
  ];
}

function reasonText(reason: SuspectReason, t: DataContext['t']): string {
  switch (reason) {
    case 'line':
      return t('it changed a line of the stack');
    case 'near':
      return t('it changed lines next to one of the stack');
    case 'function':
      return t('it changed a function of the stack');
    case 'word':
      return t('it added a name from the message to a file of the stack');
  }
}
