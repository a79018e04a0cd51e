import { assert } from 'chai';
import { notAgreed } from '../../../src/ai/actionOutcome';
import { uiPattern, uiText } from '../../host/texts';
import * as workbench from '../../host/workbench';
import { covers } from '../../unit/covers';
import {
  agreeToCleanUp,
  activityIs,
  boxSays,
  over,
  posts,
  setActions,
  typeAndEnter,
  typeCommand,
} from '../actionScene';
import { chooseOfRow } from '../rowMenu';
import { eventually, expect, picture } from '../scene';
import { showOnly, tooltipOf, welcomeLines } from '../trees';

const { dialog, notification } = workbench;

const typeName = uiText('Type the name of the server, {0}, to clean it up.', 'fra-app-1');
const areCodes = uiText('special characters are shown as codes');
const twoItems = uiText('Clean up {0} items on {1}?', 2, 'fra-app-1');

describe('the clean-up of orphans', () => {
  const scene = setActions();
  const sent = () => posts(scene, '/cleanup-orphans');
  const serverId = (): string => scene.controlPlane.world.servers[0]?.id ?? '';
  /** Ends the running operations. */
  async function finish(): Promise<void> {
    const { admin } = scene.controlPlane;
    await eventually(
      () => Promise.resolve(sent()),
      (requests) => requests.some(({ status }) => status !== undefined),
      'nothing is accepted',
    );
    for (const { id = '' } of admin.operations()) admin.change(id, over);
  }
  /**
   * Selects *Enter Names…* in the list of candidates. If the search ends first and found none, the
   * box for names opens by itself and says so in place of its prompt, so its placeholder tells it.
   */
  async function enterNames(): Promise<void> {
    const input = scene.page.locator('.quick-input-widget');
    const names = input.getByPlaceholder(uiText('such as {0}', 'old-api, tmp-worker'));
    await input.getByText(uiText('Enter Names…')).or(names).first().waitFor();
    // Without names, the box does nothing at Enter.
    await scene.page.keyboard.press('Enter');
    await names.waitFor();
  }
  const nothingWasSent = async (): Promise<void> => {
    const { page } = scene;
    await workbench
      .view(page, 'activity')
      .getByText(welcomeLines('activity.empty').split('\n')[0] ?? '')
      .waitFor();
    assert.isEmpty(sent());
  };

  it('works with the keyboard, after a dialog and the name of the server', async () => {
    const { page } = scene;
    await typeCommand(scene, 'cleanUpOrphans');
    await boxSays(scene, 'hel-data-1');
    await typeAndEnter(scene, 'fra-app-1');
    await enterNames();
    await picture(scene, 'clean-up-items');
    await typeAndEnter(scene, 'old-api, [x](command:workbench.action.quit), old-api');
    await dialog(page).waitFor();
    await picture(scene, 'clean-up-modal');
    await expect(dialog(page)).toContainText(twoItems);
    await page.keyboard.press('Enter');
    await boxSays(scene, typeName);
    await typeAndEnter(scene, 'fra-app-2');
    await boxSays(scene, uiText('This is not the name of the server ({0}).', 'fra-app-1'));
    await picture(scene, 'clean-up-name');
    assert.isEmpty(sent());
    await page.keyboard.press('Control+A');
    await typeAndEnter(scene, 'fra-app-1');
    const title = uiText('Clean up {0} items on {1}', 2, 'fra-app-1');
    await notification(page, title).waitFor();
    await activityIs(scene, `${title} queued`);
    await finish();
    await workbench.clickNotification(page, `${title}: succeeded`, uiText('Show Details'));
    await page
      .locator('.editor-instance .view-line', { hasText: uiPattern('Items') })
      .first()
      .waitFor();
    await picture(scene, 'clean-up-result');
    assert.deepEqual(
      sent().map(({ body }) => body),
      ['{"items":[{"name":"old-api"},{"name":"[x](command:workbench.action.quit)"}]}'],
    );
  });

  it(`opens a hundred items as a document, before the name can be typed ${covers('F69', 'editor')}`, async () => {
    const { page, driver } = scene;
    const items = Array.from({ length: 99 }, (_, index) => `old-api-${index}`);
    const plan = { serverId: serverId(), items: [...items, 'prod  db'] };
    const asked = driver.run('controlPlane.cleanUpOrphans', plan);
    const question = uiText('Clean up {0} items on {1}?', 100, 'fra-app-1');
    await dialog(page).filter({ hasText: question }).waitFor();
    const text = await dialog(page).innerText();
    assert.include(text, uiText('Server: {0}', `fra-app-1 (${serverId().slice(0, 8)})`));
    assert.match(text, uiPattern('Connection: {0}', /actions \d+ \(http:/));
    assert.match(text, /• old-api-0\n/);
    assert.match(text, uiPattern('and {0} more', /\d+/));
    await picture(scene, 'clean-up-hundred');
    await page.keyboard.press('Enter');
    await boxSays(scene, typeName);
    const lines = page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: '• old-api-0' }).waitFor();
    await lines.nth(15).click();
    await page.keyboard.press('Control+End');
    await lines.filter({ hasText: /⚠\sprod\s\\u\{20\}db/ }).waitFor();
    await picture(scene, 'clean-up-hundred-document');
    await page.locator('.quick-input-widget input:visible').first().click();
    await page.keyboard.press('Escape');
    const answer = await asked;
    assert.isNull(answer);
    await nothingWasSent();
  });

  it('is in the menu of a server, suggests names without ticking any, and accepts pasted lines instead', async () => {
    const { page, controlPlane } = scene;
    const workloadId = '00000000-0000-4000-8000-00000000dead';
    controlPlane.admin.emit([{ workloadName: 'ghost-api', workloadId, serverId: serverId() }]);
    await showOnly(page, 'servers');
    await chooseOfRow(page, 'servers', ['fra-app-1'], 'cleanUpOrphans', 'mouse');
    await boxSays(scene, 'ghost-api');
    await boxSays(scene, '0 Selected');
    await picture(scene, 'clean-up-guesses');
    const guesses = await workbench.quickPickItems(page);
    const guess = guesses.find((item) => item.startsWith('ghost-api · ')) ?? '';
    assert.match(guess, uiPattern('candidate, last seen {0}'));
    // No row has the focus at first.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await boxSays(scene, uiText('Enter 1 to 100 item names.'));
    await page.keyboard.press('Space');
    await boxSays(scene, '1 Selected');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await boxSays(scene, uiText('{0} item: {1}', 1, 'ghost-api'));
    await page.keyboard.press('Control+A');
    await page.evaluate('navigator.clipboard.writeText("old-api\\n tmp worker\\nold-api\\n")');
    await page.keyboard.press('Control+V');
    await boxSays(scene, uiText('{0} items: {1}', 2, 'old-api | tmp worker'));
    await workbench.dismiss(page);

    // The box above the list ticks the candidates, and asks for no names.
    await chooseOfRow(page, 'servers', ['fra-app-1'], 'cleanUpOrphans', 'mouse');
    await boxSays(scene, 'ghost-api');
    await page.locator('.quick-input-header').getByRole('checkbox').click();
    await boxSays(scene, '1 Selected');
    await workbench.dismiss(page);

    // A name that is typed in the list is kept.
    await chooseOfRow(page, 'servers', ['fra-app-1'], 'cleanUpOrphans', 'mouse');
    await boxSays(scene, 'ghost-api');
    await typeAndEnter(scene, 'old-api');
    await boxSays(scene, uiText('{0} item: {1}', 1, 'old-api'));
    await workbench.dismiss(page);
    assert.isEmpty(sent());
  });

  it('shows names as text everywhere: markup, control characters, commands, icons', async () => {
    const { page, driver } = scene;
    const odd = '[x](command:go) **b** <b>c</b> $(bug) \u202ed\u001b[31m';
    const shown = '[x] (command:go) **b** <b>c</b> $(bug) \\u{202e}d\\u{1b}[31m';
    void driver.run('controlPlane.cleanUpOrphans', { serverId: serverId() });
    await enterNames();
    await page.keyboard.insertText(odd);
    await boxSays(scene, uiText('{0} item: {1}', 1, shown));
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    const exact = '[x]\\u{28}command:go) **b** <b>c</b> $(bug) \\u{202e}d\\u{1b}[31m';
    await expect(dialog(page)).toContainText(`⚠ ${exact} — ${areCodes}`);
    await expect(dialog(page).locator('.dialog-message-body a, b')).toHaveCount(0);
    await picture(scene, 'clean-up-odd-modal');
    await agreeToCleanUp(scene);
    await finish();
    const toast = notification(page, /succeeded/);
    await expect(toast).toContainText(shown);
    await expect(toast.locator('.notification-list-item-message a, b')).toHaveCount(0);
    await picture(scene, 'clean-up-odd-over');
    const row = workbench.treeRow(page, 'activity', 'command:go');
    await expect(row.locator('a[href], b, .codicon-bug')).toHaveCount(0);
    const tooltip = await tooltipOf(page, row, uiText('Idempotency key'));
    await expect(tooltip.locator('a, b, li strong, .codicon-bug')).toHaveCount(0);
    await expect(tooltip).toContainText('command:go');
    await page.mouse.move(900, 400);
    await workbench.clickNotification(page, /succeeded/, uiText('Show Details'));
    const lines = page.locator('.editor-instance .view-line', { hasText: uiPattern('Items') });
    await lines.filter({ hasText: 'command:go' }).waitFor();
    await expect(page.locator('.editor-instance .detected-link')).toHaveCount(0);
    assert.deepEqual(JSON.parse(sent()[0]?.body ?? ''), { items: [{ name: odd }] });
  });

  it('has to be confirmed twice for an AI tool, with target and items as text', async () => {
    const { page, driver, controlPlane } = scene;
    const odd = '[x](command:workbench.action.quit) <b>**$(bug)** https://evil.example';
    const source = controlPlane.world.sources[0]!;
    await driver.set({ 'controlPlane.ai.enabled': true });
    try {
      const sync = driver.invokeTool('controlPlane_syncEnvironment', {
        sourceId: source.id,
        environmentId: source.environmentId,
      });
      await dialog(page)
        .filter({ hasText: uiText('Sync an environment?') })
        .waitFor();
      const target = await dialog(page).innerText();
      assert.match(
        target,
        uiPattern(
          'Sync the environment {0} of the source {1} on the connection {2}.',
          /production \(.*\)/,
          /\S+ \(.*\)/,
        ),
      );
      const deployed = uiText('The control plane may deploy these apps and jobs:');
      assert.include(target, `${deployed}\n• web-api\n• storefront\n`);
      await picture(scene, 'tool-sync', '.monaco-dialog-box');
      await page.keyboard.press('Escape');
      const answer = await sync.catch(String);
      assert.match(answer, /Cancel/);

      const cleanUp = driver.invokeTool('controlPlane_cleanUpOrphans', {
        serverId: serverId(),
        items: ['old-api', odd],
      });
      const first = dialog(page).filter({ hasText: uiText('Clean up a server?') });
      await first.waitFor();
      const text = await first.innerText();
      assert.match(
        text,
        uiPattern('Clean up the server {0} on the connection {1}.', /fra-app-1 \(.*\)/),
      );
      // All characters that are escaped elsewhere. Nothing of a name is lost or active.
      const shown =
        '[x]\\u{28}command:workbench.action.quit) \\u{3c}b>**$(bug)** https://evil.example';
      assert.include(text, `• old-api\n⚠ ${shown} — ${areCodes}\n`);
      await expect(first.locator('a[href], a[data-href], b, .codicon-bug')).toHaveCount(0);
      await picture(scene, 'tool-clean-up', '.monaco-dialog-box');
      await first.getByRole('button', { name: /^(?:Yes|Continue)$/ }).click();
      await dialog(page).filter({ hasText: twoItems }).waitFor();
      await page.keyboard.press('Escape');
      const said = await cleanUp;
      assert.equal(said, notAgreed.words[0]);
      assert.isEmpty(posts(scene, '/syncs'));
      await nothingWasSent();
    } finally {
      await driver.set({ 'controlPlane.ai.enabled': null });
    }
  });
});
