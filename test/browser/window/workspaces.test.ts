import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { temporaryFolder } from '../../host/processes';
import { uiPattern, uiText } from '../../host/texts';
import {
  answer,
  clickLink,
  clickNotification,
  dismiss,
  labelOf,
  inputBox,
  notification,
  notifications,
  quickPickItems,
  runCommand,
  statusBarItem,
  treeRow,
  waitForMark,
  waitForOutput,
} from '../../host/workbench';
import { eventually, expect, picture, setScene } from '../scene';
import { message, showOnly } from '../trees';

describe('A virtual workspace', () => {
  // As in a browser without a server.
  const scene = setScene({
    host: 'web',
    memoryFiles: { '/shop/src/pricing.ts': '// of no disk\nexport const price = 1;\n' },
    async folder() {
      const file = path.join(await temporaryFolder('virtual'), 'virtual.code-workspace');
      await writeFile(file, JSON.stringify({ folders: [{ name: 'shop', uri: 'memory:/shop' }] }));
      return file;
    },
  });
  const lines = () => scene.page.locator('.editor-instance .view-line');
  beforeEach(() => scene.driver.run('workbench.action.closeAllEditors'));

  it('links log lines to its files', async () => {
    const { page, driver, controlPlane } = scene;
    await driver.run('controlPlane.followLogs', {});
    const body = 'TypeError: no\n    at priceOf (/app/shop/src/pricing.ts:2:1)';
    controlPlane.admin.emit([{ body }]);
    await waitForOutput(page, 'pricing.ts:2:1');
    await clickLink(page.locator('.output-view .view-line'), 'pricing.ts:2:1');
    await lines()
      .filter({ hasText: /of\sno\sdisk/ })
      .waitFor();
    await picture(scene, 'virtual');
  });

  it('has the errors of its files in their view, and marks on their lines that may have moved', async () => {
    const { page, driver, controlPlane } = scene;
    await driver.set({ 'controlPlane.code.errors': 'marks' });
    const body = 'TypeError: no percent\n    at total (/app/shop/src/pricing.ts:2:1)';
    controlPlane.admin.emit([{ workloadName: 'web-api', severity: 'error', body }]);
    await showOnly(page, 'errors');
    const row = treeRow(page, 'errors', '1 × TypeError: no percent');
    await row.filter({ hasText: 'pricing.ts:2 · web-api · ' }).waitFor();
    await expect
      .poll(() => message(page, 'errors'))
      .toContain(uiText('Without Git, lines in code may have moved.'));
    await row.click();
    await statusBarItem(page, 'Ln 2').waitFor();
    await waitForMark(page);
    await picture(scene, 'errors-web');
    await driver.set({ 'controlPlane.code.errors': 'off' });
  });

  it('opens logs as text, and exports to a file', async () => {
    const { page } = scene;
    await runCommand(page, 'openLogsAsText');
    await expect.poll(() => inputBox(page)).toMatchObject({ title: uiText('Open Logs as Text') });
    await answer(page, 'last:7d');
    await page
      .locator('.tab.active', { hasText: new RegExp(`^${uiText('Logs')} .*\\.log$`) })
      .waitFor();
    await lines().filter({ hasText: '[web-api]' }).first().waitFor();
    await picture(scene, 'logs-as-text');

    await runCommand(page, 'exportLogs');
    await answer(page, 'last:7d');
    await quickPickItems(page);
    await page.keyboard.press('Enter');
    const name = page.locator('.quick-input-widget input[type="text"]').first();
    await expect(name).toHaveValue(/^\/shop\/logs-.*\.\w+$/);
    await name.press('Enter');
    const exported = uiPattern('{0} records were exported to {1}.', undefined, /logs-.+/);
    await notification(page, exported).waitFor();
    // VS Code shows any progress for a moment at least.
    await notification(page, uiText('Exporting logs')).waitFor({ state: 'hidden' });
    await clickNotification(page, exported, uiText('Open File'));
    await lines().filter({ hasText: '"eventId"' }).first().waitFor();
  });

  it('does not offer what needs a checkout, and does not mention it', async () => {
    const { page, driver } = scene;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    for (const [command, isOffered] of [
      ['checkConnection', true],
      ['showDeployedCommit', false],
      ['compareWithDeployedCommit', false],
    ] as const) {
      const text = labelOf(command);
      await input.fill(`>${text}`);
      await eventually(
        () => quickPickItems(page),
        (items) => items.some((item) => item.startsWith(text)) === isOffered,
        `${text} is ${isOffered ? 'not ' : ''}offered`,
      );
    }
    await dismiss(page);
    const item = '.statusbar-item[id="control-plane.deployment-control-plane.controlPlane.branch"]';
    await expect(page.locator(item)).toHaveCount(0);
    const shown = await notifications(page);
    assert.isEmpty(shown);
    await driver.run('controlPlane.showOutput');
    await waitForOutput(page, '/logs/');
    await expect(page.locator('.output-view').getByText('[error]')).toHaveCount(0);
  });
});
