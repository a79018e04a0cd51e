import {
  type Column,
  columnWidth,
  type ListLayout,
  longestField,
  type LogRow,
  mostColumns,
} from '../../src/logs/explorer/protocol/view';

/** How the list shows records, for everything that shows or changes it. */
export class Layout {
  private readonly listeners: (() => void)[] = [];
  private current: ListLayout;

  constructor(
    first: ListLayout,
    private readonly save: (layout: ListLayout) => void,
  ) {
    this.current = first;
  }

  get now(): ListLayout {
    return this.current;
  }

  /** Shows and remembers another layout. */
  change(next: Partial<ListLayout>): void {
    this.preview(next);
    this.save(this.current);
  }

  /** Shows another layout until it is remembered by the next change. */
  preview(next: Partial<ListLayout>): void {
    this.take({ ...this.current, ...next });
  }

  take(next: ListLayout): void {
    this.current = next;
    for (const listener of this.listeners) listener();
  }

  /** @param listener called after each change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
}

type Columns = readonly Column[];

export function canBeColumn(field: string): boolean {
  // `…` stands for further attributes.
  return /^\w/.test(field) && field.length <= longestField;
}

/** Adds a column at the end, or removes it. Undefined if there are too many. */
export function withToggled(columns: Columns, field: string): Column[] | undefined {
  const others = columns.filter((one) => one.field !== field);
  if (others.length < columns.length) return others;
  return columns.length < mostColumns ? [...columns, { field }] : undefined;
}

/** Moves a column by one place; at an end it stays. */
export function withMoved(columns: Columns, field: string, by: 1 | -1): Column[] {
  const from = columns.findIndex((one) => one.field === field);
  const column = columns[from];
  const to = from + by;
  if (column === undefined || columns[to] === undefined) return [...columns];
  const others = columns.filter((one) => one !== column);
  return [...others.slice(0, to), column, ...others.slice(to)];
}

/** @param width in characters, limited to what is possible; undefined fits the column to its values. */
export function withWidth(columns: Columns, field: string, width: number | undefined): Column[] {
  const { least, most } = columnWidth;
  return columns.map((one) => {
    if (one.field !== field) return one;
    if (width === undefined) return { field };
    return { field, width: Math.max(least, Math.min(most, Math.round(width))) };
  });
}

/** The sizes of the list, with the largest width of each in the style sheet. */
export const sizes = ['wide', 'narrow', 'small', 'tiny'] as const;
export type Size = (typeof sizes)[number];

/** The widths of columns that fit their values, in characters. */
interface FittingWidths {
  /** Of a field; `clock`: of a time without its date, `ago`: of a relative time. */
  readonly of: (field: string) => number;
}

/** The number of rows that decide the width of a column. */
const sample = 200;
/** The width of values, of times and of times without a date, in characters. */
const values = { least: 6, most: 28 };
const times = { least: 12, most: 40 };
const clocks = { least: 12, most: 20 };

/** Fits columns to their values. They never become narrower while rows arrive. */
export function createFittingWidths(agoWidth: number): FittingWidths & {
  /** @param labelOf the heading of a field. */
  fit(rows: readonly LogRow[], fields: readonly string[], labelOf: (field: string) => string): void;
} {
  const widths = new Map<string, number>();
  return {
    of: (field) => (field === 'ago' ? agoWidth : (widths.get(field) ?? values.least)),
    fit(rows, fields, labelOf) {
      if (rows.length === 0) widths.clear();
      const newest = rows.slice(-sample);
      const take = (
        name: string,
        { least, most }: typeof values,
        text: (row: LogRow) => string,
      ): void => {
        const before = Math.max(widths.get(name) ?? 0, least);
        const longest = newest.reduce((all, row) => Math.max(all, text(row).length), before);
        widths.set(name, Math.min(longest, most));
      };
      for (const field of fields) {
        if (field === 'timestamp') {
          take(field, times, ({ time }) => time);
          take('clock', clocks, ({ time }) => time.slice(time.lastIndexOf(' ') + 1));
        } else if (field !== 'severity') {
          const least = Math.max(values.least, Math.min(labelOf(field).length, values.most));
          const text = (row: LogRow): string =>
            field === 'workload' ? row.workload : (row.values?.[field] ?? '');
          take(field, { ...values, least }, text);
        }
      }
    },
  };
}

/**
 * The columns of the grid of a row, as CSS. In a smaller list, columns take less space or none, and many
 * columns share what the body leaves, so that it is always seen.
 */
export function gridColumns(
  { columns, time, isByTrace }: ListLayout,
  fitting: FittingWidths,
  size: Size,
): string {
  const isSmall = size === 'small' || size === 'tiny';
  const timeWidth = (): number => {
    const absolute = time === 'relative' ? 0 : fitting.of(isSmall ? 'clock' : 'timestamp');
    const relative = time === 'absolute' ? 0 : fitting.of('ago') + (absolute === 0 ? 0 : 1);
    return absolute + relative;
  };
  // A character may be a little wider than the unit `ch`, which adds up.
  const fit = (characters: number): string => `${characters + 0.5}ch`;
  const others = { wide: values.most, narrow: 16, small: 14, tiny: 0 }[size];
  const tracks = columns.flatMap(({ field, width }) => {
    if (field === 'timestamp')
      return isSmall || width === undefined ? fit(timeWidth()) : `${width}ch`;
    if (field === 'severity') {
      return isSmall ? '14px' : width === undefined ? 'calc(7ch + 22px)' : `${width}ch`;
    }
    if (size === 'tiny') return [];
    const most = width === undefined ? fit(Math.min(fitting.of(field), others)) : `${width}ch`;
    return `minmax(0, ${most})`;
  });
  // The arrow of a trace is before its cells.
  return [...(isByTrace ? ['16px'] : []), ...tracks, 'minmax(min(30ch, 40%), 1fr)'].join(' ');
}

/** The texts of a row that can be found. */
export function textsOf(row: LogRow, { columns, time }: ListLayout): string[] {
  return [
    row.body,
    ...columns.map(({ field }) => {
      if (field === 'timestamp') return time === 'relative' ? '' : row.time;
      if (field === 'severity') return '';
      return field === 'workload' ? row.workload : (row.values?.[field] ?? '');
    }),
  ];
}
