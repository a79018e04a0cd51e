import { assert } from 'chai';
import {
  deploymentOutline,
  resourceOutline,
  ruleOutline,
  secretKeysOutline,
} from '../../../../src/inventory/tree/outlines';
import { read } from '../treeText';

/** As it is said: what is not there leaves no trace. */
const plain = (outline: object): unknown => JSON.parse(JSON.stringify(outline));

describe('The outline', () => {
  it('of a resource is its state, and none of its configuration', () => {
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

  it('of a deployment says what became of it', () => {
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

  it('of a rule says whether it fires and what it watches, without what an address may hide', () => {
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

  it('of secrets is names: a value has no place in it, even if a server sends one', () => {
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
