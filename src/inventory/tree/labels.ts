import { dotted, someNames, type Translate } from '../../text/textFormat';
import { nameOfResource } from '../sources/resourceNodes';
import { type Target, shortId } from '../targets';
import type { NodeDetail, TreeContext } from './nodes';

export interface Labels {
  source(thing: Target): string;
  server(thing: Target): string;
  /** The name of a server that means no other: not one made up of what runs there. */
  nameOfServer(thing: Target): string | undefined;
}

/**
 * What sources and servers are called: as a person says, else as the API does (the name that
 * configurations give a server, names of what runs there or comes from there), else by their short id.
 */
export function createLabels(context: TreeContext): Labels {
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
      const names = resources.map(nameOfResource).filter((name) => name !== undefined);
      const environments = resources.map((one) => one.environment?.name);
      return (
        someNames(names.length > 0 ? names : workloadsOf(id), t) ??
        someNames(
          environments.filter((name) => name !== undefined),
          t,
        ) ??
        shortId(id)
      );
    },
    server(thing) {
      const name = nameOfServer(thing);
      if (name !== undefined) return name;
      const workloads = store.alerts(thing.id).value?.workloads ?? [];
      const names = workloads.map((one) => one.name).filter((one) => one !== undefined);
      return someNames(names, t) ?? shortId(thing.id);
    },
  };
}

/** Whose it is, if it is not the user's own. */
export function ownerText({ isOfWorkspace }: Target, t: Translate): string | undefined {
  return isOfWorkspace ? t('from this folder') : undefined;
}

/** What stands beside its label in a list to choose from: its id, and whose it is. */
export function idText(thing: Target, t: Translate): string {
  return dotted([shortId(thing.id), ownerText(thing, t)]);
}

/** A line of its tooltip on whose it is. */
export function ownerDetails({ isOfWorkspace }: Target, t: Translate): readonly NodeDetail[] {
  return isOfWorkspace ? [{ label: t('Listed by'), value: t('the settings of this folder') }] : [];
}

function groupWorkloads({ store, servers }: TreeContext): Map<string, string[]> {
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

/** What configurations call the server of each resource. */
function serverNames({ store, sources }: TreeContext): Map<string, string> {
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
