import type { Resource } from '../api/types';
import { getOrMake } from '../base/maps';
import { compareNames, dotted, someNames, type Translate, type Texts } from '../base/textFormat';
import type { TimeFormat } from '../base/timeFormat';
import { listings } from './listings';
import type { CacheKey, ListingReader, StoreChange } from './store';
import { shortId, type Target, targetWithId } from './targets';

/**
 * The names of sources and servers: the user's label, otherwise a name from the API (that of its list, the configured name
 * of a server, or the names of its apps and jobs), otherwise the short id.
 */
export class Labels {
  private workloadsBySource: ReadonlyMap<string, readonly string[]> | undefined;
  private serversByResource: ReadonlyMap<string, string> | undefined;

  constructor(private readonly context: DataContext) {}

  /** The label or configured name of a server; never a name made from its workloads. */
  nameOfServer({ id, label, listedName }: Target): string | undefined {
    return label ?? listedName ?? this.configuredName(id);
  }

  source({ id, label, listedName }: Target): string {
    const name = label ?? listedName;
    if (name !== undefined) return name;
    const resources = this.context.store.read('resources', id).value?.resources ?? [];
    const names = resources
      .map(nameOfResource)
      .filter((name) => name !== undefined)
      .sort(compareNames);
    const environments = resources.map((one) => one.environment?.name);
    return (
      someNames(
        names.length > 0 ? names : [...this.workloadsOf(id)].sort(compareNames),
        this.context.t,
      ) ??
      someNames(
        environments.filter((name) => name !== undefined).sort(compareNames),
        this.context.t,
      ) ??
      shortId(id)
    );
  }

  server(target: Target): string {
    const name = this.nameOfServer(target);
    if (name !== undefined) return name;
    const workloads = this.context.store.read('alerts', target.id).value?.workloads ?? [];
    const names = workloads
      .map((one) => one.name)
      .filter((one) => one !== undefined)
      .sort(compareNames);
    return someNames(names, this.context.t) ?? shortId(target.id);
  }

  /**
   * The names that the API gives a server and the environments of what runs on it. Undefined unless all of them are
   * known.
   */
  apiNamesOfServer(serverId: string): string[] | undefined {
    const { store, sources } = this.context;
    const { workloads, rules = [] } = store.read('alerts', serverId).value ?? {};
    if (workloads === undefined) return undefined;
    const there = new Set(workloads.map(({ id = '' }) => id.toLowerCase()));
    const resources = sources()
      .flatMap(({ id }) => store.read('resources', id).value?.resources ?? [])
      .filter(({ id = '' }) => there.has(id.toLowerCase()));
    if (resources.length < there.size) return undefined;
    return [
      ...resources.flatMap(({ config, environment }) => [config?.server, environment?.name]),
      ...rules.map(({ environment }) => environment),
    ].filter((name) => name !== undefined);
  }

  private workloadsOf(sourceId: string): readonly string[] {
    this.workloadsBySource ??= groupWorkloads(this.context);
    return this.workloadsBySource.get(sourceId) ?? [];
  }

  private configuredName(serverId: string): string | undefined {
    this.serversByResource ??= serverNames(this.context);
    for (const { id } of this.context.store.read('alerts', serverId).value?.workloads ?? []) {
      const name = id === undefined ? undefined : this.serversByResource.get(id.toLowerCase());
      if (name !== undefined) return name;
    }
    return undefined;
  }
}

/** The name of a source, or its short id. */
export function sourceName(context: DataContext, sourceId: string): string {
  return new Labels(context).source(targetWithId(context.sources(), sourceId));
}

/** The name of a server, or its short id. */
export function serverName(context: DataContext, serverId: string): string {
  return new Labels(context).server(targetWithId(context.servers(), serverId));
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

/** The label of the row that a cache key belongs to, such as `shop-web`. */
export function labelOfKey({ kind, id }: CacheKey, context: DataContext): string {
  return listings[kind].label(id, {
    server: (serverId) => serverName(context, serverId),
    source: (sourceId) => sourceName(context, sourceId),
    resource: (resourceId) => resourceName(resourceId, context),
    t: context.t,
  });
}

function resourceName(id: string, { sources, store }: DataContext): string {
  for (const source of sources()) {
    const resource = store
      .read('resources', source.id)
      .value?.resources?.find((one) => one.id === id);
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
    for (const { sourceId, name } of store.read('alerts', id).value?.workloads ?? []) {
      if (sourceId === undefined || name === undefined) continue;
      getOrMake(groups, sourceId.toLowerCase(), () => []).push(name);
    }
  }
  return groups;
}

/** The configured server name of each resource, by resource id. */
function serverNames({ store, sources }: DataContext): Map<string, string> {
  const names = new Map<string, string>();
  for (const source of sources()) {
    for (const { id, config } of store.read('resources', source.id).value?.resources ?? []) {
      if (id !== undefined && config?.server !== undefined) {
        names.set(id.toLowerCase(), config.server);
      }
    }
  }
  return names;
}

/** The checked-out branch as previews name it, and the source that it belongs to. */
export interface CheckedOut {
  readonly sourceId: string;
  /** The branch and its upstream; the latter may have another name. */
  readonly branches: readonly string[];
}

/** What changed of what rows and names are made of: what the store says, or anything else of a context. */
export type DataChange = StoreChange | { readonly kind: 'context' };

/** What is known, and the texts to say it with. */
export interface DataContext extends Texts {
  readonly store: ListingReader;
  readonly timeFormat: TimeFormat;
  readonly sources: () => readonly Target[];
  readonly servers: () => readonly Target[];
  /** The search of the repositories; empty for all. */
  readonly repositorySearch: () => string;
  /** Undefined if no source is known for the checked-out branch. */
  readonly checkedOut: () => CheckedOut | undefined;
}
