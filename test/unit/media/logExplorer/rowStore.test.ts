import { assert } from 'chai';
import fc from 'fast-check';
import { createRowStore, createSelection } from '../../../../media/logExplorer/rowStore';
import { message, rows } from './rows';

describe('rows of the page', () => {
  it('are added at both ends and removed at the top', () => {
    const store = createRowStore();
    store.change(message('replace', rows(10, 3)));
    store.change(message('older', rows(8, 2)));
    store.change(message('newer', rows(13, 2), { dropped: 1 }));
    assert.deepEqual(
      store.rows.map(({ key }) => key),
      ['9', '10', '11', '12', '13', '14'],
    );
  });

  it('keep their numbers through every change', () => {
    const change = fc.record({
      older: fc.nat(5),
      newer: fc.nat(5),
      dropped: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const store = createRowStore();
        store.change(message('replace', rows(1000, 5)));
        let [low, high] = [1000, 1005];
        const zero = store.first - low;
        for (const { older, newer, dropped } of changes) {
          store.change(message('older', rows(low - older, older)));
          // One is always left, as it is in the panel.
          const gone = Math.min(dropped, high + newer - (low - older) - 1);
          store.change(message('newer', rows(high, newer), { dropped: gone }));
          [low, high] = [low - older + gone, high + newer];
          assert.equal(store.first, zero + low);
          assert.equal(store.rows.length, high - low);
          assert.equal(store.at(zero + low)?.key, String(low));
          assert.equal(store.indexOf(String(high - 1)), high - 1 - low);
        }
      }),
    );
  });

  it('are replaced in a new epoch, and late ones of the old epoch are ignored', () => {
    const store = createRowStore();
    store.change(message('replace', rows(0, 3)));
    const before = store.first;
    store.startEpoch(2);
    assert.deepEqual([store.epoch, store.rows.length], [2, 0]);
    store.change(message('newer', rows(3, 3)));
    assert.equal(store.rows.length, 0);
    store.change(message('newer', rows(0, 3), { epoch: 2 }));
    assert.equal(store.rows.length, 3);
    assert.notEqual(store.first, before, 'no number is used twice');
    assert.equal(store.at(before), undefined);
    store.change(message('newer', rows(7, 1), { epoch: 3 }));
    assert.deepEqual(
      store.rows.map(({ key }) => key),
      ['7'],
    );
  });
});

describe('selected row', () => {
  function select(count: number) {
    const store = createRowStore();
    store.change(message('replace', rows(100, count)));
    return { store, selection: createSelection(store) };
  }

  it('moves by one, by a page and to the ends', () => {
    const { selection } = select(50);
    const moves = [
      ['next', 20],
      ['next', 21],
      ['previous', 20],
      ['pageDown', 30],
      ['pageDown', 40],
      ['pageDown', 49],
      ['first', 0],
      ['last', 49],
      ['pageUp', 39],
    ] as const;
    assert.equal(selection.index, -1);
    for (const [move, expected] of moves) {
      assert.isTrue(selection.move(move, 10, 20), move);
      assert.equal(selection.index, expected, move);
    }
    selection.move('last', 10, 0);
    assert.isFalse(selection.move('next', 10, 0));
    assert.isFalse(selection.move('pageDown', 10, 0));
    selection.move('first', 10, 0);
    assert.isFalse(selection.move('previous', 10, 0));
  });

  it('stays selected while rows come and go, until it is removed', () => {
    const { store, selection } = select(5);
    selection.select(1);
    store.change(message('older', rows(90, 10)));
    assert.equal(store.rows[selection.index]?.key, '101');
    store.change(message('newer', rows(105, 5), { dropped: 11 }));
    assert.equal(selection.index, 0);
    store.change(message('newer', rows(110, 5), { dropped: 1 }));
    assert.equal(selection.index, -1);
    store.change(message('older', rows(100, 2)));
    assert.equal(selection.index, 1, 'it comes back with its row');
    store.change(message('replace', rows(100, 5)));
    assert.equal(selection.index, -1, 'other rows are other rows');
  });

  it('moves to the next and the previous error, including fatal ones', () => {
    const store = createRowStore();
    const of = rows(0, 10);
    of[3]!.severity = 'error';
    of[7]!.severity = 'fatal';
    store.change(message('replace', of));
    const selection = createSelection(store);
    assert.isTrue(selection.moveToError(1, 3));
    assert.equal(selection.index, 3, 'where it begins counts');
    assert.isTrue(selection.moveToError(1, 0));
    assert.equal(selection.index, 7);
    assert.isFalse(selection.moveToError(1, 0));
    assert.equal(selection.index, 7);
    assert.isTrue(selection.moveToError(-1, 0));
    assert.equal(selection.index, 3);
    assert.isFalse(selection.moveToError(-1, 0));
  });

  it('is none without rows', () => {
    const { selection } = select(0);
    for (const move of ['next', 'last', 'pageUp'] as const) {
      assert.isFalse(selection.move(move, 10, 0));
    }
    assert.equal(selection.index, -1);
  });
});
