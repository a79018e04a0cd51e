import { assert } from 'chai';
import fc from 'fast-check';
import { RowStore } from '../../../../media/logExplorer/lines';
import type { LogRow } from '../../../../src/logs/explorer/protocol/view';
import { message, rows } from './rows';

describe('rows of the page', () => {
  it('are added at both ends and removed at the top', () => {
    const store = new RowStore();
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
        const store = new RowStore();
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

  it('look different after an update, and keep their numbers', () => {
    const store = new RowStore();
    store.change(message('replace', rows(10, 5)));
    const { first, replacements } = store;
    store.change(message('update', rows(12, 2, { values: { service: 'web' } })));
    assert.deepEqual(
      store.rows.map(({ values }) => values?.['service']),
      [undefined, undefined, 'web', 'web', undefined],
    );
    assert.deepEqual([store.first, store.replacements, store.updates], [first, replacements, 1]);
    store.change(message('update', rows(14, 2, { workload: 'gone' })));
    store.change(message('update', rows(90, 1)));
    store.change(message('update', []));
    assert.deepEqual(store.rows.map(({ key, workload }) => `${key} ${workload}`).slice(3), [
      '13 web-api',
      '14 gone',
    ]);
  });

  it('are replaced in a new epoch, and late ones of the old epoch are ignored', () => {
    const store = new RowStore();
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

  it('have recurring texts and styles in memory once', () => {
    const store = new RowStore();
    const copies = rows(0, 2).map((row) => ({
      ...row,
      spans: [[0, 4, 'dim']] satisfies LogRow['spans'],
    }));
    store.change(message('replace', copies));
    assert.strictEqual(store.rows[1]?.spans, store.rows[0]?.spans);
    assert.deepEqual(store.rows[1]?.spans, [[0, 4, 'dim']]);
  });
});
