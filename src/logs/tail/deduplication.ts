import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/fields';
import { recordTest } from '../query/matches';
import { SeenIds } from '../record/seenIds';
import type { TailBuffer } from './tailBuffer';
import type { Notice, TailPosition } from './tailState';

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
export class Deduplication {
  private readonly isWanted: ((record: LogRecord) => boolean) | undefined;
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
    this.isWanted = recordTest({
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
    this.buffer.skip(history.records);
    this.buffer.add({ notices: [], records: [], after, since: history.since });
  }

  private acceptUnfiltered(
    batch: Batch,
    source: Source,
    after: StreamCursor,
    notices: readonly Notice[],
  ): number {
    const { isWanted } = this;
    let fresh = 0;
    let matching = batch.records;
    if (isWanted !== undefined) {
      // A page that comes again is one even if nothing of it is shown.
      const others = batch.records.filter((record) => !isWanted(record));
      fresh = this.newOf(others, this.hidden).length;
      this.repeatedCount += others.length - fresh;
      matching = batch.records.filter(isWanted);
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
