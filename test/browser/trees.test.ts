import path from 'node:path';
import { assert } from 'chai';
import { repository } from '../host/openEditor';
import { openRow, treeRowAt } from '../host/treeRows';
import { screenshot } from '../host/workbench';
import { connect, picture, sideBar, type Scene } from './scene';
import { openTrees, showOnly, tooltipOf, treeIs } from './trees';

describe('the trees', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees();
    await connect(scene);
  });
  after(() => scene.close());

  it('show what runs where, from the source to the key', async () => {
    const { page } = scene;
    await showOnly(page, 'Sources');
    await openRow(page, 'Sources', ['data-platform', 'production', 'search']);
    await openRow(page, 'Sources', ['data-platform', 'production', 'Secret Keys', 'runtime']);
    await openRow(page, 'Sources', ['operations', 'production']);
    await openRow(page, 'Sources', ['shop-services', 'production', 'Secret Keys']);
    await openRow(page, 'Sources', ['shop-web', 'production']);
    await treeIs(
      page,
      'Sources',
      `
      data-platform cd305006
        production main
          invoice-export 5 * * * * UTC
          recommender running, unhealthy
          reporting exited (wanted stopped)
          search running, healthy, drifted: 2 reasons
            image: observed 1.8.2, wanted 1.9.0
            memory: observed 768m, wanted 1g
            9698a6f running · main · deploy by manual · production · n ago · for n so far
            2690bed succeeded · main · deploy by rollback · production · 1 day ago · took 1 min 10 sec
            75d00b3 succeeded · main · deploy by manual · production · 3 days ago · took 1 min 10 sec
            17bffbf cancelled · main · deploy by push · production · 4 days ago · took 1 min 10 sec
            86c292a superseded · main · deploy by manual · production · 6 days ago · took 1 min 10 sec
          Secret Keys 1 missing
            build 1 key · revision 176d5abb0704
            runtime 2 keys · 1 missing · revision b016f046c79f
              API_TOKEN missing
              WAREHOUSE_URL
              MODEL_BUCKET_KEY
              OTEL_ENDPOINT inherited from global, revision 2c9fbcb84862
              Affects recommender, search and 2 more
      operations 9f2e8185
        production main · disconnected 9 days ago
          cache-warmer */10 * * * * UTC
          nightly-backup 30 2 * * * UTC
          Secret Keys
      shop-services bea01f62
        production main
          inventory running, healthy
          notifications restarting (wanted running), starting
          payments running, healthy
          Secret Keys
            build 1 key · revision 1ab72f7103d0
            runtime 4 keys · pending changes · revision d311dd22ece7
      shop-web a13ff5bf
        preview:feature-checkout-v2
        preview:fix-cart-badge
        production main
          order-worker running, healthy
          storefront running, healthy
          web-api running, healthy
          Secret Keys
      `,
    );
    await picture(scene, 'sources', sideBar);
  });

  it('show what is watched on each server, and on the icon how many rules fire', async () => {
    const { page } = scene;
    await showOnly(page, 'Servers');
    await openRow(page, 'Servers', ['fra-app-1', 'Destinations']);
    await openRow(page, 'Servers', ['fra-app-1', 'Providers']);
    await openRow(page, 'Servers', ['fra-app-1', 'Workloads']);
    await openRow(page, 'Servers', ['hel-data-1']);
    await treeIs(
      page,
      'Servers',
      `
      fra-app-1 0ae56a31 · 1 firing
        Alert Rules 1 firing
          storefront: GET / ok · critical · GET https://storefront.shop.example/, every 30 sec, status 200 to 299 · 200 in 84 ms
          storefront: memoryPercent above 90 ok · warning · memoryPercent above 90, average over 5 min · observed 62
          web-api: cpuPercent above 80 ok · warning · cpuPercent above 80, average over 5 min · observed 41.7
          web-api: errorRatePercent above 2 firing · critical · errorRatePercent above 2, average over 5 min · observed 6.4
          web-api: GET /healthz ok · critical · GET https://web-api.shop.example/healthz, every 30 sec, status 200 to 299 · 200 in 12 ms
        Destinations
          chat-a health, deployment · from environment
          smtp health · from environment
          webhook switched off · backup, security · from environment
        Providers
          chat-a available
          chat-b not available
          chat-c not available
          smtp available
          webhook available
        Workloads
          cache-warmer job
          notifications app
          storefront app
          web-api app
      fra-app-2 32c5b471 · 1 firing
      hel-data-1 8cea9e58 · 1 firing
        Alert Rules 1 firing
          recommender: cpuPercent above 95 no_data · info · cpuPercent above 95, average over 5 min
          recommender: GET /healthz firing · critical · GET https://recommender.shop.example/healthz, every 30 sec, status 200 to 299 · 503 in 5 sec: status 503, wanted 200 to 299
          search: diskPercent above 85 pending · warning · diskPercent above 85, average over 5 min · observed 84.9
        Destinations
        Providers
        Workloads
      `,
    );
    const icon = page.locator('.activitybar').getByRole('tab', { name: /Control Plane/ });
    assert.equal(await icon.locator('.badge-content').innerText(), '3');
    assert.include(await icon.getAttribute('aria-label'), '3 alert rules fire');
    await picture(scene, 'servers', sideBar);
  });

  it('show integrations by category, and the first page of the repositories', async () => {
    const { page } = scene;
    await showOnly(page, 'Integrations');
    await openRow(page, 'Integrations', ['git']);
    await treeIs(
      page,
      'Integrations',
      `
      backup object-storage
      git codehost-a, codehost-b
        codehost-a
        codehost-b
      notification chat-a, smtp
      telemetry collector
      Repositories
      `,
    );
    await openRow(page, 'Integrations', ['Repositories']);
    await treeRowAt(page, 'Integrations', ['Repositories', 'Load more…']);
    await picture(scene, 'integrations', sideBar);
  });

  it('say every field in the tooltip, with times as the workspace writes them', async () => {
    const { page } = scene;
    await showOnly(page, 'Sources');
    const row = await treeRowAt(page, 'Sources', ['data-platform', 'production', 'search']);
    const tooltip = await (await tooltipOf(page, row, 'Health status')).innerText();
    await screenshot(page, path.join(repository, 'dist/screenshots/tooltip-dark.png'));
    for (const line of [
      'running, healthy, ingress ready, drifted: 2 reasons',
      'Source id: cd305006-f313-42f3-9536-063e1d2472bb',
      'Environment › Branch: main',
      'Runtime state › Drift reasons: image: observed 1.8.2, wanted 1.9.0, memory: observed 768m, wanted 1g',
      'Config › Domains › Primary: search.shop.example',
      'Config › Rollout › Max surge: 1',
    ]) {
      assert.include(tooltip.split('\n'), line);
    }
    assert.match(tooltip, /^Created at: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+\d \(\d+ mo\. ago\)$/m);
  });
});
