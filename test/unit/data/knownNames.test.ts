import { assert } from 'chai';
import { Names, knownNames } from '../../../src/data/knownNames';
import { gives, read, scene, uuid } from '../trees/treeText';

describe('Names', () => {
  it('finds names by id and ids by name, ignoring case', () => {
    const names = new Names();
    names.remember('workload', '1', 'web-api');
    names.remember('workload', '2', 'Web-API');
    names.remember('server', '3', 'web-api');
    assert.equal(names.nameOf('workload', '2'), 'Web-API');
    assert.deepEqual(names.idsOf('workload', 'WEB-api'), ['1', '2']);
    assert.deepEqual(names.idsOf('server', 'web-api'), ['3']);
    assert.deepEqual(names.idsOf('deployment', 'web-api'), []);
    assert.isUndefined(names.nameOf('deployment', '1'));
  });

  it('accepts a new name for an id', () => {
    const names = new Names();
    names.remember('workload', '1', 'old');
    names.remember('workload', '1', 'new');
    assert.deepEqual(names.idsOf('workload', 'old'), []);
    assert.equal(names.nameOf('workload', '1'), 'new');
  });

  it('keeps the name of an id if a record has none', () => {
    const names = new Names();
    names.remember('workload', '1', 'web-api');
    for (const blank of ['', ' ']) names.remember('workload', '1', blank);
    assert.equal(names.nameOf('workload', '1'), 'web-api');
  });

  it('lists the names of a kind, the latest first', () => {
    const names = new Names();
    names.remember('server', '1', 'eu-1');
    names.remember('server', '2', 'eu-2');
    names.remember('workload', '3', 'web-api');
    assert.deepEqual(names.all('server'), [
      { id: '2', name: 'eu-2' },
      { id: '1', name: 'eu-1' },
    ]);
    assert.deepEqual(names.all('deployment'), []);
  });

  it('forgets the oldest beyond its limit', () => {
    const names = new Names();
    for (let id = 0; id <= 10_000; id++) names.remember('server', String(id), `name ${id}`);
    assert.isUndefined(names.nameOf('server', '0'));
    assert.equal(names.nameOf('server', '1'), 'name 1');
    assert.equal(names.nameOf('server', '10000'), 'name 10000');
  });
});

const [source, server, web, worker] = [uuid(1), uuid(2), uuid(3), uuid(4)];

describe('The names of the workspace', () => {
  it('are those of servers, workloads and commits of deployments, if they are known', async () => {
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [
            { id: web, name: 'web-api', config: { server: 'fra-1' } },
            { id: uuid(9) },
            { name: 'without id' },
          ],
        }),
        listDeployments: gives('DeploymentListing', {
          deployments: [{ id: uuid(5), commitSha: '1a2b3c4d5e6f' }, { id: uuid(6) }],
        }),
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
      { kind: 'resources', id: source },
      { kind: 'deployments', id: web },
      { kind: 'alerts', id: server },
      { kind: 'alerts', id: uuid(7) },
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
