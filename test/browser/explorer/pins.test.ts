import { uiText } from '../../host/texts';
import { treeRowAt, treeRows } from '../../host/treeRows';
import { answer, inputBox } from '../../host/workbench';
import { chooseInMenu } from '../actionScene';
import { chooseOfRow } from '../rowMenu';
import { eventually, expect, picture } from '../scene';
import { showOnly } from '../trees';
import { search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';

describe('pins', () => {
  const scene = setExplorer({ size: { width: 1280, height: 900 } });
  const rows = explorerRows(scene);
  const section = uiText('Pins');

  it('are set in the list, listed with notes, gone through by a key, and opened as text', async () => {
    const { page, controlPlane } = scene;
    await showOnly(page, 'logs');
    const containerId = 'ab'.repeat(32);
    const at = (seconds: number) => {
      const timestamp = new Date(Date.now() - (200 - seconds) * 1000).toISOString();
      return { containerId, timestamp, ingestedAt: timestamp };
    };
    controlPlane.admin.emit([
      { ...at(0), body: 'the queue is full' },
      { ...at(30), body: 'in between' },
      { ...at(125), severity: 'error', body: 'orders are refused' },
    ]);
    await search(scene, `container:${containerId} last:1h`);
    await rows.hasCount(3);
    for (const text of ['orders are refused', 'the queue is full']) {
      await rows.row(text).locator('.body').click({ button: 'right' });
      await chooseInMenu(scene, 'togglePin');
    }
    await expect(rows.grid.locator('.row.pinned')).toHaveCount(2);

    const listed = async (): Promise<string[]> =>
      (await treeRows(page, 'logs')).filter((row) => row.startsWith('  '));
    const first = await eventually(
      async () => (await listed())[0]?.trim().split(' ')[0] ?? '',
      (source) => source !== '',
      'the first pin',
    );
    await treeRowAt(page, 'logs', [section, first]);
    await chooseOfRow(page, 'logs', [section, first], 'editPinNote', 'keyboard');
    await inputBox(page);
    await answer(page, 'here it began');
    await treeRowAt(page, 'logs', [section, 'here it began']);

    await page.keyboard.press('Control+k');
    await page.keyboard.press('Alt+n');
    await rows.isSelected('orders are refused');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Alt+n');
    await rows.isSelected('the queue is full');
    await picture(scene, 'pins');

    await chooseOfRow(page, 'logs', [section], 'openLogsAsText', 'mouse');
    const text = page.locator('.editor-instance .view-lines');
    await expect(text).toContainText(
      /the\squeue\sis\sfull.*Note:\shere\sit\sbegan.*later.*orders/s,
    );
    await picture(scene, 'pins-text');
  });
});
