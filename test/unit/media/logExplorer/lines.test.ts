import { assert } from 'chai';
import fc from 'fast-check';
import { createTraceRow, Lines, RowStore } from '../../../../media/logExplorer/lines';
import { Selection } from '../../../../media/logExplorer/selection';
import type { LogRow } from '../../../../src/logs/explorer/protocol/view';
import { isLinear } from '../../linear';
import { message, rows } from './rows';

/** Rows with these traces, one for each letter; `-`: without one. */
function traced(traces: string, from = 0): LogRow[] {
  return rows(from, traces.length).map((row, index) => {
    const trace = traces[index] ?? '-';
    return trace === '-' ? row : { ...row, trace };
  });
}

function grouped(traces: string) {
  const store = new RowStore();
  const lines = new Lines(store, (first) => first);
  store.change(message('replace', traced(traces)));
  lines.group(true);
  return { store, lines };
}

/** The lines: `a+` a closed trace, `a-` an open one, indented its records, by their keys. */
function shown(lines: Lines): string {
  return Array.from({ length: lines.count }, (_, index) => {
    const { row, isOpen, isInTrace } = lines.at(index)!;
    if (isOpen !== undefined) return `${row.trace}${isOpen ? '-' : '+'}`;
    return isInTrace ? `(${row.key})` : row.key;
  }).join(' ');
}

describe('lines of the list', () => {
  it('are the rows, with the same numbers while rows come and go', () => {
    const store = new RowStore();
    const lines = new Lines(store, (first) => first);
    store.change(message('replace', rows(10, 3)));
    const number = lines.numberAt(1);
    store.change(message('older', rows(8, 2)));
    assert.equal(lines.indexAt(number), 3);
    store.change(message('newer', rows(13, 1), { dropped: 3 }));
    assert.equal(lines.indexAt(number), 0);
    store.change(message('newer', [], { dropped: 1 }));
    assert.equal(lines.indexAt(number), -1);
    assert.equal(lines.rowAt(-1), -1);
    assert.isUndefined(lines.at(9));
  });

  it('are one for each trace of several rows, at the place of its first row', () => {
    const { lines } = grouped('-aba-cb');
    assert.equal(shown(lines), '0 a+ b+ 4 5');
    assert.equal(lines.at(1)?.record.key, '1');
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((index) => lines.rowAt(index)),
      [0, 1, 2, 4, 5],
    );
  });

  it('show the rows of an open trace below it', () => {
    const { lines } = grouped('-aba-b');
    assert.isTrue(lines.open(1, true));
    assert.isFalse(lines.open(1, true), 'it is open');
    assert.isFalse(lines.open(0, true), 'it is no trace');
    assert.equal(shown(lines), '0 a- (1) (3) b+ 4');
    assert.equal(lines.traceAt(3), 1);
    assert.equal(lines.traceAt(0), -1);
    lines.open(1, false);
    assert.equal(shown(lines), '0 a+ b+ 4');
  });

  it('stay open while rows come, and close with a new list', () => {
    const { store, lines } = grouped('-ab');
    store.change(message('newer', traced('a', 3)));
    lines.update();
    assert.equal(shown(lines), '0 a+ 2');
    lines.open(1, true);
    store.change(message('newer', traced('-ab', 4)));
    lines.update();
    assert.equal(shown(lines), '0 a- (1) (3) (5) b+ 4');
    store.change(message('older', traced('a', -1)));
    lines.update();
    assert.equal(shown(lines), 'a- (-1) (1) (3) (5) 0 b+ 4');
    store.startEpoch(2);
    lines.update();
    store.change(message('replace', traced('aa'), { epoch: 2 }));
    lines.update();
    assert.equal(shown(lines), 'a+');
  });

  it('open for a row that is looked for', () => {
    const { lines } = grouped('-aba');
    assert.equal(lines.reveal(2), 2);
    assert.equal(shown(lines), '0 a+ 2');
    assert.equal(lines.reveal(3), 3);
    assert.equal(shown(lines), '0 a- (1) (3) 2');
  });

  it('keep the selection: a closed trace is selected for its rows', () => {
    const { store, lines } = grouped('-aba');
    const selection = new Selection(lines);
    selection.select(1);
    lines.open(1, true);
    assert.equal(selection.index, 1, 'the trace');
    selection.select(3);
    store.change(message('older', traced('-a', -2)));
    lines.update();
    assert.equal(lines.at(selection.index)?.row.key, '3');
    lines.open(lines.traceAt(selection.index), false);
    assert.equal(lines.at(selection.index)?.isOpen, false);
    lines.group(false);
    assert.equal(lines.at(selection.index)?.row.key, '3');
    lines.group(true);
    assert.equal(lines.at(selection.index)?.isOpen, false);
  });

  it('contain every row once, and find each line by its number', () => {
    const traces = fc.string({ unit: fc.constantFrom('-', 'a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(traces, traces, fc.array(fc.nat(15), { maxLength: 3 }), (old, late, opened) => {
        const { store, lines } = grouped(old);
        for (const index of opened) lines.open(index, true);
        store.change(message('newer', traced(late, old.length)));
        lines.update();
        const all = Array.from({ length: lines.count }, (_, index) => lines.at(index)!);
        for (const [index, { isInTrace, isOpen }] of all.entries()) {
          assert.equal(lines.indexAt(lines.numberAt(index)), index);
          if (isInTrace) assert.isTrue(all[lines.traceAt(index)]?.isOpen);
          if (isOpen !== undefined) assert.equal(lines.traceAt(index), index);
        }
        const keys = all.filter(({ isOpen }) => isOpen === undefined).map(({ row }) => row.key);
        assert.lengthOf(new Set(keys), keys.length);
        for (const [index] of store.rows.entries()) lines.reveal(index);
        const numbers = [...store.rows.keys()].map((row) => lines.rowAt(lines.reveal(row)));
        assert.deepEqual(numbers, [...store.rows.keys()]);
      }),
    );
  });

  it('are made of many rows without a search in all of them for each', () => {
    const ungrouped = (size: number): Lines => {
      const store = new RowStore();
      const many = rows(0, size).map((row, index) => ({ ...row, trace: `t${index >> 3}` }));
      store.change(message('replace', many));
      return new Lines(store, (first) => first);
    };
    isLinear(12_800, ungrouped, (lines) => {
      const { count } = lines;
      lines.group(true);
      assert.equal(lines.count, count / 8);
      lines.group(false);
    });
  });
});

describe('row of a trace', () => {
  const strings = (id: string, ...values: readonly (string | number)[]): string =>
    id === 'language' ? 'en' : `${id} ${values.join(' ')}`;
  const trace = createTraceRow(strings);
  const row = (seconds: number, rest: Partial<LogRow> = {}): LogRow => ({
    ...rows(0, 1)[0]!,
    key: String(seconds),
    at: seconds * 1000,
    time: `12:00:${seconds}`,
    ...rest,
  });

  it('has its count, span of time, worst severity and workloads', () => {
    const shown = trace(row(2, { body: 'GET /\nmore', spans: [[0, 3, 'sgr-bold']] }), [
      row(1, { severity: 'error', workload: 'worker' }),
      row(3.5, { severity: 'unknown', severityText: 'NOTICE' }),
    ]);
    assert.deepInclude(shown, {
      key: '2',
      time: '12:00:2',
      exactTime: 'range.fromTo 12:00:1 12:00:3.5',
      severity: 'error',
      workload: 'web-api, worker',
      body: 'listTrace 3 2.5 sec  GET /',
    });
    assert.deepEqual(shown.spans, [['listTrace 3 2.5 sec'.length, shown.body.length, 'dim']]);
    assert.isUndefined(shown.severityText);
  });

  it('names three workloads, and the severity of the server if that is the worst', () => {
    const shown = trace(
      row(1, { severity: 'info' }),
      ['a', 'b', 'c', 'a'].map((workload) =>
        row(2, { workload, severity: 'unknown', severityText: 'NOTICE' }),
      ),
    );
    assert.equal(shown.workload, 'web-api, a, b +1');
    assert.deepEqual([shown.severity, shown.severityText], ['unknown', 'NOTICE']);
  });

  it('has the values that its rows have in common', () => {
    const values = (...all: Record<string, string>[]): LogRow['values'] => {
      const [first, ...others] = all.map((one) => row(1, { values: one }));
      return trace(first!, others).values;
    };
    assert.deepEqual(values({ a: '1', b: '2' }, { a: '1', b: '3' }, { c: '4' }), { a: '1' });
  });

  it('has no duration if no time is known', () => {
    const { body, exactTime } = trace(row(1, { at: null }), [row(2, { at: null })]);
    assert.equal(body, 'histogram.records 2  body 0');
    assert.isUndefined(exactTime);
  });

  it('shows its duration in the largest unit that is not zero', () => {
    const durations: [seconds: number, text: string][] = [
      [0.35, '350 ms'],
      [1, '1 sec'],
      [1.239, '1.24 sec'],
      [60, '1 min'],
      [90, '1.5 min'],
      [7200, '2 hr'],
      [86_400 * 3, '3 days'],
    ];
    for (const [seconds, text] of durations) {
      assert.include(trace(row(0), [row(seconds)]).body, ` ${text} `);
    }
  });
});

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
