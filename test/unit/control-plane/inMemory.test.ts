import { assert } from 'chai';
import { StreamCursor } from '../../../src/api/cursors';
import type { LogStreamItem } from '../../../src/api/logStream';
import { createClient } from '../../../src/api/createClient';
import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';

import {
  event,
  Failure,
  idAt,
  inMemoryControlPlane,
  NoAnswer,
  type InMemoryControlPlane,
  type InMemoryOptions,
} from '../../control-plane/inMemory';
import { defaults } from '../api/cannedAnswers';
import { fakeClock, settle, type FakeClock } from '../fakeClock';
import { always, start } from './harness';

interface Connected {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly client: ControlPlaneClient;
}

function connect(options: Partial<InMemoryOptions> = {}): Connected {
  const clock = fakeClock();
  const server = inMemoryControlPlane({ clock, ...options });
  const client = createClient({
    baseUrl: server.url,
    token: () => Promise.resolve(server.key),
    fetch: server.fetch,
    clock,
    random: () => 0.5,
    settings: () => defaults,
  });
  return { clock, server, client };
}

/** The content of a stream until it ended: event ids, heartbeats and how it ended. */
interface Read {
  readonly ids: string[];
  readonly cursors: string[];
  heartbeats: number;
  /** `open`, `ended`, or the code of the error. */
  state: string;
  stop(): void;
}

async function follow({ client }: Connected, cursor?: string): Promise<Read> {
  const controller = new AbortController();
  const { signal } = controller;
  const read: Read = {
    ids: [],
    cursors: [],
    heartbeats: 0,
    state: 'open',
    stop: () => controller.abort(new Error('enough')),
  };
  const request =
    cursor === undefined ? { filters: always } : { cursor: StreamCursor.of(always, cursor) };
  const stream = await client.openLogStream(request, { signal, priority: 'person' });
  const take = (item: LogStreamItem): void => {
    if (item.kind === 'heartbeat') read.heartbeats++;
    if (item.kind !== 'page') return;
    read.ids.push(...item.page.records.map(({ eventId }) => eventId));
    read.cursors.push(item.page.follow.text);
  };
  void (async () => {
    try {
      for await (const items of stream) items.forEach(take);
      read.state = 'ended';
    } catch (error) {
      read.state = error instanceof ApiError ? error.code : 'aborted';
    }
  })();
  return read;
}

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => idAt(from + index));

describe('The embedded control plane in memory', () => {
  it('answers queries and streams, continues at the same record, and closes after five minutes', async () => {
    const c = connect({ heartbeatSeconds: 60 });
    c.server.append(3);
    const { signal } = new AbortController();
    const page = await c.client.queryLogs(
      { filters: always, limit: 2 },
      { signal, priority: 'person' },
    );
    assert.deepEqual(
      page.records.map(({ eventId }) => eventId),
      ids(1, 3).reverse(),
    );
    assert.equal(c.server.positionOf(page.follow?.text), 3);
    const read = await follow(c, page.follow?.text);
    c.server.append(2);
    await c.clock.advance(299_000);
    assert.deepEqual([read.ids, read.heartbeats, read.state], [ids(3, 5), 4, 'open']);
    assert.equal(c.server.liveTimers, 1);
    await c.clock.advance(1000);
    assert.equal(read.state, 'ended');
    assert.deepEqual([c.server.open.length, c.server.mostOpen, c.clock.liveTimers], [0, 1, 0]);
    assert.deepEqual(
      c.server.connects.map(({ request }) => request.cursor),
      [page.follow?.text],
    );
    assert.lengthOf(c.server.queries, 1);
    assert.deepEqual(c.server.admin.reports(), []);
  });

  it('answers only at its base URL including the path, and no aborted requests', async () => {
    const url = 'https://shared.example/team';
    const server = inMemoryControlPlane({ clock: fakeClock(start), url });
    const headers = {
      authorization: `Bearer ${server.key}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ filters: always });
    const ask = (at: string, signal: AbortSignal | null = null): Promise<number | string> =>
      server
        .fetch(new Request(`${at}/v1/api/logs/query`, { method: 'POST', headers, body, signal }))
        .then(({ status }) => status)
        .catch((error: unknown) => String(error));
    assert.equal(await ask(server.url), 200);
    assert.equal(await ask('https://shared.example'), 'TypeError: fetch failed');
    assert.equal(await ask('https://shared.example/teams'), 'TypeError: fetch failed');
    const controller = new AbortController();
    const givenUp = ask(url, controller.signal);
    controller.abort('enough');
    assert.equal(await givenUp, 'enough');
    await settle();
    assert.lengthOf(server.admin.requests(), 1);
  });

  it('ends a request with the client, at any stage', async () => {
    const c = connect();
    const read = await follow(c);
    read.stop();
    await c.clock.advance(0);
    assert.deepEqual([read.state, c.server.open.length, c.clock.liveTimers], ['aborted', 0, 0]);
    const controller = new AbortController();
    c.server.on.query = () => new Promise(() => undefined);
    const waiting = c.client
      .queryLogs({ filters: always }, { signal: controller.signal, priority: 'person' })
      .catch((error: unknown) => error);
    await c.clock.advance(1000);
    controller.abort(new Error('enough'));
    assert.propertyVal(await waiting, 'message', 'enough');
    assert.equal(c.clock.liveTimers, 0);
    assert.isTrue(c.server.admin.requests().every(({ isOver }) => isOver));
  });

  it('controls open streams, after the records so far', async () => {
    const c = connect();
    const start = async (): Promise<Read> => {
      const read = await follow(c);
      c.server.append(1);
      return read;
    };
    const outcome = async (read: Read): Promise<string> => {
      await c.clock.advance(0);
      return `${read.ids.length} ${read.state}`;
    };
    let read = await start();
    c.server.open[0]?.end();
    assert.equal(await outcome(read), '1 ended');
    read = await start();
    c.server.open[0]?.fail(429);
    assert.equal(await outcome(read), '1 rate_limited');
    read = await start();
    c.server.open[0]?.cut();
    assert.equal(await outcome(read), '1 reset');
    read = await start();
    c.server.open[0]?.cut(10);
    assert.equal(await outcome(read), '0 reset');
    read = await start();
    c.server.open[0]?.reset();
    assert.equal(await outcome(read), '0 reset');

    read = await follow(c);
    const [stream] = c.server.open;
    stream?.hold();
    c.server.append(1);
    stream?.send(': one\n\n', stream.page(1, 3), event('news', '{}'));
    assert.equal(await outcome(read), '2 open');
    assert.equal(c.server.positionOf(read.cursors[0]), 3);
    stream?.release();
    assert.equal(await outcome(read), '3 open');
    assert.isTrue(stream?.isOpen);
    read.stop();
  });

  it('sends in pieces of any size, and no further than a reader and its buffers read', async () => {
    const c = connect({ chunk: () => 7 });
    const { follow: began } = await c.client.queryLogs(
      { filters: always },
      { signal: AbortSignal.timeout(1000), priority: 'person' },
    );
    c.server.append(10);
    const read = await follow(c, began?.text);
    await c.clock.advance(0);
    assert.deepEqual(read.ids, ids(0, 10));
    read.stop();
    c.server.append(20_000);
    const unread = await c.server.fetch(
      new Request(`${c.server.url}/v1/api/logs/tail`, {
        method: 'POST',
        headers: { authorization: `Bearer ${c.server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ filters: always, cursor: began?.text }),
      }),
    );
    await c.clock.advance(0);
    assert.isAtMost(c.server.admin.sent().count, 10 + 500);
    await unread.body?.cancel();
    assert.lengthOf(c.server.open, 0);
  });

  it('supports the faults of every control plane, on the injected clock', async () => {
    const c = connect();
    const { admin } = c.server;
    const { signal } = new AbortController();
    const query = (): Promise<unknown> =>
      c.clock
        .run(
          c.client.queryLogs({ filters: always }, { signal, priority: 'person', retries: false }),
        )
        .then(() => 'good')
        .catch((error: unknown) => (error instanceof ApiError ? error.code : error));
    for (const [fault, outcome] of [
      [{ kind: 'latency', latencyMs: 19_000 }, 'good'],
      [{ kind: 'latency', latencyMs: 21_000 }, 'timeout'],
      [{ kind: 'stall' }, 'timeout'],
      [{ kind: 'stall', afterBytes: 10 }, 'timeout'],
      [{ kind: 'reset' }, 'reset'],
      [{ kind: 'reset', afterBytes: 10 }, 'reset'],
      [{ kind: 'cut' }, 'reset'],
      [{ kind: 'cut', afterBytes: 10 }, 'reset'],
      [{ kind: 'end', afterBytes: 10 }, 'notJson'],
      [{ kind: 'end' }, 'emptyAnswer'],
      [{ kind: 'trickle', bytes: 1000, ms: 1000 }, 'good'],
      [{ kind: 'trickle', bytes: 1, ms: 19_000 }, 'timeout'],
      [{ kind: 'noContent' }, 'emptyAnswer'],
      [{ kind: 'html' }, 'notJson'],
      [{ kind: 'redirect', location: 'https://elsewhere.example' }, 'redirect'],
      [{ kind: 'status', status: 503 }, 'unavailable'],
    ] as const) {
      admin.fault(fault);
      assert.equal(await query(), outcome, JSON.stringify(fault));
    }
    assert.equal(await query(), 'good');
    const read = await follow(c);
    const back = admin.restart(5000);
    await c.clock.advance(4000);
    assert.deepEqual([read.state, await query()], ['reset', 'refused']);
    await c.clock.run(back);
    assert.equal(await query(), 'good');
    c.server.unreachable = 'ENOTFOUND';
    assert.equal(await query(), 'dns');
    assert.equal(c.clock.liveTimers, 0);
  });

  it('calls the hooks of a test for each log request', async () => {
    const c = connect();
    c.server.append(3);
    const { signal } = new AbortController();
    const query = (): ReturnType<ControlPlaneClient['queryLogs']> =>
      c.client.queryLogs({ filters: always }, { signal, priority: 'person', retries: false });
    c.server.on.page = (page) => ({ ...page, partial: true });
    assert.isTrue((await query()).partial);
    c.server.on.query = () => {
      throw new Failure(403, 'No.', 'not_you');
    };
    assert.propertyVal(await query().catch((error: unknown) => error), 'code', 'not_you');
    c.server.on.query = () => {
      throw new NoAnswer();
    };
    assert.propertyVal(await query().catch((error: unknown) => error), 'code', 'reset');
    c.server.on.connect = () => void c.server.append(1);
    c.server.on.open = (stream) => stream.end();
    const read = await follow(c, c.server.cursor(2, always));
    await c.clock.advance(0);
    assert.deepEqual([read.ids, read.state], [ids(2, 4), 'ended']);
  });
});
