import type { Resource } from '../../api/types';
import { httpsUrl } from '../../connection/connections';
import { dotted } from '../../text/textFormat';
import type { ResourceKey } from '../resourceKeys';
import { isAsWanted, isStopped } from '../states';
import { isUuid, shortId } from '../targets';
import { detailsOf } from '../tree/details';
import {
  createKeys,
  makeNode,
  type Mutable,
  type NodeStatus,
  type NodeTarget,
  type Texts,
  type TreeContext,
  type TreeNode,
} from '../tree/nodes';
import { childrenFrom, staleText } from '../tree/placeholderNodes';
import { driftStates, healthStates, ingressStates, runtimeStates } from '../tree/stateIcons';
import { plain, statusOf, warning, worst } from '../tree/status';
import { deploymentNodes, deploymentTime } from './deploymentNodes';

/** The apps and jobs of an environment. */
export function resourceNodes(
  context: TreeContext,
  parent: string,
  resources: readonly Resource[],
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'resource');
  return resources.map((resource) => {
    const id = keyOf(resource.id ?? nameOfResource(resource));
    return resourceNode(context, id, resource);
  });
}

/** What it is called; undefined where neither it nor its configuration has a name. */
export function nameOfResource({ name, config }: Resource): string | undefined {
  return name ?? config?.name;
}

/** When a resource was last deployed, as far as is known. */
export function lastDeployment({ store }: TreeContext, { id }: Resource): number | undefined {
  if (id === undefined) return undefined;
  const times = (store.deployments(id).value?.deployments ?? []).map(deploymentTime);
  return latest(times);
}

export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (last, time) => (last === undefined || (time ?? -Infinity) > last ? (time ?? last) : last),
    undefined,
  );
}

function resourceNode(context: TreeContext, id: string, resource: Resource): TreeNode {
  const { t, store } = context;
  const name = nameOfResource(resource);
  const label = name ?? (resource.id === undefined ? t('Resource') : shortId(resource.id));
  const topic: ResourceKey | undefined =
    resource.id !== undefined && isUuid(resource.id)
      ? { kind: 'deployments', resourceId: resource.id }
      : undefined;
  const known = topic === undefined ? undefined : store.known(topic);
  const { status, notable } = standing(resource, context);
  return makeNode({
    id,
    kind: 'resource',
    label,
    description: dotted([
      notable.join(', '),
      resource.archivedAt === undefined ? undefined : t('archived'),
      ...schedules(resource, t),
      known === undefined ? undefined : staleText(known, context),
    ]),
    status,
    target: targetOf(resource, label),
    topics: topic === undefined ? [] : [topic],
    record: resource,
    details: () => detailsOf(resource, context),
    time: () => lastDeployment(context, resource),
    children: () => [
      ...driftNodes(context, id, resource),
      ...(topic === undefined ? [] : deploymentsOf(context, id, topic)),
    ],
  });
}

function deploymentsOf(
  context: TreeContext,
  parent: string,
  topic: Extract<ResourceKey, { kind: 'deployments' }>,
): readonly TreeNode[] {
  const known = context.store.deployments(topic.resourceId);
  const none = context.t('No deployments');
  return childrenFrom(context, parent, topic, known, none, ({ deployments = [] }) =>
    deploymentNodes(context, parent, deployments),
  );
}

function driftNodes(
  { t }: TreeContext,
  parent: string,
  { runtimeState }: Resource,
): readonly TreeNode[] {
  const reasons = runtimeState?.driftReasons ?? [];
  if (reasons.length === 0) return [];
  const keyOf = createKeys(parent, 'drift');
  // A filter asks for resources that have drifted, and shows the reasons with them.
  const status = { ...warning(t('drift')), states: [] };
  return reasons.map((reason) =>
    makeNode({ id: keyOf(reason), kind: 'drift', label: reason, status }),
  );
}

interface Standing {
  /** With every state in words. */
  readonly status: NodeStatus;
  /** The words that are worth a place beside the label. */
  readonly notable: readonly string[];
}

/** How a resource stands: its icon tells the worst of what is known. */
function standing({ kind, runtimeState = {} }: Resource, texts: Texts): Standing {
  const { t } = texts;
  const { desiredState, observedState, healthStatus, driftStatus, ingressStatus } = runtimeState;
  const reasons = runtimeState.driftReasons?.length ?? 0;
  const isDrifted = reasons > 0 || statusOf(driftStates, driftStatus).rank > 2;
  const drift = driftWords(driftStatus, reasons, texts);
  const own = [observedLook(desiredState, observedState), statusOf(healthStates, healthStatus)];
  const looks = [
    ...own,
    isDrifted ? warning('') : statusOf(driftStates, driftStatus),
    statusOf(ingressStates, ingressStatus),
  ];
  const observed = observedWords(desiredState, observedState, t);
  const ingress = ingressStatus === undefined ? undefined : t('ingress {0}', ingressStatus);
  const words = [observed, healthStatus, ingress, drift].filter((word) => word !== undefined);
  const notable = [
    isUnknown(observedState) && isAsWanted(desiredState, observedState) ? undefined : observed,
    isUnknown(healthStatus) ? undefined : healthStatus,
    statusOf(ingressStates, ingressStatus).rank > 1 ? ingress : undefined,
    isDrifted ? drift : undefined,
  ].filter((word) => word !== undefined);
  const look = worst(looks);
  const icon = kind === 'job' ? 'watch' : isStopped(observedState) ? 'circle-slash' : 'package';
  // What is stopped, or nobody has observed, is not well because nothing has drifted.
  const saysNothing =
    look === undefined || look.rank === 0 || (look.rank === 1 && !own.some(({ rank }) => rank > 0));
  const base = saysNothing ? plain(icon) : look;
  const states = [
    ...[observedState, healthStatus].filter((state) => state !== undefined),
    ...(isDrifted ? [driftStatus ?? t('drifted')] : []),
  ];
  return { status: { ...base, words: words.join(', '), states }, notable };
}

function observedLook(desired: string | undefined, observed: string | undefined): NodeStatus {
  const look = statusOf(runtimeStates, observed);
  return isAsWanted(desired, observed) || look.rank > 3 ? look : warning('');
}

function observedWords(
  desired: string | undefined,
  observed: string | undefined,
  t: TreeContext['t'],
): string | undefined {
  if (observed === undefined) return desired === undefined ? undefined : t('wanted {0}', desired);
  if (desired === undefined || desired === observed) return observed;
  return t('{0} (wanted {1})', observed, desired);
}

function driftWords(
  status: string | undefined,
  reasons: number,
  { t, counted }: Texts,
): string | undefined {
  const words =
    status === undefined || status === 'drifted' ? t('drifted') : t('drift {0}', status);
  if (reasons > 0) return counted(reasons, '{1}: {0} reason', '{1}: {0} reasons', words);
  return status === undefined ? undefined : status === 'none' ? t('no drift') : words;
}

function isUnknown(state: string | undefined): boolean {
  return state === undefined || state.toLowerCase() === 'unknown';
}

/** When its jobs run, such as `5 * * * * UTC`. */
function schedules({ config }: Resource, t: TreeContext['t']): string[] {
  return (config?.jobs ?? []).flatMap(({ schedule, enabled }) => {
    if (schedule?.cron === undefined) return [];
    const words = [schedule.cron, schedule.timezone].filter((part) => part !== undefined).join(' ');
    return [enabled === false ? t('{0} (switched off)', words) : words];
  });
}

function targetOf(resource: Resource, label: string): NodeTarget {
  const { id, sourceId, environment } = resource;
  const name = nameOfResource(resource);
  const host = resource.config?.domains?.primary;
  const site = host === undefined || host.includes('://') ? host : `https://${host}`;
  const url = httpsUrl(site);
  const target: Mutable<NodeTarget> = {};
  if (id !== undefined) target.resourceId = target.id = id;
  if (name !== undefined) target.name = name;
  if (sourceId !== undefined) target.sourceId = sourceId;
  if (environment?.id !== undefined) target.environmentId = environment.id;
  // That a workload of the logs is a resource is the contract's `workloadIdentity` assumption.
  if (isUuid(id)) target.follow = { filter: { workloadIds: [id] }, label };
  if (url !== undefined) target.site = url;
  return target;
}
