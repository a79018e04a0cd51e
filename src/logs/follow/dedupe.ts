import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { recordTest } from '../query/matches';
import { createSeen } from './seenIds';
import type { Notice, TailBuffer } from './buffer';
import type { TailPosition } from './types';

/** What a page or a history says. */
export interface Batch {
  readonly records: readonly LogRecord[];
  readonly accessRevision: string;
  readonly partial: boolean;
}

/** The way of records into the buffer: each matching one once. */
export interface TailIntake {
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

export function createTailIntake(
  filter: LogFilter,
  buffer: TailBuffer,
  position: TailPosition | undefined,
  access: Access,
): TailIntake {
  const { stream, conditionGroup } = filter;
  const passes = recordTest({
    ...(stream === undefined ? {} : { stream }),
    ...(conditionGroup === undefined ? {} : { conditionGroup }),
  });
  const seen = createSeen(rememberedIds);
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
