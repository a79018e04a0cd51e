import type { Head } from '../commits/commitFacts';
import type { Deployment, Resource } from '../api/types';
import { isPreviewOf, shortRef } from '../data/deployments';

/** How environments relate to the branch. */
export type Relation =
  /** The branch is deployed to them. */
  | 'own'
  /** Previews of the branch. */
  | 'preview'
  /** The branch has none: an environment of another branch to compare with. */
  | 'other';

/** An environment of a source. Texts are untrusted. */
export interface Environment {
  readonly id?: string;
  readonly name?: string;
  /** The branch that is deployed to it. */
  readonly branch?: string;
  readonly isDisconnected: boolean;
  readonly resources: readonly Resource[];
}

interface BranchEnvironments {
  readonly relation: Relation;
  /** The most important one first; never empty. */
  readonly environments: readonly Environment[];
}

/**
 * The environments that a branch is deployed to, otherwise its previews, otherwise the most important
 * environment of another branch. Undefined if the source has none.
 *
 * @param deploymentsOf returns an empty list while they are unknown.
 */
export function environmentsOf(
  resources: readonly Resource[],
  { branch, upstream }: Head,
  deploymentsOf: (resource: Resource) => readonly Deployment[],
): BranchEnvironments | undefined {
  const all = groupByEnvironment(resources.filter(({ archivedAt }) => archivedAt === undefined));
  const names = [branch, upstream].filter((name) => name !== undefined);
  for (const name of names) {
    const own = all.filter((one) => one.branch === name);
    if (own.length > 0) return { relation: 'own', environments: own };
  }
  for (const name of names) {
    const previewed = resources.filter((one) =>
      deploymentsOf(one).some((deployment) => isPreviewOf(deployment, name)),
    );
    if (previewed.length > 0) {
      const preview = { name: 'preview', branch: name, isDisconnected: false };
      return { relation: 'preview', environments: [{ ...preview, resources: previewed }] };
    }
  }
  const [first] = all;
  return first && { relation: 'other', environments: [first] };
}

/** Connected environments first, among them production, then those of main branches. */
function groupByEnvironment(resources: readonly Resource[]): Environment[] {
  const groups = new Map<string, Environment & { readonly resources: Resource[] }>();
  for (const resource of resources) {
    const { id, name, branch: own, disconnectedAt } = resource.environment ?? {};
    const branch = shortRef(own ?? resource.config?.sourceBranch);
    const key = `${id?.toLowerCase() ?? name ?? ''}\n${branch ?? ''}`;
    const group = groups.get(key) ?? {
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(branch === undefined ? {} : { branch }),
      isDisconnected: disconnectedAt !== undefined,
      resources: [],
    };
    groups.set(key, group);
    group.resources.push(resource);
  }
  return [...groups.values()].sort((one, other) => weight(one) - weight(other));
}

function weight({ isDisconnected, name, branch }: Environment): number {
  const isProduction = /^prod/i.test(name ?? '');
  const isMain = ['main', 'master', 'trunk'].includes(branch ?? '');
  return (isDisconnected ? 4 : 0) + (isProduction ? 0 : 2) + (isMain ? 0 : 1);
}
