import { type LogQueryPage, oldestFirst, type PageCursor } from '../../api/cursors';
import {
  type FetchedPages,
  fetchPages,
  type PagesRequest,
  type PagesStart,
  type FetchProgress,
} from '../../api/fetchPages';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { utcTime } from '../../api/utcTime';
import { createSeenIds } from '../follow/dedupe';

export interface ExportRequest extends Pick<PagesRequest, 'client' | 'signal' | 'onWait'> {
  /** What is exported, with a range that has an end. */
  readonly filters: LogQueryFilters;
  readonly maxRecords: number;
  /** Told after each page. */
  readonly onProgress?: (progress: FetchProgress) => void;
}

/** Why an export ended; all but `complete` leave something out, or may. */
export type ExportEnd =
  | 'complete'
  /** There are more records than an export may have. */
  | 'bound'
  /** The server left out some of it. */
  | 'partial'
  /** Where the server began, or began again, is not known to be where it should have. */
  | 'unsure'
  /** What may be seen has changed on the way. */
  | 'accessChanged'
  /** The server does not lead on. */
  | 'stuck';

/** Written at a time, so that memory does not grow with the export. */
const chunk = 2000;
/** A restart at the time of the last record brings those of that instant again. */
const remembered = 10_000;
/** So many records before the first one are looked at: of its own instant there may be some. */
const lookedAt = 50;

/**
 * Fetches everything in a range page by page, oldest first, each record once; waits as long as the
 * server asks. Ends with why it did.
 *
 * @throws what the client throws, and the signal's reason; what has come by then was handed on.
 */
export async function* exportRecords({
  filters,
  maxRecords,
  onProgress,
  ...request
}: ExportRequest): AsyncGenerator<readonly LogRecord[], ExportEnd> {
  const seen = createSeenIds(remembered);
  let start: PagesStart | PageCursor = { filters, direction: 'newer' };
  let access: string | undefined;
  let last: LogRecord | undefined;
  let isPartial = false;
  let isUnsure = false;
  let began: readonly LogRecord[] = [];
  let isRestart = false;
  let pageSize: number | undefined;
  let total: FetchProgress = { records: 0, pages: 0 };

  /** Those that were not written yet, as far as there may be more. */
  const fresh = (
    records: readonly LogRecord[],
  ): { readonly taken: readonly LogRecord[]; readonly isAll: boolean } => {
    const unseen = records.filter(({ eventId }) => seen.add(eventId));
    const taken = unseen.slice(0, maxRecords - total.records);
    return { taken, isAll: taken.length === unseen.length };
  };

  for (;;) {
    const before = total;
    let pages = 1;
    const come: LogQueryPage[] = [];
    let found: FetchedPages | 'cursorRefused';
    try {
      found = await fetchPages({
        ...request,
        start,
        // One more tells whether there are more than there may be.
        target: Math.min(chunk, maxRecords - total.records + 1),
        pageSize,
        onPage: (page) => void come.push(page),
        onProgress: (progress) => {
          pages = progress.pages + 1;
          const records = before.records + progress.records;
          onProgress?.({ records, pages: before.pages + progress.pages });
        },
      });
    } catch (error) {
      // The pages of one fetch are of one access.
      const now = come[0]?.accessRevision;
      if (now !== undefined && now === (access ?? now)) {
        yield fresh(come.flatMap(({ records }) => oldestFirst(records, 'newer'))).taken;
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
      const { taken, isAll } = fresh(found.records);
      // Where it begins again, it does so at what was written, or there may be a gap.
      isUnsure ||= isRestart && last !== undefined && first !== undefined && first === taken[0];
      last = taken.at(-1) ?? last;
      added = taken.length;
      total = { records: before.records + added, pages: before.pages + pages };
      ({ pageSize, next } = found);
      if (added > 0) yield taken;
      onProgress?.(total);
      if (!isAll) return 'bound';
      if (found.end === 'accessChanged') return 'accessChanged';
      if (found.end === 'end') {
        if (isPartial) return 'partial';
        isUnsure ||= !(await beginsAtOldest(request, filters, began));
        return isUnsure ? 'unsure' : 'complete';
      }
    }
    if (isRefused || next === undefined) {
      // Once more from the same place would end there again.
      if (isRestart && added === 0) return 'stuck';
      const from = utcTime(last?.timestamp ?? '');
      start = { filters: from === undefined ? filters : { ...filters, from }, direction: 'newer' };
      isRestart = true;
    } else {
      start = next;
      isRestart &&= added === 0;
    }
  }
}

/**
 * Whether there is nothing before what came first. Where a search for what is newer begins is the
 * server's to say, so the end of what is older is looked at, too.
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
    start: { filters: { ...filters, to }, direction: 'older' },
    target: lookedAt,
    signal,
    onWait,
  });
  const ids = new Set(records.map(({ eventId }) => eventId));
  return before.every(({ eventId }) => ids.has(eventId));
}
