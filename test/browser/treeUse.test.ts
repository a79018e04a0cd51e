import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { openRow, treeRowAt, treeRows } from '../host/treeRows';
import { answer, openContainer, reload, runCommand, view } from '../host/workbench';
import { connect, eventually, picture, sideBar, waitUntilConnected, type Scene } from './scene';
import { openTrees, showOnly, textIs, treeIs, welcome } from './trees';

describe('what a person does with the trees', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees(() => ({ size: { width: 1280, height: 1600 } }));
    await connect(scene);
  });
  after(() => scene.close());

  const action = (tree: string, name: string): Locator =>
    view(scene.page, tree).locator('.pane-header').getByRole('button', { name });

  it('filters them; a filled icon says so, and a reload keeps it', async () => {
    const { page } = scene;
    await openRow(page, 'Sources', ['shop-services', 'production']);
    await runCommand(page, 'Control Plane: Filter Sources…');
    await picture(scene, 'filter-pick');
    await answer(page, 'RESTART');
    const shown = `
      shop-services bea01f62
        production main
          notifications restarting (wanted running), starting
    `;
    await treeIs(page, 'Sources', shown);
    await view(page, 'Sources').hover();
    await action('Sources', 'Change Filter of Sources…').waitFor();
    assert.match(
      (await action('Sources', 'Change Filter of Sources…').getAttribute('class')) ?? '',
      /codicon-filter-filled/,
    );
    assert.equal(await action('Sources', 'Filter Sources…').count(), 0);
    await picture(scene, 'filtered', sideBar);

    await reload(page);
    await openContainer(page, 'Control Plane');
    await waitUntilConnected(scene);
    await openRow(page, 'Sources', ['shop-services', 'production']);
    await treeIs(page, 'Sources', shown);
    await view(page, 'Sources').hover();
    await action('Sources', 'Change Filter of Sources…').waitFor();
  });

  it('says that nothing matches, with the way back', async () => {
    const { page } = scene;
    await action('Sources', 'Change Filter of Sources…').click();
    await answer(page, 'no such thing');
    await textIs(
      async () => (await welcome(page, 'Sources')).replaceAll(/\s*\n\s*/g, '\n'),
      'Nothing matches the filter.\nReset Filter\nChange Filter…',
    );
    await picture(scene, 'no-match', sideBar);
    await view(page, 'Sources').getByRole('button', { name: 'Reset Filter' }).click();
    await eventually(
      () => treeRows(page, 'Sources'),
      (rows) => rows.some((row) => row.startsWith('data-platform')),
      'everything is there again',
    );
    await view(page, 'Sources').hover();
    await action('Sources', 'Filter Sources…').waitFor();
  });

  it('filters by state', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Filter Servers…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'pending' }).click();
    await answer(page, '');
    await openRow(page, 'Servers', ['hel-data-1', 'Alert Rules']);
    const rows = await treeRows(page, 'Servers');
    assert.lengthOf(rows, 3, rows.join('\n'));
    assert.match(rows[2]!, /search: diskPercent above 85 pending/);
    await runCommand(page, 'Control Plane: Reset Filter of Servers');
  });

  it('sorts by what is wrong first', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Sort Sources…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'By State' }).click();
    await openRow(page, 'Sources', ['data-platform', 'production']);
    const rows = await treeRows(page, 'Sources');
    const apps = rows.slice(rows.findIndex((row) => row.startsWith('  production')) + 1);
    assert.match(apps[0]!, /recommender running, unhealthy/);
    assert.match(apps[1]!, /search .*drifted/);
    await runCommand(page, 'Control Plane: Sort Sources…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'By Name' }).click();
  });

  it('loads more repositories, and searches them', async () => {
    const { page } = scene;
    await showOnly(page, 'Integrations');
    const repositories = async (): Promise<number> =>
      (await treeRows(page, 'Integrations')).filter((row) => row.includes('example-')).length;
    await openRow(page, 'Integrations', ['Repositories']);
    await eventually(repositories, (count) => count === 20, 'the first page');
    await (await treeRowAt(page, 'Integrations', ['Repositories', 'Load more…'])).click();
    await eventually(repositories, (count) => count === 40, 'the second page');
    await runCommand(page, 'Control Plane: Search Repositories…');
    await answer(page, 'billing');
    await eventually(repositories, (count) => count === 5, 'what the search found');
    const rows = await treeRows(page, 'Integrations');
    assert.include(rows.join('\n'), 'Repositories search: billing · 5');
    await picture(scene, 'repository-search', sideBar);
    await runCommand(page, 'Control Plane: Show All Repositories');
    await eventually(repositories, (count) => count === 40, 'all that was loaded');
  });

  it('needs no mouse: focus, open, context menu, filter', async () => {
    const { page } = scene;
    const { keyboard } = page;
    /** What has the focus, as a screen reader is told. */
    const focused = (): Promise<string> =>
      page.evaluate(`{
        const element = document.activeElement;
        // A list or a menu has the focus itself, and marks that of its items.
        const item = element.querySelector('.monaco-list-row.focused, .action-item.focused');
        (item ?? element).getAttribute('aria-label') ?? (item ?? element).textContent;
      }`);
    const reach = async (key: string, until: RegExp): Promise<void> => {
      const seen: string[] = [];
      for (let count = 0; count < 20; count++) {
        seen.push(await focused());
        if (until.test(seen.at(-1)!)) return;
        await keyboard.press(key);
        await page.waitForTimeout(100);
      }
      throw new Error(`${key} does not lead to ${String(until)}: ${seen.join(' | ')}`);
    };
    /** Whether the row below that with the focus is a child of it. */
    const isOpen = (): Promise<boolean> =>
      page.evaluate(`{
        const row = document.activeElement.querySelector('.monaco-list-row.focused');
        const index = Number(row.dataset.index) + 1;
        const next = row.parentElement.querySelector('[data-index="' + index + '"]');
        Number(next?.getAttribute('aria-level')) > Number(row.getAttribute('aria-level'));
      }`);
    const open = async (): Promise<void> => {
      if (!(await isOpen())) await keyboard.press('ArrowRight');
      await eventually(isOpen, (value) => value, 'the row is open');
    };
    await showOnly(page, 'Sources');
    await page.mouse.move(900, 500);
    await keyboard.press('F1');
    await keyboard.type('Focus on Sources View');
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await keyboard.press('Enter');
    await reach('Home', /^data-platform/);
    await reach('ArrowDown', /^shop-services/);
    await open();
    await reach('ArrowDown', /^production/);
    await open();
    await reach('ArrowDown', /^payments/);
    await keyboard.press('Shift+F10');
    await page.locator('.monaco-menu').waitFor();
    await picture(scene, 'context-menu');
    await reach('ArrowDown', /^Copy Name/);
    await keyboard.press('Enter');
    await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (text) => text === 'payments',
      'the name',
    );
    await reach('Shift+Tab', /Filter Sources/);
    await keyboard.press('Enter');
    await page.locator('.quick-input-widget:visible').waitFor();
    await keyboard.type('payments');
    await keyboard.press('Enter');
    await treeIs(
      page,
      'Sources',
      `
      shop-services bea01f62
        production main
          payments running, healthy
          Secret Keys
      `,
    );
  });
});
