import { assert } from 'chai';
import type { CallOptions, ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import { requestsPerMinute } from '../../../src/api/requestScheduler';
import { hour, minute, second } from '../../../src/base/clock';
import { Polling } from '../../../src/data/polling';
import { type CacheKey, Store } from '../../../src/data/store';
import { testClient } from '../api/testClient';
import { covers } from '../covers';
import { fakeClock, type FakeClock } from '../fakeClock';
import { fakeClient, httpError } from './fakeClient';
import { uuid } from '../trees/treeText';

const alerts: CacheKey = { kind: 'alerts', id: uuid(1) };
const resources: CacheKey = { kind: 'resources', id: uuid(2) };
const deployments: CacheKey = { kind: 'deployments', id: uuid(3) };

/** A window with the focus, whose server has these answers; everything else has an empty answer. */
function make(given: Partial<ControlPlaneClient> = {}, intervalSeconds = 30) {
  const clock = fakeClock();
  const start = clock.monotonic();
  const store = new Store(clock);
  /** What was requested, when, in seconds, and how. */
  const asked: { what: string; at: number; options: CallOptions }[] = [];
  const remember = (what: string, options: CallOptions): void =>
    void asked.push({ what, at: (clock.monotonic() - start) / 1000, options });
  store.reset(
    fakeClient({
      listAlertRules(request, options) {
        remember('alerts', options);
        return given.listAlertRules?.(request, options) ?? Promise.resolve({});
      },
      listResources(input, options) {
        remember('resources', options);
        return given.listResources?.(input, options) ?? Promise.resolve({});
      },
      listDeployments(input, options) {
        remember('deployments', options);
        return given.listDeployments?.(input, options) ?? Promise.resolve({});
      },
      listIntegrations(_, options) {
        remember('integrations', options);
        return Promise.resolve({});
      },
      queryLogs(_, options) {
        remember('records', options);
        return Promise.reject(httpError(403, 'forbidden'));
      },
    }),
  );
  const polling = new Polling(store, clock, () => intervalSeconds);
  polling.setFocused(true);
  const times = (what: string): number[] =>
    asked.filter((one) => one.what === what).map(({ at }) => at);
  const count = (what: string): number => times(what).length;
  return { clock, store, polling, asked, times, count };
}

describe('Polling', () => {
  it('costs an idle workspace no more requests than allowed in an hour', async () => {
    const { clock, polling, count } = make();
    polling.watch('servers', [alerts]);
    polling.watch('sources', [resources, deployments, alerts]);
    polling.watch('integrations', [{ kind: 'integrations', id: '' }]);
    await clock.advance(hour);
    assert.equal(count('alerts'), 121, 'once at first and every 30 s, for both views together');
    assert.equal(count('resources'), 121);
    assert.equal(count('deployments'), 121);
    assert.equal(count('integrations'), 7, 'every ten minutes');
  });

  it('requests nothing while no view is visible or the window has no focus', async () => {
    const { clock, store, polling: other, asked } = make();
    other.dispose();
    const polling = new Polling(store, clock, () => 30);
    polling.watch('servers', [alerts]);
    await clock.advance(hour);
    assert.lengthOf(asked, 0, 'no focus yet');
    assert.isFalse(polling.hasFocus);
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
    polling.setFocused(false);
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
    polling.watch('sources', [deployments]);
    await clock.advance(5 * minute);
    assert.equal(count('deployments'), 11);
  });

  it('refreshes every 5 s what is awaited, whatever is visible and set, until it has settled', async () => {
    const { clock, polling, count } = make({}, 0);
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
    const { clock, polling, times } = make({
      listDeployments: () => Promise.reject(httpError(403, 'forbidden')),
    });
    polling.prioritize('sync', [deployments]);
    await clock.advance(minute);
    assert.deepEqual(times('deployments'), [0, 10, 30]);
    polling.setFocused(false);
    await clock.advance(hour);
    assert.isAtMost(times('deployments').length, 10, 'after a minute and then up to every ten');
  });

  it('backs off from failures, up to ten minutes, and recovers', async () => {
    let isBroken = true;
    const { clock, polling, times, count } = make({
      listAlertRules: () =>
        isBroken ? Promise.reject(httpError(403, 'forbidden')) : Promise.resolve({}),
    });
    polling.watch('servers', [alerts, resources]);
    await clock.advance(hour);
    assert.deepEqual(times('alerts'), [0, 60, 180, 420, 900, 1500, 2100, 2700, 3300]);
    assert.equal(count('resources'), 121, 'working requests are not slowed down');
    isBroken = false;
    await clock.advance(10 * minute);
    const before = count('alerts');
    await clock.advance(10 * minute);
    assert.equal(count('alerts') - before, 20);
  });

  it(`requests nothing before the server allows it, whoever waits ${covers('F23', 'unit')}`, async () => {
    const { clock, polling, times } = make({
      listAlertRules: () =>
        Promise.reject(
          new ApiError({
            ...{ kind: 'http', status: 429, code: 'slow', message: 'slow' },
            retryAfter: 20 * minute,
          }),
        ),
    });
    polling.watch('servers', [alerts]);
    await clock.advance(20 * minute);
    polling.prioritize('sync', [alerts]);
    await clock.advance(20 * minute);
    assert.deepEqual(times('alerts'), [0, 1200, 2400]);
  });

  it('continues with another connection, and waits if there is none', async () => {
    const { clock, polling, store, asked } = make();
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

  it('does not request what others are requesting, and counts from their answer', async () => {
    const { clock, polling, store, times } = make({
      listAlertRules: () => new Promise((resolve) => clock.setTimer(() => resolve({}), 10_000)),
    });
    void store.refresh(alerts, 'person');
    polling.watch('servers', [alerts]);
    await clock.advance(minute);
    assert.deepEqual(times('alerts'), [0, 40]);
  });

  it('makes only first requests automatically if the interval is 0', async () => {
    const { clock, polling, asked } = make({}, 0);
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
      id: uuid(100 + index),
    }));
    polling.setFocused(true);
    polling.watch('sources', cacheKeys);
    await clock.advance(20_000);
    assert.isTrue(cacheKeys.every((key) => store.entry(key).value !== undefined));
    assert.isAtMost(looks, 5 * cacheKeys.length);
    polling.dispose();
  });

  it('requests as awaited what an empty row or an action needs, and the rest as automatic', async () => {
    const { clock, polling, asked } = make();
    const priorities = () => asked.splice(0).map(({ options }) => options.priority);
    polling.watch('servers', [alerts]);
    await clock.advance(0);
    assert.deepEqual(priorities(), ['awaited']);
    await clock.advance(30 * second);
    assert.deepEqual(priorities(), ['automatic']);
    polling.watch('sources', [{ kind: 'lastRecord', id: uuid(1) }]);
    await clock.advance(0);
    assert.deepEqual(priorities(), ['automatic'], 'no row is empty without it');
    polling.watch('sources', undefined);
    polling.prioritize('sync', [alerts]);
    await clock.advance(5 * second);
    assert.deepEqual(priorities(), ['awaited']);
  });

  it('requests for a person what they open, if it is due or on its way', async () => {
    const { clock, polling, asked } = make();
    polling.watch('servers', [alerts]);
    await clock.advance(20 * second);
    polling.watch('sources', [resources]);
    const { raise } = asked[1]!.options;
    assert.isFalse(raise?.aborted);
    polling.open([alerts, resources, deployments]);
    assert.isTrue(raise.aborted, 'on its way');
    const opened = asked.slice(2).map(({ what, options }) => [what, options.priority]);
    assert.deepEqual(opened, [['deployments', 'person']], 'the alerts are recent');
  });

  it('requests first what was requested longest ago, otherwise in the order of the rows', async () => {
    const { clock, polling, store, asked } = make();
    const names = () => asked.splice(0).map(({ what }) => what);
    polling.watch('servers', [alerts, resources, deployments]);
    assert.deepEqual(names(), ['alerts', 'resources', 'deployments']);
    await clock.advance(second);
    await store.refresh(alerts, 'person');
    polling.setFocused(false);
    await clock.advance(hour);
    asked.length = 0;
    polling.setFocused(true);
    assert.deepEqual(names(), ['resources', 'deployments', 'alerts']);
  });

  it(`ends when it is disposed ${covers('F34', 'unit')}`, async () => {
    const { clock, polling, store, asked } = make();
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

/** A window with the real client of a control plane that answers like this. */
function connected(answer: (clock: FakeClock) => Promise<Response>) {
  const clock = fakeClock();
  const start = clock.monotonic();
  const store = new Store(clock);
  /** When each request was sent, in milliseconds since the start, and its path. */
  const sent: { at: number; path: string }[] = [];
  store.reset(
    testClient({
      baseUrl: 'https://control-plane.example',
      fetch(request) {
        sent.push({ at: clock.monotonic() - start, path: new URL(request.url).pathname });
        return answer(clock);
      },
      clock,
      random: () => 0.5,
    }),
  );
  const polling = new Polling(store, clock, () => 30);
  polling.setFocused(true);
  return { clock, store, polling, sent };
}

/** An answer that never ends, a byte each 19 s. */
function dripping(clock: FakeClock): Promise<Response> {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 19 * second));
      controller.enqueue(new TextEncoder().encode(' '));
    },
  });
  return Promise.resolve(new Response(body));
}

function deploymentsOf(count: number): readonly CacheKey[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'deployments',
    id: uuid(1000 + index),
  }));
}

describe('What a person asks for', () => {
  it(`is sent at once while 250 rows wait for answers that never end, also if it is one of them ${covers('F84', 'unit')}`, async () => {
    const { clock, store, polling, sent } = connected(dripping);
    const rows = deploymentsOf(250);
    polling.watch('sources', rows);
    await clock.advance(minute);
    for (const [key, path] of [
      [resources, `/v1/api/sources/${uuid(2)}/resources`],
      [rows[249]!, `/v1/api/resources/${uuid(1249)}/deployments`],
    ] as const) {
      const before = sent.length;
      void store.refresh(key, 'person');
      await clock.advance(second);
      const paths = sent.slice(before).map((one) => one.path);
      assert.lengthOf(
        paths.filter((one) => one === path),
        1,
      );
    }
    polling.dispose();
  });

  it(`never waits for ever: the rows behind answers that never end have their turn ${covers('F84', 'unit')}`, async () => {
    const { clock, polling, sent } = connected(dripping);
    polling.watch('sources', deploymentsOf(20));
    await clock.advance(10 * minute);
    assert.lengthOf(new Set(sent.map(({ path }) => path)), 20);
    polling.dispose();
  });
});

describe('The budget of a connection', () => {
  it(`is not exceeded by 50 sources, 50 servers and 600 rows at the first look ${covers('F85', 'unit')}`, async () => {
    const { clock, store, polling, sent } = connected(() => Promise.resolve(Response.json({})));
    const keys = Array.from({ length: 50 }, (_, index): CacheKey[] => [
      { kind: 'resources', id: uuid(index) },
      { kind: 'secrets', id: uuid(index) },
      { kind: 'alerts', id: uuid(100 + index) },
    ]).flat();
    const all = [...keys, ...deploymentsOf(600)];
    polling.watch('sources', all);
    await clock.advance(4 * minute);
    for (const { at } of sent) {
      const inMinute = sent.filter((one) => one.at >= at && one.at < at + minute);
      assert.isAtMost(inMinute.length, requestsPerMinute.awaited);
    }
    assert.isTrue(all.every((key) => store.entry(key).value !== undefined));
    polling.dispose();
  });
});
