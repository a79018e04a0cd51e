import { assert } from 'chai';
import type { ListingKind } from '../../../src/data/listings';
import { hiddenWithout, listings } from '../../../src/data/listings';
import { Store } from '../../../src/data/store';
import { findOperation, type Asked } from '../../control-plane/contract';
import { testClient } from '../api/testClient';
import { fakeClock } from '../fakeClock';
import { t, uuid } from '../trees/treeText';

const kinds = Object.keys(listings) as ListingKind[];

describe('A listing', () => {
  for (const kind of kinds) {
    it(`of ${kind} needs the permission of its request, and says which object it is of`, async () => {
      const asked: Asked[] = [];
      const store = new Store(fakeClock());
      store.reset(
        testClient({
          baseUrl: 'https://a.example',
          fetch({ method, url }) {
            const { pathname, search } = new URL(url);
            asked.push(findOperation(method, pathname + search));
            return Promise.resolve(Response.json({}));
          },
        }),
      );
      const { permission, isOfWorkspace } = listings[kind];
      const id = isOfWorkspace ? '' : uuid(1);
      await store.refresh({ kind, id }, 'person');
      assert.deepEqual(
        asked.map(({ operation, inPath }) => [operation.permission, ...inPath]),
        [[permission, ...(isOfWorkspace ? [] : [id])]],
      );
      assert.isDefined(store.read(kind, id).value);
    });

    it(`of ${kind} says what is hidden without its permission`, () => {
      assert.match(hiddenWithout(listings[kind].permission, t), / are hidden\.$/);
    });
  }
});
