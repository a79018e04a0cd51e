import { assert } from 'chai';
import {
  mostLayouts,
  readLayouts,
  withLayout,
} from '../../../../../src/logs/explorer/panel/layouts';
import {
  defaultLayout,
  type ListLayout,
  longestField,
  mostColumns,
} from '../../../../../src/logs/explorer/panel/view';

const layout: ListLayout = { ...defaultLayout, time: 'both', isByTrace: true };

describe('stored layouts of the list', () => {
  it('are those of each connection, the one that changed last first', () => {
    const all = withLayout(withLayout([], 'a', defaultLayout), 'b', layout);
    assert.deepEqual(withLayout(all, 'a', layout), [
      ['a', layout],
      ['b', layout],
    ]);
    assert.deepEqual(readLayouts(JSON.parse(JSON.stringify(all))), all);
  });

  it('are of a limited number of connections', () => {
    let all: ReturnType<typeof readLayouts> = [];
    for (let one = 0; one < mostLayouts + 5; one++) all = withLayout(all, String(one), layout);
    assert.lengthOf(all, mostLayouts);
    assert.equal(all[0]?.[0], String(mostLayouts + 4));
    assert.lengthOf(readLayouts([...all, ...all]), mostLayouts);
  });

  it('are left out if they are invalid', () => {
    const columns = (...all: unknown[]): unknown => ({ ...layout, columns: all });
    const field = (name: string, width?: unknown): unknown => ({ field: name, width });
    const wrong: unknown[] = [
      null,
      'a',
      { ...layout, time: 'never' },
      { ...layout, isByTrace: 1 },
      columns('service'),
      columns(field('')),
      columns(field('x'.repeat(longestField + 1))),
      columns(field('a', 1), field('b')),
      columns(field('a', 1.5)),
      columns(field('a', 1e9)),
      columns(field('a'), field('a')),
      columns(...Array.from({ length: mostColumns + 1 }, (_, index) => field(`attr.${index}`))),
    ];
    for (const one of wrong) assert.deepEqual(readLayouts([['a', one]]), [], JSON.stringify(one));
    for (const one of [undefined, {}, 'x', [[]], [['a']], [[7, layout]]]) {
      assert.deepEqual(readLayouts(one), []);
    }
    assert.lengthOf(readLayouts([['a', columns(field('attr.x', 20))]]), 1);
  });
});
