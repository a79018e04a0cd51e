/** How HEAD stands to a deployed commit. */
export type Position =
  /** The repository does not hold the commit. */
  | { readonly kind: 'notFetched' }
  | {
      readonly kind: 'counted';
      /** Commits of HEAD that are not deployed. */
      readonly ahead: number;
      /** Deployed commits that are not in HEAD. */
      readonly behind: number;
    };

/** What of a repository's history must be asked for. */
export interface CommitReader {
  holds(sha: string): Promise<boolean>;
  /** How many commits lead to one and not to the other. */
  count(from: string, to: string): Promise<number>;
}

/** Answers of one repository: each is asked for when it is first wanted, and then remembered. */
export interface CommitFacts {
  /** Undefined until it is known. */
  holds(sha: string): boolean | undefined;
  /** Undefined until it is known. */
  position(deployed: string, head: string): Position | undefined;
  /** The repository has changed: a commit that was not there for `position` may have come. */
  recheck(): void;
}

/** Beyond these the oldest are asked for again. */
const maxFacts = 500;

/** @param onDidLearn told whenever an answer came that differs from the one before. */
export function createCommitFacts(reader: CommitReader, onDidLearn: () => void): CommitFacts {
  const held = new Map<string, boolean>();
  const positions = new Map<string, Position>();
  const asked = new Set<string>();
  let work: Promise<void> = Promise.resolve();

  /** One question at a time: each starts a process. */
  function ask(key: string, question: () => Promise<boolean>): void {
    if (asked.has(key)) return;
    asked.add(key);
    work = work.then(async () => {
      // What failed is asked again when the repository has changed.
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
      // The old answer stands until the new one is there.
      for (const key of asked) {
        if (!held.has(key) && positions.get(key)?.kind !== 'counted') asked.delete(key);
      }
    },
  };
}
