import { assert } from 'chai';
import type { Deployment } from '../../../src/api/types';
import { deploymentPair } from '../../../src/data/deployments';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { pathTo } from '../../../src/trees/nodes';
import { resources, shop, source, sources } from './shop';
import { read, scene, uuid } from '../trees/treeText';

/**
 * The example source, whose first app has deployments in these states, one an hour, oldest first.
 */
async function pairIn(
  states: string[],
  wanted: number,
  { isOfSource = true, places = [] as Deployment[] } = {},
) {
  const deployments = states.map((state, index) => ({
    id: uuid(100 + index),
    state,
    createdAt: `2026-11-20T0${index}:00:00Z`,
    ...places[index],
  }));
  const made = scene(
    {
      listResources: () => Promise.resolve(resources),
      listDeployments: (id) =>
        Promise.resolve(
          id === uuid(10)
            ? // In any order.
              read('DeploymentListing', { deployments: [...deployments].sort(() => -1) })
            : {},
        ),
    },
    isOfSource ? { sources } : {},
  );
  await made.load(
    { kind: 'resources', sourceId: source },
    { kind: 'deployments', resourceId: uuid(10) },
  );
  return deploymentPair(made.context, {
    deploymentId: uuid(100 + wanted),
    ...(isOfSource ? {} : { resourceId: uuid(10) }),
  });
}

describe('A deployment and its neighbours', () => {
  it('are the nearest on either side that may have run', async () => {
    const states = ['succeeded', 'superseded', 'failed', 'succeeded', 'cancelled', 'succeeded'];
    const pair = await pairIn(states, 3);
    assert.equal(pair?.resource.name, 'web-api');
    assert.equal(pair?.time, Date.UTC(2026, 10, 20, 3));
    assert.equal(pair?.previous?.id, uuid(101));
    assert.equal(pair?.next?.id, uuid(105));
  });

  it('are found without the source of their app', async () => {
    const pair = await pairIn(['succeeded', 'succeeded'], 1, { isOfSource: false });
    assert.deepEqual(pair?.resource, { id: uuid(10) });
    assert.equal(pair?.previous?.id, uuid(100));
  });

  it('are of the same environment, or of the same preview', async () => {
    const states = Array.from({ length: 5 }, () => 'succeeded');
    const production = { targetEnvironment: { id: uuid(1) } };
    const preview = (branch: string): Deployment => ({
      environment: 'preview',
      gitRef: `refs/heads/${branch}`,
    });
    const staging = { targetEnvironment: { id: uuid(2) } };
    const places = [production, preview('one'), staging, preview('two'), production];
    assert.equal((await pairIn(states, 4, { places }))?.previous?.id, uuid(100));
    assert.equal((await pairIn(states, 0, { places }))?.next?.id, uuid(104));
    assert.isUndefined((await pairIn(states, 3, { places }))?.previous);
    const again = [...places.slice(0, 3), preview('one'), production];
    assert.equal((await pairIn(states, 3, { places: again }))?.previous?.id, uuid(101));
  });

  it('can be missing', async () => {
    const pair = await pairIn(['failed', 'succeeded', 'queued'], 1);
    assert.isUndefined(pair?.previous);
    assert.isUndefined(pair?.next);
    assert.isUndefined(await pairIn(['succeeded'], 9));
  });
});

describe('The path to a row', () => {
  it('contains the rows above it', async () => {
    const { context } = await shop();
    const nodes = sourceNodes(context);
    const path = pathTo(nodes, ({ target }) => target.resourceId === uuid(11)) ?? [];
    assert.equal(path[0], `source ${source}`);
    assert.lengthOf(path, 3);
    assert.equal(path[2], `${path[1] ?? ''}/resource ${uuid(11)}`);
    assert.isUndefined(pathTo(nodes, ({ target }) => target.resourceId === uuid(99)));
  });

  it('is no deeper than the trees', () => {
    const [node] = sourceNodes(scene({}, { sources }).context);
    assert.isDefined(node);
    const endless = { ...node, children: () => [endless] };
    assert.isUndefined(pathTo([endless], ({ id }) => id === 'nowhere'));
  });
});
