import type { Locator } from 'playwright-core';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import type { ControlPlane } from '../control-plane/server';
import { eventually, type Scene, type SceneOptions } from './scene';
import { setTrees } from './trees';

const { dialog } = workbench;

/** What was posted to an end of a path. */
export function posts({ controlPlane }: Scene, path: string) {
  return controlPlane.admin
    .requests()
    .filter(({ method, url }) => method === 'POST' && url.endsWith(path));
}

/** The servers by their names, as a person may call them. */
function named({ world }: ControlPlane): Record<string, unknown> {
  return {
    'controlPlane.servers': world.servers.map(({ id, name }) => ({ id, label: name })),
  };
}

/** Waits until a row of the activity reads like this. */
export async function activityIs(
  { page }: Scene,
  pattern: RegExp,
  timeout?: number,
): Promise<string> {
  const rows = await eventually(
    () => treeRows(page, 'Activity'),
    (all) => all.some((row) => pattern.test(row)),
    `no row of the activity is ${String(pattern)}`,
    timeout,
  );
  return rows.find((row) => pattern.test(row)) ?? '';
}

/** Types into whatever box is open, and presses Enter: no pointer is needed. */
export async function typeAndEnter({ page }: Scene, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Waits until the quick input that is open says this. */
export async function boxSays({ page }: Scene, text: string | RegExp): Promise<void> {
  await page
    .locator('.quick-input-widget:not([style*="display: none"])')
    .filter({ hasText: text })
    .waitFor();
}

/** Opens the view, as far as it is not open yet, and waits until it says this. */
export async function openActivity(scene: Scene, text: string | RegExp): Promise<void> {
  const pane = await openPane(scene, 'Activity');
  await pane.getByText(text).first().waitFor();
}

/** Opens a view of the container, as far as it is not open yet. */
export async function openPane({ page }: Scene, title: string): Promise<Locator> {
  const pane = workbench.view(page, title);
  const header = pane.locator('.pane-header');
  await header.waitFor();
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.locator('h3').click();
  return pane;
}

/** Closes what was told, so that the next test sees what it is told: three have room at a time. */
export async function clearNotifications({ page }: Scene): Promise<void> {
  const toasts = page.locator('.notifications-toasts .notification-list-item');
  await eventually(
    async () => {
      // That of a progress goes by itself, a moment after the end of it.
      const first = toasts.first();
      await first.hover({ timeout: 1000 }).catch(() => undefined);
      const close = first.getByRole('button', { name: /^Clear/ }).first();
      await close.click({ timeout: 1000 }).catch(() => undefined);
      return toasts.allInnerTexts();
    },
    (texts) => texts.length === 0,
    'a notification stays',
  );
}

/** A scene in which something can be changed; operations and deployments take so long, in seconds. */
export function setActions(operationSeconds: number, options: SceneOptions = {}): Scene {
  const { controlPlane, ...rest } = options;
  return setTrees({
    settings: named,
    size: { width: 1280, height: 1000 },
    controlPlane: { operationSeconds, historyRecords: 300, ...controlPlane },
    ...rest,
  });
}

/** Goes through all questions of a clean-up of one item. */
export async function cleanUp({ page }: Scene, item: string): Promise<void> {
  await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
  await workbench.clickPick(page, 'fra-app-1');
  await workbench.answer(page, item);
  await page.locator('.quick-input-widget', { hasText: '1 Selected' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Clean Up' }).click();
}

/** Chooses an action of a row of a tree by its menu, with the keyboard once the row is selected. */
export async function chooseInRowMenu(scene: Scene, row: Locator, action: string): Promise<void> {
  await row.click();
  await scene.page.keyboard.press('Shift+F10');
  await chooseInMenu(scene, action);
}

/** Chooses an action of the menu that opens, with the keyboard. */
export async function chooseInMenu({ page }: Pick<Scene, 'page'>, action: string): Promise<void> {
  const menu = page.locator('.monaco-menu');
  await menu.waitFor();
  const focused = menu.locator('.action-item.focused .action-label');
  const seen: string[] = [];
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('ArrowDown');
    const label = await focused.innerText();
    seen.push(label);
    if (label === action) {
      await page.keyboard.press('Enter');
      await menu.waitFor({ state: 'hidden' });
      return;
    }
  }
  throw new Error(`The menu has no ${action}: ${seen.join(' | ')}`);
}

/** Runs a command by its title with nothing but the keyboard. */
export async function typeCommand({ page }: Scene, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[aria-label^="Type the name"]').waitFor();
  await page.keyboard.type(title);
  const first = page.locator('.quick-input-list .monaco-list-row.focused .label-name');
  await first.filter({ hasText: title }).waitFor();
  await page.keyboard.press('Enter');
}

/** Waits until a clean-up of one item is accepted, and returns the id of its operation. */
export async function accepted(scene: Scene, item: string): Promise<string> {
  const operations = () => scene.controlPlane.admin.operations();
  const before = operations().length;
  await cleanUp(scene, item);
  await eventually(
    () => Promise.resolve(operations().length),
    (count) => count > before,
    `the clean-up of ${item} is accepted`,
  );
  return operations().at(-1)?.id ?? '';
}
