import { assert } from 'chai';
import {
  deploymentOutline,
  listing,
  resourceOutline,
  ruleOutline,
  secretKeysOutline,
} from '../../../src/ai/outlines';
import { read, scene, uuid } from '../trees/treeText';
import { ApiError } from '../../../src/api/errors';

/** As JSON: missing members are omitted. */
const plain = (outline: object): unknown => JSON.parse(JSON.stringify(outline));

describe('The outline', () => {
  it('of a resource is its state, without its configuration', () => {
    const [resource] =
      read('ResourceListing', {
        resources: [
          {
            id: 'r',
            config: {
              name: 'web-api',
              server: 'fra',
              externalSecrets: { TOKEN: 'hidden' },
              deployment: { arguments: { PASSWORD: 'hidden' } },
            },
            environment: { id: 'e', name: 'production' },
            runtimeState: { observedState: 'running', driftReasons: ['image'] },
          },
        ],
      }).resources ?? [];
    assert.deepEqual(plain(resourceOutline(resource!)), {
      id: 'r',
      name: 'web-api',
      server: 'fra',
      environment: { id: 'e', name: 'production' },
      observed: 'running',
      driftReasons: ['image'],
    });
  });

  it('of a deployment has its result', () => {
    const [deployment] =
      read('DeploymentListing', {
        deployments: [
          {
            id: 'd',
            commitSha: 'abc',
            state: 'failed',
            errorMessage: 'no',
            environment: 'production',
          },
        ],
      }).deployments ?? [];
    assert.deepEqual(plain(deploymentOutline(deployment!)), {
      id: 'd',
      commit: 'abc',
      state: 'failed',
      environment: 'production',
      errorMessage: 'no',
    });
  });

  it('of a rule says whether it fires and what it watches, without secrets in a URL', () => {
    const { rules = [], workloads = [] } = read('AlertListing', {
      rules: [
        {
          id: 'a',
          name: 'Ping',
          enabled: true,
          evaluationState: 'firing',
          deployableId: 'w',
          condition: {
            http: { url: 'https://me:pass@shop.example/ping?token=1#x', method: 'GET' },
          },
        },
      ],
      workloads: [{ id: 'w', name: 'web-api' }],
    });
    assert.deepEqual(plain(ruleOutline(rules[0]!, workloads)), {
      id: 'a',
      name: 'Ping',
      firing: true,
      state: 'firing',
      enabled: true,
      workload: 'web-api',
      condition: { http: { method: 'GET', url: 'https://shop.example/ping' } },
    });
  });

  it('of secrets has names only, even if a server sends a value', () => {
    const binding = {
      environment: 'production',
      stage: 'run',
      keys: ['TOKEN'],
      missingKeys: ['PIN'],
      inheritedKeys: [],
      values: { TOKEN: 'hidden' },
      inheritedOrigins: { TOKEN: 'hidden' },
    };
    assert.deepEqual(plain(secretKeysOutline(binding)), {
      environment: 'production',
      stage: 'run',
      keys: ['TOKEN'],
      missingKeys: ['PIN'],
      inheritedKeys: [],
    });
  });
});

const refused = new ApiError({ kind: 'http', status: 403, code: 'forbidden', message: 'no' });
const one = read('AlertListing', { rules: [{ id: 'a' }, { id: 'b' }] });

/** The rules of these servers, as a tool lists them. */
function listed(of: ReturnType<typeof scene>, ...servers: string[]) {
  const places = servers.map((serverId) => ({
    key: { kind: 'alerts', serverId } as const,
    known: () => of.store.alerts(serverId),
    head: () => ({ serverId }),
  }));
  const outlines = ({ rules = [] }: typeof one) => rules.map(({ id }) => ({ id }));
  return listing(of.store, places, 'alert rule', outlines, new AbortController().signal);
}

describe('a listing for a model', () => {
  it('has one line of JSON for each place and each object', async () => {
    const all = scene({ listAlertRules: () => Promise.resolve(one) });
    const { words, data } = await listed(all, uuid(1));
    assert.match(words.join(), /^2 alert rules found/);
    assert.deepEqual(data?.entries, [{ serverId: uuid(1) }, { id: 'a' }, { id: 'b' }]);
  });

  it('says how many places failed and why', async () => {
    const all = scene({
      listAlertRules: ({ serverId }) =>
        serverId === uuid(1) ? Promise.resolve(one) : Promise.reject(refused),
    });
    const some = await listed(all, uuid(1), uuid(2));
    assert.match(some.words[1] ?? '', /^1 of 2 places .* lacks the permission alert\.read\./);
    assert.lengthOf(some.data?.entries ?? [], 3);
    const none = await listed(all, uuid(2));
    assert.match(none.words.join(), /^Failed: the API key lacks the permission alert\.read\./);
  });

  it('does not return an older answer as the current state', async () => {
    let isDown = false;
    const all = scene({
      listAlertRules: () => (isDown ? Promise.reject(refused) : Promise.resolve(one)),
    });
    await listed(all, uuid(1));
    isDown = true;
    assert.match((await listed(all, uuid(1))).words.join(), /^Failed/);
  });
});
