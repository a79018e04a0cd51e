import { assert } from 'chai';
import {
  deploymentOutline,
  resourceOutline,
  ruleOutline,
  secretKeysOutline,
} from '../../../src/ai/outlines';
import { read } from '../trees/treeText';

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
