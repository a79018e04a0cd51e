import { assert } from 'chai';
import { faces, likes } from '../../control-plane/faces';
import { faceRequests } from './faceRequests';
import { Harness } from './harness';

for (const like of likes) {
  describe(`The face ${like} of the embedded control plane`, () => {
    let harness: Harness;
    before(() => {
      const unkind = { perMinute: { key: 100_000, workspace: 100_000 } };
      harness = Harness.inMemory({ like, unkind, historyRecords: 50 });
    });
    after(() => harness.server.close());

    async function requests(): Promise<ReturnType<typeof faceRequests>> {
      const { world } = harness.server;
      const path = `/sources/${world.sources[0]!.id}/resources`;
      const { resources } = (await harness.ask(path)).json as { resources: { id: string }[] };
      return faceRequests(like, world, resources[0]!.id);
    }
    const status = async (path: string, asked: object): Promise<number> =>
      Number((await harness.outcome(path, asked)).slice(0, 3));

    it('takes every request of the contract', async () => {
      for (const { path, asked, ...expected } of await requests()) {
        assert.equal(await status(path, asked), expected.status, path);
      }
      assert.isEmpty(harness.server.admin.reports());
    });

    it('requires a key for everything, and the permission that the contract names', async () => {
      for (const { permission, path, asked } of await requests()) {
        assert.equal(await status(path, { ...asked, key: '' }), 401, path);
        for (const missing of faces[like].permissions) {
          const key = `demo-without-${missing.replace('.', '-')}`;
          const isRefused = (await status(path, { ...asked, key })) === 403;
          assert.equal(isRefused, missing === permission, `${path} ${key}`);
        }
      }
      const basic = { key: '', headers: { authorization: 'Basic abc' } };
      assert.equal(await status('/integrations', basic), 401);
    });

    it('refuses an unknown parameter of every operation, and an unknown member of every body', async () => {
      for (const { path, asked } of await requests()) {
        const extra = `${path}${path.includes('?') ? '&' : '?'}extra=1`;
        assert.equal(await status(extra, asked), 400, extra);
        if (asked.body === undefined) continue;
        const body = { ...(asked.body as object), extra: 1 };
        assert.equal(await status(path, { ...asked, body }), 400, path);
      }
      const reports = harness.server.admin.takeReports();
      assert.deepEqual([...new Set(reports.map(({ kind }) => kind))], ['brokenContract']);
    });

    it('fails as a test wants it, by the id of the operation in the contract', async () => {
      for (const { id, path, asked } of await requests()) {
        harness.server.admin.fault({ kind: 'status', status: 503, endpoint: id });
        assert.equal(await status('/integrations?', {}), id === 'get_integrations' ? 503 : 200);
        if (id !== 'get_integrations') assert.equal(await status(path, asked), 503, path);
        assert.oneOf(await status(path, asked), [200, 202], path);
      }
    });
  });
}
