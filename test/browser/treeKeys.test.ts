import { isDeepStrictEqual } from 'node:util';
import { assert } from 'chai';
import { openRowsNamed, treeRows } from '../host/treeRows';
import { runCommand, view } from '../host/workbench';
import { enterConnection, eventually, keyOf, picture, sideBar, type Scene } from './scene';
import { message, openTrees, trees, welcome, type Tree } from './trees';

/** What a tree is opened at, so that every listing is asked for. */
const opened = [
  ...['data-platform', 'production', 'search', 'Secret Keys'],
  ...['hel-data-1', 'Alert Rules', 'Repositories'],
];

const lacks = 'Your API key lacks the permission';
const hidden = (permission: string): string =>
  `${lacks} ${permission}: what needs it is not shown.`;
const noSources = `${lacks} repository.read: environments, apps, jobs and deployments are hidden.`;
const noServers = `${lacks} alert.read: alert rules, workloads and destinations are hidden.`;
const noIntegrations =
  'Your API key lacks the permissions integration.manage and repository.connect: integrations and repositories are hidden.';

/** What each tree says of what cannot be had, where it says anything, by the key. */
const expected: Readonly<Record<string, Partial<Record<Tree, readonly string[]>>>> = {
  'demo-full': {},
  'demo-readonly': { Integrations: [noIntegrations] },
  'demo-logs': {
    Sources: [noSources],
    Servers: [noServers],
    Integrations: [noIntegrations],
  },
  'demo-production': {},
  'demo-without-logs-read': {},
  'demo-without-server-remove': {},
  'demo-without-alert-read': { Servers: [noServers] },
  'demo-without-repository-read': {
    Sources: ['data-platform › Missing permission repository.read', hidden('repository.read')],
  },
  'demo-without-secret-list': {
    Sources: ['Secret Keys › Missing permission secret.list', hidden('secret.list')],
  },
  'demo-without-repository-connect': {
    Integrations: [
      'Repositories › Missing permission repository.connect',
      hidden('repository.connect'),
    ],
  },
  'demo-without-resource-read': {
    Sources: ['search › Missing permission resource.read', hidden('resource.read')],
  },
  'demo-without-repository-sync': {},
  'demo-without-integration-manage': {
    Integrations: [
      'Integrations › Missing permission integration.manage',
      hidden('integration.manage'),
    ],
  },
};

describe('the trees with each key that may not do everything', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees(({ world }) => ({
      size: { width: 1280, height: 3600 },
      settings: {
        'controlPlane.sources': world.sources
          .filter(({ name }) => name === 'data-platform')
          .map(({ id, name }) => ({ id, label: name })),
        'controlPlane.servers': world.servers
          .filter(({ name }) => name === 'hel-data-1')
          .map(({ id, name }) => ({ id, label: name })),
      },
    }));
    await view(scene.page, 'Integrations').locator('.pane-header').click();
    // Its room is for the rows of the trees.
    await view(scene.page, 'Logs').locator('.pane-header').click();
  });
  after(() => scene.close());

  /**
   * What a tree says of what cannot be had: rows, each behind the row above it, the line above the
   * rows, or what stands in place of them. Undefined where there is nothing yet.
   */
  async function missing(tree: Tree): Promise<readonly string[] | undefined> {
    const { page } = scene;
    await openRowsNamed(page, tree, opened);
    const rows = await treeRows(page, tree);
    const instead = await welcome(page, tree);
    if (rows.length === 0 && /^$|signed out/.test(instead)) return undefined;
    const found = rows.flatMap((row, at) => {
      if (!row.includes('Missing permission')) return [];
      const indent = row.length - row.trimStart().length;
      const above = rows.slice(0, at).filter((one) => one.search(/\S/) < indent);
      return [`${label(above.at(-1) ?? tree)} › ${row.trim()}`];
    });
    return [...found, await message(page, tree), instead.split('\n')[0]!].filter(Boolean);
  }

  function label(row: string): string {
    return opened.find((one) => row.trim().startsWith(one)) ?? row.trim();
  }

  for (const [key, told] of Object.entries(expected)) {
    it(`names what ${key} hides, and shows the rest`, async () => {
      const { page } = scene;
      await enterConnection(page, scene.controlPlane.url, keyOf(scene, key));
      for (const tree of trees) {
        await eventually(
          () => missing(tree),
          (found) => isDeepStrictEqual(found, told[tree] ?? []),
          tree,
        );
      }
      if (key === 'demo-without-secret-list') await picture(scene, 'missing-secrets', sideBar);
      if (key === 'demo-without-integration-manage')
        await picture(scene, 'missing-integrations', sideBar);
      // Else the rows of this key could be taken for those of the next one.
      await runCommand(page, 'Control Plane: Sign Out');
      for (const tree of trees) await view(page, tree).getByText('You are signed out').waitFor();
    });
  }

  it('has a key for each permission', () => {
    const { keys } = scene.controlPlane;
    const names = Object.keys(keys).filter((name) => name !== 'demo-none');
    assert.sameMembers(Object.keys(expected), names, 'demo-none is told in treeStates.test.ts');
  });
});
