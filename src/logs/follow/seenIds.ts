/** Remembers which records came lately. */
export interface Seen {
  /** Remembers an id; false where it is known already. */
  add(id: string): boolean;
}

/** As many ids as are remembered, in the order in which they came, and where each is. */
interface Generation {
  readonly ids: string[];
  /** Pairs: one more than the index of an id (0 where there is none), and its hash. */
  readonly slots: Int32Array;
}

/**
 * Every record comes by here, and nearly every id is new. In a `Set`, that takes a seventh of the time
 * of reading and showing a record; a table that compares hashes before it looks at any text, half of
 * that.
 *
 * @param limit how many of the last ids are remembered.
 */
export function createSeen(limit: number): Seen {
  // At most half full, so that an id is found at the place of its hash or right behind it.
  const places = 2 ** Math.ceil(Math.log2(limit * 2));
  const newGeneration = (): Generation => ({ ids: [], slots: new Int32Array(2 * places) });
  let recent = newGeneration();
  let older = newGeneration();

  /** The slot that holds the id, or the free one where it belongs. */
  const slotOf = (id: string, hash: number, { ids, slots }: Generation): number => {
    for (let place = hash & (places - 1); ; place = (place + 1) & (places - 1)) {
      const index = Number(slots[2 * place]);
      if (index === 0 || (slots[2 * place + 1] === hash && ids[index - 1] === id)) return 2 * place;
    }
  };

  return {
    add(id) {
      const hash = hashOf(id);
      // Of the older ones, as many are forgotten as have come since.
      const before = Number(older.slots[slotOf(id, hash, older)]);
      if (before > recent.ids.length) return false;
      const slot = slotOf(id, hash, recent);
      if (recent.slots[slot] !== 0) return false;
      recent.slots[slot] = recent.ids.push(id);
      recent.slots[slot + 1] = hash;
      if (recent.ids.length < limit) return true;
      [older, recent] = [recent, older];
      recent.ids.length = 0;
      recent.slots.fill(0);
      return true;
    },
  };
}

/** FNV-1a; its lower bits, which choose the place, are mixed with the upper ones. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
