import * as v from 'valibot';
import type { Deployment, Resource } from '../api/types';
import { membersOf } from '../base/json';
import { getOrMake } from '../base/maps';
import { readStored } from '../base/storedValue';
import { dotted, joined, type Texts, type Translate } from '../base/textFormat';
import type { TimeFormat } from '../base/timeFormat';
import { cut } from '../base/untrustedText';
import type { Head, Position } from '../commits/commitFacts';
import {
  isIn,
  type Place,
  shortRef,
  type Deployed,
  deployedIn,
  type PreviewedResource,
  previewOf,
  shortSha,
  type DeployedCommit,
} from '../data/deployments';
import type { CacheKey, Store } from '../data/store';
import { isUuid, type Target, shortId } from '../data/targets';
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
export function readSourceChoice(saved: unknown, root: string): SourceChoice | undefined {
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
  readonly store: Pick<Store, 'read'>;
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
    const { value, error } = store.read('resources', id);
    if (value === undefined) missing.push({ kind: 'resources', id });
    return value?.resources ?? (error === undefined ? undefined : []);
  }

  const { source, by } = match;
  const cacheKeys: CacheKey[] = [{ kind: 'resources', id: source.id }];
  const resources = store.read('resources', source.id).value?.resources ?? [];
  const deploymentsOf = ({ id }: Resource): readonly Deployment[] =>
    (id === undefined ? undefined : store.read('deployments', id).value?.deployments) ?? [];
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
      deploymentsOf(resource).filter((one) => isIn(one, environment)),
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
  return id === undefined ? [] : [{ kind: 'deployments', id }];
}

function firstError(resources: readonly Resource[], store: Pick<Store, 'read'>): unknown {
  const known = resources.map(({ id }) =>
    id === undefined ? undefined : store.read('deployments', id),
  );
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
  /** Whether it is the preview of its branch. */
  readonly isPreview: boolean;
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
      deploymentsOf(one).some((deployment) => isIn(deployment, { isPreview: true, branch: name })),
    );
    if (previewed.length > 0) {
      const place = { name: 'preview', branch: name, isPreview: true };
      const preview = { ...place, isDisconnected: false, resources: previewed };
      return { relation: 'preview', environments: [preview] };
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
    getOrMake(groups, key, () => ({
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(branch === undefined ? {} : { branch }),
      isDisconnected: disconnectedAt !== undefined,
      isPreview: false,
      resources: [],
    })).resources.push(resource);
  }
  return [...groups.values()].sort((a, b) => weight(a) - weight(b));
}

function weight({ isDisconnected, name, branch }: Environment): number {
  const isProduction = /^prod/i.test(name ?? '');
  const isMain = ['main', 'master', 'trunk'].includes(branch ?? '');
  return (isDisconnected ? 4 : 0) + (isProduction ? 0 : 2) + (isMain ? 0 : 1);
}

interface BranchContext extends Texts {
  readonly timeFormat: TimeFormat;
  /** How HEAD relates to a deployed commit; undefined while that is unknown. */
  readonly positionOf: (sha: string) => Position | undefined;
  readonly sourceLabel: string;
  /** An error in words. */
  readonly describe: (error: unknown) => string;
}

/** The texts of the status bar item. They may contain untrusted text of the server. */
export interface BranchWords {
  /** `production a1b2c3d 2↑ 1↓` */
  readonly text: string;
  /** The same as a sentence, for screen readers. */
  readonly label: string;
  readonly tooltip: readonly string[];
  /** Whether a deployment is running. */
  readonly isBusy: boolean;
  /** Whether the last push has failed, and nobody has seen it. */
  readonly isFailed: boolean;
}

/** The longest name in the status bar. */
const maxName = 30;
/** More names are counted only. */
const maxNames = 5;

export function branchText(branch: CheckedOutBranch, context: BranchContext): BranchWords {
  const { t } = context;
  const [first, ...others] = branch.environments;
  const name = first === undefined ? '' : environmentName(first, t);
  const [newest, ...older] = first?.deployed.commits ?? [];
  const position = newest && context.positionOf(newest.sha);
  return {
    text: joined(
      [
        cut(name, maxName),
        newest && shortSha(newest.sha),
        older.length > 0 ? t('(mixed)') : undefined,
        position && positionSign(position, older.length > 0, t),
        others.length > 0 ? t('+{0} more', others.length) : undefined,
      ],
      ' ',
    ),
    label: joined(
      [
        newest === undefined
          ? t('Control plane: {0}', name)
          : t('Control plane: {0} runs {1}', name, shortSha(newest.sha) ?? ''),
        older.length > 0 ? t('and other commits') : undefined,
        position && positionText(position, context),
      ],
      ', ',
    ),
    tooltip: [
      relationWords(branch, t),
      ...branch.environments.flatMap((one) => environmentLines(one, context)),
      ...headLines(branch, t),
      sourceWords(branch.by, context),
    ],
    isBusy: branch.environments.some(({ deployed }) => deployed.coming.length > 0),
    isFailed: false,
  };
}

/** The name of an environment, or its short id. */
export function environmentName({ name, id }: Pick<Place, 'name' | 'id'>, t: Translate): string {
  return name ?? (id === undefined ? t('No environment') : shortId(id));
}

/** The apps and jobs that run a commit, in one line. */
export function runsIn({ resources }: DeployedCommit, t: Translate): string {
  const shown = resources.slice(0, maxNames).join(', ');
  const more = resources.length - maxNames;
  return more > 0 ? t('{0} and {1} more', shown, more) : shown;
}

function positionSign(position: Position, isMixed: boolean, t: Translate): string {
  if (position.kind === 'notFetched') return t('not fetched');
  const { ahead, behind } = position;
  if (ahead === 0 && behind === 0) return isMixed ? '' : '✓';
  return joined([ahead > 0 ? `${ahead}↑` : '', behind > 0 ? `${behind}↓` : ''], ' ');
}

/** How HEAD relates to a deployed commit, in words. */
export function positionText(position: Position, { t, counted }: Texts): string {
  if (position.kind === 'notFetched') return t('not fetched');
  const { ahead, behind } = position;
  if (ahead === 0 && behind === 0) return t('the checked-out commit');
  if (behind === 0) {
    return counted(ahead, 'HEAD is {0} commit ahead', 'HEAD is {0} commits ahead');
  }
  if (ahead === 0) {
    return counted(behind, 'HEAD is {0} commit behind', 'HEAD is {0} commits behind');
  }
  return counted(
    ahead,
    'HEAD is {0} commit ahead and {1} behind',
    'HEAD is {0} commits ahead and {1} behind',
    behind,
  );
}

function relationWords({ relation, head, environments }: CheckedOutBranch, t: Translate): string {
  const name = head.branch ?? '';
  switch (relation) {
    case 'own':
      return environments.length === 1
        ? t('Environment of branch {0}:', name)
        : t('Environments of branch {0}:', name);
    case 'preview':
      return t('Preview of branch {0}:', name);
    case 'other':
      return head.branch === undefined
        ? t('No branch is checked out. For comparison:')
        : t('Branch {0} has no environment. For comparison:', name);
  }
}

function environmentLines(environment: BranchEnvironment, context: BranchContext): string[] {
  const { t, counted, describe } = context;
  const { deployed, branch, isDisconnected, lookedAt, resources, error } = environment;
  const about = joined(
    [branch && t('branch {0}', branch), isDisconnected ? t('disconnected') : undefined],
    ', ',
  );
  const name = environmentName(environment, t);
  const lines = [about === '' ? name : `${name} (${about})`];
  const isMixed = deployed.commits.length > 1;
  if (isMixed) lines.push(`  ${t('Apps and jobs run different commits, newest first:')}`);
  for (const commit of deployed.commits.slice(0, maxNames)) {
    lines.push(`  ${commitLine(commit, isMixed, context)}`);
  }
  const more = deployed.commits.length - maxNames;
  if (more > 0) lines.push(`  ${t('{0} more', more)}`);
  for (const sha of deployed.coming) lines.push(`  ${t('deploying: {0}', shortSha(sha) ?? sha)}`);
  for (const { sha, state } of deployed.unclear.slice(0, maxNames)) {
    lines.push(`  ${shortSha(sha) ?? sha}: ${t('in state {0}', state)}`);
  }
  if (error !== undefined) lines.push(`  ${describe(error)}`);
  else if (deployed.commits.length === 0) lines.push(`  ${t('No deployments')}`);
  if (lookedAt < resources.length) {
    lines.push(
      `  ${counted(resources.length, 'Shows {1} of {0} app or job.', 'Shows {1} of {0} apps and jobs.', lookedAt)}`,
    );
  }
  return lines;
}

function commitLine(commit: DeployedCommit, isMixed: boolean, context: BranchContext): string {
  const { t, timeFormat, positionOf } = context;
  const position = positionOf(commit.sha);
  return dotted([
    shortSha(commit.sha),
    isMixed ? runsIn(commit, t) : undefined,
    timeFormat.relativeTo(commit.at),
    position && positionText(position, context),
  ]);
}

function headLines({ head }: CheckedOutBranch, t: Translate): string[] {
  return head.commit === undefined
    ? [t('This repository has no commits yet.')]
    : [t('Uncommitted changes are not counted.')];
}

function sourceWords(by: MatchReason, { t, sourceLabel }: BranchContext): string {
  switch (by) {
    case 'choice':
      return t('Source: {0} (chosen for this folder)', sourceLabel);
    case 'name':
      return t('Source: {0} (same name as the repository)', sourceLabel);
    case 'commit':
      return t('Source: {0} (this repository has its commit)', sourceLabel);
    case 'resource':
      return t('Source: {0} (its app or job has the name of the repository)', sourceLabel);
  }
}
