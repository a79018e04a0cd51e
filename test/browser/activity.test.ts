import { assert } from 'chai';
import { type CommandName, commandTitle } from '../host/titles';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import {
  activityIs,
  begin,
  chooseInMenu,
  chooseInRowMenu,
  openPane,
  over,
  posts,
  setActions,
  typeCommand,
} from './actionScene';
import { eventually, picture } from './scene';

const { notification } = workbench;

describe('Activity', () => {
  const scene = setActions();
  const row = (text: string) => workbench.treeRow(scene.page, 'activity', text);

  it('shows an unknown state as text, and counts running entries in the badge', async () => {
    const { page, controlPlane } = scene;
    const badge = page
      .locator('.activitybar')
      .getByRole('tab', { name: 'Control Plane' })
      .locator('.badge-content');
    // Firing alert rules would count too, but the servers are not loaded.
    const countIs = (running: number): Promise<number> =>
      eventually(
        async () => ((await badge.isVisible()) ? Number(await badge.innerText()) : 0),
        (count) => count === running,
        `there are not ${running} running entries`,
      );
    await countIs(0);
    const id = await begin(scene, 'frozen');
    controlPlane.admin.change(id, {
      state: 'defrosting [x](command:workbench.action.quit)',
      phase: 'phase 7 $(bug) <b>',
      cancelRequestedAt: over.finishedAt,
    });
    await countIs(1);
    await activityIs(
      scene,
      /^Clean up frozen on fra-app-1 defrosting \[x\] \(command:workbench\.action\.quit\) · phase 7 \$\(bug\) <b> · cancel requested · by demo-full · /,
    );
    assert.equal(await row('frozen').locator('a[href], b').count(), 0);
    await row('frozen').locator('.codicon-circle-large-outline').waitFor();
    assert.include(await row('frozen').getAttribute('aria-label'), 'defrosting');
    await picture(scene, 'activity-states');
    await workbench.clickRowAction(page, 'activity', 'frozen', 'stopWatching');
    await countIs(0);
  });

  it('offers its menu to the keyboard', async () => {
    const { page, controlPlane } = scene;
    const id = await begin(scene, 'menu');
    const progress = notification(page, /Clean up menu on fra-app-1/);
    await progress.getByText(commandTitle('runInBackground')).waitFor();
    await typeCommand(scene, 'runInBackground');
    await progress.waitFor({ state: 'hidden' });
    await activityIs(scene, /Clean up menu on fra-app-1 queued/);
    const choose = (command: CommandName) => chooseInRowMenu(scene, row('Clean up menu'), command);
    await choose('copyId');
    await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (text) => text === id,
      'the id of the operation is not copied',
    );
    await choose('stopWatching');
    await activityIs(scene, /Clean up menu on fra-app-1 no longer watched · queued/);
    await choose('showResult');
    await page.locator('.editor-instance .view-line', { hasText: id }).first().waitFor();
    controlPlane.admin.change(id, over);
    await choose('watchAgain');
    await activityIs(scene, /Clean up menu on fra-app-1 succeeded · done/);
    await choose('removeFromActivity');
    await eventually(
      () => treeRows(page, 'activity'),
      (rows) => rows.length === 0,
      'the row is still in the list',
    );
  });

  it('continues a clean-up in the background, after the link in its progress notification, with the keyboard', async () => {
    const { page, controlPlane } = scene;
    const id = await begin(scene, 'link');
    const progress = notification(page, /Clean up link on fra-app-1/);
    await progress.getByText(commandTitle('runInBackground')).waitFor();
    await typeCommand(scene, 'Notifications: Focus Notification Toast');
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
    const seen: string[] = [];
    while (seen.length < 6 && (await focused()).trim() !== commandTitle('runInBackground')) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    assert.equal((await focused()).trim(), commandTitle('runInBackground'), seen.join(' | '));
    await page.keyboard.press('Enter');
    await progress.waitFor({ state: 'hidden' });
    controlPlane.admin.change(id, over);
    await activityIs(scene, /Clean up link on fra-app-1 succeeded · done/);
    assert.isEmpty(await workbench.notifications(page), 'there is no notification at its end');
  });

  it('stops watching when its progress is cancelled while the operation continues; watched again, it has one progress', async () => {
    const { page, controlPlane } = scene;
    const id = await begin(scene, 'again');
    const progress = /Clean up again on fra-app-1: (queued|running)/;
    await workbench.clickNotification(page, progress, 'Cancel');
    const left = /Clean up again on fra-app-1: no longer watched.* The operation continues\./;
    await notification(page, left).waitFor();
    await activityIs(scene, /Clean up again on fra-app-1 no longer watched/);
    controlPlane.admin.change(id, { state: 'running', phase: 'half of it' });
    await workbench.clickNotification(page, left, commandTitle('watchAgain'));
    await notification(page, /Clean up again on fra-app-1: running · half of it/).waitFor();
    await picture(scene, 'watched-again');
    assert.lengthOf(await workbench.notifications(page), 1);
    controlPlane.admin.change(id, over);
    await notification(page, /Clean up again on fra-app-1: succeeded · done\./).waitFor();
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
  });

  it('shows the result of preview reporting, which the menu of Integrations retries', async () => {
    const { page } = scene;
    const pane = await openPane(scene, 'integrations');
    await pane.hover();
    await pane
      .locator('.pane-header')
      .getByRole('button', { name: /More Actions/ })
      .click();
    await chooseInMenu(scene, 'retryPreviewReporting');
    const asked = workbench.dialog(page).filter({ hasText: 'Retry preview reporting?' });
    await asked.getByRole('button', { name: 'Retry' }).click();
    const said = /Retry preview reporting: 3 attempted · 2 succeeded · 1 failed\./;
    const toast = notification(page, said);
    await toast.waitFor();
    await toast.locator('.codicon-warning').waitFor();
    await picture(scene, 'preview-reporting');
    await workbench.clickNotification(page, said, 'Show Details');
    await page.locator('.editor-instance .view-line', { hasText: /Failed\s+1/ }).waitFor();
    await activityIs(scene, /Retry preview reporting 3 attempted · 2 succeeded · 1 failed/);
    assert.lengthOf(posts(scene, '/retry-preview-reporting'), 1);
  });
});
