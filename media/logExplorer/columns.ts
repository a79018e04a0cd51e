import {
  type Column,
  columnWidth,
  type ListLayout,
  longestField,
  type LogRow,
  mostColumns,
} from '../../src/logs/explorer/protocol/view';
import { columnKind, type Size } from './columnKinds';
import type { Strings } from './panel';

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
    this.apply({ ...this.current, ...next });
  }

  apply(next: ListLayout): void {
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

/** The widths of columns that fit their values, in characters. */
interface FittingWidths {
  /** Of the fitting texts of a field. */
  readonly of: (field: string) => readonly number[];
  /** Of a relative time. */
  readonly agoWidth: number;
}

/** The number of rows that decide the width of a column. */
const sample = 200;

/** Fits columns to their values. They never become narrower while rows arrive. */
export function createFittingWidths(
  agoWidth: number,
  strings: Strings,
): FittingWidths & {
  /** @param labelOf the heading of a field. */
  fit(rows: readonly LogRow[], fields: readonly string[], labelOf: (field: string) => string): void;
} {
  const widths = new Map<string, readonly number[]>();
  return {
    agoWidth,
    of: (field) => widths.get(field) ?? [],
    fit(rows, fields, labelOf) {
      if (rows.length === 0) widths.clear();
      const newest = rows.slice(-sample);
      for (const field of fields) {
        const before = widths.get(field);
        const texts = columnKind(field).fittingTexts(field, labelOf(field));
        const fitted = texts.map(({ least, most, of }, index) => {
          const start = Math.max(before?.[index] ?? 0, least);
          return Math.min(
            newest.reduce((all, row) => Math.max(all, of(row, strings).length), start),
            most,
          );
        });
        widths.set(field, fitted);
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
  { of, agoWidth }: FittingWidths,
  size: Size,
): string {
  const tracks = columns.flatMap(
    ({ field, width }) =>
      columnKind(field).track({ size, time, width, fitted: of(field), agoWidth }) ?? [],
  );
  // The arrow of a trace is before its cells.
  return [...(isByTrace ? ['16px'] : []), ...tracks, 'minmax(min(30ch, 40%), 1fr)'].join(' ');
}

/** The texts of a row that can be found. */
export function textsOf(row: LogRow, { columns, time }: ListLayout): string[] {
  return [
    row.body,
    ...columns.map(({ field }) => columnKind(field).searchedText(row, field, time)),
  ];
}
