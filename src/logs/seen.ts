/** Remembers which records came lately. */
export interface Seen {
  /** Remembers an id; false where it is known already. */
  add(id: string): boolean;
}

/**
 * @param limit how many of the last ids are remembered for sure; it may be up to twice as many, since
 *   the older half goes at once: that costs less per record than to forget them one by one.
 */
export function createSeen(limit: number): Seen {
  let recent = new Set<string>();
  let older = new Set<string>();
  return {
    add(id) {
      const before = recent.size;
      // What it already holds leaves a set as large as it was: half the cost of asking it first.
      if (recent.add(id).size === before) return false;
      if (older.has(id)) {
        recent.delete(id);
        return false;
      }
      if (before + 1 === limit) {
        older = recent;
        recent = new Set();
      }
      return true;
    },
  };
}
