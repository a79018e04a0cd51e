import path from 'node:path';
import { uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { statusBarItem } from '../../host/workbench';
import { pageText } from '../explorer/pageTexts';
import { eventually, picture, setScene } from '../scene';
import { knownThings } from '../trees';

describe('marks of errors in code', () => {
  const file = 'web-api/src/pricing.ts';
  const scene = setScene({
    keepsWindow: true,
    settings: knownThings,
    controlPlane: { historyRecords: 0 },
    prepare({ admin }) {
      const body = `TypeError: no percent\n    at total (/app/${file}:4:5)`;
      admin.emit([{ severity: 'error', workloadName: 'web-api', body }]);
    },
  });

  before(() => scene.driver.set({ 'controlPlane.code.errors': 'marks' }));
  after(async () => {
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.driver.set({ 'controlPlane.code.errors': 'off' });
  });

  it('stand in the gutter and at the end of the line, with a hover whose links open the records', async () => {
    const { page, driver, controlPlane } = scene;
    await driver.open(path.join(controlPlane.demoFolder, file));
    /** The texts after lines of the editor, and how many icons are in the gutter. */
    const marks = (): Promise<{ texts: string[]; icons: number }> =>
      page.evaluate(`({
        texts: [...document.querySelectorAll('.editor-instance .view-line span')]
          .map((span) => getComputedStyle(span, '::after').content)
          .filter((content) => content.includes('×')),
        icons: [...document.querySelectorAll('.editor-instance .glyph-margin-widgets *')].filter(
          (icon) => getComputedStyle(icon).backgroundImage.includes('error-mark'),
        ).length,
      })`);
    const is = await eventually(marks, ({ texts }) => texts.length > 0, 'the mark');
    const [text = ''] = is.texts;
    const error = uiText('{0} × {1}', 1, 'TypeError: no percent');
    const isWhole =
      text.startsWith(`"${error} · `) && text.endsWith(` · ${uiText('may have moved')}"`);
    if (!isWhole || is.icons !== 1) {
      throw new Error(`The marks are wrong: ${JSON.stringify(is)}`);
    }

    /** The badge of the file on its tab. */
    const badge = (): Promise<string> =>
      page.evaluate(
        `getComputedStyle(document.querySelector('.tab.active .monaco-icon-label'), '::after').content`,
      );
    await eventually(badge, (content) => content === '"1"', 'the badge');
    await driver.set({ 'controlPlane.code.decorations': false });
    await eventually(badge, (content) => content !== '"1"', 'no badge');
    await driver.set({ 'controlPlane.code.decorations': null });

    await driver.run('controlPlane.nextError');
    await statusBarItem(page, `${uiText('Error {0} of {1}', 1, 1)} · ${error}`).waitFor();
    await driver.run('editor.action.showHover');
    const hover = page.locator('.monaco-hover', {
      hasText: uiText('Workloads: {0}', 'web-api (1)'),
    });
    await picture(scene, 'error-mark');
    await hover.getByRole('link', { name: commandTitle('showErrorRecords') }).click();
    await page.locator('.tab', { hasText: pageText('title') }).waitFor();
  });
});
