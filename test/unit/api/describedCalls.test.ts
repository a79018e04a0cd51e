import { assert } from 'chai';
import { operations as operationTable } from '../../../src/api/generated/operations';
import contract from '../../../src/api/openapi.json';
import { hasKindsOfItems, requiresConnection } from '../../../src/api/describedCalls';
import { readServerDescription, type ServerFacts } from '../../../src/api/serverDescription';
import { minute } from '../../../src/base/clock';
import { settle } from '../fakeClock';
import { failure, type Handler, harness, otherUuid, refusal, uuid } from './cannedAnswers';
import { everything, operations } from './operations';

const app = '11111111-1111-4111-8111-111111111111';
const database = '22222222-2222-4222-8222-222222222222';
const source = `/sources/${uuid}`;

/** A client of a server that answers these paths, by default with what this one has, and its requests. */
function server(
  answers: Readonly<Record<string, object | Handler>>,
  facts: ServerFacts = everything,
) {
  const all: Readonly<Record<string, object | Handler>> = {
    [`${source}/apps`]: { apps: [{ id: app, name: 'web', kind: 'app' }] },
    [`${source}/resources`]: { resources: [{ id: database, name: 'db', kind: 'postgres' }] },
    [`${source}/previews`]: { previews: [] },
    ...answers,
  };
  const { client, clock, asked, signal, received } = harness(
    (one) => {
      const answer = all[one.path.replace('/team/v1/api', '')];
      if (answer === undefined) return refusal(404)(one);
      return typeof answer === 'function' ? (answer as Handler)(one) : Response.json(answer);
    },
    { facts: () => facts },
  );
  return {
    ...{ client, clock, asked, signal },
    /** What was requested since the last time. */
    requests: () => received.splice(0).map(({ path }) => path.replace('/team/v1/api', '')),
  };
}

const without = (...names: readonly (keyof ServerFacts['operations'])[]): ServerFacts => ({
  operations: {
    ...everything.operations,
    ...Object.fromEntries(names.map((one) => [one, 'none'])),
  },
});
const describing = (
  name: 'listSecrets' | 'listRepositories',
  parameter: string,
  isRequired: boolean,
): ServerFacts => ({
  operations: {
    ...everything.operations,
    [name]: {
      path: operationTable[name].path,
      query: { [parameter]: { name: parameter, isRequired } },
      body: {},
    },
  },
});

describe('A server without a description, or with that of the contract', () => {
  for (const { name, call, sent, answer } of operations) {
    it(`gets the one request of the contract for ${name}`, async () => {
      for (const facts of [undefined, readServerDescription(contract)]) {
        const { client, asked, received } = harness(() => Response.json(answer), {
          facts: () => facts,
        });
        await call(client, asked);
        assert.deepEqual(
          received.map(({ method, path }) => `${method} ${path.replace('/team', '')}`),
          [sent],
        );
      }
    });
  }
});

describe('A server that describes more than the contract', () => {
  it('has its apps among its resources, each once', async () => {
    const { client, asked, requests } = server({
      [`${source}/resources`]: { resources: [{ id: database }, { id: app }, {}] },
    });
    const { resources } = await client.listResources({ sourceId: uuid }, asked);
    assert.deepEqual(
      resources?.map(({ id }) => id),
      [app, database, undefined],
    );
    assert.sameMembers(requests(), [`${source}/apps`, `${source}/resources`]);
  });

  it('refuses resources as a whole if it refuses its apps', async () => {
    const { client, asked } = server({ [`${source}/apps`]: refusal(403) });
    const error = await failure(client.listResources({ sourceId: uuid }, asked));
    assert.include(error, { status: 403 });
  });

  it('is asked once for the deployments of all apps of a source', async () => {
    const { client, asked, requests, clock } = server({
      [`${source}/deployments`]: {
        deployments: [
          { id: 'd1', appId: app.toUpperCase() },
          { id: 'd2', appId: database },
          { id: 'd3', appId: otherUuid },
        ],
      },
    });
    await client.listResources({ sourceId: uuid }, asked);
    requests();
    const read = async (): Promise<unknown[]> => {
      const all = [app, database].map((resourceId) =>
        client.listDeployments({ resourceId }, asked),
      );
      const answers = await Promise.all(all);
      return answers.map(({ deployments }) => deployments?.map(({ id }) => id));
    };
    assert.deepEqual(await read(), [['d1'], ['d2']]);
    assert.sameMembers(requests(), [`${source}/deployments`, `${source}/previews`]);
    await clock.advance(3000);
    await read();
    assert.deepEqual(requests(), [`${source}/deployments`]);
  });

  it('is asked anew for a person, and not for who has stopped waiting', async () => {
    let answer: (() => void) | undefined;
    const { client, asked, requests } = server({
      [`${source}/apps`]: { apps: [{ id: otherUuid.toUpperCase() }] },
      [`${source}/deployments`]: () =>
        new Promise<Response>((resolve) => {
          answer = () => resolve(Response.json({ deployments: [{ id: 'd', appId: database }] }));
        }),
    });
    await client.listResources({ sourceId: uuid }, asked);
    requests();
    const of = (priority: 'person' | 'automatic', signal = asked.signal) =>
      client.listDeployments({ resourceId: database }, { ...asked, priority, signal });
    const first = of('automatic');
    await settle();
    answer?.();
    await first;
    const stop = new AbortController();
    const [second, stopped] = [of('person'), of('automatic', stop.signal)];
    await settle();
    stop.abort(new Error('stopped'));
    assert.include(await failure(stopped), { message: 'stopped' });
    answer?.();
    await second;
    await of('automatic');
    await of('person');
    // The resource is no app, which alone has previews.
    assert.deepEqual(requests(), [`${source}/deployments`, `${source}/deployments`]);
    await client.listDeployments({ resourceId: otherUuid.toLowerCase() }, asked);
    assert.deepEqual(requests(), [`${source}/previews`]);
  });

  it('asks for others if who asked first has stopped', async () => {
    const { client, asked, requests } = server({
      [`${source}/deployments`]: { deployments: [{ id: 'd1', appId: app }] },
    });
    await client.listResources({ sourceId: uuid }, asked);
    requests();
    const stop = new AbortController();
    const first = client.listDeployments({ resourceId: app }, { ...asked, signal: stop.signal });
    const second = client.listDeployments({ resourceId: app }, asked);
    stop.abort(new Error('stopped'));
    assert.include(await failure(first), { message: 'stopped' });
    assert.deepEqual((await second).deployments, [{ id: 'd1', appId: app }]);
  });

  for (const [what, answers, facts] of [
    ['does not list those of a source', {}, without('listSourceDeployments')],
    [
      'does not say whose they are',
      { [`${source}/deployments`]: { deployments: [{}] } },
      everything,
    ],
    ['refuses those of a source', { [`${source}/deployments`]: refusal(403) }, everything],
  ] as const) {
    it(`is asked for the deployments of each app and resource if it ${what}`, async () => {
      const { client, asked, requests } = server(
        {
          ...answers,
          [`/apps/${app}/deployments`]: { deployments: [{ id: 'of app' }] },
          [`/resources/${database}/deployments`]: { deployments: [{ id: 'of resource' }] },
        },
        facts,
      );
      await client.listResources({ sourceId: uuid }, asked);
      requests();
      for (const [resourceId, id] of [
        [app, 'of app'],
        [database, 'of resource'],
      ] as const) {
        const { deployments } = await client.listDeployments({ resourceId }, asked);
        assert.deepEqual(deployments, [{ id }]);
      }
      const sent = requests();
      assert.includeMembers(sent, [
        `/apps/${app}/deployments`,
        `/resources/${database}/deployments`,
      ]);
      assert.notInclude(sent, `/resources/${app}/deployments`);
    });
  }

  it('is asked for a workload that may be either as for an app first', async () => {
    const { client, asked, requests } = server({
      [`/resources/${database}/deployments`]: { deployments: [{ id: 'd' }] },
    });
    const { deployments } = await client.listDeployments({ resourceId: database }, asked);
    assert.deepEqual(deployments, [{ id: 'd' }]);
    assert.deepEqual(requests(), [
      `/apps/${database}/deployments`,
      `/resources/${database}/deployments`,
    ]);
  });

  it('fails with what it says of a workload that may be an app, unless that is that it is none', async () => {
    const { client, asked } = server({ [`/apps/${app}/deployments`]: refusal(403) });
    const error = await failure(client.listDeployments({ resourceId: app }, asked));
    assert.include(error, { status: 403 });
  });

  it('has its previews among the deployments of their app', async () => {
    const preview = { appId: app, branch: 'topic', hostname: 'p.example', latestCommitSha: 'a1' };
    const { client, asked, requests, clock } = server({
      [`${source}/deployments`]: { deployments: [{ id: 'd1', appId: app }] },
      [`${source}/previews`]: {
        previews: [
          { ...preview, id: 'p1', latestDeploymentId: 'd2', status: 'healthy' },
          { ...preview, id: 'p2', status: 'building' },
          { ...preview, id: 'p3', status: 'deleted' },
          { ...preview, id: 'p4', latestDeploymentId: 'd1' },
          { ...preview, id: 'p5', appId: database },
        ],
      },
    });
    await client.listResources({ sourceId: uuid }, asked);
    const { deployments } = await client.listDeployments({ resourceId: app }, asked);
    const as = { environment: 'preview', appId: app, gitRef: 'topic', hostname: 'p.example' };
    assert.deepEqual(deployments, [
      { id: 'd1', appId: app },
      { ...as, id: 'd2', commitSha: 'a1', state: 'healthy' },
      { ...as, id: 'p2', commitSha: 'a1', state: 'building' },
    ]);
    requests();
    await clock.advance(minute);
    await client.listDeployments({ resourceId: app }, asked);
    assert.include(requests(), `${source}/previews`);
  });

  it('is asked for the secret keys of each environment that an answer leaves out', async () => {
    const of = (environment: string) => ({ environment, stage: 'build', keys: ['KEY'] });
    const names = ['production', 'preview:production', 'staging', 'not a name', 'gone', 'moved'];
    const { client, asked, requests, clock } = server(
      {
        [`${source}/secrets`]: { environments: names, bindings: [of('production')] },
        [`${source}/secrets?environment=staging`]: { bindings: [of('staging')] },
        [`${source}/secrets?environment=preview%3Aproduction`]: { bindings: [] },
        [`${source}/secrets?environment=moved`]: refusal(422),
      },
      describing('listSecrets', 'environment', false),
    );
    const answer = await client.listSecrets({ ownerId: uuid }, asked);
    assert.deepEqual(answer.environments, names);
    assert.deepEqual(answer.bindings, [of('production'), of('staging')]);
    assert.lengthOf(requests(), 5);
    const automatic = { ...asked, priority: 'automatic' } as const;
    assert.deepEqual(await client.listSecrets({ ownerId: uuid }, automatic), answer);
    assert.isEmpty(requests(), 'what takes many requests is not asked all the time');
    await client.listSecrets({ ownerId: uuid }, asked);
    assert.lengthOf(requests(), 5, 'but for a person');
    await clock.advance(5 * minute);
    await client.listSecrets({ ownerId: uuid }, automatic);
    assert.lengthOf(requests(), 5);
  });

  it('is asked for the secret keys of twenty environments more at most', async () => {
    const environments = Array.from({ length: 99 }, (_, at) => `e${at}`);
    const { client, asked, requests } = server(
      { [`${source}/secrets`]: { environments, bindings: [] } },
      describing('listSecrets', 'environment', false),
    );
    await client.listSecrets({ ownerId: uuid }, asked);
    assert.lengthOf(requests(), 21);
  });

  it('is asked for those of the environments that it lists if it requires one', async () => {
    const { client, asked, requests } = server(
      {
        [`${source}/environments`]: { environments: [{ name: 'production' }, {}] },
        [`${source}/secrets?environment=production`]: { bindings: [{ keys: ['KEY'] }] },
      },
      describing('listSecrets', 'environment', true),
    );
    const answer = await client.listSecrets({ ownerId: uuid }, asked);
    assert.deepEqual(answer, { environments: ['production'], bindings: [{ keys: ['KEY'] }] });
    assert.notInclude(requests(), `${source}/secrets`);
  });

  it('has several connections to choose from if it requires one, and none of them is guessed', async () => {
    const { client, asked, requests } = server(
      {
        '/codehost-b/connections': {
          connections: [{ name: 'no slug' }, { slug: 'main', name: 'Main' }, { slug: 'other' }],
        },
        '/codehost-b/repositories?search=other': { repositories: [{ id: 'r' }] },
      },
      describing('listRepositories', 'search', true),
    );
    assert.deepEqual(await client.listRepositories({}, asked), {
      repositories: [],
      connections: [
        { slug: 'main', name: 'Main' },
        { slug: 'other', name: undefined },
      ],
    });
    assert.deepEqual(requests(), ['/codehost-b/connections']);
    assert.deepEqual(await client.listRepositories({ search: 'other' }, asked), {
      repositories: [{ id: 'r' }],
      connection: 'other',
    });
    assert.deepEqual(requests(), ['/codehost-b/repositories?search=other']);
  });

  it('has no repositories without a connection if it requires one', async () => {
    const { client, asked, requests } = server(
      { '/codehost-b/connections': { connections: [] } },
      describing('listRepositories', 'search', true),
    );
    assert.deepEqual((await client.listRepositories({}, asked)).repositories, []);
    assert.lengthOf(requests(), 1);
  });

  it('is asked for the repositories of its only connection if it requires one', async () => {
    const { client, asked, requests } = server(
      {
        '/codehost-b/connections': { connections: [{ name: 'no slug' }, { slug: 'main' }] },
        '/codehost-b/repositories?search=main': { repositories: [{ id: 'r' }] },
      },
      describing('listRepositories', 'search', true),
    );
    assert.deepEqual(await client.listRepositories({}, asked), {
      repositories: [{ id: 'r' }],
      connection: 'main',
    });
    assert.deepEqual(requests(), [
      '/codehost-b/connections',
      '/codehost-b/repositories?search=main',
    ]);
  });

  it('is sent the kinds of orphans only if it has them, and a connection only if it requires one', () => {
    const body = (items: Record<string, boolean>): ServerFacts => ({
      operations: {
        cleanUpOrphans: { path: '/a', query: {}, body: items },
      },
    });
    assert.isTrue(hasKindsOfItems(body({ 'items[].kind': false })));
    assert.isFalse(hasKindsOfItems(body({ items: true, 'items[].name': true })));
    assert.isFalse(hasKindsOfItems({ operations: { cleanUpOrphans: 'none' } }));
    assert.isFalse(hasKindsOfItems(undefined));
    assert.isTrue(requiresConnection(describing('listRepositories', 'search', true)));
    assert.isFalse(requiresConnection(describing('listRepositories', 'search', false)));
    assert.isFalse(requiresConnection(undefined));
  });
});
