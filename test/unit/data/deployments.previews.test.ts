import { assert } from 'chai';
import type { Deployment } from '../../../src/api/types';
import { previewOf } from '../../../src/data/deployments';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { find, gives, scene, uuid } from '../trees/treeText';

const app = { id: uuid(1), name: 'web' };
const preview = (hour: number, changes: Partial<Deployment> = {}): Deployment => ({
  id: uuid(10 + hour),
  environment: 'preview',
  gitRef: 'refs/heads/topic',
  state: 'succeeded',
  createdAt: `2026-11-20T0${hour}:00:00Z`,
  hostname: 'topic.shop.example',
  ...changes,
});

describe('The preview of a branch', () => {
  interface Case {
    readonly does: string;
    readonly deployments: readonly Deployment[];
    /** The id of its newest deployment, and its site; undefined without a preview. */
    readonly expected: readonly [id: string, site: string | undefined] | undefined;
  }
  const site = 'https://topic.shop.example/';
  const cases: readonly Case[] = [
    {
      does: 'has the site of its deployment',
      deployments: [preview(1), { id: uuid(9), state: 'succeeded', hostname: 'shop.example' }],
      expected: [uuid(11), site],
    },
    {
      does: 'keeps its site while it is deployed again, and after a failure',
      deployments: [preview(1), preview(2, { state: 'building', hostname: 'new.example' })],
      expected: [uuid(12), site],
    },
    {
      does: 'has no site before the first deployment has succeeded',
      deployments: [preview(1, { state: 'building' })],
      expected: [uuid(11), undefined],
    },
    ...['http://topic.example', 'user@topic.example', 'topic.example evil', ''].map((hostname) => ({
      does: `has no site at ${JSON.stringify(hostname)}`,
      deployments: [preview(1, { hostname })],
      expected: [uuid(11), undefined] as const,
    })),
    {
      does: 'is that of the branch only',
      deployments: [preview(1, { gitRef: 'refs/heads/other' })],
      expected: undefined,
    },
    {
      does: 'is gone after it was removed',
      deployments: [preview(1), preview(2, { state: 'deleted' })],
      expected: undefined,
    },
  ];
  for (const { does, deployments, expected } of cases) {
    it(does, () => {
      const [found] = previewOf([app], ['main', 'topic'], () => deployments);
      assert.deepEqual(found && [found.deployment.id, found.site], expected && [...expected]);
    });
  }

  it('has a row under the environment, with its state, its logs and its site', async () => {
    const source = uuid(5);
    const resource = { ...app, environment: { id: uuid(6), name: 'production' } };
    const checkedOut = { sourceId: source, branches: ['topic'] };
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', { resources: [resource] }),
        listDeployments: gives('DeploymentListing', { deployments: [preview(2), preview(1)] }),
      },
      { sources: [{ id: source }], checkedOut },
    );
    await load(
      { kind: 'resources', sourceId: source },
      { kind: 'deployments', resourceId: app.id },
    );
    const row = find(sourceNodes(context), 'preview of web');
    assert.equal(row.description, 'succeeded · 10 hr. ago · topic.shop.example');
    assert.equal(row.contextValue, 'preview canFollow hasSite hasId');
    assert.deepEqual(row.target.follow?.filter, { deploymentIds: [uuid(12), uuid(11)] });
    const elsewhere = { ...context, checkedOut: () => ({ ...checkedOut, sourceId: uuid(8) }) };
    assert.throws(() => find(sourceNodes(elsewhere), 'preview of web'));
  });
});
