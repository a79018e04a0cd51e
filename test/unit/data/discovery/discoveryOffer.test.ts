import { assert } from 'chai';
import type { Permission } from '../../../../src/api/types';
import type { Discovery, FoundTarget } from '../../../../src/data/discovery/discovery';
import {
  addThings,
  discoveryOffer,
  keyLimits,
} from '../../../../src/data/discovery/discoveryOffer';
import { t, uuid } from '../../trees/treeText';

const nothing: Discovery = {
  sources: [],
  servers: [],
  workloads: 0,
  unseen: [],
  cut: [],
};

function found(id: string, more: Partial<FoundTarget> = {}): FoundTarget {
  return { id, label: undefined, foundBy: ['logs'], workloads: [], environments: [], ...more };
}

const empty = { sources: [], servers: [] };

describe('The offer of a discovery', () => {
  it('has names, workloads, environments or short ids, in this order', () => {
    const { servers, sources } = discoveryOffer(
      {
        ...nothing,
        servers: [
          found(uuid(3)),
          found(uuid(2), { label: 'fra-1', workloads: ['web-api', 'worker', 'search'] }),
          found(uuid(1), { workloads: ['Search'], foundBy: ['logs', 'alerts'] }),
        ],
        sources: [found(uuid(4), { environments: ['production'], foundBy: ['resources'] })],
      },
      empty,
      t,
    );
    assert.deepEqual(servers, [
      { target: { id: uuid(3) }, name: uuid(3).slice(0, 8), detail: 'found by recent logs' },
      {
        target: { id: uuid(2), label: 'fra-1' },
        name: 'fra-1',
        detail: 'found by recent logs · web-api, worker and 1 more',
      },
      { target: { id: uuid(1) }, name: 'Search', detail: 'found by recent logs, alert rules' },
    ]);
    assert.deepEqual(sources, [
      { target: { id: uuid(4) }, name: 'production', detail: 'found by apps and jobs' },
    ]);
  });

  it('omits known entries, and ids without any data', () => {
    const { servers, sources } = discoveryOffer(
      {
        ...nothing,
        servers: [found(uuid(1)), found(uuid(2), { foundBy: [] })],
        sources: [found(uuid(1), { foundBy: ['deployments'] })],
      },
      { sources: [], servers: [{ id: uuid(1), label: 'mine' }] },
      t,
    );
    assert.isEmpty(servers);
    assert.deepEqual(
      sources.map(({ detail }) => detail),
      ['found by deployments'],
      'there are two lists',
    );
  });

  it('is added after the entries of a list, whatever they are', () => {
    const setting = [{ id: uuid(1), label: 'mine' }, 'x'];
    assert.deepEqual(addThings(setting, [{ id: uuid(1) }, { id: uuid(2), label: 'fra-1' }]), [
      ...setting,
      { id: uuid(2), label: 'fra-1' },
    ]);
    assert.deepEqual(addThings('broken', [{ id: uuid(2) }]), [{ id: uuid(2) }]);
    assert.deepEqual(addThings(undefined, []), []);
  });
});

describe('What a new key cannot do', () => {
  const unseen = (
    why: 'missing' | 'refused',
    permission: Permission,
  ): Discovery['unseen'][number] => ({
    ...{ step: 'alerts', count: 1, error: undefined },
    ...{ why, permission },
  });

  it('is each permission that it lacks, once, with what that means', () => {
    const limits = keyLimits(
      {
        unseen: [
          unseen('missing', 'logs.read'),
          unseen('missing', 'alert.read'),
          unseen('refused', 'resource.read'),
        ],
      },
      false,
      t,
    );
    assert.deepEqual(
      limits.map(({ permission }) => permission),
      ['logs.read', 'alert.read'],
    );
    for (const { meaning } of limits) assert.match(meaning, /\.$/);
  });

  it('is known of logs before anything is found, and may be nothing', () => {
    assert.lengthOf(keyLimits(undefined, false, t), 1);
    assert.deepEqual(keyLimits({ unseen: [] }, true, t), []);
  });
});
