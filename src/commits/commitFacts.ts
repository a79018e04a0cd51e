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

/** Facts about one repository, read when first requested and then cached. */
export interface CommitFacts {
  /** Undefined while unknown. */
  holds(sha: string): boolean | undefined;
  /** Undefined while unknown. */
  position(deployed: string, head: string): Position | undefined;
  /** Call it when the repository changes: missing commits may have been fetched. */
  recheck(): void;
}

/** How many facts of a kind are cached. */
const maxFacts = 500;

/** @param onDidLearn called when a fact is new or differs from the one before. */
export function createCommitFacts(reader: CommitReader, onDidLearn: () => void): CommitFacts {
  const held = new Map<string, boolean>();
  const positions = new Map<string, Position>();
  const asked = new Set<string>();
  let work: Promise<void> = Promise.resolve();

  /** One question at a time, because each starts a process. */
  function ask(key: string, question: () => Promise<boolean>): void {
    if (asked.has(key)) return;
    asked.add(key);
    work = work.then(async () => {
      // A failed question is asked again when the repository changes.
      const hasChanged = await question().catch(() => false);
      if (hasChanged) onDidLearn();
    });
  }

  function learn<T>(facts: Map<string, T>, key: string, fact: T): boolean {
    const before = facts.get(key);
    facts.delete(key);
    facts.set(key, fact);
    const { value: first } = facts.keys().next();
    if (facts.size > maxFacts && first !== undefined) {
      facts.delete(first);
      asked.delete(first);
    }
    return JSON.stringify(before) !== JSON.stringify(fact);
  }

  async function measure(deployed: string, head: string): Promise<Position> {
    if (!(await reader.holds(deployed))) return { kind: 'notFetched' };
    const [ahead, behind] = await Promise.all([
      reader.count(deployed, head),
      reader.count(head, deployed),
    ]);
    return { kind: 'counted', ahead, behind };
  }

  return {
    holds(sha) {
      ask(sha, async () => learn(held, sha, await reader.holds(sha)));
      return held.get(sha);
    },
    position(deployed, head) {
      const key = `${deployed}..${head}`;
      ask(key, async () => learn(positions, key, await measure(deployed, head)));
      return positions.get(key);
    },
    recheck() {
      // The old fact stays until the new one arrives.
      for (const key of asked) {
        if (!held.has(key) && positions.get(key)?.kind !== 'counted') asked.delete(key);
      }
    },
  };
}
