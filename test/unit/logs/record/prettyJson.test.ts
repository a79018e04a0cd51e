import { assert } from 'chai';
import fc from 'fast-check';
import { prettyJson } from '../../../../src/logs/record/prettyJson';
import { covers } from '../../covers';

describe('A body that would be a book', () => {
  it(`ends after the readable length ${covers('F76', 'unit')}`, () => {
    for (const body of [
      `[${'1,'.repeat(100_000)}1]`,
      `${'['.repeat(50)}${'0,'.repeat(100_000)}0${']'.repeat(50)}`,
      `[${'{"a":[]},'.repeat(25_000)}1]`,
    ]) {
      const json = prettyJson(body) ?? assert.fail('It is JSON.');
      assert.isAtMost(json.length, 410_000);
      assert.isTrue(json.endsWith('\n…'));
    }
  });
});

describe('A body that is JSON', () => {
  it('has a line for each member', () => {
    assert.strictEqual(
      prettyJson('{"a":1,"b":[true,{"c":"x, {y}"}],"d":{},"e":[ ]}'),
      [
        '{',
        '  "a": 1,',
        '  "b": [',
        '    true,',
        '    {',
        '      "c": "x, {y}"',
        '    }',
        '  ],',
        '  "d": {},',
        '  "e": []',
        '}',
      ].join('\n'),
    );
  });

  it('is the one that JSON.stringify would make, for any value', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
        (value) => {
          const text = JSON.stringify(value);
          assert.strictEqual(prettyJson(text), JSON.stringify(JSON.parse(text), null, 2));
        },
      ),
    );
  });

  it(`keeps numbers, escapes and members as they were written ${covers('F59', 'unit')}`, () => {
    const pretty = prettyJson('{"id":12345678901234567890,"id":1.0,"__proto__":"\\u00e9\\/"}');
    assert.strictEqual(
      pretty,
      '{\n  "id": 12345678901234567890,\n  "id": 1.0,\n  "__proto__": "\\u00e9\\/"\n}',
    );
  });

  it(`is harmless at any depth, and at any length ${covers('F59', 'unit')}`, () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const pretty = prettyJson(deep);
    if (pretty !== undefined) {
      assert.isBelow(pretty.length, 2 * deep.length);
      assert.strictEqual(pretty.replace(/\s/g, ''), deep);
    }
    assert.isUndefined(prettyJson(`[${'1,'.repeat(150_000)}1]`));
  });

  it('is an object or an array, and whole', () => {
    const none = ['', '1', '"x"', 'null', '{', '{"a":1} more', '[1,]', 'plain [text]', "{'a':1}"];
    for (const body of none) {
      assert.isUndefined(prettyJson(body), body);
    }
    assert.strictEqual(prettyJson(' [1]\n'), '[\n  1\n]');
  });
});
