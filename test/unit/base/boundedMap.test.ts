import assert from 'node:assert/strict';
import { BoundedMap } from '../../../src/base/boundedMap';

describe('BoundedMap', () => {
  it('forgets the oldest alone when there is one too many', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    assert.deepEqual(
      [...map],
      [
        ['b', 2],
        ['c', 3],
      ],
    );
  });

  it('keeps a key that is set again, as the newest', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    assert.deepEqual(
      [...map],
      [
        ['a', 3],
        ['c', 4],
      ],
    );
  });

  it('has room for as many as it may keep after some were deleted, and after all were', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
    assert.equal(map.delete('none'), false);
    assert.equal(map.delete('a'), true);
    assert.deepEqual([...map.set('c', 3).keys()], ['b', 'c']);
    map.clear();
    assert.deepEqual([...map.set('d', 4).set('e', 5).keys()], ['d', 'e']);
  });

  it('forgets as many as weigh too much, and keeps the newest whatever it weighs', () => {
    const map = new BoundedMap<string, number>(4, (key) => key.length).set('a', 1).set('bb', 2);
    assert.deepEqual([...map.set('cc', 3).keys()], ['bb', 'cc']);
    assert.deepEqual([...map.set('dddddd', 4).keys()], ['dddddd']);
    assert.deepEqual([...map.set('e', 5).keys()], ['e']);
  });

  it('knows a key without a value', () => {
    const map = new BoundedMap<string, undefined>(1).set('a', undefined);
    assert.ok(map.has('a'));
  });
});
