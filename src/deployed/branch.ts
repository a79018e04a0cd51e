import * as v from 'valibot';
import { membersOf } from '../base/json';
import type { Deployment, Resource } from '../api/types';
import { readStored } from '../base/storedValue';
import type { CacheKey } from '../data/cacheKeys';
import type { Store } from '../data/store';
import { isUuid, type Target } from '../data/targets';
import type { Head } from '../commits/commitFacts';
import {
  isPreview,
  isPreviewOf,
  shortRef,
  type Deployed,
  deployedIn,
  type PreviewedResource,
  previewOf,
} from '../data/deployments';
import { type MatchReason, matchSource, type SourceMatch } from './sourceMatch';

/** The user's choice for a repository: a source, or none. */
export type SourceChoice = { readonly sourceId: string } | 'none';

const storedChoice = v.union([
  v.literal('none'),
  v.pipe(
    v.custom<string>(isUuid),
    v.transform((sourceId) => ({ sourceId })),
  ),
]);

/**
 * The choice for a repository among the saved ones.
 *
 * @param root the URI of the repository, as text.
 */
export function readChoice(saved: unknown, root: string): SourceChoice | undefined {
  return readStored(storedChoice, membersOf(saved)[root]);
}

/** The saved choices with another one for a repository; undefined removes it. */
export function withChoice(
  saved: unknown,
  root: string,
  choice: SourceChoice | undefined,
): Readonly<Record<string, unknown>> {
  const { [root]: _before, ...others } = membersOf(saved);
  if (choice === undefined) return others;
  return { ...others, [root]: choice === 'none' ? choice : choice.sourceId };
}

interface BranchInput {
  /** URLs of the remotes of the repository. */
  readonly remotes: readonly string[];
  readonly head: Head | undefined;
  /** Undefined: the source is found automatically. */
  readonly choice: SourceChoice | undefined;
  readonly sources: readonly Target[];
  readonly store: Pick<Store, 'resources' | 'deployments'>;
  /** Whether the repository has a commit; undefined while that is unknown. */
  readonly holds: (sha: string) => boolean | undefined;
}

export interface BranchEnvironment extends Environment {
  readonly deployed: Deployed;
  /** How many of its resources are read; the rest are too many. */
  readonly lookedAt: number;
  /** Why the deployments could not be loaded. */
  readonly error: unknown;
}

/** The checked-out branch with its source and environments. */
export interface CheckedOutBranch {
  readonly head: Head;
  readonly source: Target;
  readonly by: MatchReason;
  readonly relation: Relation;
  /** The most important one first; never empty. */
  readonly environments: readonly BranchEnvironment[];
  /** Its preview, by app and job; empty if it has none. */
  readonly preview: readonly PreviewedResource[];
}

export interface BranchReading {
  readonly state:
    | { readonly kind: 'shown'; readonly branch: CheckedOutBranch }
    /** The user must choose one. */
    | { readonly kind: 'severalSources'; readonly sources: readonly Target[] }
    /** The source is unknown, or has no environment. */
    | { readonly kind: 'nothing' };
  /** The keys to refresh for this state. */
  readonly cacheKeys: readonly CacheKey[];
}

/** The most apps and jobs of an environment that are read, because each takes a request. */
const maxResources = 20;

/** Combines the data of Git and the control plane. */
export function readBranch(input: BranchInput): BranchReading {
  const { head, store } = input;
  const nothing = { kind: 'nothing' } as const;
  if (head === undefined || input.choice === 'none') return { state: nothing, cacheKeys: [] };

  const missing: CacheKey[] = [];
  const match = chosenSource(input) ?? matchSource({ ...input, resourcesOf });
  if (match.kind === 'none') return { state: nothing, cacheKeys: missing };
  if (match.kind === 'several') {
    return { state: { kind: 'severalSources', sources: match.sources }, cacheKeys: [] };
  }

  /** Empty if they cannot be loaded. */
  function resourcesOf({ id }: Target): readonly Resource[] | undefined {
    const { value, error } = store.resources(id);
    if (value === undefined) missing.push({ kind: 'resources', sourceId: id });
    return value?.resources ?? (error === undefined ? undefined : []);
  }

  const { source, by } = match;
  const cacheKeys: CacheKey[] = [{ kind: 'resources', sourceId: source.id }];
  const resources = store.resources(source.id).value?.resources ?? [];
  const deploymentsOf = ({ id }: Resource): readonly Deployment[] =>
    (id === undefined ? undefined : store.deployments(id).value?.deployments) ?? [];
  const found = environmentsOf(resources, head, deploymentsOf);
  if (found === undefined) return { state: nothing, cacheKeys };

  const { relation } = found;
  const shown = found.environments.flatMap((one) => looked(one.resources));
  // Without an environment, any resource could have a preview of the branch.
  const watched = relation === 'own' ? shown : looked([...new Set([...shown, ...resources])]);
  cacheKeys.push(...watched.flatMap(deploymentTopics));
  const environments = found.environments.map((environment): BranchEnvironment => {
    const among = looked(environment.resources);
    const deployed = deployedIn(among, (resource) =>
      deploymentsOf(resource).filter((one) => belongs(one, environment, relation)),
    );
    return { ...environment, deployed, lookedAt: among.length, error: firstError(among, store) };
  });
  const preview = previewOf(resources, branchesOf(head), deploymentsOf);
  return {
    state: { kind: 'shown', branch: { head, source, by, relation, environments, preview } },
    cacheKeys,
  };
}

/** The names that previews of a branch can have. */
export function branchesOf({ branch, upstream }: Head): readonly string[] {
  return [...new Set([branch, upstream].filter((name) => name !== undefined))];
}

function chosenSource({ choice, sources }: BranchInput): SourceMatch | undefined {
  if (choice === undefined || choice === 'none') return undefined;
  // An unknown id belongs to another connection, or was removed from the list.
  const source = sources.find(({ id }) => id === choice.sourceId);
  return source && { kind: 'one', source, by: 'choice' };
}

function looked(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter(({ id }) => isUuid(id)).slice(0, maxResources);
}

function deploymentTopics({ id }: Resource): CacheKey[] {
  return id === undefined ? [] : [{ kind: 'deployments', resourceId: id }];
}

function belongs(deployment: Deployment, environment: Environment, relation: Relation): boolean {
  if (relation === 'preview') return isPreviewOf(deployment, environment.branch ?? '');
  const target = deployment.targetEnvironment?.id?.toLowerCase();
  const isElsewhere = target !== undefined && target !== environment.id?.toLowerCase();
  return !isPreview(deployment) && !(isElsewhere && environment.id !== undefined);
}

function firstError(resources: readonly Resource[], store: Pick<Store, 'deployments'>): unknown {
  const known = resources.map(({ id }) => (id === undefined ? undefined : store.deployments(id)));
  return known.find((one) => one?.error !== undefined && one.value === undefined)?.error;
}

/** How environments relate to the branch. */
type Relation =
  /** The branch is deployed to them. */
  | 'own'
  /** Previews of the branch. */
  | 'preview'
  /** The branch has none: an environment of another branch to compare with. */
  | 'other';

/** An environment of a source. Texts are untrusted. */
interface Environment {
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
function environmentsOf(
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
