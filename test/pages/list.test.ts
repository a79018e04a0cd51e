import { assert } from 'chai';
import type { Locator } from 'playwright';
import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { eventually } from '../host/eventually';
import { expect } from '../host/expect';
import { inPage } from '../host/pageFrame';
import { uiPattern } from '../host/texts';
import { covers } from '../unit/covers';
import { setExplorerPage } from './explorerScene';

const stack =
  'TypeError: no price\n    at total (/app/web-api/src/pricing.ts:12:9)\n    at main (/nowhere/else.js:1:1)';

describe('list of the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  beforeEach(async () => {
    scene.panel.find(
      ...Array.from({ length: 100 }, (_, index) => ({ body: `before ${index + 1}.` })),
      { severity: 'error', body: stack },
      { severity: 'warn', body: 'low on memory' },
      { severity: 'fatal', body: 'out of memory' },
      { body: 'the last one' },
    );
    await rows.isInView('the last one');
  });

  it('marks pinned rows, in words, too, and goes to one that is out of view', async () => {
    scene.panel.pin('low on memory', 'before 3.');
    const { grid, selected } = rows;
    const pinned = grid.locator('.row.pinned');
    await expect(pinned).toHaveCount(1);
    await expect(pinned).toHaveAttribute('aria-description', pageText('pinned'));
    await expect(pinned).toContainText('low on memory');
    scene.panel.select('before 3.');
    await rows.isSelected('before 3.');
    await expect(selected).toHaveClass(/pinned/);
    await rows.isInView('before 3.');
    scene.panel.pin();
    await expect(pinned).toHaveCount(0);
    await expect(selected).not.toHaveAttribute('aria-description', /./);
  });

  it('starts at its newest end and is read and used by keyboard', async () => {
    const { grid, selected } = rows;
    const headings = await grid.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(headings, [
      pageText('listTime'),
      pageText('listSeverity'),
      pageText('listWorkload'),
      pageText('listBody'),
    ]);
    await grid.focus();
    await rows.press('End');
    await rows.isSelected('the last one');
    await rows.press('ArrowUp');
    await rows.isSelected('out of memory');
    const id = (await selected.getAttribute('id')) ?? '';
    await expect(grid).toHaveAttribute('aria-activedescendant', id);
    const count = Number(await grid.getAttribute('aria-rowcount'));
    await expect(selected).toHaveAttribute('aria-rowindex', String(count - 1));
    await expect.poll(() => selected.innerText()).toMatch(/^\d{4}-.*\sout of memory$/s);
    await expect(selected.locator('.severity')).toHaveText(pageText('severity.fatal'));
    await rows.press('PageUp');
    await expect
      .poll(async () => Number(await selected.getAttribute('aria-rowindex')))
      .toBeLessThan(count - 2);
    await rows.press('End', 'Shift+F8', 'Shift+F8');
    await rows.isSelected('TypeError: no price');
    const height = async (): Promise<number> => (await selected.boundingBox())!.height;
    const low = await height();
    await rows.press('Alt+z');
    await eventually(height, (now) => now > 2 * low, 'it has three lines');
    await rows.press('Alt+z');
    await eventually(height, (now) => now === low, 'it has one');
    await rows.isSelected('TypeError: no price');
    await rows.press('F8');
    await rows.isSelected('out of memory');
  });

  it('finds errors and text, by keyboard and by buttons', async () => {
    const { explorer, page } = scene;
    await scene.button('toolbar.previousError').click();
    await rows.isSelected('out of memory');
    await scene.button('toolbar.previousError').click();
    await rows.isSelected('TypeError');
    await scene.button('toolbar.nextError').click();
    await rows.isSelected('out of memory');

    const find = explorer.getByRole('search', { name: pageText('findLabel') });
    await rows.grid.focus();
    await rows.press('Control+f');
    await rows.hasFocus(find.getByRole('textbox'));
    await page.keyboard.type('OUT OF MEM');
    await rows.isSelected('out of memory');
    await find.getByText(pageText('findCount', 1, 1)).waitFor();
    await rows.row('out of memory').locator('mark', { hasText: 'out of mem' }).waitFor();
    await page.keyboard.type('!');
    await find.getByText(pageText('findNone')).waitFor();
    await rows.press('Escape');
    await rows.hasFocus(rows.grid);
    await rows.grid.locator('mark').first().waitFor({ state: 'detached' });

    await scene.button('findLabel').click();
    await rows.hasFocus(find.getByRole('textbox'));
    // Its text is selected: Select All by a key is done late in a page, after what is typed next.
    await page.keyboard.type('BEFORE 9');
    const place = find.getByText(uiPattern('{0} of {1}', /^\d+/, /11$/));
    await place.waitFor();
    const current = async (): Promise<number> =>
      Number(/\d+/.exec((await place.textContent()) ?? '')?.[0]);
    const first = await current();
    const text = await rows.selected.innerText();
    await scene.button('findPrevious').click();
    await eventually(current, (now) => now !== first, 'another match');
    await expect.poll(() => rows.selected.innerText()).not.toBe(text);
    await scene.button('findNext').click();
    await eventually(current, (now) => now === first, 'the match of before');
    await find.getByRole('switch', { name: pageText('findMatchCase') }).click();
    await find.getByText(pageText('findNone')).waitFor();
    await find.getByRole('button', { name: pageText('findClose') }).click();
    await find.waitFor({ state: 'hidden' });
    await rows.hasFocus(rows.grid);
  });

  it('marks what was searched for, and what is found in it', async () => {
    scene.panel.show({ searched: 'MEM' });
    const marked = rows.grid.locator('.searched');
    await expect(marked).toHaveText(['mem', 'mem']);
    await rows.grid.focus();
    await rows.press('Control+f');
    await rows.hasFocus(scene.explorer.getByRole('textbox', { name: pageText('findLabel') }));
    await scene.page.keyboard.type('emo');
    const found = rows.row('out of memory').locator('mark');
    await expect(found).toHaveText(['em', 'o']);
    await expect(found.first()).toHaveClass('searched');
    scene.panel.show({ searched: 'of nothing' });
    await expect(marked).toHaveCount(0);
  });

  it('brings what is found out of view to the middle, also of a long line', async () => {
    const { explorer, page } = scene;
    const body = `${'far '.repeat(150)}needle ${'and on '.repeat(20)}`;
    scene.panel.find(
      ...Array.from({ length: 300 }, (_, index) => ({
        body: [100, 102].includes(index) ? body : `line ${index}.`,
      })),
    );
    await rows.isInView('line 299.');
    await rows.grid.focus();
    await rows.press('Control+f');
    const find = explorer.getByRole('search', { name: pageText('findLabel') });
    await rows.hasFocus(find.getByRole('textbox'));
    await page.keyboard.type('needle');
    const middleOf = async (what: Locator): Promise<{ x: number; y: number }> => {
      const { x, y, width, height } = (await what.boundingBox())!;
      return { x: x + width / 2, y: y + height / 2 };
    };
    const fromMiddle = async (): Promise<number> => {
      const [mark, body, grid] = await Promise.all([
        middleOf(rows.selected.locator('mark')),
        middleOf(rows.selected.locator('.body')),
        middleOf(rows.grid),
      ]);
      return Math.max(Math.abs(mark.x - body.x), Math.abs(mark.y - grid.y));
    };
    await eventually(fromMiddle, (distance) => distance < 40, 'how far it is from the middle');
    // The next one is in view, so nothing moves.
    const top = await rows.top();
    await rows.press('F3');
    await expect(rows.selected).toHaveAttribute('aria-rowindex', '104');
    await expect.poll(() => rows.top()).toBe(top);
    // A row that is used for another line begins where that begins.
    await rows.press('Escape', 'End');
    await rows.isInView('line 299.');
    await expect(rows.grid.locator('.shifted')).toHaveCount(0);
  });

  it('asks for no more records when Tab leaves it', async () => {
    const { panel } = scene;
    panel.find(...Array.from({ length: 500 }, (_, index) => ({ body: `line ${index}.` })));
    await rows.isInView('line 499.');
    panel.show({ older: { text: 'Load older records', canLoad: true } });
    await rows.grid.focus();
    await rows.press('PageUp', 'PageUp', 'Space');
    await rows.details.locator('pre').waitFor();
    await rows.press('PageUp', 'PageUp');
    await scene.end('older').waitFor();
    await scene.end('newer').waitFor();
    const requests = (): number => panel.of('older').length + panel.of('newer').length;
    const [before, top] = [requests(), await rows.top()];
    await rows.press('Tab');
    await rows.hasFocus(scene.button('listTime'));
    await expect.poll(() => rows.top()).toBe(top);
    await rows.press('Tab');
    await rows.hasFocus(scene.explorer.getByRole('separator'));
    await expect.poll(() => rows.top()).toBe(top);
    await rows.press('Shift+Tab', 'Shift+Tab');
    await expect(scene.focused()).toHaveAttribute('role', 'grid');
    assert.equal(requests(), before);
  });

  it('has the details beside or below it, with a splitter for keyboard and mouse', async () => {
    const { details } = rows;
    const splitter = scene.explorer.getByRole('separator');
    const size = async (): Promise<{ width: number; height: number }> =>
      (await details.boundingBox())!;
    const resize = (width: number, height: number): Promise<void> =>
      scene.page.setViewportSize({ width, height });
    await rows.row('the last one').locator('.body').click();
    await details.waitFor();
    await resize(1300, 800);
    const { width: before } = await eventually(size, (is) => is.height > 400, 'beside the list');
    await splitter.focus();
    await rows.press('ArrowLeft');
    await eventually(size, (is) => is.width > before, 'wider');
    await resize(700, 700);
    const { height: low } = await eventually(size, (is) => is.height < 400, 'below the list');
    const box = (await splitter.boundingBox())!;
    await scene.page.mouse.move(box.x + 50, box.y);
    await scene.page.mouse.down();
    await scene.page.mouse.move(box.x + 50, box.y - 40, { steps: 4 });
    await scene.page.mouse.up();
    await eventually(size, (is) => Math.abs(is.height - low - 40) < 6, 'it went with the mouse');
    await rows.isInView('the last one');
  });
});

/** Bodies that would act, were they anything but text. */
const hostile = {
  body: '<img src=x onerror="document.title=1"><script>document.title=2</script> \u001b[31mred\u001b]8;;https://evil.example\u0007link \u202eabc [x](command:y)',
  attributes: JSON.parse(
    '{"__proto__":"own","<b>bold</b>":"</script><script>document.title=3</script>","id":"9007199254740993"}',
  ) as Record<string, string>,
};

describe('bodies in the page of the Log Explorer', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);

  it(`show terminal colors, and what is structured by message and members, with its stack ${covers('F54', 'unit')}`, async () => {
    const { details } = rows;
    scene.panel.find(
      { body: 'GET /coats \u001b[33m404\u001b[39m 9 ms' },
      { body: JSON.stringify({ msg: 'order failed', order: 42, err: { stack } }) },
    );
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
  });

  it(`are text, like attributes, however hostile ${covers('F54, F55, F58, F59', 'unit')}`, async () => {
    const { details } = rows;
    scene.panel.find({ severity: 'warn', ...hostile });
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
    await expect(scene.page.locator('#page img, #page script, #page b')).toHaveCount(0);
    await expect(scene.page).toHaveTitle(pageText('title'));
  });
});

/** In the page: scrolls to rows of which none was drawn, and says what of the old ones is left. */
const scrollToOthers = `(async () => {
  const grid = document.querySelector('[role=grid]');
  const drawn = grid.querySelector('.rows');
  const height = drawn.querySelector('.row').offsetHeight;
  const texts = () => [...drawn.children].map((row) => row.lastElementChild.textContent);
  const scrollTo = async (row) => {
    const before = texts();
    grid.scrollTop = row * height;
    for (let frames = 0; frames < 600 && texts().some((text) => before.includes(text)); frames++) {
      await new Promise(requestAnimationFrame);
    }
  };
  await scrollTo(60);
  const [rows, before] = [[...drawn.children], texts()];
  let newNodes = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) newNodes += addedNodes.length;
  }).observe(drawn, { childList: true, subtree: true });
  await scrollTo(121); // of other severities and styles
  return {
    areOther: rows.length > 10 && !texts().some((text) => before.includes(text)),
    areInPlace: rows.every((row, index) => row === drawn.children[index]),
    newNodes,
  };
})()`;

describe('rows of the page of the Log Explorer', () => {
  const scene = setExplorerPage();

  it('keep their elements and places when others are scrolled into view', async () => {
    const severities = ['info', 'warn', 'debug'] as const;
    scene.panel.find(
      ...Array.from({ length: 200 }, (_, index) => ({
        severity: severities[index % 3] ?? 'info',
        body: `\u001b[${31 + (index % 6)}mstyled\u001b[39m ${index}.`,
      })),
    );
    await explorerRows(scene).isInView('styled 199.');
    const shown = await inPage(scene, scrollToOthers);
    assert.deepEqual(shown, { areOther: true, areInPlace: true, newNodes: 0 });
  });
});
