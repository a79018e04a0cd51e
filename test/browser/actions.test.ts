import { assert } from 'chai';
import * as workbench from '../host/workbench';
import {
  activityIs,
  boxSays,
  chooseInMenu,
  chooseInRowMenu,
  cleanUp,
  clearNotifications,
  openActions,
  openActivity,
  openPane,
  posts,
  typeAndEnter,
  typeCommand,
} from './actionScene';
import { connect, eventually, picture, type Scene } from './scene';
import { tooltipOf } from './trees';

const { dialog, notification } = workbench;

describe('what changes something', () => {
  let scene: Scene;
  before(async () => {
    scene = await openActions(6);
    await connect(scene);
    await openActivity(scene, 'Nothing was started');
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());
  afterEach(() => clearNotifications(scene));

  it('is not sent where any question before it is dismissed', async () => {
    const { page } = scene;
    const steps = [
      () => boxSays(scene, 'hel-data-1'),
      async () => {
        await typeAndEnter(scene, 'fra-app-1');
        await boxSays(scene, 'Names of items');
      },
      async () => {
        await typeAndEnter(scene, 'old-api, tmp');
        await boxSays(scene, '2 Selected');
      },
      async () => {
        await page.keyboard.press('Enter');
        await dialog(page).waitFor();
      },
      async () => {
        await page.keyboard.press('Enter');
        await boxSays(scene, 'Type the name of the server');
      },
    ];
    for (let last = 1; last <= steps.length; last++) {
      await workbench.runCommand(page, 'Control Plane: Clean Up Orphans…');
      for (const step of steps.slice(0, last)) await step();
      await page.keyboard.press('Escape');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await dialog(page).waitFor({ state: 'hidden' });
    }
    for (const text of [undefined, 'data-platform']) {
      await workbench.runCommand(page, 'Control Plane: Sync Environment…');
      await boxSays(scene, 'data-platform');
      if (text !== undefined) {
        await typeAndEnter(scene, text);
        await boxSays(scene, 'production');
      }
      await page.keyboard.press('Escape');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    }
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
    assert.isEmpty(posts(scene, '/syncs'));
    await workbench.view(page, 'Activity').getByText('Nothing was started').waitFor();
  });

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

  it('retries preview reporting from the view, with the details of what failed', async () => {
    const { page } = scene;
    const pane = await openPane(scene, 'Integrations');
    await pane.hover();
    await pane
      .locator('.pane-header')
      .getByRole('button', { name: /More Actions/ })
      .click();
    await chooseInMenu(scene, 'Retry Preview Reporting');
    const toast = notification(
      page,
      /Retry preview reporting: 3 attempted · 2 succeeded · 1 failed\./,
    );
    await toast.waitFor();
    await toast.locator('.codicon-warning').waitFor();
    await picture(scene, 'preview-reporting');
    await workbench.clickNotification(page, /3 attempted/, 'Show Details');
    await page.locator('.editor-instance .view-line', { hasText: /Failed\s+1/ }).waitFor();
    await workbench.runCommand(page, 'View: Close All Editors');
    await clearNotifications(scene);
    await typeCommand(scene, 'Control Plane: Retry Preview Reporting');
    await notification(page, /1 attempted · 1 succeeded · 0 failed\./).waitFor();
    assert.lengthOf(posts(scene, '/retry-preview-reporting'), 2);
    await pane.locator('.pane-header h3').click();
  });

  it('says what a server says as text (F56)', async () => {
    const { page } = scene;
    scene.controlPlane.admin.fault({
      kind: 'status',
      status: 400,
      message: 'No: [click](command:workbench.action.quit) $(bug)',
      endpoint: 'post_servers_cleanup_orphans',
    });
    await cleanUp(scene, 'old-api');
    const toast = notification(page, /No: \[click\] \(command:workbench\.action\.quit\)/);
    await toast.waitFor();
    assert.equal(await toast.locator('.notification-list-item-message a').count(), 0);
    await activityIs(scene, /Clean up old-api on fra-app-1 refused · No: \[click\]/);
  });

  it('goes on in the background, and at the control plane where nobody watches', async () => {
    const { page } = scene;
    await cleanUp(scene, 'first');
    const progress = notification(page, /Clean up first on fra-app-1/);
    await progress.getByText('Run in Background').click();
    await progress.waitFor({ state: 'hidden' });
    await activityIs(scene, /Clean up first on fra-app-1 (queued|running)/);
    await cleanUp(scene, 'second');
    await notification(page, /Clean up second on fra-app-1/)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await notification(page, /no longer watched\. The control plane goes on\./).waitFor();
    await activityIs(scene, /Clean up first on fra-app-1 succeeded · done/);
    await activityIs(scene, /Clean up second on fra-app-1 no longer watched/);
    await picture(scene, 'activity');
    await workbench.clickRowAction(page, 'Activity', 'Clean up second', 'Watch Again');
    await notification(page, /Clean up second on fra-app-1: succeeded/).waitFor();
    await activityIs(scene, /Clean up second on fra-app-1 succeeded · done/);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 2);
  });

  it('syncs the environment that is picked, and follows what it deploys', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Control Plane: Sync Environment…');
    await typeAndEnter(scene, 'data-platform');
    await boxSays(scene, 'production');
    await page.keyboard.press('Enter');
    const toast = notification(page, /Sync production of data-platform/);
    await toast.getByText('Run in Background').waitFor();
    await picture(scene, 'sync-progress');
    await activityIs(scene, /Sync production of data-platform \d (building|deploying|running)/);
    await activityIs(scene, /Sync production of data-platform \d succeeded/);
    await notification(page, /Sync production of data-platform: \d succeeded/).waitFor();
    await picture(scene, 'sync-over');
    await workbench.clickNotification(page, /Sync production/, 'Show Deployments');
    await page.locator('.pane-body .monaco-list-row.focused', { hasText: 'production' }).waitFor();
    assert.lengthOf(posts(scene, '/syncs'), 1);
  });
});

describe('what is under way when its window ends', () => {
  let scene: Scene;
  before(async () => {
    scene = await openActions(25);
    await connect(scene);
    await openActivity(scene, 'Nothing was started');
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());

  it('is watched again after a reload, by one of two windows (F44)', async () => {
    const { page, window, controlPlane } = scene;
    await cleanUp(scene, 'old-api');
    await activityIs(scene, /Clean up old-api on fra-app-1 queued/);
    const other = await window.newWindow();
    await workbench.openContainer(other, 'Control Plane');
    await openActivity({ ...scene, page: other }, /Clean up old-api/);
    await workbench.reload(page);
    await activityIs(scene, /Clean up old-api on fra-app-1 succeeded · done/, 60_000);
    await activityIs({ ...scene, page: other }, /Clean up old-api on fra-app-1 succeeded · done/);
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
    assert.lengthOf(controlPlane.admin.operations(), 1);
    assert.equal(await dialog(other).count(), 0);
    await other.close();
  });

  it('is asked about after a reload where no answer came, and sent once more at most (F44)', async () => {
    const { page, controlPlane } = scene;
    controlPlane.admin.fault({ kind: 'stall', endpoint: 'post_servers_cleanup_orphans' });
    await cleanUp(scene, 'stuck');
    await activityIs(scene, /Clean up stuck on fra-app-1 sending/);
    await eventually(
      () => Promise.resolve(controlPlane.admin.operations().length),
      (count) => count === 2,
      'accepted, and nobody knows',
    );
    await workbench.reload(page);
    const question = notification(page, /Clean up stuck on fra-app-1: whether it has started/);
    await question.waitFor({ timeout: 60_000 });
    await picture(scene, 'clean-up-unknown');
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1, 'not without a word of the person');
    await workbench.clickNotification(page, /whether it has started/, 'Send Again…');
    await dialog(page).waitFor();
    await picture(scene, 'clean-up-again-modal');
    await dialog(page).getByRole('button', { name: 'Send Again' }).click();
    await activityIs(scene, /Clean up stuck on fra-app-1 (queued|running|succeeded).*replayed/);
    const sent = posts(scene, '/cleanup-orphans');
    assert.lengthOf(sent, 2);
    assert.equal(sent[0]?.body, sent[1]?.body);
    assert.equal(sent[0]?.headers['idempotency-key'], sent[1]?.headers['idempotency-key']);
    assert.lengthOf(controlPlane.admin.operations(), 2);
  });
});
