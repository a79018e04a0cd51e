import type { Locator } from 'playwright';
import type { ControlPlaneOptions } from '../control-plane/server';
import { uiPattern } from '../host/texts';
import { type CommandName, commandTitle } from '../host/titles';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import { eventually, type Scene } from './scene';
import { setNamedTrees, showOnly, welcomeLines } from './trees';

const { dialog, proceed } = workbench;

/** The requests posted to paths with this ending. */
export function posts({ controlPlane }: Scene, path: string) {
  return controlPlane.admin
    .requests()
    .filter(({ method, url }) => method === 'POST' && url.endsWith(path));
}

/** Waits until a row of Activity starts with this text, or matches. */
export async function activityIs(
  { page }: Scene,
  text: string | RegExp,
  timeout?: number,
): Promise<string> {
  const isMeant = (row: string): boolean =>
    typeof text === 'string' ? row.startsWith(text) : text.test(row);
  const rows = await eventually(
    () => treeRows(page, 'activity'),
    (all) => all.some(isMeant),
    `no row of Activity is like ${String(text)}`,
    timeout,
  );
  return rows.find(isMeant) ?? '';
}

/** Types into the open box, and presses Enter. */
export async function typeAndEnter({ page }: Scene, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Waits until the open quick input contains this text. */
export async function boxSays({ page }: Scene, text: string | RegExp): Promise<void> {
  await page
    .locator('.quick-input-widget:not([style*="display: none"])')
    .filter({ hasText: text })
    .waitFor();
}

/** Counts connections: each test has one with its own name. */
let connections = 0;

/**
 * A scene for actions. Each test starts with an empty activity on its own connection; a clean-up
 * runs until the test ends it. The servers have names.
 */
export function setActions(controlPlane: ControlPlaneOptions = {}): Scene {
  const scene = setNamedTrees({
    size: { width: 1280, height: 1000 },
    controlPlane: { operationSeconds: 3600, ...controlPlane },
  });
  beforeEach(async () => {
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.reconnect('demo-full', `actions ${++connections}`);
    await showOnly(scene.page, 'activity');
    await workbench
      .view(scene.page, 'activity')
      .getByText(welcomeLines('activity.empty').split('\n')[0] ?? '')
      .waitFor();
  });
  return scene;
}

/** Members of an operation that has ended. */
export const over = {
  state: 'succeeded',
  phase: 'done',
  finishedAt: '2026-11-21T12:00:00.000Z',
} as const;

/** Agrees to a clean-up, in the dialog and by typing the name of the server, or its id if the API named it. */
export async function agreeToCleanUp(scene: Scene): Promise<void> {
  await proceed(dialog(scene.page)).click();
  const [name, id] = [
    uiPattern('Type the name of the server, {0}, to clean it up.', /.+/),
    uiPattern('Type the ID of the server, {0}, to clean it up.', /.+/),
  ];
  await boxSays(scene, new RegExp(`${name.source}|${id.source}`));
  const input = scene.page.locator('.quick-input-widget .quick-input-box input:visible').first();
  await typeAndEnter(scene, (await input.getAttribute('placeholder')) ?? '');
}

/**
 * Starts a clean-up of an item on the first server; returns the id of the operation once it is
 * accepted.
 */
export async function begin(scene: Scene, item: string): Promise<string> {
  const { driver, controlPlane } = scene;
  const { admin, world } = controlPlane;
  const before = admin.operations().length;
  const plan = { serverId: world.servers[0]?.id, items: [item] };
  // Returns after the question is answered, or never if the window is left before that.
  driver.run('controlPlane.cleanUpOrphans', plan).catch(() => undefined);
  await agreeToCleanUp(scene);
  const accepted = await eventually(
    () => Promise.resolve(admin.operations().slice(before)),
    (operations) => operations.length > 0,
    `the clean-up of ${item} is not accepted`,
  );
  return accepted[0]?.id ?? '';
}

/** Chooses a command in the context menu of a tree row, with the keyboard. */
export async function chooseInRowMenu(
  scene: Scene,
  row: Locator,
  command: CommandName,
): Promise<void> {
  await row.click();
  await scene.page.keyboard.press('Shift+F10');
  await chooseInMenu(scene, command);
}

/** Waits until the open menu has the focus, which it takes after it is drawn: keys before go elsewhere. */
export async function hasMenuFocus({ page }: Pick<Scene, 'page'>): Promise<void> {
  await page.locator('.monaco-menu:focus-within').waitFor();
}

/** Chooses a command in the open menu, with the keyboard. */
export async function chooseInMenu(
  scene: Pick<Scene, 'page'>,
  command: CommandName,
): Promise<void> {
  const { page } = scene;
  const title = commandTitle(command);
  const menu = page.locator('.monaco-menu');
  await hasMenuFocus(scene);
  const focused = menu.locator('.action-item.focused .action-label');
  const seen: string[] = [];
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('ArrowDown');
    const label = await focused.innerText();
    seen.push(label);
    if (label === title) {
      await page.keyboard.press('Enter');
      await menu.waitFor({ state: 'hidden' });
      return;
    }
  }
  throw new Error(`The menu has no ${title}: ${seen.join(' | ')}`);
}

/** Runs a command using only the keyboard. */
export async function typeCommand(
  { page }: Scene,
  command: workbench.PaletteCommand,
): Promise<void> {
  const label = workbench.labelOf(command);
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[aria-label^="Type the name"]').waitFor();
  await page.keyboard.type(label);
  const first = page.locator('.quick-input-list .monaco-list-row.focused .label-name');
  await first.filter({ hasText: label }).waitFor();
  await page.keyboard.press('Enter');
}
