/** Remembers which records came lately. */
export interface Seen {
  /** Remembers an id; false where it is known already. */
  add(id: string): boolean;
}

/** @param limit how many of the last ids are remembered. */
export function createSeen(limit: number): Seen {
  const ids = new Set<string>();
  /** The same ids in a ring, for the one that is forgotten next. */
  const ring: string[] = [];
  let next = 0;
  return {
    add(id) {
      // One look-up says both whether it is known and where it belongs: every record comes by here.
      const { size } = ids;
      ids.add(id);
      if (ids.size === size) return false;
      const oldest = ring[next];
      if (oldest !== undefined) ids.delete(oldest);
      ring[next] = id;
      next = (next + 1) % limit;
      return true;
    },
  };
}
