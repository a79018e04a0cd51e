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
  /** Where a history begins, ISO UTC. */
  readonly since?: string;
}

type Source = 'query' | 'stream';

/** Passes matching records to the buffer, each once. Remembers the others, too, because they also come again. */
export interface TailDedupe {
  readonly received: number;
  /** How many of those arrived over the stream. */
  readonly streamed: number;
  readonly repeated: number;
  /** Where the first history began, ISO UTC. */
  readonly since: string | undefined;
  /** Adds a page of the stream. Returns how many of its records are new, whether they match or not. */
  acceptPage(page: Batch, after: StreamCursor): number;
  /** The same for what queries bring at the end of a range, as the stream would have. */
  acceptRange(records: Batch, after: StreamCursor, notices: readonly Notice[]): void;
  /** Adds a history, which the server has filtered completely. */
  acceptHistory(history: Batch, after: StreamCursor, notices: readonly Notice[]): void;
  /** Whether a record may come again, or waits in the buffer. */
  knows(id: string): boolean;
  /** Marks a history as known without showing it. */
  skipHistory(history: Batch, after: StreamCursor): void;
}

const rememberedIds = 10_000;
const none: readonly Notice[] = [];

export function createTailDedupe(
  filter: LogFilter,
  buffer: TailBuffer,
  position: TailPosition | undefined,
  /** Called when the revision of what the key may see changes. */
  didChangeAccess: () => void,
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
  /** The access revisions of each source: those of a query and of a stream need not be the same. */
  const revisions = new Map<Source, string>();
  let wasPartial = false;
  let received = 0;
  let streamed = 0;
  let repeated = 0;

  /** Adds the notices of a batch. Nearly always there are none. */
  const withNoticesOf = (
    batch: Batch,
    source: Source,
    notices: readonly Notice[],
  ): readonly Notice[] => {
    const before = revisions.get(source);
    const changed = before !== undefined && batch.accessRevision !== before;
    const becamePartial = batch.partial && !wasPartial;
    revisions.set(source, batch.accessRevision);
    wasPartial = batch.partial;
    if (!changed && !becamePartial) return notices;
    const all = [...notices];
    if (changed) {
      all.push({ kind: 'accessChanged' });
      didChangeAccess();
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
    source: Source,
    after: StreamCursor,
    notices: readonly Notice[],
    matching = batch.records,
  ): number => {
    const records = newOf(matching, seen);
    received += records.length;
    repeated += matching.length - records.length;
    const { until: historyUntil, since } = batch;
    buffer.add({
      ...{ notices: withNoticesOf(batch, source, notices), records, after },
      ...{ historyUntil, since },
    });
    return records.length;
  };

  /** The same for a batch that the server has not filtered completely. */
  const acceptUnfiltered: typeof accept = (batch, source, after, notices) => {
    let fresh = 0;
    let matching = batch.records;
    if (passes !== undefined) {
      // A page that comes again is one even if nothing of it is shown.
      const others = batch.records.filter((record) => !passes(record));
      const freshOthers = newOf(others, hidden).length;
      repeated += others.length - freshOthers;
      fresh += freshOthers;
      matching = batch.records.filter(passes);
    }
    const shown = accept(batch, source, after, notices, matching);
    streamed += shown;
    return fresh + shown;
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
    get since() {
      return buffer.since;
    },
    acceptPage: (page, after) => acceptUnfiltered(page, 'stream', after, none),
    acceptRange(records, after, notices) {
      acceptUnfiltered(records, 'query', after, notices);
    },
    acceptHistory(history, after, notices) {
      accept(history, 'query', after, notices);
    },
    knows: (id) => seen.has(id),
    skipHistory(history, after) {
      newOf(history.records, seen);
      withNoticesOf(history, 'query', none);
      buffer.pass(history.records);
      buffer.add({ notices: [], records: [], after, since: history.since });
    },
  };
}
