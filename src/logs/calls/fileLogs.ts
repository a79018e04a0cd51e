import type { ControlPlaneClient } from '../../api/client';
import { oldestFirst } from '../../api/cursors';
import { largestPage } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { compareTimestamps } from '../../api/utcTime';
import { createFrameReader } from '../errors/errorPlaces';
import { type LogFilter, queryFilters, workloadFilter } from '../query/fields';
import type { LogStatement } from './findStatements';
import {
  statementQuery,
  fitMessage,
  loggedMessage,
  type StatementTemplate,
} from './statementTemplate';

/** A search for records of a file. Several are needed, because the API searches for one text at a time. */
export interface FileSearch {
  readonly filter: LogFilter;
  /** What finds the records: a statement, or stack frames in the file if it is undefined. */
  readonly statement?: {
    /** From 0. */
    readonly line: number;
    readonly template: StatementTemplate;
  };
}

export interface FileSearches {
  /** Stack frames first, then the statements with the most constant text. */
  readonly searches: readonly FileSearch[];
  /** How many more statements could be searched for. */
  readonly leftOut: number;
}

const mostSearches = 8;

/** Names that many files have: their folder is searched for, too. */
const commonNames = /^(?:index|main|mod|lib|app|server|utils?|types|helpers?|__init__|__main__)\./i;

/**
 * The searches that find the records of a file by its stack frames and its most specific statements.
 *
 * @param path the path of the file, with slashes.
 * @param apps ids of workloads.
 */
export function fileSearches(
  path: string,
  statements: readonly LogStatement[],
  apps: readonly string[],
): FileSearches {
  const frames: FileSearch = { filter: { ...workloadFilter(apps), search: nameInFrames(path) } };
  const byFilter = new Map<string, FileSearch & Required<Pick<FileSearch, 'statement'>>>();
  for (const { line, ...statement } of statements) {
    const query = statementQuery(statement, apps);
    if (query === undefined) continue;
    const { filter, template } = query;
    const key = JSON.stringify(filter);
    if (!byFilter.has(key)) byFilter.set(key, { filter, statement: { line, template } });
  }
  const all = [...byFilter.values()].sort(
    (a, b) => b.statement.template.letters - a.statement.template.letters,
  );
  const searches = [frames, ...all].slice(0, mostSearches);
  return { searches, leftOut: all.length + 1 - searches.length };
}

/** The end of the path that stack frames have: Java's have only the name of the file. */
function nameInFrames(path: string): string {
  const [name = '', folder] = path.split('/').reverse();
  return folder !== undefined && folder !== '' && commonNames.test(name)
    ? `${folder}/${name}`
    : name;
}

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
  /** Whether the path of a stack frame of a workload means the file. */
  readonly isFile: (path: string, workloadId: string) => Promise<boolean>;
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
  const framesOf = createFrameReader();
  const all: FoundRecords[] = [];
  for (let start = 0; start < searches.length; start += atOnce) {
    onProgress(start);
    const next = searches.slice(start, start + atOnce);
    all.push(...(await Promise.all(next.map((search) => run(search, request, framesOf)))));
  }
  const newest = ({ records }: FoundRecords): string => records[0]?.timestamp ?? '';
  return all
    .filter(({ records }) => records.length > 0)
    .sort((a, b) => compareTimestamps(newest(b), newest(a)));
}

async function run(
  search: FileSearch,
  { client, from, to, isFile, signal }: FileRecordsRequest,
  framesOf: ReturnType<typeof createFrameReader>,
): Promise<FoundRecords> {
  async function isOfFile(record: LogRecord): Promise<boolean> {
    const { statement } = search;
    if (statement !== undefined) {
      return fitMessage(statement.template, loggedMessage(record)) !== undefined;
    }
    for (const path of new Set(framesOf(record).map((frame) => frame.path))) {
      if (await isFile(path, record.workloadId)) return true;
    }
    return false;
  }

  const query = { filters: queryFilters(search.filter, from, to), limit: largestPage };
  const page = await client.queryLogs(query, { signal, priority: 'person' });
  const records: LogRecord[] = [];
  for (const record of [...oldestFirst(page.records, 'older')].reverse()) {
    if (await isOfFile(record)) records.push(record);
  }
  return { search, records, hasMore: page.next !== undefined };
}

/** The records of all searches, each once, oldest first. */
export function allRecords(found: readonly FoundRecords[]): readonly LogRecord[] {
  const byId = new Map(
    found.flatMap(({ records }) => records.map((record) => [record.eventId, record] as const)),
  );
  return [...byId.values()].sort((a, b) => compareTimestamps(a.timestamp, b.timestamp));
}
