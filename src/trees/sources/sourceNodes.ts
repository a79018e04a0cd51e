import type { Resource, SecretBinding } from '../../api/types';
import { dotted, someNames } from '../../base/textFormat';
import { isUuid, type Target, shortId } from '../../data/targets';
import { Labels, ownerText, withUniqueIds } from '../../data/labels';
import { detailLines, factsOf, ownerDetails, timeText } from '../details';
import { createKeys, makeNode, type NodeTarget, type TreeNode } from '../nodes';
import type { DataContext } from '../../data/dataContext';
import { loadingNode, noneNode, problemNode, problemText } from '../placeholderNodes';
import { failed, plain, warning } from '../status';
import {
  deploymentKeys,
  failingText,
  lastDeployment,
  latest,
  resourceNodes,
} from './resourceNodes';
import { previewNodes } from './previewNodes';
import { secretsNode } from './secretNodes';

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
  const textsOf = (before: Remembered, part: string | number): Remembered => {
    let known = before.next.get(part);
    if (known === undefined) before.next.set(part, (known = { next: new Map() }));
    return known;
  };
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
  const resources = (): readonly Resource[] => store.resources(source.id).value?.resources ?? [];
  const failing = failingText(resources(), context);
  return makeNode({
    id,
    kind: 'source',
    label,
    description: dotted([
      failing,
      idText,
      ownerText(source, t),
      problemText(store.resources(source.id), context),
    ]),
    status: failing === undefined ? plain('repo') : failed('repo', failing),
    target: {
      id: source.id,
      name: label,
      sourceId: source.id,
      ...followOf(resources(), label),
    },
    cacheKeys: [
      { kind: 'resources', sourceId: source.id },
      { kind: 'secrets', sourceId: source.id },
    ],
    tokens: ['canRename'],
    details: () => [
      ...detailLines([
        [t('Environments'), someNames(environmentNames(resources()), t)],
        [t('Apps and jobs'), resources().length || undefined],
      ]),
      ...ownerDetails(source, t),
      { label: t('ID'), value: source.id },
    ],
    time: () => latest(resources().map((one) => lastDeployment(context, one))),
    children: () => sourceChildren(context, id, source.id),
  });
}

function environmentNames(resources: readonly Resource[]): readonly string[] {
  return resources.flatMap(({ environment }) => environment?.name ?? []);
}

function sourceChildren(context: DataContext, parent: string, sourceId: string): TreeNode[] {
  const { store, t } = context;
  const resources = store.resources(sourceId);
  const secrets = store.secrets(sourceId);
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
    const key = { kind: 'resources', sourceId } as const;
    nodes.unshift(problemNode(context, parent, key, resources.error));
  } else if (nodes.length === 0) {
    nodes.push(noneNode(parent, t('No apps or jobs')));
  }
  // No environment row can say it.
  if (environments.length === 0 && secrets.value === undefined && secrets.error !== undefined) {
    nodes.push(problemNode(context, parent, { kind: 'secrets', sourceId }, secrets.error));
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
  const add = (key: string, name: string | undefined, about: Environment['about']): Environment => {
    const group = groups.get(key) ?? { key, name, about, resources: [], bindings: [] };
    groups.set(key, group);
    return group;
  };
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
      { kind: 'resources', sourceId },
      { kind: 'secrets', sourceId },
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
    time: () => latest(resources.map((one) => lastDeployment(context, one))),
    children: () => [
      ...resourceNodes(context, id, resources),
      ...previewNodes(context, id, sourceId, resources),
      ...secretsNode(context, id, { kind: 'secrets', sourceId }, store.secrets(sourceId), bindings),
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
    ...followOf(resources, label, name),
  };
}

/** The most ids in one filter. More cannot be followed together. */
const maxIds = 50;

/** Follows the logs of several resources, limited to `production` or `preview` by the name. */
export function followOf(
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
