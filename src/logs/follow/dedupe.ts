import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { recordTest } from '../query/matches';
import type { Notice, TailBuffer } from './buffer';
import type { TailPosition } from './types';

/** What a page or a history says. */
export interface Batch {
  readonly records: readonly LogRecord[];
  readonly accessRevision: string;
  readonly partial: boolean;
}

/** The way of records into the buffer: each matching one once. */
export interface TailDedupe {
  readonly received: number;
  /** Of those, what came over the stream. */
  readonly streamed: number;
  readonly repeated: number;
  /** Of the record that came last, ISO. */
  readonly lastTimestamp: string | undefined;
  /** Takes a page of the stream in; returns how many of its records are new. */
  acceptPage(page: Batch, after: StreamCursor): number;
  /** Takes a history in, which the server filtered completely. */
  acceptHistory(history: Batch, after: StreamCursor, notices: readonly Notice[]): number;
  /** Takes a history as known without showing any of it. */
  skipHistory(history: Batch, after: StreamCursor): void;
}

/** What may be seen. */
export interface Access {
  /** As the server named it before; undefined where it did not. */
  readonly revision: string | undefined;
  /** It is another now. */
  readonly didChange: () => void;
}

const rememberedIds = 10_000;
const none: readonly Notice[] = [];

export function createTailDedupe(
  filter: LogFilter,
  buffer: TailBuffer,
  position: TailPosition | undefined,
  access: Access,
): TailDedupe {
  const { stream, conditionGroup } = filter;
  const passes = recordTest({
    ...(stream === undefined ? {} : { stream }),
    ...(conditionGroup === undefined ? {} : { conditionGroup }),
  });
  const seen = createSeenIds(rememberedIds);
  position?.seen.forEach((id) => seen.add(id));
  let lastTimestamp = position?.lastTimestamp;
  let accessRevision = access.revision;
  let wasPartial = false;
  let received = 0;
  let streamed = 0;
  let repeated = 0;

  /** The notices with what a batch adds to them; nearly always that is nothing. */
  const withNoticesOf = (batch: Batch, notices: readonly Notice[]): readonly Notice[] => {
    const changed = accessRevision !== undefined && batch.accessRevision !== accessRevision;
    const becamePartial = batch.partial && !wasPartial;
    accessRevision = batch.accessRevision;
    wasPartial = batch.partial;
    if (!changed && !becamePartial) return notices;
    const all = [...notices];
    if (changed) {
      all.push({ kind: 'accessChanged' });
      access.didChange();
    }
    if (becamePartial) all.push({ kind: 'partial' });
    return all;
  };

  /** The records that are new; the very same array, uncopied, where all of them are. */
  const newOf = (records: readonly LogRecord[]): readonly LogRecord[] => {
    let fresh: LogRecord[] | undefined;
    let index = 0;
    for (const record of records) {
      if (seen.add(record.eventId)) fresh?.push(record);
      else fresh ??= records.slice(0, index);
      index++;
    }
    return fresh ?? records;
  };

  const accept = (
    batch: Batch,
    after: StreamCursor,
    notices: readonly Notice[],
    matching: readonly LogRecord[],
  ): number => {
    const records = newOf(matching);
    received += records.length;
    repeated += matching.length - records.length;
    lastTimestamp = batch.records.at(-1)?.timestamp ?? lastTimestamp;
    buffer.add({ notices: withNoticesOf(batch, notices), records, after });
    return records.length;
  };

  return {
    get received() {
      return received;
    },
    get streamed() {
      return streamed;
    },
    get repeated() {
      return repeated;
    },
    get lastTimestamp() {
      return lastTimestamp;
    },
    acceptPage(page, after) {
      const fresh = accept(page, after, none, passes ? page.records.filter(passes) : page.records);
      streamed += fresh;
      return fresh;
    },
    acceptHistory: (history, after, notices) => accept(history, after, notices, history.records),
    skipHistory(history, after) {
      newOf(history.records);
      lastTimestamp = history.records.at(-1)?.timestamp ?? lastTimestamp;
      withNoticesOf(history, none);
      buffer.pass(history.records);
      buffer.add({ notices: [], records: [], after });
    },
  };
}

/** Remembers which records came lately. */
interface Seen {
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
export function createSeenIds(limit: number): Seen {
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
