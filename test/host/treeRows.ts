import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { view } from './workbench';

/** What is used of a row in the page; the tests are not compiled against the DOM. */
interface RowElement {
  getAttribute(name: string): string | null;
  querySelector(selector: string): { textContent: string } | null;
}

/** A row of a tree view as it is drawn. */
interface TreeRow {
  /** Its place in the tree as it is open now. */
  readonly index: number;
  /** 1 for a root. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined where there is nothing to open. */
  readonly isOpen: boolean | undefined;
}

/** The rows in view, from the top; the page holds them in any order. */
async function readTree(page: Page, title: string): Promise<readonly TreeRow[]> {
  const rows = await view(page, title)
    .getByRole('treeitem')
    .evaluateAll((elements: RowElement[]) =>
      elements.map((row): TreeRow => {
        const open = row.getAttribute('aria-expanded');
        return {
          index: Number(row.getAttribute('data-index')),
          level: Number(row.getAttribute('aria-level') ?? 1),
          label: row.querySelector('.label-name')?.textContent ?? '',
          description: row.querySelector('.label-description')?.textContent ?? '',
          isOpen: open === null ? undefined : open === 'true',
        };
      }),
    );
  return rows.sort((one, other) => one.index - other.index);
}

/** The rows of a tree view in view: indented labels with their descriptions. */
export async function treeRows(page: Page, title: string): Promise<string[]> {
  return (await readTree(page, title)).map(
    ({ level, label, description }) =>
      '  '.repeat(level - 1) + [label, description].filter(Boolean).join(' '),
  );
}

/**
 * Finds a row by the labels from a root down to it, and opens all above it, as a click on the arrow of
 * each does; waits until it is there and nothing moves.
 */
export async function treeRowAt(
  page: Page,
  title: string,
  path: readonly string[],
): Promise<Locator> {
  for (let depth = 1; depth < path.length; depth++)
    await openRow(page, title, path.slice(0, depth));
  const { index } = await waitForRow(page, title, path);
  return view(page, title).locator(`.monaco-list-row[data-index="${index}"]`);
}

/** Opens a row and all above it, and waits until what is below it has come. */
export async function openRow(page: Page, title: string, path: readonly string[]): Promise<void> {
  const row = await treeRowAt(page, title, path);
  if ((await row.getAttribute('aria-expanded')) !== 'false') return;
  await row.locator('.monaco-tl-twistie').click();
  await waitForRow(page, title, path, ({ isOpen }) => isOpen === true);
}

/** Opens every row with one of these labels, from the top down, as far as they are there. */
export async function openRowsNamed(
  page: Page,
  title: string,
  labels: readonly string[],
): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const rows = await settledTree(page, title);
    const next = rows.find(({ label, isOpen }) => isOpen === false && labels.includes(label));
    if (next === undefined) return;
    const row = view(page, title).locator(`.monaco-list-row[data-index="${next.index}"]`);
    await row.locator('.monaco-tl-twistie').click();
  }
  throw new Error(`${title} still has rows to open:\n${(await treeRows(page, title)).join('\n')}`);
}

/** The rows in view once nothing is loading and nothing moves. */
async function settledTree(page: Page, title: string): Promise<readonly TreeRow[]> {
  let before: readonly TreeRow[] = [];
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const rows = await readTree(page, title);
    if (isDeepStrictEqual(rows, before) && !rows.some(isLoading)) return rows;
    before = rows;
    await page.waitForTimeout(100);
  }
  throw new Error(`${title} does not settle:\n${(await treeRows(page, title)).join('\n')}`);
}

async function waitForRow(
  page: Page,
  title: string,
  path: readonly string[],
  isRight: (row: TreeRow) => boolean = () => true,
): Promise<TreeRow> {
  let before: readonly TreeRow[] = [];
  for (const end = Date.now() + 20_000; ;) {
    const rows = await readTree(page, title);
    const found = findRow(rows, path);
    // What is found by its place may be somewhere else in a moment, where rows are still coming.
    const isStill = isDeepStrictEqual(rows, before) && !rows.some(isLoading);
    if (isStill && found !== undefined && isRight(found)) return found;
    if (Date.now() > end) {
      const text = (await treeRows(page, title)).join('\n');
      throw new Error(`${title} does not show ${path.join(' › ')} as wanted:\n${text}`);
    }
    before = rows;
    await page.waitForTimeout(100);
  }
}

function isLoading({ label }: TreeRow): boolean {
  return label === 'Loading…';
}

function findRow(rows: readonly TreeRow[], path: readonly string[]): TreeRow | undefined {
  let from = 0;
  let found: TreeRow | undefined;
  for (const [depth, label] of path.entries()) {
    const end = rows.findIndex(({ level }, at) => at >= from && level <= depth);
    const among = rows.slice(from, end < 0 ? undefined : end);
    const at = among.findIndex((row) => row.level === depth + 1 && row.label === label);
    if (at < 0) return undefined;
    found = among[at];
    from += at + 1;
  }
  return found;
}
