import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { LogQueryFilters, LogPage } from '../../../src/api/types';
import { systemClock } from '../../../src/vscode/systemClock';
import { inMemoryControlPlane, type InMemoryOptions } from '../../control-plane/inMemory';
import {
  startControlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
} from '../../control-plane/server';

/** The start time of the tests; generated data is older. */
export const start = Date.parse('2026-11-20T12:00:00Z');

/** A range that contains everything. */
export const always: LogQueryFilters = { from: '2026-11-01T00:00:00Z', to: '2027-11-20T00:00:00Z' };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface Asked {
  readonly method?: string;
  /** The name of the key (demo-full). */
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  /** A text is sent as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An open log stream. */
export interface Tail {
  readonly response: Response;
  readonly events: ReadableStreamDefaultReader<EventSourceMessage>;
  close(): void;
}

/** A control plane without generated logs, with a wall clock that stands still, and its client. */
export class Harness {
  private constructor(
    readonly server: ControlPlane,
    private readonly fetch: (request: Request) => Promise<Response>,
    private readonly clock: { now: number },
  ) {}

  /** On loopback, for tests of connections. */
  static async start(options: ControlPlaneOptions = {}): Promise<Harness> {
    const wall = { now: start };
    const clock = { ...systemClock, now: () => wall.now };
    const server = await startControlPlane({ live: false, historyRecords: 0, clock, ...options });
    return new Harness(server, (request) => fetch(request), wall);
  }

  /** In memory, for all other tests. */
  static inMemory(options: Partial<InMemoryOptions> = {}): Harness {
    const wall = { now: start };
    const server = inMemoryControlPlane({
      clock: { ...systemClock, now: () => wall.now },
      ...options,
    });
    return new Harness(server, server.fetch, wall);
  }

  /** Lets time pass for the server. */
  advance(seconds: number): void {
    this.clock.now += seconds * 1000;
  }

  request(path: string, { method, key = 'demo-full', headers, body, signal }: Asked = {}) {
    const value = this.server.keys[key];
    const request = new Request(`${this.server.url}/v1/api${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(value === undefined ? {} : { authorization: `Bearer ${value}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
    return this.fetch(request);
  }

  async ask(path: string, asked: Asked = {}): Promise<Answer> {
    const response = await this.request(path, asked);
    const { status, headers } = response;
    return { status, headers, json: await response.json() };
  }

  /** The status of an answer, and the code of its error if it has one. */
  async outcome(path: string, asked: Asked = {}): Promise<string> {
    const { status, json } = await this.ask(path, asked);
    const { error } = json as { error?: { code: string } };
    return error === undefined ? String(status) : `${status} ${error.code}`;
  }

  /** The same of a log request with these members besides `filters`, for all records. */
  logs(endpoint: 'query' | 'tail', body: object = {}, key?: string): Promise<string> {
    return this.outcome(`/logs/${endpoint}`, { key, body: { filters: always, ...body } });
  }

  async query(body: object = {}, key?: string): Promise<LogPage> {
    const asked = { key, body: { filters: always, ...body } };
    const { status, json } = await this.ask('/logs/query', asked);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
    return json as LogPage;
  }

  /** Opens a stream, which ends with an error if the connection breaks. */
  async tail(body: object = {}): Promise<Tail> {
    const controller = new AbortController();
    const { signal } = controller;
    const asked = { body: { filters: always, ...body }, signal };
    const response = await this.request('/logs/tail', asked);
    const events = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    return { response, events, close: () => controller.abort() };
  }
}

/** The next page of a stream; anything else is an error. */
export async function nextPage({ events }: Tail): Promise<LogPage> {
  const { value } = await events.read();
  if (value?.event !== 'records') throw new Error(`Expected a page, not ${JSON.stringify(value)}`);
  return JSON.parse(value.data) as LogPage;
}
