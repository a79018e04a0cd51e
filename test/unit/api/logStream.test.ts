import { getEventListeners } from 'node:events';
import { assert } from 'chai';
import * as fc from 'fast-check';
import { ApiError } from '../../../src/api/errors';
import { type LogStream, type LogStreamItem, EventParser } from '../../../src/api/logStream';
import { scaled } from '../../host/slowness';
import { covers } from '../covers';
import { isLong, shortOrLong } from '../long';
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
import { records, encoder, parse, summary } from './streamText';

const headers = { 'content-type': 'text/event-stream; charset=utf-8' };

function stream(pieces: readonly string[], end?: 'close' | 'stall' | Error): Handler {
  return () => new Response(bodyOf(pieces, end), { headers });
}

function open({ client, asked }: Harness): Promise<LogStream> {
  return client.openLogStream({ filters }, asked);
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

/** The connection is closed, and nothing waits for the signal any more. */
function assertClosed({ received, signal }: Harness): void {
  assert.isTrue(received[0]?.request.signal.aborted);
  assert.lengthOf(getEventListeners(signal, 'abort'), 0);
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
    assertClosed(server);
  });

  it(`yields the items before the connection breaks ${covers('F16', 'unit')}`, async () => {
    const reset = Object.assign(new TypeError('terminated'), { code: 'UND_ERR_SOCKET' });
    const server = harness(stream([records('c1'), records('c2').slice(0, -1)], reset));
    const { chunks, error } = await read(await open(server));
    assert.deepEqual(chunks, [['c1'], []]);
    assert.instanceOf(error, ApiError);
    assert.deepInclude(error, { kind: 'network', code: 'reset', cause: reset });
    assertClosed(server);
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
      assertClosed(server);
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

  const typed = (type: string): Handler => {
    return () => new Response('', { headers: { 'content-type': type } });
  };
  const noStream: [string, Handler, string][] = [
    ['HTML', typed('text/html'), 'notEventStream'],
    ['bytes of no type', () => new Response(bodyOf([])), 'notEventStream'],
    ['a type with the same start', typed('text/event-streams'), 'notEventStream'],
    ['a type with the same end', typed('x-text/event-stream'), 'notEventStream'],
    ['204', () => new Response(null, { status: 204, headers }), 'emptyAnswer'],
    ['no body', () => new Response(null, { headers }), 'emptyAnswer'],
  ];
  for (const [what, handler, code] of noStream) {
    it(`fails at ${what} ${covers('F12', 'unit')}`, async () => {
      const server = harness(handler);
      const error = await failure(open(server));
      assert.instanceOf(error, ApiError);
      assert.deepInclude(error, { kind: 'protocol', code });
      assertClosed(server);
    });
  }

  it('has a type in upper or lower case, with or without parameters', async () => {
    for (const type of ['Text/Event-Stream', 'text/event-stream ; charset=utf-8']) {
      const { error } = await read(await open(harness(typed(type))));
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

  it(`has no time-out when it is open, and ends with its signal or the client ${covers('F15, F63', 'unit')}`, async () => {
    for (const whose of ['signal', 'client'] as const) {
      const life = new AbortController();
      const server = harness(stream([': hi\n'], 'stall'), { lifetime: life.signal });
      const reading = read(await open(server));
      await server.clock.advance(10 * 60_000);
      assert.strictEqual(server.clock.liveTimers, 0);
      const reason = new Error(whose);
      (whose === 'signal' ? server : life).abort(reason);
      assert.deepEqual(await reading, { chunks: [['heartbeat']], error: reason });
      assertClosed(server);
    }
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
    assertClosed(server);
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

describe('the event parser on a cut stream', () => {
  /** Small, so that it can be cut everywhere, with all features of the format. */
  const small = JSON.stringify({ ...page, followCursor: 'c ü€😀' });
  const stream = [
    `\ufeff: ${'é'.repeat(50)}`,
    'retry: 700',
    'event: records',
    `data:${small.replace(',', ',\ndata: ')}`,
    'id: 7',
    '',
    'event: ping',
    'data',
    '',
    'event: records',
    `data: ${small}`,
    '',
    'event: records',
    'data: {"half',
  ].join('\n');
  const expected = 'heartbeat, retry 700, c ü€😀, heartbeat, c ü€😀';
  /** How long the middle one of three pieces is, at most, in bytes. */
  const longestMiddle = shortOrLong(4, Infinity);
  /** How many random streams there are. The first quarter is cut, too. */
  const randomStreams = shortOrLong(40_000, 1_000_000);

  it(`returns the same for UTF-8 cut at every byte ${covers('F1', 'unit')}`, () => {
    const bytes = encoder.encode(stream);
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.strictEqual(summary(parse(bytes.subarray(0, cut), bytes.subarray(cut))), expected);
    }
    assert.strictEqual(
      summary(parse(...Array.from(bytes, (byte) => Uint8Array.of(byte)))),
      expected,
    );
  });

  it(`removes one byte order mark, whole or cut, and no other ${covers('F2', 'unit')}`, () => {
    const bytes = encoder.encode(`\ufeff${records('c1')}`);
    for (const cut of [0, 1, 2, 3]) {
      assert.strictEqual(summary(parse(bytes.subarray(0, cut), bytes.subarray(cut))), 'c1');
    }
    const twice = encoder.encode(`\ufeff\ufeff${records('c1')}${records('c2')}`);
    assert.strictEqual(
      summary(parse(twice)),
      'heartbeat, c2',
      'an unknown field, then data without an event',
    );
  });

  for (const [name, lineEnd] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`returns the same for ${name} cut in two and in three everywhere ${covers('F3', 'unit')}`, function () {
      this.timeout(scaled(60_000));
      const bytes = encoder.encode(stream.replaceAll('\n', lineEnd));
      let splits = 0;
      for (let first = 0; first <= bytes.length; first++) {
        const start = bytes.subarray(0, first);
        const last = Math.min(bytes.length, first + longestMiddle);
        for (let second = first; second <= last; second++) {
          const parser = new EventParser('');
          // The pieces complete different items, but all of them in the same order.
          const items = [
            ...parser.push(start),
            ...parser.push(bytes.subarray(first, second)),
            ...parser.push(bytes.subarray(second)),
          ];
          if (summary({ items, failure: parser.failure?.code }) !== expected) {
            assert.fail(`cut at ${first} and ${second}`);
          }
          splits++;
        }
      }
      assert.isAtLeast(splits, isLong ? 133_400 : bytes.length * longestMiddle);
    });
  }

  it(`returns an event when its empty line ends with a carriage return ${covers('F3', 'unit')}`, () => {
    const text = records('c1').replaceAll('\n', '\r');
    const parser = new EventParser('');
    assert.lengthOf(parser.push(encoder.encode(text)), 1);
    assert.lengthOf(parser.push(encoder.encode('\n')), 0);
    assert.lengthOf(parser.push(encoder.encode(text)), 1);
  });

  it(`never throws for random streams, and returns the same for cut ones ${covers('F3', 'unit')}`, function () {
    this.timeout(scaled(120_000));
    const parts = [
      ...['data:', 'data: ', 'event: records', 'event:error', 'retry: 9', 'id:', ':'],
      ...['{', '}', '"', 'x', '\n', '\n', '\n\n', '\r', '\r\n', '\r\n\r\n'],
      ...['\ufeff', 'ü', '😀', '\0', ' ', '{"error":{}}'],
      JSON.stringify(page),
      records('c1'),
    ].map((part) => encoder.encode(part));
    parts.push(Uint8Array.of(0xff), Uint8Array.of(0xf0, 0x9f), Uint8Array.of(0xef, 0xbb));
    let state = 20_261_120;
    const below = (bound: number): number => {
      // A linear congruential generator: fast, seeded, and good enough to choose with.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * bound);
    };
    const buffer = new Uint8Array(4096);
    let [whole, cut] = [new EventParser(''), new EventParser('')];
    let pages = 0;
    let failures = 0;
    // A parser continues with the next stream if it has not failed, so that streams start in any state.
    for (let run = 0; run < randomStreams; run++) {
      let length = 0;
      for (let count = 1 + below(8); count > 0; count--) {
        const part = parts[below(parts.length)]!;
        buffer.set(part, length);
        length += part.length;
      }
      const items = whole.push(buffer.subarray(0, length));
      pages += items.filter(({ kind }) => kind === 'page').length;
      if (run < randomStreams / 4) {
        const place = below(length + 1);
        const start = cut.push(buffer.subarray(0, place));
        const both = [...start, ...cut.push(buffer.subarray(place, length))];
        const same = items.every(({ kind }, index) => kind === both[index]?.kind);
        if (!same || items.length !== both.length) assert.fail(`run ${run}: other items`);
        if (whole.failure?.code !== cut.failure?.code) assert.fail(`run ${run}: another failure`);
      }
      if (whole.failure === undefined) continue;
      failures++;
      [whole, cut] = [new EventParser(''), new EventParser('')];
    }
    assert.isAbove(pages, randomStreams / 100, 'some of them are valid');
    assert.isAbove(failures, randomStreams / 1000, 'some are not');
  });

  it('never throws for any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 4 }), (pieces) => {
        parse(...pieces);
      }),
    );
  });
});
