import type { CallOptions, ControlPlaneClient } from '../../../../src/api/client';
import type { Clock } from '../../../../src/api/clock';
import { ApiError } from '../../../../src/api/errors';
import type { StreamItem } from '../../../../src/api/streamItem';
import type {
  LogPage,
  LogQueryRequest,
  LogQueryResponse,
  LogRecord,
  LogTailRequest,
} from '../../../../src/api/types';
import { recordTest } from '../../../../src/logs/query/matches';
import { sampleRecord } from '../sampleRecord';
import { wireClient } from '../wireClient';

/** One stream as the server sees it. */
export interface Connection {
  readonly cursor: string | undefined;
  readonly isOpen: boolean;
  /** Sends these items as one chunk. */
  readonly send: (...items: StreamItem[]) => void;
  /** Sends what is behind the cursor and not sent yet, in pages. */
  readonly sendNews: () => void;
  /** Ends the stream as the server does after five minutes. */
  readonly close: () => void;
  /** Breaks it off behind what was sent, as the client does at a bad event. */
  readonly fail: (error: ApiError) => void;
  /** Breaks it off; what has not been read yet is lost. */
  readonly reset: () => void;
  /** Leaves it open, but nothing gets through any more. */
  readonly hush: () => void;
}

export interface Connect {
  /** On the monotonic axis. */
  readonly at: number;
  readonly request: LogTailRequest;
}

/** A log that grows, and a server in this process that hands it out. */
export interface SimulatedServer {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  /** All there is, in the server's order. */
  readonly log: readonly LogRecord[];
  readonly connects: readonly Connect[];
  readonly queries: readonly LogQueryRequest[];
  readonly open: readonly Connection[];
  /** The most streams that were open at a time. */
  readonly mostOpen: number;
  accessRevision: string;
  pageSize: number;
  /** Records in a query's page, whatever was asked for. */
  queryPageSize: number;
  /** Whether pages of a query run oldest first. */
  queriesRunForward: boolean;
  partial: boolean;
  /** Called for each query, in turn; a rejection refuses it. */
  onQuery: (request: LogQueryRequest, page: LogQueryResponse) => void | Promise<void>;
  /** Called before each stream opens, in turn; a rejection refuses it. */
  onConnect: (request: LogTailRequest) => void | Promise<void>;
  /** Called for each stream that has opened; sends the news where a test does not replace it. */
  onOpen: (connection: Connection) => void;
  /** Adds records and sends them on all streams that follow. */
  readonly append: (count: number, changes?: Partial<LogRecord>) => void;
  /** The cursor behind so many records of the log, for the filters of a request. */
  readonly cursor: (index: number, filters: object) => string;
  /** A page of the log as a stream sends it. */
  readonly page: (from: number, to: number, filters: object) => LogPage;
}

export function httpError(status: number, details: Partial<ApiError> = {}): ApiError {
  return new ApiError({
    kind: 'http',
    status,
    code: `code_${status}`,
    message: `Message ${status}`,
    requestId: 'request-1',
    ...details,
  });
}

export function networkError(code = 'reset'): ApiError {
  return new ApiError({ kind: 'network', code, message: 'The connection broke.' });
}

export function protocolError(code = 'notJson'): ApiError {
  return new ApiError({ kind: 'protocol', code, message: 'The answer is none.' });
}

/** The id of the record at an index of the log. */
export function idAt(index: number): string {
  return `event-${index}`;
}

/** The ids of the records from one index of the log up to another. */
export function ids(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => idAt(from + index));
}

const spacing = 10;

export function simulatedServer(clock: Clock): SimulatedServer {
  const startedAt = clock.now() - 60 * 60_000;
  const log: LogRecord[] = [];
  const connects: Connect[] = [];
  const queries: LogQueryRequest[] = [];
  const open = new Set<Connection>();
  let mostOpen = 0;

  const seal = (index: number, filters: object): string =>
    `${index}|${JSON.stringify(Object.entries(filters).sort())}`;

  const unseal = (cursor: string, filters: object): number => {
    const index = Number(cursor.split('|')[0]);
    if (cursor !== seal(index, filters)) throw httpError(409, { code: 'otherFilters' });
    return index;
  };

  const pageOf = (records: LogRecord[], followCursor: string): LogPage => ({
    accessRevision: server.accessRevision,
    followCursor,
    records,
    nextCursor: null,
    hasMore: false,
    partial: server.partial,
    snapshotAt: new Date(clock.now()).toISOString(),
  });

  async function queryLogs(
    request: LogQueryRequest,
    { signal }: CallOptions,
  ): Promise<LogQueryResponse> {
    queries.push(request);
    const { filters, limit = 50, cursor } = request;
    const end = cursor === undefined ? log.length : unseal(cursor, filters);
    const most = Math.min(limit, server.queryPageSize);
    const records: LogRecord[] = [];
    const passes = recordTest(filters);
    let at = end;
    for (; at > 0 && records.length < most; at--) {
      const record = log[at - 1];
      if (record && passes?.(record)) records.push(record);
    }
    if (server.queriesRunForward) records.reverse();
    const page = {
      ...pageOf(records, seal(log.length, filters)),
      hasMore: at > 0,
      nextCursor: at > 0 ? seal(at, filters) : null,
      localization: localization(),
    };
    await untilAborted(Promise.resolve(server.onQuery(request, page)), signal);
    return page;
  }

  async function openLogStream(
    request: LogTailRequest,
    { signal }: CallOptions,
  ): Promise<AsyncIterable<readonly StreamItem[]>> {
    signal.throwIfAborted();
    connects.push({ at: clock.monotonic(), request });
    await untilAborted(Promise.resolve(server.onConnect(request)), signal);
    const { filters, cursor } = request;
    let sent = cursor === undefined ? log.length : unseal(cursor, filters);
    const { stream, ...channel } = createChannel(signal, () => open.delete(connection));
    const connection: Connection = {
      ...channel,
      cursor,
      get isOpen() {
        return open.has(connection);
      },
      sendNews() {
        while (sent < log.length) {
          const end = Math.min(log.length, sent + server.pageSize);
          connection.send({ kind: 'page', page: server.page(sent, end, filters) });
          sent = end;
        }
      },
    };
    open.add(connection);
    mostOpen = Math.max(mostOpen, open.size);
    server.onOpen(connection);
    return stream;
  }

  const server: SimulatedServer = {
    client: wireClient({ queryLogs, openLogStream }),
    log,
    connects,
    queries,
    get open() {
      return [...open];
    },
    get mostOpen() {
      return mostOpen;
    },
    accessRevision: 'revision-1',
    pageSize: 500,
    queryPageSize: 500,
    queriesRunForward: false,
    partial: false,
    onQuery: () => undefined,
    onConnect: () => undefined,
    onOpen: (connection) => connection.sendNews(),
    append(count, changes = {}) {
      for (let index = log.length, end = index + count; index < end; index++) {
        const timestamp = new Date(startedAt + index * spacing).toISOString();
        log.push(sampleRecord({ eventId: idAt(index), timestamp, ...changes }));
      }
      for (const connection of open) connection.sendNews();
    },
    cursor: seal,
    page(from, to, filters) {
      const passes = recordTest(filters);
      const records = log.slice(from, to).filter((record) => passes?.(record) ?? true);
      return pageOf(records, seal(to, filters));
    },
  };
  return server;
}

/** What a stream is made of: chunks wait until they are asked for, and an abort ends it. */
function createChannel(signal: AbortSignal, onEnd: () => void) {
  const chunks: (readonly StreamItem[])[] = [];
  let ending: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  let isHushed = false;

  const end = (error: unknown): void => {
    if (ending) return;
    ending = { error };
    signal.removeEventListener('abort', onAbort);
    onEnd();
    wake?.();
  };
  const onAbort = (): void => {
    chunks.length = 0;
    end(signal.reason);
  };
  signal.addEventListener('abort', onAbort);

  async function* stream(): AsyncGenerator<readonly StreamItem[]> {
    try {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk) yield chunk;
        else if (ending) {
          if (ending.error !== undefined) throw ending.error as Error;
          return;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      end(undefined);
    }
  }

  return {
    stream: stream(),
    send(...items: StreamItem[]): void {
      if (ending || isHushed) return;
      chunks.push(items);
      wake?.();
    },
    close: () => end(undefined),
    fail: (error: ApiError) => end(error),
    reset(): void {
      chunks.length = 0;
      end(networkError());
    },
    hush(): void {
      isHushed = true;
    },
  };
}

/** Settles as the promise does, or with the signal's reason where that comes first. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    const release = (): void => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(release).catch(reject);
    if (signal.aborted) onAbort();
  });
}

function localization(): LogQueryResponse['localization'] {
  return {
    dateFormat: 'year-month-day',
    timeFormat: '24-hour-seconds',
    timeZone: 'UTC',
    timestamps: {},
  };
}
