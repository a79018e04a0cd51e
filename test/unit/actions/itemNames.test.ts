import { assert } from 'chai';
import { parseItemNames, readItemNames } from '../../../src/actions/itemNames';
import { covers } from '../covers';

function count(number: number): string[] {
  return Array.from({ length: number }, (_, index) => `item-${index}`);
}

describe('item names', () => {
  it('are separated by line breaks or commas, trimmed, without duplicates, in order', () => {
    const { names, problem } = parseItemNames(' old-api, tmp \r\n\nold-api\n,\tcache ,\u2028edge');
    assert.deepEqual(names, ['old-api', 'tmp', 'cache', 'edge']);
    assert.isUndefined(problem);
  });

  it(`are 1 to 100 ${covers('F41', 'unit')}`, () => {
    assert.deepEqual(parseItemNames(' , \n').problem, { kind: 'none' });
    assert.isUndefined(parseItemNames('one').problem);
    assert.isUndefined(parseItemNames(count(100).join()).problem);
    assert.deepEqual(parseItemNames(count(101).join('\n')).problem, {
      kind: 'tooMany',
      count: 101,
      limit: { message: 'at most {0} items', args: [100] },
    });
    assert.isUndefined(
      parseItemNames([...count(100), 'item-3'].join()).problem,
      'without duplicates',
    );
  });

  it('can contain markup and control characters, but only complete characters', () => {
    const odd = '[x](command:go) <b> $(bug) \u001b[31m \u202e';
    assert.deepEqual(parseItemNames(odd), { names: [odd], problem: undefined });
    assert.deepEqual(parseItemNames('fine\n\ud83d').problem, {
      kind: 'malformed',
      place: 2,
      name: '\ud83d',
    });
    assert.isUndefined(parseItemNames('📦').problem);
  });

  it('are one for each item of an argument', () => {
    assert.deepEqual(readItemNames([' a,b ', 'c', 'a,b']), {
      names: ['a,b', 'c'],
      problem: undefined,
    });
    assert.deepEqual(readItemNames(['a', 7]).problem, { kind: 'notText', place: 2 });
    for (const value of [undefined, null, 'a', { length: 1 }, []]) {
      assert.deepEqual(readItemNames(value), { names: [], problem: { kind: 'none' } });
    }
    assert.equal(readItemNames(count(101)).problem?.kind, 'tooMany');
  });
});
