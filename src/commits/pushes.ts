import { type Clock, second } from '../base/clock';
import type { RefMove } from './refLog';

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

/** A commit that the upstream of the checked-out branch got from this repository. */
export interface PushSeen {
  readonly repository: string;
  readonly branch: string;
  /** What the upstream pointed to before; undefined if it is new. */
  readonly before: string | undefined;
  readonly sha: string;
  /** When it was pushed, in milliseconds since 1970: whole seconds. Undefined if Git keeps no log. */
  readonly at: number | undefined;
}

/** Reads what a push needs to know of commits and refs. */
export interface PushReader {
  /** How many commits `to` has that `from` does not have. @throws if one is missing. */
  count(from: string, to: string): Promise<number>;
  /** How a remote branch, such as `origin/main`, moved, oldest first; empty if that was not logged. */
  upstreamMoves(upstream: string): Promise<readonly RefMove[]>;
}

/** What Git logs of the remote branch of a push, whatever the language. */
const byPush = 'update by push';

interface Look extends TrackedBranch {
  /** On the wall clock, which Git uses, too. */
  readonly at: number;
}

/**
 * Tells pushes from all other changes of a repository. Git logs what moves a remote branch, so a push is what it calls
 * one. Without a log, a push is what moves the upstream to a commit that HEAD had before.
 */
export class PushDetector {
  private readonly looks = new Map<string, Look>();
  /** The last push of each repository. */
  private readonly pushes = new Map<string, RefMove>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** @param now the state of a repository after a change; undefined if no branch is checked out. */
  async see(
    repository: string,
    now: TrackedBranch | undefined,
    reader: PushReader,
  ): Promise<PushSeen | undefined> {
    const last = this.looks.get(repository);
    if (now === undefined) this.looks.delete(repository);
    else this.looks.set(repository, { ...now, at: this.clock.now() });
    if (last === undefined || now?.upstream === undefined || now.pushed === undefined) {
      return undefined;
    }
    const { branch, upstream, pushed: sha } = now;
    if (isSameUpstream(last, now) && last.pushed === sha) return undefined;
    const moves = movesUpTo(sha, await reader.upstreamMoves(upstream));
    if (moves.length > 0) {
      const push = lastPush(movesSince(last, now, moves));
      if (push === undefined || isSameMove(push, this.pushes.get(repository))) return undefined;
      this.pushes.set(repository, push);
      return { repository, branch, before: push.from, sha: push.to, at: push.at };
    }
    const isComparable =
      last.branch === branch && (last.pushed === undefined || isSameUpstream(last, now));
    return isComparable && (await hasHad(last, sha, reader))
      ? { repository, branch, before: last.pushed, sha, at: undefined }
      : undefined;
  }
}

function isSameUpstream(a: TrackedBranch, b: TrackedBranch): boolean {
  return a.branch === b.branch && a.upstream === b.upstream;
}

/** The moves to what a ref points to now; none if the log does not have that. */
function movesUpTo(sha: string, moves: readonly RefMove[]): readonly RefMove[] {
  return moves.slice(0, moves.map(({ to }) => to).lastIndexOf(sha) + 1);
}

/** The moves since the last look: by place in the log of the same upstream, otherwise by time. */
function movesSince(last: Look, now: TrackedBranch, moves: readonly RefMove[]): readonly RefMove[] {
  // Of a log that does not have the commit, the last one.
  if (isSameUpstream(last, now)) {
    return moves.slice(moves.map(({ from }) => from).lastIndexOf(last.pushed));
  }
  // The log has whole seconds. The first upstream of a branch came after the look; another one may have moved before it.
  const isFirst = last.branch === now.branch && last.upstream === undefined;
  const since = isFirst ? Math.floor(last.at / second) * second : last.at;
  return moves.filter(({ at }) => at >= since);
}

function lastPush(moves: readonly RefMove[]): RefMove | undefined {
  return moves.filter(({ message }) => message === byPush).at(-1);
}

function isSameMove(a: RefMove, b: RefMove | undefined): boolean {
  return a.from === b?.from && a.to === b?.to && a.at === b.at;
}

/** Whether HEAD had a commit. One that the upstream had, too, can only be pushed by force: from HEAD. */
async function hasHad(
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
