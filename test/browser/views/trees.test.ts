import texts from '../../../package.nls.json';
import { isDeepStrictEqual } from 'node:util';
import { assert } from 'chai';
import type { Locator } from 'playwright';
import { startControlPlane, type Fault, type ReceivedRequest } from '../../control-plane/server';
import { sequence, uiPattern, uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { openRow, treeRowAt, treeRows } from '../../host/treeRows';
import { answer, view } from '../../host/workbench';
import { covers } from '../../unit/covers';
import { eventually, expect, keyOf, picture, sideBar } from '../scene';
import { chooseOfRow } from '../rowMenu';
import {
  message,
  setNamedTrees,
  showOnly,
  steady,
  tooltipOf,
  treeIs,
  trees,
  watchDrawing,
  welcomeIs,
  type Tree,
} from '../trees';

const link = '[click](command:workbench.action.toggleSidebarVisibility)';
/** Text that an editor could show as a link, icon, image, bold text or another line. */
const hostile = `${link} $(error) <img src=x> **bold**\n# big`;
/** The same text as rows and tooltips must show it: exactly. */
const exact = hostile.replace('\n', ' ');
/** The same text above the rows, where VS Code would make a link of it. */
const harmless = exact.replace('](', '] (');

const failing = uiText('{0} failing', 1);
const firing = uiText('{0} firing', 1);
const drifted = `${uiText('drifted')}: ${uiText('{0} reasons', 2)}`;
const secretKeys = uiText('Secret Keys');
const alertRules = uiText('Alert Rules');
const repositories = uiText('Repositories');
const restarting = `restarting, ${uiText('desired')}: running`;

/** What an HTTP check has found. */
const inTime = (status: number, time: string): string => uiText('{0} in {1}', status, time);

describe('the trees', () => {
  const scene = setNamedTrees({}, { 'workbench.hover.delay': 50 });
  /** Only in a view that is open, and in none that is hidden. */
  const collapse = (tree: Tree): Promise<unknown> =>
    scene.driver.run(`workbench.actions.treeView.controlPlane.${tree}.collapseAll`);
  before(async () => {
    await scene.connect();
    await showOnly(scene.page, ...trees);
    for (const tree of trees) {
      await view(scene.page, tree).getByRole('treeitem').first().waitFor();
      await collapse(tree);
    }
    await showOnly(scene.page, 'sources');
  });
  beforeEach(async () => {
    for (const name of ['Sources', 'Servers', 'Integrations']) {
      await scene.driver.run(`controlPlane.reset${name}Filter`);
    }
    await collapse('sources');
    // Most are about one tree.
    await scene.reconnect();
    await showOnly(scene.page, 'sources');
  });

  const refresh = (): Promise<unknown> => scene.driver.run('controlPlane.refresh');
  /** Chooses the order of a tree; a list that closes because a view takes the focus opens again. */
  const sort = async (order: string, tree: 'Sources' | 'Servers' | 'Integrations' = 'Sources') => {
    const item = scene.page.locator('.quick-input-list .monaco-list-row', { hasText: order });
    for (let isChosen = false; !isChosen;) {
      const closed = scene.driver.run(`controlPlane.sort${tree}`);
      isChosen = await item.click({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
      await closed;
    }
  };
  const workload = (name: string) =>
    scene.controlPlane.world.workloads.find((one) => one.name === name)!;
  /** Answers every request of the trees in this way. */
  const failAll = (fault: Fault): void => {
    for (const path of ['/sources/', '/servers/', '/integrations', '/resources/']) {
      scene.controlPlane.admin.fault({ ...fault, times: 1000, path });
    }
  };

  it('show what runs where, from the source to the key, with a few facts in the tooltip', async () => {
    const { page } = scene;
    await openRow(page, 'sources', ['data-platform', 'production', 'search']);
    await openRow(page, 'sources', ['data-platform', 'production', secretKeys, 'runtime']);
    await openRow(page, 'sources', ['operations', 'production']);
    const missing = uiText('{0} missing', 1);
    // The backup is not as old as two nights.
    const silent = uiText('nothing logged for {0}', '7 days');
    await treeIs(
      page,
      'sources',
      `
      data-platform ${failing}
        production ${failing} · main
          invoice-export ${silent} · ${uiText('every hour at minute {0}', 5)} · ${uiText('next {0}', 'in n')} · # · n ago
          recommender unhealthy, running · # · n ago
          reporting exited · # · n ago
          search ${drifted}, running · # · n ago
            image: observed 1.8.2, wanted 1.9.0
            memory: observed 768m, wanted 1g
            # running · n ago · manual
            # succeeded · n ago · rollback
            # succeeded · n ago · manual
            # canceled · n ago · push
            # superseded · n ago · manual
          ${secretKeys} ${missing}
            build ${uiText('{0} key', 1)} · ${uiText('revision {0}', '176d5abb0704')}
            runtime ${uiText('{0} keys', 2)} · ${missing} · ${uiText('revision {0}', 'b016f046c79f')}
              API_TOKEN ${uiText('missing')}
              WAREHOUSE_URL
              MODEL_BUCKET_KEY
              OTEL_ENDPOINT ${uiText('inherited from {0}, revision {1}', 'global', '2c9fbcb84862')}
              ${uiText('Affects')} ${uiText('{0} and {1} more', 'recommender, search', 2)}
      operations
        production main · ${uiText('disconnected {0}', 'n ago')}
          cache-warmer ${silent} · ${uiText('every {0} minutes', 10)} · ${uiText('next {0}', 'in n')} · # · n ago
          nightly-backup ${uiText('daily at {0}', '02:30 UTC')} · ${uiText('next {0}', 'in n')} · # · n ago
          ${secretKeys}
      shop-services
      shop-web
      `,
    );
    const row = await treeRowAt(page, 'sources', ['data-platform', 'production', 'search']);
    const tooltip = await (await tooltipOf(page, row, uiText('Drift'))).innerText();
    await picture(scene, 'sources');
    const facts = tooltip.split('\n').filter((line) => line.trim() !== '');
    assert.deepEqual(facts.slice(0, 4), [
      'search',
      `${uiText('State')}: running`,
      `${uiText('Health')}: healthy`,
      `${uiText('Ingress')}: ready`,
    ]);
    assert.include(
      facts,
      `${uiText('Drift')}: image: observed 1.8.2, wanted 1.9.0, memory: observed 768m, wanted 1g`,
    );
    assert.match(facts.at(-1)!, sequence(/^/, uiText('ID'), ': ', /[0-9a-f-]{36}$/));
    // In the format of the workspace and the time zone of the computer.
    assert.match(tooltip, /: [0-9a-f]{7}, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(.+ ago\)$/m);
  });

  it('compare the secret keys of a source in a table, from the menu of its row', async () => {
    const { page, controlPlane } = scene;
    const bindings = [
      { environment: 'production', stage: 'build', keys: ['REGISTRY_TOKEN'] },
      { environment: 'production', stage: 'runtime', keys: ['DATABASE_URL', 'QUEUE_URL'] },
      { environment: 'staging', stage: 'build', keys: ['REGISTRY_TOKEN'] },
      {
        ...{ environment: 'staging', stage: 'runtime', keys: ['DATABASE_URL', 'FEATURE_FLAGS'] },
        ...{ missingKeys: ['API_TOKEN'], inheritedKeys: ['OTEL_ENDPOINT'] },
      },
    ];
    const body = JSON.stringify({ bindings });
    const endpoint = 'get_sources_secrets';
    controlPlane.admin.fault({ kind: 'status', status: 200, body, endpoint, times: 1000 });
    await chooseOfRow(page, 'sources', ['shop-web'], 'compareSecretKeys', 'mouse');
    const title = page.locator('.view-line', {
      hasText: uiText('Secret keys of {0}', 'shop-web'),
    });
    await expect(title).toBeVisible();
    await expect(page.locator('.view-line', { hasText: 'FEATURE_FLAGS' })).toBeVisible();
    await picture(scene, 'secret-keys');
    await scene.driver.run('workbench.action.closeAllEditors');
  });

  it('show the alert rules of each server, and the number of firing rules on the icon', async () => {
    const { page } = scene;
    await showOnly(page, 'servers');
    await openRow(page, 'servers', ['fra-app-1', uiText('Destinations')]);
    const fromEnvironment = uiText('from {0}', 'environment');
    // Firing rules are expanded.
    await openRow(page, 'servers', ['hel-data-1']);
    await treeIs(
      page,
      'servers',
      `
      fra-app-1 ${firing}
        ${alertRules} ${firing}
          web-api: error rate 6.4 > 2 critical
          storefront: GET / OK · ${inTime(200, '84 ms')}
          storefront: memory > 90 OK · 62 %
          web-api: CPU > 80 OK · 41.7 %
          web-api: GET /healthz OK · ${inTime(200, '12 ms')}
        ${uiText('Destinations')}
          chat-a health, deployment · ${fromEnvironment}
          smtp health · ${fromEnvironment}
          webhook ${uiText('off')} · backup, security · ${fromEnvironment}
        ${uiText('Providers')}
        ${uiText('Workloads')}
      fra-app-2 ${firing}
      hel-data-1 ${firing}
        ${alertRules} ${firing}
          503 · recommender: GET /healthz status 503, wanted 200 to 299 · 5 sec · critical
          search: disk > 85 pending · 84.9 %
          recommender: CPU > 95 no data
        ${uiText('Destinations')}
        ${uiText('Providers')}
        ${uiText('Workloads')}
      `,
    );
    const icon = page.locator('.activitybar').getByRole('tab', { name: /Control Plane/ });
    await expect(icon.locator('.badge-content')).toHaveText('3');
    await expect(icon).toHaveAttribute('aria-label', uiPattern('{0} alert rules fire', '3'));
    await picture(scene, 'servers', sideBar);
  });

  it('show integrations, and repositories page by page or by a search', async () => {
    const { page } = scene;
    await showOnly(page, 'integrations');
    await openRow(page, 'integrations', ['git']);
    await treeIs(
      page,
      'integrations',
      `
      backup object-storage
      git codehost-a, codehost-b
        codehost-a
        codehost-b
      notification chat-a, smtp
      telemetry collector
      ${repositories}
      `,
    );
    const repositoriesAre = (count: number): Promise<string[]> =>
      eventually(
        () => treeRows(page, 'integrations'),
        (rows) => rows.filter((row) => row.includes('example-')).length === count,
        `there are not ${count} repositories`,
      );
    await openRow(page, 'integrations', [repositories]);
    await repositoriesAre(20);
    await (await treeRowAt(page, 'integrations', [repositories, uiText('Load more…')])).click();
    await repositoriesAre(40);
    const searched = scene.driver.run('controlPlane.searchRepositories');
    await answer(page, 'billing');
    await searched;
    const found = await repositoriesAre(5);
    assert.include(found.join('\n'), `${repositories} ${uiText('search: {0}', 'billing')} · 5`);
    await picture(scene, 'repository-search', sideBar);
    await scene.driver.run('controlPlane.resetRepositorySearch');
    await repositoriesAre(40);
  });

  it('are filtered and sorted, which a filled icon shows and a reload keeps', async () => {
    const { page } = scene;
    const button = (name: string): Locator =>
      view(page, 'sources').locator('.pane-header').getByRole('button', { name });
    await sort(uiText('By State: Failed First'));
    try {
      await view(page, 'sources').hover();
      await button(commandTitle('filterSources')).click();
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'restarting' }).click();
      await picture(scene, 'filter-pick');
      // Both the typed text and the ticked items must match.
      await answer(page, 'NOTIF');
      await openRow(page, 'sources', ['shop-services', 'production']);
      const shown = `
      shop-services
        production main
          notifications ${restarting}, starting · # · n ago
    `;
      await treeIs(page, 'sources', shown);

      await scene.reload();
      await openRow(page, 'sources', ['shop-services', 'production']);
      await treeIs(page, 'sources', shown);
      await view(page, 'sources').hover();
      const filled = button(texts['command.changeSourcesFilter']);
      await filled.and(page.locator('.codicon-filter-filled')).waitFor();
      await expect(button(commandTitle('filterSources'))).toHaveCount(0);
      await picture(scene, 'filtered', sideBar);
      await expect(button(commandTitle('resetSourcesFilter'))).toBeVisible();
      await expect
        .poll(() => message(page, 'sources'))
        .toBe(uiText('Filtered: {0} ({1} of {2}).', 'NOTIF, restarting', 1, 4));

      await filled.click();
      await answer(page, 'no such thing');
      await welcomeIs(page, 'sources', 'sources.noMatch');
      await view(page, 'sources').locator('.welcome-view-content').getByRole('button').click();
      await button(commandTitle('filterSources')).waitFor({ state: 'attached' });
      await openRow(page, 'sources', ['data-platform', 'production']);
      const rows = await treeRows(page, 'sources');
      const apps = rows.slice(rows.findIndex((row) => row.startsWith('  production')) + 1);
      assert.match(apps[0]!, /recommender unhealthy, running/, 'what is wrong comes first');
      assert.include(apps[1]!, `search ${drifted}, running`);
    } finally {
      // The other tests need this order.
      await sort(uiText('By Name'));
    }
  });

  for (const [name, tree, text, found] of [
    ['Servers', 'servers', 'HEL', 'hel-data-1'],
    ['Integrations', 'integrations', 'backup', 'backup'],
  ] as const) {
    it(`are filtered and sorted each on its own: ${name}`, async () => {
      const { page, driver } = scene;
      await showOnly(page, 'sources', tree);
      const topRows = async (of: Tree): Promise<string[]> =>
        (await treeRows(page, of)).filter((row) => !row.startsWith(' '));
      const areSources = (): Promise<unknown> =>
        eventually(
          () => topRows('sources'),
          (rows) => rows.length === scene.controlPlane.world.sources.length,
          'all sources are there',
        );
      await areSources();
      const areAll = (): Promise<string[]> =>
        eventually(
          () => topRows(tree),
          (rows) => rows.length > 1,
          'there are no other rows',
        );
      await areAll();
      void driver.run(`controlPlane.filter${name}`);
      await answer(page, text);
      const shown = await eventually(
        () => topRows(tree),
        (rows) => rows.length === 1,
        'one row is left',
      );
      assert.isTrue(shown[0]!.startsWith(found));
      await areSources();
      void driver.run(`controlPlane.change${name}Filter`);
      await answer(page, '');
      await areAll();
      await sort(uiText('By State: Failed First'), name);
      void driver.run(`controlPlane.sort${name}`);
      // The box that was open before has rows, too.
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: uiText('current') })
        .filter({ hasText: uiText('By State: Failed First') })
        .waitFor();
      await page.keyboard.press('Escape');
      await sort(uiText('By Name'), name);
    });
  }

  it('redraw only the rows that have changed, and keep selection and expansion', async () => {
    const { page, controlPlane } = scene;
    const webApi = ['shop-web', 'production', 'web-api'];
    const rows = async (): Promise<string[]> =>
      steady((await treeRows(page, 'sources')).join('\n')).split('\n');
    const selected = view(page, 'sources').locator('.monaco-list-row.selected .label-name');
    await openRow(page, 'sources', webApi);
    // All that is loaded is drawn.
    await treeIs(
      page,
      'sources',
      `
      data-platform ${failing}
      operations
      shop-services
      shop-web
        preview:feature-checkout-v2
        preview:fix-cart-badge
        production main
          order-worker running · # · n ago
          storefront running · # · n ago
          web-api running · # · n ago
            # succeeded · n ago · push
            # superseded · n ago · rollback
            # failed: health_check_failed · n ago · scheduled
            # succeeded · n ago · manual
            # canceled · n ago · pull request · feature/checkout-v2 · preview
          ${secretKeys}
      `,
    );
    const before = await rows();
    const at = before.findIndex((row) => row.trim().startsWith('web-api'));
    const [newest, second] = (await treeRows(page, 'sources'))
      .slice(at + 1)
      .map((row) => row.trim().split(' ')[0]!);
    await (await treeRowAt(page, 'sources', [...webApi, second!])).click();
    // While rows are still on their way to the window, all are drawn again.
    let count = 0;
    await eventually(
      async () => {
        const drawn = await watchDrawing(page, 'sources');
        const trigger = `probe-${++count}`;
        controlPlane.admin.change(workload('web-api').deploymentId, { trigger });
        await refresh();
        await view(page, 'sources').getByText(trigger).waitFor();
        return drawn();
      },
      (drawn) => isDeepStrictEqual(drawn, [newest]),
      'other rows are drawn again, too',
    );
    const after = await rows();
    const others = (all: string[]): string[] => all.filter((_, index) => index !== at + 1);
    assert.match(after[at + 1]!, /probe/);
    assert.deepEqual(others(after), others(before));
    await expect(selected).toHaveText([second!]);
    await picture(scene, 'changed-deployment', sideBar);

    // A new deployment adds a row.
    const { id, environmentId } = workload('web-api').source;
    const path = `/v1/api/sources/${id}/environments/${environmentId}/syncs`;
    const { status } = await fetch(controlPlane.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(scene, 'demo-full')}` },
    });
    assert.equal(status, 202);
    await refresh();
    await eventually(
      rows,
      ({ length }) => length === before.length + 1,
      'there is not one row more, of the deployment that has begun',
    );
    await expect(selected).toHaveText([second!]);
  });

  it('lose no row and no change if data changes while rows are on their way', async () => {
    const { page, controlPlane } = scene;
    const path = ['shop-web', 'production', 'web-api'];
    const change = async (trigger: string): Promise<void> => {
      controlPlane.admin.change(workload('web-api').deploymentId, { trigger });
      await refresh();
    };
    for (let round = 0; round < 5; round++) {
      await scene.driver.run('workbench.actions.treeView.controlPlane.sources.collapseAll');
      const opened = openRow(page, 'sources', path);
      for (let count = 0; count < 8; count++) await change(`early-${round}-${count}`);
      await opened;
      await change(`last-${round}`);
      await view(page, 'sources').getByText(`last-${round}`).waitFor();
      await treeRowAt(page, 'sources', ['shop-web', 'production', secretKeys]);
    }
  });

  /** Asserts that rows, tooltips and lines contain only text. */
  async function staysText(place: Locator): Promise<void> {
    // The labels of rows and their buttons are <a> elements without an address.
    const made = place.locator('a:not(.label-name):not(.action-label), a[href], img, h1');
    const icons = place.locator('.label-name .codicon, .label-description .codicon');
    // Once: a tooltip that has closed meanwhile would contain nothing.
    const found = await made
      .or(icons)
      .evaluateAll((all: { outerHTML: string }[]) => all.map((one) => one.outerHTML));
    assert.deepEqual(found, []);
  }

  it(`keep their rows when everything fails, and show their age and the error as text ${covers('F56', 'editor')}`, async () => {
    const { page, controlPlane } = scene;
    await showOnly(page, 'servers');
    await treeRowAt(page, 'servers', ['hel-data-1', uiText('Workloads')]);
    const rows = async (): Promise<string[]> =>
      (await treeRows(page, 'servers')).map((row) =>
        row.replace(uiPattern('updated {0}'), '').replace(/[ ·]+$/, ''),
      );
    const before = await rows();
    failAll({ kind: 'status', status: 400, message: hostile });
    await refresh();
    const line = await eventually(
      () => message(page, 'servers'),
      (text) => text !== '',
      'there is no line above the rows',
    );
    const refused = uiText('The control plane refused the request with status {0}.', 400);
    const updated = uiPattern('Updated {0}.', /(?:now|\d+ sec\. ago)/);
    assert.match(line, sequence(/^/, updated, ' ', refused));
    assert.include(line, harmless);
    const above = view(page, 'servers').locator('.message:visible').first();
    const isWide = (one: { scrollWidth: number; clientWidth: number }): boolean =>
      one.scrollWidth > one.clientWidth;
    await expect.poll(() => above.evaluate(isWide), 'a word is too long for it').toBe(false);
    await staysText(view(page, 'servers'));
    await expect.poll(rows).toEqual(before);
    await picture(scene, 'stale', sideBar);
    controlPlane.admin.reset();
    await refresh();
    await expect.poll(() => message(page, 'servers')).toBe('');
  });

  it(`say why they are empty, and what to do, and that one source and one server are not allowed ${covers('F75', 'editor')}`, async () => {
    const { page, controlPlane } = scene;
    await showOnly(page, ...trees);
    await scene.signOut();
    await welcomeIs(page, 'sources', 'sources.signedOut');
    for (const tree of ['servers', 'integrations', 'logs'] as const) {
      await view(page, tree).waitFor({ state: 'detached' });
    }
    await picture(scene, 'signed-out', sideBar);
    failAll({ kind: 'html' });
    await scene.connect();
    for (const tree of trees) {
      await welcomeIs(page, tree, 'unreachable.answer');
    }
    await picture(scene, 'no-answer', sideBar);
    controlPlane.admin.reset();
    const { sources, servers } = controlPlane.world;
    const [source, server] = [sources[0]!, servers[0]!];
    controlPlane.admin.unkind({ forbiddenIds: [source.id, server.id] });
    await refresh();
    for (const tree of trees) await view(page, tree).getByRole('treeitem').first().waitFor();
    const notAllowed = (name: string, permission: string): string =>
      uiText('{0}: not allowed ({1}).', name, permission);
    const expected = {
      sources: `${notAllowed(source.name, 'repository.read')} ${notAllowed(source.name, 'secret.list')}`,
      servers: notAllowed(server.name, 'alert.read'),
    };
    for (const [tree, all] of [['sources', sources] as const, ['servers', servers] as const]) {
      // All of its rows need room.
      await showOnly(page, tree);
      await expect.poll(() => message(page, tree)).toBe(expected[tree]);
      for (const { name } of all) await treeRowAt(page, tree, [name]);
      await picture(scene, `not-allowed-${tree}`, sideBar);
    }
  });

  it(`show names from a server as text, in rows and tooltips ${covers('F57', 'editor')}`, async () => {
    const { page, controlPlane } = scene;
    const bodies = {
      '/deployments': { deployments: [{ state: hostile, commitSha: hostile }] },
      '/secrets': { bindings: [{ environment: hostile, stage: hostile, missingKeys: [hostile] }] },
      '/resources': {
        resources: [
          {
            id: workload('web-api').id,
            name: hostile,
            environment: { name: hostile, branch: hostile },
            runtimeState: { observedState: hostile, driftReasons: [hostile] },
            [hostile]: hostile,
          },
        ],
      },
      '/monitor-alerts': {
        rules: [
          { name: hostile, evaluationState: 'firing', condition: { metric: `${hostile} !` } },
        ],
      },
      '/integrations': { integrations: [{ category: hostile, provider: hostile }] },
    };
    await scene.signOut();
    for (const [path, body] of Object.entries(bodies)) {
      const text = JSON.stringify(body);
      controlPlane.admin.fault({ kind: 'status', status: 200, body: text, path, times: 1000 });
    }
    await scene.connect();
    const paths: readonly (readonly [Tree, readonly string[]])[] = [
      ['sources', ['shop-web', exact, exact]],
      ['servers', ['hel-data-1', alertRules, exact]],
      ['integrations', [exact]],
    ];
    for (const [tree, path] of paths) {
      await showOnly(page, tree);
      const row = await treeRowAt(page, tree, path);
      const tooltip = await tooltipOf(page, row, '<img src=x>');
      await staysText(tooltip);
      await expect(tooltip, path.join(' › ')).toContainText(exact);
      await staysText(view(page, tree));
    }
    await picture(scene, 'hostile-rows', sideBar);
  });

  it('show nothing of a connection that was left, however late its answers arrive', async () => {
    const { page, controlPlane } = scene;
    const other = await startControlPlane({ seed: 7, live: false, historyRecords: 0 });
    try {
      // With the same ids, so that a late answer would find its place.
      for (const { id, name } of other.world.workloads) {
        other.admin.change(id, { name: `other-${name}`, environment: { name: 'elsewhere' } });
      }
      await openRow(page, 'sources', ['shop-services', 'production']);
      const path = '/sources/';
      controlPlane.admin.fault({ kind: 'latency', latencyMs: 60_000, path, times: 1000 });
      const slow = (): ReceivedRequest[] =>
        controlPlane.admin.requests().filter(({ url, isOver, status }) => {
          return url.includes(path) && (!isOver || status === undefined);
        });
      const refreshed = refresh();
      await eventually(
        () => Promise.resolve(slow()),
        ({ length }) => length >= 2,
        'there are no slow requests',
      );
      await scene.driver.connect({
        name: 'other',
        baseUrl: other.url,
        apiKey: other.keys['demo-full'] ?? '',
      });
      await openRow(page, 'sources', ['shop-services', 'elsewhere']);
      await treeIs(
        page,
        'sources',
        `
        data-platform ${failing}
        operations
        shop-services
          elsewhere
            other-inventory running
            other-notifications ${restarting}, starting
            other-payments running
          production
        shop-web
        `,
      );
      await refreshed;
      await eventually(
        () => Promise.resolve(slow()),
        (all) => all.every(({ isOver }) => isOver),
        'all slow requests have ended',
      );
    } finally {
      await other.close();
    }
  });
});
