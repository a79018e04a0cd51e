import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogQueryResponse, LogRecord } from '../../../src/api/types';

/**
 * A control plane with one log stream of prepared bytes, so that only the client is measured; also
 * the connection to the measuring extension in the editor.
 */
export interface ReplayServer {
  readonly url: string;
  /** Resolves with the next stream that is opened. */
  nextStream(): Promise<ServerResponse>;
  /** Overrides the answer at a path; a string is prepared JSON. */
  onRequest(path: string, answer: (body: unknown) => unknown): void;
  close(): Promise<void>;
}

const localization: LogQueryResponse['localization'] = {
  dateFormat: 'year-month-day',
  timeFormat: '24-hour-seconds',
  timeZone: 'UTC',
  timestamps: {},
};

/** A log page, with the cursor of the next one. */
export function pageOf(
  records: readonly LogRecord[],
  nextCursor: string | undefined,
): LogQueryResponse {
  return {
    accessRevision: '17',
    followCursor: 'start',
    records: [...records],
    nextCursor: nextCursor ?? null,
    hasMore: nextCursor !== undefined,
    partial: false,
    snapshotAt: new Date().toISOString(),
    localization,
  };
}

export async function startReplayServer(): Promise<ReplayServer> {
  const answers = new Map<string, (body: unknown) => unknown>();
  const waiting: ((stream: ServerResponse) => void)[] = [];
  const openedAlready: ServerResponse[] = [];

  const json = (response: ServerResponse, value: unknown): void => {
    response.setHeader('content-type', 'application/json');
    response.end(typeof value === 'string' ? value : JSON.stringify(value ?? null));
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const path = request.url ?? '';
    const answer = answers.get(path);
    if (answer) {
      json(response, await answer(text === '' ? undefined : JSON.parse(text)));
    } else if (path === '/v1/api/logs/query') {
      json(response, pageOf([], undefined));
    } else if (path === '/v1/api/logs/tail') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      const next = waiting.shift();
      if (next) next(response);
      else openedAlready.push(response);
    } else {
      response.statusCode = 404;
      json(response, { error: { code: 'notFound', message: path, requestId: 'bench' } });
    }
  };

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.stack : String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextStream: () => {
      const opened = openedAlready.shift();
      if (opened) return Promise.resolve(opened);
      return new Promise((resolve) => waiting.push(resolve));
    },
    onRequest: (path, answer) => void answers.set(path, answer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes as fast as the reader reads. */
export async function writeAll(
  stream: ServerResponse,
  chunks: readonly Uint8Array[],
): Promise<void> {
  for (const chunk of chunks) {
    if (stream.destroyed) return;
    if (!stream.write(chunk)) {
      await drained(stream);
    }
  }
}

async function drained(stream: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      stream.off('drain', finish);
      stream.off('close', finish);
      resolve();
    };
    stream.on('drain', finish);
    stream.on('close', finish);
  });
}
