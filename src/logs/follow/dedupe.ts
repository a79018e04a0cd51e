import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { recordTest } from '../query/matches';
import type { Notice, TailBuffer } from './buffer';
import type { TailPosition } from './types';

/** The content of a page or a history. */
interface Batch {
  readonly records: readonly LogRecord[];
  readonly accessRevision: string;
  readonly partial: boolean;
  /** The end of the range of a history, ISO UTC. */
  readonly until?: string | undefined;
}

/** Passes matching records to the buffer, each once. Remembers the others, too, because they also come again. */
export interface TailDedupe {
  readonly received: number;
  /** How many of those arrived over the stream. */
  readonly streamed: number;
  readonly repeated: number;
  /** The time of the record that arrived last, ISO. */
  readonly lastTimestamp: string | undefined;
  /** Adds a page of the stream. Returns how many of its records are new, whether they match or not. */
  acceptPage(page: Batch, after: StreamCursor, notices?: readonly Notice[]): number;
  /** Adds a history, which the server has filtered completely. */
  acceptHistory(history: Batch, after: StreamCursor, notices: readonly Notice[]): void;
  /** Marks a history as known without showing it. */
  skipHistory(history: Batch, after: StreamCursor): void;
}

/** How many records of a batch were new, and how many of those match. */
interface Accepted {
  readonly fresh: number;
  readonly matching: number;
}

/** What the API key may see, as a revision of the server. */
interface Access {
  /** The revision at the saved position; undefined if there is none. */
  readonly revision: string | undefined;
  /** Called when the revision changes. */
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

  /** Adds the notices of a batch. Nearly always there are none. */
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

  /** The new records; the same array, not a copy, if all of them are new. */
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
    isShown?: (record: LogRecord) => boolean,
  ): Accepted => {
    // Before the filter: a page that comes again is one even if nothing of it is shown.
    const fresh = newOf(batch.records);
    const records = isShown ? fresh.filter(isShown) : fresh;
    received += records.length;
    repeated += batch.records.length - fresh.length;
    lastTimestamp = batch.records.at(-1)?.timestamp ?? lastTimestamp;
    const historyUntil = batch.until;
    buffer.add({ notices: withNoticesOf(batch, notices), records, after, historyUntil });
    return { fresh: fresh.length, matching: records.length };
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
    acceptPage(page, after, notices = none) {
      const { fresh, matching } = accept(page, after, notices, passes);
      streamed += matching;
      return fresh;
    },
    acceptHistory: (history, after, notices) => void accept(history, after, notices),
    skipHistory(history, after) {
      newOf(history.records);
      lastTimestamp = history.records.at(-1)?.timestamp ?? lastTimestamp;
      withNoticesOf(history, none);
      buffer.pass(history.records);
      buffer.add({ notices: [], records: [], after });
    },
  };
}

/** Remembers the ids of recent records. */
interface Seen {
  /** Remembers an id. Returns false if it is known already. */
  add(id: string): boolean;
}

/** @param limit how many ids are remembered. */
export function createSeenIds(limit: number): Seen {
  const ids = new Set<string>();
  // Resumes where it was, so that the oldest id is found without a search.
  const oldest = ids.values();
  return {
    add(id) {
      const { size } = ids;
      ids.add(id);
      if (ids.size === size) return false;
      if (size === limit) ids.delete(oldest.next().value ?? '');
      return true;
    },
  };
}
