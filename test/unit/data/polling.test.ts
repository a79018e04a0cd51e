import { assert } from 'chai';
import type { CallOptions, ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import { RequestScheduler, requestsPerMinute } from '../../../src/api/requestScheduler';
import type { Operation } from '../../../src/api/retryPolicy';
import { Polling } from '../../../src/data/polling';
import { type CacheKey, Store } from '../../../src/data/store';
import { covers } from '../covers';
import { fakeClock, type FakeClock } from '../fakeClock';
import { fakeClient, httpError } from './fakeClient';
import { uuid } from '../trees/treeText';

const minute = 60_000;
const hour = 60 * minute;
const alerts: CacheKey = { kind: 'alerts', serverId: uuid(1) };
const resources: CacheKey = { kind: 'resources', sourceId: uuid(2) };
const deployments: CacheKey = { kind: 'deployments', resourceId: uuid(3) };

interface Made {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly polling: Polling;
  /** What was requested, and when, in seconds. */
  readonly asked: { readonly what: string; readonly at: number }[];
  readonly count: (what: string) => number;
}

/** @param given the answers of the server; everything else has an empty answer. */
function make(given: Partial<ControlPlaneClient> = {}, intervalSeconds = 30): Made {
  const clock = fakeClock();
  const start = clock.monotonic();
  const store = new Store(clock);
  const scheduler = new RequestScheduler(clock, () => 0);
  // As the client does, which has a signal for each call.
  const send = <T>(operation: Operation, options: CallOptions, act: () => Promise<T>): Promise<T> =>
    scheduler.run(operation, { ...options, signal: AbortSignal.any([options.signal]) }, act);
  const asked: Made['asked'] = [];
  const note = (what: string): void =>
    void asked.push({ what, at: (clock.monotonic() - start) / 1000 });
  store.reset(
    fakeClient({
      listAlertRules: (request, options) =>
        send('listAlertRules', options, () => {
          note('alerts');
          return given.listAlertRules?.(request, options) ?? Promise.resolve({});
        }),
      listResources: (id, options) =>
        send('listResources', options, () => {
          note('resources');
          return given.listResources?.(id, options) ?? Promise.resolve({});
        }),
      listDeployments: (id, options) =>
        send('listDeployments', options, () => {
          note('deployments');
          return given.listDeployments?.(id, options) ?? Promise.resolve({});
        }),
      listIntegrations: () => {
        note('integrations');
        return Promise.resolve({});
      },
    }),
  );
  const polling = new Polling(store, clock, () => intervalSeconds);
  const count = (what: string): number => asked.filter((one) => one.what === what).length;
  return { clock, store, polling, asked, count };
}

describe('Polling', () => {
  it('costs an idle workspace no more requests than allowed in an hour', async () => {
    const { clock, polling, count } = make();
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    polling.watch('sources', [resources, deployments, alerts]);
    polling.watch('integrations', [{ kind: 'integrations' }]);
    await clock.advance(hour);
    assert.equal(count('alerts'), 121, 'once at first and every 30 s, for both views together');
    assert.equal(count('resources'), 121);
    assert.equal(count('deployments'), 121);
    assert.equal(count('integrations'), 7, 'every ten minutes');
  });

  it('requests nothing while no view is visible or the window has no focus', async () => {
    const { clock, polling, asked } = make();
    polling.watch('servers', [alerts]);
    await clock.advance(hour);
    assert.lengthOf(asked, 0, 'no focus yet');
    polling.setFocused(true);
    await clock.advance(0);
    assert.lengthOf(asked, 1);
    polling.watch('servers', undefined);
    await clock.advance(hour);
    assert.lengthOf(asked, 1, 'hidden');
    polling.watch('servers', [alerts]);
    await clock.advance(0);
    assert.lengthOf(asked, 2, 'visible again, and stale');
    polling.setFocused(false);
    await clock.advance(hour);
    assert.lengthOf(asked, 2);
    assert.equal(clock.liveTimers, 0);
  });

  it('does not refresh recent data when a view is shown again', async () => {
    const { clock, polling, asked } = make();
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    await clock.advance(10_000);
    polling.watch('servers', undefined);
    polling.watch('servers', [alerts]);
    polling.setFocused(false);
    polling.setFocused(true);
    await clock.advance(19_000);
    assert.lengthOf(asked, 1);
    await clock.advance(1_000);
    assert.lengthOf(asked, 2);
  });

  it('refreshes every 5 s during a deployment, and nothing else more often', async () => {
    let state: object = { state: 'deploying', startedAt: '2026-11-20T12:00:00Z' };
    const { clock, polling, count } = make({
      listResources: () => Promise.resolve({ resources: [{ id: uuid(3) }] }),
      listDeployments: () => Promise.resolve({ deployments: [{ id: uuid(9), ...state }] }),
    });
    polling.setFocused(true);
    polling.watch('sources', [deployments, resources, alerts]);
    await clock.advance(minute);
    assert.equal(count('deployments'), 13);
    assert.isAtLeast(count('resources'), 11, 'its resource may change too');
    assert.equal(count('alerts'), 3);
    state = { ...state, state: 'succeeded', finishedAt: '2026-11-20T12:01:00Z' };
    await clock.advance(5_000);
    const before = count('deployments');
    await clock.advance(10 * minute);
    assert.equal(count('deployments') - before, 20);
  });

  it(`refreshes every 30 s what is awaited, and nothing else, without the focus ${covers('F67', 'unit')}`, async () => {
    const { clock, polling, count } = make();
    polling.watch('servers', [alerts]);
    polling.prioritize('sync', [deployments]);
    await clock.advance(10 * minute);
    assert.equal(count('deployments'), 21);
    assert.equal(count('alerts'), 0);
    polling.setFocused(true);
    await clock.advance(minute);
    assert.isAtLeast(count('deployments'), 33);
    polling.setFocused(false);
    polling.prioritize('sync', undefined);
    await clock.advance(hour);
    assert.equal(clock.liveTimers, 0);
  });

  it('does not refresh faster for deployments that have not started, have ended, or run for more than a day', async () => {
    const idle = [
      { state: 'queued' },
      { state: 'failed', startedAt: '2026-11-20T11:00:00Z' },
      { state: 'running', startedAt: '2026-11-18T12:00:00Z' },
      { state: 'running', startedAt: 'yesterday' },
    ];
    const { clock, polling, count } = make({
      listDeployments: () => Promise.resolve({ deployments: idle }),
    });
    polling.setFocused(true);
    polling.watch('sources', [deployments]);
    await clock.advance(5 * minute);
    assert.equal(count('deployments'), 11);
  });

  it('refreshes every 5 s what is awaited, whatever is visible and set, until it has settled', async () => {
    const { clock, polling, count } = make({}, 0);
    polling.setFocused(true);
    polling.prioritize('sync', [deployments, alerts]);
    polling.prioritize('clean-up', [alerts]);
    await clock.advance(minute);
    assert.equal(count('deployments'), 13);
    assert.equal(count('alerts'), 13, 'once for both reasons');
    polling.prioritize('sync', undefined);
    await clock.advance(minute);
    assert.equal(count('deployments'), 13);
    assert.equal(count('alerts'), 25, 'another caller still waits');
    polling.prioritize('clean-up', undefined);
    await clock.advance(hour);
    assert.equal(count('alerts'), 25);
    assert.equal(clock.liveTimers, 0);
  });

  it('backs off from awaited data while it fails', async () => {
    let failures = 0;
    const { clock, polling } = make({
      listDeployments: () => {
        failures++;
        return Promise.reject(httpError(403, 'forbidden'));
      },
    });
    polling.setFocused(true);
    polling.prioritize('sync', [deployments]);
    await clock.advance(minute);
    assert.equal(failures, 3, 'at once, after 10 s and after 20 s more');
    polling.setFocused(false);
    await clock.advance(hour);
    assert.isAtMost(failures, 10, 'after a minute and then up to every ten');
  });

  it('backs off from failures, up to ten minutes, and recovers', async () => {
    let isBroken = true;
    const { clock, polling, asked, count } = make({
      listAlertRules: () =>
        isBroken ? Promise.reject(httpError(403, 'forbidden')) : Promise.resolve({}),
    });
    polling.setFocused(true);
    polling.watch('servers', [alerts, resources]);
    await clock.advance(hour);
    const times = asked.filter(({ what }) => what === 'alerts').map(({ at }) => at);
    assert.deepEqual(times, [0, 60, 180, 420, 900, 1500, 2100, 2700, 3300]);
    assert.equal(count('resources'), 121, 'working requests are not slowed down');
    isBroken = false;
    await clock.advance(10 * minute);
    const before = count('alerts');
    await clock.advance(10 * minute);
    assert.equal(count('alerts') - before, 20);
  });

  it(`requests nothing before the server allows it ${covers('F23', 'unit')}`, async () => {
    let isLimited = true;
    const slow = new ApiError({
      kind: 'http',
      status: 429,
      code: 'slow',
      message: 'slow',
      retryAfter: 10 * minute,
    });
    const { clock, polling, asked } = make({
      listAlertRules: () => (isLimited ? Promise.reject(slow) : Promise.resolve({})),
    });
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    await clock.advance(0);
    isLimited = false;
    polling.watch('sources', [resources, deployments]);
    await clock.advance(10 * minute - 1);
    assert.lengthOf(asked, 1);
    await clock.advance(minute);
    assert.sameMembers(
      [...new Set(asked.map(({ what }) => what))],
      ['alerts', 'resources', 'deployments'],
    );
    assert.isTrue(asked.slice(1).every(({ at }) => at >= 600));
  });

  it('continues with another connection, and waits if there is none', async () => {
    const { clock, polling, store, asked } = make();
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    await clock.advance(0);
    store.reset(undefined);
    await clock.advance(hour);
    assert.lengthOf(asked, 1);
    let others = 0;
    store.reset(
      fakeClient({
        listAlertRules: () => {
          others++;
          return Promise.resolve({});
        },
      }),
    );
    await clock.advance(minute);
    assert.equal(others, 3);
  });

  it('counts requests of others', async () => {
    const { clock, polling, store, asked } = make();
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    await clock.advance(20_000);
    await store.refresh(alerts, 'person');
    await clock.advance(29_000);
    assert.lengthOf(asked, 2);
    await clock.advance(1_000);
    assert.lengthOf(asked, 3);
  });

  it('makes only first requests automatically if the interval is 0', async () => {
    const { clock, polling, asked } = make({}, 0);
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    await clock.advance(hour);
    assert.lengthOf(asked, 1);
  });

  it('refreshes all awaited data only a few times, for any number of answers', async () => {
    const { clock, store } = make();
    store.reset(
      fakeClient({
        // Each answer arrives at a different time.
        listDeployments: () => new Promise((resolve) => clock.setTimer(() => resolve({}), 1)),
      }),
    );
    let looks = 0;
    const polling = new Polling(store, clock, () => (looks++, 30));
    const cacheKeys = Array.from({ length: 600 }, (_, index): CacheKey => ({
      kind: 'deployments',
      resourceId: uuid(100 + index),
    }));
    polling.setFocused(true);
    polling.watch('sources', cacheKeys);
    await clock.advance(20_000);
    assert.isTrue(cacheKeys.every((key) => store.entry(key).value !== undefined));
    assert.isAtMost(looks, 5 * cacheKeys.length);
    polling.dispose();
  });

  it(`does not exceed its budget for a minute, for hundreds of 5 s refreshes ${covers('F70', 'unit')}`, async () => {
    const { clock, polling, store, asked } = make({}, 5);
    const cacheKeys = Array.from({ length: 200 }, (_, index): CacheKey => ({
      kind: 'alerts',
      serverId: uuid(100 + index),
    }));
    polling.setFocused(true);
    polling.watch('servers', cacheKeys);
    await clock.advance(10 * minute);
    for (let from = 0; from < 540; from += 5) {
      const inMinute = asked.filter(({ at }) => at >= from && at < from + 60).length;
      assert.isAtMost(inMinute, requestsPerMinute.awaited);
    }
    assert.isAtLeast(asked.length, 9 * requestsPerMinute.automatic);
    const tries = cacheKeys.map((key) => clock.monotonic() - (store.entry(key).triedAt ?? 0));
    assert.isAtMost(Math.max(...tries), 2 * minute, 'each has its turn');
  });

  it('refreshes at once what the user opens, and soon what is awaited, even if the budget is spent', async () => {
    const { clock, polling, count } = make({}, 5);
    const cacheKeys = Array.from({ length: 200 }, (_, index): CacheKey => ({
      kind: 'alerts',
      serverId: uuid(100 + index),
    }));
    polling.setFocused(true);
    polling.watch('servers', cacheKeys);
    await clock.advance(10 * minute);
    polling.watch('sources', [resources]);
    await clock.advance(0);
    assert.equal(count('resources'), 1);
    polling.watch('sources', undefined);
    polling.prioritize('sync', [resources]);
    await clock.advance(5 * minute);
    assert.isAtLeast(count('resources'), 5);
  });

  it(`ends when it is disposed ${covers('F34', 'unit')}`, async () => {
    const { clock, polling, store, asked } = make();
    polling.setFocused(true);
    polling.watch('servers', [alerts]);
    await clock.advance(0);
    polling.dispose();
    store.reset(undefined);
    polling.watch('servers', [alerts, resources]);
    await clock.advance(hour);
    assert.lengthOf(asked, 1);
    assert.equal(clock.liveTimers, 0);
  });
});
