import type { Deployment } from '../../api/types';
import { detailsOf } from '../tree/details';
import { isUuid, shortId } from '../targets';
import { timeOf } from '../../text/timeFormat';
import { createKeys, makeNode } from '../tree/nodes';
import type { NodeTarget, TreeContext, TreeNode } from '../tree/nodes';
import { isRunning, deploymentStates } from '../states';
import { statusOf } from '../tree/status';
import { dotted } from '../../text/textFormat';

/** When it was created, in milliseconds since 1970. */
export function deploymentTime({
  createdAt,
  startedAt,
  updatedAt,
}: Deployment): number | undefined {
  return timeOf(createdAt) ?? timeOf(startedAt) ?? timeOf(updatedAt);
}

/** What the rows above a deployment already say. */
interface DeploymentParent {
  readonly branch: string | undefined;
  /** The name of the environment. */
  readonly environment: string | undefined;
}

/** The deployments of a resource, newest first; those without a time last, in the given order. */
export function deploymentNodes(
  context: TreeContext,
  parent: string,
  deployments: readonly Deployment[],
  above: DeploymentParent,
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'deployment');
  const rows = deployments.map((deployment) => ({ deployment, time: deploymentTime(deployment) }));
  rows.sort((one, other) => compareTimes(other.time, one.time));
  return rows.map(({ deployment, time }) =>
    deploymentNode(context, keyOf(deployment.id), deployment, time, above),
  );
}

function compareTimes(one = -Infinity, other = -Infinity): number {
  return one === other ? 0 : one - other;
}

function deploymentNode(
  context: TreeContext,
  id: string,
  deployment: Deployment,
  time: number | undefined,
  above: DeploymentParent,
): TreeNode {
  const { t, timeFormat } = context;
  const { commitSha, gitRef, state, errorCode, errorMessage } = deployment;
  const ref = shortRef(gitRef);
  const label =
    shortSha(commitSha) ??
    ref ??
    (deployment.id === undefined ? t('Deployment') : shortId(deployment.id));
  const error = errorCode ?? errorMessage;
  const length = lengthOf(deployment, context);
  return makeNode({
    id,
    kind: 'deployment',
    label,
    description: dotted([
      state === undefined ? error : error === undefined ? state : `${state}: ${error}`,
      time === undefined ? undefined : timeFormat.relativeTo(time),
      causeOf(deployment),
      ref === label || ref === shortRef(above.branch) ? undefined : ref,
      deployment.environment === above.environment ? undefined : deployment.environment,
    ]),
    status: statusOf(deploymentStates, state),
    target: targetOf(deployment, label),
    record: deployment,
    details: () => [
      ...detailsOf(deployment, context),
      ...(length === undefined ? [] : [{ label: t('Duration'), value: length }]),
    ],
  });
}

function targetOf(deployment: Deployment, label: string): NodeTarget {
  const { id, commitSha, sourceId, serverId, targetEnvironment } = deployment;
  // In one object literal, which takes less memory in a long list.
  return {
    id,
    deploymentId: id,
    name: commitSha,
    commitSha,
    sourceId,
    serverId,
    environmentId: targetEnvironment?.id,
    follow: isUuid(id) ? { filter: { deploymentIds: [id] }, label } : undefined,
  };
}

/** Its kind if that is unusual, otherwise its trigger, such as `push` or `rollback`. */
function causeOf({ kind, trigger }: Deployment): string | undefined {
  return kind === 'deploy' ? trigger : (kind ?? trigger);
}

/** How long it took, or has been running. */
function lengthOf(deployment: Deployment, { timeFormat, now }: TreeContext): string | undefined {
  const start = timeOf(deployment.startedAt);
  const end = timeOf(deployment.finishedAt) ?? (isRunning(deployment) ? now() : undefined);
  return start === undefined || end === undefined ? undefined : timeFormat.duration(end - start);
}

/** The first 7 digits of a commit hash; other text as it is. */
export function shortSha(commit: string | undefined): string | undefined {
  if (commit === undefined || commit === '') return undefined;
  return /^[\da-f]{40,64}$/i.test(commit) ? commit.slice(0, 7) : commit;
}

/** A branch or tag without its `refs/…/` prefix. */
export function shortRef(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/(?:heads|tags|remotes)\//, '');
}
