import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Page } from 'playwright';
import type { ControlPlane } from '../control-plane/server';
import { createStackTraces } from '../control-plane/stackTraces';
import type { ViewName } from '../host/titles';
import { demoSource } from './repository';
import { eventually } from '../host/eventually';
import { createGitFolder } from '../host/gitFolder';
import { repository as folderOfProject } from '../host/openEditor';
import { openRow } from '../host/treeRows';
import * as workbench from '../host/workbench';

/** The steps between the pictures that screenshots.ts takes. */

/** Runs an action; if it fails, keeps a picture of the window, to see why. */
export async function pictureFailure(page: Page, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const file = path.join(folderOfProject, '.vscode-test/screenshots-failed.png');
    await workbench.screenshot(page, file);
    console.log(`See ${file}`);
    throw error;
  }
}

/** Completes the input boxes of Connect. */
export async function connect(page: Page, { url, keys }: ControlPlane): Promise<void> {
  await workbench.runCommand(page, 'connect');
  await workbench.answer(page, url);
  await workbench.answer(page, keys['demo-full'] ?? '');
  await page.locator('.quick-input-title', { hasText: '(3/3)' }).waitFor();
  await workbench.dismiss(page);
  // The message about the connection disappears by itself.
  await workbench.statusBarItem(page, 'Connected to').waitFor();
  // Without a connection there is one view.
  for (const name of ['errors', 'sources', 'servers'] as const)
    await workbench.setOpen(page, name, false);
}

/**
 * Moves the right or the top edge of a part of the window by pixels, right or down, with the mouse.
 */
export async function drag(
  page: Page,
  part: string,
  edge: 'right' | 'top',
  by: number,
): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { x, y, width, height } = await boxOf(page, part);
    const [fromX, fromY] =
      edge === 'right' ? [x + width + 1, y + height / 2] : [x + width / 2, y - 1];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    const [toX, toY] = edge === 'right' ? [fromX + by, fromY] : [fromX, fromY + by];
    await page.mouse.move(toX, toY, { steps: 5 });
    await page.mouse.up();
    const after = await boxOf(page, part);
    if (after.width !== width || after.height !== height) return;
  }
  throw new Error(`Could not move the edge of ${part}.`);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The position of a part of the window in pixels, once it stops moving. */
async function boxOf(page: Page, part: string): Promise<Box> {
  for (let before: Box | null = null, attempt = 0; attempt < 50; attempt++) {
    const box = await page.locator(part).boundingBox();
    if (box !== null && isDeepStrictEqual(box, before)) return box;
    before = box;
    await page.waitForTimeout(100);
  }
  throw new Error(`${part} is not visible or does not stop moving.`);
}

/** Opens the rows that show drift, missing items and firing alerts. */
export async function showTrees(page: Page): Promise<void> {
  // Rows outside the visible area cannot be opened.
  for (const name of ['errors', 'logs', 'activity'] as const)
    await workbench.setOpen(page, name, false);
  await workbench.setOpen(page, 'sources', true);
  await openRow(page, 'sources', ['data-platform', 'production', 'search']);
  await workbench.treeRow(page, 'sources', 'wanted 1.9.0').waitFor();
  await workbench.setOpen(page, 'servers', true);
  await openRow(page, 'servers', ['fra-app-1', 'Alert Rules']);
  await workbench.treeRow(page, 'servers', 'error rate').waitFor();
  await focusNoRow(page, 'sources', 'servers');
}

/** Rows of these views show their actions only with the focus. */
async function focusNoRow(page: Page, ...names: readonly ViewName[]): Promise<void> {
  for (const name of names) {
    await workbench.view(page, name).getByRole('tree').press('Escape');
  }
  await workbench.runCommand(page, 'View: Focus Active Editor Group');
}

export async function openSource(page: Page): Promise<void> {
  await workbench.runCommand(page, 'Go to File...');
  await page.locator('.quick-input-widget input').first().fill('pricing.ts:21');
  await workbench.clickPick(page, 'pricing.ts');
  await workbench.statusBarItem(page, 'Ln 21').waitFor();
}

export async function follow(page: Page): Promise<void> {
  await workbench.setOpen(page, 'errors', false);
  await workbench.setOpen(page, 'logs', true);
  await openSource(page);
  await workbench.runCommand(page, 'followLogs');
  await workbench.clickPick(page, 'Everything');
  await workbench.statusBarItem(page, 'live').waitFor();
}

/** The view Errors with the lines that errors point at, in a file as it is now. */
export async function showErrors(page: Page): Promise<void> {
  for (const name of ['sources', 'servers'] as const) await workbench.setOpen(page, name, false);
  await workbench.setOpen(page, 'errors', true);
  await workbench.runCommand(page, 'View: Close All Editors');
  // The click opens the line that it points at.
  await workbench.treeRow(page, 'errors', 'pricing.ts').first().click();
  await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await workbench.treeRow(page, 'errors', 'pricing.ts').first().waitFor();
  await workbench.statusBarItem(page, 'main').waitFor();
}

/** A failing order, shown line by line. */
export async function writeStory(page: Page, { admin }: ControlPlane): Promise<void> {
  const crash = createStackTraces().find(({ workload }) => workload === 'web-api');
  const story = [
    ['storefront', 'info', 'GET /category/coats 200 9 ms'],
    ['search', 'warn', 'WARN search::disk: 84.9 % used, merges are put off'],
    ['inventory', 'info', 'level=info msg="reserved" sku=SKU-2411 quantity=2 left=35'],
    ['payments', 'info', 'INFO  charged 194.89 EUR'],
    ['web-api', 'error', crash?.body ?? ''],
  ] as const;
  for (const [workloadName, severity, body] of story) {
    const [record] = admin.emit([{ workloadName, severity, body }]);
    const time = record?.timestamp.slice(14, 23) ?? '';
    await workbench.waitForOutput(page, new RegExp(`${time}.*${workloadName}`));
  }
  await page.locator('.output-view .detected-link').first().waitFor();
  await workbench.statusBarItem(page, 'Analyzing').waitFor({ state: 'hidden' });
  await workbench.statusBarItem(page, /live · (?!0 )/).waitFor();
}

/** The page of the panel that is open. */
export function explorerOf(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe');
}

export async function search(page: Page): Promise<void> {
  await workbench.runCommand(page, 'View: Toggle Panel Visibility');
  await workbench.runCommand(page, 'searchLogs');
  const explorer = explorerOf(page);
  const bar = explorer.getByRole('combobox', { name: 'Query' });
  await bar.fill('severity:warn,error last:1h');
  await bar.press('Enter');
  await explorer
    .getByRole('row', { name: /TypeError/ })
    .first()
    .waitFor();
  // The result before it stays until the first page comes.
  const old = explorer.locator('.row[data-severity="info"]');
  await eventually(
    () => old.count(),
    (count) => count === 0,
    'the old result stays',
  );
}

/** Opens the details of the newest crash. */
export async function openDetails(page: Page): Promise<void> {
  const explorer = explorerOf(page);
  await explorer
    .getByRole('row', { name: /TypeError/ })
    .last()
    .click();
  await explorer.locator('.details .content').getByText('priceOf').first().waitFor();
}

/** A narrow window has no room for both. */
export async function toggleSideBar(page: Page): Promise<void> {
  await workbench.runCommand(page, 'View: Toggle Primary Side Bar Visibility');
}

/** Cleans up a server, opens the result, and syncs an environment. */
export async function act(page: Page): Promise<void> {
  await workbench.runCommand(page, 'View: Close All Editors');
  await workbench.setOpen(page, 'logs', false);
  await workbench.setOpen(page, 'activity', true);
  await workbench.runCommand(page, 'cleanUpOrphans');
  await workbench.clickPick(page, 'fra-app-1');
  // Without candidates the box for names opens by itself.
  await workbench.inputBox(page);
  await workbench.answer(page, 'web-api-old, tmp-worker');
  await workbench.dialog(page).getByRole('button', { name: 'Clean Up' }).click();
  await workbench.answer(page, 'fra-app-1');
  await workbench.notification(page, /Clean up 2 items.*succeeded/).waitFor();
  await workbench.clickNotification(page, /Clean up 2 items/, 'Show Details');
  await page.locator('.editor-instance .view-line', { hasText: 'removed' }).first().waitFor();
  await workbench.runCommand(page, workbench.focusOn('activity'));
  await workbench.runCommand(page, 'syncEnvironment');
  await workbench.clickPick(page, 'shop-web');
  await workbench.clickPick(page, 'production');
  await workbench.proceed(workbench.dialog(page)).click();
  await workbench.treeRow(page, 'activity', /building: 3/).waitFor();
  await openRow(page, 'activity', ['Sync production of shop-web']);
  await focusNoRow(page, 'activity');
}

/** How long after it is live a push is compared with the time before, and some more, in milliseconds. */
const untilHealthy = 8 * 60_000;

/**
 * Pushes a change that logs a new error, and one that fails, and waits until each was told.
 *
 * @param onDeploying called while the first is on its way.
 */
export async function push(
  page: Page,
  { admin, world }: ControlPlane,
  folder: string,
  onDeploying: () => Promise<void>,
): Promise<void> {
  const repository = await createGitFolder(folder);
  const apps = world.workloads.filter(
    ({ source, kind }) => source.name === demoSource && kind === 'app',
  );
  const begin = async (message: string): Promise<string[]> => {
    const commitSha = await repository.commit('CHANGES.md', `${message}\n`, message);
    await repository.git('push', '--quiet');
    const steps = [{ afterSeconds: 0, state: 'building' }];
    return apps.map(({ id }) => admin.deploy(id, { commitSha }, steps));
  };
  const end = (deployments: readonly string[], state: string, members: object = {}): void => {
    const finishedAt = new Date().toISOString();
    for (const id of deployments) admin.change(id, { state, finishedAt, ...members });
  };

  // The sync before it would watch what a push deploys, too.
  await workbench.notification(page, /Sync production.*succeeded/).waitFor();
  await workbench.runCommand(page, 'Notifications: Clear All Notifications');
  const first = await begin('Reduce prices');
  await workbench.statusBarItem(page, /production 0.\d/).waitFor();
  end(first.slice(0, 1), 'succeeded');
  await workbench.statusBarItem(page, /production 1.\d/).waitFor();
  await onDeploying();
  end(first, 'succeeded');
  await workbench.notification(page, /is live in production/).waitFor();
  const body =
    'RangeError: Invalid discount: NaN\n    at priceOf (/app/web-api/src/pricing.ts:21:32)';
  const error = { workloadName: 'web-api', severity: 'error' as const, previewId: null, body };
  for (let count = 0; count < 8; count++) admin.emit([error]);
  const second = await begin('Write to invoices');
  end(second.slice(1), 'succeeded');
  const failure = { errorCode: 'build_failed', errorMessage: 'The image could not be built.' };
  end(second.slice(0, 1), 'failed', failure);
  await workbench.notification(page, /failed in production/).waitFor();
  const notice = workbench.notification(page, /new or more frequent/);
  await eventually(() => notice.isVisible(), Boolean, 'the push is not compared', untilHealthy);
  await workbench.runCommand(page, 'Notifications: Show Notifications');
}
