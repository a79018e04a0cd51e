import { assert } from 'chai';
import { isOfKind } from '../../../../src/activity/entryKind';
import { syncKind } from '../../../../src/actions/kinds/sync';
import { type ActivityEntry, isUnsettled } from '../../../../src/activity/activityEntry';
import type { SyncEntry } from '../../../../src/actions/kinds/sync';
import { syncChoices } from '../../../../src/actions/environmentDeployments';
import { cancelled } from '../../../../src/activity/problems';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { ApiError } from '../../../../src/api/errors';
import type { Deployment } from '../../../../src/api/types';
import { canGiveConsent, SyncConsent } from '../../../../src/actions/syncConsent';
import { workStatus } from '../../../../src/trees/status';
import { covers } from '../../covers';
import { fakeClock, type FakeClock, settle } from '../../fakeClock';
import { httpError } from '../../data/fakeClient';
import { read, scene, uuid } from '../../trees/treeText';
import {
  createDisk,
  type Disk,
  openedWindow,
  openWindow,
  progressOf,
  until,
  type Window,
} from '../../activity/windows';

const request = {
  ...{ sourceId: uuid(20), sourceName: 'shop-web' },
  ...{ environmentId: uuid(30), environmentName: 'production' },
};
const app = uuid(40);
const old: Deployment = { id: uuid(50), state: 'succeeded', createdAt: '2026-11-20T11:00:00Z' };

function deployment(number: number, state: string): Deployment {
  return { id: uuid(number), state, createdAt: '2026-11-20T12:00:05Z' };
}

/** An environment with one app. A test can change its deployments. */
function environment(sync: () => Promise<object>) {
  const server = {
    deployments: [old] as readonly Deployment[],
    resources: { resources: [{ id: app, environment: { id: request.environmentId } }] },
    syncs: 0,
    looks: 0,
  };
  const client: Partial<ControlPlaneClient> = {
    syncEnvironment() {
      server.syncs++;
      return sync();
    },
    listResources: () => Promise.resolve(read('ResourceListing', server.resources)),
    listDeployments() {
      server.looks++;
      return Promise.resolve({ deployments: [...server.deployments] });
    },
  };
  return { server, client };
}

const isSettled = (entry: ActivityEntry): boolean => !isUnsettled(entry);

describe('a sync', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  const openOn = (client: Partial<ControlPlaneClient>) => openedWindow(clock, disk, client);

  async function start(
    window: Window,
    wanted: (entry: ActivityEntry) => boolean,
  ): Promise<SyncEntry> {
    const id = await clock.run(window.activity.start(syncKind, request));
    const entry = await clock.run(until(window, id, wanted));
    assert(isOfKind(entry, syncKind));
    return entry;
  }

  it('is saved with its response, and watched until its deployments end', async () => {
    const { server, client } = environment(() =>
      Promise.resolve({ sync: { state: 'accepted', commitSha: 'abc' } }),
    );
    const window = await openOn(client);
    const { id, sync, before } = await start(
      window,
      ({ progress }) => progress.kind === 'following',
    );
    assert.deepEqual(sync, { state: 'accepted', commitSha: 'abc' });
    assert.deepEqual(before, { [app]: Date.parse(old.createdAt!) });
    server.deployments = [deployment(51, 'building'), old];
    const looks = server.looks;
    await clock.advance(30_000);
    assert.isAtLeast(server.looks - looks, 5, 'every 5 s');
    assert.equal(window.activity.running, 1);
    server.deployments = [deployment(51, 'failed'), old];
    const over = await clock.run(until(window, id, isSettled));
    assert.equal(progressOf(over), 'over');
    assert(isOfKind(over, syncKind));
    assert.deepEqual(
      over.deployments.map((one) => [one.id, one.state]),
      [[uuid(51), 'failed']],
    );
    const settled = server.looks;
    await clock.advance(600_000);
    assert.equal(server.looks, settled, 'polling has stopped');
  });

  it('ends after two minutes without a deployment', async () => {
    const { client } = environment(() => Promise.resolve({}));
    const window = await openOn(client);
    const from = clock.monotonic();
    assert.equal(progressOf(await start(window, isSettled)), 'left nothing');
    assert.closeTo(clock.monotonic() - from, 125_000, 5000);
  });

  it('does not end without deployments while these cannot be loaded', async () => {
    const { client } = environment(() => Promise.resolve({}));
    let isDown = false;
    const window = await openOn({
      ...client,
      listDeployments: (...asked) =>
        isDown ? Promise.reject(httpError(503, 'down')) : client.listDeployments!(...asked),
    });
    const entry = await start(window, ({ progress }) => progress.kind === 'following');
    isDown = true;
    await clock.advance(600_000);
    assert.equal(progressOf(window.activity.find(entry.id)), 'following');
    isDown = false;
    assert.equal(progressOf(await clock.run(until(window, entry.id, isSettled))), 'left nothing');
  });

  describe('whose outcome the control plane tells', () => {
    const syncId = uuid(60);
    type Outcome = Awaited<ReturnType<ControlPlaneClient['getSync']>>;

    /** @param outcomes the answers to one look after the other; the last one stays. */
    async function outcomeOf(sync: object, outcomes: readonly Outcome[], isPaused = false) {
      const { client, server } = environment(() =>
        Promise.resolve({ sync: { id: syncId, ...sync } }),
      );
      const asked: unknown[] = [];
      const window = await openOn({
        ...client,
        getSync(input) {
          asked.push(input);
          return Promise.resolve(outcomes[Math.min(asked.length, outcomes.length) - 1]);
        },
        listEnvironments: () =>
          Promise.resolve({
            environments: [{ id: request.environmentId, autoDeployPaused: isPaused }],
          }),
      });
      const entry = await start(window, isSettled);
      return { entry, asked, server, words: syncKind.words(entry, scene({}).context) };
    }

    it('says at once that it only imported the configuration', async () => {
      const { entry, asked, words } = await outcomeOf({ deployAfterSync: false }, [
        { sync: { id: syncId, status: 'running' } },
        { sync: { id: syncId, status: 'succeeded', finishedAt: '2026-11-20T12:00:09Z' } },
      ]);
      assert.equal(progressOf(entry), 'over');
      assert.equal(words, 'configuration imported');
      assert.deepEqual(asked, Array(2).fill({ sourceId: request.sourceId, syncId }));
    });

    it('says what is wrong with the configuration, and that no deployment comes', async () => {
      const issues = [
        { path: ['apps', 'web', 'port'], message: 'must be a number' },
        { message: 'no such server' },
      ];
      const { entry, words } = await outcomeOf({}, [{ sync: { status: 'failed', issues } }]);
      assert.equal(progressOf(entry), 'over');
      assert.equal(
        words,
        'the configuration was not imported: apps.web.port: must be a number · 1 more problem',
      );
      assert.equal(syncKind.status(entry).rank, workStatus('failed').rank);
      const problems = syncKind
        .details(entry, scene({}).context)
        .filter(({ label }) => label === 'Problem');
      assert.deepEqual(
        problems.map(({ value }) => value),
        ['apps.web.port: must be a number', 'no such server'],
      );
    });

    it('says that automatic deployment is paused now', async () => {
      const succeeded = { sync: { status: 'succeeded' } };
      const { words } = await outcomeOf({ deployAfterSync: false }, [succeeded], true);
      assert.equal(words, 'configuration imported · automatic deployment is paused');
    });

    it('still waits for the deployments that it may start', async () => {
      const { entry, words } = await outcomeOf({}, [{ sync: { status: 'succeeded' } }]);
      assert.equal(progressOf(entry), 'left nothing');
      assert.equal(words, 'configuration imported');
    });

    it('is watched as ever where the control plane does not tell it', async () => {
      const { entry, words } = await outcomeOf({}, [undefined]);
      assert.equal(progressOf(entry), 'left nothing');
      assert.equal(words, '');
    });
  });

  describe(`whose look-up before it was slow or refused ${covers('F86', 'unit')}`, () => {
    const later = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.setTimer(resolve, ms));

    /** Deploys when it is synced, as a server does, and answers look-ups as a test says. */
    function deploying(lookUps: Partial<ControlPlaneClient>) {
      const made = environment(() => {
        made.server.deployments = [deployment(51, 'succeeded'), old];
        return Promise.resolve({});
      });
      return { ...made.client, ...lookUps };
    }

    const seen = (entry: ActivityEntry): string[] =>
      isOfKind(entry, syncKind) ? entry.deployments.map(({ id = '' }) => id) : [];

    it('shows its deployments if the answers took six and nine seconds', async () => {
      const given = environment(() => Promise.resolve({}));
      const slow = deploying({});
      const window = await openOn({
        ...slow,
        listResources: async (...asked) => (
          await later(6000),
          given.client.listResources!(...asked)
        ),
        listDeployments: async (...asked) => (await later(9000), slow.listDeployments!(...asked)),
      });
      const over = await start(window, isSettled);
      assert.equal(progressOf(over), 'over');
      assert.deepEqual(seen(over), [uuid(51)]);
    });

    for (const failing of ['listResources', 'listDeployments'] as const) {
      it(`shows its deployments if ${failing} failed with 503 until it was sent`, async () => {
        const client = deploying({});
        const begin = clock.now();
        const answer = (client[failing] as () => Promise<never>).bind(client);
        const window = await openOn({
          ...client,
          [failing]: () =>
            clock.now() - begin < 12_000 ? Promise.reject(httpError(503, 'down')) : answer(),
        });
        const over = await start(window, isSettled);
        assert.equal(progressOf(over), 'over');
        assert.deepEqual(seen(over), [uuid(51)]);
      });
    }

    for (const minutes of [-10, 10]) {
      it(`shows only its deployments if the clock here is ${minutes} minutes off`, async () => {
        clock.jump(minutes * 60_000);
        const ended = { state: 'succeeded', createdAt: '2026-11-20T11:59:55Z' };
        const client = deploying({});
        let looks = 0;
        const window = openWindow(clock, disk, {
          ...client,
          async listDeployments(...asked) {
            if (looks++ === 0) await later(11_000);
            const { deployments = [] } = await client.listDeployments!(...asked);
            return { deployments: [...deployments, { ...ended, id: uuid(49) }] };
          },
        });
        window.serverAhead = -minutes * 60_000;
        await clock.run(window.open());
        assert.deepEqual(seen(await start(window, isSettled)), [uuid(51)]);
      });
    }

    it('shows a running deployment although the clock of the server is not known', async () => {
      clock.jump(600_000);
      const client = deploying({});
      let looks = 0;
      const window = await openOn({
        ...client,
        async listDeployments(...asked) {
          if (looks++ === 0) await later(11_000);
          const { deployments = [] } = await client.listDeployments!(...asked);
          const state = looks < 4 ? 'deploying' : 'succeeded';
          return { deployments: deployments.map((one) => (one === old ? one : { ...one, state })) };
        },
      });
      assert.deepEqual(seen(await start(window, isSettled)), [uuid(51)]);
    });
  });

  it('is unknown and never sent again automatically without a response', async () => {
    const { server, client } = environment(() =>
      Promise.reject(new ApiError({ kind: 'network', code: 'reset', message: '' })),
    );
    const window = await openOn(client);
    const { id } = await start(window, isSettled);
    server.deployments = [deployment(51, 'succeeded'), old];
    await clock.advance(24 * 3_600_000);
    await window.activity.close();
    const next = await openOn(client);
    next.activity.sendAgain(id);
    await clock.advance(3_600_000);
    assert.equal(server.syncs, 1);
    const entry = next.activity.find(id);
    assert.equal(progressOf(entry), 'unknown noAnswer');
    assert(isOfKind(entry, syncKind));
    assert.lengthOf(entry.deployments, 1, 'new deployments are still shown');
  });

  it(`is never sent again if its window closed meanwhile ${covers('F44', 'unit')}`, async () => {
    const { server, client } = environment(() => new Promise(() => undefined));
    const window = await openOn(client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    const text = disk.files.get(id)!;
    disk.files.clear();
    const crashed = createDisk();
    crashed.files.set(id, text);
    const next = openWindow(clock, crashed, client);
    await clock.run(next.open());
    const entry = await clock.run(until(next, id, ({ progress }) => progress.kind === 'unknown'));
    await clock.advance(3_600_000);
    assert.equal(progressOf(entry), 'unknown interrupted');
    assert.equal(server.syncs, 1);
  });

  it('is sent again only after a 429, when Retry-After is over', async () => {
    const busy = {
      kind: 'http',
      status: 429,
      code: 'busy',
      message: '',
      retryAfter: 9000,
    } as const;
    const answers: (() => Promise<object>)[] = [
      () => Promise.reject(new ApiError(busy)),
      () => Promise.resolve({}),
    ];
    const { server, client } = environment(() => answers.shift()!());
    const window = await openOn(client);
    const from = clock.monotonic();
    await start(window, ({ progress }) => progress.kind === 'following');
    assert.equal(server.syncs, 2);
    assert.isAtLeast(clock.monotonic() - from, 9000);
  });

  it('is not sent if it is cancelled before', async () => {
    const { server, client } = environment(() => Promise.resolve({}));
    const window = await openOn({
      ...client,
      listResources: () => new Promise(() => undefined),
    });
    const { id } = await start(window, ({ progress }) => progress.kind === 'preparing');
    await settle();
    const from = clock.monotonic();
    window.activity.stop(id);
    const { progress } = await clock.run(until(window, id, isSettled));
    assert.equal(clock.monotonic(), from, 'at once');
    assert.deepEqual(progress, { kind: 'refused', problem: cancelled });
    assert.equal(server.syncs, 0);
  });

  it('is not sent if its window closed before', async () => {
    const { server, client } = environment(() => Promise.resolve({}));
    const never = { ...client, listResources: () => new Promise<never>(() => undefined) };
    const window = await openOn(never);
    const { id } = await start(window, ({ progress }) => progress.kind === 'preparing');
    await settle();
    await clock.run(window.activity.close());
    const next = await openOn(client);
    const { progress } = await clock.run(until(next, id, isSettled));
    assert.deepEqual(progress, { kind: 'refused', problem: cancelled });
    await clock.advance(60_000);
    assert.equal(server.syncs, 0);
  });

  it('is sent without the permission to read deployments, but not watched', async () => {
    const { client } = environment(() => Promise.resolve({ sync: { state: 'accepted' } }));
    const forbidden = (): Promise<never> => Promise.reject(httpError(403, 'forbidden'));
    const window = await openOn({ ...client, listResources: forbidden });
    assert.equal(progressOf(await start(window, isSettled)), 'left noPolling');
  });
});

describe('syncChoices', () => {
  it('contains connected environments with an id once, with their number of resources', async () => {
    const gone = { id: uuid(31), disconnectedAt: '2026-11-19T12:00:00Z' };
    const own = { id: uuid(30), name: 'production', branch: 'main' };
    const resources = [
      { id: app, environment: own },
      { id: uuid(41), environment: { ...own, id: own.id.toUpperCase() } },
      { id: uuid(42), environment: gone },
      { id: uuid(43), environment: { id: 'no uuid' } },
      { id: uuid(44) },
    ];
    const { store, load } = scene({
      listResources: () => Promise.resolve(read('ResourceListing', { resources })),
    });
    await load({ kind: 'resources', id: request.sourceId });
    assert.deepEqual(
      syncChoices(store, request.sourceId).map((one) => ({ ...one, environmentId: 'id' })),
      [{ environmentId: 'id', name: 'production', branch: 'main', resources: 2 }],
    );
    assert.isEmpty(syncChoices(store, uuid(21)));
  });
});

describe('A sync', () => {
  const target = {
    sourceId: '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01',
    environmentId: '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a02',
  };
  const request = {
    target,
    environmentName: 'staging',
    isPicked: true,
    isRunning: false,
    isNamedByOthers: false,
    pausesDeployment: false,
  };
  function consentOf(name: string, storage = new Map<string, unknown>()) {
    const connection = { name, baseUrl: 'https://control.example' };
    return new SyncConsent(
      { state: { kind: 'signedOut', connection } as never },
      {
        get: (key) => storage.get(key),
        update: (key, value) => Promise.resolve(void storage.set(key, value)),
      },
    );
  }

  it('asks until the user wants no question for the environment', () => {
    const consent = consentOf('one');
    assert.isFalse(consent.isGiven(request));
    consent.give(target);
    assert.isTrue(consent.isGiven(request));
    const other = { ...target, environmentId: target.sourceId };
    assert.isFalse(consent.isGiven({ ...request, target: other }), 'another environment');
  });

  it('asks again in all environments of the connection after the user took that back', () => {
    const storage = new Map<string, unknown>();
    const [one, two] = [consentOf('one', storage), consentOf('two', storage)];
    const changes: boolean[] = [];
    one.onDidChange(() => changes.push(one.isAny));
    assert.isFalse(one.isAny);
    one.give(target);
    one.give({ ...target, environmentId: target.sourceId });
    two.give(target);
    assert.isTrue(one.covers(target));
    one.withdraw();
    assert.isFalse(one.isGiven(request));
    assert.isFalse(one.covers(target));
    assert.deepEqual(changes, [true, true, false]);
    assert.isTrue(two.isGiven(request), 'another connection');
  });

  it('asks again in the environment that is the oldest of more than a hundred', () => {
    const consent = consentOf('one');
    const environment = (index: number) => ({ ...target, environmentId: String(index) });
    for (let index = 0; index < 100; index++) consent.give(environment(index));
    for (let times = 0; times < 100; times++) consent.give(environment(1));
    assert.isTrue(consent.covers(environment(0)), 'once for each environment');
    consent.give(environment(100));
    assert.isFalse(consent.covers(environment(0)));
    assert.isTrue(consent.covers(environment(1)));
  });

  it('asks on another connection', () => {
    const storage = new Map<string, unknown>();
    consentOf('one', storage).give(target);
    assert.isTrue(consentOf('one', storage).isGiven(request));
    assert.isFalse(consentOf('two', storage).isGiven(request));
  });

  it('asks if what is stored is not valid', () => {
    const storage = new Map<string, unknown>([['syncsWithoutQuestion', 'all']]);
    assert.isFalse(consentOf('one', storage).isGiven(request));
  });

  for (const [why, change] of [
    ['if an argument names the environment', { isPicked: false }],
    ['if another one is running', { isRunning: true }],
    ['if a folder or another program names the source', { isNamedByOthers: true }],
    ['if it pauses the automatic deployment', { pausesDeployment: true }],
    ['if the name of the environment is not known', { environmentName: undefined }],
    ...['production', 'Prod', 'eu-prod-1', 'PRD', 'live', 'live_2', 'main', 'shop/master'].map(
      (environmentName) => [`in ${environmentName}`, { environmentName }] as const,
    ),
  ] as const) {
    it(`always asks ${why}`, () => {
      const consent = consentOf('one');
      consent.give(target);
      assert.isFalse(consent.isGiven({ ...request, ...change }));
      assert.isFalse(canGiveConsent({ ...request, ...change }));
    });
  }

  for (const environmentName of ['staging', 'delivery', 'domain', 'test', 'mainframe']) {
    it(`can be sent without a question in ${environmentName}`, () => {
      assert.isTrue(canGiveConsent({ ...request, environmentName }));
    });
  }
});
