import type { RowStore } from './rowStore';

export type Move = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

/** The selected row. It stays the same row while others come before it or behind it. */
export interface Selection {
  /** Where it is now; -1 where none is selected or it is gone. */
  readonly index: number;
  select(index: number): void;
  clear(): void;
  /**
   * Moves it; where none is selected, it begins at `from`.
   *
   * @param page how many rows a page has.
   * @returns whether it could move.
   */
  move(move: Move, page: number, from: number): boolean;
  /** To the nearest error in a direction. @returns whether there is one. */
  moveToError(direction: 1 | -1, from: number): boolean;
}

/** @param store the rows that it selects from. */
export function createSelection(store: Pick<RowStore, 'rows' | 'first'>): Selection {
  let selected: number | undefined;

  function index(): number {
    if (selected === undefined) return -1;
    const place = selected - store.first;
    return place >= 0 && place < store.rows.length ? place : -1;
  }

  function select(place: number): boolean {
    if (store.rows[place] === undefined || place === index()) return false;
    selected = store.first + place;
    return true;
  }

  return {
    get index() {
      return index();
    },
    select: (place) => void select(place),
    clear: () => void (selected = undefined),
    move(move, page, from) {
      const last = store.rows.length - 1;
      const now = index();
      if (move === 'first') return select(0);
      if (move === 'last') return select(last);
      if (now === -1) return select(Math.max(0, Math.min(from, last)));
      const step = move === 'previous' || move === 'next' ? 1 : Math.max(1, page);
      const to = move === 'previous' || move === 'pageUp' ? now - step : now + step;
      return select(Math.max(0, Math.min(to, last)));
    },
    moveToError(direction, from) {
      const now = index();
      let place = now === -1 ? from : now + direction;
      for (; ; place += direction) {
        const row = store.rows[place];
        if (row === undefined) return false;
        if (row.severity === 'error' || row.severity === 'fatal') return select(place);
      }
    },
  };
}
