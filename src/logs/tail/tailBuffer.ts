import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/fields';
import { recordTest } from '../query/matches';
import { recordSize } from '../record/recordSize';
import { SeenIds } from '../record/seenIds';
import type { TailOutput, TailPosition } from './types';

/** What can precede the records of an arrival. */
export type Notice = Exclude<TailOutput, { kind: 'records' } | { kind: 'dropped' }>;

/** What arrived at once: a page, or a history. */
interface Arrival {
  readonly notices: readonly Notice[];
  readonly records: readonly LogRecord[];
  readonly after: StreamCursor;
  /** The end of the range of a history, ISO UTC. */
  readonly historyUntil?: string | undefined;
  /** Where a history begins, ISO UTC. */
  readonly since?: string | undefined;
}

interface Entry extends Arrival {
  notices: readonly Notice[];
  after: StreamCursor;
  /** An estimate of the memory of its records, in bytes. */
  readonly bytes: number;
  /** How many of its records were handed on. */
  taken: number;
}

/** What a position needs of a record. */
type PassedRecord = Pick<LogRecord, 'eventId'>;

/** What was dropped and not reported yet. All of it is older than the queue. */
interface Dropped {
  readonly count: number;
  readonly notices: readonly Notice[];
  /** The cursor after the last arrival that was dropped as a whole. */
  readonly after: StreamCursor | undefined;
  /** The dropped records of the next arrival, whose rest is still in the queue. */
  readonly part: readonly PassedRecord[];
}

interface BufferLimits {
  readonly records: number;
  readonly bytes: number;
}

/** Received records that were not handed on yet. If there are too many, the oldest are dropped. */
export class TailBuffer {
  private readonly passed: PassedPosition;
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
    this.passed = new PassedPosition(start);
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
    return this.passed.since;
  }

  /** The position after everything that `take` has handed on. */
  get position(): TailPosition | undefined {
    return this.passed.value;
  }

  add(arrival: Arrival): void {
    this.passed.begin(arrival);
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
  pass(records: readonly PassedRecord[]): void {
    this.passed.pass(records);
  }

  /** Hands on what is there, oldest first, at most `maxRecords` records. */
  take(maxRecords: number): TailOutput[] {
    const outputs = this.takeDropped();
    let left = maxRecords;
    for (let entry = this.queue[this.head]; entry; entry = this.queue[this.head]) {
      if (entry.notices.length > 0) {
        outputs.push(...entry.notices);
        entry.notices = [];
      }
      const taken = entry.taken + Math.min(left, entry.records.length - entry.taken);
      const piece = pieceOf(entry.records, entry.taken, taken);
      if (piece.length > 0) outputs.push({ kind: 'records', records: piece });
      this.passed.pass(piece);
      entry.taken = taken;
      left -= piece.length;
      this.records -= piece.length;
      this.handedOnCount += piece.length;
      if (taken < entry.records.length) break;
      this.passed.moveTo(entry.after);
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
    else this.passed.moveTo(after);
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

  private takeDropped(): TailOutput[] {
    if (this.unreported === undefined) return [];
    const { count, notices, after, part } = this.unreported;
    if (after) this.passed.moveTo(after);
    this.passed.pass(part);
    this.unreported = undefined;
    return count > 0 ? [{ kind: 'dropped', count }, ...notices] : [...notices];
  }
}

/** As many as a tail remembers, so that a position cannot grow beyond that. */
const maxIds = 10_000;
/** The most of their text, in UTF-16 units: a position is saved every few seconds. */
const maxIdUnits = 512 * 1024;
/** One page of the contract, because a server may resume slightly before the cursor. */
const idsBeforeCursor = 500;

/** Tracks what was handed on, so that a later start can resume there. */
class PassedPosition {
  private place: Omit<TailPosition, 'since' | 'seen'> | undefined;
  /** Where the first history began, ISO UTC. */
  since: string | undefined;
  /** Ids from before the cursor: the last ones count. */
  private ids: string[];
  private passed: (readonly PassedRecord[])[] = [];

  constructor(start: TailPosition | undefined) {
    this.ids = [...(start?.seen ?? [])];
    if (start === undefined) return;
    const { from, to, cursor, historyUntil, since } = start;
    this.place = { from, to, cursor, ...(historyUntil !== undefined && { historyUntil }) };
    this.since = since;
  }

  get value(): TailPosition | undefined {
    if (this.place === undefined) return undefined;
    const arrived = this.passed.flatMap((records) => records.map(({ eventId }) => eventId));
    const seen = lastOf([...this.ids.slice(-idsBeforeCursor), ...arrived]);
    const { since } = this;
    return { ...this.place, ...(since !== undefined && { since }), seen };
  }

  /** The first history has come, and nothing was handed on. No effect on a known position. */
  begin({ after, historyUntil, since }: Arrival): void {
    if (since === undefined || this.place !== undefined) return;
    this.since = since;
    const { from, to } = after.filters;
    if (historyUntil !== undefined) this.place = { from, to, cursor: after.text, historyUntil };
  }

  /** These records of the arrival after the cursor were handed on. */
  pass(records: readonly PassedRecord[]): void {
    if (records.length > 0) this.passed.push(records);
  }

  /** All records of the arrival were handed on or dropped. */
  moveTo({ filters: { from, to }, text: cursor }: StreamCursor): void {
    this.place = { from, to, cursor };
    if (this.passed.length === 0) return;
    // Loops, because this runs for each arrival.
    for (const records of this.passed) for (const { eventId } of records) this.ids.push(eventId);
    this.passed = [];
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

/** The content of a page or a history. */
interface Batch {
  readonly records: readonly LogRecord[];
  readonly accessRevision: string;
  readonly partial: boolean;
  /** The end of the range of a history, ISO UTC. */
  readonly until?: string | undefined;
  /** Where a history begins, ISO UTC. */
  readonly since?: string;
}

type Source = 'query' | 'stream';

const rememberedIds = 10_000;
const none: readonly Notice[] = [];

/** Passes matching records to the buffer, each once. Remembers the others, too, because they also come again. */
export class TailDedupe {
  private readonly passes: ((record: LogRecord) => boolean) | undefined;
  /** Those in the buffer are the last ones, and a server may resume before the cursor. */
  private readonly seen: SeenIds;
  /** Those that the filters of the client hide, which must not displace the others. */
  private readonly hidden = new SeenIds(() => rememberedIds);
  /** The access revisions of each source: those of a query and of a stream need not be the same. */
  private readonly revisions = new Map<Source, string>();
  private wasPartial = false;
  private receivedCount = 0;
  private streamedCount = 0;
  private repeatedCount = 0;

  /** @param didChangeAccess called when the revision of what the key may see changes. */
  constructor(
    { stream, conditionGroup }: LogFilter,
    private readonly buffer: TailBuffer,
    position: TailPosition | undefined,
    private readonly didChangeAccess: () => void,
  ) {
    this.passes = recordTest({
      ...(stream === undefined ? {} : { stream }),
      ...(conditionGroup === undefined ? {} : { conditionGroup }),
    });
    this.seen = new SeenIds(() => rememberedIds + buffer.size);
    position?.seen.forEach((id) => this.seen.add(id));
  }

  get received(): number {
    return this.receivedCount;
  }

  /** How many of those arrived over the stream. */
  get streamed(): number {
    return this.streamedCount;
  }

  get repeated(): number {
    return this.repeatedCount;
  }

  /** Where the first history began, ISO UTC. */
  get since(): string | undefined {
    return this.buffer.since;
  }

  /** Whether a record may come again, or waits in the buffer. */
  knows(id: string): boolean {
    return this.seen.has(id);
  }

  /** Adds a page of the stream. Returns how many of its records are new, whether they match or not. */
  acceptPage(page: Batch, after: StreamCursor): number {
    return this.acceptUnfiltered(page, 'stream', after, none);
  }

  /** The same for what queries bring at the end of a range, as the stream would have. */
  acceptRange(records: Batch, after: StreamCursor, notices: readonly Notice[]): void {
    this.acceptUnfiltered(records, 'query', after, notices);
  }

  /** Adds a history, which the server has filtered completely. */
  acceptHistory(history: Batch, after: StreamCursor, notices: readonly Notice[]): void {
    this.accept(history, 'query', after, notices, history.records);
  }

  /** Marks a history as known without showing it. */
  skipHistory(history: Batch & { readonly since: string }, after: StreamCursor): void {
    this.newOf(history.records, this.seen);
    this.withNoticesOf(history, 'query', none);
    this.buffer.pass(history.records);
    this.buffer.add({ notices: [], records: [], after, since: history.since });
  }

  private acceptUnfiltered(
    batch: Batch,
    source: Source,
    after: StreamCursor,
    notices: readonly Notice[],
  ): number {
    const { passes } = this;
    let fresh = 0;
    let matching = batch.records;
    if (passes !== undefined) {
      // A page that comes again is one even if nothing of it is shown.
      const others = batch.records.filter((record) => !passes(record));
      fresh = this.newOf(others, this.hidden).length;
      this.repeatedCount += others.length - fresh;
      matching = batch.records.filter(passes);
    }
    const shown = this.accept(batch, source, after, notices, matching);
    this.streamedCount += shown;
    return fresh + shown;
  }

  /** Adds the matching ones of the records of a batch. Returns how many of them are new. */
  private accept(
    batch: Batch,
    source: Source,
    after: StreamCursor,
    notices: readonly Notice[],
    matching: readonly LogRecord[],
  ): number {
    const records = this.newOf(matching, this.seen);
    this.receivedCount += records.length;
    this.repeatedCount += matching.length - records.length;
    const { until: historyUntil, since } = batch;
    const all = this.withNoticesOf(batch, source, notices);
    this.buffer.add({ notices: all, records, after, historyUntil, since });
    return records.length;
  }

  /** The new records; the same array, not a copy, if all of them are new. */
  private newOf(records: readonly LogRecord[], known: SeenIds): readonly LogRecord[] {
    let fresh: LogRecord[] | undefined;
    let index = 0;
    for (const record of records) {
      if (known.add(record.eventId)) fresh?.push(record);
      else fresh ??= records.slice(0, index);
      index++;
    }
    return fresh ?? records;
  }

  /** Adds the notices of a batch. Nearly always there are none. */
  private withNoticesOf(
    { accessRevision, partial }: Batch,
    source: Source,
    notices: readonly Notice[],
  ): readonly Notice[] {
    const before = this.revisions.get(source);
    const changed = before !== undefined && accessRevision !== before;
    const becamePartial = partial && !this.wasPartial;
    if (before !== accessRevision) this.revisions.set(source, accessRevision);
    this.wasPartial = partial;
    if (!changed && !becamePartial) return notices;
    const all = [...notices];
    if (changed) {
      all.push({ kind: 'accessChanged' });
      this.didChangeAccess();
    }
    if (becamePartial) all.push({ kind: 'partial' });
    return all;
  }
}
