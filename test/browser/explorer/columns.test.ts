import { search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { expect } from '../scene';

describe('columns of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  before(() => {
    scene.controlPlane.admin.emit([{ body: 'order paid', attributes: { user: 'ann' } }]);
  });

  it('are picked from all fields and attributes, and remembered for the connection', async () => {
    const { driver, page, explorer } = scene;
    const has = async (): Promise<void> => {
      await expect(explorer.getByRole('columnheader')).toHaveText([
        pageText('listTime'),
        pageText('listSeverity'),
        pageText('listWorkload'),
        'attr.user',
        pageText('listBody'),
      ]);
      await rows.row('order paid').locator('.value', { hasText: 'ann' }).waitFor();
    };
    await search(scene, 'last:1h');
    await scene.more('columns.pick');
    await page.locator('.quick-input-widget input[type=text]').first().waitFor();
    await page.keyboard.type('attr.user');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'attr.user' }).click();
    await page.keyboard.press('Enter');
    await has();
    await driver.run('workbench.action.closeAllEditors');
    await driver.run('controlPlane.searchLogs');
    await has();
  });
});
