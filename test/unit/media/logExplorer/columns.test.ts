import { assert } from 'chai';
import {
  canBeColumn,
  createFittingWidths,
  Layout,
  gridColumns,
  textsOf,
  withMoved,
  withToggled,
  withWidth,
} from '../../../../media/logExplorer/columns';
import {
  columnWidth,
  defaultLayout,
  type ListLayout,
  mostColumns,
} from '../../../../src/logs/explorer/protocol/view';
import { createStrings } from '../../../../media/logExplorer/panel';
import { rows } from './rows';

const columns = ['timestamp', 'service', 'attr.user'].map((field) => ({ field }));
const fieldsOf = (all: readonly { readonly field: string }[] = []): string[] =>
  all.map(({ field }) => field);

describe('columns of the list', () => {
  it('are added at the end and removed, up to a maximum', () => {
    assert.deepEqual(fieldsOf(withToggled(columns, 'stream')), [...fieldsOf(columns), 'stream']);
    assert.deepEqual(fieldsOf(withToggled(columns, 'service')), ['timestamp', 'attr.user']);
    const many = Array.from({ length: mostColumns }, (_, index) => ({ field: `attr.${index}` }));
    assert.isUndefined(withToggled(many, 'stream'));
    assert.lengthOf(withToggled(many, 'attr.3') ?? [], mostColumns - 1);
  });

  it('are fields and attributes with names of limited length', () => {
    assert.isTrue(canBeColumn('service'));
    assert.isTrue(canBeColumn('attr.\\u{202e}'));
    assert.isFalse(canBeColumn('…'), 'it stands for further attributes');
    assert.isFalse(canBeColumn(`attr.${'x'.repeat(300)}`));
  });

  it('move by one place and stay at the ends', () => {
    const move = (field: string, by: 1 | -1): string[] => fieldsOf(withMoved(columns, field, by));
    assert.deepEqual(move('service', -1), ['service', 'timestamp', 'attr.user']);
    assert.deepEqual(move('service', 1), ['timestamp', 'attr.user', 'service']);
    assert.deepEqual(move('timestamp', -1), fieldsOf(columns));
    assert.deepEqual(move('attr.user', 1), fieldsOf(columns));
    assert.deepEqual(move('stream', 1), fieldsOf(columns));
  });

  it('have a width within limits, or one that fits', () => {
    const width = (next: number | undefined): number | undefined =>
      withWidth([{ field: 'service', width: 7 }], 'service', next)[0]?.width;
    assert.deepEqual([12.4, -5, 9999, undefined].map(width), [
      12,
      columnWidth.least,
      columnWidth.most,
      undefined,
    ]);
    assert.deepEqual(withWidth(columns, 'service', 9)[0], { field: 'timestamp' });
  });

  it('are remembered when they change, but not while they are previewed', () => {
    const saved: ListLayout[] = [];
    let changes = 0;
    const layout = new Layout(defaultLayout, (next) => saved.push(next));
    layout.onChange(() => changes++);
    layout.preview({ time: 'both' });
    assert.deepEqual([layout.now.time, saved.length], ['both', 0]);
    layout.change({ columns: [] });
    assert.deepEqual(saved, [{ columns: [], time: 'both', isByTrace: false, hasWaterfall: true }]);
    layout.apply(defaultLayout);
    assert.equal(layout.now, defaultLayout);
    assert.deepEqual([changes, saved.length], [3, 1]);
  });
});

describe('widths of the columns', () => {
  const strings = createStrings(
    { 'severity.info': 'información', 'severity.ofStream': '{0} ({1})' },
    'es',
  );
  const fit = (values: readonly string[]) => {
    const fitting = createFittingWidths(8, strings);
    const all = values.map((value) => ({
      ...rows(1, 1, { time: '2026-11-20 12:00:00.123' })[0]!,
      values: { service: value },
    }));
    fitting.fit(all, ['timestamp', 'severity', 'service'], (field) => field);
    return fitting;
  };

  it('fit the values and the heading within limits, and do not shrink while rows arrive', () => {
    assert.deepEqual(fit(['a']).of('service'), ['service'.length]);
    assert.deepEqual(fit(['x'.repeat(15)]).of('service'), [15]);
    const fitting = fit(['x'.repeat(500)]);
    assert.deepEqual(fitting.of('service'), [28]);
    assert.deepEqual(fitting.of('timestamp'), [23, 12], 'with and without its date');
    fitting.fit(rows(1, 3), ['service'], () => '');
    assert.deepEqual(fitting.of('service'), [28]);
    fitting.fit([], ['service'], () => '');
    assert.deepEqual(fitting.of('service'), [6]);
    fitting.fit(rows(1, 3, { severity: 'info' }), ['severity'], () => '');
    assert.deepEqual(fitting.of('severity'), ['información'.length]);
    fitting.fit(rows(1, 1, { severity: 'info', stream: 'stderr' }), ['severity'], () => '');
    assert.deepEqual(fitting.of('severity'), ['información (stderr)'.length]);
  });

  it('are smaller in a smaller list, where further columns disappear at last', () => {
    const layout: ListLayout = {
      ...defaultLayout,
      columns: [{ field: 'timestamp' }, { field: 'severity' }, { field: 'service', width: 40 }],
    };
    const fitting = fit(['x'.repeat(20)]);
    const grid = (size: 'wide' | 'small' | 'tiny', rest: Partial<ListLayout> = {}): string =>
      gridColumns({ ...layout, ...rest }, fitting, size);
    const body = 'minmax(min(30ch, 40%), 1fr)';
    assert.equal(grid('wide'), `23.5ch calc(11ch + 22px) minmax(0, 40ch) ${body}`);
    assert.equal(grid('small'), `12.5ch 14px minmax(0, 40ch) ${body}`);
    const fields = { columns: layout.columns.map(({ field }) => ({ field })) };
    assert.equal(grid('small', fields), `12.5ch 14px minmax(0, 14.5ch) ${body}`);
    assert.equal(grid('tiny'), `12.5ch 14px ${body}`);
    const time = { columns: [{ field: 'timestamp' }] };
    assert.equal(grid('wide', { ...time, isByTrace: true }), `16px 23.5ch ${body}`);
    assert.equal(grid('wide', { ...time, time: 'relative' }), `8.5ch ${body}`);
    assert.equal(grid('wide', { ...time, time: 'both' }), `32.5ch ${body}`);
    assert.equal(grid('wide', { columns: [{ field: 'timestamp', width: 9 }] }), `9ch ${body}`);
  });
});

describe('texts of a row that can be found', () => {
  it('are those that are shown', () => {
    const [row] = rows(1, 1, { values: { 'attr.user': '42', server: 'eu-1' } });
    assert.isDefined(row);
    const layout = {
      ...defaultLayout,
      columns: [...defaultLayout.columns, { field: 'attr.user' }],
    };
    assert.sameMembers(textsOf(row, layout), ['body 1', '12:00:1', '', 'web-api', '42']);
    const relative = { ...layout, time: 'relative' as const, columns: [{ field: 'timestamp' }] };
    assert.sameMembers(textsOf(row, relative), ['body 1', '']);
  });
});
