import { assert } from 'chai';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { JsonReader, listingLimits } from '../../../src/api/jsonReader';
import { isObject, parseJson } from '../../../src/base/json';
import { covers } from '../covers';
import { isLinear } from '../linear';

/** Reads a text in pieces of a length, and parses it in steps of one. */
function read(text: string, length = 64 * 1024, limits = listingLimits, step?: number): unknown {
  const reader = new JsonReader(limits, step);
  for (let at = 0; at < text.length; at += length) {
    const limit = reader.read(text.slice(at, at + length));
    if (limit !== undefined) return `too much: ${limit}`;
  }
  return reader.end();
}

/** What is read at once. */
function expected(text: string): unknown {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JsonReader', () => {
  it('reads what a parser reads at once, in pieces of any length', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('"', '\\', '],', '{'),
    );
    const member = fc.oneof(fc.jsonValue(), text, fc.array(fc.oneof(fc.jsonValue(), text)));
    const object = fc.dictionary(fc.oneof(text, fc.constant('__proto__')), member);
    fc.assert(
      fc.property(
        object,
        fc.integer({ min: 1, max: 20 }),
        fc.nat({ max: 2 }),
        fc.constantFrom(1, 8, 1000),
        (value, length, indent, step) => {
          const json = JSON.stringify(value, null, indent);
          assert.deepEqual(read(json, length, listingLimits, step), expected(json));
        },
      ),
    );
  });

  it('refuses what a parser refuses, wherever it is wrong', () => {
    const whole = '{"a":[1,{"b":["]"]},[]],"c":"\\\\","d":{"e":[0,{}]},"f":[],"g":[ ],"h":0}';
    const signs = ['', ',', '[', ']', '{', '}', '"', ':', '0', '\\', ' ', 'x'];
    for (let at = 0; at <= whole.length; at++) {
      for (const sign of signs) {
        for (const end of [at, at + 1]) {
          const json = whole.slice(0, at) + sign + whole.slice(end);
          for (const [length, step] of [
            [1, 1],
            [7, 100],
            [100, 1],
            [100, 10],
          ])
            assert.deepEqual(read(json, length, listingLimits, step), expected(json), json);
        }
      }
    }
    for (const json of [
      '',
      ' ',
      '[]',
      '[[1],2]',
      '{}{}',
      '{},',
      'null',
      '{"a":[1,]}',
      '{"a":[,1]}',
      '{"a":[[1,2][3]]}',
      '{"a":[[1,2]\u00a0,3]}',
      '{"a":{"b":1,"c":2]}',
    ]) {
      assert.isUndefined(expected(json));
      for (const step of [1, 100]) assert.isUndefined(read(json, 100, listingLimits, step), json);
    }
    const long = Array.from({ length: 30_000 }, (_, at) => at).join();
    assert.isUndefined(read(`{"a":[${long},]}`), 'where a part of it was parsed already');
    assert.isUndefined(read(`{"a":[${long},x,${long}]}`));
    assert.isUndefined(read(`{"a":[${long}},"b":1]`));
  });

  it(`refuses more than its limits before it parses that ${covers('F108', 'unit')}`, () => {
    const most = { text: 200, items: 10, values: 30, valuesAtOnce: 15, members: 5 };
    const list = (count: number, item = '{}'): string => Array(count).fill(item).join();
    for (const [json, limit] of [
      [`{"a":[${list(10)}]}`, undefined],
      [`{"a":[${list(11)}]}`, 'items'],
      [`{"a":[${list(6)}],"b":[${list(5)}]}`, 'items'],
      [`{"a":[${list(3, '[0,0,0,0,0,0,0,0,0,0]')}]}`, 'values'],
      [`{"a":[${nested(16)}]}`, 'valuesAtOnce'],
      [`{"a":${nested(40)}}`, 'values'],
      [`{"a":{"b":[${list(15, '0')}]}}`, 'valuesAtOnce'],
      [`{"a":[{"b":0,"c":0,"d":0,"e":0,"f":0}]}`, undefined],
      [`{"a":[{"b":0,"c":0,"d":0,"e":0,"f":0,"g":0}]}`, 'members'],
      [`{"a":"${'[{,'.repeat(60)}"}`, undefined],
      [`{"a":"${'x'.repeat(200)}"}`, 'text'],
    ] as const) {
      const result = read(json, 100, most, 20);
      if (limit === undefined) assert.deepEqual(result, JSON.parse(json));
      else assert.equal(result, `too much: ${limit}`, json);
    }
    const items = (count: number): string => `{"a":[${'{},'.repeat(count - 1)}{}]}`;
    assert.deepEqual(read(items(100_000)), JSON.parse(items(100_000)));
    assert.equal(read(items(100_001)), 'too much: items');
  });

  it(`parses in steps, whatever is in what ${covers('F108', 'unit')}`, () => {
    const member = (of: string): string => `"${of}":{"a":[{"b":"${'x'.repeat(400)}"}]}`;
    const members = Array.from({ length: 2000 }, (_, at) => member(`\\"${at}\\\\`)).join();
    const longest = (text: string): number => {
      let most = 0;
      const { parse } = JSON;
      JSON.parse = (part: string): unknown => {
        most = Math.max(most, part.length);
        return parse(part) as unknown;
      };
      try {
        assert.isTrue(isDeepStrictEqual(read(text), parse(text)));
      } finally {
        JSON.parse = parse;
      }
      return most;
    };
    for (const text of [`{"a":{${members}}}`, `{"a":{"b":{"c":[{${members}}]}},"d":0}`]) {
      assert.isBelow(longest(text), 66 * 1024);
    }
  });

  it(`takes linear time for any text ${covers('F108', 'unit')}`, () => {
    for (const unit of ['{},', '"\\\\\\"",', '"",', '"a', '[1],', '{"a":"b"},', ' ', '\\', '0']) {
      isLinear(
        100_000,
        (size) => `{"a":[${unit.repeat(size / unit.length)}`,
        (json) =>
          void read(json, undefined, {
            ...{ text: 1e9, items: 1e9, values: 1e9, valuesAtOnce: 1e9, members: 1e9 },
          }),
        unit,
      );
    }
  });
});
