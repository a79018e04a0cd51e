import type { LogQueryFilters, LogPage } from '../../../src/api/types';
import { systemClock } from '../../../src/vscode/clock';
import type { CoreOptions } from '../../control-plane/core';
import { inMemoryControlPlane } from '../../control-plane/inMemory';
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
  readonly text: string;
  readonly json: unknown;
}

export interface Asked {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** A control plane without generated logs, with a wall clock that stands still, and its client. */
export class Harness {
  private constructor(
    readonly server: ControlPlane,
    readonly fetch: (request: Request) => Promise<Response>,
    private readonly clock: { now: number },
  ) {}

  /** On loopback, for tests of connections. */
  static async start(options: ControlPlaneOptions = {}): Promise<Harness> {
    const wall = { now: start };
    const server = await startControlPlane({
      live: false,
      historyRecords: 0,
      heartbeatSeconds: 0,
      clock: { ...systemClock, now: () => wall.now },
      ...options,
    });
    return new Harness(server, (request) => fetch(request), wall);
  }

  /** In memory, for all other tests. */
  static inMemory(options: CoreOptions = {}): Harness {
    const wall = { now: start };
    const clock = { ...systemClock, now: () => wall.now };
    const server = inMemoryControlPlane({ clock, ...options });
    return new Harness(server, server.fetch, wall);
  }

  /** Lets time pass for the server. */
  pass(seconds: number): void {
    this.clock.now += seconds * 1000;
  }

  request(path: string, { method, key = 'demo-full', headers, body, signal }: Asked = {}) {
    const value = this.server.keys[key];
    const request = new Request(
      `${this.server.url}${path.startsWith('/_') ? '' : '/v1/api'}${path}`,
      {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        redirect: 'manual',
        headers: {
          ...(value === undefined ? {} : { authorization: `Bearer ${value}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
        signal: signal ?? null,
      },
    );
    return this.fetch(request);
  }

  async ask(path: string, asked: Asked = {}): Promise<Answer> {
    const response = await this.request(path, asked);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const json: unknown = isJson ? parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  }

  /** The error code of an answer, which must have this status. */
  async refusal(path: string, asked: Asked, status: number): Promise<string> {
    const answer = await this.ask(path, asked);
    const { error } = answer.json as { error: { code: string } };
    if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
    return error.code;
  }

  async query(body: Record<string, unknown>, key?: string): Promise<LogPage> {
    const { status, text, json } = await this.ask('/logs/query', {
      key,
      body: { filters: always, ...body },
    });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json as LogPage;
  }

  /** Opens a stream; the iteration ends with it and throws if the connection breaks. */
  async tail(body: Record<string, unknown>, key?: string): Promise<Tail> {
    const controller = new AbortController();
    const response = await this.request('/logs/tail', {
      key,
      body: { filters: always, ...body },
      signal: controller.signal,
    });
    return { response, events: eventsOf(response), close: () => controller.abort() };
  }
}

export interface StreamEvent {
  /** Empty for a comment. */
  readonly name: string;
  readonly data: string;
}

export interface Tail {
  readonly response: Response;
  readonly events: AsyncGenerator<StreamEvent, undefined>;
  close(): void;
}

async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return undefined;
    const fresh = decoder.decode(chunk.value, { stream: true });
    // Only if an event can be complete: a page arrives in many chunks.
    text += fresh;
    if (!fresh.includes('\n')) continue;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1] ?? '';
      yield { name, data: /^data: (.*)$/m.exec(block)?.[1] ?? block };
    }
  }
}

/** Undefined if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The next page of a stream; anything else is an error. */
export async function nextPage({ events }: Tail): Promise<LogPage> {
  const { value } = await events.next();
  if (value?.name !== 'records') throw new Error(`Expected a page, not ${JSON.stringify(value)}`);
  return JSON.parse(value.data) as LogPage;
}
