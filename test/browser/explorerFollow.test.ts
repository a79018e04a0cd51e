import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { openExplorer, search, type ExplorerScene } from './explorerPage';
import { explorerRows, type ExplorerRows } from './explorerRows';
import { eventually } from './scene';
import { knownThings } from './trees';

describe('the Log Explorer follows its list, and finds in it, by mouse and by keyboard', () => {
  let scene: ExplorerScene;
  let rows: ExplorerRows;
  let newest = 0;
  before(async () => {
    scene = await openExplorer({ historyRecords: 0 }, (controlPlane) => ({
      settings: knownThings(controlPlane),
    }));
    rows = explorerRows(scene);
    emit(200);
  });
  after(() => scene.close());
  beforeEach(async () => {
    emit(1);
    await search(scene, 'last:1h');
    await rows.hasCount(newest);
    await isInView(newest);
  });

  function emit(count: number): void {
    const numbers = Array.from({ length: count }, (_, index) => newest + index + 1);
    newest += count;
    scene.controlPlane.admin.emit(
      numbers.map((number) => ({
        body: `record ${number}.`,
        severity: number === 80 || number === 90 ? 'error' : 'info',
      })),
    );
  }
  const record = (number: number): Locator => rows.row(`record ${number}.`);
  const isInView = (number: number): Promise<unknown> =>
    eventually(
      async () => [await record(number).boundingBox(), await rows.grid.boundingBox()],
      ([box, frame]) =>
        !!box && !!frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height,
      'it is in view',
    );
  const isNow = (state: string): Promise<void> =>
    scene.explorer.locator('.follow-state').filter({ hasText: state }).waitFor();
  const isNew = (count: number): Locator => rows.button(`${count} New`);
  const comes = async (): Promise<void> => {
    emit(1);
    await isInView(newest);
  };
  const isStopped = async (): Promise<void> => {
    await rows.button('Follow').waitFor();
    const count = await rows.count();
    emit(1);
    // What came to nobody is loaded where somebody asks.
    await rows.button('Load newer records').click();
    await rows.hasCount(count + 1);
  };

  it('has a heading for each column', async () => {
    const headings = await rows.grid.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(headings, ['Time', 'Severity', 'Workload', 'Body']);
  });

  it('finds text and errors by the buttons of the toolbar', async () => {
    await rows.grid.focus();
    await rows.press('End');
    for (const [name, number] of [
      ['Previous Error', 90],
      ['Previous Error', 80],
      ['Next Error', 90],
    ] as const) {
      await rows.button(name).click();
      await rows.isSelected(`record ${number}.`);
      await isInView(number);
    }
    const find = scene.explorer.getByRole('search', { name: 'Find in Loaded Records' });
    await rows.button('Find in Loaded Records').click();
    await rows.hasFocus(find.getByRole('textbox'));
    await scene.page.keyboard.type('RECORD 9');
    await find.getByText('2 of 11').waitFor();
    await rows.button('Next Match').click();
    await rows.isSelected('record 91.');
    await rows.button('Previous Match').click();
    await rows.isSelected('record 90.');
    await find.getByRole('switch', { name: 'Match Case' }).click();
    await find.getByText('No Results').waitFor();
    await find.getByRole('switch', { name: 'Match Case' }).click();
    await find.getByText('2 of 11').waitFor();
    await find.getByRole('button', { name: 'Close' }).click();
    await find.waitFor({ state: 'hidden' });
    await rows.hasFocus(rows.grid);
  });

  it('follows, pauses, shows what is new, resumes and stops by keyboard alone', async () => {
    await scene.bar.focus();
    await rows.tabTo(rows.button('Follow'));
    await rows.press('Enter');
    await isNow('live');
    await rows.hasFocus(rows.button('Pause'));
    await comes();
    await rows.tabTo(rows.grid);
    // The first selects the newest one.
    await rows.press('PageUp', 'PageUp');
    await isNow('paused');
    const before = await rows.selected.boundingBox();
    emit(2);
    await isNew(2).waitFor();
    assert.deepEqual(await rows.selected.boundingBox(), before, 'what is read stays where it is');
    await rows.tabTo(isNew(2));
    await rows.press('Enter');
    await isNow('live');
    await isInView(newest);
    await rows.hasFocus(rows.grid);
    await rows.hasCount(newest);
    await comes();
    await rows.press('PageUp');
    await isNow('paused');
    emit(1);
    await isNew(1).waitFor();
    await rows.press('End');
    await isNow('live');
    await isInView(newest);
    await comes();
    await eventually(
      async () => {
        await rows.press('Shift+Tab');
        return scene.focused().last().textContent();
      },
      (text) => text?.trim() === 'Stop',
      'Shift+Tab leads to it',
    );
    await rows.press('Enter');
    await rows.hasFocus(rows.button('Follow'));
    await isStopped();
  });

  it('follows, pauses, shows what is new, resumes and stops by mouse', async () => {
    const wheel = async (pixels: number): Promise<void> => {
      await rows.grid.hover();
      await scene.page.mouse.wheel(0, pixels);
    };
    await rows.button('Follow').click();
    await isNow('live');
    await comes();
    await rows.button('Pause').click();
    await isNow('paused');
    emit(2);
    await isNew(2).click();
    await isNow('live');
    await isInView(newest);
    await wheel(-300);
    await isNow('paused');
    emit(3);
    await isNew(3).waitFor();
    // All the way down is as good as the button.
    await wheel(4000);
    await isNow('live');
    await isInView(newest);
    await rows.hasCount(newest);
    await comes();
    await rows.button('Stop').click();
    await isStopped();
  });
});
