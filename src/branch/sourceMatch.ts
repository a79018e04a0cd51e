import type { Resource } from '../api/types';
import { nameOfResource } from '../inventory/sources/resourceNodes';
import type { Target } from '../inventory/targets';

/** What a match rests on. */
export type MatchReason =
  /** A person said so. */
  | 'choice'
  /** The source is called as a remote calls the repository. */
  | 'name'
  /** The repository holds the commit that the source was last read at. */
  | 'commit'
  /** An app or job of the source, and of no other, is called as a remote calls the repository. */
  | 'resource';

export type SourceMatch =
  | { readonly kind: 'one'; readonly source: Target; readonly by: MatchReason }
  /** Any of these could be it: a person must say which. */
  | { readonly kind: 'several'; readonly sources: readonly Target[] }
  | { readonly kind: 'none' };

export interface MatchInput {
  /** URLs of the remotes of the repository. */
  readonly remotes: readonly string[];
  readonly sources: readonly Target[];
  /** Undefined where they are not known yet. */
  readonly resourcesOf: (source: Target) => readonly Resource[] | undefined;
  /** Whether the repository holds a commit; undefined where that is not known yet. */
  readonly holds: (sha: string) => boolean | undefined;
}

/** Beyond so many sources none is looked into: each takes a request, once. */
const maxSources = 50;
/** A source whose resources were read at more commits than these is told by these. */
const maxRevisions = 3;

/**
 * Which source a repository belongs to. A name that a person gave tells it at once; else a commit
 * that both have does, which no chance can bring about; else the name of an app or job.
 */
export function matchSource(input: MatchInput): SourceMatch {
  const remotes = input.remotes.map(remoteName).filter((remote) => remote !== undefined);
  const named = bestNamed(input.sources, remotes);
  const [only] = named;
  if (only !== undefined && named.length === 1) return { kind: 'one', source: only, by: 'name' };

  const pool = (named.length > 1 ? named : input.sources).slice(0, maxSources);
  const holding = pool.map((source) => ({ source, holds: holdsRevision(input, source) }));
  // Told too early, it would be taken back when the rest is known.
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

/** Those that are called as a remote; of them those with the owner before the name, if there are any. */
function bestNamed(sources: readonly Target[], remotes: readonly RemoteName[]): readonly Target[] {
  const named = sources.filter(({ label }) => isCalled(label, remotes));
  const exact = named.filter(({ label }) => label?.includes('/'));
  return exact.length > 0 ? exact : named;
}

function isCalled(text: string | undefined, remotes: readonly RemoteName[]): boolean {
  return text !== undefined && remotes.some((remote) => isNameOf(text, remote));
}

/** Undefined while it is not known. */
function holdsRevision({ resourcesOf, holds }: MatchInput, source: Target): boolean | undefined {
  const resources = resourcesOf(source);
  if (resources === undefined) return undefined;
  const revisions = resources.map(({ sourceRevision }) => sourceRevision).filter(isFullHash);
  const answers = [...new Set(revisions)].slice(0, maxRevisions).map(holds);
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

/** Less of a hash could be that of another commit. */
function isFullHash(text: string | undefined): text is string {
  return text !== undefined && /^(?:[\da-f]{40}|[\da-f]{64})$/i.test(text);
}

/** What the URL of a Git remote calls its repository, in lower case. */
interface RemoteName {
  /** `shop-web` */
  readonly name: string;
  /** With all that stands before it: `example-shop/shop-web`. */
  readonly path: string;
}

/**
 * Reads the URL of a remote in any form that Git takes: `https://host/owner/name.git`,
 * `ssh://git@host:22/owner/name`, `git@host:owner/name`, a path. Undefined where it names nothing.
 */
export function remoteName(url: string): RemoteName | undefined {
  const path = /^[a-z][\w+.-]*:\/\/[^/]*(.*)$/i.exec(url)?.[1] ?? scpPath(url) ?? url;
  const segments = path
    .replace(/[?#].*$/, '')
    .toLowerCase()
    .split(/[/\\]+/)
    // Some hosts have a word of their own before the name.
    .filter((part) => part !== '' && part !== '_git')
    .map(decoded);
  const name = segments.pop()?.replace(/\.git$/, '');
  if (name === undefined || name === '') return undefined;
  return { name, path: [...segments, name].join('/') };
}

/** Whether a text such as a label names the repository of a remote: its name, or that with its owner. */
export function isNameOf(text: string, { path }: RemoteName): boolean {
  const named = remoteName(text.trim())?.path;
  return named !== undefined && (path === named || path.endsWith(`/${named}`));
}

/** `git@host:owner/name`; the drive of a Windows path is no host. */
function scpPath(url: string): string | undefined {
  return /^(?:[^/@:\s]+@)?[^/@:\s]{2,}:(.*)$/.exec(url)?.[1];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
