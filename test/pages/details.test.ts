import { assert } from 'chai';
import {
  detailedRecords,
  explorerDetails,
  json,
  traceId,
} from '../browser/explorer/explorerDetails';
import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { expect } from '../host/expect';
import { inPage } from '../host/pageFrame';
import { setExplorerPage } from './explorerScene';

describe('details of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  const { inDetails, click, enter } = explorerDetails(scene, rows);
  beforeEach(async () => {
    const deploymentId = '11111111-1d2e-4f30-9b4c-5d6e7f809102';
    scene.panel.find(...detailedRecords.map((parts) => ({ ...parts, deploymentId })));
    await rows.row('the last one').waitFor();
  });

  const hasBody = (text: string): Promise<void> =>
    rows.details.locator('pre').first().filter({ hasText: text }).waitFor();

  it('open, follow the selected row, and close', async () => {
    const { details, grid } = rows;
    await click('the first one');
    await hasBody('the first one');
    await inDetails('detailsClose').click();
    await details.waitFor({ state: 'hidden' });
    await rows.hasFocus(grid);
    await rows.press('End', 'Space');
    await hasBody('the last one');
    await rows.hasFocus(grid);
    await rows.press('Home');
    await hasBody('the first one');
    await rows.press('Escape');
    await details.waitFor({ state: 'hidden' });
    await rows.press('Enter');
    await rows.hasFocus(details);
    await rows.press('Escape');
    await rows.hasFocus(grid);
  });

  it('show a readable body, fields and attributes as tables, and offer only possible actions', async () => {
    const { details } = rows;
    const actions = async (): Promise<(string | null)[]> => {
      const buttons = await details.getByRole('toolbar').getByRole('button').all();
      return Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    };
    const [trace, context] = [pageText('detailsTrace'), pageText('detailsContext')];
    const shown = (['detailsStatement', 'detailsDeployment', 'detailsResource'] as const).map(
      (id) => pageText(id),
    );
    const copied = [pageText('detailsCopyJson'), pageText('detailsCopyLine')];
    const placed = [pageText('detailsPin'), pageText('detailsCopyLink')];
    await enter('statusCode');
    const attributes = details.getByRole('grid', { name: pageText('detailsAttributes') });
    const fields = details.getByRole('grid', { name: pageText('detailsFields') });
    await attributes.getByRole('row', { name: /^attr\.user 42/ }).waitFor();
    await attributes.getByRole('row', { name: /^attr\.path \/api\/orders/ }).waitFor();
    await fields.getByRole('row', { name: /^severity info/ }).waitFor();
    await expect(fields.getByRole('row', { name: /^trace/ })).toHaveCount(0);
    await expect.poll(actions).toEqual([context, ...shown, ...placed, ...copied]);
    // Where it comes from is first.
    const first = details.locator('.content > *').first();
    await expect(first.getByRole('term')).toHaveText('Deployment');
    await expect(first.getByRole('definition')).toHaveText('1111111 · 2 hr. ago');
    // As a person reads it; as it came it is last, and closed until it is opened, for all records.
    await hasBody('request completed');
    const raw = details.locator('.raw pre');
    await expect(raw).toBeHidden();
    await rows.tabTo(details.getByText(pageText('detailsRaw')));
    await rows.press('Enter');
    await expect(raw).toBeVisible();
    await expect(raw).toHaveText(JSON.stringify(JSON.parse(json), null, 2));
    await click('TypeError');
    await fields.getByRole('row', { name: `trace ${traceId}` }).waitFor();
    await expect.poll(actions).toEqual([trace, context, ...shown, ...placed, ...copied]);
    await rows.row('the first one [truncated]').click();
    await details.locator('.body').getByText('[truncated]').waitFor();
    await expect.poll(actions).toEqual([...shown, ...copied]);
  });

  it('keep the button that closes them in view, however long the words of the others are', async () => {
    await click('TypeError');
    await rows.details.locator('.main .name').first().waitFor();
    await inPage(
      scene,
      `for (const name of document.querySelectorAll('.details .main .name'))
        name.textContent = 'long words '.repeat(4)`,
    );
    await expect(inDetails('detailsClose')).toBeInViewport({ ratio: 1 });
    await inDetails('detailsClose').click();
    await rows.details.waitFor({ state: 'hidden' });
  });

  it('lead to the trace and back by keyboard, whose keys belong to the text where one is typed', async () => {
    const { bar, button, page, panel } = scene;
    await enter('TypeError');
    await rows.tabTo(inDetails('detailsTrace'));
    await rows.press('Enter');
    await expect.poll(() => panel.of('trace')).toHaveLength(1);
    panel.show({ canGoBack: true });
    await button('toolbar.back').waitFor();
    await bar.focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await rows.grid.focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => panel.of('back')).toHaveLength(1);
  });

  it('add a value to the query and exclude it', async () => {
    const { details } = rows;
    await scene.search('last:1h');
    await click('statusCode');
    await details.getByRole('row', { name: /^attr\.user/ }).hover();
    await scene.ran(() => inDetails('detailsOnly', 'attr.user 42').click());
    await scene.becomes('attr.user=42 last:1h');

    await scene.search('last:1h');
    await enter('TypeError');
    await rows.tabTo(details.getByRole('grid', { name: pageText('detailsFields') }));
    await rows.press('ArrowDown', 'ArrowRight');
    await rows.hasFocus(inDetails('detailsExclude', 'severity error'));
    const less = await scene.ran(() => rows.press('Enter'));
    assert.equal(less, 'severity:trace,debug,info,warn,fatal,unknown last:1h');
  });
});
