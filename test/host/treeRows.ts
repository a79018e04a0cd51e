import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright';
import { eventually } from './eventually';
import { scaled } from './slowness';
import { type View, viewTitle } from './titles';
import { view } from './workbench';

/** The properties of a row in the page that are used; the tests are compiled without the DOM. */
interface RowElement {
  getAttribute(name: string): string | null;
  querySelector(selector: string): { textContent: string } | null;
}

/** A row of a tree view, as shown. */
interface TreeRow {
  /** Its current index in the tree. */
  readonly index: number;
  /** 1 for a root. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined if it cannot be opened. */
  readonly isOpen: boolean | undefined;
  /** Whether it is open and its children are loaded: an open row has none until they come. */
  readonly hasChildren: boolean;
  /** Whether it stands for rows that are loading. */
  readonly isLoading: boolean;
}

/** The visible rows from the top; the page has them in any order. */
async function readTree(page: Page, name: View): Promise<readonly TreeRow[]> {
  const rows = await view(page, name)
    .getByRole('treeitem')
    .evaluateAll((elements: RowElement[]) =>
      elements.map((row): Omit<TreeRow, 'hasChildren'> => {
        const open = row.getAttribute('aria-expanded');
        return {
          index: Number(row.getAttribute('data-index')),
          level: Number(row.getAttribute('aria-level') ?? 1),
          label: row.querySelector('.label-name')?.textContent ?? '',
          description: row.querySelector('.label-description')?.textContent ?? '',
          isOpen: open === null ? undefined : open === 'true',
          isLoading: row.querySelector('.codicon-loading') !== null,
        };
      }),
    );
  return rows
    .sort((a, b) => a.index - b.index)
    .map((row, at) => ({ ...row, hasChildren: rows[at + 1]?.level === row.level + 1 }));
}

/** The visible rows of a tree view: indented labels with their descriptions. */
export async function treeRows(page: Page, name: View): Promise<string[]> {
  return (await readTree(page, name)).map(
    ({ level, label, description }) =>
      '  '.repeat(level - 1) + [label, description].filter(Boolean).join(' '),
  );
}

/**
 * Finds a row by the labels from a root down to it, and opens all rows above it by their arrows;
 * waits until the row is visible and nothing moves.
 */
export async function treeRowAt(page: Page, name: View, path: readonly string[]): Promise<Locator> {
  return rowElement(page, name, await reachRow(page, name, path));
}

/** Opens a row and all rows above it, and waits until its children are loaded. */
export async function openRow(page: Page, name: View, path: readonly string[]): Promise<void> {
  await open(page, name, path, await reachRow(page, name, path));
}

/** Finds a row, and opens the closed rows above it. */
async function reachRow(page: Page, name: View, path: readonly string[]): Promise<TreeRow> {
  for (;;) {
    const row = await waitForRow(page, name, path, () => true, true);
    if (row.level === path.length) return row;
    await open(page, name, path.slice(0, row.level), row);
  }
}

async function open(page: Page, name: View, path: readonly string[], row: TreeRow): Promise<void> {
  // A row that opens by itself at the same moment is closed by the click. One that has moved is not
  // there to be clicked: it is found again.
  const end = Date.now() + scaled(60_000);
  for (let at = row; at.isOpen !== undefined && !at.hasChildren;) {
    if (Date.now() > end) throw new Error(`${viewTitle(name)} does not open ${path.join(' › ')}`);
    const twistie = rowElement(page, name, at).locator('.monaco-tl-twistie');
    if (!at.isOpen) await twistie.click({ timeout: scaled(2000) }).catch(() => undefined);
    const late = Date.now() + 3000;
    const isDone = ({ hasChildren, isOpen }: TreeRow): boolean =>
      hasChildren || (isOpen === false && Date.now() > late);
    at = await waitForRow(page, name, path, isDone);
  }
}

function rowElement(page: Page, name: View, { index }: TreeRow): Locator {
  return view(page, name).locator(`.monaco-list-row[data-index="${index}"]`);
}

/** Waits for a row; with `orClosed`, or for a closed row above it. */
async function waitForRow(
  page: Page,
  name: View,
  path: readonly string[],
  isRight: (row: TreeRow) => boolean = () => true,
  orClosed = false,
): Promise<TreeRow> {
  let before: readonly TreeRow[] = [];
  const { row } = await eventually(
    async () => {
      const rows = await readTree(page, name);
      const [found, closed] = findRow(rows, path);
      // While rows are still loading, the row at a position may change at any moment.
      const isStill = isDeepStrictEqual(rows, before) && !rows.some(({ isLoading }) => isLoading);
      before = rows;
      return { row: found ?? (orClosed ? closed : undefined), isStill, rows };
    },
    ({ row: one, isStill }) => isStill && one !== undefined && isRight(one),
    `${viewTitle(name)} does not show ${path.join(' › ')} as expected`,
    20_000,
  );
  return row!;
}

/** The row at the end of a path, or the closed row on the way to it. */
function findRow(
  rows: readonly TreeRow[],
  path: readonly string[],
): [found: TreeRow | undefined, closed: TreeRow | undefined] {
  let from = 0;
  let found: TreeRow | undefined;
  for (const [depth, label] of path.entries()) {
    const end = rows.findIndex(({ level }, at) => at >= from && level <= depth);
    const among = rows.slice(from, end < 0 ? undefined : end);
    const at = among.findIndex((row) => row.level === depth + 1 && row.label === label);
    if (at < 0) return [undefined, found?.isOpen === false ? found : undefined];
    found = among[at];
    from += at + 1;
  }
  return [found, undefined];
}
