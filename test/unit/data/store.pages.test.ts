import { assert } from 'chai';
import * as contract from '../../../src/api/generated/validators';
import { validateParameters } from '../../../src/api/validateRequest';
import { longestRepositorySearch } from '../../../src/data/fetchers';
import { Store } from '../../../src/data/store';
import { fakeClock } from '../fakeClock';
import { fakeClient, httpError } from './fakeClient';
import { read } from '../trees/treeText';

describe('The store', () => {
  describe('loads repositories in pages', () => {
    const makePages = (pages: object[]): { store: Store; asked: unknown[] } => {
      const clock = fakeClock();
      const store = new Store(clock);
      const asked: unknown[] = [];
      store.reset(
        fakeClient({
          listRepositories: (query) => {
            asked.push(query);
            const page = pages[(query.page ?? 1) - 1];
            if (page instanceof Error) return Promise.reject(page);
            return Promise.resolve(read('RepositoryListing', page ?? {}));
          },
        }),
      );
      return { store, asked };
    };
    const page = (id: string, nextPage?: number): object => ({ repositories: [{ id }], nextPage });
    const ids = (store: Store): (string | undefined)[] | undefined =>
      store.repositories('').value?.repositories.map(({ id }) => id);

    it('with a search of up to the maximum length', () => {
      const validate = (length: number): void =>
        validateParameters(contract.parameters_get_repositories, { search: 'x'.repeat(length) });
      validate(longestRepositorySearch);
      assert.throws(() => validate(longestRepositorySearch + 1));
    });

    it('one after the other, and all of them again on a refresh', async () => {
      const { store, asked } = makePages([page('a', 2), page('b', 3), page('c')]);
      await store.refresh({ kind: 'repositories', search: '' }, 'person');
      assert.deepEqual(ids(store), ['a']);
      await Promise.all([store.loadMore(''), store.loadMore('')]);
      assert.deepEqual(ids(store), ['a', 'b'], 'two clicks load one page');
      await store.loadMore('');
      await store.loadMore('');
      assert.deepEqual(ids(store), ['a', 'b', 'c']);
      assert.deepEqual(asked, [{}, { page: 2 }, { page: 3 }]);
      await store.refresh({ kind: 'repositories', search: '' }, 'person');
      assert.deepEqual(ids(store), ['a', 'b', 'c']);
      assert.lengthOf(asked, 6);
    });

    it('and stops if a server names a page twice', async () => {
      const { store } = makePages([page('a', 2), page('b', 1)]);
      await store.refresh({ kind: 'repositories', search: '' }, 'person');
      await store.loadMore('');
      assert.isUndefined(store.repositories('').value?.nextPage);
      const { store: half } = makePages([page('a', 1.5)]);
      await half.refresh({ kind: 'repositories', search: '' }, 'person');
      assert.isUndefined(half.repositories('').value?.nextPage);
    });

    it('and keeps its pages if the next one fails', async () => {
      const { store } = makePages([page('a', 2), httpError(403, 'forbidden')]);
      await store.refresh({ kind: 'repositories', search: '' }, 'person');
      await store.loadMore('');
      assert.deepEqual(ids(store), ['a']);
      assert.include(store.repositories('').error, { status: 403 });
    });
  });
});
