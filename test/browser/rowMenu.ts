import type { Locator, Page } from 'playwright-core';
import { treeRowAt } from '../host/treeRows';
import { runCommand, view } from '../host/workbench';
import { chooseInMenu } from './actionScene';
import { eventually } from './scene';

/** The title of a view with rows. */
export type RowView = 'Errors' | 'Sources' | 'Servers' | 'Integrations' | 'Logs' | 'Activity';

/** How to act on a row: with the mouse, or with the keyboard only. */
export type Way = 'mouse' | 'keyboard';

/** Chooses an item of the context menu of a row, given by the labels from a root down. */
export async function chooseOfRow(
  page: Page,
  title: RowView,
  path: readonly string[],
  item: string,
  way: Way,
): Promise<void> {
  const row = await treeRowAt(page, title, path);
  if (way === 'mouse') {
    await row.click({ button: 'right' });
    await clickItem(page, item);
  } else {
    await focusRow(page, title, row);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu({ page }, item);
  }
}

/** Focuses a row with the keyboard only. */
async function focusRow(page: Page, title: RowView, row: Locator): Promise<void> {
  await runCommand(page, `Control Plane: Focus on ${title} View`);
  const rows = view(page, title).locator('.monaco-list');
  await rows.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Home');
  const focused = view(page, title).locator('.monaco-list-row.focused');
  const wanted = await row.getAttribute('data-index');
  await eventually(
    async () => {
      const at = await focused.getAttribute('data-index');
      if (Number(at) < Number(wanted)) await page.keyboard.press('ArrowDown');
      return at;
    },
    (at) => at === wanted,
    'the row with the focus',
  );
}

/** Clicks an item of the open menu. A menu that has just opened ignores clicks. */
async function clickItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name, exact: true });
  await item.waitFor();
  await eventually(
    async () => {
      await item.click({ timeout: 500 }).catch(() => undefined);
      return page.locator('.monaco-menu').count();
    },
    (menus) => menus === 0,
    `the menu is still open after a click on ${name}`,
  );
}
