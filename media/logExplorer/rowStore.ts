import type { ToPage } from '../../src/logs/explorer/panel/messages';
import { type LogRow, severities } from '../../src/logs/explorer/panel/view';

export type RowsMessage = Extract<ToPage, { kind: 'rows' }>;

/**
 * The loaded rows, oldest first. Each has a number that stays the same while rows come or go: the n-th row
 * has the number `first + n`. Numbers are not reused.
 */
export interface RowStore {
  readonly rows: readonly LogRow[];
  /** The number of the oldest row. */
  readonly first: number;
  /** The epoch of the rows. */
  readonly epoch: number;
  /** Incremented whenever all rows are replaced. */
  readonly replacements: number;
  change(message: Omit<RowsMessage, 'kind'>): void;
  /** Removes all rows if this is a new epoch. */
  startEpoch(epoch: number): void;
  /** The index of the row with a key, or -1. */
  indexOf(key: string): number;
  /** The row with a number. */
  at(number: number): LogRow | undefined;
}

/**
 * The gap between the numbers of replaced rows and new ones, so that older rows never reach them. The
 * numbers stay small integers, with which JavaScript engines are several times faster.
 */
const gap = 2 ** 20;
const mostNumbers = 2 ** 29;

/** Creates a store without rows. */
export function createRowStore(): RowStore {
  let rows: LogRow[] = [];
  let first = 0;
  let epoch = -1;
  let replacements = 0;
  const shared = new Map<string, string>();

  function replace(by: readonly LogRow[]): void {
    first = (first + rows.length + gap) % mostNumbers;
    replacements++;
    if (by.length === 0) shared.clear();
    rows = by.map(slim);
  }

  // A message has a copy of each string; recurring ones are stored once.
  function slim(row: LogRow): LogRow {
    const { workload } = row;
    let known = shared.get(workload);
    if (known === undefined) shared.set(workload, (known = workload));
    row.workload = known;
    row.severity = severities[severities.indexOf(row.severity)] ?? 'unknown';
    return row;
  }

  return {
    get rows() {
      return rows;
    },
    get first() {
      return first;
    },
    get epoch() {
      return epoch;
    },
    get replacements() {
      return replacements;
    },
    change(message) {
      // Rows of an older epoch may arrive late.
      if (message.epoch < epoch) return;
      const isNew = message.epoch > epoch;
      epoch = message.epoch;
      if (isNew || message.change === 'replace') {
        replace(message.rows);
      } else if (message.change === 'older') {
        rows = [...message.rows.map(slim), ...rows];
        first -= message.rows.length;
      } else {
        for (const row of message.rows) rows.push(slim(row));
        first += rows.splice(0, message.dropped).length;
      }
    },
    startEpoch(next) {
      if (next <= epoch) return;
      epoch = next;
      replace([]);
    },
    indexOf: (key) => rows.findIndex((row) => row.key === key),
    at: (number) => rows[number - first],
  };
}

export type Move = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

/** The selected row, which stays selected while rows come or go. */
export interface Selection {
  /** Its index; -1 if none is selected or it is gone. */
  readonly index: number;
  select(index: number): void;
  clear(): void;
  /**
   * Moves the selection, from `from` if no row is selected.
   *
   * @param page the number of rows of a page.
   * @returns whether it moved.
   */
  move(move: Move, page: number, from: number): boolean;
  /** Selects the nearest error in a direction. @returns whether there is one. */
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
