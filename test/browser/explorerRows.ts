import type { Locator } from 'playwright-core';
import { eventually } from './scene';
import type { ExplorerScene } from './explorerPage';

/** What is used of an element in the page; the tests are not compiled against the DOM. */
interface PageElement {
  readonly scrollTop: number;
  matches(selector: string): boolean;
}

/** The list of the Log Explorer and the details of the selected record, as a person meets them. */
export interface ExplorerRows {
  readonly grid: Locator;
  readonly details: Locator;
  readonly selected: Locator;
  row(text: string | RegExp): Locator;
  press(...keys: string[]): Promise<void>;
  isSelected(text: string | RegExp): Promise<void>;
  /** Waits until all of a row is within the list. */
  isInView(text: string | RegExp): Promise<unknown>;
  /** Waits until something, or a part of it, has the focus. */
  hasFocus(what: Locator): Promise<unknown>;
  /** How many records there are. */
  count(): Promise<number>;
  hasCount(records: number): Promise<unknown>;
  /** How far the list is scrolled, in pixels. */
  top(): Promise<number>;
  clipboard(): Promise<string>;
  /** Waits until this is what was copied, after an action that copies. */
  copies(action: () => Promise<unknown>, isRight: (text: string) => boolean): Promise<string>;
  /** Goes on by Tab until something has the focus. */
  tabTo(what: Locator): Promise<void>;
}

/** The scene is looked at when something is asked for: it is there once its tests run. */
export function explorerRows(scene: ExplorerScene): ExplorerRows {
  const clipboard = (): Promise<string> =>
    scene.page.evaluate<string>('navigator.clipboard.readText()');
  const isFocused = (what: Locator): Promise<boolean> =>
    what.evaluate((element: PageElement) => element.matches(':focus, :focus-within'));
  const rows: ExplorerRows = {
    get grid() {
      return scene.explorer.getByRole('grid', { name: 'Log Records' });
    },
    get details() {
      return scene.explorer.locator('.details');
    },
    get selected() {
      return rows.grid.locator('[role=row][aria-selected=true]');
    },
    row: (text) => rows.grid.getByRole('row').filter({ hasText: text }),
    async press(...keys) {
      for (const key of keys) await scene.page.keyboard.press(key);
    },
    isSelected: (text) => rows.selected.filter({ hasText: text }).waitFor(),
    isInView: (text) =>
      eventually(
        async () => [await rows.row(text).boundingBox(), await rows.grid.boundingBox()],
        ([box, frame]) =>
          !!box && !!frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height,
        `${String(text)} is in view`,
      ),
    hasFocus: (what) => eventually(() => isFocused(what), Boolean, 'it has no focus'),
    count: async () => Number(await rows.grid.getAttribute('aria-rowcount')) - 1,
    hasCount: (records) =>
      eventually(
        () => rows.count(),
        (now) => now === records,
        'so many records',
      ),
    top: () => rows.grid.evaluate((element: PageElement) => element.scrollTop),
    clipboard,
    async copies(action, isRight) {
      // What was copied before is not to be taken for it.
      await scene.page.evaluate("navigator.clipboard.writeText('nothing yet')");
      await action();
      return eventually(clipboard, isRight, 'what was copied');
    },
    async tabTo(what) {
      await what.waitFor();
      for (let presses = 0; presses < 40; presses++) {
        if (await isFocused(what)) return;
        await scene.page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${String(what)}.`);
    },
  };
  return rows;
}
