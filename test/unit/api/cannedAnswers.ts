import type { CallOptions, ClientOptions, ControlPlaneClient } from '../../../src/api/client';
import type { ApiSettings } from '../../../src/api/operation';
import type { RequestEntry } from '../../../src/api/sendRequest';
import { createClient } from '../../../src/api/createClient';
import { ApiError } from '../../../src/api/errors';
import { cleanupBody } from '../../../src/api/validateRequest';
import type { LogQueryFilters, LogQueryResponse } from '../../../src/api/types';
import { fakeClock, type FakeClock } from '../fakeClock';

/** Must not appear in any error, entry or message. */
export const canary = 'cp_live_CANARY_7f1f9a01';
export const baseUrl = 'https://control-plane.example/team';
export const uuid = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
export const otherUuid = 'F47AC10B-58CC-4372-A567-0E02B2C3D479';
export const filters = { from: '2026-11-20T12:00:00Z', to: '2026-11-20T13:00:00Z' };
/** Each filter that a stream supports. */
export const tailFilters: LogQueryFilters = {
  ...filters,
  workloadIds: [uuid, otherUuid],
  serverIds: [uuid],
  deploymentIds: [uuid],
  previewIds: [uuid],
  containerIds: ['a'.repeat(64)],
  environments: ['production', 'preview'],
  services: ['web'],
  severities: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'],
  search: '"ü" 😀',
  traceId: 'a'.repeat(32),
  attributes: [{ key: 'user', value: '42', operator: 'contains' }],
};
/** Each filter of a query. */
export const queryFilters: LogQueryFilters = {
  ...tailFilters,
  stream: 'stderr',
  conditionGroup: {
    match: 'or',
    conditions: [{ field: 'attribute:a b', operator: 'not_exists', value: '' }],
  },
};

export const defaults: ApiSettings = { timeoutSeconds: 20, own: {} };

/** The input of a clean-up of a server. */
export function cleanUpOf(items: readonly string[], key: string) {
  return { parameters: { serverId: uuid, 'Idempotency-Key': key }, body: cleanupBody(items) };
}

/** Settings that all differ from the examples of the contract. */
export const otherSettings: ApiSettings = {
  timeoutSeconds: 20,
  own: {
    'segments.monitorAlerts': 'watch-alerts',
    'segments.repositories': 'gitplace',
    'segments.previewReporting': 'githome',
    'parameters.alertsDeployable': 'unit[id]',
    'parameters.secretsEnvironment': 'scope',
    'parameters.repositoriesSearch': 'q',
    'parameters.repositoriesPage': 'p',
    operationPath: '/jobs/{operationId}/state',
    descriptionPath: '/docs/api.json',
  },
};

export const page = {
  accessRevision: 'r1',
  followCursor: 'c1',
  records: [],
  nextCursor: null,
  hasMore: false,
  partial: false,
  snapshotAt: '2026-11-20T12:00:00Z',
};

export const queryAnswer: LogQueryResponse = {
  ...page,
  localization: {
    dateFormat: 'year-month-day',
    timeFormat: '24-hour',
    timeZone: 'UTC',
    timestamps: {},
  },
};

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  /** Path and query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly request: Request;
}

export type Handler = (received: Received) => Response | Promise<Response>;

export interface Harness {
  readonly client: ControlPlaneClient;
  readonly clock: FakeClock;
  readonly received: Received[];
  readonly entries: RequestEntry[];
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  /** The options of a call that a person waits for. */
  readonly asked: CallOptions;
  /** Any call that a person waits for. */
  readonly list: () => Promise<unknown>;
}

/** A client and its server; the last answer is repeated. */
export function harness(
  answers: Handler | readonly Handler[],
  options: Partial<ClientOptions> = {},
): Harness {
  const list = typeof answers === 'function' ? [answers] : answers;
  const clock = fakeClock();
  const received: Received[] = [];
  const entries: RequestEntry[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const asked: CallOptions = { signal, priority: 'person' };
  const client = createClient({
    baseUrl,
    token: () => Promise.resolve(canary),
    clock,
    random: () => 0.5,
    settings: () => defaults,
    onDidRequest: (entry) => entries.push(entry),
    async fetch(request) {
      const url = new URL(request.url);
      const one: Received = {
        method: request.method,
        path: url.pathname + url.search,
        headers: Object.fromEntries(request.headers),
        body: await request.clone().text(),
        request,
      };
      received.push(one);
      const answer = list[Math.min(received.length, list.length) - 1];
      if (answer === undefined) throw new Error('No answer was prepared.');
      return answer(one);
    },
    ...options,
  });
  return {
    client,
    clock,
    received,
    entries,
    signal,
    abort: (reason) => controller.abort(reason),
    asked,
    list: () => client.listIntegrations({}, asked),
  };
}

export function json(value: unknown, init: ResponseInit = {}): Handler {
  return () => Response.json(value, init);
}

/** An error object of the contract. */
export function refusal(status: number, headers: Record<string, string> = {}): Handler {
  const error = { code: `code_${status}`, message: `Refused with ${status}.`, requestId: 'req_1' };
  return json({ error }, { status, headers });
}

/** No answer, with the error of Node's fetch. */
export function unreachable(code = 'ECONNREFUSED'): Handler {
  return () => {
    const cause = Object.assign(new Error(`connect ${code}`), { code });
    throw new TypeError('fetch failed', { cause });
  };
}

/** Never answers; ends with the request's signal. */
export const silent: Handler = ({ request }) =>
  new Promise((_, reject) => {
    request.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
  });

/** The error that a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

/** A body that arrives in these pieces and then ends, breaks or stalls. */
export function bodyOf(
  pieces: readonly (string | Uint8Array)[],
  end: 'close' | 'stall' | Error = 'close',
): ReadableStream<Uint8Array> {
  const chunks = pieces.map((one) =>
    typeof one === 'string' ? new TextEncoder().encode(one) : one,
  );
  let next = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[next++];
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (end === 'close') controller.close();
        else if (end !== 'stall') controller.error(end);
        else return new Promise<void>(() => undefined);
        return undefined;
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same, if it is an ApiError. */
export async function apiError(promise: Promise<unknown>): Promise<ApiError> {
  const error = await failure(promise);
  if (!(error instanceof ApiError)) throw error;
  return error;
}

/** An answer with a faulty body. */
export function broken(
  body: ReadableStream<Uint8Array> | string | null,
  init: ResponseInit = {},
): Handler {
  return () => new Response(body, init);
}
