import { assert } from 'chai';
import { conditionsOf, rowOf, saysTheSame } from '../../../../media/logExplorer/builder';

const row = (field: string, operator: string, value: string, name = '') => ({
  field,
  name,
  operator,
  value,
});

describe('rows of the builder', () => {
  it('have the name of an attribute apart, and give it back', () => {
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

  it('that are not filled in say nothing yet', () => {
    const rows = [
      row('service', '=', ''),
      row('attr', '=', '42'),
      row('attr', ':*', '', ' '),
      row('spanId', ':*', ''),
    ];
    assert.deepEqual(conditionsOf(rows), [{ field: 'spanId', operator: ':*', value: '' }]);
  });

  it('stay as they are while the query says the same', () => {
    const rows = [row('service', '=', 'web'), row('service', '=', '')];
    const said = [{ field: 'service', operator: '=', value: 'web' }];
    assert.isTrue(saysTheSame(rows, said));
    assert.isFalse(saysTheSame(rows, []));
    assert.isFalse(saysTheSame(rows, [{ field: 'service', operator: '=', value: 'api' }]));
    assert.isFalse(saysTheSame([], said));
  });
});
