import { Labels, nameOfResource, sourceName, type DataContext } from '../data/labels';
import { isSameId, shortId, type Target, targetWithId } from '../data/targets';
import {
  type EnvironmentTarget,
  resourcesOf,
  type SyncChoice,
  syncChoices,
} from './environmentDeployments';

/** The names of an environment and its source, or short ids if they are not known. */
export function environmentNames(
  context: DataContext,
  { sourceId, environmentId }: EnvironmentTarget,
): { readonly sourceName: string; readonly environmentName: string } {
  const environment = syncChoice(context, { sourceId, environmentId });
  return {
    sourceName: sourceName(context, sourceId),
    environmentName: environment?.name ?? shortId(environmentId),
  };
}

/** The names of the known apps and jobs of an environment, which a sync may deploy. */
export function resourceNames({ store }: DataContext, target: EnvironmentTarget): string[] {
  const all = store.read('resources', target.sourceId).value?.resources ?? [];
  return resourcesOf(store, target).map((wanted) => {
    const resource = all.find(({ id }) => id === wanted);
    return (resource && nameOfResource(resource)) ?? shortId(wanted);
  });
}

/** The number of known apps and jobs of an environment. `resourceNames` has at most 50 of them. */
export function resourceCount(context: DataContext, target: EnvironmentTarget): number {
  return syncChoice(context, target)?.resources ?? 0;
}

/** The environment as the API lists it; undefined if it is not known. */
export function syncChoice(
  { store }: DataContext,
  { sourceId, environmentId }: EnvironmentTarget,
): SyncChoice | undefined {
  return syncChoices(store, sourceId).find((one) => isSameId(one.environmentId, environmentId));
}

/** Names that many people give to what their users use. `non-prod` counts too: asking costs little. */
const production = /prod|(?<![a-z])(?:prd|live|main|master)(?![a-z])/i;

/** Whether a name is one that many people give to what their users use. */
export function isLikeProduction(name: string): boolean {
  return production.test(name);
}

/** A source or a server, for questions to the user. */
export interface NamedTarget {
  readonly id: string;
  readonly name: string;
  /** Where the name comes from: the user, the settings of the open folder, another program, or the API. */
  readonly namedBy: 'user' | 'folder' | 'program' | 'api';
}

/** A server, for the question before a clean-up. */
export interface NamedServer extends NamedTarget {
  /** Whether its name, or one that the API gives it or what runs there, is like production. True if that is not known. */
  readonly isLikeProduction: boolean;
}

export function namedServer(context: DataContext, serverId: string): NamedServer {
  const server = targetWithId(context.servers(), serverId);
  const labels = new Labels(context);
  const name = labels.server(server);
  // A label hides the names that others know the server by.
  const others = labels.apiNamesOfServer(server.id);
  const isHarmless = others !== undefined && ![name, ...others].some(isLikeProduction);
  return { ...named(server, name), isLikeProduction: !isHarmless };
}

export function namedSource(context: DataContext, sourceId: string): NamedTarget {
  const source = targetWithId(context.sources(), sourceId);
  return named(source, new Labels(context).source(source));
}

function named(target: Target, name: string): NamedTarget {
  return { id: target.id, name, namedBy: namerOf(target) };
}

function namerOf({ label, labelledBy, isOfWorkspace }: Target): NamedTarget['namedBy'] {
  if (isOfWorkspace) return 'folder';
  return label === undefined ? 'api' : (labelledBy ?? 'user');
}

/** Whether someone other than the user or the API gave a name, so that it may mislead. */
export function isNamedByOthers({ namedBy }: Pick<NamedTarget, 'namedBy'>): boolean {
  return namedBy === 'folder' || namedBy === 'program';
}
