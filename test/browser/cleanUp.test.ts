import { assert } from 'chai';
import * as workbench from '../host/workbench';
import {
  activityIs,
  boxSays,
  chooseInRowMenu,
  clearNotifications,
  openActions,
  openActivity,
  posts,
  typeAndEnter,
} from './actionScene';
import { connect, picture, type Scene } from './scene';
import { tooltipOf } from './trees';

const { dialog, notification } = workbench;

describe('the clean-up of orphans', () => {
  let scene: Scene;
  before(async () => {
    scene = await openActions(6);
    await connect(scene);
    await openActivity(scene, 'Nothing was started');
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());
  afterEach(() => clearNotifications(scene));

  it('cleans up with the keyboard alone, once modal and name of the server agree', async () => {
    const { page } = scene;
    await page.keyboard.press('F1');
    await boxSays(scene, /./);
    await typeAndEnter(scene, 'Control Plane: Clean Up Orphans');
    await boxSays(scene, 'hel-data-1');
    await typeAndEnter(scene, 'fra-app-1');
    await boxSays(scene, 'Names of items');
    await typeAndEnter(scene, 'old-api, [x](command:workbench.action.quit), old-api');
    await boxSays(scene, '2 Selected');
    await picture(scene, 'clean-up-items');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await picture(scene, 'clean-up-modal');
    assert.include(await dialog(page).innerText(), 'Clean up 2 items on fra-app-1?');
    await page.keyboard.press('Enter');
    await boxSays(scene, 'Type the name of the server');
    await typeAndEnter(scene, 'fra-app-2');
    await boxSays(scene, 'Not the name of the server');
    await picture(scene, 'clean-up-name');
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
    await page.keyboard.press('Control+A');
    await typeAndEnter(scene, 'fra-app-1');
    await notification(page, /Clean up 2 items on fra-app-1/).waitFor();
    await activityIs(scene, /Clean up 2 items on fra-app-1 queued/);
    await picture(scene, 'clean-up-progress');
    await notification(page, /Clean up 2 items on fra-app-1: succeeded/).waitFor();
    await picture(scene, 'clean-up-over');
    await workbench.clickNotification(page, /Clean up 2 items/, 'Show Details');
    await page.locator('.editor-instance .view-line', { hasText: 'removed' }).first().waitFor();
    await picture(scene, 'clean-up-result');
    const [sent, ...others] = posts(scene, '/cleanup-orphans');
    assert.isEmpty(others);
    assert.equal(
      sent?.body,
      '{"items":[{"name":"old-api"},{"name":"[x](command:workbench.action.quit)"}]}',
    );
  });

  it('guesses what could be cleaned up, and ticks none of it', async () => {
    const { page } = scene;
    const { id } = scene.controlPlane.world.servers.find(({ name }) => name === 'fra-app-1')!;
    scene.controlPlane.admin.emit([
      {
        workloadName: 'ghost-api',
        workloadId: '00000000-0000-4000-8000-00000000dead',
        serverId: id,
      },
    ]);
    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await workbench.clickPick(page, 'fra-app-1');
    await workbench.answer(page, '');
    await boxSays(scene, 'ghost-api');
    await boxSays(scene, '0 Selected');
    await picture(scene, 'clean-up-guesses');
    assert.match(
      (await workbench.quickPickItems(page)).join('\n'),
      /ghost-api · a guess, last seen /,
    );
    await page.keyboard.press('Enter');
    await boxSays(scene, 'Give the names of 1 to 100 items.');
    await workbench.dismiss(page);
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
  });

  it('reads names that are pasted as lines', async () => {
    const { page } = scene;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate('navigator.clipboard.writeText("old-api\\n tmp worker\\nold-api\\n")');
    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await workbench.clickPick(page, 'fra-app-1');
    await boxSays(scene, 'Names of items');
    await page.keyboard.press('Control+V');
    await boxSays(scene, '2 items: old-api | tmp worker');
    await workbench.dismiss(page);
  });

  it('takes no items of 0 or 101, and lists ten of 100 (F41)', async () => {
    const { page } = scene;
    const names = (count: number): string =>
      Array.from({ length: count }, (_, index) => `item-${index}`).join(', ');
    const row = workbench.treeRow(page, 'Servers', 'fra-app-2');
    await chooseInRowMenu(scene, row, 'Clean Up Orphans…');
    await boxSays(scene, 'Names of items');
    // By insertion: a hundred names typed one key at a time are no better a test.
    await page.keyboard.insertText(names(101));
    await boxSays(scene, '101 items are too many: at most 100 items.');
    await page.keyboard.press('Enter');
    await boxSays(scene, '101 items are too many: at most 100 items.');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    // There is nothing to guess: it is asked again, and an empty list is no answer any more.
    await boxSays(
      scene,
      'No guess: all else that logged in the last 7 days is known – type or paste',
    );
    await picture(scene, 'clean-up-no-guess');
    await page.keyboard.press('Enter');
    await boxSays(
      scene,
      'No guess: all else that logged in the last 7 days is known – type or paste',
    );
    await page.keyboard.insertText(names(100));
    await boxSays(scene, '100 items: item-0 | item-1');
    await page.keyboard.press('Enter');
    await boxSays(scene, '100 Selected');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    const text = await dialog(page).innerText();
    assert.include(text, 'Clean up 100 items on fra-app-2?');
    assert.include(text, '• item-9\nand 90 more');
    assert.notInclude(text, 'item-10');
    await picture(scene, 'clean-up-100-modal');
    await page.keyboard.press('Enter');
    await boxSays(scene, 'Type the name of the server');
    await typeAndEnter(scene, 'fra-app-2');
    await activityIs(scene, /Clean up 100 items on fra-app-2 succeeded · done/);
    const [sent, ...others] = posts(scene, '/cleanup-orphans');
    assert.isEmpty(others);
    assert.lengthOf((JSON.parse(sent?.body ?? '') as { items: unknown[] }).items, 100);
  });

  it('shows names as text wherever they appear: markup, controls, commands, icons', async () => {
    const { page } = scene;
    const odd = '[x](command:go) **b** <b>c</b> $(bug) \u202ed\u001b[31m';
    const shown = '[x] (command:go) **b** <b>c</b> $(bug) \\u{202e}d\\u{1b}[31m';
    await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
    await workbench.clickPick(page, 'fra-app-1');
    await boxSays(scene, 'Names of items');
    await page.keyboard.insertText(odd);
    await boxSays(scene, `1 item: ${shown}`);
    await page.keyboard.press('Enter');
    await boxSays(scene, '1 Selected');
    const quickInput = page.locator('.quick-input-widget');
    assert.equal(await quickInput.locator('.label-name .codicon-bug').count(), 0);
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    assert.include(await dialog(page).innerText(), `• ${shown}`);
    assert.equal(await dialog(page).locator('.dialog-message-body a, b').count(), 0);
    await picture(scene, 'clean-up-odd-modal');
    await page.keyboard.press('Enter');
    const toast = notification(page, /succeeded/);
    await toast.waitFor();
    assert.include(await toast.innerText(), shown);
    assert.equal(await toast.locator('.notification-list-item-message a, b').count(), 0);
    await picture(scene, 'clean-up-odd-over');
    const row = workbench.treeRow(page, 'Activity', 'command:go');
    assert.equal(await row.locator('a[href], b, .codicon-bug').count(), 0);
    const tooltip = await tooltipOf(page, row, 'Idempotency key');
    assert.equal(await tooltip.locator('a, b, li strong, .codicon-bug').count(), 0);
    assert.include(await tooltip.innerText(), 'command:go');
    await page.mouse.move(900, 400);
    await workbench.clickNotification(page, /succeeded/, 'Show Details');
    // The result of another clean-up may still be in view.
    const lines = page.locator('.editor-instance .view-line', { hasText: /^Items/ });
    await lines.filter({ hasText: 'command:go' }).waitFor();
    assert.equal(await page.locator('.editor-instance .detected-link').count(), 0);
    await workbench.runCommand(page, 'View: Close All Editors');
    const [sent] = posts(scene, '/cleanup-orphans');
    assert.deepEqual(JSON.parse(sent?.body ?? ''), { items: [{ name: odd }] });
  });
});
