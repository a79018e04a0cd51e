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
      if (recent.has(id) || older.has(id)) return false;
      if (recent.size >= limit) {
        older = recent;
        recent = new Set();
      }
      recent.add(id);
      return true;
    },
  };
}
