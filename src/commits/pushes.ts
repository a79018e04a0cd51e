/** What Git says of the checked-out branch. Hashes are in lower case. */
export interface TrackedBranch {
  /** The URI of the repository, as text. */
  readonly repository: string;
  readonly branch: string;
  /** The remote branch with its remote, such as `origin/main`; undefined before the first push. */
  readonly upstream: string | undefined;
  /** What the remote branch is known to point to; undefined if that is not known. */
  readonly pushed: string | undefined;
  /** HEAD. */
  readonly commit: string;
}

/** A commit that the upstream of the checked-out branch got from this checkout. */
export interface PushSeen {
  readonly repository: string;
  readonly branch: string;
  /** What the upstream pointed to before; undefined if it is new. */
  readonly before: string | undefined;
  readonly sha: string;
}

/** Reads what a push needs to know of commits. */
export interface PushReader {
  /** How many commits `to` has that `from` does not have. @throws if one is missing. */
  count(from: string, to: string): Promise<number>;
  /** Whether the user of this checkout made a commit. */
  isOwn(sha: string): Promise<boolean>;
}

/**
 * Tells pushes from all other changes of a repository. A push moves the upstream of the branch to
 * a commit that HEAD had before, or, with *Commit and Push*, to one that the user has just made. A pull
 * moves it to what others made; a checkout is another branch.
 */
export class PushDetector {
  private readonly last = new Map<string, TrackedBranch>();

  /** @param now the state of a repository after a change; undefined if no branch is checked out. */
  async see(
    repository: string,
    now: TrackedBranch | undefined,
    reader: PushReader,
  ): Promise<PushSeen | undefined> {
    const last = this.last.get(repository);
    if (now === undefined) this.last.delete(repository);
    else this.last.set(repository, now);
    if (now === undefined || last?.branch !== now.branch) return undefined;
    const { branch, pushed: sha } = now;
    if (sha === undefined || sha === last.pushed) return undefined;
    // Another upstream was set.
    if (last.pushed !== undefined && last.upstream !== now.upstream) return undefined;
    const isOurs =
      (await isFrom(last, sha, reader)) ||
      (now.commit !== last.commit && (await isFrom(now, sha, reader)) && (await made(sha, reader)));
    return isOurs ? { repository, branch, before: last.pushed, sha } : undefined;
  }
}

/** Whether HEAD has a commit. One that the upstream had, too, can only be pushed by force: from HEAD. */
async function isFrom(
  { commit, pushed }: TrackedBranch,
  sha: string,
  reader: PushReader,
): Promise<boolean> {
  if (commit === sha) return true;
  const isBack = pushed !== undefined && pushed !== sha && (await holds(pushed, sha, reader));
  return !isBack && holds(commit, sha, reader);
}

function holds(commit: string, sha: string, reader: PushReader): Promise<boolean> {
  return reader.count(commit, sha).then(
    (missing) => missing === 0,
    () => false,
  );
}

function made(sha: string, reader: PushReader): Promise<boolean> {
  return reader.isOwn(sha).catch(() => false);
}
