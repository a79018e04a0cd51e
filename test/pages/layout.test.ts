import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { inPage } from '../host/pageFrame';
import { setExplorerPage } from './explorerScene';

/** What is left for the page of a half and a whole wide screen, and of a small one of which everything is twice as large. */
const sizes = {
  half: { width: 650, height: 700 },
  whole: { width: 1350, height: 700 },
  'at 200 percent': { width: 590, height: 300 },
};

/** What reaches beyond the page, or is cut within its own box, in words. */
const cutScript = `(() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push('the page: ' + page.scrollWidth);
  if (page.scrollHeight > page.clientHeight) found.push('the page is ' + page.scrollHeight + ' high');
  for (const element of document.querySelectorAll('button, vscode-button, select, input, .chip, .notices *')) {
    const { left, right, width } = element.getBoundingClientRect();
    const isHidden = width === 0 || element.closest('[aria-hidden=true], .visually-hidden');
    if (!isHidden && (left < -1 || right > page.clientWidth + 1)) {
      found.push((element.getAttribute('aria-label') ?? element.textContent) + ': ' + left + ' to ' + right);
    }
  }
  return found;
})()`;

describe('nothing is cut, in each size, and axe finds nothing in the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  const { button } = scene;
  beforeEach(() => {
    scene.panel.find(
      { severity: 'error', body: 'TypeError: no price\n    at total (/app/src/pricing.ts:12:9)' },
      { body: '{"msg":"done","res":{"statusCode":503}}', attributes: { user: '42' } },
    );
  });

  async function looksWell(): Promise<void> {
    for (const [size, viewport] of Object.entries(sizes)) {
      await scene.page.setViewportSize(viewport);
      await eventually(
        () => inPage<string[]>(scene, cutScript),
        (cut) => cut.length === 0,
        `${size}: what is cut`,
      );
    }
    await scene.isAccessible();
  }

  it('with results, after a failure and without results', async () => {
    const { page, panel } = scene;
    await scene.search('last:6h');
    await rows.row('TypeError').waitFor();
    await looksWell();
    const message = 'The key may not read these logs.';
    const failure = { message, help: 'diagnostics' } as const;
    panel.show({ failure });
    await page.getByRole('alert').filter({ hasText: message }).waitFor();
    await looksWell();
    // There is nothing yet that other records could be older or newer than.
    panel.show({ failure: undefined } as never);
    panel.find();
    await button('range.24h').waitFor();
    await looksWell();
    panel.show({ state: 'signedOut' });
    await page.locator('.notice-parts .codicon-plug').waitFor();
    await looksWell();
  });

  it('with a notice, conditions, details and the find bar', async () => {
    const { page, panel } = scene;
    await scene.search('env:production (service~e or service~a or spanId:*) last:6h');
    panel.show({
      notices: [{ level: 'warning', text: 'The control plane left out some of the records.' }],
      following: { state: 'live', text: 'live · 12 lines/s', newRecords: 0 },
    });
    await page.locator('.notice-list .warning').waitFor();
    await button('builder.toggle').click();
    await rows.grid.focus();
    await rows.press('End', 'Enter');
    await rows.details.locator('pre').first().waitFor();
    await rows.grid.focus();
    await rows.press('Control+f');
    await page.keyboard.type('t');
    await page.getByText(pageText('findCount', 2, 2)).waitFor();
    await looksWell();
    // In a low window the list is below: its rows are in view once it has the focus.
    await rows.grid.focus();
    await expect
      .poll(async () => (await rows.grid.boundingBox())?.y, 'rows are in view')
      .toBeLessThanOrEqual(sizes['at 200 percent'].height - 60);
  });
});
