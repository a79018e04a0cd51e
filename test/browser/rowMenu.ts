import type { Locator, Page } from 'playwright';
import { type CommandName, commandTitle, type ViewName } from '../host/titles';
import { treeRowAt } from '../host/treeRows';
import { focusOn, runCommand, view } from '../host/workbench';
import { chooseInMenu } from './actionScene';
import { eventually } from './scene';

/** How to act on a row: with the mouse, or with the keyboard only. */
export type Way = 'mouse' | 'keyboard';

/** Chooses a command in the context menu of a row, given by the labels from a root down. */
export async function chooseOfRow(
  page: Page,
  name: ViewName,
  path: readonly string[],
  command: CommandName,
  way: Way,
): Promise<void> {
  const row = await treeRowAt(page, name, path);
  if (way === 'mouse') {
    await row.click({ button: 'right' });
    await clickItem(page, commandTitle(command));
  } else {
    await focusRow(page, name, row);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu({ page }, command);
  }
}

/** Focuses a row with the keyboard only. */
async function focusRow(page: Page, name: ViewName, row: Locator): Promise<void> {
  await runCommand(page, focusOn(name));
  const rows = view(page, name).locator('.monaco-list');
  await rows.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Home');
  const focused = view(page, name).locator('.monaco-list-row.focused');
  const wanted = await row.getAttribute('data-index');
  await eventually(
    async () => {
      const at = await focused.getAttribute('data-index');
      // The focus follows a moment later, so a key may have been pressed once too often.
      if (Number(at) < Number(wanted)) await page.keyboard.press('ArrowDown');
      if (Number(at) > Number(wanted)) await page.keyboard.press('ArrowUp');
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
