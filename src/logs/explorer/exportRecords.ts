import { type LogQueryPage, oldestFirst, type PageCursor } from '../../api/cursors';
import {
  type FetchedPages,
  fetchPages,
  type PagesRequest,
  type PagesStart,
  type FetchProgress,
} from '../../api/fetchPages';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { ordered, utcTime } from '../../api/utcTime';
import { SeenIds } from '../record/seenIds';

export interface ExportRequest extends Pick<PagesRequest, 'client' | 'signal' | 'onWait'> {
  /** Includes a range with an end. */
  readonly filters: LogQueryFilters;
  readonly maxRecords: number;
  /** Called after each page. */
  readonly onProgress?: (progress: FetchProgress) => void;
}

/** Why an export ended. All but `complete` mean that records are or may be missing. */
export type ExportEnd =
  | 'complete'
  /** There are more records than allowed. */
  | 'bound'
  /** The server left out records. */
  | 'partial'
  /** The server may not have started, or continued, at the right record. */
  | 'unsure'
  /** The permissions changed. */
  | 'accessChanged'
  /** The server sent no more pages. */
  | 'stuck'
  /** The server sent the same pages again. */
  | 'repeated';

/** The number of records in memory at a time. */
const chunk = 2000;
/** How many event ids are kept for de-duplication after a restart by timestamp. */
const remembered = 10_000;
/** How many records before the first are checked; some may have the same timestamp. */
const lookedAt = 50;

/**
 * Fetches all records in a range, oldest first, each once. Waits as long as the server asks. Returns why
 * it ended.
 *
 * @throws what the client throws, and the signal's reason, after yielding the records that came before.
 */
export async function* exportRecords({
  filters,
  maxRecords,
  onProgress,
  ...request
}: ExportRequest): AsyncGenerator<readonly LogRecord[], ExportEnd> {
  const seen = new SeenIds(() => remembered);
  let start: PagesStart | PageCursor = { filters, direction: 'newer' };
  let access: string | undefined;
  let last: LogRecord | undefined;
  let isPartial = false;
  let isUnsure = false;
  let began: readonly LogRecord[] = [];
  let isRestart = false;
  let pageSize: number | undefined;
  let total: FetchProgress = { records: 0, pages: 0 };

  /** The records that were not exported yet, up to the maximum. */
  const fresh = (
    records: readonly LogRecord[],
  ): { readonly kept: readonly LogRecord[]; readonly isAll: boolean } => {
    const unseen = records.filter(({ eventId }) => seen.add(eventId));
    const kept = unseen.slice(0, maxRecords - total.records);
    return { kept, isAll: kept.length === unseen.length };
  };

  for (;;) {
    const before = total;
    let pages = 1;
    const received: LogQueryPage[] = [];
    let found: FetchedPages | 'cursorRefused';
    try {
      found = await fetchPages({
        ...request,
        start,
        priority: 'person',
        // One more record shows whether there are more than allowed.
        target: Math.min(chunk, maxRecords - total.records + 1),
        pageSize,
        onPage: (page) => void received.push(page),
        onProgress: (progress) => {
          pages = progress.pages + 1;
          const records = before.records + progress.records;
          onProgress?.({ records, pages: before.pages + progress.pages });
        },
      });
    } catch (error) {
      // All pages of one fetch have the same permissions.
      const now = received[0]?.accessRevision;
      if (now !== undefined && now === (access ?? now)) {
        yield fresh(received.flatMap(({ records }) => oldestFirst(records, 'newer'))).kept;
      }
      throw error;
    }
    const isRefused = found === 'cursorRefused' || found.end === 'cursorRefused';
    let next: PageCursor | undefined;
    let added = 0;
    if (found !== 'cursorRefused') {
      access ??= found.accessRevision;
      if (access !== found.accessRevision) return 'accessChanged';
      isPartial ||= found.partial;
      if (before.pages === 0) began = found.records;
      const [first] = found.records;
      const { kept, isAll } = fresh(found.records);
      // After a restart, the first record must be one of the exported, or there may be a gap.
      isUnsure ||= isRestart && last !== undefined && first !== undefined && first === kept[0];
      last = kept.at(-1) ?? last;
      added = kept.length;
      total = { records: before.records + added, pages: before.pages + pages };
      ({ pageSize, next } = found);
      if (added > 0) yield kept;
      onProgress?.(total);
      if (!isAll) return 'bound';
      if (found.end === 'accessChanged') return 'accessChanged';
      // By timestamp, the same pages would come again.
      if (found.end === 'repeatedCursor') return 'repeated';
      if (found.end === 'end') {
        if (isPartial) return 'partial';
        isUnsure ||= !(await beginsAtOldest(request, filters, began));
        return isUnsure ? 'unsure' : 'complete';
      }
    }
    if (isRefused || next === undefined) {
      // Another try from the same record would end the same way.
      if (isRestart && added === 0) return isPartial ? 'partial' : 'stuck';
      const from = utcTime(last?.timestamp ?? '');
      start = {
        filters: from === undefined ? filters : ordered({ ...filters, from }),
        direction: 'newer',
      };
      isRestart = true;
    } else {
      start = next;
      isRestart &&= added === 0;
    }
  }
}

/**
 * Whether there are no records before the first. The server decides where a search for newer records
 * starts, so the older records are checked too.
 */
async function beginsAtOldest(
  { client, signal, onWait }: Pick<ExportRequest, 'client' | 'signal' | 'onWait'>,
  filters: LogQueryFilters,
  records: readonly LogRecord[],
): Promise<boolean> {
  const [first] = records;
  const to = utcTime(first?.timestamp ?? '') ?? filters.to;
  const { records: before } = await fetchPages({
    client,
    start: { filters: ordered({ ...filters, to }), direction: 'older' },
    target: lookedAt,
    signal,
    priority: 'person',
    onWait,
  });
  const ids = new Set(records.map(({ eventId }) => eventId));
  return before.every(({ eventId }) => ids.has(eventId));
}
