import { assert } from 'chai';
import { sourceNodes } from '../../../../src/trees/sources/sourceNodes';
import { statesOf } from '../../../../src/trees/treeOrder';
import { shop, source, sources, topics } from '../../data/shop';
import { find, gives, lines, scene, treeText, uuid } from '../treeText';

describe('The tree of sources', () => {
  it('shows environments, apps, jobs, deployments and secret keys', async () => {
    const { context } = await shop();
    assert.equal(
      treeText(sourceNodes(context)),
      lines(`
        [repo] shop — 1 failing
          [layers] production — 1 failing · main
            [pass-filled] web-api — running
              [sync~spin] 2222222 — running · 3 min. ago · push
              [error] 1111111 — failed: health_check_failed · 2 days ago · rollback
              [circle-large-outline] v1 — hovering
            [warning] search — drifted: 2 reasons, running
              [warning] image: observed 1.8.2, wanted 1.9.0
              [warning] memory: observed 768m, wanted 1g
              [dash] No deployments
            [circle-slash] reporting — exited (desired: stopped)
              [dash] No deployments
            [error] payments — crashed (desired: running), unhealthy
              [dash] No deployments
            [warning] Secret Keys — 1 missing
              [tag] build — 1 key · revision b1
                [key] REGISTRY_TOKEN
              [warning] runtime — 2 keys · 1 missing · pending changes · revision r7
                [warning] API_TOKEN — missing
                [key] DATABASE_URL
                [key] OTEL_ENDPOINT — inherited from global, revision g3
                [key] SENTRY — inherited
                [references] Affects — web-api, search and 1 more
          [debug-disconnect] staging — next · disconnected 9 days ago
            [watch] invoice-export — 5 * * * * UTC · 0 3 * * 1 (off)
              [dash] No deployments
          [layers] preview:cart
            [key] Secret Keys
              [tag] runtime — 1 key
                [key] DATABASE_URL
      `),
    );
  });

  it('has every state as text, for people who cannot see the icon', async () => {
    const { context } = await shop();
    const words = ['web-api', 'search', 'payments', 'staging', '1111111'].map(
      (label) => find(sourceNodes(context), label).status.words,
    );
    assert.deepEqual(words, [
      'running, healthy, ingress ready, no drift',
      'running, healthy, ingress ready, drifted: 2 reasons',
      'crashed (desired: running), unhealthy, ingress ready, no drift',
      'disconnected',
      'failed',
    ]);
  });

  it('has states for a filter, but no reasons of a drift', async () => {
    const { context } = await shop();
    const states = statesOf(sourceNodes(context));
    assert.include(states, 'drifted');
    assert.notInclude(states, 'drift');
  });

  it('tells commands what each row represents', async () => {
    const { context } = await shop();
    const nodes = sourceNodes(context);
    assert.deepEqual(find(nodes, 'web-api').target, {
      id: uuid(10),
      resourceId: uuid(10),
      name: 'web-api',
      sourceId: source,
      environmentId: uuid(2),
      follow: { filter: { workloadIds: [uuid(10)] }, label: 'web-api' },
      site: 'https://web-api.shop.example/',
    });
    assert.deepEqual(find(nodes, 'production').target.follow, {
      filter: { workloadIds: [10, 11, 12, 13].map(uuid), environments: ['production'] },
      label: 'production',
    });
    assert.deepEqual(find(nodes, '2222222').target.follow?.filter, { deploymentIds: [uuid(102)] });
    const contexts = ['shop', 'production', 'staging', 'web-api', 'search', '2222222', 'API_TOKEN'];
    assert.deepEqual(
      contexts.map((label) => find(nodes, label).contextValue),
      [
        'source canFollow hasId hasName canRefresh canRename',
        'environment canFollow hasId hasName canRefresh canSync',
        'environment canFollow hasId hasName canRefresh',
        'resource canFollow hasSite hasId hasName canRefresh',
        'resource canFollow hasId hasName canRefresh',
        'deployment canFollow hasId hasName',
        'secretKey hasName',
      ],
    );
  });

  it('opens only https sites without a user name in the URL', async () => {
    const hosts = [
      'http://a.example',
      'x@b.example',
      'javascript:alert(1)',
      'a b',
      '',
      'c.example/app',
    ];
    const listing = {
      resources: hosts.map((primary, index) => ({
        id: uuid(index),
        config: { domains: { primary } },
      })),
    };
    const { context, load } = scene(
      { listResources: gives('ResourceListing', listing) },
      { sources },
    );
    await load(topics[0]);
    const [environment] = sourceNodes(context)[0]!.children();
    assert.deepEqual(
      environment!.children().map(({ target }) => target.site),
      [undefined, undefined, undefined, undefined, undefined, 'https://c.example/app'],
    );
  });
});
