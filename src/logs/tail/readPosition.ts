import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { Arrival, TailPosition } from './tailState';

/** What a position needs of a record. */
export type ReadRecord = Pick<LogRecord, 'eventId'>;

/** As many as a tail remembers, so that a position cannot grow beyond that. */
const maxIds = 10_000;
/** The most of their text, in UTF-16 units: a position is saved every few seconds. */
const maxIdUnits = 512 * 1024;
/** One page of the contract, because a server may resume slightly before the cursor. */
const idsBeforeCursor = 500;

/**
 * Where a later start can resume. What was read counts only once it is marked: until then it may be lost on its way, and
 * the position stays where it was.
 */
export class ReadPosition {
  private place: Omit<TailPosition, 'since' | 'seen'> | undefined;
  /** Where the first history began, ISO UTC. */
  since: string | undefined;
  /** Ids from before the cursor: the last ones count. */
  private ids: string[];
  /** What was read of the arrival after the cursor. */
  private read: (readonly ReadRecord[])[] = [];
  /** The position before what is not marked; undefined if all is. */
  private marked: { readonly position: TailPosition | undefined } | undefined;

  constructor(start: TailPosition | undefined) {
    this.ids = [...(start?.seen ?? [])];
    if (start === undefined) return;
    const { from, to, cursor, historyUntil, since } = start;
    this.place = { from, to, cursor, ...(historyUntil !== undefined && { historyUntil }) };
    this.since = since;
  }

  /** After everything that was read and marked. */
  get value(): TailPosition | undefined {
    return this.marked === undefined ? this.afterRead : this.marked.position;
  }

  private get afterRead(): TailPosition | undefined {
    if (this.place === undefined) return undefined;
    const arrived = this.read.flatMap((records) => records.map(({ eventId }) => eventId));
    const seen = lastOf([...this.ids.slice(-idsBeforeCursor), ...arrived]);
    const { since } = this;
    return { ...this.place, ...(since !== undefined && { since }), seen };
  }

  /** Something is about to be read. */
  hold(): void {
    this.marked ??= { position: this.afterRead };
  }

  /** Everything that was read is where it belongs. Returns whether something was not marked. */
  markRead(): boolean {
    const isHeld = this.marked !== undefined;
    this.marked = undefined;
    return isHeld;
  }

  /** The first history has come, and nothing was read. No effect on a known position. */
  begin({ after, historyUntil, since }: Arrival): void {
    if (since === undefined || this.place !== undefined) return;
    this.since = since;
    const { from, to } = after.filters;
    if (historyUntil !== undefined) this.place = { from, to, cursor: after.text, historyUntil };
  }

  /** Adds records of the arrival after the cursor that were read. */
  add(records: readonly ReadRecord[]): void {
    if (records.length > 0) this.read.push(records);
  }

  /** All records of the arrival were read or dropped. */
  moveTo({ filters: { from, to }, text: cursor }: StreamCursor): void {
    this.place = { from, to, cursor };
    if (this.read.length === 0) return;
    // Loops, because this runs for each arrival.
    for (const records of this.read) for (const { eventId } of records) this.ids.push(eventId);
    this.read = [];
    // Not for each arrival, because one may have a single record.
    if (this.ids.length > 2 * idsBeforeCursor) this.ids = this.ids.slice(-idsBeforeCursor);
  }
}

/** The last ids, as many as a position has room for. */
function lastOf(ids: readonly string[]): readonly string[] {
  let first = ids.length;
  let left = maxIdUnits;
  for (; first > 0 && ids.length - first < maxIds; first--) {
    left -= ids[first - 1]?.length ?? 0;
    if (left < 0) break;
  }
  return ids.slice(first);
}
