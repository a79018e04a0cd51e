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
