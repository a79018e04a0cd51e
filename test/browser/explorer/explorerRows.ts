import type { Locator } from 'playwright';
import { pageText } from './pageTexts';
import { eventually } from '../../host/eventually';
import { expect } from '../../host/expect';
import { inPage } from '../../host/pageFrame';
import type { ExplorerPlace } from './explorerParts';
import { scaled } from '../../host/slowness';

/**
 * The properties of an element in the page that are used; the tests are compiled without the DOM.
 */
interface PageElement {
  readonly scrollTop: number;
  matches(selector: string): boolean;
  closest(selector: string): PageElement | null;
  getRootNode(): { readonly host?: PageElement };
}

/** The list of the Log Explorer and the details of the selected record, as the user sees them. */
export interface ExplorerRows {
  readonly grid: Locator;
  readonly details: Locator;
  readonly selected: Locator;
  row(text: string | RegExp): Locator;
  press(...keys: string[]): Promise<void>;
  isSelected(text: string | RegExp): Promise<void>;
  /** Waits until a row is completely visible in the list. */
  isInView(text: string | RegExp): Promise<unknown>;
  /** Waits until an element, or a part of it, has the focus. */
  hasFocus(what: Locator): Promise<unknown>;
  /**
   * Waits until a menu of VS Code is gone and an element has the focus. VS Code sometimes returns the
   * focus only to its own frame around the page: it looks every 250 ms whether a page lost the focus, and
   * may do so before it knows of the menu. After a while, the page gets it as VS Code gives it.
   */
  isReturnedTo(what: Locator): Promise<void>;
  /** The number of records. */
  count(): Promise<number>;
  hasCount(records: number): Promise<unknown>;
  /** The scroll position of the list in pixels. */
  top(): Promise<number>;
  clipboard(): Promise<string>;
  /** Runs an action that copies, and waits until the copied text is right. */
  copies(action: () => Promise<unknown>, isRight: (text: string) => boolean): Promise<string>;
  /** Presses Tab until an element has the focus. */
  tabTo(what: Locator): Promise<void>;
}

/** Reads the place on access: it exists once its tests run. */
export function explorerRows(scene: ExplorerPlace): ExplorerRows {
  const clipboard = (): Promise<string> =>
    scene.page.evaluate<string>('navigator.clipboard.readText()');
  const isFocused = (what: Locator): Promise<boolean> =>
    what.evaluate((element: PageElement) => element.matches(':focus, :focus-within'));
  const focused = 'document.activeElement?.outerHTML.slice(0, 300)';
  /** Whether the focus is in the same toolbar. */
  const isBesideFocus = (what: Locator): Promise<boolean> =>
    what.evaluate((element: PageElement) =>
      // A button can be inside its component.
      Boolean(
        (element.getRootNode().host ?? element).closest('[role=toolbar]')?.matches(':focus-within'),
      ),
    );
  const rows: ExplorerRows = {
    get grid() {
      return scene.explorer.getByRole('grid', { name: pageText('listLabel') });
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
        `${String(text)} is visible`,
      ),
    hasFocus: (what) =>
      eventually(
        async () =>
          (await isFocused(what)) || [
            await scene.page.evaluate(focused),
            await inPage(scene, focused),
          ],
        (is) => is === true,
        'what has the focus, in the window and in the page',
      ),
    async isReturnedTo(what) {
      await scene.page.locator('.monaco-menu').waitFor({ state: 'detached' });
      const isReturned = expect.poll(() => isFocused(what), { timeout: scaled(2000) });
      await isReturned.toBe(true).catch(() => inPage(scene, 'window.focus()'));
      await rows.hasFocus(what);
    },
    count: async () => Number(await rows.grid.getAttribute('aria-rowcount')) - 1,
    hasCount: (records) =>
      eventually(
        () => rows.count(),
        (now) => now === records,
        'the number of records',
      ),
    top: () => rows.grid.evaluate((element: PageElement) => element.scrollTop),
    clipboard,
    async copies(action, isRight) {
      // So that an earlier copy does not count.
      await scene.page.evaluate("navigator.clipboard.writeText('nothing yet')");
      await action();
      return eventually(clipboard, isRight, 'what was copied');
    },
    async tabTo(what) {
      await what.waitFor();
      let wasBeside = false;
      for (let presses = 0; presses < 40; presses++) {
        if (await isFocused(what)) return;
        const isBeside = await isBesideFocus(what);
        // Within a toolbar, the arrow keys go on.
        await scene.page.keyboard.press(!isBeside ? 'Tab' : wasBeside ? 'ArrowRight' : 'Home');
        wasBeside = isBeside;
      }
      throw new Error(`Tab does not reach ${String(what)}.`);
    },
  };
  return rows;
}
