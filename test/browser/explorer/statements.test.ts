import { uiText } from '../../host/texts';
import { statusBarItem } from '../../host/workbench';
import { asked, search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { picture } from '../scene';

describe('logging calls in code', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  before(() => {
    scene.controlPlane.admin.emit([
      { body: 'order ord_1: label from carrier domestic' },
      { body: 'order ord_2: label from carrier domestic' },
      { body: 'order ord_3: label from carrier international' },
    ]);
  });

  it('open from the details of a record, show what they held, and open their records', async () => {
    const { page } = scene;
    await search(scene, 'last:1h');
    await rows.row('ord_2').locator('.body').click();
    await rows.details.getByRole('button', { name: pageText('detailsStatement') }).click();
    await page.locator('.tab', { hasText: 'worker.ts' }).waitFor();
    await statusBarItem(page, 'Ln 11, Col 3').waitFor();

    const code = page.locator('.editor-instance', { hasText: 'console' });
    const link = code.locator('.codelens-decoration a', { hasText: uiText('Logs') });
    await link.waitFor();
    // With the keyboard: the link moves the line away from a pointer.
    await scene.driver.run('editor.action.showHover');
    const count = uiText('{0} records in the last hour', 3);
    const hover = page.locator('.monaco-hover', { hasText: count });
    const values = uiText(
      '{0}: {1} different, most often {2} ({3} of {4})',
      ...['carrier', 2, 'domestic', 2, 3],
    );
    await hover.getByText(values).waitFor();
    await picture(scene, 'logging-call');
    // It grows with what other extensions say of the line, and can cover the link.
    await scene.driver.run('editor.action.hideHover');
    await hover.waitFor({ state: 'hidden' });
    await asked(scene, () => link.click());
    await scene.becomes((query) => query.includes('": label from carrier"'));
  });
});
