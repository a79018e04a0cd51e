import type { Deployment } from '../api/types';
import { detailsOf } from './details';
import { isUuid, shortId } from './knownThings';
import { timeOf } from './moments';
import { createKeys, dotted, makeNode } from './nodeParts';
import type { NodeTarget, TreeContext, TreeNode } from './nodes';
import { deploymentStates, isRunning, statusOf } from './states';

/** When it came to be, in milliseconds since 1970. */
export function deploymentTime({
  createdAt,
  startedAt,
  updatedAt,
}: Deployment): number | undefined {
  return timeOf(createdAt) ?? timeOf(startedAt) ?? timeOf(updatedAt);
}

/** The deployments of a resource, newest first; those without a time last, as they came. */
export function deploymentNodes(
  context: TreeContext,
  parent: string,
  deployments: readonly Deployment[],
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'deployment');
  return deployments
    .map((deployment) => ({ deployment, time: deploymentTime(deployment) ?? -Infinity }))
    .sort((one, other) => (one.time === other.time ? 0 : other.time - one.time))
    .map(({ deployment }) => deploymentNode(context, keyOf(deployment.id), deployment));
}

function deploymentNode(context: TreeContext, id: string, deployment: Deployment): TreeNode {
  const { t } = context;
  const { commitSha, gitRef, state, errorCode, errorMessage } = deployment;
  const label =
    shortSha(commitSha) ??
    shortRef(gitRef) ??
    (deployment.id === undefined ? t('Deployment') : shortId(deployment.id));
  const error = errorMessage ?? errorCode;
  return makeNode({
    id,
    kind: 'deployment',
    label,
    description: dotted([
      state === undefined || error === undefined ? state : `${state}: ${error}`,
      state === undefined ? error : undefined,
      shortRef(gitRef),
      causeOf(deployment, t),
      deployment.environment,
      ...agesOf(deployment, context),
    ]),
    status: statusOf(deploymentStates, state),
    target: targetOf(deployment, label),
    record: deployment,
    details: () => detailsOf(deployment, context),
    time: () => deploymentTime(deployment),
  });
}

function targetOf(deployment: Deployment, label: string): NodeTarget {
  const { id, commitSha, sourceId, serverId, targetEnvironment } = deployment;
  return {
    ...(id === undefined ? {} : { id, deploymentId: id }),
    ...(isUuid(id) ? { follow: { filter: { deploymentIds: [id] }, label } } : {}),
    ...(commitSha === undefined ? {} : { commitSha, name: commitSha }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(serverId === undefined ? {} : { serverId }),
    ...(targetEnvironment?.id === undefined ? {} : { environmentId: targetEnvironment.id }),
  };
}

/** What was done and what made it happen, such as `deploy by push`. */
function causeOf({ kind, trigger }: Deployment, t: TreeContext['t']): string | undefined {
  return kind === undefined || trigger === undefined
    ? (kind ?? trigger)
    : t('{0} by {1}', kind, trigger);
}

/** How long ago, and how long it took or has been taking. */
function agesOf(deployment: Deployment, { t, moments, now }: TreeContext): (string | undefined)[] {
  const { createdAt, startedAt, updatedAt, finishedAt } = deployment;
  const began = [createdAt, startedAt, updatedAt].find((time) => timeOf(time) !== undefined);
  const start = timeOf(startedAt);
  const end = timeOf(finishedAt);
  const age = began === undefined ? undefined : moments.relative(began);
  if (start === undefined) return [age];
  if (end !== undefined) return [age, t('took {0}', moments.duration(end - start))];
  const soFar = t('for {0} so far', moments.duration(now() - start));
  return [age, isRunning(deployment) ? soFar : undefined];
}

/** The beginning of a commit's hash, as Git shortens it; other text whole. */
export function shortSha(commit: string | undefined): string | undefined {
  if (commit === undefined || commit === '') return undefined;
  return /^[\da-f]{40,64}$/i.test(commit) ? commit.slice(0, 7) : commit;
}

function shortRef(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/(?:heads|tags|remotes)\//, '');
}
