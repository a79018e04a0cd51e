import type { LogQueryFilters, LogQueryResponse, LogRecord } from '../../api/types';
import { createSeen } from '../tail/seen';
import { drain, type DrainRequest, type Progress } from './drain';
import { oldestFirst } from './pageOrder';

export interface ExportRequest extends Pick<DrainRequest, 'client' | 'signal' | 'onWait'> {
  /** What is exported, with a range that has an end. */
  readonly filters: LogQueryFilters;
  readonly maxRecords: number;
  /** Told after each page. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Why an export ended; all but `complete` leave something out. */
export type ExportEnd =
  | 'complete'
  /** There are more records than an export may have. */
  | 'bound'
  /** The server left out some of it. */
  | 'partial'
  /** What may be seen has changed on the way. */
  | 'accessChanged'
  /** The server does not lead on. */
  | 'stuck';

/** Written at a time, so that memory does not grow with the export. */
const chunk = 2000;
/** A restart at the time of the last record brings those of that instant again. */
const remembered = 10_000;

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
  const seen = createSeen(remembered);
  let asked = filters;
  let cursor: string | undefined;
  let access: string | undefined;
  let last: LogRecord | undefined;
  let isPartial = false;
  let isRestart = false;
  let pageSize: number | undefined;
  let total: Progress = { records: 0, pages: 0 };

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
    const come: LogQueryResponse[] = [];
    const draining = drain({
      ...request,
      filters: asked,
      direction: 'newer',
      cursor,
      // One more tells whether there are more than there may be.
      target: Math.min(chunk, maxRecords - total.records + 1),
      ...(pageSize === undefined ? {} : { pageSize }),
      onPage: (page) => come.push(page),
      onProgress: (progress) => {
        pages = progress.pages + 1;
        const records = before.records + progress.records;
        onProgress?.({ records, pages: before.pages + progress.pages });
      },
    });
    let found: Awaited<typeof draining>;
    try {
      found = await draining;
    } catch (error) {
      // The pages of one drain are of one access.
      const now = come[0]?.accessRevision;
      if (now !== undefined && now === (access ?? now)) {
        yield fresh(come.flatMap(({ records }) => oldestFirst(records, 'newer'))).taken;
      }
      throw error;
    }
    const isRefused = found === 'cursorRefused' || found.end === 'cursorRefused';
    let added = 0;
    if (found !== 'cursorRefused') {
      access ??= found.accessRevision;
      if (access !== found.accessRevision) return 'accessChanged';
      isPartial ||= found.partial;
      const { taken, isAll } = fresh(found.records);
      last = taken.at(-1) ?? last;
      added = taken.length;
      total = { records: before.records + added, pages: before.pages + pages };
      pageSize = found.pageSize;
      if (added > 0) yield taken;
      onProgress?.(total);
      if (!isAll) return 'bound';
      if (found.end === 'accessChanged') return 'accessChanged';
      if (found.end === 'end') return isPartial ? 'partial' : 'complete';
      cursor = found.nextCursor;
    }
    if (isRefused || cursor === undefined) {
      // Once more from the same place would end there again.
      if (isRestart && added === 0) return 'stuck';
      if (last !== undefined) asked = { ...filters, from: last.timestamp };
      cursor = undefined;
      isRestart = true;
    } else isRestart &&= added === 0;
  }
}
