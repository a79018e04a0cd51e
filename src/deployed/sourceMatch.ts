import type { Resource } from '../api/types';
import { nameOfResource } from '../data/labels';
import type { Target } from '../data/targets';

/** Why a source matches a repository. */
export type MatchReason =
  /** The user chose it. */
  | 'choice'
  /** Its label, or its name in the control plane, is that of the repository in a remote URL. */
  | 'name'
  /** The repository has the commit that the source was last read at. */
  | 'commit'
  /** An app or job of this source only has the name of the repository. */
  | 'resource';

export type SourceMatch =
  | { readonly kind: 'one'; readonly source: Target; readonly by: MatchReason }
  /** Any of these could be it: the user must choose. */
  | { readonly kind: 'several'; readonly sources: readonly Target[] }
  | { readonly kind: 'none' };

interface MatchInput {
  /** URLs of the remotes of the repository. */
  readonly remotes: readonly string[];
  readonly sources: readonly Target[];
  /** Undefined while they are unknown. */
  readonly resourcesOf: (source: Target) => readonly Resource[] | undefined;
  /** Whether the repository has a commit; undefined while that is unknown. */
  readonly holds: (sha: string) => boolean | undefined;
}

/** How many sources are checked, because each takes a request. */
const maxSources = 50;
/** How many commits of a source are checked. */
const maxRevisions = 3;

/**
 * Finds the source of a repository: by its names, otherwise by a commit that both have, otherwise
 * by the name of an app or job.
 */
export function matchSource(input: MatchInput): SourceMatch {
  const remotes = input.remotes.map(remoteName).filter((remote) => remote !== undefined);
  const named = bestNamed(input.sources, remotes);
  const [only] = named;
  if (only !== undefined && named.length === 1) return { kind: 'one', source: only, by: 'name' };

  const pool = (named.length > 1 ? named : input.sources).slice(0, maxSources);
  const holding = pool.map((source) => ({ source, holds: holdsRevision(input, source) }));
  // Waits for all, because another source may match too.
  if (holding.some(({ holds }) => holds === undefined)) return { kind: 'none' };
  const byCommit = holding.filter(({ holds }) => holds).map(({ source }) => source);
  if (byCommit.length > 0) return found(byCommit, 'commit');
  if (named.length > 1) return found(named, 'name');

  const byResource = pool.filter((source) =>
    (input.resourcesOf(source) ?? []).some((one) => isCalled(nameOfResource(one), remotes)),
  );
  return byResource.length === 1 ? found(byResource, 'resource') : { kind: 'none' };
}

function found(sources: readonly Target[], by: MatchReason): SourceMatch {
  const [source] = sources;
  if (source === undefined) return { kind: 'none' };
  return sources.length === 1 ? { kind: 'one', source, by } : { kind: 'several', sources };
}

/** The sources with the name of a remote; only those that name the owner too, if there are any. */
function bestNamed(sources: readonly Target[], remotes: readonly RemoteName[]): readonly Target[] {
  const namesOf = ({ label, listedName }: Target): readonly string[] =>
    [label, listedName].filter((name) => isCalled(name, remotes)).map((name) => name ?? '');
  const named = sources.filter((source) => namesOf(source).length > 0);
  const exact = named.filter((source) => namesOf(source).some((name) => name.includes('/')));
  return exact.length > 0 ? exact : named;
}

function isCalled(text: string | undefined, remotes: readonly RemoteName[]): boolean {
  return text !== undefined && remotes.some((remote) => isNameOf(text, remote));
}

/** Undefined while unknown. */
function holdsRevision({ resourcesOf, holds }: MatchInput, source: Target): boolean | undefined {
  const resources = resourcesOf(source);
  if (resources === undefined) return undefined;
  const revisions = resources.map(({ sourceRevision }) => sourceRevision).filter(isFullHash);
  const answers = [...new Set(revisions)].slice(0, maxRevisions).map(holds);
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

/** A shorter hash could match another commit. */
function isFullHash(text: string | undefined): text is string {
  return text !== undefined && /^(?:[\da-f]{40}|[\da-f]{64})$/i.test(text);
}

/** The name of the repository in the URL of a Git remote, in lower case. */
interface RemoteName {
  /** `shop-web` */
  readonly name: string;
  /** The whole path: `example-shop/shop-web`. */
  readonly path: string;
}

/**
 * Reads the URL of a remote in every form that Git accepts: `https://host/owner/name.git`,
 * `ssh://git@host:22/owner/name`, `git@host:owner/name`, or a path. Undefined if it has no name.
 */
export function remoteName(url: string): RemoteName | undefined {
  const path = /^[a-z][\w+.-]*:\/\/[^/]*([^]*)$/i.exec(url)?.[1] ?? scpPath(url) ?? url;
  const segments = path
    .replace(/[?#][^]*$/, '')
    .toLowerCase()
    .split(/[/\\]+/)
    // Some hosts put this before the name.
    .filter((part) => part !== '' && part !== '_git')
    .map(decoded);
  const name = segments.pop()?.replace(/\.git$/, '');
  if (name === undefined || name === '') return undefined;
  return { name, path: [...segments, name].join('/') };
}

/** Whether a label is the name of the repository of a remote, with or without the owner. */
export function isNameOf(text: string, { path }: RemoteName): boolean {
  const named = remoteName(text.trim())?.path;
  return named !== undefined && (path === named || path.endsWith(`/${named}`));
}

/** The path of `git@host:owner/name`. The drive of a Windows path is not a host. */
function scpPath(url: string): string | undefined {
  return /^(?:[^/@:\s]+@)?[^/@:\s]{2,}:([^]*)$/.exec(url)?.[1];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
