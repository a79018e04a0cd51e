import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { inPage, openExplorer, search, searches, type ExplorerScene } from './explorerPage';
import { explorerRows, type ExplorerRows } from './explorerRows';
import { eventually } from './scene';
import { knownThings } from './trees';

const endpoint = 'post_logs_query';

describe('the list of the Log Explorer loads more, by mouse and by keyboard', () => {
  let scene: ExplorerScene;
  let rows: ExplorerRows;
  /** The number of the newest record; each has its number in its body. */
  let newest = 0;
  before(async () => {
    scene = await openExplorer({ historyRecords: 0 }, (controlPlane) => ({
      settings: knownThings(controlPlane),
    }));
    rows = explorerRows(scene);
    // 500 are loaded at first, and up to 1000 each time from then on.
    emit(2600);
  });
  after(() => scene.close());
  beforeEach(() => scene.controlPlane.admin.reset());

  function emit(count: number): void {
    const numbers = Array.from({ length: count }, (_, index) => newest + index + 1);
    newest += count;
    scene.controlPlane.admin.emit(numbers.map((number) => ({ body: `record ${number}.` })));
  }
  const record = (number: number): Locator => rows.row(`record ${number}.`);
  const text = (words: string): Locator => rows.grid.getByText(words, { exact: true });
  /** Waits until there are as many as asked for up to this one, each in its place: no gap, none twice. */
  async function has(count: number | ((count: number) => boolean), last = newest): Promise<void> {
    const isRight = typeof count === 'number' ? (now: number) => now === count : count;
    const [total, shown] = await eventually(
      () =>
        inPage<[number, [number, string][]]>(
          scene,
          `[document.querySelector('.list > .grid').ariaRowCount - 1,
            [...document.querySelectorAll('.list .rows > .row')].map((row) =>
              [Number(row.ariaRowIndex), row.querySelector('.body').textContent])]`,
        ),
      ([now]) => isRight(now),
      'so many records',
    );
    assert.isNotEmpty(shown);
    for (const [index, body] of shown) assert.equal(body, `record ${last - total + index - 1}.`);
  }
  /** Searches anew; one more record tells what was found from what was there before. */
  async function begin(): Promise<void> {
    emit(1);
    await search(scene, 'last:1h');
    await record(newest).waitFor();
    await has(500);
  }
  const wheel = async (pixels: number): Promise<void> => {
    await rows.grid.hover();
    await scene.page.mouse.wheel(0, pixels);
  };
  const isInView = (row: Locator): Promise<unknown> =>
    eventually(
      async () => [await row.boundingBox(), await rows.grid.boundingBox()],
      ([box, frame]) => !!box && !!frame && box.y + box.height <= frame.y + frame.height,
      'it is in view',
    );
  const untilStart = (action: () => Promise<unknown>): Promise<unknown> =>
    eventually(
      async () => {
        await action();
        return text('Start of the range').count();
      },
      Boolean,
      'the start',
    );

  it('loads what is older by the wheel, until the start of the range is said', async () => {
    await begin();
    await untilStart(() => wheel(-4000));
    await has(newest);
  });

  it('loads what is older by the keyboard, until the start of the range is said', async () => {
    await begin();
    await rows.grid.focus();
    await rows.press('Home');
    await has((count) => count > 500);
    await untilStart(() => rows.press('PageUp', 'PageUp', 'PageUp'));
    await has(newest);
    await rows.press('Home');
    await rows.isSelected('record 1.');
  });

  it('is left by Tab where it is, without loading anything', async () => {
    await begin();
    await rows.grid.focus();
    await rows.press('PageUp', 'PageUp', 'Space');
    await rows.details.locator('pre').waitFor();
    await rows.press('PageUp', 'PageUp');
    for (const end of ['older', 'newer']) await rows.button(`Load ${end} records`).waitFor();
    const [asked, top] = [searches(scene).length, await rows.top()];
    await rows.press('Tab');
    await rows.hasFocus(scene.explorer.getByRole('separator', { name: 'Size of the Details' }));
    assert.equal(await rows.top(), top);
    await rows.press('Shift+Tab');
    await eventually(
      () => scene.focused().getAttribute('role'),
      (role) => role === 'grid',
      'the list',
    );
    assert.lengthOf(searches(scene), asked);
    await rows.press('Escape');
    await rows.details.waitFor({ state: 'hidden' });
  });

  it('tries again by its button where what is older could not be loaded', async () => {
    const failure = scene.explorer.getByRole('alert').filter({ hasText: 'odd request' });
    const fails = (): void =>
      scene.controlPlane.admin.fault({
        kind: 'status',
        status: 400,
        message: 'odd request',
        endpoint,
      });
    await begin();
    fails();
    await eventually(
      async () => {
        await wheel(-4000);
        return failure.count();
      },
      Boolean,
      'it has failed',
    );
    await has(500);
    fails();
    await rows.button('Load older records').click();
    await eventually(
      () => Promise.resolve(scene.controlPlane.admin.pendingFaults()),
      (count) => count === 0,
      'it was tried',
    );
    await failure.waitFor();
    await rows.button('Load older records').waitFor();
    await rows.grid.focus();
    await rows.press('Tab');
    await rows.hasFocus(rows.button('Load older records'));
    await rows.press('Enter');
    await has(1500);
    await rows.hasFocus(rows.grid);
  });

  it('loads what is newer by its button and by keys, without a gap or a repeat', async () => {
    const loadNewer = rows.button('Load newer records');
    await begin();
    emit(3);
    await loadNewer.click();
    await has(503);
    await rows.hasFocus(rows.grid);
    await loadNewer.waitFor();
    // Who comes to the end asks with that; so slowly that the button is seen to be gone meanwhile.
    scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 1500, endpoint });
    emit(4);
    await rows.press('End');
    await loadNewer.waitFor({ state: 'hidden' });
    await has(507);
    await loadNewer.waitFor();
    scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 1500, endpoint });
    await rows.press('End');
    await rows.isSelected(`record ${newest}.`);
    await loadNewer.waitFor({ state: 'hidden' });
    await loadNewer.waitFor();
    emit(2);
    await rows.press('Tab');
    await rows.hasFocus(loadNewer);
    await rows.press('Enter');
    await has(509);
    await rows.hasFocus(rows.grid);
    await loadNewer.waitFor();
    emit(1);
    await wheel(-300);
    await wheel(4000);
    await has(510);
    await wheel(4000);
    await isInView(record(newest));
  });

  /** Pages with two records each: three at once, and one that does not come while anybody waits. */
  function littleComes(): void {
    scene.controlPlane.admin.fault({ kind: 'sparse', records: 2, times: 3, endpoint });
    scene.controlPlane.admin.fault({ kind: 'sparse', records: 2, latencyMs: 60_000, endpoint });
  }
  const progress = (words: string): Promise<void> =>
    scene.explorer.locator('.progress').filter({ hasText: words }).waitFor();
  const reachTop = (): Promise<unknown> =>
    eventually(
      async () => {
        await wheel(-4000);
        return rows.top();
      },
      (top) => top === 0,
      'the top',
    );
  const [little, cancelled] = [
    'Little was found over many pages. Load more',
    'Loading was cancelled. Load more',
  ];

  it('goes on over near-empty pages for a while, then when asked; cancelled by mouse', async () => {
    scene.controlPlane.admin.fault({ kind: 'sparse', records: 2, times: 60, endpoint });
    await search(scene, 'last:1h');
    await rows.button(little).waitFor();
    await has(100);
    scene.controlPlane.admin.reset();
    littleComes();
    // Who only looks there has not asked: the button stays.
    await reachTop();
    await rows.button(little).click();
    await progress('6 records from 3 pages…');
    await rows.button('Cancel').click();
    await rows.button(cancelled).waitFor();
    await has(106);
    await reachTop();
    await rows.button(cancelled).click();
    await has(1106);
  });

  it('keeps what came over near-empty pages where it is cancelled by keyboard', async () => {
    littleComes();
    await scene.bar.fill('last:1h');
    await scene.bar.press('Enter');
    await progress('6 records from 3 pages…');
    await rows.tabTo(rows.button('Cancel'));
    await rows.press('Enter');
    await has(6);
    await rows.tabTo(rows.grid);
    await rows.tabTo(rows.button(cancelled));
    await rows.press('Enter');
    await has(1006);
    await rows.hasFocus(rows.grid);
  });
});
