import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { createPositionKeeper, type PassedRecord } from './position';
import type { TailOutput, TailPosition } from './types';

/** What may stand before the records of an arrival. */
export type Notice = Exclude<TailOutput, { kind: 'records' } | { kind: 'dropped' }>;

/** What came in one piece. */
export interface Arrival {
  readonly notices: readonly Notice[];
  readonly records: readonly LogRecord[];
  /** Where a follow goes on behind it. */
  readonly after: StreamCursor;
}

/** What was received and not yet handed on, within bounds: the oldest records give way. */
export interface TailBuffer {
  readonly isEmpty: boolean;
  readonly handedOn: number;
  readonly dropped: number;
  /** Behind everything that `take` has handed on. */
  readonly position: TailPosition | undefined;
  add(arrival: Arrival): void;
  /** Takes as handed on, before anything else comes, what is not to be shown. */
  pass(records: readonly PassedRecord[]): void;
  take(maxRecords: number): TailOutput[];
}

interface Entry extends Arrival {
  notices: readonly Notice[];
  after: StreamCursor;
  /** An estimate of what its records hold in memory. */
  readonly bytes: number;
  /** How many of its records were handed on. */
  taken: number;
}

/** What gave way, all of it older than the queue. */
interface Lost {
  readonly count: number;
  readonly notices: readonly Notice[];
  /** The end of the last arrival that gave way as a whole. */
  readonly after: StreamCursor | undefined;
  /** Of the arrival behind it, whose rest is still in the queue. */
  readonly part: readonly PassedRecord[];
}

export interface BufferLimits {
  readonly records: number;
  readonly bytes: number;
}

export function createTailBuffer(
  limits: BufferLimits,
  start: TailPosition | undefined,
): TailBuffer {
  const position = createPositionKeeper(start);
  let queue: (Entry | undefined)[] = [];
  /** Index of the oldest entry: to shift a long array for every arrival would be slow. */
  let head = 0;
  let records = 0;
  let bytes = 0;
  let handedOn = 0;
  let dropped = 0;
  let lost: Lost | undefined;

  const isOver = (): boolean =>
    records > limits.records || bytes > limits.bytes || queue.length - head > limits.records;

  const removeOldest = (entry: Entry): void => {
    bytes -= entry.bytes;
    // It would stay in memory until the array is cut.
    queue[head] = undefined;
    head++;
    if (head < queue.length && head < 1000) return;
    queue = queue.slice(head);
    head = 0;
  };

  const lose = (count: number, notices: readonly Notice[], where: Pick<Lost, 'after' | 'part'>) => {
    dropped += count;
    records -= count;
    lost = {
      ...where,
      count: (lost?.count ?? 0) + count,
      // One of a kind tells enough, or the notices of a long pause would pile up.
      notices: lastOfEachKind([...(lost?.notices ?? []), ...notices]),
    };
  };

  /** Arrivals give way as a whole, since a place within one has no cursor. */
  const drop = (entry: Entry): void => {
    removeOldest(entry);
    const count = entry.records.length - entry.taken;
    lose(count, entry.notices, { after: entry.after, part: [] });
  };

  /** Lets the first records of an arrival give way that is over the bounds on its own. */
  const trim = (entry: Entry): void => {
    let kept = entry.records.length;
    let size = 0;
    for (const record of entry.records.slice(-limits.records).reverse()) {
      const more = size + estimate(record);
      // One record stays, however large: it is what the user is waiting for.
      if (more > limits.bytes && size > 0) break;
      size = more;
      kept--;
    }
    bytes += size - entry.bytes;
    queue[head] = { ...entry, notices: [], records: entry.records.slice(kept), bytes: size };
    const part = entry.records
      .slice(0, kept)
      .map(({ eventId, timestamp }) => ({ eventId, timestamp }));
    lose(part.length, entry.notices, { after: lost?.after, part });
  };

  const moveOn = (after: StreamCursor): void => {
    const last = queue.at(-1);
    if (last) last.after = after;
    else position.moveTo(after);
  };

  const takeLost = ({ count, notices, after, part }: Lost): TailOutput[] => {
    if (after) position.moveTo(after);
    position.pass(part);
    lost = undefined;
    return count > 0 ? [{ kind: 'dropped', count }, ...notices] : [...notices];
  };

  return {
    get isEmpty() {
      // What gave way did so for something that is still there.
      return queue.length === 0;
    },
    get handedOn() {
      return handedOn;
    },
    get dropped() {
      return dropped;
    },
    get position() {
      return position.value;
    },
    add(arrival) {
      if (arrival.records.length === 0 && arrival.notices.length === 0) {
        moveOn(arrival.after);
        return;
      }
      const { notices, records: added, after } = arrival;
      const entry: Entry = { notices, records: added, after, bytes: estimateAll(added), taken: 0 };
      queue.push(entry);
      records += added.length;
      bytes += entry.bytes;
      for (let oldest = queue[head]; oldest && oldest !== entry && isOver(); oldest = queue[head]) {
        drop(oldest);
      }
      if (isOver()) trim(entry);
    },
    pass: (passed) => position.pass(passed),
    take(maxRecords) {
      const outputs = lost ? takeLost(lost) : [];
      let left = maxRecords;
      for (let entry = queue[head]; entry; entry = queue[head]) {
        if (entry.notices.length > 0) {
          outputs.push(...entry.notices);
          entry.notices = [];
        }
        const taken = entry.taken + Math.min(left, entry.records.length - entry.taken);
        const piece = pieceOf(entry.records, entry.taken, taken);
        if (piece.length > 0) outputs.push({ kind: 'records', records: piece });
        position.pass(piece);
        entry.taken = taken;
        left -= piece.length;
        records -= piece.length;
        handedOn += piece.length;
        if (taken < entry.records.length) break;
        position.moveTo(entry.after);
        removeOldest(entry);
      }
      return outputs;
    },
  };
}

/** The records from one index to another, without a copy where that is all of them. */
function pieceOf(records: readonly LogRecord[], from: number, to: number): readonly LogRecord[] {
  return from === 0 && to === records.length ? records : records.slice(from, to);
}

function lastOfEachKind(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [notice.kind, notice])).values()];
}

/** What a record holds in memory besides its body, and an attribute besides its value, about. */
const bytesPerRecord = 1000;
const bytesPerAttribute = 100;

function estimate({ body, attributes }: LogRecord): number {
  let size = bytesPerRecord + body.length;
  for (const name in attributes) size += bytesPerAttribute + (attributes[name]?.length ?? 0);
  return size;
}

function estimateAll(records: readonly LogRecord[]): number {
  let size = 0;
  for (const record of records) size += estimate(record);
  return size;
}
