import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import { Store, cacheKeyId, type CacheKey } from '../../../src/data/store';
import * as contract from '../../../src/api/generated/validators';
import { validateParameters } from '../../../src/api/validateRequest';
import { longestRepositorySearch } from '../../../src/data/fetchers';
import { covers } from '../covers';
import { fakeClock, settle } from '../fakeClock';
import { uuid, read } from '../trees/treeText';
import { fakeClient, httpError } from './fakeClient';
import { make, names, other, rateLimited, refresh, source, topic, listing } from './storeUnderTest';

describe('The store', () => {
  it('keeps an answer with its time', async () => {
    const made = make();
    assert.deepEqual(made.store.resources(source), { isLoading: false, failures: 0 });
    await refresh(made, ['web-api']);
    const { at, isLoading, error } = made.store.resources(source);
    assert.deepEqual(names(made.store), ['web-api']);
    assert.equal(at, made.clock.now());
    assert.isFalse(isLoading);
    assert.isUndefined(error);
  });

  it('shares a pending request for the same data', async () => {
    const { store, asked } = make();
    const both = Promise.all([store.refresh(topic, 'person'), store.refresh(topic, 'person')]);
    await settle();
    const third = store.refresh(topic, 'person');
    await settle();
    assert.lengthOf(asked, 1);
    asked[0]!.answer(['web-api']);
    await Promise.all([both, third]);
    assert.lengthOf(asked, 1);
    void store.refresh(topic, 'person');
    await settle();
    assert.lengthOf(asked, 2, 'a new request after the first has ended');
  });

  it('shares it also with a listener that requests the data on the loading event', async () => {
    const { store, asked } = make();
    store.onDidChange(() => void store.refresh(topic, 'person'));
    void store.refresh(topic, 'person');
    await settle();
    assert.lengthOf(asked, 1);
  });

  it('keeps its data when a refresh fails, and does not cache the failure', async () => {
    const made = make();
    const { store, asked } = made;
    await refresh(made, ['web-api']);
    const { at } = store.resources(source);
    await made.clock.advance(60_000);
    const failing = store.refresh(topic, 'person');
    await settle();
    asked[1]!.fail(httpError(403, 'forbidden'));
    await failing;
    assert.deepEqual(names(store), ['web-api']);
    assert.equal(store.resources(source).at, at);
    assert.include(store.resources(source).error, { code: 'forbidden' });
    assert.equal(store.resources(source).failures, 1);
    await refresh(made, ['web-api', 'search']);
    assert.isUndefined(store.resources(source).error);
    assert.equal(store.resources(source).failures, 0);
    assert.deepEqual(names(store), ['web-api', 'search']);
  });

  it(`retries after an outage, as often as the contract allows ${covers('F24', 'unit')}`, async () => {
    const { store, clock, asked } = make();
    const done = store.refresh(topic, 'person');
    for (let tries = 1; tries <= 3; tries++) {
      await settle();
      assert.lengthOf(asked, tries);
      asked.at(-1)!.fail(httpError(503, 'busy'));
      await clock.advance(60_000);
    }
    await done;
    assert.lengthOf(asked, 3);
    assert.include(store.resources(source).error, { status: 503 });
    assert.equal(clock.liveTimers, 0);
  });

  it(`requests nothing while the server requires a wait ${covers('F23', 'unit')}`, async () => {
    const { store, clock, asked } = make();
    void store.refresh(topic, 'person');
    await settle();
    asked[0]!.fail(rateLimited(30));
    await settle();
    void store.refresh(other, 'person');
    await clock.advance(29_999);
    assert.lengthOf(asked, 1);
    assert.include(
      store.resources(source).error,
      { status: 429 },
      'the reason of the wait is visible',
    );
    await clock.advance(1);
    assert.sameMembers(
      asked.map(({ id }) => id),
      [source, source, uuid(2)],
    );
  });

  it(`fails at once, without a request, if the wait is long ${covers('F23', 'unit')}`, async () => {
    const { store, clock, asked } = make();
    const first = store.refresh(topic, 'person');
    await settle();
    asked[0]!.fail(rateLimited(86_400));
    await first;
    await store.refresh(other, 'person');
    assert.lengthOf(asked, 1);
    assert.include(store.resources(uuid(2)).error, { status: 429 });
    assert.equal(clock.liveTimers, 0);
    await clock.advance(86_400_000);
    void store.refresh(other, 'person');
    await settle();
    assert.lengthOf(asked, 2);
  });

  it('gives up if a server always answers 429', async () => {
    const { store, clock, asked } = make();
    const done = store.refresh(topic, 'person');
    await settle();
    for (let tries = 0; tries < 10; tries++) {
      asked.at(-1)!.fail(rateLimited(1));
      await clock.advance(30_000);
    }
    await done;
    assert.lengthOf(asked, 10);
    assert.isFalse(store.resources(source).isLoading);
  });

  it('has at most twelve requests at a time', async () => {
    const { store, asked } = make();
    const all = Array.from({ length: 20 }, (_, index) =>
      store.refresh({ kind: 'resources', sourceId: uuid(index) }, 'person'),
    );
    await settle();
    assert.lengthOf(asked, 12);
    for (let index = 0; index < 20; index++) {
      asked[index]!.answer([]);
      await settle();
      assert.lengthOf(asked, Math.min(20, index + 13));
    }
    await Promise.all(all);
  });

  describe('reports changes', () => {
    it('that are visible, and no others', async () => {
      const made = make();
      const { told, store, asked } = made;
      const key = cacheKeyId(topic);
      await refresh(made, ['web-api']);
      assert.deepEqual(told, [key, key], 'loading, and the answer');
      await refresh(made, ['web-api'], {
        localization: { timeZone: 'UTC', timestamps: { a: {} } },
      });
      assert.lengthOf(told, 2, 'the same answer');
      await refresh(made, ['search']);
      assert.lengthOf(told, 3);
      for (const requestId of ['a', 'b']) {
        const failing = store.refresh(topic, 'person');
        await settle();
        asked
          .at(-1)!
          .fail(new ApiError({ kind: 'http', status: 403, code: 'no', message: 'no', requestId }));
        await failing;
      }
      assert.lengthOf(told, 4, 'a failure, once');
      await refresh(made, ['search']);
      assert.lengthOf(told, 5, 'the end of loading');
    });

    it('and keeps the objects of unchanged data', async () => {
      const made = make();
      await refresh(made, ['web-api', 'search', 'payments']);
      const before = made.store.resources(source).value?.resources;
      await refresh(made, ['web-api', 'renamed', 'payments']);
      const after = made.store.resources(source).value?.resources;
      assert.notStrictEqual(after, before);
      assert.deepEqual(
        after?.map((one, index) => one === before?.[index]),
        [true, false, true],
      );
    });

    it('until the subscription ends', async () => {
      const made = make();
      const heard: string[] = [];
      const end = made.store.onDidChange(({ kind }) => heard.push(kind));
      await refresh(made, ['web-api']);
      end.dispose();
      await refresh(made, ['search']);
      assert.lengthOf(heard, 2);
    });
  });

  it('drops the least recently requested data beyond its limit', async () => {
    const clock = fakeClock();
    const store = new Store(clock);
    store.reset(fakeClient({ listDeployments: () => Promise.resolve({}) }));
    const topicOf = (index: number): CacheKey => ({
      kind: 'deployments',
      resourceId: String(index),
    });
    for (let index = 0; index < 20_000; index++) await store.refresh(topicOf(index), 'person');
    await store.refresh(topicOf(0), 'person');
    await store.refresh(topicOf(20_000), 'person');
    assert.isDefined(store.deployments('0').value);
    assert.isUndefined(store.deployments('1').value);
    assert.isDefined(store.deployments('2').value);
  });

  it('has the formats of the last answer', async () => {
    const made = make();
    const localization = {
      dateFormat: 'day-month-year',
      timeZone: 'Europe/Berlin',
      timestamps: {},
    };
    await refresh(made, [], { localization });
    assert.deepEqual(made.store.formats, {
      dateFormat: 'day-month-year',
      timeZone: 'Europe/Berlin',
    });
    const before = made.store.formats;
    await refresh(made, [], { localization });
    assert.strictEqual(made.store.formats, before);
    await refresh(made, []);
    assert.strictEqual(made.store.formats, before, 'an answer without formats changes nothing');
    made.store.reset(undefined);
    assert.deepEqual(made.store.formats, {});
  });

  it('says why data with an invalid id cannot be requested', async () => {
    const made = make();
    const refused = new Error('sourceId is not a UUID');
    const done = made.store.refresh(topic, 'person');
    await settle();
    made.asked[0]!.fail(refused);
    await done;
    assert.strictEqual(made.store.resources(source).error, refused);
  });

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
