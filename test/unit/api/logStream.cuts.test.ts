import { assert } from 'chai';
import * as fc from 'fast-check';
import { EventParser } from '../../../src/api/logStream';
import { scaled } from '../../host/slowness';
import { covers } from '../covers';
import { isLong, shortOrLong } from '../long';
import { page } from './cannedAnswers';
import { encoder, parse, records, summary } from './streamText';

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

describe('the event parser on a cut stream', () => {
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
