import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { temporaryFolder } from '../host/processes';
import { treeRows } from '../host/treeRows';
import {
  clickNotification,
  notification,
  notifications,
  openContainer,
  quickPickItems,
  view,
} from '../host/workbench';
import { connect, openScene, picture, type Scene } from './scene';
import { textIs, type Tree } from './trees';

/** The rows that are below no other. */
function roots(rows: readonly string[]): string[] {
  return rows.filter((row) => !row.startsWith(' '));
}

/** Waits until these are the roots of a tree, each with its short id (`#`) where it is no name. */
async function rootsAre({ page }: Scene, title: Tree, ...expected: string[]): Promise<void> {
  const read = async (): Promise<string> =>
    roots(await treeRows(page, title))
      .join('\n')
      .replaceAll(/\b[0-9a-f]{8}\b/g, '#');
  await textIs(read, expected.join('\n'));
}

describe('the first connect', () => {
  let scene: Scene;
  beforeEach(async () => {
    // What is kept in the workspace stays out of the demo's folder.
    const folder = await temporaryFolder('discover');
    scene = await openScene({ folder, size: { width: 1280, height: 1200 } });
    await openContainer(scene.page, 'Control Plane');
    await view(scene.page, 'Sources').getByText('Connect to a control plane').waitFor();
  });
  afterEach(() => scene.close());

  it('finds sources and servers, asks in one message, and fills the trees', async () => {
    const { page } = scene;
    await connect(scene);
    const found = notification(page, /^Found 4 sources and 3 servers\./);
    await found.waitFor();
    // Nothing is shown before somebody says so.
    await view(page, 'Sources').getByText('No source is known yet.').waitFor();
    assert.lengthOf(await notifications(page), 1);
    await picture(scene, 'discovered');
    await clickNotification(page, /^Found 4 sources/, 'Show All');

    // Nobody has named them: they are called after what comes from them.
    await rootsAre(
      scene,
      'Sources',
      'cache-warmer, nightly-backup #',
      'payments, inventory and 1 more #',
      'recommender, search and 2 more #',
      'web-api, storefront and 1 more #',
    );
    await rootsAre(
      scene,
      'Servers',
      'fra-app-1 # · 1 firing',
      'fra-app-2 # · 1 firing',
      'hel-data-1 # · 1 firing',
    );
    await picture(scene, 'discovered-trees');
  });

  it('lets a person choose what is shown, and keep it in the workspace', async () => {
    const { page, window } = scene;
    await connect(scene);
    await notification(page, /^Found 4 sources and 3 servers\./).waitFor();
    await clickNotification(page, /^Found 4 sources/, 'Choose…');
    const box = page.locator('.quick-input-widget');
    const items = await quickPickItems(page);
    assert.lengthOf(
      items.filter((item) => item.includes(' · found by ')),
      7,
      items.join('\n'),
    );
    assert.match(items.join('\n'), /^fra-app-1 · [0-9a-f]{8} · found by recent logs, alert rules/m);
    await box.getByText('7 Selected').waitFor();
    await box.getByText('Discover: What to Add to Your User Settings').waitFor();
    await picture(scene, 'discover-pick');
    await box.getByRole('button', { name: /^Kept in your user settings/ }).click();
    await box.getByText('Discover: What to Add to the Settings of This Workspace').waitFor();
    await box.locator('.monaco-list-row', { hasText: 'hel-data-1' }).click();
    await page.keyboard.press('Enter');

    await rootsAre(scene, 'Servers', 'fra-app-1 # · 1 firing', 'fra-app-2 # · 1 firing');
    const file = path.join(window.folder, '.vscode/settings.json');
    const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown[]>;
    assert.lengthOf(settings['controlPlane.sources'] ?? [], 4);
    assert.lengthOf(settings['controlPlane.servers'] ?? [], 2);
  });
});
