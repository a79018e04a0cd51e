import { Emitter, type Event } from '../base/event';

/** HEAD of a repository. */
export interface Head {
  /** The branch; undefined if HEAD is detached. */
  readonly branch?: string;
  /** The upstream branch, without the name of the remote. */
  readonly upstream?: string;
  /** The hash of the commit; undefined before the first commit. */
  readonly commit?: string;
}

/** Whether a text is a commit hash or its beginning, which is safe to pass to Git. */
export function isCommit(text: string | undefined): text is string {
  return text !== undefined && /^[\da-f]{7,64}$/i.test(text);
}

/** The commits of a list such as `.git-blame-ignore-revs`, in lower case: one whole hash a line, `#` begins a comment. */
export function hashesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => (line.split('#', 1)[0] ?? '').trim().toLowerCase())
    .filter((line) => line.length >= 40 && isCommit(line));
}

/** How HEAD relates to a deployed commit. */
export type Position =
  /** The repository does not have the commit. */
  | { readonly kind: 'notFetched' }
  | {
      readonly kind: 'counted';
      /** How many commits of HEAD are not deployed. */
      readonly ahead: number;
      /** How many deployed commits are not in HEAD. */
      readonly behind: number;
    };

/** Reads the history of a repository. */
export interface CommitReader {
  holds(sha: string): Promise<boolean>;
  /** How many commits `to` has that `from` does not have. */
  count(from: string, to: string): Promise<number>;
}

/** How many facts of a kind are cached. */
const maxFacts = 500;

/** Facts about one repository, read when first requested and then cached. */
export class CommitFacts {
  private readonly held = new Map<string, boolean>();
  private readonly positions = new Map<string, Position>();
  private readonly asked = new Set<string>();
  private readonly changes = new Emitter<void>();
  private work: Promise<void> = Promise.resolve();
  /** Fires when a fact is new or differs from the one before. */
  readonly onDidChange: Event<void> = this.changes.event;

  constructor(private readonly reader: CommitReader) {}

  /** Undefined while unknown. */
  holds(sha: string): boolean | undefined {
    this.ask(sha, async () => this.remember(this.held, sha, await this.reader.holds(sha)));
    return this.held.get(sha);
  }

  /** Undefined while unknown. */
  position(deployed: string, head: string): Position | undefined {
    const key = `${deployed}..${head}`;
    this.ask(key, async () =>
      this.remember(this.positions, key, await this.measure(deployed, head)),
    );
    return this.positions.get(key);
  }

  /** Call it when the repository changes: what was missing may have been fetched, and is looked for again. */
  recheck(): void {
    // The old fact stays until the new one arrives.
    for (const key of this.asked) {
      if (this.held.get(key) !== true && this.positions.get(key)?.kind !== 'counted') {
        this.asked.delete(key);
      }
    }
  }

  /** One question at a time, because each starts a process. */
  private ask(key: string, question: () => Promise<boolean>): void {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    this.work = this.work.then(async () => {
      // A failed question is asked again when the repository changes.
      const hasChanged = await question().catch(() => false);
      if (hasChanged) this.changes.fire();
    });
  }

  private remember<T>(facts: Map<string, T>, key: string, fact: T): boolean {
    const before = facts.get(key);
    facts.delete(key);
    facts.set(key, fact);
    const { value: first } = facts.keys().next();
    if (facts.size > maxFacts && first !== undefined) {
      facts.delete(first);
      this.asked.delete(first);
    }
    return JSON.stringify(before) !== JSON.stringify(fact);
  }

  private async measure(deployed: string, head: string): Promise<Position> {
    if (!(await this.reader.holds(deployed))) return { kind: 'notFetched' };
    const [ahead, behind] = await Promise.all([
      this.reader.count(deployed, head),
      this.reader.count(head, deployed),
    ]);
    return { kind: 'counted', ahead, behind };
  }
}

/** How a commit relates to a pushed one: `unknown` if Git does not have it, or it is on another line. */
export type CommitAge = 'older' | 'newer' | 'unknown';

/** Reads the history of a repository and what its remotes are known to point to. */
export interface HistoryReader extends CommitReader {
  /** The commit of a ref, such as `refs/remotes/origin/main`; undefined if there is none. */
  resolve(ref: string): Promise<string | undefined>;
}

/** Finds out which commits are older or newer than a pushed one. */
export class CommitAges {
  private readonly known = new Map<string, CommitAge>();

  /**
   * @param reader undefined if the repository is not open.
   * @param upstream what the commit was pushed to, such as `origin/main`.
   * @param before the commit that the upstream had before: after a push by force, it is older, as is what it
   *   comes from.
   */
  constructor(
    private readonly reader: HistoryReader | undefined,
    private readonly sha: string,
    private readonly upstream: string | undefined,
    private readonly before: string | undefined,
  ) {}

  /** `unknown` for what was not read. */
  of(commit: string): CommitAge {
    return this.known.get(commit.toLowerCase()) ?? 'unknown';
  }

  /** Asks about commits whose age is not known, because they may have been fetched. Never rejects. */
  async read(commits: readonly string[]): Promise<void> {
    for (const commit of new Set(commits.map((one) => one.toLowerCase()))) {
      if (this.of(commit) !== 'unknown' || !isCommit(commit) || this.reader === undefined) continue;
      // What is not in the repository is an error for Git.
      const age = await this.ageOf(commit, this.reader).catch(() => 'unknown' as const);
      this.known.set(commit, age);
    }
  }

  private async ageOf(commit: string, reader: HistoryReader): Promise<CommitAge> {
    if (!(await reader.holds(commit))) return 'unknown';
    const isWithin = async (a: string, b: string): Promise<boolean> =>
      (await reader.count(b, a)) === 0;
    if (await isWithin(commit, this.sha)) return 'older';
    const { before } = this;
    if (isCommit(before) && (await isWithin(commit, before).catch(() => false))) return 'older';
    if (await isWithin(this.sha, commit)) return 'newer';
    // Pushed by force since then: what the upstream has instead takes the place of the commit.
    const tip = this.upstream && (await reader.resolve(`refs/remotes/${this.upstream}`));
    if (tip === undefined || tip === '' || (await isWithin(this.sha, tip))) return 'unknown';
    return (await isWithin(commit, tip)) ? 'newer' : 'unknown';
  }
}
