import { assert } from 'chai';
import { uiPattern, uiText } from '../../host/texts';
import { type CommandName, commandTitle } from '../../host/titles';
import { treeRows } from '../../host/treeRows';
import * as workbench from '../../host/workbench';
import {
  activityIs,
  begin,
  chooseInMenu,
  chooseInRowMenu,
  over,
  posts,
  setActions,
  typeCommand,
} from '../actionScene';
import { eventually, expect, picture } from '../scene';

const { notification } = workbench;

const titleOf = (item: string): string => uiText('Clean up {0} on {1}', item, 'fra-app-1');

describe('Activity', () => {
  const scene = setActions();
  const row = (text: string) => workbench.treeRow(scene.page, 'activity', text);

  it('shows an unknown state as text, and counts running entries in the badge', async () => {
    const { page, controlPlane } = scene;
    const badge = page
      .locator('.activitybar')
      .getByRole('tab', { name: 'Control Plane' })
      .locator('.badge-content');
    // Firing rules count, too: those of all servers, which the view Servers loads.
    await workbench.setOpen(page, 'servers', true);
    const firing = 3;
    const countIs = (running: number): Promise<number> =>
      eventually(
        async () => ((await badge.isVisible()) ? Number(await badge.innerText()) : 0),
        (count) => count === running,
        `there are not ${running} running entries`,
      );
    await countIs(firing);
    const id = await begin(scene, 'frozen');
    controlPlane.admin.change(id, {
      state: 'defrosting [x](command:workbench.action.quit)',
      phase: 'phase 7 $(bug) <b>',
      cancelRequestedAt: over.finishedAt,
    });
    await countIs(firing + 1);
    await activityIs(
      scene,
      [
        `${titleOf('frozen')} ${uiText('in state {0}', 'defrosting [x](command:workbench.action.quit)')}`,
        'phase 7 $(bug) <b>',
        uiText('cancel requested'),
        uiText('by {0}', 'demo-full'),
        '',
      ].join(' · '),
    );
    await expect(row('frozen').locator('a[href], b')).toHaveCount(0);
    await row('frozen').locator('.codicon-circle-large-outline').waitFor();
    await expect(row('frozen')).toHaveAttribute('aria-label', /defrosting/);
    await picture(scene, 'activity-states');
    await workbench.clickRowAction(page, 'activity', 'frozen', 'stopWatching');
    await countIs(firing);
  });

  it('offers its menu to the keyboard', async () => {
    const { page, controlPlane } = scene;
    const id = await begin(scene, 'menu');
    const progress = notification(page, titleOf('menu'));
    await progress.getByText(commandTitle('runInBackground')).waitFor();
    await typeCommand(scene, 'runInBackground');
    await progress.waitFor({ state: 'hidden' });
    await activityIs(scene, `${titleOf('menu')} queued`);
    const choose = (command: CommandName) => chooseInRowMenu(scene, row(titleOf('menu')), command);
    await choose('copyId');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(id);
    await choose('stopWatching');
    await activityIs(scene, `${titleOf('menu')} ${uiText('no longer watched')} · queued`);
    await choose('showResult');
    await page.locator('.editor-instance .view-line', { hasText: id }).first().waitFor();
    controlPlane.admin.change(id, over);
    await choose('watchAgain');
    await activityIs(scene, `${titleOf('menu')} succeeded`);
    await choose('removeFromActivity');
    await expect.poll(() => treeRows(page, 'activity')).toEqual([]);
  });

  it('continues a clean-up in the background, after the link in its progress notification, with the keyboard', async () => {
    const { page, controlPlane } = scene;
    const id = await begin(scene, 'link');
    const progress = notification(page, titleOf('link'));
    await progress.getByText(commandTitle('runInBackground')).waitFor();
    await typeCommand(scene, 'Notifications: Focus Notification Toast');
    const focused = async (): Promise<string> =>
      (await page.evaluate<string>('document.activeElement.textContent')).trim();
    const seen = [await focused()];
    while (seen.length < 6 && seen.at(-1) !== commandTitle('runInBackground')) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    assert.equal(seen.at(-1), commandTitle('runInBackground'), seen.join(' | '));
    await page.keyboard.press('Enter');
    await progress.waitFor({ state: 'hidden' });
    controlPlane.admin.change(id, over);
    await activityIs(scene, `${titleOf('link')} succeeded`);
    const shown = await workbench.notifications(page);
    assert.isEmpty(shown, 'there is no notification at its end');
  });

  it('stops watching by the link in its progress while the operation continues; watched again, it has one progress', async () => {
    const { page, controlPlane } = scene;
    const id = await begin(scene, 'again');
    const progress = uiPattern('Clean up {0} on {1}', 'again', /fra-app-1: (queued|running)/);
    await workbench.clickNotificationLink(page, progress, commandTitle('stopWatching'));
    const left = `${titleOf('again')}: ${uiText('no longer watched. The operation continues.')}`;
    await notification(page, left).waitFor();
    await activityIs(scene, `${titleOf('again')} ${uiText('no longer watched')}`);
    controlPlane.admin.change(id, { state: 'running', phase: 'half of it' });
    await workbench.clickNotification(page, left, commandTitle('watchAgain'));
    await notification(page, `${titleOf('again')}: running · half of it`).waitFor();
    await picture(scene, 'watched-again');
    const shown = await workbench.notifications(page);
    assert.lengthOf(shown, 1);
    controlPlane.admin.change(id, over);
    await notification(page, `${titleOf('again')}: succeeded.`).waitFor();
    assert.lengthOf(posts(scene, '/cleanup-orphans'), 1);
  });

  it('shows the result of preview reporting, which the menu of Integrations retries', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'showIntegrations');
    const pane = await workbench.setOpen(page, 'integrations');
    await pane.hover();
    await pane
      .locator('.pane-header')
      .getByRole('button', { name: /More Actions/ })
      .click();
    await chooseInMenu(scene, 'retryPreviewReporting');
    const asked = workbench.dialog(page).filter({ hasText: uiText('Retry preview reporting?') });
    await workbench.proceed(asked).click();
    const title = uiText('Retry preview reporting');
    const counts = [
      uiText('{0} attempted', 3),
      uiText('{0} succeeded', 2),
      uiText('{0} failed', 1),
    ].join(' · ');
    const said = `${title}: ${counts}.`;
    const toast = notification(page, said);
    await toast.waitFor();
    await toast.locator('.codicon-warning').waitFor();
    await picture(scene, 'preview-reporting');
    await workbench.clickNotification(page, said, uiText('Show Details'));
    await page
      .locator('.editor-instance .view-line', { hasText: `${uiText('Failed')} 1` })
      .waitFor();
    await activityIs(scene, `${title} ${counts}`);
    assert.lengthOf(posts(scene, '/retry-preview-reporting'), 1);
  });
});
