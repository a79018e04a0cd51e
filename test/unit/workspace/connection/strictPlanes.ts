import { makeConnection, type Connection } from '../../../../src/workspace/connections';
import type { FakeClock } from '../../fakeClock';
import { defaults, page, queryAnswer } from '../../api/cannedAnswers';
import { logRecord } from '../fakeClient';
import { uuid } from '../treeText';

/** A control plane that takes one of its own keys and reports everything else. */
export interface StrictPlane {
  readonly connection: Connection;
  /** What every name that it tells begins with. */
  readonly letter: string;
  /** Its keys, of which the last is in use. */
  readonly keys: string[];
  /** The method and path of each request that it received. */
  readonly received: string[];
  /** What it should never have received. */
  readonly reports: string[];
  /** The requests that are waiting for an answer, or follow a stream. */
  readonly open: Set<Request>;
}

/** What the next answer is; an ordinary one at once where it says nothing. */
export interface Mood {
  /** Milliseconds until the answer. */
  readonly latency?: number;
  /** Seconds that a refusal for the rate asks to wait. */
  readonly retryAfter?: number;
  readonly isDown?: boolean;
}

/** The ids that planes have in common, so that what is meant for one could be carried out by another. */
export const ids = {
  server: uuid(1),
  source: uuid(2),
  resource: uuid(3),
  environment: uuid(4),
  operation: uuid(5),
};

export interface StrictPlanes {
  readonly planes: readonly StrictPlane[];
  readonly fetch: (request: Request) => Promise<Response>;
  readonly settings: () => typeof defaults;
  mood: (plane: StrictPlane) => Mood;
  /** Told of each request as it arrives. */
  onRequest: (plane: StrictPlane, what: string) => void;
}

/** Control planes in this process that answer on the time of a clock; each at an origin of its own. */
export function strictPlanes(clock: FakeClock, letters: readonly string[]): StrictPlanes {
  const planes = letters.map((letter): StrictPlane => {
    const connection = makeConnection(letter, `https://${letter}.example`)!;
    const keys = [`key-of-${letter}`];
    return { connection, letter, keys, received: [], reports: [], open: new Set() };
  });
  const self: StrictPlanes = {
    planes,
    settings: () => defaults,
    mood: () => ({}),
    onRequest: () => undefined,
    async fetch(request) {
      const url = new URL(request.url);
      const plane = planes.find(({ connection }) => connection.origin === url.origin);
      if (plane === undefined) throw new Error(`Nobody is at ${url.origin}.`);
      const what = `${request.method} ${url.pathname.slice(url.pathname.indexOf('/v1/api') + 7)}`;
      plane.received.push(what);
      const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? 'no key';
      if (!plane.keys.includes(key)) plane.reports.push(`${what} with ${key}`);
      self.onRequest(plane, what);
      const { latency = 0, retryAfter, isDown = false } = self.mood(plane);
      plane.open.add(request);
      try {
        if (latency > 0) await passed(clock, latency, request.signal);
      } finally {
        plane.open.delete(request);
      }
      request.signal.throwIfAborted();
      if (retryAfter !== undefined) {
        const error = { code: 'rate_limited', message: 'Slowly.', requestId: 'r' };
        const headers = { 'retry-after': String(retryAfter) };
        return Response.json({ error }, { status: 429, headers });
      }
      if (isDown) return new Response('', { status: 503 });
      if (what.endsWith('/logs/tail')) return streamOf(plane, request);
      return Response.json(answerOf(plane, what));
    },
  };
  return self;
}

/** Lets time pass, or ends as `fetch` does. */
function passed(clock: FakeClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(resolve, ms);
    signal.addEventListener('abort', () => {
      cancel();
      reject(new DOMException('', 'AbortError'));
    });
  });
}

function records({ letter }: StrictPlane) {
  return [0, 1, 2].map((number) =>
    logRecord({
      eventId: `${letter}-${number}`,
      serverId: ids.server,
      workloadId: ids.resource,
      workloadName: `${letter}-web`,
      body: `${letter} says ${number}`,
    }),
  );
}

function streamOf(plane: StrictPlane, request: Request): Response {
  const record = { ...records(plane)[0], eventId: `${plane.letter}-live-${plane.received.length}` };
  const event = { ...page, records: [record], followCursor: `${plane.letter}-2` };
  const text = `event: records\ndata: ${JSON.stringify(event)}\n\n`;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Held, since what nobody holds hears of no abort.
      plane.open.add(request);
      controller.enqueue(new TextEncoder().encode(text));
      request.signal.addEventListener('abort', () => {
        plane.open.delete(request);
        controller.error(new DOMException('', 'AbortError'));
      });
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function answerOf(plane: StrictPlane, what: string): object {
  const { letter } = plane;
  const { localization } = queryAnswer;
  const name = `${letter}-web`;
  const answers: readonly (readonly [RegExp, () => object])[] = [
    [/\/logs\/query$/, () => ({ ...queryAnswer, records: records(plane), followCursor: letter })],
    [/\/cleanup-orphans$/, () => ({ operation: { id: ids.operation, state: 'queued' } })],
    [/\/operations\//, () => ({ operation: { id: ids.operation, state: 'running' } })],
    [
      /\/monitor-alerts$/,
      () => ({
        workloads: [{ id: ids.resource, name, sourceId: ids.source }],
        rules: [{ id: uuid(6), name, evaluationState: 'ok' }],
      }),
    ],
    [
      /\/sources\/[^/]+\/resources$/,
      () => ({
        resources: [
          {
            id: ids.resource,
            name,
            sourceId: ids.source,
            environment: { id: ids.environment, name: `${letter}-production` },
          },
        ],
      }),
    ],
    [/\/secrets$/, () => ({ bindings: [{ environment: `${letter}-production`, keys: [name] }] })],
    [/\/repositories$/, () => ({ repositories: [{ id: uuid(7), name, fullName: name }] })],
    [
      /\/deployments$/,
      () => ({ deployments: [{ id: uuid(8), state: 'running', gitRef: name, createdAt: '' }] }),
    ],
    [/\/syncs$/, () => ({ sync: { by: letter } })],
    [/\/retry-preview-reporting$/, () => ({})],
    [/\/integrations$/, () => ({ integrations: [{ category: 'git', provider: name }] })],
  ];
  const [, answer] = answers.find(([pattern]) => pattern.test(what)) ?? [];
  if (answer === undefined) throw new Error(`There is no answer to ${what}.`);
  return { localization, ...answer() };
}
