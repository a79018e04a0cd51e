import { type CommitReader, isCommit } from './commitFacts';

/** How a commit relates to another: `unknown` if Git does not have it, or it is on another line. */
export type CommitAge = 'older' | 'newer' | 'unknown';

/** Reads the history of a repository and what its remotes are known to point to. */
export interface HistoryReader extends CommitReader {
  /** The commit of a ref, such as `refs/remotes/origin/main`; undefined if there is none. */
  resolve(ref: string): Promise<string | undefined>;
}

/** Learns which commits are older or newer than a pushed one. */
export class CommitAges {
  private readonly known = new Map<string, CommitAge>();

  /**
   * @param reader undefined if the repository is not open.
   * @param upstream what the commit was pushed to, such as `origin/main`.
   */
  constructor(
    private readonly reader: HistoryReader | undefined,
    private readonly sha: string,
    private readonly upstream: string | undefined,
  ) {}

  /** `unknown` for what was not learned. */
  of(commit: string): CommitAge {
    return this.known.get(commit.toLowerCase()) ?? 'unknown';
  }

  /** Asks about commits whose age is not known, because they may have been fetched. Never rejects. */
  async learn(commits: readonly string[]): Promise<void> {
    for (const commit of new Set(commits.map((one) => one.toLowerCase()))) {
      if (this.of(commit) !== 'unknown' || !isCommit(commit) || this.reader === undefined) continue;
      // What is not in the repository is an error for Git.
      const age = await this.ageOf(commit, this.reader).catch(() => 'unknown' as const);
      this.known.set(commit, age);
    }
  }

  private async ageOf(commit: string, reader: HistoryReader): Promise<CommitAge> {
    if (!(await reader.holds(commit))) return 'unknown';
    const isWithin = async (one: string, other: string): Promise<boolean> =>
      (await reader.count(other, one)) === 0;
    if (await isWithin(this.sha, commit)) return 'newer';
    if (await isWithin(commit, this.sha)) return 'older';
    // Pushed by force since then: what the upstream has instead takes the place of the commit.
    const tip = this.upstream && (await reader.resolve(`refs/remotes/${this.upstream}`));
    if (tip === undefined || tip === '' || (await isWithin(this.sha, tip))) return 'unknown';
    return (await isWithin(commit, tip)) ? 'newer' : 'unknown';
  }
}
