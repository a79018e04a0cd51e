import { assert } from 'chai';
import { settle } from '../fakeClock';
import { fakeClient, httpError } from './fakeClient';
import { listing, make, names, other, rateLimited, refresh, source, topic } from './storeUnderTest';
import { uuid } from '../trees/treeText';

describe('The store', () => {
  describe('on a switch of connection', () => {
    it('drops everything, aborts pending requests and ignores late answers', async () => {
      const made = make();
      const { store, asked, told } = made;
      await refresh(made, ['old']);
      const late = store.refresh(topic, 'person');
      const failing = store.refresh(other, 'person');
      await settle();
      store.reset(fakeClient({ listResources: () => Promise.resolve(listing(['new'])) }));
      assert.isTrue(asked.every(({ signal }) => signal.aborted));
      assert.deepEqual(store.resources(source), { isLoading: false, failures: 0 });
      await store.refresh(topic, 'person');
      assert.deepEqual(names(store), ['new']);
      const before = told.length;
      asked[1]!.answer(['late']);
      asked[2]!.fail(httpError(401, 'revoked'));
      await Promise.all([late, failing]);
      assert.deepEqual(names(store), ['new']);
      assert.deepEqual(store.resources(uuid(2)), { isLoading: false, failures: 0 });
      assert.lengthOf(told, before, 'they are not reported');
    });

    it('ignores the Retry-After of the old server', async () => {
      const { store, clock, asked } = make();
      const held = store.refresh(topic, 'person');
      await settle();
      asked[0]!.fail(rateLimited(30));
      await settle();
      store.reset(fakeClient({ listResources: () => Promise.resolve(listing(['new'])) }));
      await held;
      assert.equal(clock.liveTimers, 0);
      await store.refresh(topic, 'person');
      assert.deepEqual(names(store), ['new']);
    });

    it('sends new requests even if old ones never end', async () => {
      const { store, asked } = make();
      for (let index = 0; index < 15; index++) {
        void store.refresh({ kind: 'resources', sourceId: uuid(index) }, 'person');
      }
      await settle();
      assert.lengthOf(asked, 12);
      store.reset(fakeClient({ listResources: () => Promise.resolve(listing(['new'])) }));
      await store.refresh(topic, 'person');
      assert.deepEqual(names(store), ['new']);
      asked.forEach(({ answer }) => answer(['late']));
      await settle();
      assert.lengthOf(asked, 12, 'queued requests are not sent');
    });

    it('requests nothing without a client', async () => {
      const { store, asked } = make();
      store.reset(undefined);
      assert.isFalse(store.isOpen);
      await store.refresh(topic, 'person');
      await store.loadMore('');
      assert.lengthOf(asked, 0);
      assert.isUndefined(store.resources(source).error);
    });
  });
});
