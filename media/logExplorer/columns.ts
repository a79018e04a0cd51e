import type { Row } from '../../src/panels/logExplorer/messages';

/** How many rows are looked at for the width of a column. */
const sample = 200;

/** The longest text of a column that it is made wide enough for, in characters. */
const widest = 28;

/** Makes the columns as wide as what stands in them; they never become narrower while rows come. */
export function columnWidths(list: HTMLElement, rows: readonly Row[]): void {
  const newest = rows.slice(-sample);
  for (const column of ['time', 'workload'] as const) {
    const name = `--${column}-width`;
    const before = rows.length === 0 ? 0 : parseInt(list.style.getPropertyValue(name)) || 0;
    const longest = newest.reduce((most, row) => Math.max(most, row[column].length), before);
    list.style.setProperty(name, `${Math.min(longest, column === 'time' ? 40 : widest)}ch`);
  }
}
