import { assert } from 'chai';
import { commandTitle } from '../../host/titles';
import { statusBarItem } from '../../host/workbench';
import { chooseInMenu, hasMenuFocus } from '../actionScene';
import { search, setExplorer } from './explorerPage';
import { detailedRecords, explorerDetails, stack, traceId } from './explorerDetails';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { expect } from '../scene';

/** As VS Code shows it in the list and in a copied line. */
const line =
  /^\d{4}-\d\d-\d\d [\d:.]+ \[error\] \[web-api\] TypeError: no price\n {4}.*12:9\)\n {4}.*1:1\)$/;

describe('details of a record in the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  const { inDetails, click, enter } = explorerDetails(scene, rows);
  before(() => {
    scene.controlPlane.admin.emit(detailedRecords);
  });

  it('copy the record, its line and its values, also from the menu of the row, and open the source file of a stack frame', async () => {
    const { page } = scene;
    await search(scene, 'last:1h');
    await rows.row('the last one').waitFor();
    const isLine = (text: string): boolean => line.test(text);
    const isRecord = (text: string): boolean => text.startsWith('{\n') && text.endsWith('\n}');
    await click('TypeError');
    const copied = await rows.copies(() => inDetails('detailsCopyJson').click(), isRecord);
    assert.include(JSON.parse(copied) as object, { body: stack, traceId });
    await enter('TypeError');
    await rows.tabTo(inDetails('detailsCopyLine'));
    await rows.copies(() => rows.press('Enter'), isLine);
    await rows.grid.focus();
    await rows.copies(() => rows.press('Control+c'), isLine);

    await enter('statusCode');
    await rows.tabTo(rows.details.getByRole('grid', { name: pageText('detailsAttributes') }));
    await rows.press('End', 'ArrowRight', 'ArrowRight');
    await rows.hasFocus(inDetails('detailsCopyValue', 'attr.path /api/orders'));
    await rows.copies(
      () => rows.press('Enter'),
      (text) => text === '/api/orders',
    );

    await rows.row('TypeError').locator('.body').click({ button: 'right' });
    await rows.isSelected('TypeError');
    await page.getByRole('menuitem', { name: commandTitle('copyRecordJson') }).waitFor();
    await expect(page.locator('.monaco-menu .action-label:not(.separator)')).toHaveText([
      commandTitle('showRecordTrace'),
      commandTitle('showRecordContext'),
      commandTitle('goToLogStatement'),
      commandTitle('togglePin'),
      commandTitle('copyRecordLink'),
      commandTitle('copyRecordLine'),
      commandTitle('copyRecordJson'),
    ]);
    await hasMenuFocus(scene);
    await page.keyboard.press('Escape');
    // Who closes it is where they were.
    await rows.isReturnedTo(rows.grid);
    await rows.press('Shift+F10');
    await rows.copies(() => chooseInMenu(scene, 'copyRecordJson'), isRecord);
    await rows.isReturnedTo(rows.grid);

    const link = rows.details.getByRole('link', { name: '/app/web-api/src/pricing.ts:12:9' });
    await enter('TypeError');
    await expect(rows.details.locator('.frame'), 'the other one is nowhere').toHaveCount(1);
    await rows.tabTo(link);
    await rows.press('Enter');
    await page.locator('.tab', { hasText: 'pricing.ts' }).waitFor();
    await statusBarItem(page, 'Ln 12, Col 9').waitFor();
  });
});
