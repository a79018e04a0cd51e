import { assert } from 'chai';
import { covers } from '../../unit/covers';
import { inPage } from '../../host/pageFrame';
import { search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { expect, picture } from '../scene';

/** Bodies that would act, were they anything but text. */
const hostile = {
  body: '<img src=x onerror="document.title=1"><script>document.title=2</script> \u001b[31mred\u001b]8;;https://evil.example\u0007link \u202eabc [x](command:y)',
  attributes: JSON.parse(
    '{"__proto__":"own","<b>bold</b>":"</script><script>document.title=3</script>","id":"9007199254740993"}',
  ) as Record<string, string>,
};
const stack =
  'TypeError: no price\n    at total (/app/web-api/src/pricing.ts:12:9)\n    at main (/nowhere/else.js:1:1)';

describe('list of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  before(() => {
    scene.controlPlane.admin.emit([
      { severity: 'info', body: 'GET /coats \u001b[33m404\u001b[39m 9 ms' },
      {
        severity: 'info',
        body: JSON.stringify({ msg: 'order failed', order: 42, err: { stack } }),
      },
      { severity: 'error', body: stack },
      { severity: 'warn', ...hostile },
      { severity: 'fatal', body: 'out of memory' },
      { severity: 'info', body: 'the last one' },
    ]);
  });
  beforeEach(async () => {
    await search(scene, 'last:1h');
    await rows.isInView('the last one');
  });

  it(`shows terminal colors, and structured bodies by message and members, with links in their stack ${covers('F54', 'editor')}`, async () => {
    const { details, grid } = rows;
    await grid.focus();
    await rows.press('Home');
    const colored = rows.row('GET /coats 404').locator('.sgr-fg-3');
    await expect.poll(() => colored.innerText()).toBe('404');
    const colorOf = (selector: string): Promise<string> =>
      inPage(scene, `getComputedStyle(document.querySelector('${selector}')).color`);
    const usual = await colorOf('.grid');
    await expect.poll(() => colorOf('.sgr-fg-3')).not.toBe(usual);
    const row = rows.row('order failed');
    await expect.poll(() => row.locator('.dim').innerText()).toBe('  order=42');
    await row.click();
    const body = details.getByRole('group', { name: pageText('listBody') });
    await expect(body).toContainText('order failed  order=42');
    await expect(body).toContainText('at total');
    // As it came it is last, and closed.
    await expect(details.locator('.raw pre')).toBeHidden();
    await details.getByText(pageText('detailsRaw')).click();
    await expect(details.locator('.raw pre')).toContainText('"order": 42');
    await picture(scene, 'explorer-bodies');
  });

  it(`shows hostile bodies and attributes as text ${covers('F54, F55, F58, F59', 'editor')}`, async () => {
    const { details } = rows;
    await rows.row('document.title=2').click();
    await details.getByText('attr.__proto__').waitFor();
    const text = await details.innerText();
    for (const part of [
      '<img src=x onerror="document.title=1">',
      'attr.<b>bold</b>',
      '</script><script>document.title=3</script>',
      '9007199254740993',
    ]) {
      assert.include(text, part);
    }
    for (const sign of ['\u001b', '\u202e', '\u0007']) assert.notInclude(text, sign);
    await expect(scene.explorer.locator('#page img, #page script, #page b')).toHaveCount(0);
    const title = await scene.explorer.locator('head title').innerText();
    assert.equal(title, pageText('title'));
    await picture(scene, 'explorer-hostile');
  });
});
