import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageOf } from '../streamBytes';

/** Answers by path; a string is prepared JSON. */
export type Answers = Readonly<Record<string, (body: unknown) => unknown>>;

export const queryPath = '/v1/api/logs/query';

/**
 * A control plane with one log stream of prepared bytes, so that only the client is measured; also
 * the connection to the measuring extension in the editor.
 */
export class ReplayServer {
  private answers: Answers = { [queryPath]: () => pageOf([]) };
  private readonly waiting: ((stream: ServerResponse) => void)[] = [];
  private readonly opened: ServerResponse[] = [];
  private readonly server = createServer((request, response) => {
    this.respond(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.stack : String(error));
    });
  });

  async start(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds answers, also in place of others. */
  answer(answers: Answers): void {
    this.answers = { ...this.answers, ...answers };
  }

  /** Resolves with the next stream that is opened. */
  nextStream(): Promise<ServerResponse> {
    const opened = this.opened.shift();
    if (opened) return Promise.resolve(opened);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const path = request.url ?? '';
    if (path === '/v1/api/logs/tail') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      const next = this.waiting.shift();
      if (next) next(response);
      else this.opened.push(response);
      return;
    }
    const missing = { error: { code: 'notFound', message: path, requestId: 'bench' } };
    const answer = this.answers[path];
    response.statusCode = answer ? 200 : 404;
    const value = answer ? await answer(text === '' ? undefined : JSON.parse(text)) : missing;
    response.setHeader('content-type', 'application/json');
    response.end(typeof value === 'string' ? value : JSON.stringify(value ?? null));
  }
}

/** Writes as fast as the reader reads. */
export async function writeAll(
  stream: ServerResponse,
  chunks: readonly Uint8Array[],
): Promise<void> {
  for (const chunk of chunks) {
    if (stream.destroyed) return;
    if (!stream.write(chunk)) await drained(stream);
  }
}

/** Resolves when more can be written, or the reader is gone. */
async function drained(stream: ServerResponse): Promise<void> {
  const isOver = new AbortController();
  const { signal } = isOver;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  isOver.abort();
}

/** Calls a function this many times, so many times a second. */
export async function atRate(
  perSecond: number,
  times: number,
  run: (index: number) => unknown,
): Promise<void> {
  const start = performance.now();
  for (let index = 0; index < times; index++) {
    const early = start + (index * 1000) / perSecond - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    await run(index);
  }
}
