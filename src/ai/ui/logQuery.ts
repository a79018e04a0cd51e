import { InvalidRequestError, phrase } from '../../api/errors';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { seenLately } from '../../inventory/discovery/recentWorkloads';
import type { Names } from '../../inventory/names';
import { createSearch } from '../../logs/explorer/search';
import { queryFilters } from '../../logs/query/filter';
import { parseSearch, type SearchResult, windowOf } from '../../logs/query/searchQuery';
import { describeQueryErrors, describeUnresolved } from '../../logs/query/ui/queryText';
import { localZone } from '../../logs/query/zone';
import { systemClock } from '../../vscode/clock';
import { count, without } from '../answer';
import type { ToolCall } from './tool';

/** Records that a query asked for, and what is to be said of them. */
export interface FoundLogs {
  /** Oldest first, without what must stay here: cut only then, so that no part of it is left. */
  readonly records: readonly LogRecord[];
  /** In our words: the range, how many there are, and what is missing. */
  readonly words: readonly string[];
}

/**
 * Searches for the newest records of a query.
 *
 * @throws InvalidRequestError where the query is none, and what the client throws.
 */
export async function findLogs(
  query: string,
  limit: number,
  names: Names,
  { client, signal, secrets }: ToolCall,
): Promise<FoundLogs> {
  const filters = await filtersOf(query, names, { client, signal });
  const search = createSearch({ client, filters, maxRecords: limit });
  let loaded = await search.loadOlder({ target: limit, signal });
  // What was there is gone; what may be seen now is asked for once more.
  if (loaded.kind === 'accessChanged') loaded = await search.loadOlder({ target: limit, signal });
  const { records, partial, reachedStart } = search;
  const [first] = records;
  const end = loaded.kind === 'records' ? loaded.end : undefined;
  return {
    records: records.map((record) => withoutSecrets(record, secrets)),
    words: [
      `Range: ${filters.from} to ${filters.to}. ${count(records.length, 'record')} found${
        reachedStart ? '.' : ', the newest ones.'
      }`,
      ...(reachedStart || first === undefined || end === 'circle'
        ? []
        : [
            `Older ones match too: narrow the query, or search to: the time of the first of these.`,
          ]),
      ...(partial ? ['The control plane left out some of what matches.'] : []),
    ],
  };
}

function withoutSecrets(record: LogRecord, secrets: readonly string[]): LogRecord {
  const attributes = Object.entries(record.attributes).map(
    ([name, value]) => [without(name, secrets), without(value, secrets)] as const,
  );
  const body = without(record.body, secrets);
  return { ...record, body, attributes: Object.fromEntries(attributes) };
}

type Asking = Pick<ToolCall, 'client' | 'signal'>;

async function filtersOf(query: string, names: Names, asking: Asking): Promise<LogQueryFilters> {
  const when = { now: systemClock.now(), timeZone: localZone };
  const parse = (): SearchResult =>
    parseSearch(query, when, (kind, name) => names.idsOf(kind, name));
  let result = parse();
  if (result.ok && result.unresolved.length > 0) {
    // Whoever has logged lately has a name too.
    const { workloads } = await seenLately(asking.client, systemClock, asking.signal);
    // Names of another control plane mean nothing here.
    asking.signal.throwIfAborted();
    for (const { id, name } of workloads) {
      if (name !== undefined) names.learn('workload', id, name);
    }
    result = parse();
  }
  if (!result.ok) throw invalid(describeQueryErrors(query, result.errors));
  if (result.unresolved.length > 0) throw invalid(describeUnresolved(result.unresolved));
  const { filter, range } = result.query;
  const window = windowOf(range, when);
  if (window === undefined) throw invalid('the range of time is none');
  return queryFilters(filter, window.from, window.to);
}

function invalid(problem: string): InvalidRequestError {
  return new InvalidRequestError('query', phrase('{0}', problem), phrase('see its description'));
}
