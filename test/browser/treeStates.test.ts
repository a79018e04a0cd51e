import { assert } from 'chai';
import type { Fault } from '../control-plane/server';
import { openRow, treeRows } from '../host/treeRows';
import { runCommand, view } from '../host/workbench';
import { connect, eventually, keyOf, picture, sideBar, type Scene } from './scene';
import { message, openTrees, textIs, treeIs, trees, welcome, type Tree } from './trees';

/** Waits until this stands in place of the rows of a tree. */
async function welcomeIs({ page }: Scene, tree: Tree, ...expected: string[]): Promise<void> {
  const read = async (): Promise<string> =>
    (await welcome(page, tree)).replaceAll(/\s*\n\s*/g, '\n');
  await textIs(read, expected.join('\n'));
  assert.isEmpty(await treeRows(page, tree), 'no row');
}

describe('a tree says how things are', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees();
    await view(scene.page, 'Integrations').locator('.pane-header').click();
  });
  after(() => scene.close());

  it('where nothing is connected', async () => {
    const about = {
      Sources: 'to see what runs where',
      Servers: 'to see what is watched where',
      Integrations: 'to see integrations and repositories',
    };
    for (const tree of trees) {
      const [first, button, last] = [
        `Connect to a control plane ${about[tree]}.`,
        'Connect…',
        'You need its URL and an API key.',
      ];
      await welcomeIs(scene, tree, first, button, last);
    }
    await picture(scene, 'not-connected', sideBar);
  });

  it('where the key may do nothing: each view names the permission, and what is hidden', async () => {
    await connect(scene, keyOf(scene, 'demo-none'));
    const about = {
      Sources: 'permission repository.read: environments, apps, jobs and deployments are hidden.',
      Servers: 'permission alert.read: alert rules, workloads and destinations are hidden.',
      Integrations:
        'permissions integration.manage and repository.connect: integrations and repositories are hidden.',
    };
    for (const tree of trees) {
      await welcomeIs(
        scene,
        tree,
        `Your API key lacks the ${about[tree]}`,
        'Ask for a key that has it, or use another one.',
        'Connect…',
        'Check Connection and Permissions',
      );
      assert.equal(await message(scene.page, tree), '');
    }
    await picture(scene, 'missing-permission', sideBar);
  });

  it('where it was signed out', async () => {
    await runCommand(scene.page, 'Control Plane: Sign Out');
    for (const tree of trees) {
      await welcomeIs(
        scene,
        tree,
        'You are signed out: there is no API key for this connection.',
        'Connect…',
        'Switch Connection…',
      );
    }
    await picture(scene, 'signed-out', sideBar);
  });

  it('while it loads: what the settings name is there at once', async () => {
    const { page, controlPlane } = scene;
    const endpoints = [
      'get_sources_resources',
      'get_sources_secrets',
      'get_servers_monitor_alerts',
      'get_integrations',
    ];
    for (const endpoint of endpoints) {
      controlPlane.admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint, times: 100 });
    }
    await connect(scene);
    await treeIs(
      page,
      'Sources',
      `
      data-platform cd305006
      operations 9f2e8185
      shop-services bea01f62
      shop-web a13ff5bf
    `,
    );
    await treeIs(
      page,
      'Servers',
      `
      0ae56a31
      32c5b471
      8cea9e58
    `,
    );
    await treeIs(
      page,
      'Integrations',
      `
      Loading…
      Repositories
    `,
    );
    await view(page, 'Servers').getByRole('treeitem').first().locator('.monaco-tl-twistie').click();
    await treeIs(
      page,
      'Servers',
      `
      0ae56a31
        Loading…
      32c5b471
      8cea9e58
    `,
    );
    for (const tree of trees) assert.equal(await message(page, tree), '');
    await picture(scene, 'loading', sideBar);
  });

  const outages: readonly [Fault, string][] = [
    [{ kind: 'status', status: 503 }, 'The control plane failed to answer.'],
    [{ kind: 'reset' }, 'The control plane cannot be reached.'],
    [{ kind: 'html' }, 'The control plane did not answer as it should.'],
    [{ kind: 'status', status: 401 }, 'The control plane does not accept the API key.'],
    [
      { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
      'The control plane asks to wait: there were too many requests.',
    ],
  ];

  it('where nothing can be had, with the reason and a way to try again', async () => {
    const { page, controlPlane } = scene;
    await runCommand(page, 'Control Plane: Sign Out');
    await view(page, 'Sources').getByText('You are signed out').waitFor();
    for (const [index, [fault, reason]] of outages.entries()) {
      controlPlane.admin.reset();
      for (const path of ['/sources/', '/servers/', '/integrations']) {
        controlPlane.admin.fault({ ...fault, times: 1000, path });
      }
      if (index === 0) await connect(scene);
      // It asks for all that is on the screen.
      else await view(page, 'Servers').getByRole('button', { name: 'Retry' }).click();
      for (const tree of trees) {
        await eventually(
          () => welcome(page, tree),
          (text) => text.startsWith(reason),
          `${tree}: ${reason}`,
        );
        assert.isEmpty(await treeRows(page, tree), 'no row');
        for (const name of ['Retry', 'Check Connection and Permissions', 'Show Diagnostics']) {
          await view(page, tree).getByRole('button', { name }).waitFor();
        }
      }
      if (index === 0) await picture(scene, 'unreachable', sideBar);
    }
  });
});

describe('a tree says that there is nothing', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees(() => ({
      settings: { 'controlPlane.sources': [], 'controlPlane.servers': [] },
    }));
    await view(scene.page, 'Integrations').locator('.pane-header').click();
  });
  after(() => scene.close());

  it('and what to do about it', async () => {
    const { page, controlPlane } = scene;
    const nothing = JSON.stringify({ integrations: [], repositories: [] });
    controlPlane.admin.fault({
      kind: 'status',
      status: 200,
      body: nothing,
      path: 'integrations',
      times: 100,
    });
    controlPlane.admin.fault({
      kind: 'status',
      status: 200,
      body: nothing,
      path: 'repositories',
      times: 100,
    });
    await connect(scene);
    await welcomeIs(
      scene,
      'Sources',
      'No source is known yet. The API does not list them: discovery finds them in recent logs and alert rules.',
      'Discover…',
      'Add Source…',
    );
    await welcomeIs(
      scene,
      'Servers',
      'No server is known yet. The API does not list them: discovery finds them in recent logs and deployments.',
      'Discover…',
      'Add Server…',
    );
    await openRow(page, 'Integrations', ['Repositories']);
    await treeIs(
      page,
      'Integrations',
      `
      No integrations
      Repositories 0
        No repositories
    `,
    );
    await picture(scene, 'empty', sideBar);
  });
});
