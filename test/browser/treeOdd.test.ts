import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import type { Fault } from '../control-plane/server';
import { openRow, treeRowAt } from '../host/treeRows';
import { notifications, runCommand, view } from '../host/workbench';
import { connect, enterConnection, eventually, keyOf, picture, sideBar, type Scene } from './scene';
import { message, openTrees, tooltipOf, treeIs, trees, type Tree } from './trees';

const link = '[click](command:workbench.action.toggleSidebarVisibility)';
/** What an editor would make a link, an icon, an image, bold text or another line of. */
const hostile = `${link} $(error) <img src=x> **bold**\n# big`;
/** The same as a person is to read it. */
const harmless =
  '[click] (command:workbench.action.toggleSidebarVisibility) $(error) <img src=x> **bold** # big';

describe('the trees of a control plane that answers oddly', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees(({ world }) => ({
      settings: {
        'controlPlane.sources': [{ id: world.sources[2]!.id, label: 'shop' }],
        'controlPlane.servers': [{ id: world.servers[0]!.id, label: 'server' }],
      },
    }));
    await view(scene.page, 'Integrations').locator('.pane-header').click();
    await connect(scene);
  });
  after(() => scene.close());
  afterEach(() => scene.controlPlane.admin.reset());

  /** Connects anew to a control plane that answers this. */
  async function answer(bodies: Readonly<Record<string, unknown>>): Promise<void> {
    const { page, controlPlane } = scene;
    await runCommand(page, 'Control Plane: Sign Out');
    await view(page, 'Sources').getByText('You are signed out').waitFor();
    const answers = Object.entries(bodies).map(([path, body]): Fault => ({
      kind: 'status',
      status: 200,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      path,
      times: 1000,
    }));
    answers.forEach((fault) => controlPlane.admin.fault(fault));
    await enterConnection(page, controlPlane.url, keyOf(scene, 'demo-full'));
  }

  it('show what there is where every optional field is missing or null', async () => {
    const { page } = scene;
    const id = scene.controlPlane.world.workloads[0]!.id;
    await answer({
      '/deployments': { deployments: [{}, { id: null, state: null }] },
      '/secrets': { bindings: [{}, { keys: null }] },
      '/resources': { resources: [{}, { id: null, config: null, runtimeState: null }, { id }] },
      '/monitor-alerts': { rules: [{}, { condition: {} }], destinations: [{}], workloads: [{}] },
      '/repositories': { repositories: [{}, { webUrl: null }] },
      '/integrations': { integrations: [{}, { category: null }] },
    });
    await openRow(page, 'Sources', ['shop', 'No environment', id.slice(0, 8)]);
    await openRow(page, 'Sources', ['shop', 'No environment', 'Secret Keys']);
    await treeIs(
      page,
      'Sources',
      `
      shop cd305006
        No environment
          ${id.slice(0, 8)}
            Deployment
            Deployment
          Resource
          Resource
          Secret Keys
            Any stage 0 keys
            Any stage 0 keys
      `,
    );
    for (const group of ['Alert Rules', 'Destinations', 'Workloads']) {
      await openRow(page, 'Servers', ['server', group]);
    }
    await treeIs(
      page,
      'Servers',
      `
      server 0ae56a31
        Alert Rules
          Alert rule
          Alert rule
        Destinations
          Destination
        Workloads
          Workload
      `,
    );
    await openRow(page, 'Integrations', ['No category']);
    await openRow(page, 'Integrations', ['Repositories']);
    await treeIs(
      page,
      'Integrations',
      `
      No category
        Integration
        Integration
      Repositories 2
        Repository
        Repository
      `,
    );
    const row = await treeRowAt(page, 'Sources', ['shop', 'No environment', 'Resource']);
    await tooltipOf(page, row, 'Resource');
    await picture(scene, 'fields-missing', sideBar);
  });

  it('show states and kinds that nobody knows with their own text and a neutral icon', async () => {
    const { page } = scene;
    const id = scene.controlPlane.world.workloads[0]!.id;
    await answer({
      '/deployments': { deployments: [{ id, state: 'constructor', kind: 'launch' }] },
      '/secrets': { bindings: [{ environment: 'moon', stage: 'countdown', keys: ['FUEL'] }] },
      '/resources': {
        resources: [
          {
            id,
            name: 'probe',
            kind: 'satellite',
            environment: { name: 'moon' },
            runtimeState: {
              desiredState: 'orbiting',
              observedState: 'orbiting',
              healthStatus: 'sparkling',
            },
          },
        ],
      },
      '/monitor-alerts': {
        rules: [
          {
            evaluationState: 'waxing',
            severity: 'lunar',
            condition: { metric: 'moons', operator: 'beside', threshold: 2 },
          },
        ],
      },
      '/repositories': { repositories: [{ fullName: 'moon/base', provider: 'pigeon' }] },
      '/integrations': { integrations: [{ category: 'divination', provider: 'crystal-ball' }] },
    });
    await openRow(page, 'Sources', ['shop', 'moon', 'probe']);
    await openRow(page, 'Sources', ['shop', 'moon', 'Secret Keys']);
    await treeIs(
      page,
      'Sources',
      `
      shop cd305006
        moon
          probe orbiting, sparkling
            ${id.slice(0, 8)} constructor · launch
          Secret Keys
            countdown 1 key
      `,
    );
    await openRow(page, 'Servers', ['server', 'Alert Rules']);
    await treeIs(
      page,
      'Servers',
      `
      server 0ae56a31
        Alert Rules
          moons beside 2 waxing · lunar
      `,
    );
    await openRow(page, 'Integrations', ['divination']);
    await openRow(page, 'Integrations', ['Repositories']);
    await treeIs(
      page,
      'Integrations',
      `
      divination crystal-ball
        crystal-ball
      Repositories 1
        moon/base pigeon
      `,
    );
    const row = await treeRowAt(page, 'Servers', ['server', 'Alert Rules', 'moons beside 2']);
    await row.locator('.codicon-circle-large-outline').waitFor();
    assert.match((await row.getAttribute('aria-label')) ?? '', /waxing/, 'for screen readers');
    await picture(scene, 'unknown-states', sideBar);
  });

  it('say that there is no sense in an answer, and come back with the next one', async () => {
    const { page, controlPlane } = scene;
    await answer({
      '/secrets': '[[["',
      '/resources': '<!doctype html><p>Hello</p>',
      '/monitor-alerts': '{"rules":{"a":[1]},"workloads":"none","destinations":[null,7,[],"x"]}',
      '/integrations': '[1,2,3]',
    });
    const say = 'The control plane did not answer as it should.';
    await view(page, 'Sources').getByText(say).waitFor();
    await view(page, 'Integrations').getByText(say).waitFor();
    await openRow(page, 'Servers', ['server']);
    await treeIs(
      page,
      'Servers',
      `
      server 0ae56a31
        Nothing is monitored
      `,
    );
    await picture(scene, 'garbage', sideBar);
    controlPlane.admin.reset();
    await view(page, 'Sources').getByRole('button', { name: 'Retry' }).click();
    await openRow(page, 'Sources', ['shop', 'production']);
    await openRow(page, 'Servers', ['server', 'Alert Rules']);
  });

  /** No row, tooltip or line holds anything but text. */
  async function staysText(place: Locator): Promise<void> {
    // The labels of rows and the buttons beside them are made of <a> without an address.
    const made = place.locator('a:not(.label-name):not(.action-label), a[href], img, h1');
    assert.deepEqual(
      await made.evaluateAll((all: { outerHTML: string }[]) => all.map((one) => one.outerHTML)),
      [],
    );
    assert.equal(
      await place.locator('.label-name .codicon, .label-description .codicon').count(),
      0,
    );
    assert.notInclude(await place.innerText(), '](');
  }

  it('F57 show what a server calls things as text, in rows and tooltips', async () => {
    const { page } = scene;
    const id = scene.controlPlane.world.workloads[0]!.id;
    await answer({
      '/deployments': {
        deployments: [{ id, state: hostile, commitSha: hostile, errorMessage: hostile }],
      },
      '/secrets': {
        bindings: [{ environment: hostile, stage: hostile, missingKeys: [hostile] }],
      },
      '/resources': {
        resources: [
          {
            id,
            name: hostile,
            description: hostile,
            environment: { name: hostile, branch: hostile },
            runtimeState: { observedState: hostile, driftReasons: [hostile] },
            [hostile]: hostile,
          },
        ],
      },
      '/monitor-alerts': {
        rules: [{ name: hostile, evaluationState: 'firing', condition: { metric: hostile } }],
        workloads: [{ name: hostile }],
      },
      '/repositories': { repositories: [{ fullName: hostile, webUrl: hostile }] },
      '/integrations': { integrations: [{ category: hostile, provider: hostile }] },
    });
    const paths: readonly (readonly [Tree, readonly string[]])[] = [
      ['Sources', ['shop', harmless]],
      ['Sources', ['shop', harmless, harmless]],
      ['Sources', ['shop', harmless, harmless, harmless]],
      ['Servers', ['server', 'Alert Rules', harmless]],
      ['Integrations', [harmless]],
      ['Integrations', ['Repositories', harmless]],
    ];
    for (const [tree, path] of paths) {
      const row = await treeRowAt(page, tree, path);
      const tooltip = await tooltipOf(page, row, '<img src=x>');
      await staysText(tooltip);
      assert.include(await tooltip.innerText(), harmless, path.join(' › '));
      await staysText(view(page, tree));
    }
    await picture(scene, 'hostile-rows', sideBar);
  });

  it('F56 show what a server says of an error as text, above the rows and in notifications', async () => {
    const { page, controlPlane } = scene;
    await answer({});
    await openRow(page, 'Sources', ['shop', 'production']);
    for (const path of ['/sources/', '/servers/', '/integrations']) {
      controlPlane.admin.fault({ kind: 'status', status: 400, message: hostile, path, times: 99 });
    }
    await runCommand(page, 'Control Plane: Refresh');
    for (const tree of trees) {
      const line = await eventually(
        () => message(page, tree),
        (text) => text !== '',
        `the line above ${tree}`,
      );
      assert.include(line, harmless);
      const above = view(page, tree).locator('.message:visible').first();
      assert.isFalse(
        await above.evaluate(
          (one: { scrollWidth: number; clientWidth: number }) => one.scrollWidth > one.clientWidth,
        ),
        'no word is too long for it',
      );
      await staysText(view(page, tree));
    }
    await picture(scene, 'hostile-message', sideBar);
    for (const text of await notifications(page)) assert.notInclude(text, '](');
  });
});
