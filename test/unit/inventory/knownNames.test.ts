import { assert } from 'chai';
import { knownNames } from '../../../src/inventory/names';
import { read, scene, uuid } from './treeText';

const [source, server, web, worker] = [uuid(1), uuid(2), uuid(3), uuid(4)];

describe('names of the workspace', () => {
  it('are those of servers, workloads and the commits of deployments, as far as they are known', async () => {
    const { context, load } = scene(
      {
        listResources: () =>
          Promise.resolve(
            read('ResourceListing', {
              resources: [
                { id: web, name: 'web-api', config: { server: 'fra-1' } },
                { id: uuid(9) },
                { name: 'without id' },
              ],
            }),
          ),
        listDeployments: () =>
          Promise.resolve(
            read('DeploymentListing', {
              deployments: [{ id: uuid(5), commitSha: '1a2b3c4d5e6f' }, { id: uuid(6) }],
            }),
          ),
        listAlertRules: ({ serverId }) =>
          Promise.resolve(
            read('AlertListing', {
              workloads: [serverId === server ? { id: worker, name: 'worker' } : { id: web }],
            }),
          ),
      },
      { sources: [{ id: source }], servers: [{ id: server, label: 'eu-1' }, { id: uuid(7) }] },
    );
    const all = (): string[] =>
      [...knownNames(context)].map(({ kind, id, name }) => `${kind} ${name} ${id}`);
    assert.deepEqual(all(), [`server eu-1 ${server}`]);
    await load(
      { kind: 'resources', sourceId: source },
      { kind: 'deployments', resourceId: web },
      { kind: 'alerts', serverId: server },
      { kind: 'alerts', serverId: uuid(7) },
    );
    assert.deepEqual(all(), [
      `server eu-1 ${server}`,
      `workload worker ${worker}`,
      `server fra-1 ${uuid(7)}`,
      `workload web-api ${web}`,
      `deployment 1a2b3c4 ${uuid(5)}`,
    ]);
  });
});
