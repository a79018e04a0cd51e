import type { ListLayout, LogRow, rowFields } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { setText, severityName, showSeverity } from './dom';
import type { ShownRow } from './lines';
import type { Strings } from './panel';
import { type Matches, setMarkedText } from './rowCells';

/** How cells look. */
export interface CellLook {
  readonly strings: Strings;
  readonly time: ListLayout['time'];
  /** How long ago a time is, in milliseconds since 1970. */
  readonly ago: (at: number) => string;
  readonly matches: Matches;
}

/** The sizes of the list, with the largest width of each in the style sheet. */
export const sizes = ['wide', 'narrow', 'small', 'tiny'] as const;
export type Size = (typeof sizes)[number];

/** What decides how much space a column takes. Widths are in characters. */
interface ColumnSpace {
  readonly size: Size;
  readonly time: ListLayout['time'];
  /** The width that the user chose; undefined: it fits its values. */
  readonly width: number | undefined;
  /** The widths of its fitting texts, in their order. */
  readonly fitted: readonly number[];
  /** The width of a relative time. */
  readonly agoWidth: number;
}

/** A text of each row that a column has to fit, and the limits of its width, in characters. */
interface FittingText {
  readonly least: number;
  readonly most: number;
  readonly of: (row: LogRow, strings: Strings) => string;
}

/** Everything in which columns differ. Some kinds show many fields, so they get the field. */
interface ColumnKind {
  /** The text of its heading; undefined: the name of the field. */
  readonly heading?: StringId;
  /** The class of its cells. */
  readonly className: string;
  /** The classes of the elements in a cell. */
  readonly parts?: readonly string[];
  /** @param heading the text of its heading. */
  fittingTexts(field: string, heading: string): readonly FittingText[];
  /** Its track in the grid of a row, as CSS; undefined: there is no space for it. */
  track(space: ColumnSpace): string | undefined;
  /** What can be found in a cell. */
  searchedText(row: LogRow, field: string, time: ListLayout['time']): string;
  /** Shows a row in a cell. Changes as little as possible, to avoid layout. */
  show(cell: HTMLElement, row: ShownRow, field: string, look: CellLook): void;
  /** Updates what changes as time passes. */
  tick?(cell: Element, row: ShownRow, look: CellLook): void;
}

/** A character may be a little wider than the unit `ch`, which adds up. */
const fit = (characters: number): string => `${characters + 0.5}ch`;

const isSmall = (size: Size): boolean => size === 'small' || size === 'tiny';

function setTooltip(cell: HTMLElement, text: string): void {
  if (cell.title !== text) cell.title = text;
}

/** In a small list, a time has no date. */
const timestamp = {
  heading: 'listTime',
  className: 'time',
  parts: ['date', '', 'ago'],
  fittingTexts: () => [
    { least: 12, most: 40, of: ({ time }) => time },
    { least: 12, most: 20, of: ({ time }) => time.slice(time.lastIndexOf(' ') + 1) },
  ],
  track({ size, time, width, fitted: [whole = 0, clock = 0], agoWidth }) {
    if (!isSmall(size) && width !== undefined) return `${width}ch`;
    const absolute = time === 'relative' ? 0 : isSmall(size) ? clock : whole;
    const relative = time === 'absolute' ? 0 : agoWidth + (absolute === 0 ? 0 : 1);
    return fit(absolute + relative);
  },
  searchedText: (row, _, time) => (time === 'relative' ? '' : row.time),
  show(cell, row, _, look) {
    const [date, clock] = cell.children;
    const shown = look.time === 'relative' && row.at !== null ? '' : row.time;
    const split = shown.lastIndexOf(' ') + 1;
    setMarkedText(date, shown.slice(0, split), look);
    setMarkedText(clock, shown.slice(split), look);
    timestamp.tick(cell, row, look);
    setTooltip(cell, row.exactTime ?? row.time);
  },
  tick({ lastElementChild: ago }, { at }, look) {
    if (ago !== null) setText(ago, look.time === 'absolute' || at === null ? '' : look.ago(at));
  },
} satisfies ColumnKind;

/** An icon and a word; in a small list, only the icon. */
const severity: ColumnKind = {
  heading: 'listSeverity',
  className: 'severity',
  fittingTexts: () => [
    {
      least: 7,
      most: 24,
      of: severityName,
    },
  ],
  track({ size, width, fitted: [fitted = 7] }) {
    if (isSmall(size)) return '14px';
    return width === undefined ? `calc(${fitted}ch + 22px)` : `${width}ch`;
  },
  searchedText: () => '',
  show(cell, row, _, { strings }) {
    const { severityText = '', stream = '' } = row;
    const shown = `${row.severity} ${severityText} ${stream}`;
    if (cell.dataset['shown'] === shown) return;
    cell.dataset['shown'] = shown;
    showSeverity(cell, row, strings);
    setTooltip(cell, stream === '' ? severityText : severityName(row, strings));
  },
};

/** The width of values that fit, in characters. */
const values = { least: 6, most: 28 };

/** The value of any other field. Many share what the body leaves, so that it is always seen. */
const value: ColumnKind = {
  className: 'value',
  fittingTexts: (field, heading) => [
    {
      least: Math.max(values.least, Math.min(heading.length, values.most)),
      most: values.most,
      of: (row) => row.values?.[field] ?? '',
    },
  ],
  track({ size, width, fitted: [fitted = values.least] }) {
    if (size === 'tiny') return undefined;
    const most = { wide: values.most, narrow: 16, small: 14 }[size];
    return `minmax(0, ${width === undefined ? fit(Math.min(fitted, most)) : `${width}ch`})`;
  },
  searchedText: (row, field) => row.values?.[field] ?? '',
  show(cell, row, field, look) {
    const text = row.values?.[field] ?? '';
    setMarkedText(cell, text, look);
    setTooltip(cell, text);
  },
};

/** Takes the space of a value, and every row has it. */
const workload: ColumnKind = {
  ...value,
  heading: 'listWorkload',
  className: 'workload',
  fittingTexts: (field, heading) =>
    value.fittingTexts(field, heading).map((limits) => ({ ...limits, of: (row) => row.workload })),
  searchedText: (row) => row.workload,
  show: (cell, row, _, look) => setMarkedText(cell, row.workload, look),
};

/** By their fields. Each that every row has is of a kind of its own. */
type Kinds = Readonly<Record<string, ColumnKind> & Record<(typeof rowFields)[number], ColumnKind>>;
const kinds: Kinds = { timestamp, severity, workload };
const byField: ReadonlyMap<string, ColumnKind> = new Map(Object.entries(kinds));

/** The kind of the column of a field. */
export function columnKind(field: string): ColumnKind {
  return byField.get(field) ?? value;
}
