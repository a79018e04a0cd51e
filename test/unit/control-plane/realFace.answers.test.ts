import { assert } from 'chai';
import { endStates, runningStates } from '../../control-plane/real/schemas';
import { fakeClock, type FakeClock } from '../fakeClock';
import { Harness, type Asked } from './harness';

type Json = Record<string, unknown>;
type Row = Json & { readonly id: string; readonly name: string };

const post = { method: 'POST' };

describe('The real face of the embedded control plane', () => {
  let harness: Harness;
  let clock: FakeClock;

  beforeEach(() => {
    clock = fakeClock();
    const unkind = { perMinute: { key: 100_000, workspace: 100_000 } };
    harness = Harness.inMemory({ clock, like: 'real', unkind });
  });
  afterEach(async () => {
    assert.deepEqual(harness.server.admin.takeReports(), []);
    await harness.server.close();
  });

  const ask = async (path: string, asked?: Asked): Promise<Json> => {
    const { status, json } = await harness.ask(path, asked);
    assert.oneOf(status, [200, 202], `${path} ${JSON.stringify(json)}`);
    return json as Json;
  };
  const rows = async (path: string): Promise<Row[]> => {
    const member = path.split('?')[0]!.split('/').at(-1)!;
    return (await ask(path))[member] as Row[];
  };
  const sourceNamed = (name: string) => {
    const { id, environmentId } = harness.server.world.sources.find((one) => one.name === name)!;
    return { path: `/sources/${id}`, environmentId };
  };
  const shopWeb = (): string => sourceNamed('shop-web').path;
  const appNamed = async (name: string, environment = 'production'): Promise<Row> => {
    const apps = (
      await Promise.all(harness.server.world.sources.map(({ id }) => rows(`/sources/${id}/apps`)))
    ).flat();
    return apps.find(
      (one) => one.name === name && (one['environment'] as Row).name === environment,
    )!;
  };

  it('has apps apart from databases, with deployments of their own', async () => {
    const kinds = async (path: string): Promise<unknown[]> =>
      (await rows(path)).map((one) => `${String(one['kind'])} ${one.name}`).sort();
    assert.deepEqual(await kinds(`${shopWeb()}/resources`), ['redis sessions']);
    assert.deepEqual(await kinds(`${shopWeb()}/apps`), [
      ...['app order-worker', 'app order-worker', 'app storefront', 'app storefront'],
      ...['app web-api', 'app web-api'],
    ]);
    const app = await appNamed('web-api', 'staging');
    const [store] = await rows(`${shopWeb()}/resources`);
    for (const [path, outcome] of [
      [`/apps/${app.id}/deployments`, '200'],
      [`/resources/${store!.id}/deployments`, '200'],
      [`/resources/${app.id}/deployments`, '404 NOT_FOUND'],
      [`/apps/${store!.id}/deployments`, '404 NOT_FOUND'],
    ] as const) {
      assert.equal(await harness.outcome(path), outcome);
    }
    const own = await rows(`/apps/${app.id}/deployments`);
    const all = await rows(`${shopWeb()}/deployments`);
    assert.includeDeepMembers(all, own);
    assert.sameMembers(
      [...new Set(all.map((one) => one['appId']))],
      [...(await rows(`${shopWeb()}/apps`)), store!].map(({ id }) => id),
    );
    const created = all.map((one) => String(one['createdAt']));
    assert.deepEqual(created, [...created].sort().reverse());
  });

  it('says production of every deployment that is no preview, and lists previews elsewhere', async () => {
    const { path } = sourceNamed('shop-web');
    const deployments = await rows(`${path}/deployments`);
    for (const member of ['gitRef', 'hostname'] as const) {
      assert.isTrue(deployments.every((one) => one[member] === null));
    }
    assert.isTrue(deployments.every((one) => one['environment'] === 'production'));
    const targets = deployments.map((one) => (one['targetEnvironment'] as Row).name);
    assert.sameMembers([...new Set(targets)], ['production', 'staging']);
    const previews = await rows(`${path}/previews`);
    assert.deepEqual(
      previews.map((one) => one['branch']),
      ['feature/checkout-v2', 'fix/cart-badge'],
    );
    const [one] = previews;
    assert.notInclude(
      deployments.map(({ id }) => id),
      one!['latestDeploymentId'],
    );
    assert.deepEqual(await rows(`/apps/${String(one!['appId'])}/previews`), [one!]);
  });

  it('passes a deployment through every state, and computes its trigger', async () => {
    const { admin } = harness.server;
    const { id } = await appNamed('web-api');
    const end = 'succeeded_with_warnings';
    const steps = [...runningStates.slice(1), end].map((state, index) => ({
      afterSeconds: index + 1,
      state,
    }));
    const deployment = admin.deploy(id, { trigger: 'push' }, steps);
    const seen: unknown[] = [];
    let last: Json = {};
    for (let second = 0; second <= steps.length; second++) {
      last = (await ask(`/deployments/${deployment}`))['deployment'] as Json;
      seen.push(last['state']);
      await clock.advance(1000);
    }
    assert.deepEqual(seen, [...runningStates, end]);
    assert.equal(last['trigger'], 'auto_deploy');
    assert.isString(last['finishedAt']);
    const triggers = (await rows(`${shopWeb()}/deployments`)).map((one) => one['trigger']);
    assert.sameMembers([...new Set(triggers)], ['auto_deploy', 'manual', 'rollback']);
    const states = new Set((await rows('/deployments')).map((one) => one['state']));
    assert.containsAllKeys(Object.fromEntries([...states].map((one) => [one, 1])), [
      ...endStates,
      'waiting_for_server',
    ]);
    const key = { headers: { 'idempotency-key': 'k' } };
    const deploy = (more: Asked): Promise<Json> =>
      ask(`/apps/${id}/actions/deploy`, { ...post, ...key, ...more });
    const first = await deploy({});
    assert.deepInclude(first['deployment'], { state: 'queued', trigger: 'manual' });
    assert.isFalse(first['replayed']);
    assert.isTrue((await deploy({ key: 'demo-team' }))['replayed']);
  });

  it('lists environments without databases or apps, and the secrets of one of them at a time', async () => {
    const names = async (name: string): Promise<string[]> =>
      (await rows(`${sourceNamed(name).path}/environments`)).map((one) => one.name);
    assert.deepEqual(await names('shop-web'), ['production', 'staging']);
    assert.deepEqual(await names('data-platform'), ['production', 'experiments']);
    const secrets = `${sourceNamed('shop-services').path}/secrets`;
    const all = ['production', 'preview:production', 'staging', 'preview:staging'];
    for (const [query, environment, missing] of [
      ['', 'production', []],
      ['?environment=staging', 'staging', ['SMTP_PASSWORD']],
      ['?environment=preview:staging', 'preview:staging', undefined],
    ] as const) {
      const { environments, bindings, canManageSecrets } = await ask(secrets + query);
      assert.deepEqual(environments, all);
      assert.isTrue(canManageSecrets);
      const own = bindings as Json[];
      assert.deepEqual(
        own.map((one) => [one['environment'], one['stage']]),
        ['build', 'deployment', 'pre_deploy', 'post_deploy'].map((stage) => [environment, stage]),
      );
      assert.isNotEmpty(own[1]!['keys']);
      assert.deepEqual(own[1]!['missingKeys'], missing ?? own[1]!['keys']);
    }
    assert.isFalse((await ask(secrets, { key: 'demo-team' }))['canManageSecrets']);
    const unknown = await harness.outcome(`${secrets}?environment=qa`);
    assert.equal(unknown, '422 SECRET_ENVIRONMENT_MISMATCH');
    // Its only environment is disconnected.
    const none = await ask(`${sourceNamed('operations').path}/secrets`);
    assert.deepInclude(none, { environments: [], bindings: [] });
  });

  describe('syncs an environment', () => {
    const sync = (name: string, environment: string, key?: string): Promise<Json> =>
      ask(`${sourceNamed(name).path}/environments/${environment}/syncs`, { ...post, key });
    const idOf = async (name: string, environment: string): Promise<string> =>
      (await rows(`${sourceNamed(name).path}/environments`)).find(
        (one) => one.name === environment,
      )!.id;

    it('by importing its configuration: nothing is deployed', async () => {
      const { path, environmentId } = sourceNamed('shop-web');
      const before = await rows(`${path}/deployments`);
      const { sync: row } = await sync('shop-web', environmentId);
      assert.deepInclude(row, { status: 'queued', deployAfterSync: false, issues: null });
      assert.isString((row as Json)['requestedBy']);
      const outcome = async (): Promise<Json> =>
        (await ask(`${path}/syncs/${(row as Row).id}`))['sync'] as Json;
      const seen: unknown[] = [];
      for (const seconds of [0, 2, 3]) {
        await clock.advance(seconds * 1000);
        seen.push((await outcome())['status']);
      }
      assert.deepEqual(seen, ['queued', 'running', 'succeeded']);
      assert.deepInclude((await outcome())['environment'], { id: environmentId });
      assert.deepEqual(await rows(`${path}/syncs`), [(await outcome()) as Row]);
      assert.lengthOf(await rows(`${path}/deployments`), before.length);
      const other = await sync('shop-web', environmentId, 'demo-team');
      assert.isNull((other['sync'] as Json)['requestedBy']);
    });

    it('with the issues of its manifest', async () => {
      const { path } = sourceNamed('shop-services');
      const staging = await idOf('shop-services', 'staging');
      const { sync: row } = await sync('shop-services', staging);
      await clock.advance(5000);
      const { sync: outcome } = await ask(`${path}/syncs/${(row as Row).id}`);
      assert.deepInclude(outcome, { status: 'failed' });
      const issues = (outcome as Json)['issues'] as Json[];
      assert.deepInclude(issues[0], { path: ['apps', 'payments', 'rollout'] });
      const environments = await rows(`${path}/environments`);
      const own = environments.find(({ id }) => id === staging);
      assert.deepInclude(own, { latestSyncStatus: 'failed', latestSyncIssues: issues });
      const attention = await rows('/sources?view=attention');
      assert.deepEqual(
        attention.map((one) => one['repositoryName']),
        ['shop-services'],
      );
    });

    it('and pauses its automatic deployment for a caller who may not deploy', async () => {
      const { path, environmentId } = sourceNamed('shop-web');
      const isPaused = async (): Promise<unknown> =>
        (await rows(`${path}/environments`))[0]!['autoDeployPaused'];
      await sync('shop-web', environmentId);
      assert.isFalse(await isPaused());
      await sync('shop-web', environmentId, 'demo-member');
      assert.isTrue(await isPaused());
      assert.lengthOf(await rows('/sources?autoDeploy=paused'), 1);
      const control = `${path}/environments/${environmentId}/auto-deploy-control`;
      await ask(control, { method: 'PATCH', body: { paused: false } });
      assert.isFalse(await isPaused());
    });

    it('only if it is connected', async () => {
      const { path, environmentId } = sourceNamed('operations');
      const outcome = await harness.outcome(`${path}/environments/${environmentId}/syncs`, post);
      assert.equal(outcome, '404 NOT_FOUND');
    });
  });

  describe('cleans up a server', () => {
    const path = (): string => `/servers/${harness.server.world.servers[0]!.id}`;
    const cleanUp = (
      key: string,
      ...names: readonly string[]
    ): Promise<{ status: number; json: unknown }> =>
      harness.ask(`${path()}/actions/cleanup-orphans`, {
        headers: { 'idempotency-key': key },
        body: { items: names.map((name) => ({ kind: 'volume', name })) },
      });
    const stale = async (key: string, ...names: readonly string[]): Promise<void> => {
      const { status, json } = await cleanUp(key, ...names);
      assert.equal(status, 409);
      assert.equal((json as { error: Json }).error['code'], 'ORPHAN_SNAPSHOT_STALE');
    };

    it('of orphans that it lists, and answers a key again with the first operation as it is now', async () => {
      const first = await cleanUp('one', 'old-data-0');
      assert.equal(first.status, 202);
      const { operation } = first.json as { operation: Row };
      assert.deepInclude(operation, { state: 'queued', phase: null, result: null });
      await clock.advance(2000);
      // Other items with the same key are not compared.
      const again = await cleanUp('one', 'in-use-cache');
      assert.equal(again.status, 200);
      assert.deepInclude(again.json as Json, { replayed: true });
      assert.deepInclude((again.json as { operation: Row }).operation, {
        id: operation.id,
        state: 'running',
      });
      assert.lengthOf(await rows(`${path()}/orphans`), 4);
      await clock.advance(3000);
      assert.notInclude(
        (await rows(`${path()}/orphans`)).map(({ name }) => name),
        'old-data-0',
      );
      await stale('one', 'old-data-0');
      const [over] = harness.server.admin.operations() as readonly object[];
      const item = { kind: 'volume', name: 'old-data-0', reason: 'no workload owns it' };
      assert.deepInclude(over!, { state: 'succeeded', result: { cleaned: [item], skipped: [] } });
    });

    it('not if an item is none of them', async () => {
      await stale('one', 'old-data-0', 'web-api');
      await stale('one', 'web-api-old-0');
      assert.isEmpty(harness.server.admin.operations());
    });

    it('and says what is in use', async () => {
      await cleanUp('one', 'in-use-cache');
      await clock.advance(5000);
      const { json } = await cleanUp('one', 'in-use-cache');
      const { operation } = json as { operation: Row };
      assert.deepInclude(operation, { state: 'failed', errorCode: 'ORPHAN_IN_USE', result: null });
    });
  });

  it('lists rules of workloads and of the server itself, with dates as PostgreSQL prints them', async () => {
    const { servers } = harness.server.world;
    const path = `/servers/${servers[0]!.id}/watch-alerts`;
    const { rules, localization } = (await ask(path)) as { rules: Json[]; localization: Json };
    const app = await appNamed('web-api');
    for (const [deployable, expected] of [
      ['server', null],
      [app.id, app.id],
    ] as const) {
      const { rules: own } = (await ask(`${path}?deployableId=${deployable}`)) as { rules: Json[] };
      assert.isNotEmpty(own);
      assert.deepEqual(
        own,
        rules.filter((one) => one['deployableId'] === expected),
      );
    }
    const checks = rules
      .map((one) => one['httpCheck'] as Json | null)
      .filter((one) => one !== null);
    assert.isNotEmpty(checks);
    for (const { checked_at: checked } of checks) {
      assert.match(String(checked), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/);
      assert.notProperty(localization['timestamps'], String(checked));
    }
  });

  it('lists the repositories of a connection, a hundred at a time', async () => {
    const { connections } = (await ask('/gitlab/connections')) as { connections: Json[] };
    const [slug] = connections.map((one) => String(one['slug']));
    const page = async (number: number): Promise<Json> =>
      ask(`/gitlab/repositories?integration=${slug}&page=${number}`);
    const [first, second] = [await page(1), await page(2)];
    assert.lengthOf(first['repositories'] as Json[], 100);
    assert.equal(first['nextPage'], 2);
    assert.isNotEmpty(second['repositories']);
    assert.isNull(second['nextPage']);
    const outcome = await harness.outcome('/gitlab/repositories?integration=other');
    assert.equal(outcome, '404 NOT_FOUND');
  });

  it('says what a key may do', async () => {
    const full = await ask('/identity');
    assert.deepInclude(full, { actor: 'personal-key' });
    assert.include(full['capabilities'], 'deployment.create');
    const member = await ask('/identity', { key: 'demo-member' });
    assert.include(member['capabilities'], 'repository.sync');
    assert.notInclude(member['capabilities'], 'deployment.create');
    assert.equal((await ask('/identity', { key: 'demo-team' }))['actor'], 'team-key');
  });

  it('formats each time of an answer once, as the owner of the key wants it', async () => {
    const of = async (path: string, key?: string): Promise<Json> =>
      (await ask(path, { key }))['localization'] as Json;
    const { timestamps, ...formats } = await of('/version');
    assert.deepEqual(formats, {
      dateFormat: 'day-month-year',
      timeFormat: '12-hour',
      timeZone: 'Europe/Berlin',
    });
    assert.deepEqual(timestamps, {
      '2026-11-20T12:00:00.000Z': {
        date: '20/11/2026',
        time: '1:00 PM',
        dateTime: '1:00 PM, 20/11/2026',
        timeZone: 'Europe/Berlin',
        zoneLabel: 'CET',
        epochMilliseconds: Date.UTC(2026, 10, 20, 12),
        inputDateTime: '2026-11-20T13:00',
      },
    });
    assert.deepEqual((await of('/integrations'))['timestamps'], {});
    assert.deepInclude(await of('/version', 'demo-team'), {
      dateFormat: 'day-short-month-year',
      timeFormat: '24-hour',
      timeZone: 'UTC',
    });
  });

  it('adopts the id of a request, and localizes only errors of its endpoints', async () => {
    const headers = { 'x-request-id': 'from-a-test:1' };
    const answer = await harness.ask('/nowhere', { headers });
    assert.equal(answer.headers.get('x-request-id'), 'from-a-test:1');
    const { error, localization } = answer.json as { error: Json; localization: Json };
    assert.deepInclude(error, { requestId: 'from-a-test:1' });
    assert.deepEqual(localization['timestamps'], {});
    for (const asked of [{ key: '' }, { headers: { origin: 'https://page.example' } }]) {
      const { json } = await harness.ask('/identity', asked);
      assert.hasAllKeys(json, ['error']);
    }
  });
});
