import { assert } from 'chai';
import type { Locator } from 'playwright';
import { pageText } from '../browser/explorer/pageTexts';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { inPage } from '../host/pageFrame';
import { setExplorerPage } from './explorerScene';

describe('query bar of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const { becomes, button, ran } = scene;
  beforeEach(() => scene.panel.find({ body: 'one of many' }));

  const option = (name: string): Locator =>
    scene.page
      .getByRole('listbox', { name: pageText('query.suggestions') })
      .getByRole('option', { name, exact: true });

  it('takes the first completion by Tab, which moves on from a whole word', async () => {
    const { bar, page } = scene;
    await bar.focus();
    await page.keyboard.type('sev');
    await option('severity').waitFor();
    await page.keyboard.press('Tab');
    await becomes('severity:');
    await page.keyboard.type('err');
    await option('error').waitFor();
    await page.keyboard.press('Tab');
    await becomes('severity:error');
    await expect(bar).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(bar).not.toBeFocused();
  });

  it('is on one line with range and button in a narrow editor, however long the options are', async () => {
    const { bar, page } = scene;
    await page.setViewportSize({ width: 540, height: 800 });
    await inPage(
      scene,
      "document.querySelector('.query-line select option').textContent = 'wide '.repeat(20)",
    );
    const top = async (part: Locator): Promise<number> => (await part.boundingBox())!.y;
    const parts = [bar, page.locator('.query-line select'), button('query.search')];
    const apart = async (): Promise<number> => {
      const tops = await Promise.all(parts.map(top));
      return Math.max(...tops) - Math.min(...tops);
    };
    await eventually(apart, (pixels) => pixels < 6, 'how far they are apart');
  });

  it('completes and runs a query by keyboard', async () => {
    const { bar, page } = scene;
    await bar.press('s');
    await bar.press('e');
    await option('severity').waitFor();
    // Those of the first letter alone give way, and what was chosen among them with them.
    await option('stream').waitFor({ state: 'detached' });
    await bar.press('ArrowDown');
    await expect(option('severity')).toHaveAttribute('aria-selected', 'true');
    await bar.press('Enter');
    await option('error').waitFor();
    await page.keyboard.type('err');
    await option('trace').waitFor({ state: 'detached' });
    await bar.press('ArrowDown');
    await bar.press('Tab');
    await becomes('severity:error');
    await page.keyboard.type(' last:6h');
    const query = await ran(() => bar.press('Enter'));
    assert.equal(query, 'severity:error last:6h');
    await expect(bar).toHaveAttribute('aria-expanded', 'false');
    // It is one of the recent ones from now on.
    await bar.fill('"something else"');
    await bar.press('Escape');
    await bar.press('Alt+ArrowUp');
    await option('severity:error last:6h').waitFor();
    await bar.press('ArrowDown');
    await bar.press('Enter');
    await becomes('severity:error last:6h');
  });

  it('shows what is wrong and where, and does nothing with the query until it is right', async () => {
    const { bar, page, panel } = scene;
    await scene.search('last:6h');
    await bar.fill('severity:error evn:1 last:6h');
    await bar.press('Enter');
    await page.locator('.mirror .wrong', { hasText: 'evn' }).waitFor();
    await expect(bar).toHaveAttribute('aria-invalid', 'true');
    const message = pageText('query.errorAt', 16, 'unknownField');
    await expect(bar).toHaveAccessibleDescription(message);
    await scene.isAccessible();
    for (const one of [scene.severity('warn'), button('query.search')]) {
      await one.click();
      await expect(bar).toBeFocused();
    }
    for (const id of ['toolbar.save', 'toolbar.copyLink'] as const) {
      await scene.more(id);
      await expect(bar).toBeFocused();
    }
    await bar.fill('severity:error last:6h');
    await expect(bar).not.toHaveAttribute('aria-invalid');
    assert.deepEqual(panel.searches, ['last:6h']);
    assert.isEmpty([...panel.of('save'), ...panel.of('copyLink')]);
  });

  it('says that pasted text is searched for as text, and puts it in quotes', async () => {
    const { bar, page } = scene;
    await scene.search('std::bad_alloc last:6h');
    await expect(page.locator('.query-errors')).toContainText('There is no field std.');
    await expect(bar).not.toHaveAttribute('aria-invalid');
    await scene.isAccessible();
    await page.getByRole('button', { name: 'Put It in Quotes' }).click();
    await expect(bar).toHaveValue('"std::bad_alloc" last:6h');
    await expect(page.locator('.query-errors')).toBeEmpty();
  });

  it('keeps the focus of a user who goes on before the query has run', async () => {
    const { bar } = scene;
    await bar.fill('severity:error');
    // Without a pause between the keys, in which the answer could come.
    const keys = `for (const key of ['Enter', 'End']) document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`;
    await ran(() => inPage(scene, keys));
    await expect(scene.severity('error')).toHaveAttribute('aria-pressed', 'true');
    await expect(bar).toBeFocused();
    await bar.press('Enter');
    await expect(bar).not.toBeFocused();
  });

  it('undoes and redoes every change by keyboard', async () => {
    const { bar, page } = scene;
    await scene.search('last:6h');
    await bar.press('End');
    await page.keyboard.type(' env:production sev');
    await option('severity').waitFor();
    await bar.press('ArrowDown');
    await bar.press('Enter');
    await becomes('last:6h env:production severity:');
    await page.keyboard.type('error');
    await option('error').waitFor();
    await bar.press('Escape');
    await ran(() => scene.severity('warn').click());
    await becomes('severity:warn,error env:production last:6h');
    await bar.click();
    const steps = [
      'last:6h env:production severity:error',
      'last:6h env:production severity:',
      'last:6h env:production sev',
      'last:6h env:production ',
      'last:6h ',
    ];
    for (const step of steps) {
      await bar.press('ControlOrMeta+z');
      await becomes(step);
    }
    for (const step of [...steps].reverse().slice(1)) {
      await bar.press('ControlOrMeta+Shift+z');
      await becomes(step);
    }
    // As VS Code does for its menu: what the browser would make of it is no query that there was.
    await page.keyboard.type('x');
    await becomes('last:6h env:production severity:errorx');
    await inPage(scene, `document.execCommand('undo')`);
    await becomes('last:6h env:production severity:error');
    // What it says is read again, too.
    await expect(scene.severity('error')).toHaveAttribute('aria-pressed', 'true');
  });

  it('cancels a running search by mouse and by keyboard', async () => {
    const { page, panel } = scene;
    const isRunning = async (): Promise<void> => {
      panel.show({ progress: 'Searching…' });
      await button('query.cancel').waitFor();
    };
    const isOver = async (): Promise<void> => {
      await eventually(
        () => panel.of('cancel').length,
        (count) => count === 1,
        'it was cancelled',
      );
      panel.asked.length = 0;
      await button('query.cancel').waitFor({ state: 'hidden' });
      await expect(scene.focused()).toHaveText(pageText('query.search'));
    };
    await isRunning();
    await button('query.cancel').click();
    panel.show({ progress: undefined } as never);
    await isOver();
    await button('query.search').focus();
    await isRunning();
    await page.keyboard.press('Tab');
    await expect(scene.focused()).toHaveText(pageText('query.cancel'));
    await page.keyboard.press('Enter');
    panel.show({ progress: undefined } as never);
    await isOver();
  });
});
