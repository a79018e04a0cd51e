import type { Resource } from '../api/types';
import { compareNames } from '../base/compareNames';
import { dotted, someNames, type Translate } from '../base/textFormat';
import type { CacheKey } from './cacheKeys';
import { shortId, type Target, targetWithId } from './targets';
import type { DataContext } from './dataContext';

export interface Labels {
  readonly source: (target: Target) => string;
  readonly server: (target: Target) => string;
  /** The label or configured name of a server; never a name made from its workloads. */
  readonly nameOfServer: (target: Target) => string | undefined;
}

/**
 * The names of sources and servers: the user's label, otherwise a name from the API (the configured name
 * of a server, or the names of its apps and jobs), otherwise the short id.
 */
export function createLabels(context: DataContext): Labels {
  const { t, store } = context;
  let workloadsBySource: ReadonlyMap<string, readonly string[]> | undefined;
  let serversByResource: ReadonlyMap<string, string> | undefined;

  function workloadsOf(sourceId: string): readonly string[] {
    workloadsBySource ??= groupWorkloads(context);
    return workloadsBySource.get(sourceId) ?? [];
  }

  function configuredName(serverId: string): string | undefined {
    serversByResource ??= serverNames(context);
    for (const { id } of store.alerts(serverId).value?.workloads ?? []) {
      const name = id === undefined ? undefined : serversByResource.get(id.toLowerCase());
      if (name !== undefined) return name;
    }
    return undefined;
  }

  const nameOfServer: Labels['nameOfServer'] = ({ id, label }) => label ?? configuredName(id);

  return {
    nameOfServer,
    source({ id, label }) {
      if (label !== undefined) return label;
      const resources = store.resources(id).value?.resources ?? [];
      const names = resources
        .map(nameOfResource)
        .filter((name) => name !== undefined)
        .sort(compareNames);
      const environments = resources.map((one) => one.environment?.name);
      return (
        someNames(names.length > 0 ? names : [...workloadsOf(id)].sort(compareNames), t) ??
        someNames(environments.filter((name) => name !== undefined).sort(compareNames), t) ??
        shortId(id)
      );
    },
    server(target) {
      const name = nameOfServer(target);
      if (name !== undefined) return name;
      const workloads = store.alerts(target.id).value?.workloads ?? [];
      const names = workloads
        .map((one) => one.name)
        .filter((one) => one !== undefined)
        .sort(compareNames);
      return someNames(names, t) ?? shortId(target.id);
    },
  };
}

/** The name of a source, or its short id. */
export function sourceName(context: DataContext, sourceId: string): string {
  return createLabels(context).source(targetWithId(context.sources(), sourceId));
}

/** The name of a server, or its short id. */
export function serverName(context: DataContext, serverId: string): string {
  return createLabels(context).server(targetWithId(context.servers(), serverId));
}

/** The name of an app or job, or that of its configuration; undefined if neither has one. */
export function nameOfResource({ name, config }: Resource): string | undefined {
  return name ?? config?.name;
}

/** The targets with their labels, and their short ids if a label is not unique. */
export function withUniqueIds(
  targets: readonly Target[],
  labelOf: (target: Target) => string,
): readonly (readonly [target: Target, label: string, id: string | undefined])[] {
  const labels = targets.map(labelOf);
  return targets.map((target, at) => {
    const label = labels[at] ?? '';
    const isUnique = labels.indexOf(label) === labels.lastIndexOf(label);
    return [target, label, isUnique ? undefined : shortId(target.id)];
  });
}

/** The label of the row that a resource key belongs to, such as `shop-web`. */
export function labelOfKey(key: CacheKey, context: DataContext): string {
  const { t } = context;
  switch (key.kind) {
    case 'alerts':
      return serverName(context, key.serverId);
    case 'resources':
    case 'secrets':
      return sourceName(context, key.sourceId);
    case 'deployments':
      return resourceName(key.resourceId, context);
    case 'repositories':
      return t('Repositories');
    case 'integrations':
      return t('Integrations');
  }
}

function resourceName(id: string, { sources, store }: DataContext): string {
  for (const source of sources()) {
    const resource = store.resources(source.id).value?.resources?.find((one) => one.id === id);
    if (resource !== undefined) return nameOfResource(resource) ?? shortId(id);
  }
  return shortId(id);
}

/** Says that a target comes from the workspace settings; undefined if it is the user's own. */
export function ownerText({ isOfWorkspace }: Target, t: Translate): string | undefined {
  return isOfWorkspace ? t('from this folder') : undefined;
}

/** The description of a target in a quick pick: its short id and owner. */
export function idText(target: Target, t: Translate): string {
  return dotted([shortId(target.id), ownerText(target, t)]);
}

function groupWorkloads({ store, servers }: DataContext): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { id } of servers()) {
    for (const { sourceId, name } of store.alerts(id).value?.workloads ?? []) {
      if (sourceId === undefined || name === undefined) continue;
      const key = sourceId.toLowerCase();
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
  }
  return groups;
}

/** The configured server name of each resource, by resource id. */
function serverNames({ store, sources }: DataContext): Map<string, string> {
  const names = new Map<string, string>();
  for (const source of sources()) {
    for (const { id, config } of store.resources(source.id).value?.resources ?? []) {
      if (id !== undefined && config?.server !== undefined) {
        names.set(id.toLowerCase(), config.server);
      }
    }
  }
  return names;
}
