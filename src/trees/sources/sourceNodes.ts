import type { Environment, Resource, SecretBinding, SecretListing } from '../../api/types';
import { getOrMake } from '../../base/maps';
import { dotted, someNames } from '../../base/textFormat';
import { deploymentTime, shortSha, previewOf } from '../../data/deployments';
import {
  Labels,
  ownerText,
  withUniqueIds,
  nameOfResource,
  type DataContext,
} from '../../data/labels';
import { stateInWords } from '../../data/stateWords';
import { isUuid, shortId, type Target } from '../../data/targets';
import {
  detailLines,
  factsOf,
  ownerDetails,
  timeText,
  createKeys,
  makeNode,
  type NodeTarget,
  type TreeNode,
} from '../nodes';
import { loadingNode, noneNode, problemNode, availabilityText } from '../placeholderNodes';
import { deploymentStatus, failed, plain, warning } from '../status';
import { previewPrefix } from './secretComparison';
import { secretsNode, type SecretsRow } from './secretNodes';
import { lastRecordKeys } from './jobSchedules';
import { deploymentKeys, failingText, lastDeployed, latest, resourceNodes } from './resourceNodes';

/** How many texts are remembered. A tree with many rows has few different ones. */
const maxTexts = 5000;

/** The text for the arguments that lead here, and a level for each further argument. */
interface Remembered {
  text?: string;
  readonly next: Map<string | number, Remembered>;
}

/** The same context, but each text is formatted only once: a long list needs the same ones many times. */
function withRememberedTexts(context: DataContext): DataContext {
  const texts: Remembered = { next: new Map() };
  let count = 0;
  const textsOf = ({ next }: Remembered, part: string | number): Remembered =>
    getOrMake(next, part, () => ({ next: new Map() }));
  return {
    ...context,
    t(message, ...args) {
      if (count >= maxTexts) {
        texts.next.clear();
        count = 0;
      }
      let at = textsOf(texts, message);
      for (const arg of args) at = textsOf(at, arg);
      if (at.text === undefined) {
        at.text = context.t(message, ...args);
        count++;
      }
      return at.text;
    },
  };
}

/** Source → environment → resource → deployments, and under each environment its secret keys. */
export function sourceNodes(given: DataContext): readonly TreeNode[] {
  const context = withRememberedTexts(given);
  const labels = new Labels(context);
  return withUniqueIds(context.sources(), (source) => labels.source(source)).map(
    ([source, label, id]) => sourceNode(context, source, label, id),
  );
}

/** The ids of the rows from a source to one of its environments. */
export function environmentPath(sourceId: string, environmentId: string): readonly string[] {
  const source = `source ${sourceId}`;
  return [source, `${source}/environment ${environmentId.toLowerCase()}`];
}

function sourceNode(
  context: DataContext,
  source: Target,
  label: string,
  idText: string | undefined,
): TreeNode {
  const { store, t } = context;
  const id = `source ${source.id}`;
  const resources = (): readonly Resource[] =>
    store.read('resources', source.id).value?.resources ?? [];
  const failing = failingText(resources(), context);
  return makeNode({
    id,
    kind: 'source',
    isSortable: true,
    label,
    description: dotted([
      failing,
      idText,
      ownerText(source, t),
      availabilityText(store.read('resources', source.id), context),
    ]),
    status: failing === undefined ? plain('repo') : failed('repo', failing),
    target: {
      id: source.id,
      name: label,
      sourceId: source.id,
      ...followOfResources(resources(), label),
    },
    cacheKeys: [
      { kind: 'resources', id: source.id },
      { kind: 'environments', id: source.id },
      { kind: 'secrets', id: source.id },
    ],
    tokens: source.isListed === true ? [] : ['canRename'],
    details: () => [
      ...detailLines([
        [t('Environments'), someNames(environmentNames(resources()), t)],
        [t('Apps and jobs'), resources().length || undefined],
      ]),
      ...ownerDetails(source, t),
      { label: t('ID'), value: source.id },
    ],
    time: () => latest(resources().map((one) => lastDeployed(context, one))),
    children: () => sourceChildren(context, id, source.id),
  });
}

function environmentNames(resources: readonly Resource[]): readonly string[] {
  return resources.flatMap(({ environment }) => environment?.name ?? []);
}

function sourceChildren(context: DataContext, parent: string, sourceId: string): TreeNode[] {
  const { store, t } = context;
  const resources = store.read('resources', sourceId);
  const secrets = store.read('secrets', sourceId);
  if (resources.value === undefined && resources.error === undefined) {
    return [loadingNode(context, parent)];
  }
  const environments = groupByEnvironment(
    resources.value?.resources ?? [],
    store.read('environments', sourceId).value?.environments ?? [],
    secrets.value ?? {},
  );
  const keyOf = createKeys(parent, 'environment');
  const nodes = environments.map((one) =>
    environmentNode(context, keyOf(one.key), sourceId, one, environments.length === 1),
  );
  if (resources.value === undefined) {
    const key = { kind: 'resources', id: sourceId } as const;
    nodes.unshift(problemNode(context, parent, key, resources.error));
  } else if (nodes.length === 0) {
    nodes.push(noneNode(parent, t('No apps or jobs')));
  }
  // No environment row can say it.
  if (environments.length === 0 && secrets.value === undefined && secrets.error !== undefined) {
    nodes.push(problemNode(context, parent, { kind: 'secrets', id: sourceId }, secrets.error));
  }
  return nodes;
}

interface EnvironmentGroup {
  readonly key: string;
  readonly name: string | undefined;
  readonly about: NonNullable<Resource['environment']> | undefined;
  readonly resources: Resource[];
  readonly bindings: SecretBinding[];
  /** The secret bindings of its previews. */
  readonly ofPreviews: SecretBinding[];
}

/**
 * Groups resources by the id of their environment, or by its name if it has no id, with the environments that have none.
 * Secret bindings have only names: those of previews are with the environment of that name, and what has the name of no
 * other group is a group of its own.
 */
function groupByEnvironment(
  resources: readonly Resource[],
  listed: readonly Environment[],
  { bindings = [], environments = [] }: SecretListing,
): readonly EnvironmentGroup[] {
  const groups = new Map<string, EnvironmentGroup>();
  const add = (
    key: string,
    name: string | undefined,
    about: EnvironmentGroup['about'],
  ): EnvironmentGroup =>
    getOrMake(groups, key, () => ({
      key,
      name,
      about,
      resources: [],
      bindings: [],
      ofPreviews: [],
    }));
  for (const resource of resources) {
    const { environment } = resource;
    const key = environment?.id?.toLowerCase() ?? environment?.name ?? '';
    add(key, environment?.name, environment).resources.push(resource);
  }
  for (const { autoDeployPaused: _, ...environment } of listed) {
    const { id, name } = environment;
    if (id !== undefined || name !== undefined) {
      add(id?.toLowerCase() ?? name ?? '', name, environment);
    }
  }
  const byName = new Map<string | undefined, EnvironmentGroup>();
  for (const group of groups.values()) {
    if (!byName.has(group.name)) byName.set(group.name, group);
  }
  const names = [...environments, ...bindings.map(({ environment }) => environment)];
  const environmentOfPreview = (name = ''): EnvironmentGroup | undefined =>
    name.startsWith(previewPrefix) ? byName.get(name.slice(previewPrefix.length)) : undefined;
  for (const isOfPreview of [false, true]) {
    // Those of previews come last, when all others are known.
    for (const name of names.filter((one) => one?.startsWith(previewPrefix) === isOfPreview)) {
      if (byName.has(name) || environmentOfPreview(name) !== undefined) continue;
      byName.set(name, add(`name ${name ?? ''}`, name, undefined));
    }
  }
  for (const binding of bindings) {
    const { environment } = binding;
    if (byName.has(environment)) byName.get(environment)?.bindings.push(binding);
    else environmentOfPreview(environment)?.ofPreviews.push(binding);
  }
  return [...groups.values()];
}

function environmentNode(
  context: DataContext,
  id: string,
  sourceId: string,
  environment: EnvironmentGroup,
  isExpanded: boolean,
): TreeNode {
  const { t, store, timeFormat } = context;
  const { about, name, resources, bindings, ofPreviews } = environment;
  const label = name ?? (about?.id === undefined ? t('No environment') : shortId(about.id));
  const gone = about?.disconnectedAt;
  const disconnected =
    gone === undefined ? undefined : t('disconnected {0}', timeFormat.relative(gone));
  const canSync = gone === undefined && isUuid(about?.id);
  const failing = failingText(resources, context);
  return makeNode({
    id,
    kind: 'environment',
    isSortable: true,
    label,
    description: dotted([failing, about?.branch, disconnected]),
    status:
      disconnected !== undefined
        ? { ...warning(t('disconnected')), icon: 'debug-disconnect' }
        : failing === undefined
          ? plain('layers')
          : failed('layers', failing),
    isExpanded,
    target: targetOf(environment, sourceId, label),
    cacheKeys: [
      { kind: 'resources', id: sourceId },
      { kind: 'secrets', id: sourceId },
      ...deploymentKeys(resources),
      ...lastRecordKeys(resources, context),
    ],
    tokens: canSync ? ['canSync'] : [],
    record: about,
    details: () =>
      factsOf('ResourceEnvironment', about ?? {}, context, [
        [t('Branch'), about?.branch],
        [t('Apps and jobs'), resources.length || undefined],
        [t('Disconnected'), gone === undefined ? undefined : timeText(gone, context)],
      ]),
    time: () => latest(resources.map((one) => lastDeployed(context, one))),
    children() {
      const keysOf = (row: SecretsRow): readonly TreeNode[] =>
        secretsNode(context, row, sourceId, store.read('secrets', sourceId));
      const rows = [
        ...resourceNodes(context, id, resources),
        ...previewNodes(context, id, sourceId, resources),
        ...keysOf({ id: `${id}/secrets`, label: t('Secret Keys'), bindings, environment: name }),
        ...(ofPreviews.length === 0
          ? []
          : keysOf({
              id: `${id}/secrets of previews`,
              label: t('Secret Keys of Previews'),
              bindings: ofPreviews,
            })),
      ];
      return rows.length === 0 ? [noneNode(id, t('No apps or jobs'))] : rows;
    },
  });
}

function targetOf(
  { about, name, resources }: EnvironmentGroup,
  sourceId: string,
  label: string,
): NodeTarget {
  return {
    id: about?.id,
    environmentId: about?.id,
    name,
    sourceId,
    ...followOfResources(resources, label, name),
  };
}

/** The most ids in one filter. More cannot be followed together. */
const maxIds = 50;

/** Follows the logs of several resources, limited to `production` or `preview` by the name. */
export function followOfResources(
  resources: readonly Resource[],
  label: string,
  environment?: string,
): Pick<NodeTarget, 'follow'> {
  const workloadIds = [...new Set(resources.map(({ id }) => id).filter(isUuid))];
  if (workloadIds.length === 0 || workloadIds.length > maxIds) return {};
  const follow = { filter: { workloadIds }, label };
  if (environment !== 'production' && environment !== 'preview') return { follow };
  return { follow: { filter: { workloadIds, environments: [environment] }, label } };
}

/** What the preview of the checked-out branch runs of these apps and jobs; empty without one. */
function previewNodes(
  context: DataContext,
  parent: string,
  sourceId: string,
  resources: readonly Resource[],
): readonly TreeNode[] {
  const { t, timeFormat, store } = context;
  const checkedOut = context.checkedOut();
  if (checkedOut?.sourceId !== sourceId) return [];
  const keyOf = createKeys(parent, 'preview');
  const found = previewOf(resources, checkedOut.branches, ({ id }) =>
    id === undefined ? [] : (store.read('deployments', id).value?.deployments ?? []),
  );
  return found.map(({ resource, deployment, deploymentIds, site }) => {
    const name = nameOfResource(resource) ?? shortId(resource.id ?? '');
    const time = deploymentTime(deployment);
    const host = site === undefined ? undefined : new URL(site).host;
    const label = t('preview of {0}', name);
    const ids = deploymentIds.filter(isUuid).slice(0, 50);
    return makeNode({
      id: keyOf(resource.id),
      kind: 'preview',
      label,
      description: dotted([
        deployment.state === undefined ? undefined : stateInWords(deployment.state, t),
        shortSha(deployment.commitSha),
        timeFormat.relativeTo(time),
        host,
      ]),
      status: deploymentStatus(deployment.state, t),
      target: {
        id: deployment.id,
        deploymentId: deployment.id,
        resourceId: resource.id,
        sourceId,
        site,
        follow: ids.length === 0 ? undefined : { filter: { deploymentIds: ids }, label },
      },
      record: deployment,
      details: () =>
        detailLines([
          [t('Branch'), checkedOut.branches[0]],
          [t('Site'), site],
          [t('Commit'), deployment.commitSha],
        ]),
    });
  });
}
