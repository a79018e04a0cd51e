import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { recordTest } from '../query/matches';
import { SeenIds } from '../record/seenIds';
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
  /** Whether a record may come again, or waits in the buffer. */
  knows(id: string): boolean;
  /** Marks a history as known without showing it. */
  skipHistory(history: Batch, after: StreamCursor): void;
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
  // Those in the buffer are the last ones, and a server may resume before the cursor.
  const seen = new SeenIds(() => rememberedIds + buffer.size);
  /** Those that the filters of the client hide, which must not displace the others. */
  const hidden = new SeenIds(() => rememberedIds);
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
  const newOf = (records: readonly LogRecord[], known: SeenIds): readonly LogRecord[] => {
    let fresh: LogRecord[] | undefined;
    let index = 0;
    for (const record of records) {
      if (known.add(record.eventId)) fresh?.push(record);
      else fresh ??= records.slice(0, index);
      index++;
    }
    return fresh ?? records;
  };

  /** Adds the matching ones of the records of a batch. Returns how many of them are new. */
  const accept = (
    batch: Batch,
    after: StreamCursor,
    notices: readonly Notice[],
    matching = batch.records,
  ): number => {
    const records = newOf(matching, seen);
    received += records.length;
    repeated += matching.length - records.length;
    lastTimestamp = batch.records.at(-1)?.timestamp ?? lastTimestamp;
    const historyUntil = batch.until;
    buffer.add({ notices: withNoticesOf(batch, notices), records, after, historyUntil });
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
    acceptPage(page, after, notices = none) {
      if (passes === undefined) {
        const fresh = accept(page, after, notices);
        streamed += fresh;
        return fresh;
      }
      // A page that comes again is one even if nothing of it is shown.
      const others = page.records.filter((record) => !passes(record));
      const freshOthers = newOf(others, hidden).length;
      repeated += others.length - freshOthers;
      const fresh = accept(page, after, notices, page.records.filter(passes));
      streamed += fresh;
      return fresh + freshOthers;
    },
    acceptHistory(history, after, notices) {
      accept(history, after, notices);
    },
    knows: (id) => seen.has(id),
    skipHistory(history, after) {
      newOf(history.records, seen);
      lastTimestamp = history.records.at(-1)?.timestamp ?? lastTimestamp;
      withNoticesOf(history, none);
      buffer.pass(history.records);
      buffer.add({ notices: [], records: [], after });
    },
  };
}
