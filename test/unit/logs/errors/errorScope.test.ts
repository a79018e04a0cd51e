import { assert } from 'chai';
import { day, hour } from '../../../../src/base/clock';
import {
  defaultScope,
  type ErrorScope,
  isNarrowed,
  readMemory,
  searchOf,
} from '../../../../src/logs/errors/errorScope';
import { uuid } from '../../trees/treeText';

const worker = { id: uuid(7), name: 'worker' };

const readScope = (scope: unknown): ErrorScope | undefined => readMemory({ scope })?.scope;

describe('the scope of errors', () => {
  const idsOf = (workloads: ErrorScope['workloads'], apps: readonly string[]): unknown =>
    searchOf({ ...defaultScope, workloads }, apps)?.filter.workloadIds ?? 'all';

  it('is the workloads of the folder if they are known, otherwise all', () => {
    assert.deepEqual(idsOf('auto', [uuid(2), uuid(1), uuid(2)]), [uuid(1), uuid(2)]);
    assert.strictEqual(idsOf('auto', []), 'all');
    assert.strictEqual(idsOf('auto', ['not an id']), 'all');
  });

  it('searches for nothing if only the folder is wanted and unknown', () => {
    assert.isUndefined(searchOf({ ...defaultScope, workloads: 'folder' }, []));
    assert.deepEqual(idsOf('folder', [uuid(1)]), [uuid(1)]);
  });

  it('is what was chosen', () => {
    assert.deepEqual(idsOf([worker], [uuid(1)]), [uuid(7)]);
    assert.strictEqual(idsOf('all', [uuid(1)]), 'all');
    const scope = { ...defaultScope, range: '1h', environment: 'preview' } as const;
    assert.deepEqual(searchOf(scope, []), { range: hour, filter: { environments: ['preview'] } });
    assert.strictEqual(searchOf(defaultScope, [])?.range, day);
  });

  it('has all workloads of the folder, also more than a query can name', () => {
    const many = Array.from({ length: 70 }, (_, index) => uuid(index));
    assert.lengthOf(idsOf('auto', many) as unknown[], 70);
  });

  it('says whether a filter is set', () => {
    const narrowed = (change: Partial<ErrorScope>): boolean =>
      isNarrowed({ ...defaultScope, ...change });
    assert.isFalse(narrowed({}));
    assert.isFalse(narrowed({ workloads: 'all', range: '7d' }));
    assert.isTrue(narrowed({ workloads: 'folder' }));
    assert.isTrue(narrowed({ workloads: [worker] }));
    assert.isTrue(narrowed({ environment: 'production' }));
  });

  it('is read as it was kept', () => {
    const scope: ErrorScope = {
      range: '7d',
      workloads: [worker],
      environment: 'preview',
      sorting: 'frequent',
    };
    assert.deepEqual(readScope(JSON.parse(JSON.stringify(scope))), scope);
  });

  it('has defaults for what is not valid', () => {
    for (const kept of [undefined, null, 7, 'x', [], { range: '2h', workloads: 3, sorting: {} }]) {
      assert.deepEqual(readScope(kept), defaultScope);
    }
    const workloads = [{ id: 'x', name: 'y' }, { id: uuid(1) }, null];
    assert.strictEqual(readScope({ workloads })?.workloads, 'auto');
  });
});
