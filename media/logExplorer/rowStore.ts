import type { RowsMessage } from '../../src/logs/explorer/protocol/messages';
import { type LogRow, severities } from '../../src/logs/explorer/protocol/view';

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
  /** Incremented whenever rows look different. */
  readonly updates: number;
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

/** How many recurring values are known; most recur soon. */
const mostShared = 10_000;

/**
 * A message has a copy of each value. `share` returns the first copy of a recurring value, so that it is
 * in memory once.
 */
function createSharing<T>(): { share(key: string, value: T): T; clear(): void } {
  const shared = new Map<string, T>();
  return {
    share(key, value) {
      const known = shared.get(key);
      if (known !== undefined) return known;
      if (shared.size >= mostShared) shared.clear();
      shared.set(key, value);
      return value;
    },
    clear: () => shared.clear(),
  };
}

/** Creates a store without rows. */
export function createRowStore(): RowStore {
  let rows: LogRow[] = [];
  let first = 0;
  let epoch = -1;
  let replacements = 0;
  let updates = 0;
  const texts = createSharing<string>();
  const spans = createSharing<NonNullable<LogRow['spans']>>();

  function replace(by: readonly LogRow[]): void {
    first = (first + rows.length + gap) % mostNumbers;
    replacements++;
    if (by.length === 0) {
      texts.clear();
      spans.clear();
    }
    rows = by.map(slim);
  }

  /** Neighbors look different now. */
  function update(changed: readonly LogRow[]): void {
    updates++;
    const [oldest] = changed;
    const start = oldest === undefined ? -1 : rows.findIndex(({ key }) => key === oldest.key);
    for (const [offset, row] of changed.entries()) {
      if (rows[start + offset]?.key === row.key) rows[start + offset] = slim(row);
    }
  }

  function slim(row: { -readonly [Member in keyof LogRow]: LogRow[Member] }): LogRow {
    row.workload = texts.share(row.workload, row.workload);
    if (row.trace !== undefined) row.trace = texts.share(row.trace, row.trace);
    if (row.spans !== undefined) row.spans = spans.share(row.spans.join(';'), row.spans);
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
    get updates() {
      return updates;
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
      } else if (message.change === 'update') {
        update(message.rows);
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
