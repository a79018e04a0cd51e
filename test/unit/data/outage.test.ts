import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import { Outage } from '../../../src/data/outage';
import type { CacheKey } from '../../../src/data/store';
import { scene, uuid } from '../trees/treeText';
import { httpError } from './fakeClient';

describe('An outage', () => {
  const [first, second] = [1, 2].map((id): CacheKey => ({ kind: 'resources', id: uuid(id) }));
  const unreachable = new ApiError({ kind: 'network', code: 'network', message: 'no answer' });

  function start() {
    let error: ApiError | undefined;
    const all = scene({
      listResources: () => (error === undefined ? Promise.resolve({}) : Promise.reject(error)),
    });
    const outage = new Outage(all.store);
    const said: (number | 'over' | undefined)[] = [];
    outage.onDidChange((one) => said.push(one === undefined ? 'over' : one.since));
    const fail = (next: ApiError | undefined): void => {
      error = next;
    };
    return { ...all, said, fail };
  }

  it('begins with what cannot be reached, is one for all listings, and dates from what arrived last', async () => {
    const { clock, load, said, fail } = start();
    await load(first!);
    await clock.advance(5000);
    const last = clock.now();
    await load(second!);
    fail(unreachable);
    await clock.advance(50_000);
    await load(first!, second!);
    assert.deepEqual(said, [last - 5000, last]);
  });

  it('is over with the first answer, also a refusal, and with another connection', async () => {
    const { load, said, fail, store } = start();
    fail(unreachable);
    await load(first!);
    fail(httpError(403, 'forbidden'));
    await load(first!);
    fail(unreachable);
    await load(first!);
    fail(undefined);
    await load(second!);
    fail(unreachable);
    await load(second!);
    store.reset(undefined);
    const kinds = said.map((one) => (one === 'over' ? one : 'out'));
    assert.deepEqual(kinds, ['out', 'over', 'out', 'over', 'out', 'over']);
  });
});
