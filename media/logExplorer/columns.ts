import type { Row } from '../../src/logs/explorer/panel/messages';

/** How many rows are looked at for the width of a column. */
const sample = 200;

interface Column {
  readonly name: string;
  readonly text: (row: Row) => string;
  /** In characters: there is room for the heading at least, and for no longer text than this. */
  readonly least: number;
  readonly most: number;
}

/** What is measured. */
const columns: readonly Column[] = [
  { name: 'time', text: ({ time }) => time, least: 12, most: 40 },
  {
    name: 'clock',
    text: ({ time }) => time.slice(time.lastIndexOf(' ') + 1),
    least: 12,
    most: 20,
  },
  { name: 'workload', text: ({ workload }) => workload, least: 10, most: 28 },
];

/** Makes the columns as wide as what stands in them; they never become narrower while rows come. */
export function columnWidths(list: HTMLElement, rows: readonly Row[]): void {
  const newest = rows.slice(-sample);
  for (const { name, text, least, most } of columns) {
    const property = `--${name}-width`;
    const before = rows.length === 0 ? 0 : parseInt(list.style.getPropertyValue(property)) || 0;
    const longest = newest.reduce(
      (widest, row) => Math.max(widest, text(row).length),
      Math.max(before, least),
    );
    list.style.setProperty(property, `${Math.min(longest, most)}ch`);
  }
}
