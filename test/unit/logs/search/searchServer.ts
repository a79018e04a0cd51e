import type { CallOptions, ControlPlaneClient } from '../../../../src/api/client';
import { ApiError } from '../../../../src/api/errors';
import type { LogQueryRequest, LogQueryResponse, LogRecord } from '../../../../src/api/types';
import { validateLogQuery } from '../../../../src/api/validateRequest';
import { createCursors } from '../../../control-plane/cursors';
import { Failure } from '../../../control-plane/failure';
import { createKeys } from '../../../control-plane/keys';
import { createRandom } from '../../../control-plane/random';
import { createRecordStore } from '../../../control-plane/records';
import { searchLogs } from '../../../control-plane/search';
import { sampleRecord } from '../sampleRecord';

/** The search of the embedded control plane, strict about cursors, without a connection. */
export interface SearchServer {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly queries: readonly LogQueryRequest[];
  /** Adds records, 10 ms apart; their ids and bodies are their numbers. */
  append(count: number, changes?: Partial<LogRecord>): void;
  /** Changes what may be seen, which no cursor survives. */
  changeAccess(): void;
  /** Called before each query, in turn; what it throws refuses the query. */
  before: (request: LogQueryRequest) => void | Promise<void>;
  /** The page as the server sends it. */
  after: (page: LogQueryResponse, request: LogQueryRequest) => LogQueryResponse;
}

export const startedAt = Date.parse('2026-11-20T12:00:00Z');

export const filters = { from: '2026-11-20T11:00:00Z', to: '2027-11-20T12:00:00Z' };

export function refusal(status: number, code = `code_${status}`, message = 'No.'): ApiError {
  return new ApiError({ kind: 'http', status, code, message });
}

export function searchServer(): SearchServer {
  const store = createRecordStore(1_000_000);
  const cursors = createCursors('secret', { exactRange: true });
  const keys = createKeys(createRandom(1));
  const key = keys.find(keys.values()['demo-full'] ?? '');
  if (key === undefined) throw new Error('There is no key.');
  const queries: LogQueryRequest[] = [];

  async function queryLogs(
    request: LogQueryRequest,
    { signal }: CallOptions,
  ): Promise<LogQueryResponse> {
    validateLogQuery(request);
    queries.push(request);
    signal.throwIfAborted();
    await server.before(request);
    signal.throwIfAborted();
    if (key === undefined) throw new Error('There is no key.');
    try {
      const page = searchLogs({ store, cursors, now: () => startedAt }, key, request);
      return server.after({ ...page, localization }, request);
    } catch (error) {
      if (error instanceof Failure) throw refusal(error.status, error.code, error.message);
      throw error;
    }
  }

  const server: SearchServer = {
    client: { queryLogs },
    queries,
    append(count, changes = {}) {
      const first = store.end;
      store.append(
        Array.from({ length: count }, (_, index) => {
          const number = String(first + index);
          const timestamp = new Date(startedAt + (first + index) * 10).toISOString();
          return sampleRecord({ eventId: number, body: number, timestamp, ...changes });
        }),
      );
    },
    changeAccess: () => keys.change('demo-full'),
    before: () => undefined,
    after: (page) => page,
  };
  return server;
}

const localization: LogQueryResponse['localization'] = {
  dateFormat: 'year-month-day',
  timeFormat: '24-hour-seconds',
  timeZone: 'UTC',
  timestamps: {},
};

/** The numbers of records, in the order in which they are there. */
export function numbersOf(records: readonly LogRecord[]): number[] {
  return records.map(({ eventId }) => Number(eventId));
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
