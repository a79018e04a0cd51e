import { assert } from 'chai';
import {
  defaultLayout,
  type ListLayout,
  longestField,
  mostColumns,
  readListLayout,
} from '../../../../../src/logs/explorer/protocol/view';

const layout: ListLayout = { ...defaultLayout, time: 'both', isByTrace: true };

describe('stored layouts of the list', () => {
  it('are read if they are valid', () => {
    const columns = (...all: unknown[]): unknown => ({ ...layout, columns: all });
    const field = (name: string, width?: unknown): unknown => ({ field: name, width });
    const wrong: unknown[] = [
      undefined,
      null,
      'a',
      { ...layout, time: 'never' },
      { ...layout, isByTrace: 1 },
      { ...layout, hasWaterfall: 1 },
      columns('service'),
      columns(field('')),
      columns(field('x'.repeat(longestField + 1))),
      columns(field('a', 1), field('b')),
      columns(field('a', 1.5)),
      columns(field('a', 1e9)),
      columns(field('a'), field('a')),
      columns(...Array.from({ length: mostColumns + 1 }, (_, index) => field(`attr.${index}`))),
    ];
    for (const one of wrong) assert.isUndefined(readListLayout(one), JSON.stringify(one));
    assert.deepEqual(readListLayout(JSON.parse(JSON.stringify(layout))), layout);
    assert.isDefined(readListLayout(columns(field('attr.x', 20))));
  });

  it('of earlier versions show traces over their time', () => {
    const { hasWaterfall: _, ...earlier } = layout;
    assert.deepEqual(readListLayout(earlier), { ...layout, hasWaterfall: true });
  });
});
