import { assert } from 'chai';
import { sourceNodes } from '../../../../src/trees/sources/sourceNodes';
import { uiText } from '../../../host/texts';
import { httpError } from '../../data/fakeClient';
import { resources, secrets, shop, source, sources, topics } from '../../data/shop';
import { detailText, find, gives, lines, scene, treeText, uuid } from '../treeText';

const noEnvironment = uiText('No environment');
const unnamed = uiText('Resource');
const deployment = uiText('Deployment');
const secretKeys = uiText('Secret Keys');
const anyStage = `${uiText('Any stage')} — ${uiText('{0} keys', 0)}`;

describe('The tree of sources', () => {
  it('never shows the value of a secret, even if a server sends one', async () => {
    const { context } = await shop();
    const texts: string[] = [];
    const walk = (nodes: ReturnType<typeof sourceNodes>): void =>
      nodes.forEach((node) => {
        const { label, description, status, target, contextValue, id } = node;
        texts.push(JSON.stringify([label, description, status, target, contextValue, id]));
        texts.push(detailText(node));
        walk(node.children());
      });
    walk(sourceNodes(context));
    assert.include(texts.join('\n'), 'SENTRY');
    assert.notInclude(texts.join('\n'), 'hunter2');
    assert.equal(
      detailText(find(sourceNodes(context), 'runtime')),
      lines(`
        ${uiText('Missing keys')}: API_TOKEN
        ${uiText('Keys')}: DATABASE_URL, OTEL_ENDPOINT
        ${uiText('Affects')}: web-api, search, reporting
        ${uiText('Updated')}: 2026-11-19 12:00:00 UTC (1 day ago)
        ${uiText('Revision')}: r7
      `),
    );
  });

  it('shows the available data if every optional field is missing or null', async () => {
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [{}, { id: null, config: null }, { id: uuid(10) }],
        }),
        listSecrets: gives('SecretListing', { bindings: [{}, { keys: null }] }),
        listDeployments: gives('DeploymentListing', { deployments: [{}, {}] }),
      },
      { sources: [{ id: source }] },
    );
    await load(...topics, { kind: 'deployments', resourceId: uuid(10) });
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] 00000000
          [layers] ${noEnvironment}
            [package] ${unnamed}
            [package] ${unnamed}
            [package] 00000000
              [circle-large-outline] ${deployment}
              [circle-large-outline] ${deployment}
            [key] ${secretKeys}
              [tag] ${anyStage}
              [tag] ${anyStage}
      `),
    );
  });

  it('shows unknown states with their own text and a neutral icon', async () => {
    const runtimeState = {
      desiredState: 'orbiting',
      observedState: 'orbiting',
      healthStatus: 'sparkling',
      driftStatus: 'sideways',
      ingressStatus: 'purple',
    };
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', {
          resources: [{ id: uuid(10), name: 'probe', kind: 'satellite', runtimeState, moons: 3 }],
        }),
        listDeployments: gives('DeploymentListing', {
          deployments: [{ id: uuid(1), state: 'constructor', kind: 'launch', trigger: 'moon' }],
        }),
      },
      { sources },
    );
    await load(topics[0], { kind: 'deployments', resourceId: uuid(10) });
    const nodes = sourceNodes(context);
    assert.equal(
      treeText(nodes),
      lines(`
        [repo] shop
          [layers] ${noEnvironment}
            [package] probe — sparkling, orbiting
              [circle-large-outline] 00000000 — constructor · launch
      `),
    );
    const probe = find(nodes, 'probe');
    assert.equal(
      probe.status.words,
      `orbiting, sparkling, ${uiText('ingress {0}', 'purple')}, ${uiText('drift {0}', 'sideways')}`,
    );
    assert.include(detailText(probe), 'Moons: 3');
    assert.include(detailText(probe), `${uiText('Kind')}: satellite`);
  });

  it('names the missing permission and shows the rest', async () => {
    const { context, load } = scene(
      {
        listResources: (id) =>
          id === source ? Promise.resolve(resources) : Promise.reject(httpError(403, 'forbidden')),
        listDeployments: () => Promise.reject(httpError(403, 'forbidden')),
        listSecrets: ({ sourceId }) =>
          sourceId === source
            ? Promise.reject(httpError(403, 'forbidden'))
            : Promise.resolve(secrets),
      },
      { sources: [...sources, { id: uuid(9), label: 'hidden' }] },
    );
    await load(
      ...topics,
      { kind: 'deployments', resourceId: uuid(14) },
      { kind: 'resources', sourceId: uuid(9) },
      { kind: 'secrets', sourceId: uuid(9) },
    );
    const text = treeText(sourceNodes(context));
    assert.include(
      text,
      lines(`
        [debug-disconnect] staging — next · ${uiText('disconnected {0}', '9 days ago')}
          [watch] invoice-export — 5 * * * * UTC · ${uiText('{0} (off)', '0 3 * * 1')}
            [lock] ${uiText('Not allowed ({0})', 'resource.read')}
          [key] ${secretKeys}
            [lock] ${uiText('Not allowed ({0})', 'secret.list')}
      `).replace(/^/gm, '  '),
    );
    assert.include(
      text,
      lines(`
        [repo] hidden — ${uiText('not allowed')}
          [lock] ${uiText('Not allowed ({0})', 'repository.read')}
          [layers] production
            [warning] ${secretKeys} — ${uiText('{0} missing', 1)}
      `),
    );
  });

  it('keeps its rows when a refresh fails, and shows their age', async () => {
    const failing = `shop — ${uiText('{0} failing', 1)}`;
    let isBroken = false;
    const { context, load, clock } = scene(
      {
        listResources: () =>
          isBroken ? Promise.reject(httpError(500, 'internal')) : Promise.resolve(resources),
      },
      { sources },
    );
    await load(topics[0]);
    const before = treeText(sourceNodes(context));
    isBroken = true;
    await clock.advance(300_000);
    await load(topics[0]);
    assert.equal(
      treeText(sourceNodes(context)),
      before.replace(failing, `${failing} · ${uiText('updated {0}', '5 min. ago')}`),
    );
  });

  it('shows that it is loading before the first answer', () => {
    const { context } = scene({}, { sources });
    assert.equal(
      treeText(sourceNodes(context)),
      `[repo] shop\n  [loading~spin] ${uiText('Loading…')}`,
    );
  });

  it('names a source after its apps if it has no label', async () => {
    const { context, load } = scene(
      {
        listResources: () => Promise.resolve(resources),
        listAlertRules: () =>
          Promise.resolve({ workloads: [{ name: 'web-api', sourceId: source.toUpperCase() }] }),
      },
      { sources: [{ id: source }], servers: [{ id: uuid(7) }] },
    );
    const label = (): string => sourceNodes(context)[0]!.label;
    assert.equal(label(), '00000000');
    await load({ kind: 'alerts', serverId: uuid(7) });
    assert.equal(label(), 'web-api');
    await load(topics[0]);
    assert.equal(label(), uiText('{0} and {1} more', 'invoice-export, payments', 3));
  });

  it('gives every row a unique and stable id', async () => {
    const { context } = await shop();
    const ids = (): string[] => {
      const found: string[] = [];
      const walk = (nodes: ReturnType<typeof sourceNodes>): void =>
        nodes.forEach((node) => {
          found.push(node.id);
          walk(node.children());
        });
      walk(sourceNodes(context));
      return found;
    };
    assert.equal(new Set(ids()).size, ids().length);
    assert.deepEqual(ids(), ids());
  });
});
