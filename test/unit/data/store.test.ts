import { assert } from 'chai';
import type { CallOptions } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import * as contract from '../../../src/api/generated/validators';
import type { ResourceListing } from '../../../src/api/types';
import { validateParameters } from '../../../src/api/validateRequest';
import { longestRepositorySearch } from '../../../src/data/listings';
import { Store, cacheKeyId, type CacheKey } from '../../../src/data/store';
import { covers } from '../covers';
import { fakeClock, settle } from '../fakeClock';
import { uuid, read } from '../trees/treeText';
import { fakeClient, httpError } from './fakeClient';

const source = uuid(1);
const topic = { kind: 'resources', id: source } as const;
const other = { kind: 'resources', id: uuid(2) } as const;

interface Asked {
  readonly options: CallOptions;
  readonly answer: (names: string[], more?: object) => void;
  readonly fail: (error: unknown) => void;
}

/** A store whose requests for resources a test answers. */
function make() {
  const clock = fakeClock();
  const store = new Store(clock);
  const asked: Asked[] = [];
  /** The keys that were reported as changed, in order. */
  const changes: string[] = [];
  store.reset(
    fakeClient({
      listResources: (_id, options) =>
        new Promise((resolve, fail) => {
          const answer: Asked['answer'] = (names, more) => resolve(listing(names, more));
          asked.push({ options, answer, fail });
        }),
    }),
  );
  store.onDidChange((change) =>
    changes.push(change.kind === 'reset' ? 'reset' : cacheKeyId(change.key)),
  );
  /** Refreshes and answers the request. */
  const refresh = async (...answer: Parameters<Asked['answer']>): Promise<void> => {
    const done = store.refresh(topic, 'person');
    asked.at(-1)!.answer(...answer);
    await done;
  };
  /** Refreshes, which fails. */
  const fail = async (error: unknown): Promise<void> => {
    const done = store.refresh(topic, 'person');
    asked.at(-1)!.fail(error);
    await done;
  };
  const names = () => store.read('resources', source).value?.resources?.map(({ name }) => name);
  return { store, clock, asked, changes, refresh, fail, names };
}

function listing(names: string[], more: object = {}): ResourceListing {
  const resources = names.map((name, index) => ({ id: uuid(10 + index), name }));
  return read('ResourceListing', { resources, ...more });
}

describe('The store', () => {
  it('keeps an answer with its time', async () => {
    const { store, clock, refresh, names } = make();
    assert.deepEqual(store.read('resources', source), { isLoading: false, failures: 0 });
    await refresh(['web-api']);
    const { at, isLoading, error } = store.read('resources', source);
    assert.deepEqual(names(), ['web-api']);
    assert.equal(at, clock.now());
    assert.isFalse(isLoading);
    assert.isUndefined(error);
  });

  it('shares a pending request for the same data, also with a listener that is told of it', async () => {
    const { store, asked } = make();
    const listening = store.onDidChange(() => void store.refresh(topic, 'person'));
    const both = [store.refresh(topic, 'person'), store.refresh(topic, 'person')];
    listening.dispose();
    assert.lengthOf(asked, 1);
    asked[0]!.answer(['web-api']);
    await Promise.all(both);
    assert.lengthOf(asked, 1);
    void store.refresh(topic, 'person');
    assert.lengthOf(asked, 2, 'a new request after the first has ended');
  });

  it('keeps its data when a refresh fails, and does not cache the failure', async () => {
    const { store, clock, refresh, fail, names } = make();
    await refresh(['web-api']);
    const { at } = store.read('resources', source);
    await clock.advance(60_000);
    const error = httpError(403, 'forbidden');
    await fail(error);
    assert.deepEqual(names(), ['web-api']);
    assert.deepInclude(store.read('resources', source), { at: at!, error, failures: 1 });
    await refresh(['web-api', 'search']);
    assert.isUndefined(store.read('resources', source).error);
    assert.equal(store.read('resources', source).failures, 0);
    assert.deepEqual(names(), ['web-api', 'search']);
  });

  it(`says why it waits, and accepts no wait of more than a minute ${covers('F23', 'unit')}`, () => {
    const { store, asked } = make();
    void store.refresh(topic, 'person');
    const { longestWait, onWait } = asked[0]!.options;
    assert.equal(longestWait, 60_000);
    const error = httpError(429, 'slow');
    onWait?.({ ms: 1000, until: 0, error });
    onWait?.(undefined);
    assert.deepEqual(store.read('resources', source), { error, isLoading: true, failures: 0 });
  });

  it(`makes a request as urgent as the most urgent who asks for it ${covers('F84', 'unit')}`, () => {
    const { store, asked } = make();
    void store.refresh(topic, 'automatic');
    void store.refresh(topic, 'awaited');
    const { priority, raise } = asked[0]!.options;
    assert.equal(priority, 'automatic');
    assert.isFalse(raise?.aborted);
    void store.refresh(topic, 'person');
    assert.isTrue(raise.aborted);
    assert.lengthOf(asked, 1);
  });

  it(`requests many for a person a few at a time, so that the next wish is not behind all ${covers('F84', 'unit')}`, async () => {
    const { store, asked } = make();
    const all = store.refreshAll([1, 2, 3, 4, 5, 6].map((n) => ({ ...topic, id: uuid(n) })));
    assert.lengthOf(asked, 4);
    for (let answered = 0; answered < 6; answered++) {
      asked[answered]!.answer([]);
      await settle();
    }
    await all;
    assert.deepEqual(
      asked.map(({ options }) => options.priority),
      Array<string>(6).fill('person'),
    );
  });

  describe('reports changes', () => {
    it('that are visible, and no others', async () => {
      const { changes, refresh, fail } = make();
      const key = cacheKeyId(topic);
      await refresh(['web-api']);
      assert.deepEqual(changes, [key, key], 'loading, and the answer');
      await refresh(['web-api'], { localization: { timeZone: 'UTC', timestamps: { a: {} } } });
      assert.lengthOf(changes, 2, 'the same answer');
      await refresh(['search']);
      assert.lengthOf(changes, 3);
      for (const requestId of ['a', 'b']) {
        await fail(
          new ApiError({ kind: 'http', status: 403, code: 'no', message: 'no', requestId }),
        );
      }
      assert.lengthOf(changes, 4, 'a failure, once');
      await refresh(['search']);
      assert.lengthOf(changes, 5, 'the end of loading');
    });

    it('and keeps the objects of unchanged data', async () => {
      const { store, refresh } = make();
      await refresh(['web-api', 'search', 'payments']);
      const before = store.read('resources', source).value?.resources;
      await refresh(['web-api', 'renamed', 'payments']);
      const after = store.read('resources', source).value?.resources;
      assert.notStrictEqual(after, before);
      assert.deepEqual(
        after?.map((one, index) => one === before?.[index]),
        [true, false, true],
      );
    });
  });

  it('drops the least recently requested data beyond its limit', async () => {
    const clock = fakeClock();
    const store = new Store(clock);
    store.reset(fakeClient({ listDeployments: () => Promise.resolve({}) }));
    const topicOf = (index: number): CacheKey => ({
      kind: 'deployments',
      id: String(index),
    });
    for (let index = 0; index < 20_000; index++) await store.refresh(topicOf(index), 'person');
    await store.refresh(topicOf(0), 'person');
    await store.refresh(topicOf(20_000), 'person');
    assert.isDefined(store.read('deployments', '0').value);
    assert.isUndefined(store.read('deployments', '1').value);
    assert.isDefined(store.read('deployments', '2').value);
  });

  it('has the formats of the last answer', async () => {
    const { store, refresh } = make();
    const formats = { dateFormat: 'day-month-year', timeZone: 'Europe/Berlin' };
    const localization = { ...formats, timestamps: {} };
    await refresh([], { localization });
    const before = store.formats;
    assert.deepEqual(before, formats);
    await refresh([], { localization });
    assert.strictEqual(store.formats, before);
    await refresh([]);
    assert.strictEqual(store.formats, before, 'an answer without formats changes nothing');
    store.reset(undefined);
    assert.deepEqual(store.formats, {});
  });

  describe('loads repositories in pages', () => {
    const repositories = { kind: 'repositories', id: '' } as const;
    /** A store with the first page of these. */
    async function loaded(...pages: (object | Error)[]) {
      const store = new Store(fakeClock());
      const asked: unknown[] = [];
      store.reset(
        fakeClient({
          listRepositories(query) {
            asked.push(query);
            const page = pages[(query.page ?? 1) - 1];
            return page instanceof Error
              ? Promise.reject(page)
              : Promise.resolve(read('RepositoryListing', page ?? {}));
          },
        }),
      );
      await store.refresh(repositories, 'person');
      const ids = () => store.read('repositories', '').value?.repositories.map(({ id }) => id);
      return { store, asked, ids };
    }
    const page = (id: string, nextPage?: number): object => ({ repositories: [{ id }], nextPage });

    it('with a search of up to the maximum length', () => {
      const validate = (length: number): void =>
        validateParameters(contract.parameters_get_repositories, { search: 'x'.repeat(length) });
      validate(longestRepositorySearch);
      assert.throws(() => validate(longestRepositorySearch + 1));
    });

    it('one after the other, and all of them again on a refresh', async () => {
      const { store, asked, ids } = await loaded(page('a', 2), page('b', 3), page('c'));
      assert.deepEqual(ids(), ['a']);
      await Promise.all([store.loadMore(''), store.loadMore('')]);
      assert.deepEqual(ids(), ['a', 'b'], 'two clicks load one page');
      await store.loadMore('');
      await store.loadMore('');
      assert.deepEqual(ids(), ['a', 'b', 'c']);
      assert.deepEqual(asked, [{}, { page: 2 }, { page: 3 }]);
      await store.refresh(repositories, 'person');
      assert.deepEqual(ids(), ['a', 'b', 'c']);
      assert.lengthOf(asked, 6);
    });

    it('the next one also while all of them are loaded again', async () => {
      const { store, asked, ids } = await loaded(page('a', 2), page('b'));
      await Promise.all([store.refresh(repositories, 'person'), store.loadMore('')]);
      assert.deepEqual(ids(), ['a', 'b']);
      assert.deepEqual(asked, [{}, {}, { page: 2 }]);
    });

    it('and stops if a server names a page twice', async () => {
      const { store } = await loaded(page('a', 2), page('b', 1));
      await store.loadMore('');
      assert.isUndefined(store.read('repositories', '').value?.nextPage);
      const { store: half } = await loaded(page('a', 1.5));
      assert.isUndefined(half.read('repositories', '').value?.nextPage);
    });

    it('and keeps its pages if the next one fails', async () => {
      const { store, ids } = await loaded(page('a', 2), httpError(403, 'forbidden'));
      await store.loadMore('');
      assert.deepEqual(ids(), ['a']);
      assert.include(store.read('repositories', '').error, { status: 403 });
    });
  });

  it('drops everything on a switch of connection, aborts pending requests and ignores late answers', async () => {
    const { store, asked, changes, refresh, names } = make();
    await refresh(['old']);
    const late = store.refresh(topic, 'person');
    const failing = store.refresh(other, 'person');
    store.reset(fakeClient({ listResources: () => Promise.resolve(listing(['new'])) }));
    assert.isTrue(asked.every(({ options }) => options.signal.aborted));
    assert.deepEqual(store.read('resources', source), { isLoading: false, failures: 0 });
    await store.refresh(topic, 'person');
    assert.deepEqual(names(), ['new']);
    const before = changes.length;
    asked[1]!.answer(['late']);
    asked[2]!.fail(httpError(401, 'revoked'));
    await Promise.all([late, failing]);
    assert.deepEqual(names(), ['new']);
    assert.deepEqual(store.read('resources', uuid(2)), { isLoading: false, failures: 0 });
    assert.lengthOf(changes, before, 'they are not reported');
  });

  it('requests nothing without a client', async () => {
    const { store, asked } = make();
    store.reset(undefined);
    assert.isFalse(store.isOpen);
    await store.refresh(topic, 'person');
    await store.loadMore('');
    assert.lengthOf(asked, 0);
    assert.isUndefined(store.read('resources', source).error);
  });
});
