/** A commit as Git tells of it. Texts are untrusted. */
export interface Commit {
  /** The whole hash. */
  readonly sha: string;
  /** The first line of its message. */
  readonly title: string;
  readonly author?: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at?: number;
  /** How many files it changed. */
  readonly files?: number;
  readonly parents: readonly string[];
}

/** A changed file: its URI as text on both sides, undefined where it does not exist. */
export interface ChangedFile {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Reads what is between two commits. */
export interface RangeReader {
  /** The whole hash of a commit; undefined if the repository does not have it. */
  hashOf(sha: string): Promise<string | undefined>;
  /** The last commit that both come from; undefined if there is none. */
  mergeBase(a: string, b: string): Promise<string | undefined>;
  /** The commits that `to` has and `from` does not have, newest first. */
  commitsBetween(from: string, to: string): Promise<readonly Commit[]>;
  /** The files that changed from a commit to one that comes from it. */
  filesBetween(from: string, to: string): Promise<readonly ChangedFile[]>;
}

/** What changed from one commit to another one that took its place. */
export interface CommitRange {
  /** Whole hashes. */
  readonly from: string;
  readonly to: string;
  /** Undefined if the two have no common history. */
  readonly base: string | undefined;
  /** The commits that came, newest first. */
  readonly added: readonly Commit[];
  /** The commits that are gone, newest first: undone by a rollback, or left out of a rewritten history. */
  readonly removed: readonly Commit[];
}

/** `forward` also if both are the same. */
type RangeKind = 'forward' | 'rollback' | 'otherHistory';

export function kindOfRange({ from, to, base }: CommitRange): RangeKind {
  if (base === from) return 'forward';
  return base === to ? 'rollback' : 'otherHistory';
}

/** Those of these commits that the repository does not have. */
export async function missingCommits(
  reader: Pick<RangeReader, 'hashOf'>,
  commits: readonly string[],
): Promise<readonly string[]> {
  const hashes = await Promise.all(commits.map((sha) => reader.hashOf(sha)));
  return commits.filter((_, at) => hashes[at] === undefined);
}

/** Undefined if the repository does not have one of the two. */
export async function readRange(
  reader: RangeReader,
  before: string,
  now: string,
): Promise<CommitRange | undefined> {
  const [from, to] = await Promise.all([reader.hashOf(before), reader.hashOf(now)]);
  if (from === undefined || to === undefined) return undefined;
  if (from === to) return { from, to, base: from, added: [], removed: [] };
  const base = await reader.mergeBase(from, to);
  const added = base === to ? [] : await reader.commitsBetween(from, to);
  const removed = base === from ? [] : await reader.commitsBetween(to, from);
  return { from, to, base, added, removed };
}

/**
 * The files that differ between the two commits. Git compares with the common history only, so a file that
 * both sides changed is put together from both. Empty if there is no common history.
 */
export async function filesOfRange(
  reader: Pick<RangeReader, 'filesBetween'>,
  { from, to, base }: CommitRange,
): Promise<readonly ChangedFile[]> {
  if (base === undefined) return [];
  const removed = base === from ? [] : await reader.filesBetween(base, from);
  const added = base === to ? [] : await reader.filesBetween(base, to);
  const files = new Map<string, ChangedFile>();
  const keyOf = ({ before, after }: ChangedFile): string => before ?? after ?? '';
  for (const file of removed) {
    files.set(keyOf(file), { before: file.after, after: file.before });
  }
  for (const file of added) {
    const other = files.get(keyOf(file));
    files.set(keyOf(file), {
      before: other === undefined ? file.before : other.before,
      after: file.after,
    });
  }
  return [...files.values()].filter(({ before, after }) => (before ?? after) !== undefined);
}
