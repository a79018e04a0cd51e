import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { recordSize } from '../record/recordSize';
import { ReadPosition, type ReadRecord } from './readPosition';
import type { Arrival, Notice, TailOutput, TailPosition } from './tailState';

interface Entry extends Arrival {
  notices: readonly Notice[];
  after: StreamCursor;
  /** An estimate of the memory of its records, in bytes. */
  readonly bytes: number;
  /** How many of its records were read. */
  read: number;
}

/** What was dropped and not reported yet. All of it is older than the queue. */
interface Dropped {
  readonly count: number;
  readonly notices: readonly Notice[];
  /** The cursor after the last arrival that was dropped as a whole. */
  readonly after: StreamCursor | undefined;
  /** The dropped records of the next arrival, whose rest is still in the queue. */
  readonly part: readonly ReadRecord[];
}

interface BufferLimits {
  readonly records: number;
  readonly bytes: number;
}

/** Received records that were not read yet. If there are too many, the oldest are dropped. */
export class TailBuffer {
  private readonly readTo: ReadPosition;
  private queue: (Entry | undefined)[] = [];
  /** The index of the oldest entry. Shifting a long array for every arrival would be slow. */
  private head = 0;
  private records = 0;
  private bytes = 0;
  private readCount = 0;
  private droppedCount = 0;
  private unreported: Dropped | undefined;

  constructor(
    private readonly limits: BufferLimits,
    start: TailPosition | undefined,
  ) {
    this.readTo = new ReadPosition(start);
  }

  get isEmpty(): boolean {
    return this.queue.length === 0;
  }

  /** The number of its records. */
  get size(): number {
    return this.records;
  }

  /** How many records were read. */
  get totalRead(): number {
    return this.readCount;
  }

  get dropped(): number {
    return this.droppedCount;
  }

  /** Where the first history began, ISO UTC. */
  get since(): string | undefined {
    return this.readTo.since;
  }

  /** The position after everything that was read and marked. */
  get position(): TailPosition | undefined {
    return this.readTo.value;
  }

  add(arrival: Arrival): void {
    this.readTo.begin(arrival);
    const { notices, records, after } = arrival;
    if (records.length === 0 && notices.length === 0) {
      this.advance(after);
      return;
    }
    const entry: Entry = { notices, records, after, bytes: sizeOf(records), read: 0 };
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

  /** Passes over records that are not to be shown. Call it before any `add`. */
  skip(records: readonly ReadRecord[]): void {
    this.readTo.add(records);
  }

  /** Removes and returns what is there, oldest first, at most `maxRecords` records. */
  read(maxRecords: number): TailOutput[] {
    if (this.isEmpty) return [];
    this.readTo.hold();
    const outputs = this.readDropped();
    let left = maxRecords;
    for (let entry = this.queue[this.head]; entry; entry = this.queue[this.head]) {
      if (entry.notices.length > 0) {
        outputs.push(...entry.notices);
        entry.notices = [];
      }
      const read = entry.read + Math.min(left, entry.records.length - entry.read);
      const piece = pieceOf(entry.records, entry.read, read);
      if (piece.length > 0) outputs.push({ kind: 'records', records: piece });
      this.readTo.add(piece);
      entry.read = read;
      left -= piece.length;
      this.records -= piece.length;
      this.readCount += piece.length;
      if (read < entry.records.length) break;
      this.readTo.moveTo(entry.after);
      this.removeOldest(entry);
    }
    return outputs;
  }

  /** Everything that was read is where it belongs. Returns whether the position moved. */
  markRead(): boolean {
    return this.readTo.markRead();
  }

  private isOver(): boolean {
    const { records, bytes } = this.limits;
    return this.records > records || this.bytes > bytes || this.queue.length - this.head > records;
  }

  private advance(after: StreamCursor): void {
    const last = this.queue.at(-1);
    if (last) last.after = after;
    else this.readTo.moveTo(after);
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
    const count = entry.records.length - entry.read;
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

  private readDropped(): TailOutput[] {
    if (this.unreported === undefined) return [];
    const { count, notices, after, part } = this.unreported;
    if (after) this.readTo.moveTo(after);
    this.readTo.add(part);
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
