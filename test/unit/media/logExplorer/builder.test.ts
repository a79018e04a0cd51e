import { assert } from 'chai';
import { conditionsOf, rowOf, isSame } from '../../../../media/logExplorer/builder';

const row = (field: string, operator: string, value: string, name = '') => ({
  field,
  name,
  operator,
  value,
});

describe('rows of the condition builder', () => {
  it('have a separate input for the name of an attribute', () => {
    for (const condition of [
      { field: 'service', operator: '^=', value: 'web' },
      { field: 'attr.user.id', operator: '=', value: '42' },
      { field: 'attr."a b"', operator: ':*', value: '' },
    ]) {
      assert.deepEqual(conditionsOf([rowOf(condition)]), [condition]);
    }
    assert.deepEqual(rowOf({ field: 'attr.user.id', operator: '=', value: '42' }), {
      field: 'attr',
      name: 'user.id',
      operator: '=',
      value: '42',
    });
  });

  it('are not conditions until they are complete', () => {
    const rows = [
      row('service', '=', ''),
      row('attr', '=', '42'),
      row('attr', ':*', '', ' '),
      row('spanId', ':*', ''),
    ];
    assert.deepEqual(conditionsOf(rows), [{ field: 'spanId', operator: ':*', value: '' }]);
  });

  it('stay the same if the query has the same conditions', () => {
    const rows = [row('service', '=', 'web'), row('service', '=', '')];
    const said = [{ field: 'service', operator: '=', value: 'web' }];
    assert.isTrue(isSame(rows, said));
    assert.isFalse(isSame(rows, []));
    assert.isFalse(isSame(rows, [{ field: 'service', operator: '=', value: 'api' }]));
    assert.isFalse(isSame([], said));
  });
});
