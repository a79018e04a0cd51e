import type { Deployment } from '../../api/types';
import { dotted, joined } from '../../base/textFormat';
import { timeOf } from '../../base/timeFormat';
import { isRunning } from '../../data/states';
import { isUuid, shortId } from '../../data/targets';
import {
  factsOf,
  timeText,
  createKeys,
  makeNode,
  type NodeDetail,
  type NodeTarget,
  type TreeNode,
} from '../nodes';
import type { DataContext } from '../../data/dataContext';
import { workStatus } from '../status';
import { deploymentTime, newestFirst, shortRef, shortSha } from '../../data/deployments';

/** What the rows above a deployment already say. */
interface DeploymentParent {
  readonly branch: string | undefined;
  /** The name of the environment. */
  readonly environment: string | undefined;
}

/** The deployments of a resource, newest first. */
export function deploymentNodes(
  context: DataContext,
  parent: string,
  deployments: readonly Deployment[],
  above: DeploymentParent,
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'deployment');
  return newestFirst(deployments).map((deployment) =>
    deploymentNode(context, keyOf(deployment.id), deployment, above),
  );
}

function deploymentNode(
  context: DataContext,
  id: string,
  deployment: Deployment,
  above: DeploymentParent,
): TreeNode {
  const { t, timeFormat } = context;
  const { commitSha, gitRef, state, errorCode, errorMessage } = deployment;
  const ref = shortRef(gitRef);
  const time = deploymentTime(deployment);
  const label =
    shortSha(commitSha) ??
    ref ??
    (deployment.id === undefined ? t('Deployment') : shortId(deployment.id));
  const error = errorCode ?? errorMessage;
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
    status: workStatus(state),
    target: deploymentTarget(deployment, label),
    record: deployment,
    sentence: () => joined([state, causeOf(deployment)], ', '),
    details: () => deploymentDetails(deployment, context),
  });
}

/** The facts of the tooltip of a deployment. */
export function deploymentDetails(
  deployment: Deployment,
  context: DataContext,
): readonly NodeDetail[] {
  const { t } = context;
  const { commitSha, environment, errorCode, errorMessage, gitRef } = deployment;
  const start = deployment.startedAt ?? deployment.createdAt;
  return factsOf('Deployment', deployment, context, [
    [t('Failure'), joined([errorCode, errorMessage], ': ')],
    [t('Commit'), commitSha],
    [t('Branch'), shortRef(gitRef)],
    [t('Environment'), environment],
    [t('Started'), start === undefined ? undefined : timeText(start, context)],
    [t('Duration'), lengthOf(deployment, context)],
  ]);
}

/** What commands use of the row of a deployment. */
export function deploymentTarget(deployment: Deployment, label: string): NodeTarget {
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
function lengthOf(deployment: Deployment, { timeFormat, now }: DataContext): string | undefined {
  const start = timeOf(deployment.startedAt);
  const end = timeOf(deployment.finishedAt) ?? (isRunning(deployment) ? now() : undefined);
  return start === undefined || end === undefined ? undefined : timeFormat.duration(end - start);
}
