import type { Resource, SecretBinding, SecretListing } from '../../api/types';
import { getOrMake } from '../../base/maps';
import { dotted, joined, someNames } from '../../base/textFormat';
import { deploymentTime, shortSha, previewOf } from '../../data/deployments';
import {
  Labels,
  ownerText,
  withUniqueIds,
  nameOfResource,
  type DataContext,
} from '../../data/labels';
import type { CacheKey, CacheEntry } from '../../data/store';
import { isUuid, shortId, type Target } from '../../data/targets';
import {
  detailLines,
  factsOf,
  ownerDetails,
  timeText,
  createKeys,
  makeNode,
  type NodeDetail,
  type NodeTarget,
  type TreeNode,
} from '../nodes';
import {
  loadingNode,
  noneNode,
  problemNode,
  availabilityText,
  staleText,
} from '../placeholderNodes';
import { failed, plain, warning, workStatus } from '../status';
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
    secrets.value?.bindings ?? [],
    secrets.value?.environments ?? [],
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

interface Environment {
  readonly key: string;
  readonly name: string | undefined;
  readonly about: NonNullable<Resource['environment']> | undefined;
  readonly resources: Resource[];
  readonly bindings: SecretBinding[];
}

/**
 * Groups resources by the id of their environment, or by its name if it has no id. Secret bindings have
 * only names; they form a group of their own if no resource has that name.
 */
function groupByEnvironment(
  resources: readonly Resource[],
  bindings: readonly SecretBinding[],
  names: readonly string[],
): readonly Environment[] {
  const groups = new Map<string, Environment>();
  const add = (key: string, name: string | undefined, about: Environment['about']): Environment =>
    getOrMake(groups, key, () => ({ key, name, about, resources: [], bindings: [] }));
  for (const resource of resources) {
    const { environment } = resource;
    const key = environment?.id?.toLowerCase() ?? environment?.name ?? '';
    add(key, environment?.name, environment).resources.push(resource);
  }
  const byName = new Map<string | undefined, Environment>();
  for (const group of groups.values()) {
    if (!byName.has(group.name)) byName.set(group.name, group);
  }
  for (const name of [...names, ...bindings.map(({ environment }) => environment)]) {
    if (!byName.has(name)) byName.set(name, add(`name ${name ?? ''}`, name, undefined));
  }
  for (const binding of bindings) byName.get(binding.environment)?.bindings.push(binding);
  return [...groups.values()];
}

function environmentNode(
  context: DataContext,
  id: string,
  sourceId: string,
  environment: Environment,
  isExpanded: boolean,
): TreeNode {
  const { t, store, timeFormat } = context;
  const { about, name, resources, bindings } = environment;
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
    children: () => [
      ...resourceNodes(context, id, resources),
      ...previewNodes(context, id, sourceId, resources),
      ...secretsNode(
        context,
        id,
        { kind: 'secrets', id: sourceId },
        store.read('secrets', sourceId),
        bindings,
      ),
    ],
  });
}

function targetOf(
  { about, name, resources }: Environment,
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

/*
 * Key names only, never a value. Only the members that the contract names are shown, one by one, so that
 * a value is not shown even if a server sends one.
 */

type Bindings = readonly SecretBinding[];

/**
 * The row of an environment with the secret keys of each stage.
 *
 * @param bindings those of the environment.
 * @returns no row while nothing is loaded, and if there are no keys.
 */
function secretsNode(
  context: DataContext,
  parent: string,
  key: CacheKey<'secrets'>,
  known: CacheEntry<SecretListing>,
  bindings: Bindings,
): readonly TreeNode[] {
  const { t } = context;
  const id = `${parent}/secrets`;
  if (known.value === undefined && known.error === undefined) return [];
  if (known.value !== undefined && bindings.length === 0) return [];
  const missing = bindings.reduce((sum, one) => sum + (one.missingKeys?.length ?? 0), 0);
  const words = missing === 0 ? '' : t('{0} missing', missing);
  const status = missing === 0 ? plain('key') : { ...warning(words), states: [t('missing')] };
  return [
    makeNode({
      id,
      kind: 'secrets',
      label: t('Secret Keys'),
      description: dotted([words, staleText(known, context)]),
      status,
      cacheKeys: [key],
      children: () =>
        known.value === undefined
          ? [problemNode(context, id, key, known.error)]
          : bindingNodes(context, id, bindings),
    }),
  ];
}

function bindingNodes(context: DataContext, parent: string, bindings: Bindings): TreeNode[] {
  const { t, counted } = context;
  const keyOf = createKeys(parent, 'stage');
  return bindings.map((binding) => {
    const { stage, keys = [], missingKeys = [], pendingChanges, revision, declared } = binding;
    const id = keyOf(stage);
    const missing = missingKeys.length === 0 ? undefined : t('{0} missing', missingKeys.length);
    const pending = pendingChanges === true ? t('pending changes') : undefined;
    const states = [
      ...(missing === undefined ? [] : [t('missing')]),
      ...(pending === undefined ? [] : [pending]),
    ];
    const words = joined([missing, pending], ', ');
    return makeNode({
      id,
      kind: 'secretBinding',
      label: stage ?? t('Any stage'),
      description: dotted([
        counted(keys.length, '{0} key', '{0} keys'),
        missing,
        pending,
        declared === false ? t('not declared') : undefined,
        revision === undefined ? undefined : t('revision {0}', revision),
      ]),
      status: words === '' ? plain('tag') : { ...warning(words), states },
      ...(stage === undefined ? {} : { target: { name: stage } }),
      record: binding,
      sentence: () => joined([counted(keys.length, '{0} key', '{0} keys'), missing, pending], ', '),
      details: () => bindingDetails(binding, context),
      children: () => [...keyNodes(context, id, binding), ...affectedNode(context, id, binding)],
    });
  });
}

/** Missing keys first, then existing keys, then inherited ones. */
function keyNodes({ t }: DataContext, parent: string, binding: SecretBinding): TreeNode[] {
  const { keys = [], missingKeys = [], inheritedKeys = [] } = binding;
  const own = new Set(keys);
  const inherited = new Set(inheritedKeys);
  const keyOf = createKeys(parent, 'key');
  const node = (name: string, description: string | undefined, isMissing: boolean): TreeNode =>
    makeNode({
      id: keyOf(name),
      kind: 'secretKey',
      label: name,
      description,
      status: isMissing ? warning(t('missing')) : plain('key'),
      target: { name },
    });
  return [
    ...missingKeys.map((name) => node(name, t('missing'), true)),
    ...keys.map((name) =>
      node(name, inherited.has(name) ? inheritance(binding, name, t) : undefined, false),
    ),
    ...inheritedKeys
      .filter((name) => !own.has(name))
      .map((name) => node(name, inheritance(binding, name, t), false)),
  ];
}

/** Where a key is inherited from. Origins that the contract does not name are left out. */
function inheritance(
  { inheritedOrigins, inheritedRevisions }: SecretBinding,
  name: string,
  t: DataContext['t'],
): string {
  const origin: unknown =
    inheritedOrigins !== undefined && Object.hasOwn(inheritedOrigins, name)
      ? inheritedOrigins[name]
      : undefined;
  if (origin !== 'global' && origin !== 'source') return t('inherited');
  const revision = inheritedRevisions?.[origin];
  return revision === undefined
    ? t('inherited from {0}', origin)
    : t('inherited from {0}, revision {1}', origin, revision);
}

function affectedNode({ t }: DataContext, parent: string, binding: SecretBinding): TreeNode[] {
  const affected = binding.affectedDeployables ?? [];
  const names = affected.map(affectedName).filter((name) => name !== undefined);
  const description = someNames(names, t);
  if (description === undefined) return [];
  return [
    makeNode({
      id: `${parent}/affected`,
      kind: 'affected',
      label: t('Affects'),
      description,
      status: plain('references'),
      record: binding.affectedDeployables,
      details: () => affected.flatMap((one) => affectedDetail(one, t)),
    }),
  ];
}

type Affected = NonNullable<SecretBinding['affectedDeployables']>[number];

function affectedName({ name, id }: Affected): string | undefined {
  return name ?? id;
}

function affectedDetail(one: Affected, t: DataContext['t']): NodeDetail[] {
  const name = affectedName(one);
  if (name === undefined) return [];
  return [
    one.kind === undefined
      ? { label: t('Affects'), value: name }
      : { label: name, value: one.kind },
  ];
}

function bindingDetails(binding: SecretBinding, context: DataContext): NodeDetail[] {
  const { t } = context;
  const { updatedAt, affectedDeployables } = binding;
  const affected = affectedDeployables?.map(affectedName).filter((name) => name !== undefined);
  return detailLines([
    [t('Missing keys'), binding.missingKeys?.join(', ')],
    [t('Keys'), binding.keys?.join(', ')],
    [t('Affects'), affected?.join(', ')],
    [t('Updated'), updatedAt === undefined ? undefined : timeText(updatedAt, context)],
    [t('Revision'), binding.revision],
  ]);
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
        deployment.state,
        shortSha(deployment.commitSha),
        timeFormat.relativeTo(time),
        host,
      ]),
      status: workStatus(deployment.state),
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
