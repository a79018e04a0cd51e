import type { Row } from '../../src/panels/logExplorer/messages';

/** How many rows are looked at for the width of a column. */
const sample = 200;

/** What is measured, and the longest text that there is room for, in characters. */
const columns: readonly (readonly [name: string, text: (row: Row) => string, widest: number])[] = [
  ['time', ({ time }) => time, 40],
  ['clock', ({ time }) => time.slice(time.lastIndexOf(' ') + 1), 20],
  ['workload', ({ workload }) => workload, 28],
];

/** Makes the columns as wide as what stands in them; they never become narrower while rows come. */
export function columnWidths(list: HTMLElement, rows: readonly Row[]): void {
  const newest = rows.slice(-sample);
  for (const [column, text, widest] of columns) {
    const name = `--${column}-width`;
    const before = rows.length === 0 ? 0 : parseInt(list.style.getPropertyValue(name)) || 0;
    const longest = newest.reduce((most, row) => Math.max(most, text(row).length), before);
    list.style.setProperty(name, `${Math.min(longest, widest)}ch`);
  }
}
