import type { Commit, RangeReader } from './commitRange';
import { type CommitChanges, rankSuspects, type SuspectReason } from './suspects';

/** What is known of an error that came between two commits. Texts are untrusted. */
export interface SuspectQuestion {
  /** The commit without the error, and the one with it: hashes or their beginnings. */
  readonly before: string;
  readonly now: string;
  readonly message: string;
  /** Lines of its stack as they were deployed, innermost first: the URI of the file as text, from 1. */
  readonly places: readonly { readonly file: string; readonly line: number }[];
}

/** A commit that may have caused an error. */
export interface SuspectedCommit {
  readonly commit: Commit;
  readonly reason: SuspectReason;
  /** The URI of the file that it changed, as text. */
  readonly file: string;
}

/** Reads what commits did to files, whose URIs are texts. */
export interface SuspectReader extends Pick<RangeReader, 'hashOf'> {
  /** The commits that `to` has, `from` does not have, and that changed the file, newest first. */
  commitsOfFile(from: string, to: string, file: string): Promise<readonly Commit[]>;
  /** What a commit changed in a file since its parent, as a patch. */
  patchOf(parent: string, sha: string, file: string): Promise<string>;
  /** The lines of a file at a commit; empty if they are not known. */
  linesAt(sha: string, file: string): Promise<readonly string[]>;
}

/** How many commits are looked at, the newest, and how many files of the stack. */
const mostCommits = 200;
const mostFiles = 5;

/**
 * The commits that may have caused an error, the likeliest first; empty if nothing points at one. After
 * a rollback nothing came that could have.
 *
 * @returns undefined if the repository does not have the commits.
 * @throws the signal's reason before the next question to Git.
 */
export async function findSuspects(
  reader: SuspectReader,
  { before, now, message, places }: SuspectQuestion,
  signal: AbortSignal,
): Promise<readonly SuspectedCommit[] | undefined> {
  const [from, to] = await Promise.all([reader.hashOf(before), reader.hashOf(now)]);
  if (from === undefined || to === undefined) return undefined;
  const files = [...new Set(places.map(({ file }) => file))].slice(0, mostFiles);
  const commits = new Map<string, { readonly commit: Commit; readonly files: string[] }>();
  for (const file of files) {
    signal.throwIfAborted();
    for (const commit of (await reader.commitsOfFile(from, to, file)).slice(0, mostCommits)) {
      const known = commits.get(commit.sha) ?? { commit, files: [] };
      commits.set(commit.sha, known);
      known.files.push(file);
    }
  }
  const newestFirst = [...commits.values()]
    .sort((one, other) => (other.commit.at ?? 0) - (one.commit.at ?? 0))
    .slice(0, mostCommits);
  const changes: CommitChanges[] = [];
  for (const { commit, files: changed } of newestFirst) {
    const [parent] = commit.parents;
    if (parent === undefined) continue;
    const patches = new Map<string, string>();
    for (const file of changed) {
      signal.throwIfAborted();
      patches.set(file, await reader.patchOf(parent, commit.sha, file));
    }
    changes.push({ sha: commit.sha, patches });
  }
  if (changes.length === 0) return [];
  const texts = new Map<string, readonly string[]>();
  for (const file of files) {
    signal.throwIfAborted();
    texts.set(file, await reader.linesAt(to, file));
  }
  const suspects = rankSuspects(
    places
      .filter(({ file }) => texts.has(file))
      .map(({ file, line }) => ({ path: file, line, text: texts.get(file) ?? [] })),
    message,
    changes,
  );
  return suspects.flatMap(({ sha, reason, path: file }) => {
    const commit = commits.get(sha)?.commit;
    return commit === undefined ? [] : [{ commit, reason, file }];
  });
}
