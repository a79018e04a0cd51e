import type { CallOptions, ControlPlaneClient } from '../../../../src/api/client';
import { ApiError } from '../../../../src/api/errors';
import type { StreamItem } from '../../../../src/api/streamItem';
import type {
  LogQueryRequest,
  LogQueryResponse,
  LogRecord,
  LogTailRequest,
} from '../../../../src/api/types';
import { validateLogQuery, validateLogTail } from '../../../../src/api/validateRequest';
import { createCursors } from '../../../control-plane/cursors';
import { Failure } from '../../../control-plane/failure';
import { createKeys } from '../../../control-plane/keys';
import { createRandom } from '../../../control-plane/random';
import { createRecordStore } from '../../../control-plane/records';
import { followLogs, searchLogs, type Following } from '../../../control-plane/logs';
import { fakeClock } from '../../fakeClock';
import { sampleRecord } from '../sampleRecord';
import { wireClient } from '../wireClient';

/** The logs of the embedded control plane, strict about cursors, without a connection. */
export interface SearchServer {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  readonly queries: readonly LogQueryRequest[];
  /** What streams were asked for with. */
  readonly connects: readonly LogTailRequest[];
  /** How many streams are open. */
  readonly openStreams: number;
  /** Adds records, 10 ms apart; their ids and bodies are their numbers. */
  append(count: number, changes?: Partial<LogRecord>): void;
  /** Changes what may be seen, which no cursor survives. */
  changeAccess(): void;
  /** Called before each query, in turn; what it throws refuses the query. */
  before: (request: LogQueryRequest) => void | Promise<void>;
  /** The page as the server sends it. */
  after: (page: LogQueryResponse, request: LogQueryRequest) => LogQueryResponse;
  /** Called before each stream opens, in turn; what it throws refuses the stream. */
  onConnect: (request: LogTailRequest) => void;
  /** Ends all streams: as after five minutes, or with an error. */
  endStreams(error?: ApiError): void;
}

type Stream = AsyncGenerator<readonly StreamItem[]>;

/** So many records are in a page of a stream. */
const pageRecords = 500;

/** An hour of records comes before the clock of a test says noon. */
export const startedAt = Date.parse('2026-11-20T11:05:00Z');

export const filters = { from: '2026-11-20T11:00:00Z', to: '2027-11-20T12:00:00Z' };

export function refusal(status: number, code = `code_${status}`, message = 'No.'): ApiError {
  return new ApiError({ kind: 'http', status, code, message });
}

export function searchServer(): SearchServer {
  const store = createRecordStore(1_000_000);
  const cursors = createCursors('secret', { exactRange: true, isVague: () => false });
  const keys = createKeys(createRandom(1));
  const key = keys.find(keys.values()['demo-full'] ?? '');
  if (key === undefined) throw new Error('There is no key.');
  const clock = { ...fakeClock(startedAt), now: () => startedAt };
  const parts = { store, cursors, clock, unkind: {} };
  const queries: LogQueryRequest[] = [];
  const connects: LogTailRequest[] = [];

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
      const page = searchLogs(parts, key, request, request.limit ?? 50);
      return server.after({ ...page, localization }, request);
    } catch (error) {
      if (error instanceof Failure) throw refusal(error.status, error.code, error.message);
      throw error;
    }
  }

  const streams = new Set<{ end: { readonly error: ApiError | undefined } | undefined }>();
  const bells = new Set<() => void>();
  const ring = (): void => [...bells].forEach((bell) => bell());
  store.onDidAppend(ring);

  async function openLogStream(request: LogTailRequest, { signal }: CallOptions): Promise<Stream> {
    validateLogTail(request);
    connects.push(request);
    await Promise.resolve();
    signal.throwIfAborted();
    server.onConnect(request);
    if (key === undefined) throw new Error('There is no key.');
    const { filters, cursor } = request;
    try {
      return streamOf(followLogs(parts, key, filters, cursor), signal);
    } catch (error) {
      if (error instanceof Failure) throw refusal(error.status, error.code, error.message);
      throw error;
    }
  }

  async function* streamOf(following: Following, signal: AbortSignal): Stream {
    const stream: { end: { readonly error: ApiError | undefined } | undefined } = {
      end: undefined,
    };
    streams.add(stream);
    signal.addEventListener('abort', ring);
    try {
      for (;;) {
        signal.throwIfAborted();
        if (stream.end?.error !== undefined) throw stream.end.error;
        if (stream.end !== undefined) return;
        const { records } = following.next(pageRecords, Infinity, Infinity);
        if (records.length > 0) {
          yield [{ kind: 'page', page: following.page(records) }];
        } else await new Promise<void>((resolve) => bells.add(resolve));
      }
    } finally {
      streams.delete(stream);
      signal.removeEventListener('abort', ring);
    }
  }

  const server: SearchServer = {
    client: wireClient({ queryLogs, openLogStream }),
    queries,
    connects,
    get openStreams() {
      return streams.size;
    },
    onConnect: () => undefined,
    endStreams(error) {
      for (const stream of streams) stream.end = { error };
      ring();
    },
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
