import { assert } from 'chai';
import {
  appsWithout,
  completeBaselines,
  deploymentsSince,
  environmentKeys,
  pausesDeployment,
  readLastDeployed,
  resourcesOf,
  syncChoices,
} from '../../../src/actions/environmentDeployments';
import {
  environmentNames,
  isNamedByOthers,
  type NamedTarget,
  namedServer,
  namedSource,
  resourceCount,
  resourceNames,
} from '../../../src/actions/targetNames';
import { newestFirst } from '../../../src/data/deployments';
import { serverName, sourceName } from '../../../src/data/labels';
import type { Deployment } from '../../../src/api/types';
import { covers } from '../covers';
import { httpError } from '../data/fakeClient';
import { read, scene, uuid } from '../trees/treeText';

const sourceId = uuid(20);
const environment = { id: 'AAAAAAAA-0000-4000-8000-000000000001', name: 'production' };
const other = { id: uuid(31), name: 'staging' };
const target = { sourceId, environmentId: environment.id.toLowerCase() };
const [web, job, gone, elsewhere] = [uuid(40), uuid(41), uuid(42), uuid(43)];
const start = Date.parse('2026-11-20T11:00:00Z');

function at(minutes: number, more: object = {}): Deployment {
  const createdAt = new Date(start + minutes * 60_000).toISOString();
  return read('DeploymentListing', {
    deployments: [{ id: uuid(100 + minutes), createdAt, ...more }],
  }).deployments![0]!;
}

/** A source with two environments and the deployments of each resource. */
function shop(deployments: Readonly<Record<string, readonly Deployment[] | 'down'>> = {}) {
  const resources = [
    { id: web, name: 'web-api', kind: 'app', environment },
    { id: web, name: 'web-api', kind: 'app', environment },
    { id: job, kind: 'Job', environment },
    { id: gone, kind: 'app', environment, archivedAt: '2026-11-01T00:00:00Z' },
    { id: 'no uuid', kind: 'app', environment },
    { id: elsewhere, kind: 'app', environment: other },
    { id: uuid(44), kind: 'app' },
    {
      id: uuid(45),
      environment: { id: uuid(32), name: 'old', disconnectedAt: '2026-11-01T00:00:00Z' },
    },
  ];
  const made = scene({
    listResources: () => Promise.resolve(read('ResourceListing', { resources })),
    listDeployments({ resourceId }) {
      const all = deployments[resourceId] ?? [];
      if (all === 'down') return Promise.reject(httpError(403, 'forbidden'));
      return Promise.resolve({ deployments: [...all] });
    },
  });
  const loaded = async (): Promise<typeof made> => {
    await made.load({ kind: 'resources', id: sourceId });
    await made.load(...environmentKeys(made.store, target));
    return made;
  };
  return { ...made, loaded };
}

describe('the environments that a control plane lists', () => {
  const listed = [
    { id: other.id, name: 'staging', branch: 'next', autoDeployPaused: false },
    { id: uuid(33), name: 'gone', disconnectedAt: '2026-11-01T00:00:00Z' },
    { id: environment.id, name: 'production', autoDeployPaused: true },
  ];
  async function shown() {
    const { store, load } = scene({
      listResources: () => Promise.resolve(read('ResourceListing', { resources: [] })),
      listEnvironments: () => Promise.resolve(read('EnvironmentListing', { environments: listed })),
    });
    await load({ kind: 'resources', id: sourceId }, { kind: 'environments', id: sourceId });
    return store;
  }

  it('can be synced without resources', async () => {
    assert.deepEqual(syncChoices(await shown(), sourceId), [
      { environmentId: other.id, name: 'staging', branch: 'next', resources: 0 },
      { environmentId: environment.id, name: 'production', branch: undefined, resources: 0 },
    ]);
  });

  it('are paused by a sync with a key that may not deploy, unless they are', async () => {
    const store = await shown();
    const staging = { sourceId, environmentId: other.id.toUpperCase() };
    assert.isTrue(pausesDeployment(store, staging, ['repository.sync']));
    assert.isFalse(pausesDeployment(store, staging, ['deployment.create']));
    assert.isFalse(pausesDeployment(store, staging, undefined), 'it does not say');
    assert.isFalse(pausesDeployment(store, target, []), 'it is paused');
    const unknown = { sourceId, environmentId: uuid(99) };
    assert.isFalse(pausesDeployment(store, unknown, []));
  });
});

describe('an environment', () => {
  it('has each of its resources once, with ids in any case', async () => {
    const { store } = await shop().loaded();
    assert.deepEqual(resourcesOf(store, target), [web, job, gone]);
    assert.deepEqual(
      environmentKeys(store, target).map((key) => Object.values(key).join(' ')),
      [`resources ${sourceId}`, ...[web, job, gone].map((id) => `deployments ${id}`)],
    );
    assert.isEmpty(resourcesOf(store, { ...target, environmentId: uuid(99) }));
    assert.isEmpty(resourcesOf(store, { ...target, sourceId: uuid(98) }));
  });

  it('has at most fifty resources, to limit the load on the server', async () => {
    const resources = Array.from({ length: 60 }, (_, index) => ({ id: uuid(index), environment }));
    const many = scene({
      listResources: () => Promise.resolve(read('ResourceListing', { resources })),
    });
    await many.load({ kind: 'resources', id: sourceId });
    assert.lengthOf(resourcesOf(many.store, target), 50);
  });

  it('can be selected for a sync while it is connected, with name and size', async () => {
    const { store, context } = await shop().loaded();
    assert.deepEqual(syncChoices(store, sourceId), [
      { environmentId: environment.id, name: 'production', branch: undefined, resources: 5 },
      { environmentId: other.id, name: 'staging', branch: undefined, resources: 1 },
    ]);
    assert.equal(environmentNames(context, target).environmentName, 'production');
    assert.equal(resourceCount(context, target), 5);
    assert.deepEqual(resourceNames(context, target).slice(0, 1), ['web-api']);
    const unknown = { sourceId, environmentId: uuid(77) };
    assert.equal(environmentNames(context, unknown).environmentName, uuid(77).slice(0, 8));
    assert.equal(resourceCount(context, unknown), 0);
  });

  it('has the given names of its source and servers, and who gave them', () => {
    const own = { id: uuid(1), label: 'fra' };
    const shared = { id: uuid(2), label: 'prod', isOfWorkspace: true };
    const added = { id: uuid(4), label: 'ci', labelledBy: 'program' } as const;
    const all = [own, shared, added];
    const { context } = scene({}, { servers: all, sources: all });
    for (const named of [namedServer, namedSource]) {
      assert.include(named(context, uuid(1).toUpperCase()), {
        ...{ id: uuid(1), name: 'fra', namedBy: 'user' },
      });
      assert.include(named(context, uuid(4)), { name: 'ci', namedBy: 'program' });
      assert.include(named(context, uuid(2)), { name: 'prod', namedBy: 'folder' });
      assert.include(named(context, uuid(3)), { id: uuid(3), namedBy: 'api' });
    }
    assert.deepEqual(
      ['user', 'folder', 'program', 'api'].filter((namedBy) =>
        isNamedByOthers({ namedBy } as NamedTarget),
      ),
      ['folder', 'program'],
    );
  });

  describe('on a server', () => {
    const serverId = uuid(7);

    /** Whether a server counts as production that the user calls `label`. */
    async function isLikeProduction(label: string, resource: object, rule = {}): Promise<boolean> {
      const { context, load } = scene(
        {
          listResources: () =>
            Promise.resolve(read('ResourceListing', { resources: [{ id: web, ...resource }] })),
          listAlertRules: () =>
            Promise.resolve(
              read('AlertListing', { workloads: [{ id: web.toUpperCase() }], rules: [rule] }),
            ),
        },
        { servers: [{ id: serverId, label }], sources: [{ id: sourceId }] },
      );
      await load({ kind: 'resources', id: sourceId }, { kind: 'alerts', id: serverId });
      return namedServer(context, serverId).isLikeProduction;
    }

    it(`counts as production by any name that it or what runs there has, whatever its label is ${covers('F109', 'unit')}`, async () => {
      assert.isTrue(await isLikeProduction('production eu-1', {}));
      assert.isTrue(await isLikeProduction('ci scratch', { config: { server: 'prod-1' } }));
      assert.isTrue(await isLikeProduction('ci scratch', { environment }));
      assert.isTrue(await isLikeProduction('ci scratch', {}, { environment: 'production' }));
      assert.isFalse(await isLikeProduction('ci scratch', { environment: other }));
      const isUnknown = await isLikeProduction('ci scratch', { id: uuid(46), environment: other });
      assert.isTrue(isUnknown, 'what runs there is not known');
    });
  });
});

describe('the deployments since a sync', () => {
  it('are those after the last ones before, newest first', async () => {
    const { store } = await shop({
      [web]: [at(1), at(5), at(3)],
      [job]: [at(2), at(4)],
    }).loaded();
    const since = (before: Readonly<Record<string, number>>): unknown[] =>
      deploymentsSince(store, target, before).map(({ id }) => id);
    const times = (...all: number[]): string[] => all.map((minutes) => uuid(100 + minutes));
    assert.deepEqual(since({ [web]: start, [job]: start }), times(5, 4, 3, 2, 1));
    assert.deepEqual(since({ [web]: start + 180_000, [job]: start }), times(5, 4, 2));
    assert.deepEqual(since({ [job]: start }), times(4, 2), 'the other was never read');
  });

  it('are those of this environment, if a deployment names its environment', async () => {
    const { store } = await shop({
      [web]: [
        at(1, { targetEnvironment: { id: environment.id } }),
        at(2, { targetEnvironment: { id: other.id } }),
        { id: uuid(150) },
      ],
    }).loaded();
    assert.deepEqual(
      deploymentsSince(store, target, { [web]: start }).map(({ id }) => id),
      [uuid(101)],
    );
    const untimed = { id: uuid(1) };
    assert.deepEqual(newestFirst([untimed, at(1)]), [at(1), untimed], 'without a time it is last');
  });

  it('are missing for apps without a new one; jobs and archived apps do not count', async () => {
    const { store } = await shop({ [web]: [at(1)] }).loaded();
    assert.deepEqual(appsWithout(store, target, { [web]: start + 60_000 }), [web]);
    assert.deepEqual(appsWithout(store, target, { [web]: start }), []);
  });
});

describe('completeBaselines', () => {
  const sentAt = start + 240_000;
  const complete = async (
    deployments: readonly Deployment[],
    before: Readonly<Record<string, number>> = {},
    isRead = true,
  ): Promise<Readonly<Record<string, number>>> => {
    const { store } = await shop({ [web]: deployments }).loaded();
    return completeBaselines(store, { ...target, before, sentAt }, (id) => isRead && id === web);
  };

  it(`adds the last deployment before the sync was sent, from the first answer after it ${covers('F86', 'unit')}`, async () => {
    assert.deepEqual(await complete([at(1), at(3), at(5)]), { [web]: start + 180_000 });
    assert.deepEqual(await complete([]), { [web]: 0 });
    assert.deepEqual(await complete([at(5)]), { [web]: 0 });
  });

  it('leaves out a running deployment: whether it is older depends on two clocks', async () => {
    const going = { state: 'building' };
    assert.deepEqual(await complete([at(1), at(3, going)]), { [web]: start + 60_000 });
    const ended = { ...going, finishedAt: '2026-11-20T11:03:30Z' };
    assert.deepEqual(await complete([at(1), at(3, ended)]), { [web]: start + 180_000 });
    const odd = { state: 'active' };
    assert.deepEqual(await complete([at(3, odd)]), { [web]: start + 180_000 }, 'not known to run');
  });

  it('changes no baseline, and adds none without an answer', async () => {
    const before = { [web]: 7 };
    assert.strictEqual(await complete([at(3)], before), before);
    assert.deepEqual(await complete([at(3)], {}, false), {});
  });
});

describe('readLastDeployed', () => {
  const { signal } = new AbortController();

  it('returns when each resource was last deployed', async () => {
    const { store, clock } = shop({ [web]: [at(1), at(5)], [job]: 'down' });
    assert.deepEqual(await clock.run(readLastDeployed(store, target, clock, signal)), {
      [web]: start + 300_000,
      [gone]: 0,
    });
  });

  it('returns nothing if the resources cannot be listed', async () => {
    const { store, clock } = scene({});
    assert.isEmpty(await clock.run(readLastDeployed(store, target, clock, signal)));
  });

  it('takes ten seconds at most', async () => {
    const slow = scene({ listResources: () => new Promise(() => undefined) });
    const looked = readLastDeployed(slow.store, target, slow.clock, signal);
    const from = slow.clock.monotonic();
    assert.isEmpty(await slow.clock.run(looked));
    assert.equal(slow.clock.monotonic() - from, 10_000);
  });

  it('ends when it is cancelled, and leaves no timer', async () => {
    const { store, clock } = shop({});
    const button = new AbortController();
    const looked = readLastDeployed(store, target, clock, button.signal).catch(
      (error: unknown) => error,
    );
    button.abort('cancelled');
    assert.equal(await clock.run(looked), 'cancelled');
    assert.equal(clock.liveTimers, 0);
  });
});

describe('an environment that is not loaded', () => {
  it('has short ids as names, no resources and no deployments', () => {
    const { context, store } = scene({}, { servers: [{ id: uuid(1), label: 'fra' }] });
    assert.deepEqual(environmentNames(context, target), {
      sourceName: sourceId.slice(0, 8),
      environmentName: target.environmentId.slice(0, 8),
    });
    assert.equal(sourceName(context, sourceId), sourceId.slice(0, 8));
    assert.equal(serverName(context, uuid(1)), 'fra');
    assert.equal(serverName(context, uuid(2)), uuid(2).slice(0, 8));
    assert.isEmpty(resourceNames(context, target));
    assert.equal(resourceCount(context, target), 0);
    assert.isEmpty(resourcesOf(store, target));
    assert.isEmpty(appsWithout(store, target, {}));
    assert.isEmpty(deploymentsSince(store, target, {}));
    assert.isEmpty(syncChoices(store, sourceId));
  });

  it('has no deployments if only its resources are loaded', async () => {
    const { store } = await shop().loaded();
    assert.isEmpty(deploymentsSince(store, target, {}));
    assert.deepEqual(appsWithout(store, target, {}), [web]);
  });
});
