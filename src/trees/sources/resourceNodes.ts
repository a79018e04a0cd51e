import type { Resource, Deployment } from '../../api/types';
import { dotted, joined, type Texts, type Translate } from '../../base/textFormat';
import { timeOf } from '../../base/timeFormat';
import {
  deploymentTime,
  environmentOf,
  isIn,
  newestFirst,
  placeOfResource,
  shortRef,
  shortSha,
  siteOf,
} from '../../data/deployments';
import { nameOfResource, type DataContext } from '../../data/labels';
import { hasSucceeded, isAsWanted, isStopped, isRunning, stateKey } from '../../data/states';
import { stateInWords } from '../../data/stateWords';
import type { CacheKey } from '../../data/store';
import { isUuid, shortId } from '../../data/targets';
import {
  factsOf,
  timeText,
  createKeys,
  makeNode,
  type NodeDetail,
  type NodeStatus,
  type NodeTarget,
  type TreeNode,
} from '../nodes';
import { childrenFrom, staleText } from '../placeholderNodes';
import {
  isJob,
  lastLoggedText,
  nextRunOf,
  nextRunText,
  rawSchedules,
  schedulesInWords,
  silenceText,
} from './jobSchedules';
import {
  deploymentStatus,
  driftStates,
  healthStates,
  ingressStates,
  plain,
  runtimeStates,
  stateStatus,
  warning,
  worst,
} from '../status';

/** The apps and jobs of an environment. */
export function resourceNodes(
  context: DataContext,
  parent: string,
  resources: readonly Resource[],
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'resource');
  return resources.map((resource) => {
    const id = keyOf(resource.id ?? nameOfResource(resource));
    return resourceNode(context, id, resource);
  });
}

/** The most apps and jobs of an environment whose deployments are loaded for their rows. */
const maxDeployed = 20;

/** The keys for the rows of these resources. */
export function deploymentKeys(resources: readonly Resource[]): readonly CacheKey[] {
  return resources
    .map(({ id }) => id)
    .filter(isUuid)
    .slice(0, maxDeployed)
    .map((resourceId) => ({ kind: 'deployments', id: resourceId }));
}

/** How many of these resources have failed or are unhealthy; undefined for none. */
export function failingText(resources: readonly Resource[], context: Texts): string | undefined {
  const failing = resources.filter((resource) => stateOf(resource, context).status.rank > 3);
  return failing.length === 0 ? undefined : context.t('{0} failing', failing.length);
}

/** The known deployments of a resource to its environment: those of its previews are not what it runs. */
function ownDeployments({ store }: DataContext, resource: Resource): readonly Deployment[] {
  const { id } = resource;
  const all =
    (id === undefined ? undefined : store.read('deployments', id).value?.deployments) ?? [];
  return all.filter((one) => isIn(one, placeOfResource(resource)));
}

/** The commit that a resource runs, and when it was deployed, in milliseconds since 1970. */
function deployed(
  context: DataContext,
  resource: Resource,
): { readonly commit: string | undefined; readonly time: number | undefined } {
  const found = newestFirst(ownDeployments(context, resource)).find(hasSucceeded);
  return { commit: shortSha(found?.commitSha), time: found && deploymentTime(found) };
}

function resourceDetails(context: DataContext, resource: Resource): readonly NodeDetail[] {
  const { t } = context;
  const { archivedAt, config, kind, runtimeState = {} } = resource;
  const { desiredState: desired, observedState: observed, healthStatus: health } = runtimeState;
  const { driftStatus: drift, ingressStatus: ingress } = runtimeState;
  const said = (state: string | undefined): string | undefined => knownState(state, t);
  const { commit, time } = deployed(context, resource);
  const when = time === undefined ? undefined : timeText(new Date(time).toISOString(), context);
  const next = nextRunOf(resource, context);
  return factsOf('Resource', resource, context, [
    [t('State'), said(observed)],
    [
      t('Desired'),
      isAsWanted(desired, observed) && !isUnknown(observed) ? undefined : said(desired),
    ],
    [t('Health'), hasNoCheck(health) ? t('no health check') : said(health)],
    [t('Ingress'), said(ingress)],
    [t('Drift'), runtimeState.driftReasons?.join(', ') ?? said(drift)],
    [t('Kind'), kind],
    [t('Deployed'), joined([commit, when], ', ')],
    [t('Schedule'), rawSchedules(resource, t).join(', ')],
    [
      t('Next run'),
      next === undefined ? undefined : timeText(new Date(next).toISOString(), context),
    ],
    [t('Last logged'), lastLoggedText(resource, context)],
    [t('Site'), siteOf(config?.domains?.primary) ?? config?.domains?.primary],
    [t('Archived'), archivedAt === undefined ? undefined : timeText(archivedAt, context)],
  ]);
}

/** When a resource was last deployed, in milliseconds since 1970; undefined if unknown. */
export function lastDeployed(context: DataContext, resource: Resource): number | undefined {
  return latest(ownDeployments(context, resource).map(deploymentTime));
}

export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (last, time) => (last === undefined || (time ?? -Infinity) > last ? (time ?? last) : last),
    undefined,
  );
}

function resourceNode(context: DataContext, id: string, resource: Resource): TreeNode {
  const { t, store, timeFormat } = context;
  const name = nameOfResource(resource);
  const label = name ?? (resource.id === undefined ? t('Resource') : shortId(resource.id));
  const key: CacheKey<'deployments'> | undefined =
    resource.id !== undefined && isUuid(resource.id)
      ? { kind: 'deployments', id: resource.id }
      : undefined;
  const known = key === undefined ? undefined : store.entry(key);
  const { status, notable } = stateOf(resource, context);
  const { commit, time } = deployed(context, resource);
  const schedule = [...schedulesInWords(resource, context), nextRunText(resource, context)];
  const since = time === undefined ? undefined : lastDeployed(context, resource);
  return makeNode({
    id,
    kind: 'resource',
    isSortable: true,
    label,
    description: dotted([
      notable.join(', '),
      // What a job is about: a narrow view cuts off the rest.
      silenceText(resource, since, context),
      ...(isJob(resource) ? schedule : []),
      commit,
      timeFormat.relativeTo(time),
      resource.archivedAt === undefined ? undefined : t('archived'),
      ...(isJob(resource) ? [] : schedule),
      known === undefined ? undefined : staleText(known, context),
    ]),
    status,
    target: targetOf(resource, label),
    cacheKeys: key === undefined ? [] : [key],
    record: resource,
    // Each state has a line of its own.
    sentence: () => '',
    details: () => resourceDetails(context, resource),
    time: () => lastDeployed(context, resource),
    children: () => [
      ...driftNodes(context, id, resource),
      ...(key === undefined ? [] : deploymentsOf(context, id, key, resource)),
    ],
  });
}

function deploymentsOf(
  context: DataContext,
  parent: string,
  key: CacheKey<'deployments'>,
  { environment, config }: Resource,
): readonly TreeNode[] {
  const known = context.store.entry(key);
  const none = context.t('No deployments');
  return childrenFrom(context, parent, key, known, none, ({ deployments = [] }) =>
    deploymentNodes(context, parent, deployments, {
      branch: environment?.branch ?? config?.sourceBranch,
      environment: environment?.name,
    }),
  );
}

function driftNodes(
  { t }: DataContext,
  parent: string,
  { runtimeState }: Resource,
): readonly TreeNode[] {
  const reasons = runtimeState?.driftReasons ?? [];
  if (reasons.length === 0) return [];
  const keyOf = createKeys(parent, 'drift');
  // No states: a filter matches the resource and shows its reasons with it.
  const status = { ...warning(t('drift')), states: [] };
  return reasons.map((reason) =>
    makeNode({ id: keyOf(reason), kind: 'drift', label: reason, status }),
  );
}

interface ResourceState {
  /** The worst status, with every state in words. */
  readonly status: NodeStatus;
  /** The states to show beside the label. */
  readonly notable: readonly string[];
}

function stateOf(resource: Resource, texts: Texts): ResourceState {
  const { runtimeState = {} } = resource;
  const { t } = texts;
  const { desiredState, observedState, healthStatus, driftStatus, ingressStatus } = runtimeState;
  const reasons = runtimeState.driftReasons?.length ?? 0;
  const isDrifted = reasons > 0 || stateStatus(driftStates, driftStatus).rank > 2;
  const drift = driftText(driftStatus, reasons, texts);
  const own = [
    observedStatus(desiredState, observedState),
    stateStatus(healthStates, healthStatus),
  ];
  const statuses = [
    ...own,
    isDrifted ? warning('') : stateStatus(driftStates, driftStatus),
    ingressStatusOf(observedState, ingressStatus),
  ];
  const observed = observedText(desiredState, observedState, t);
  const ingress = labelled(t('ingress'), knownState(ingressStatus, t));
  const health = hasNoCheck(healthStatus) ? t('no health check') : knownState(healthStatus, t);
  const words = [observed, health, ingress, drift].filter((word) => word !== undefined);
  const isPlain = isAsWanted(desiredState, observedState);
  const notable = [
    isPlain ? undefined : observed,
    stateStatus(healthStates, healthStatus).rank === 1 || hasNoCheck(healthStatus)
      ? undefined
      : health,
    ingressStatusOf(observedState, ingressStatus).rank > 1 ? ingress : undefined,
    isDrifted ? drift : undefined,
    // What is wrong comes first, because a narrow view cuts off the rest.
    isPlain ? observed : undefined,
  ].filter((word) => word !== undefined);
  const status = worst(statuses);
  const icon = isJob(resource) ? 'watch' : isStopped(observedState) ? 'circle-slash' : 'package';
  // "No drift" says nothing good about a resource that is stopped or was not observed.
  const isNeutral =
    status === undefined ||
    status.rank === 0 ||
    (status.rank === 1 && !own.some(({ rank }) => rank > 0));
  const base = isNeutral ? plain(icon) : status;
  const states = [
    ...[observedState, healthStatus].flatMap((state) =>
      state === undefined ? [] : [stateInWords(state, t)],
    ),
    ...(isDrifted ? [stateInWords(driftStatus ?? 'drifted', t)] : []),
  ];
  return { status: { ...base, words: words.join(', '), states }, notable };
}

function observedStatus(desired: string | undefined, observed: string | undefined): NodeStatus {
  const status = stateStatus(runtimeStates, observed);
  return isAsWanted(desired, observed) || status.rank > 3 ? status : warning('');
}

function observedText(
  desired: string | undefined,
  observed: string | undefined,
  t: DataContext['t'],
): string | undefined {
  const seen = knownState(observed, t);
  if (seen === undefined || isAsWanted(desired, observed)) return seen;
  return joined([seen, labelled(t('desired'), knownState(desired, t))], ', ');
}

function driftText(
  status: string | undefined,
  reasons: number,
  { t, counted }: Texts,
): string | undefined {
  const words = isUnknown(status)
    ? t('drifted')
    : stateKey(status ?? '') === 'drifted'
      ? t('drifted')
      : labelled(t('drift'), knownState(status, t));
  if (reasons > 0) return joined([words, counted(reasons, '{0} reason', '{0} reasons')], ': ');
  if (isUnknown(status)) return undefined;
  return stateStatus(driftStates, status).rank === 1 ? t('no drift') : words;
}

/** The ingress of what is stopped is stopped, too, which is not news. */
function ingressStatusOf(observed: string | undefined, ingress: string | undefined): NodeStatus {
  return isStopped(observed) && isStopped(ingress)
    ? { ...stateStatus(ingressStates, 'disabled'), words: ingress ?? '' }
    : stateStatus(ingressStates, ingress);
}

/** Whether nobody asks how it is. */
function hasNoCheck(health: string | undefined): boolean {
  return health?.toLowerCase() === 'none';
}

function isUnknown(state: string | undefined): boolean {
  return state === undefined || stateKey(state) === 'unknown';
}

/** A state in words; undefined if it is not known, which says nothing. */
function knownState(state: string | undefined, t: Translate): string | undefined {
  return state === undefined || isUnknown(state) ? undefined : stateInWords(state, t);
}

function labelled(label: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${label}: ${value}`;
}

function targetOf(resource: Resource, label: string): NodeTarget {
  const { id, sourceId, environment } = resource;
  return {
    id,
    resourceId: id,
    name: nameOfResource(resource),
    sourceId,
    environmentId: environment?.id,
    // That resources are the workloads of the logs is the contract's `workloadIdentity` assumption.
    follow: isUuid(id) ? { filter: { workloadIds: [id] }, label } : undefined,
    site: siteOf(resource.config?.domains?.primary),
  };
}

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
  const environment = environmentOf(deployment);
  const ref = shortRef(gitRef);
  const time = deploymentTime(deployment);
  const label =
    shortSha(commitSha) ??
    ref ??
    (deployment.id === undefined ? t('Deployment') : shortId(deployment.id));
  const error = errorCode ?? errorMessage;
  const words = state === undefined ? undefined : stateInWords(state, t);
  return makeNode({
    id,
    kind: 'deployment',
    label,
    description: dotted([
      joined([words, error], ': '),
      timeFormat.relativeTo(time),
      causeOf(deployment, t),
      ref === label || ref === shortRef(above.branch) ? undefined : ref,
      environment === above.environment ? undefined : environment,
    ]),
    status: deploymentStatus(state, t),
    target: deploymentTarget(deployment, label),
    record: deployment,
    sentence: () => joined([words, causeOf(deployment, t)], ', '),
    details: () => deploymentDetails(deployment, context),
  });
}

/** The facts of the tooltip of a deployment. */
export function deploymentDetails(
  deployment: Deployment,
  context: DataContext,
): readonly NodeDetail[] {
  const { t } = context;
  const { commitSha, errorCode, errorMessage, gitRef } = deployment;
  const start = deployment.startedAt ?? deployment.createdAt;
  return factsOf('Deployment', deployment, context, [
    [t('Failure'), joined([errorCode, errorMessage], ': ')],
    [t('Commit'), commitSha],
    [t('Branch'), shortRef(gitRef)],
    [t('Environment'), environmentOf(deployment)],
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

/** Its kind if that is unusual, otherwise its trigger, such as `push` or `rollback`. Other words are as the server sends them. */
function causeOf({ kind, trigger }: Deployment, t: DataContext['t']): string | undefined {
  const cause = kind === 'deploy' ? trigger : (kind ?? trigger);
  switch (stateKey(cause ?? '')) {
    case 'autodeploy':
      return t('automatic');
    case 'manual':
      return t('manual');
    case 'rollback':
      return t('rollback');
    case 'push':
      return t('push');
    case 'pullrequest':
      return t('pull request');
    case 'schedule':
      return t('scheduled');
    default:
      return cause?.replaceAll('_', ' ');
  }
}

/** How long it took, or has been running. */
function lengthOf(deployment: Deployment, { timeFormat }: DataContext): string | undefined {
  const start = timeOf(deployment.startedAt);
  const end =
    timeOf(deployment.finishedAt) ?? (isRunning(deployment) ? timeFormat.now() : undefined);
  return start === undefined || end === undefined ? undefined : timeFormat.duration(end - start);
}
