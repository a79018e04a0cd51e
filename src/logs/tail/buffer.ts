import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import { createPositionKeeper, type PassedRecord } from './tailPosition';
import type { TailOutput, TailPosition } from './types';

/** What can precede the records of an arrival. */
export type Notice = Exclude<TailOutput, { kind: 'records' } | { kind: 'dropped' }>;

/** What arrived at once: a page, or a history. */
export interface Arrival {
  readonly notices: readonly Notice[];
  readonly records: readonly LogRecord[];
  /** The cursor to resume from after it. */
  readonly after: StreamCursor;
  /** The end of the range of a history, ISO UTC. */
  readonly historyUntil?: string | undefined;
  /** Where a history begins, ISO UTC. */
  readonly since?: string | undefined;
}

/** Received records that were not handed on yet. If there are too many, the oldest are dropped. */
export interface TailBuffer {
  readonly isEmpty: boolean;
  /** The number of its records. */
  readonly size: number;
  readonly handedOn: number;
  readonly dropped: number;
  /** Where the first history began, ISO UTC. */
  readonly since: string | undefined;
  /** The position after everything that `take` has handed on. */
  readonly position: TailPosition | undefined;
  add(arrival: Arrival): void;
  /** Marks records that are not to be shown as handed on. Call it before any `add`. */
  pass(records: readonly PassedRecord[]): void;
  take(maxRecords: number): TailOutput[];
}

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
  readonly part: readonly PassedRecord[];
}

interface BufferLimits {
  readonly records: number;
  readonly bytes: number;
}

export function createTailBuffer(
  limits: BufferLimits,
  start: TailPosition | undefined,
): TailBuffer {
  const position = createPositionKeeper(start);
  let queue: (Entry | undefined)[] = [];
  /** The index of the oldest entry. Shifting a long array for every arrival would be slow. */
  let head = 0;
  let records = 0;
  let bytes = 0;
  let handedOn = 0;
  let dropped = 0;
  let unreported: Dropped | undefined;

  const isOver = (): boolean =>
    records > limits.records || bytes > limits.bytes || queue.length - head > limits.records;

  const removeOldest = (entry: Entry): void => {
    bytes -= entry.bytes;
    // Otherwise the entry stays in memory until the array is shortened.
    queue[head] = undefined;
    head++;
    if (head < queue.length && head < 1000) return;
    queue = queue.slice(head);
    head = 0;
  };

  const addDropped = (
    count: number,
    notices: readonly Notice[],
    where: Pick<Dropped, 'after' | 'part'>,
  ) => {
    dropped += count;
    records -= count;
    unreported = {
      ...where,
      count: (unreported?.count ?? 0) + count,
      // One of each kind is enough; otherwise the notices of a long pause would pile up.
      notices: lastOfEachKind([...(unreported?.notices ?? []), ...notices]),
    };
  };

  /** Arrivals are dropped as a whole, because a position within one has no cursor. */
  const drop = (entry: Entry): void => {
    removeOldest(entry);
    const count = entry.records.length - entry.taken;
    addDropped(count, entry.notices, { after: entry.after, part: [] });
  };

  /** Drops the first records of an arrival that exceeds the limits on its own. */
  const trim = (entry: Entry): void => {
    let kept = entry.records.length;
    let size = 0;
    for (const record of entry.records.slice(-limits.records).reverse()) {
      const more = size + estimate(record);
      // One record stays, however large, because the user waits for it.
      if (more > limits.bytes && size > 0) break;
      size = more;
      kept--;
    }
    bytes += size - entry.bytes;
    queue[head] = { ...entry, notices: [], records: entry.records.slice(kept), bytes: size };
    const part = entry.records.slice(0, kept).map(({ eventId }) => ({ eventId }));
    addDropped(part.length, entry.notices, { after: unreported?.after, part });
  };

  const advance = (after: StreamCursor): void => {
    const last = queue.at(-1);
    if (last) last.after = after;
    else position.moveTo(after);
  };

  const takeDropped = ({ count, notices, after, part }: Dropped): TailOutput[] => {
    if (after) position.moveTo(after);
    position.pass(part);
    unreported = undefined;
    return count > 0 ? [{ kind: 'dropped', count }, ...notices] : [...notices];
  };

  return {
    get isEmpty() {
      return queue.length === 0;
    },
    get size() {
      return records;
    },
    get handedOn() {
      return handedOn;
    },
    get dropped() {
      return dropped;
    },
    get since() {
      return position.since;
    },
    get position() {
      return position.value;
    },
    add(arrival) {
      position.begin(arrival);
      if (arrival.records.length === 0 && arrival.notices.length === 0) {
        advance(arrival.after);
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
      const outputs = unreported ? takeDropped(unreported) : [];
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

/** The records of a range of indexes. Copies only if it is not the whole array. */
function pieceOf(records: readonly LogRecord[], from: number, to: number): readonly LogRecord[] {
  return from === 0 && to === records.length ? records : records.slice(from, to);
}

function lastOfEachKind(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [notice.kind, notice])).values()];
}

/** Rough memory of a record besides its body, and of an attribute besides its value, in bytes. */
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
