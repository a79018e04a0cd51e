import { assert } from 'chai';
import { oneAtATime } from '../../../src/actions/sendAction';

describe('what somebody clicks twice', () => {
  it('is done once, and again only once it is over', async () => {
    const once = oneAtATime<number>();
    const ends: ((value: number) => void)[] = [];
    const act = () => new Promise<number>((resolve) => ends.push(resolve));
    const both = [once('shop', act), once('shop', act)];
    const other = once('store', act);
    assert.lengthOf(ends, 2);
    ends[0]?.(1);
    ends[1]?.(2);
    assert.deepEqual(await Promise.all([...both, other]), [1, 1, 2]);
    void once('shop', act);
    assert.lengthOf(ends, 3);
  });

  it('can be tried again if it fails', async () => {
    const once = oneAtATime<number>();
    const failing = once('shop', () => Promise.reject(new Error('no')));
    assert.equal(await failing.catch((error: unknown) => String(error)), 'Error: no');
    assert.equal(await once('shop', () => Promise.resolve(7)), 7);
  });
});
