import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type {
  AlertRule,
  Deployment,
  LogRecord,
  Operation,
  Repository,
  Resource,
} from '../../../src/api/types';
import { demoFolder } from '../../control-plane/releases';
import { createStackTraces, tracedLines } from '../../control-plane/stackTraces';
import { Harness } from './harness';

describe('The workspace of the embedded control plane', () => {
  let harness: Harness;
  before(() => {
    harness = Harness.inMemory({ historyRecords: 20_000 });
  });
  after(() => harness.server.close());

  async function get<Answer>(path: string): Promise<Answer> {
    const { status, text, json } = await harness.ask(path);
    assert.equal(status, 200, text);
    return json as Answer;
  }

  it('has 3 servers, 4 sources, 12 resources, 60 deployments and 10 alert rules', async () => {
    const { servers, sources } = harness.server.world;
    const resources: Resource[] = [];
    for (const { id } of sources) {
      resources.push(
        ...(await get<{ resources: Resource[] }>(`/sources/${id}/resources`)).resources,
      );
    }
    const deployments: Deployment[] = [];
    for (const { id } of resources) {
      const listed = await get<{ deployments: Deployment[] }>(`/resources/${id}/deployments`);
      deployments.push(...listed.deployments);
    }
    const rules: AlertRule[] = [];
    for (const { id } of servers) {
      rules.push(...(await get<{ rules: AlertRule[] }>(`/servers/${id}/monitor-alerts`)).rules);
    }
    assert.deepEqual(
      [servers, sources, resources, deployments, rules].map(({ length }) => length),
      [3, 4, 12, 60, 10],
    );
    assert.sameMembers([...new Set(resources.map(({ kind }) => kind))], ['app', 'job']);
    assert.lengthOf(
      deployments.filter(({ state }) => state === 'running'),
      1,
    );
    assert.isAbove(new Set(deployments.map(({ state }) => state)).size, 4);
    assert.isAbove(rules.filter(({ httpCheck }) => httpCheck).length, 1);
    assert.isAbove(rules.filter(({ evaluationState }) => evaluationState === 'firing').length, 1);
    const one = rules.find(({ httpCheck }) => httpCheck);
    const only = `/servers/${one?.serverId}/monitor-alerts?deployableId=${one?.deployableId}`;
    const filtered = await get<{ rules: AlertRule[] }>(only);
    assert.isTrue(filtered.rules.every(({ deployableId }) => deployableId === one?.deployableId));
  });

  it('lists repositories in several pages, and searches them', async () => {
    const listed: Repository[] = [];
    let page: number | undefined = 1;
    let pages = 0;
    while (page !== undefined) {
      const answer: { repositories: Repository[]; nextPage?: number } = await get(
        `/codehost-b/repositories?page=${page}`,
      );
      listed.push(...answer.repositories);
      page = answer.nextPage;
      pages++;
    }
    assert.isAtLeast(pages, 3);
    assert.equal(new Set(listed.map(({ fullName }) => fullName)).size, listed.length);
    const found = await get<{ repositories: Repository[] }>('/codehost-b/repositories?search=Mail');
    assert.lengthOf(found.repositories, 5);
    const beyond = await get<{ repositories: [] }>('/codehost-b/repositories?page=10000');
    assert.lengthOf(beyond.repositories, 0);
  });

  it('lists names of secrets, optionally of one environment', async () => {
    const [source] = harness.server.world.sources;
    const all = await get<{ environments: string[]; bindings: unknown[] }>(
      `/sources/${source?.id}/secrets`,
    );
    assert.deepEqual(all.environments.slice(0, 2), ['production', 'preview:feature-checkout-v2']);
    const one = await get<{ bindings: unknown[] }>(
      `/sources/${source?.id}/secrets?environment=preview:feature-checkout-v2`,
    );
    assert.lengthOf(one.bindings, 2);
    assert.isAbove(all.bindings.length, 2);
  });

  it('accepts a clean-up once for each idempotency key', async () => {
    const [server] = harness.server.world.servers;
    const path = `/servers/${server?.id}/actions/cleanup-orphans`;
    const ask = (key: string, name: string) =>
      harness.ask(path, { headers: { 'idempotency-key': key }, body: { items: [{ name }] } });
    const read = (json: unknown) => json as { operation: Operation; replayed: boolean };
    harness.server.admin.fault({ kind: 'reset' });
    let broken = false;
    await ask('a', 'old-volume').catch(() => (broken = true));
    assert.isTrue(broken);
    harness.server.admin.fault({ kind: 'status', status: 504, accepted: true });
    assert.equal((await ask('a', 'old-volume')).status, 504);
    const first = read((await ask('a', 'old-volume')).json);
    assert.isTrue(first.replayed);
    assert.lengthOf(harness.server.admin.operations(), 1);
    const failing = read((await ask('b', 'in-use-network')).json);
    assert.isFalse(failing.replayed);
    assert.notEqual(failing.operation.id, first.operation.id);
    const other = { headers: { 'idempotency-key': 'a' }, body: { items: [{ name: 'other' }] } };
    assert.equal(await harness.refusal(path, other, 409), 'idempotency_key_reused');
    const without = { body: { items: [{ name: 'x' }] } };
    assert.equal(await harness.refusal(path, without, 400), 'invalid_request');

    const state = async ({ operation }: { operation: Operation }): Promise<unknown> =>
      (await get<{ operation: Operation }>(`/operations/${operation.id}`)).operation.state;
    assert.equal(await state(first), 'queued');
    harness.pass(2);
    assert.equal(await state(first), 'running');
    harness.pass(3);
    assert.equal(await state(first), 'succeeded');
    assert.equal(await state(failing), 'failed');
  });

  it('starts deployments on a sync, which pass through their states', async () => {
    const { sources, workloads } = harness.server.world;
    const sync = (index: number): string =>
      `/sources/${sources[index]?.id}/environments/${sources[index]?.environmentId}/syncs`;
    const { json } = await harness.ask(sync(0), { method: 'POST' });
    const { deploymentIds } = (json as { sync: { deploymentIds: string[] } }).sync;
    const resource = workloads.find(({ name }) => name === 'web-api');
    const newest = async (): Promise<Deployment | undefined> =>
      (await get<{ deployments: Deployment[] }>(`/resources/${resource?.id}/deployments`))
        .deployments[0];
    assert.include(deploymentIds, (await newest())?.id);
    const states = [];
    for (let step = 0; step < 5; step++) {
      states.push((await newest())?.state);
      harness.pass(4);
    }
    assert.deepEqual(states, ['queued', 'building', 'deploying', 'running', 'succeeded']);
    assert.isString((await newest())?.finishedAt);
    const disconnected = { method: 'POST' };
    assert.equal(await harness.refusal(sync(3), disconnected, 409), 'environment_disconnected');
    const mixed = sync(0).replace(sources[0]?.environmentId ?? '', sources[1]?.environmentId ?? '');
    assert.equal(await harness.refusal(mixed, { method: 'POST' }, 404), 'not_found');
  });

  it('changes on request of a test', async () => {
    const { sources, servers, workloads } = harness.server.world;
    const { admin } = harness.server;
    const workload = workloads.find(({ name }) => name === 'payments')!;
    const read = async (): Promise<unknown[]> => [
      (await get<{ resources: Resource[] }>(`/sources/${sources[1]!.id}/resources`)).resources[0],
      (await get<{ deployments: Deployment[] }>(`/resources/${workload.id}/deployments`))
        .deployments[0],
      (await get<{ rules: AlertRule[] }>(`/servers/${servers[1]!.id}/monitor-alerts`)).rules[0],
    ];
    const [resource, deployment, rule] = await read();
    assert.propertyVal(resource, 'name', 'payments');
    admin.change(workload.id, { description: 'changed' });
    admin.change(workload.deploymentId, { state: 'failed' });
    admin.change(workload.deploymentId, { finishedAt: undefined });
    admin.change((rule as { id: string }).id, { evaluationState: 'ok' });
    const { finishedAt: _, ...rest } = deployment as Deployment;
    assert.deepEqual(await read(), [
      { ...(resource as Resource), description: 'changed' },
      { ...rest, state: 'failed' },
      { ...(rule as AlertRule), evaluationState: 'ok' },
    ]);
    assert.throws(() => admin.change('unknown', {}), 'There is no');
  });

  it('reports previews again until there is no failure', async () => {
    const counts: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const path = '/codehost-a/actions/retry-preview-reporting';
      const { json } = await harness.ask(path, { method: 'POST' });
      const { attempted, failed, succeeded } = json as Record<string, unknown>;
      counts.push([attempted, failed, succeeded]);
    }
    assert.deepEqual(counts, [
      [3, 1, 2],
      [1, 0, 1],
      [0, 0, 0],
    ]);
  });

  it('generates the same data for the same seed, and other data for another seed', async () => {
    const of = async (seed: number): Promise<unknown> => {
      const other = Harness.inMemory({ seed, historyRecords: 300 });
      const { world, admin, keys } = other.server;
      const [, page] = [admin.emit(50), await other.query({ limit: 500 })];
      const secrets = await other.ask(`/sources/${world.sources[0]?.id}/secrets`);
      await other.server.close();
      const { accessRevision: _, followCursor: __, nextCursor: ___, ...rest } = page;
      return { world, keys: Object.keys(keys), page: rest, secrets: secrets.json };
    };
    const one = await of(7);
    assert.deepEqual(await of(7), one);
    assert.notDeepEqual(await of(8), one);
  });

  describe('logs', () => {
    let records: LogRecord[];
    before(() => {
      records = harness.server.admin.emit(20_000);
    });

    it('come from every workload, in every severity, from both streams and environments', () => {
      const values = (member: keyof LogRecord): number =>
        new Set(records.map((record) => record[member])).size;
      assert.equal(values('workloadName'), 12);
      assert.equal(values('severity'), 7);
      assert.equal(values('stream'), 2);
      assert.equal(values('environment'), 2);
      assert.equal(values('eventId'), records.length);
    });

    it('share traces across workloads and carry attributes, ANSI, JSON and hostile text', () => {
      const byTrace = new Map<string, Set<string>>();
      for (const { traceId, workloadName } of records) {
        if (traceId === null) continue;
        byTrace.set(traceId, (byTrace.get(traceId) ?? new Set()).add(workloadName));
      }
      assert.isAbove(Math.max(...[...byTrace.values()].map(({ size }) => size)), 4);
      const some = (test: (record: LogRecord) => boolean): void =>
        assert.isTrue(records.some(test), String(test));
      some(({ attributes }) => 'http.route' in attributes);
      some(({ body }) => body.includes('\u001b[32m'));
      some(({ body }) => body.startsWith('{"msg":'));
      some(({ body }) => body.includes('\u202e'));
      some(({ body }) => body.includes('(command:'));
      some(({ truncated }) => truncated);
    });

    it('cover the day before the start, oldest first', async () => {
      const { world } = harness.server;
      const { records: oldest } = await harness.query({ direction: 'newer', limit: 500 });
      const age = world.startedAt - Date.parse(oldest[0]?.timestamp ?? '');
      assert.approximately(age, 86_400_000, 600_000);
      const times = oldest.map(({ timestamp }) => timestamp);
      assert.deepEqual(times, [...times].sort());
    });

    it('contain crashes in eight languages, at lines of the demo workspace', async () => {
      const traces = createStackTraces();
      const lines = tracedLines();
      const extensions = new Set(lines.map(({ file }) => path.extname(file)));
      const wanted = ['.ts', '.js', '.py', '.java', '.go', '.rb', '.cs', '.rs'];
      assert.sameMembers([...extensions], wanted);
      for (const { workload, file, line } of lines) {
        const absolute = path.join(demoFolder, file);
        assert.isTrue(existsSync(absolute), file);
        const text = (await readFile(absolute, 'utf8')).split('\n')[line - 1] ?? '';
        assert.isNotEmpty(text.trim(), `${file}:${line}`);
        const body = traces.find((trace) => trace.workload === workload)?.body ?? '';
        assert.match(
          body,
          new RegExp(`${path.basename(file).replace('.', '\\.')}(?::|:line |", line )${line}\\b`),
        );
      }
      for (const { workload } of traces) {
        assert.isTrue(
          records.some((record) => record.workloadName === workload && record.body.includes('\n')),
          workload,
        );
      }
    });
  });
});
