import { assert } from 'chai';
import { Find } from '../../../../media/logExplorer/find';
import { RowStore } from '../../../../media/logExplorer/lines';
import type { LogRow } from '../../../../src/logs/explorer/protocol/view';
import { message, rows } from './rows';

const texts = ({ body, workload, time }: LogRow): string[] => [body, workload, time];

describe('find', () => {
  const bodies = ['Timeout of db', 'all well', 'timeout', 'a.b', 'axb', 'TIMEOUT again', 'c+d'];

  function find(): { store: RowStore; find: Find } {
    const store = new RowStore();
    const of = bodies.flatMap((body, index) => rows(index, 1, { body }));
    store.change(message('replace', of));
    return { store, find: new Find(store, texts) };
  }

  function seek(find: Find, text: string, matchCase = false): number {
    find.seek({ text, matchCase });
    find.work(() => false);
    assert.isTrue(find.isDone);
    return find.count;
  }

  it('searches the texts of rows, with and without case, as plain text', () => {
    const { find: it } = find();
    assert.equal(seek(it, 'timeout'), 3);
    assert.equal(seek(it, 'timeout', true), 1);
    assert.equal(seek(it, 'timeout'), 3, 'without case again');
    assert.equal(seek(it, 'c+d'), 1);
    assert.equal(seek(it, 'a.b'), 1);
    assert.equal(seek(it, '(['), 0);
    assert.equal(seek(it, 'web-api'), 7, 'the workload too');
    assert.equal(seek(it, '12:00:3'), 1, 'and the time');
    assert.equal(seek(it, ''), 0);
    assert.equal(it.next(0, 1), -1);
  });

  it('goes to the next and the previous match and wraps around', () => {
    const { find: it } = find();
    seek(it, 'timeout');
    assert.deepEqual([it.next(-1, 1), it.next(0, 1), it.next(2, 1), it.next(5, 1)], [0, 2, 5, 0]);
    assert.deepEqual([it.next(-1, -1), it.next(5, -1), it.next(0, -1)], [5, 2, 5]);
    assert.deepEqual([it.rank(0), it.rank(3), it.rank(5)], [1, 2, 3]);
  });

  it('checks only found rows when the text gets longer', () => {
    const { find: it, store } = find();
    seek(it, 'time');
    it.seek({ text: 'timeout a', matchCase: false });
    let asked = 0;
    it.work(() => ++asked > 0);
    assert.deepEqual([it.count, it.isDone], [1, true]);
    assert.equal(asked, 0, 'three rows are less than one piece');
    // Half way through, everything that is left is still looked at.
    store.change(message('replace', rows(0, 2000, { body: 'timeout' })));
    it.update();
    it.work(() => true);
    assert.isFalse(it.isDone);
    assert.equal(seek(it, 'timeout'), 2000);
    assert.equal(seek(it, 'time'), 2000, 'where it shrinks, at all');
  });

  it('adds new rows and removes dropped ones', () => {
    const { store, find: it } = find();
    seek(it, 'timeout');
    store.change(message('older', rows(-2, 2, { body: 'timeout before' })));
    it.update();
    assert.isFalse(it.isDone);
    it.work(() => false);
    assert.equal(it.count, 5);
    store.change(message('newer', rows(7, 2, { body: 'timeout behind' }), { dropped: 1 }));
    it.update();
    assert.equal(it.count, 4, 'one that was found is gone');
    it.work(() => false);
    assert.equal(it.count, 6);
    assert.deepEqual([it.next(-1, 1), it.next(0, 1), it.next(0, -1)], [0, 1, 9]);
    store.change(message('replace', rows(0, 3)));
    it.update();
    it.work(() => false);
    assert.equal(it.count, 0);
  });

  it('searches rows again that look different', () => {
    const { store, find: it } = find();
    seek(it, 'timeout');
    store.change(message('update', rows(0, 1)));
    it.update();
    it.work(() => false);
    assert.equal(it.count, 2);
  });

  it('works in pieces, so that 100,000 rows never block a keystroke', () => {
    const store = new RowStore();
    store.change(message('replace', rows(0, 100_000, { body: 'GET /health 200 '.repeat(16) })));
    const it = new Find(store, texts);
    it.seek({ text: 'HEALTH', matchCase: false });
    let pieces = 0;
    while (!it.isDone) {
      it.work(() => true);
      pieces++;
    }
    assert.equal(it.count, 100_000);
    assert.approximately(pieces, 100_000 / 256, 2);
  });

  it('returns the matches in a text', () => {
    const { find: it } = find();
    seek(it, 'o');
    assert.deepEqual(it.matches('foo'), [
      [1, 2],
      [2, 3],
    ]);
    seek(it, '');
    assert.deepEqual(it.matches('foo'), []);
  });
});
