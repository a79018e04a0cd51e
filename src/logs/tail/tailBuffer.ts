import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { recordSize } from '../record/recordSize';
import { HandedOnPosition, type HandedOnRecord } from './handedOnPosition';
import type { Arrival, Notice, TailOutput, TailPosition } from './types';

interface Entry extends Arrival {
  notices: readonly Notice[];
  after: StreamCursor;
  /** An estimate of the memory of its records, in bytes. */
  readonly bytes: number;
  /** How many of its records were handed on. */
  taken: number;
}

/** What was dropped and not reported yet. All of it is older than the queue. */
interface Dropped {
  readonly count: number;
  readonly notices: readonly Notice[];
  /** The cursor after the last arrival that was dropped as a whole. */
  readonly after: StreamCursor | undefined;
  /** The dropped records of the next arrival, whose rest is still in the queue. */
  readonly part: readonly HandedOnRecord[];
}

interface BufferLimits {
  readonly records: number;
  readonly bytes: number;
}

/** Received records that were not handed on yet. If there are too many, the oldest are dropped. */
export class TailBuffer {
  private readonly handedOnTo: HandedOnPosition;
  private queue: (Entry | undefined)[] = [];
  /** The index of the oldest entry. Shifting a long array for every arrival would be slow. */
  private head = 0;
  private records = 0;
  private bytes = 0;
  private handedOnCount = 0;
  private droppedCount = 0;
  private unreported: Dropped | undefined;

  constructor(
    private readonly limits: BufferLimits,
    start: TailPosition | undefined,
  ) {
    this.handedOnTo = new HandedOnPosition(start);
  }

  get isEmpty(): boolean {
    return this.queue.length === 0;
  }

  /** The number of its records. */
  get size(): number {
    return this.records;
  }

  get handedOn(): number {
    return this.handedOnCount;
  }

  get dropped(): number {
    return this.droppedCount;
  }

  /** Where the first history began, ISO UTC. */
  get since(): string | undefined {
    return this.handedOnTo.since;
  }

  /** The position after everything that `handOn` has handed on. */
  get position(): TailPosition | undefined {
    return this.handedOnTo.value;
  }

  add(arrival: Arrival): void {
    this.handedOnTo.begin(arrival);
    const { notices, records, after } = arrival;
    if (records.length === 0 && notices.length === 0) {
      this.advance(after);
      return;
    }
    const entry: Entry = { notices, records, after, bytes: sizeOf(records), taken: 0 };
    this.queue.push(entry);
    this.records += records.length;
    this.bytes += entry.bytes;
    for (
      let oldest = this.queue[this.head];
      oldest && oldest !== entry && this.isOver();
      oldest = this.queue[this.head]
    ) {
      this.drop(oldest);
    }
    if (this.isOver()) this.trim(entry);
  }

  /** Marks records that are not to be shown as handed on. Call it before any `add`. */
  markHandedOn(records: readonly HandedOnRecord[]): void {
    this.handedOnTo.markHandedOn(records);
  }

  /** Hands on what is there, oldest first, at most `maxRecords` records. */
  handOn(maxRecords: number): TailOutput[] {
    const outputs = this.handOnDropped();
    let left = maxRecords;
    for (let entry = this.queue[this.head]; entry; entry = this.queue[this.head]) {
      if (entry.notices.length > 0) {
        outputs.push(...entry.notices);
        entry.notices = [];
      }
      const taken = entry.taken + Math.min(left, entry.records.length - entry.taken);
      const piece = pieceOf(entry.records, entry.taken, taken);
      if (piece.length > 0) outputs.push({ kind: 'records', records: piece });
      this.handedOnTo.markHandedOn(piece);
      entry.taken = taken;
      left -= piece.length;
      this.records -= piece.length;
      this.handedOnCount += piece.length;
      if (taken < entry.records.length) break;
      this.handedOnTo.moveTo(entry.after);
      this.removeOldest(entry);
    }
    return outputs;
  }

  private isOver(): boolean {
    const { records, bytes } = this.limits;
    return this.records > records || this.bytes > bytes || this.queue.length - this.head > records;
  }

  private advance(after: StreamCursor): void {
    const last = this.queue.at(-1);
    if (last) last.after = after;
    else this.handedOnTo.moveTo(after);
  }

  private removeOldest(entry: Entry): void {
    this.bytes -= entry.bytes;
    // Otherwise the entry stays in memory until the array is shortened.
    this.queue[this.head] = undefined;
    this.head++;
    if (this.head < this.queue.length && this.head < 1000) return;
    this.queue = this.queue.slice(this.head);
    this.head = 0;
  }

  /** Arrivals are dropped as a whole, because a position within one has no cursor. */
  private drop(entry: Entry): void {
    this.removeOldest(entry);
    const count = entry.records.length - entry.taken;
    this.addDropped(count, entry.notices, { after: entry.after, part: [] });
  }

  /** Drops the first records of an arrival that exceeds the limits on its own. */
  private trim(entry: Entry): void {
    let kept = entry.records.length;
    let size = 0;
    for (const record of entry.records.slice(-this.limits.records).reverse()) {
      const more = size + recordSize(record);
      // One record stays, however large, because the user waits for it.
      if (more > this.limits.bytes && size > 0) break;
      size = more;
      kept--;
    }
    this.bytes += size - entry.bytes;
    const records = entry.records.slice(kept);
    this.queue[this.head] = { ...entry, notices: [], records, bytes: size };
    const part = entry.records.slice(0, kept).map(({ eventId }) => ({ eventId }));
    this.addDropped(part.length, entry.notices, { after: this.unreported?.after, part });
  }

  private addDropped(
    count: number,
    notices: readonly Notice[],
    where: Pick<Dropped, 'after' | 'part'>,
  ): void {
    this.droppedCount += count;
    this.records -= count;
    this.unreported = {
      ...where,
      count: (this.unreported?.count ?? 0) + count,
      // One of each kind is enough; otherwise the notices of a long pause would pile up.
      notices: lastOfEachKind([...(this.unreported?.notices ?? []), ...notices]),
    };
  }

  private handOnDropped(): TailOutput[] {
    if (this.unreported === undefined) return [];
    const { count, notices, after, part } = this.unreported;
    if (after) this.handedOnTo.moveTo(after);
    this.handedOnTo.markHandedOn(part);
    this.unreported = undefined;
    return count > 0 ? [{ kind: 'dropped', count }, ...notices] : [...notices];
  }
}

/** The records of a range of indexes. Copies only if it is not the whole array. */
function pieceOf(records: readonly LogRecord[], from: number, to: number): readonly LogRecord[] {
  return from === 0 && to === records.length ? records : records.slice(from, to);
}

function lastOfEachKind(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [notice.kind, notice])).values()];
}

function sizeOf(records: readonly LogRecord[]): number {
  let size = 0;
  for (const record of records) size += recordSize(record);
  return size;
}
