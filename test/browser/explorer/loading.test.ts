import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { inPage } from '../../host/pageFrame';
import { search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { eventually, expect } from '../scene';

describe('loading in the list of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  /** The number of the newest record; each has its number in its body. */
  let newest = 0;
  // 500 are loaded at first, and up to 1000 each time from then on.
  before(() => emit(2600));

  function emit(count: number): void {
    const numbers = Array.from({ length: count }, (_, index) => newest + index + 1);
    newest += count;
    scene.controlPlane.admin.emit(numbers.map((number) => ({ body: `record ${number}.` })));
  }
  /** Waits until there are as many as asked for up to the newest, each in its place: no gap, none twice. */
  async function has(count: number | ((count: number) => boolean)): Promise<void> {
    const isRight = typeof count === 'number' ? (now: number) => now === count : count;
    await eventually(() => rows.count(), isRight, 'how many records there are');
    const [total, shown] = await inPage<[number, [number, string][]]>(
      scene,
      `[document.querySelector('.list > .grid').ariaRowCount - 1,
        [...document.querySelectorAll('.list .rows > .row')].map((row) =>
          [Number(row.ariaRowIndex), row.querySelector('.body').textContent])]`,
    );
    assert.isNotEmpty(shown);
    for (const [index, body] of shown) assert.equal(body, `record ${newest - total + index - 1}.`);
  }
  async function begin(): Promise<void> {
    await search(scene, 'last:1h');
    await has(500);
  }
  const wheel = async (pixels: number): Promise<void> => {
    await rows.grid.hover();
    await scene.page.mouse.wheel(0, pixels);
  };
  const until = (action: () => Promise<unknown>, isIt: () => Promise<number>): Promise<unknown> =>
    eventually(
      async () => {
        await action();
        return isIt();
      },
      Boolean,
      'what the action leads to',
    );
  /** Goes by Tab from the list to the button at its end, once that is in view and can be used. */
  const tabTo = (name: string): Promise<unknown> =>
    eventually(
      async () => {
        await rows.grid.focus();
        // The headings of the columns come first.
        await rows.press('Tab', 'Tab');
        // It may have led out of the page.
        return scene
          .focused()
          .textContent({ timeout: 1000 })
          .catch(() => '');
      },
      (text) => text === name,
      'what Tab leads to',
    );
  const loadNewer = () => scene.end('newer');

  it('loads newer records by its button, by keys and by wheel, and older ones up to the start of the range, without gaps or repeats', async () => {
    await begin();
    emit(3);
    await tabTo(uiText('Load newer records'));
    await rows.press('Enter');
    await has(503);
    await rows.hasFocus(rows.grid);
    await loadNewer().waitFor();
    // The end of the list is a way to ask, too.
    emit(4);
    await rows.press('End');
    await has(507);
    emit(1);
    const end = await rows.top();
    await wheel(-300);
    // Two turns of the wheel within one frame would not scroll at all.
    await eventually(
      () => rows.top(),
      (top) => top < end,
      'the end is in view',
    );
    await wheel(4000);
    await has(508);
    await rows.press('End');
    await rows.isSelected(`record ${newest}.`);
    await rows.isInView(`record ${newest}.`);

    await until(
      () => wheel(-4000),
      async () => Number((await rows.count()) > 508),
    );
    await rows.grid.focus();
    await rows.press('Home');
    const selected = await rows.selected.innerText();
    await has((count) => count > 1500);
    await expect.poll(() => rows.selected.innerText(), 'the same row is selected').toBe(selected);
    await rows.isInView(selected.split('\n').at(-1)!);
    await until(
      () => rows.press('PageUp', 'PageUp', 'PageUp'),
      () => rows.grid.getByText(uiText('Start of the range'), { exact: true }).count(),
    );
    await has(newest);
    await rows.press('Home');
    await rows.isSelected('record 1.');
  });
});
