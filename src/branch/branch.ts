import type { Deployment, Resource } from '../api/types';
import {
  environmentsOf,
  isPreview,
  isPreviewOf,
  type Environment,
  type Head,
  type Relation,
} from './branchEnvironments';
import { deployedIn, type Deployed } from './deployed';
import { isUuid, type Target } from '../inventory/targets';
import { matchSource, type MatchReason, type SourceMatch } from './sourceMatch';
import type { Store } from '../inventory/store';
import type { ResourceKey } from '../inventory/resourceKeys';

/** What a person chose for a repository: the id of a source, or that none is to be shown. */
export type SourceChoice = { readonly sourceId: string } | 'none';

export interface BranchInput {
  /** URLs of the remotes of the repository. */
  readonly remotes: readonly string[];
  readonly head: Head | undefined;
  /** Undefined: it is found without being asked for. */
  readonly choice: SourceChoice | undefined;
  readonly sources: readonly Target[];
  readonly store: Pick<Store, 'resources' | 'deployments'>;
  /** Whether the repository holds a commit; undefined where that is not known yet. */
  readonly holds: (sha: string) => boolean | undefined;
}

export interface BranchEnvironment extends Environment {
  readonly deployed: Deployed;
  /** How many of its resources are looked at, where there are too many. */
  readonly lookedAt: number;
  /** Why what is deployed is not known, where something could not be had. */
  readonly error?: unknown;
}

/** What the control plane knows of the branch that is checked out. */
export interface CheckedOutBranch {
  readonly head: Head;
  readonly source: Target;
  readonly by: MatchReason;
  readonly relation: Relation;
  /** The most important one first; never empty. */
  readonly environments: readonly BranchEnvironment[];
}

export interface BranchReading {
  readonly state:
    | { readonly kind: 'shown'; readonly branch: CheckedOutBranch }
    /** A person must choose one. */
    | { readonly kind: 'severalSources'; readonly sources: readonly Target[] }
    /** It is not known which source it is, or nothing of it. */
    | { readonly kind: 'nothing' };
  /** What must be kept fresh for that. */
  readonly topics: readonly ResourceKey[];
}

/** Of an environment with more apps and jobs than these the first are looked at: each is a request. */
const maxResources = 20;

/** Brings together what Git and the control plane say. */
export function readBranch(input: BranchInput): BranchReading {
  const { head, store } = input;
  const nothing = { kind: 'nothing' } as const;
  if (head === undefined || input.choice === 'none') return { state: nothing, topics: [] };

  const missing: ResourceKey[] = [];
  const match = chosenSource(input) ?? matchSource({ ...input, resourcesOf });
  if (match.kind === 'none') return { state: nothing, topics: missing };
  if (match.kind === 'several') {
    return { state: { kind: 'severalSources', sources: match.sources }, topics: [] };
  }

  /** Where they cannot be had, the others must do. */
  function resourcesOf({ id }: Target): readonly Resource[] | undefined {
    const { value, error } = store.resources(id);
    if (value === undefined) missing.push({ kind: 'resources', sourceId: id });
    return value?.resources ?? (error === undefined ? undefined : []);
  }

  const { source, by } = match;
  const topics: ResourceKey[] = [{ kind: 'resources', sourceId: source.id }];
  const resources = store.resources(source.id).value?.resources ?? [];
  const deploymentsOf = ({ id }: Resource): readonly Deployment[] =>
    (id === undefined ? undefined : store.deployments(id).value?.deployments) ?? [];
  const found = environmentsOf(resources, head, deploymentsOf);
  if (found === undefined) return { state: nothing, topics };

  const { relation } = found;
  const shown = found.environments.flatMap((one) => looked(one.resources));
  // Where the branch has no environment, any of the others could have a preview of it.
  const watched = relation === 'own' ? shown : looked([...new Set([...shown, ...resources])]);
  topics.push(...watched.flatMap(deploymentTopics));
  const environments = found.environments.map((environment): BranchEnvironment => {
    const among = looked(environment.resources);
    const deployed = deployedIn(among, (resource) =>
      deploymentsOf(resource).filter((one) => belongs(one, environment, relation)),
    );
    const error = firstError(among, store);
    return {
      ...environment,
      deployed,
      lookedAt: among.length,
      ...(error === undefined ? {} : { error }),
    };
  });
  return { state: { kind: 'shown', branch: { head, source, by, relation, environments } }, topics };
}

function chosenSource({ choice, sources }: BranchInput): SourceMatch | undefined {
  if (choice === undefined || choice === 'none') return undefined;
  // One that is not known any more is that of another connection, or was removed.
  const source = sources.find(({ id }) => id === choice.sourceId);
  return source && { kind: 'one', source, by: 'choice' };
}

function looked(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter(({ id }) => isUuid(id)).slice(0, maxResources);
}

function deploymentTopics({ id }: Resource): ResourceKey[] {
  return id === undefined ? [] : [{ kind: 'deployments', resourceId: id }];
}

function belongs(deployment: Deployment, environment: Environment, relation: Relation): boolean {
  if (relation === 'preview') return isPreviewOf(deployment, environment.branch ?? '');
  const target = deployment.targetEnvironment?.id?.toLowerCase();
  const isElsewhere = target !== undefined && target !== environment.id?.toLowerCase();
  return !isPreview(deployment) && !(isElsewhere && environment.id !== undefined);
}

function firstError(
  resources: readonly Resource[],
  { deployments }: Pick<Store, 'deployments'>,
): unknown {
  const known = resources.map(({ id }) => (id === undefined ? undefined : deployments(id)));
  return known.find((one) => one?.error !== undefined && one.value === undefined)?.error;
}
