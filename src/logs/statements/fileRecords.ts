import type { ControlPlaneClient } from '../../api/client';
import { oldestFirst } from '../../api/cursors';
import { largestPage } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { compareTimestamps } from '../../api/utcTime';
import { queryFilters } from '../query/filter';
import type { FileSearch } from './fileSearches';
import { loggedMessage } from './loggedMessage';
import { fitMessage } from './statementTemplate';

/** A search with the records of the file that it found. */
export interface FoundRecords {
  readonly search: FileSearch;
  /** The newest first. Not empty. */
  readonly records: readonly LogRecord[];
  /** Whether there are more records than were looked at. */
  readonly hasMore: boolean;
}

interface FileRecordsRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly searches: readonly FileSearch[];
  /** The range: ISO UTC. */
  readonly from: string;
  readonly to: string;
  /** Whether a record has a stack frame in the file. */
  readonly hasFrame: (record: LogRecord) => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** How many searches run at the same time. */
const atOnce = 4;

/**
 * Searches for the records of a file, with one request for each search. Leaves out searches without
 * records; the one with the newest record comes first.
 *
 * @throws the error of the client, or the reason of the signal.
 */
export async function findFileRecords(
  request: FileRecordsRequest,
): Promise<readonly FoundRecords[]> {
  const { searches, onProgress } = request;
  const all: FoundRecords[] = [];
  for (let start = 0; start < searches.length; start += atOnce) {
    onProgress(start);
    const next = searches.slice(start, start + atOnce);
    all.push(...(await Promise.all(next.map((search) => run(search, request)))));
  }
  const newest = ({ records }: FoundRecords): string => records[0]?.timestamp ?? '';
  return all
    .filter(({ records }) => records.length > 0)
    .sort((one, other) => compareTimestamps(newest(other), newest(one)));
}

async function run(
  search: FileSearch,
  { client, from, to, hasFrame, signal }: FileRecordsRequest,
): Promise<FoundRecords> {
  const query = { filters: queryFilters(search.filter, from, to), limit: largestPage };
  const page = await client.queryLogs(query, { signal });
  const records: LogRecord[] = [];
  for (const record of [...oldestFirst(page.records, 'older')].reverse()) {
    if (await isOfFile(record, search, hasFrame)) records.push(record);
  }
  return { search, records, hasMore: page.next !== undefined };
}

async function isOfFile(
  record: LogRecord,
  { statement }: FileSearch,
  hasFrame: FileRecordsRequest['hasFrame'],
): Promise<boolean> {
  if (statement === undefined) return hasFrame(record);
  return fitMessage(statement.template, loggedMessage(record)) !== undefined;
}

/** The records of all searches, each once, oldest first. */
export function allRecords(found: readonly FoundRecords[]): readonly LogRecord[] {
  const byId = new Map(
    found.flatMap(({ records }) => records.map((record) => [record.eventId, record] as const)),
  );
  return [...byId.values()].sort((one, other) => compareTimestamps(one.timestamp, other.timestamp));
}
