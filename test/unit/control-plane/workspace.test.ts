import { assert } from 'chai';
import type { LogRecord } from '../../../src/api/types';
import { crashes } from '../../control-plane/crashes';
import { Harness } from './harness';

describe('The workspace of the embedded control plane', () => {
  it('is the same for the same seed, and another for another seed', async () => {
    const of = async (seed: number): Promise<object> => {
      const harness = Harness.inMemory({ seed, historyRecords: 300 });
      const { world, admin } = harness.server;
      const secrets = await harness.ask(`/sources/${world.sources[0]!.id}/secrets`);
      const { records } = await harness.query({ limit: 500 });
      return { world, emitted: admin.emit(50), records, secrets: secrets.json };
    };
    const one = await of(7);
    assert.deepEqual(await of(7), one);
    assert.notDeepEqual(await of(8), one);
  });

  it('logs with the deployment that runs', () => {
    const { world, admin } = Harness.inMemory().server;
    const { id, name, deploymentId } = world.workloads[0]!;
    const logged = (): unknown => admin.emit([{ workloadName: name }])[0]?.deploymentId;
    const next = admin.deploy(id, {}, [{ afterSeconds: 0, state: 'building' }]);
    assert.equal(logged(), deploymentId);
    admin.change(next, { state: 'succeeded' });
    assert.equal(logged(), next);
  });

  describe('logs', () => {
    let records: LogRecord[];
    before(() => {
      records = Harness.inMemory().server.admin.emit(20_000);
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

    it('share traces across workloads', () => {
      const byTrace = new Map<string, Set<string>>();
      for (const { traceId, workloadName } of records) {
        if (traceId === null) continue;
        byTrace.set(traceId, (byTrace.get(traceId) ?? new Set()).add(workloadName));
      }
      assert.isAbove(Math.max(...[...byTrace.values()].map(({ size }) => size)), 4);
    });

    for (const [what, has] of [
      ['attributes', ({ attributes }) => 'http.route' in attributes],
      ['ANSI colors', ({ body }) => body.includes('\u001b[32m')],
      ['JSON', ({ body }) => body.startsWith('{"msg":')],
      ['text that changes the direction', ({ body }) => body.includes('\u202e')],
      ['links that run commands', ({ body }) => body.includes('(command:')],
      ['bodies that were cut', ({ truncated }) => truncated],
      ...crashes.map(({ workload, error }): [string, (record: LogRecord) => boolean] => [
        `crashes of ${workload}`,
        ({ workloadName, body }) => workloadName === workload && body.includes(error),
      ]),
    ] as const satisfies readonly (readonly [string, (record: LogRecord) => boolean])[]) {
      it(`contain ${what}`, () => assert.isTrue(records.some(has)));
    }
  });

  it('syncs what was pushed last', async () => {
    const harness = Harness.inMemory();
    const { world, admin } = harness.server;
    const app = world.workloads.find(({ kind }) => kind === 'app')!;
    const { id, environmentId } = app.source;
    const commitSha = 'c'.repeat(40);
    admin.deploy(app.id, { commitSha }, []);
    admin.deploy(app.id, { commitSha: 'd'.repeat(40), kind: 'rollback' }, []);
    const sync = await harness.request(`/sources/${id}/environments/${environmentId}/syncs`, {
      method: 'POST',
    });
    assert.include(((await sync.json()) as { readonly sync: object }).sync, { commitSha });
    await harness.server.close();
  });
});
