import type { Commit } from './commitRange';

/** A file at a commit. */
export interface FileAt {
  readonly sha: string;
  readonly path: string;
}

/** A commit with what it changed in some files. Texts are untrusted. */
export interface CommitChanges {
  readonly sha: string;
  /** The patch of each changed file, by its path. */
  readonly patches: ReadonlyMap<string, string>;
  /**
   * Where the file of each patch comes from: the next commit that changed it, where it may have another path. None if
   * nothing is known from there on. Without this, the list is a line: it is the next one of the list that changed it.
   */
  readonly origins?: ReadonlyMap<string, FileAt>;
}

/** A file before it was renamed, and what the commit that renamed it changed in it. */
export interface Rename {
  readonly path: string;
  /** Undefined if it is too large. */
  readonly patch: string | undefined;
}

/** Reads what commits did to files. Paths are texts, such as URIs. */
export interface ChangesReader {
  /** The commits that `to` has and `from` does not have, without the numbers of their files. */
  allBetween(from: string, to: string): Promise<readonly Commit[]>;
  /** Those of them that changed the file. */
  commitsOfFile(from: string, to: string, path: string): Promise<readonly Commit[]>;
  /** What a commit changed in a file since one of its parents; undefined if that is too large. */
  patchOf(parent: string, sha: string, path: string): Promise<string | undefined>;
  /** Where a file comes from that one of the parents does not have; undefined if it is new. */
  renameOf(parent: string, sha: string, path: string): Promise<Rename | undefined>;
}

/** What commits did to files. */
interface History {
  /** Each before those that it comes from. A merge is there once for each of its parents. */
  readonly changes: readonly CommitChanges[];
  /** Those commits by their hashes. */
  readonly commits: ReadonlyMap<string, Commit>;
  /** Paths of files whose changes are not all there, because they are too large. */
  readonly tooLarge: readonly string[];
}

/** How many changes of files are read, the newest. */
const mostChanges = 200;
/** How long all patches may be, in characters: they are compared at once. */
const mostText = 2 * 1024 * 1024;

/**
 * Reads what the commits between two commits did to files, through renames and along the branches that were merged.
 *
 * @throws the signal's reason before the next question to Git.
 */
export async function readChanges(
  reader: ChangesReader,
  range: { readonly from: string; readonly to: string; readonly files: readonly string[] },
  signal: AbortSignal,
): Promise<History> {
  const { from, to, files } = range;
  signal.throwIfAborted();
  const commits = byDescent(await reader.allBetween(from, to));
  /** By path. */
  const lines = new Map<string, FileLine>();
  const lineOf = async (path: string): Promise<FileLine> => {
    const known = lines.get(path);
    if (known !== undefined) return known;
    signal.throwIfAborted();
    const line = new FileLine(commits, await reader.commitsOfFile(from, to, path));
    lines.set(path, line);
    return line;
  };
  /** By commit, the files whose changes are looked at. */
  const wanted = new Map<string, Set<string>>();
  const follow = async (sha: string, path: string): Promise<FileAt | undefined> => {
    const next = (await lineOf(path)).nextFrom(sha);
    if (next === undefined) return undefined;
    wanted.set(next, (wanted.get(next) ?? new Set()).add(path));
    return { sha: next, path };
  };

  for (const file of files) await follow(to, file);
  const changes: CommitChanges[] = [];
  const tooLarge = new Set<string>();
  let read = 0;
  let length = 0;
  for (const [sha, { parents }] of commits) {
    for (const path of wanted.get(sha) ?? []) {
      if (read++ >= mostChanges) break;
      const found = await readSides(reader, { sha, path }, parents, signal);
      length += found?.reduce((sum, { patch }) => sum + patch.length, 0) ?? 0;
      if (found === undefined || length > mostText) {
        tooLarge.add(path);
        continue;
      }
      for (const { parent, before, patch } of found) {
        const origin = await follow(parent, before);
        const origins = new Map(origin === undefined ? [] : [[path, origin]]);
        changes.push({ sha, patches: new Map([[path, patch]]), origins });
      }
    }
  }
  return { changes, commits, tooLarge: [...tooLarge] };
}

/** A file compared with how it was at a parent. */
interface Side {
  readonly parent: string;
  /** Its path there. */
  readonly before: string;
  readonly patch: string;
}

/** A file compared with those parents that have it, or with none of them; undefined if that is too large. */
async function readSides(
  reader: ChangesReader,
  { sha, path }: FileAt,
  parents: readonly string[],
  signal: AbortSignal,
): Promise<readonly Side[] | undefined> {
  const sides: Side[] = [];
  for (const parent of parents) {
    signal.throwIfAborted();
    let before = path;
    let patch = await reader.patchOf(parent, sha, path);
    if (patch !== undefined && isNewFile(patch)) {
      const rename = await reader.renameOf(parent, sha, path);
      if (rename !== undefined) ({ path: before, patch } = rename);
      // The other parents have the file.
      else if (parents.length > 1) continue;
    }
    if (patch === undefined) return undefined;
    sides.push({ parent, before, patch });
  }
  return sides;
}

/** Whether a patch adds its file: `git diff` says so before the lines. */
function isNewFile(patch: string): boolean {
  return /^new file mode /m.test(patch.slice(0, patch.indexOf('\n@@ ') + 1 || undefined));
}

/** The commits by their hashes, each before its parents, otherwise in their order. */
function byDescent(commits: readonly Commit[]): ReadonlyMap<string, Commit> {
  const places = new Map(commits.map(({ sha }, place) => [sha, place]));
  /** Of each commit, how many children are not sorted yet. */
  const children = new Map<string, number>();
  for (const { parents } of commits) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const sorted = new Map<string, Commit>();
  const ready = commits.flatMap(({ sha }, place) => (children.has(sha) ? [] : [place]));
  while (ready.length > 0) {
    const first = Math.min(...ready);
    ready.splice(ready.indexOf(first), 1);
    const commit = commits[first];
    if (commit === undefined) break;
    sorted.set(commit.sha, commit);
    for (const parent of commit.parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const place = places.get(parent);
      if (left === 0 && place !== undefined) ready.push(place);
    }
  }
  return sorted;
}

/** The commits of a range that changed a file. */
class FileLine {
  /** By commit, those of them that it comes from or is: a bit for each. */
  private readonly origins = new Map<string, bigint>();
  private readonly changing: ReadonlySet<string>;

  constructor(
    private readonly commits: ReadonlyMap<string, Commit>,
    changing: readonly Commit[],
  ) {
    this.changing = new Set(changing.map(({ sha }) => sha));
    let bit = 1n;
    for (const { sha, parents } of [...commits.values()].reverse()) {
      let origins = 0n;
      for (const parent of parents) origins |= this.origins.get(parent) ?? 0n;
      if (this.changing.has(sha)) {
        origins |= bit;
        bit <<= 1n;
      }
      this.origins.set(sha, origins);
    }
  }

  /** The last commit that changed the file as it is at this one, or a merge of several; undefined if none did. */
  nextFrom(sha: string): string | undefined {
    let at = this.commits.get(sha);
    while (at !== undefined && !this.changing.has(at.sha)) {
      const all = this.origins.get(at.sha);
      if (all === 0n) return undefined;
      // Git leaves out what changed only in branches whose file a merge did not take.
      const parent = at.parents.find((one) => this.origins.get(one) === all);
      if (parent === undefined) return at.sha;
      at = this.commits.get(parent);
    }
    return at?.sha;
  }
}
