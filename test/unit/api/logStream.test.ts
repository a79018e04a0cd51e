import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { ApiError } from '../../../src/api/errors';
import type { LogStream, LogStreamItem } from '../../../src/api/logStream';
import { covers } from '../covers';
import {
  bodyOf,
  canary,
  failure,
  filters,
  harness,
  page,
  silent,
  type Handler,
  type Harness,
} from './cannedAnswers';
import { records } from './streamText';

const headers = { 'content-type': 'text/event-stream; charset=utf-8' };

function stream(pieces: readonly string[], end?: 'close' | 'stall' | Error): Handler {
  return () => new Response(bodyOf(pieces, end), { headers });
}

function open({ client, signal }: Harness): Promise<LogStream> {
  return client.openLogStream({ filters }, { signal, priority: 'person' });
}

/** The items, in a list for each chunk, and the error at the end. */
async function read(opened: LogStream): Promise<{ chunks: string[][]; error: unknown }> {
  const chunks: string[][] = [];
  try {
    for await (const items of opened) chunks.push(items.map(nameOf));
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

function nameOf(item: LogStreamItem): string {
  return item.kind === 'page' ? item.page.follow.text : item.kind;
}

describe('the log stream', () => {
  it(`yields the items of each chunk when it arrives, until the server closes it ${covers('F14', 'unit')}`, async () => {
    const half = records('c2');
    const server = harness(
      stream([': hi\n\n', records('c1') + half.slice(0, 40), half.slice(40), 'event: rec']),
    );
    const { chunks, error } = await read(await open(server));
    assert.deepEqual(chunks, [['heartbeat'], ['c1'], ['c2'], []]);
    assert.isUndefined(error);
    assert.lengthOf(getEventListeners(server.signal, 'abort'), 0);
  });

  it(`yields the items before the connection breaks ${covers('F16', 'unit')}`, async () => {
    const reset = Object.assign(new TypeError('terminated'), { code: 'UND_ERR_SOCKET' });
    const server = harness(stream([records('c1'), records('c2').slice(0, -1)], reset));
    const { chunks, error } = await read(await open(server));
    assert.deepEqual(chunks, [['c1'], []]);
    assert.instanceOf(error, ApiError);
    assert.deepInclude(error, { kind: 'network', code: 'reset', cause: reset });
    assert.lengthOf(getEventListeners(server.signal, 'abort'), 0);
  });

  it(`yields the items before an invalid or error event ${covers('F10, F25', 'unit')}`, async () => {
    const table: [string, object][] = [
      ['event: records\ndata: {\n\n', { kind: 'protocol', code: 'notJson' }],
      [
        'event: error\ndata: {"error":{"code":"forbidden","message":"m","requestId":"r"}}\n\n',
        { kind: 'http', status: 403, requestId: 'r' },
      ],
    ];
    for (const [fault, expected] of table) {
      const server = harness(
        stream([records('c1'), records('c2') + fault + records('c3'), records('c4')], 'stall'),
      );
      const { chunks, error } = await read(await open(server));
      assert.deepEqual(chunks, [['c1'], ['c2']]);
      assert.instanceOf(error, ApiError);
      assert.deepInclude(error, expected);
      assert.isTrue(server.received[0]?.request.signal.aborted, 'the connection is closed');
      assert.lengthOf(getEventListeners(server.signal, 'abort'), 0);
    }
  });

  it(`removes the key from error messages of the server ${covers('F50', 'unit')}`, async () => {
    const server = harness(
      stream([`event: error\ndata: {"error":{"code":"c","message":"Bearer ${canary}"}}\n\n`]),
    );
    const { error } = await read(await open(server));
    assert.instanceOf(error, ApiError);
    assert.strictEqual(error.message, 'Bearer ***');
  });

  const noStream: [string, Handler, string][] = [
    [
      'HTML',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'notEventStream',
    ],
    ['JSON', () => Response.json(page), 'notEventStream'],
    ['bytes of no type', () => new Response(bodyOf([])), 'notEventStream'],
    ['an empty text', () => new Response(''), 'notEventStream'],
    [
      'a type with the same start',
      () => new Response('', { headers: { 'content-type': 'text/event-streams' } }),
      'notEventStream',
    ],
    [
      'a type with the same end',
      () => new Response('', { headers: { 'content-type': 'x-text/event-stream' } }),
      'notEventStream',
    ],
    ['204', () => new Response(null, { status: 204, headers }), 'emptyAnswer'],
    ['no body', () => new Response(null, { headers }), 'emptyAnswer'],
  ];
  for (const [what, handler, code] of noStream) {
    it(`fails at ${what} ${covers('F12', 'unit')}`, async () => {
      const server = harness(handler);
      const error = await failure(open(server));
      assert.instanceOf(error, ApiError);
      assert.deepInclude(error, { kind: 'protocol', code });
      assert.isTrue(server.received[0]?.request.signal.aborted);
      assert.lengthOf(getEventListeners(server.signal, 'abort'), 0);
    });
  }

  it('has a type in upper or lower case, with or without parameters', async () => {
    for (const type of ['Text/Event-Stream', 'text/event-stream ; charset=utf-8']) {
      const server = harness(() => new Response('', { headers: { 'content-type': type } }));
      const { error } = await read(await open(server));
      assert.isUndefined(error);
    }
  });

  it(`is empty if the server closes it at once ${covers('F12', 'unit')}`, async () => {
    const { chunks, error } = await read(await open(harness(stream([]))));
    assert.deepEqual([chunks, error], [[], undefined]);
  });

  it('is opened with one try, within the time-out', async () => {
    const server = harness(silent);
    const error = await server.clock.run(failure(open(server)));
    assert.deepInclude(error, { kind: 'timeout' });
    assert.lengthOf(server.received, 1);
  });

  it(`has no time-out when it is open, because the tail detects silence ${covers('F15', 'unit')}`, async () => {
    const server = harness(stream([': hi\n'], 'stall'));
    const opened = await open(server);
    const reading = read(opened);
    await server.clock.advance(10 * 60_000);
    assert.strictEqual(server.clock.liveTimers, 0);
    const reason = new Error('stopped');
    server.abort(reason);
    assert.deepEqual(await reading, { chunks: [['heartbeat']], error: reason });
    assert.isTrue(server.received[0]?.request.signal.aborted);
    assert.lengthOf(getEventListeners(server.signal, 'abort'), 0);
  });

  it(`ends with the reason of an abort while a chunk is being handled ${covers('F34', 'unit')}`, async () => {
    const server = harness(stream([records('c1'), records('c2')]));
    const reason = new Error('stopped');
    const seen: string[] = [];
    const end = failure(
      (async () => {
        for await (const items of await open(server)) {
          seen.push(...items.map(nameOf));
          server.abort(reason);
        }
      })(),
    );
    assert.strictEqual(await end, reason);
    assert.deepEqual(seen, ['c1']);
  });

  it(`closes the connection when the loop is left ${covers('F34', 'unit')}`, async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(': hi\n')),
      cancel: () => void (cancelled = true),
    });
    const server = harness(() => new Response(body, { headers }));
    for await (const items of await open(server)) {
      assert.lengthOf(items, 1);
      break;
    }
    assert.isTrue(cancelled);
    assert.isTrue(server.received[0]?.request.signal.aborted);
    assert.lengthOf(getEventListeners(server.signal, 'abort'), 0);
  });

  it('is reported to the diagnostics when it is open', async () => {
    const server = harness(stream([records('c1')], 'stall'));
    await open(server);
    assert.deepInclude(server.entries[0], {
      method: 'POST',
      path: '/v1/api/logs/tail',
      status: 200,
      failure: undefined,
    });
    assert.lengthOf(server.entries, 1);
    server.abort();
  });
});
