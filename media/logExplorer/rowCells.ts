import type { ListLayout, LogRow } from '../../src/logs/explorer/protocol/view';
import { element, setAttribute, setText, showSeverity } from './dom';
import type { Find } from './find';
import type { Lines, ShownRow } from './lines';
import type { Strings } from './panel';

/** The classes of the cells of columns; those of other fields are `value`. */
const classes: Readonly<Record<string, string>> = {
  timestamp: 'time',
  severity: 'severity',
  workload: 'workload',
};

export function cellClass(field: string): string {
  return `cell ${Object.hasOwn(classes, field) ? (classes[field] ?? '') : 'value'}`;
}

/** Creates the empty cells of a row: one for each field, and the body. */
function cellsOf(fields: readonly string[]): HTMLElement[] {
  const cell = (className: string, ...children: Node[]): HTMLElement =>
    element('div', { class: className, attributes: { role: 'gridcell' } }, ...children);
  return [
    ...fields.map((field) => {
      const parts = field === 'timestamp' ? ['date', '', 'ago'] : [];
      return cell(cellClass(field), ...parts.map((part) => element('span', { class: part })));
    }),
    cell('cell body'),
  ];
}

/** How rows look. */
interface Look {
  readonly strings: Strings;
  readonly wrap: boolean;
  readonly fields: readonly string[];
  readonly time: ListLayout['time'];
  /** How long ago a time is, in milliseconds since 1970. */
  readonly ago: (at: number) => string;
  /** The matches of the find bar in a text, as pairs of start and end. */
  readonly matches: (text: string) => readonly (readonly [number, number])[];
}

/** Draws the rows of lines. */
interface Rows {
  /** The width of a relative time, in characters. */
  readonly agoWidth: number;
  setLook(look: Pick<Look, 'wrap' | 'fields' | 'time'>): void;
  /** Sets the time of the control plane's clock, in milliseconds since 1970. */
  setNow(serverNow: number): void;
  make(): HTMLElement;
  /** Shows a line in a row. */
  fill(row: HTMLElement, index: number): void;
  /** Updates relative times, and nothing else. */
  tick(drawn: Iterable<Element>): void;
}

/** @param find the matches that rows mark. */
export function createRows(strings: Strings, lines: Lines, find: Pick<Find, 'matches'>): Rows {
  const agoAt = createAgo(strings('language'));
  const clock = createServerClock(() => Date.now());
  const ago = (at: number): string => agoAt(at, clock.now());
  const matches: Look['matches'] = (text) => find.matches(text);
  let look: Look = { strings, matches, ago, wrap: false, fields: [], time: 'absolute' };
  /** The fields of the cells of each row. */
  const cells = new WeakMap<HTMLElement, readonly string[]>();
  return {
    agoWidth: Math.max(...[59, 3599, 86_399, 8_640_000].map((s) => agoAt(0, s * 1000).length)) + 1,
    setNow: (serverNow) => clock.set(serverNow),
    setLook(next) {
      // The cells stay if the fields are the same.
      const isSame = next.fields.join('\n') === look.fields.join('\n');
      look = { ...look, ...next, fields: isSame ? look.fields : next.fields };
    },
    make: () => element('div', { class: 'row', attributes: { role: 'row' } }),
    fill(row, index) {
      const line = lines.at(index);
      if (line === undefined) return;
      if (cells.get(row) !== look.fields) row.replaceChildren(...cellsOf(look.fields));
      cells.set(row, look.fields);
      row.id = `row-${lines.numberAt(index)}`;
      row.setAttribute('aria-rowindex', String(index + 2));
      const level = line.isInTrace ? '2' : '1';
      setAttribute(row, 'aria-level', lines.isGrouped ? level : undefined);
      const isOpen = line.isOpen === undefined ? undefined : String(line.isOpen);
      setAttribute(row, 'aria-expanded', isOpen);
      fillRow(row, line.row, look);
    },
    tick(drawn) {
      for (const row of drawn) {
        const line = row instanceof HTMLElement && lines.at(Number(row.dataset['index']));
        const cell = row.children[look.fields.indexOf('timestamp')];
        if (line && cell !== undefined) fillAgo(cell, line.row, look);
      }
    },
  };
}

/** Shows a record in a row with the cells of `look.fields`. Changes as little as possible, to avoid layout. */
function fillRow(row: HTMLElement, record: ShownRow, look: Look): void {
  for (const [index, field] of look.fields.entries()) {
    const cell = row.children[index];
    if (cell instanceof HTMLElement) fillCell(cell, field, record, look);
  }
  if (row.dataset['severity'] !== record.severity) row.dataset['severity'] = record.severity;
  const { text, at } = shownBody(record.body, look.wrap);
  const spans = record.spans?.map(([start, end, style]): Span => [at(start), at(end), style]);
  setMarkedText(row.lastElementChild, text, look, spans);
}

function fillCell(cell: HTMLElement, field: string, record: ShownRow, look: Look): void {
  switch (field) {
    case 'timestamp': {
      const [date, clock] = cell.children;
      const shown = look.time === 'relative' && record.at !== null ? '' : record.time;
      const split = shown.lastIndexOf(' ') + 1;
      setMarkedText(date, shown.slice(0, split), look);
      setMarkedText(clock, shown.slice(split), look);
      fillAgo(cell, record, look);
      setTooltip(cell, record.exactTime ?? record.time);
      return;
    }
    case 'severity': {
      const { severity, severityText = '' } = record;
      if (cell.dataset['shown'] === `${severity} ${severityText}`) return;
      cell.dataset['shown'] = `${severity} ${severityText}`;
      showSeverity(cell, record, look.strings);
      setTooltip(cell, severityText);
      return;
    }
    case 'workload':
      setMarkedText(cell, record.workload, look);
      return;
    default: {
      const value = record.values?.[field] ?? '';
      setMarkedText(cell, value, look);
      setTooltip(cell, value);
    }
  }
}

/** Shows how long ago a record was. */
function fillAgo(cell: Element, { at }: LogRow, look: Look): void {
  const ago = cell.lastElementChild;
  if (ago !== null) setText(ago, look.time === 'absolute' || at === null ? '' : look.ago(at));
}

function setTooltip(cell: HTMLElement, text: string): void {
  if (cell.title !== text) cell.title = text;
}

/** A piece of a text, from and to, and the classes that it is shown with. */
export type Span = readonly [start: number, end: number, style: string];

/**
 * Shows a text with its matches marked and its spans styled. Nodes that fit stay: new ones would cost
 * style and layout with each row that is scrolled into view.
 */
function setMarkedText(
  place: Element | null | undefined,
  text: string,
  { matches }: Look,
  spans: readonly Span[] = [],
): void {
  if (!place) return;
  const found = matches(text);
  const pieces =
    found.length + spans.length > 0
      ? piecesOf(text, found, spans)
      : [{ text, style: '', isFound: false }];
  for (const [index, piece] of pieces.entries()) {
    const there = place.childNodes[index] ?? null;
    const node = nodeOf(piece, there);
    if (node !== there) place.insertBefore(node, there);
  }
  while (place.childNodes.length > pieces.length) place.lastChild?.remove();
}

/** The node for a piece: `node` if it is of the same kind. */
function nodeOf({ text, style, isFound }: Piece, node: ChildNode | null): ChildNode {
  if (!isFound && style === '') {
    if (!(node instanceof Text)) return document.createTextNode(text);
    if (node.data !== text) node.data = text;
    return node;
  }
  const tag = isFound ? 'mark' : 'span';
  const inside = node?.firstChild;
  if (!(node instanceof HTMLElement && node.localName === tag && inside instanceof Text))
    return element(tag, { class: style, text });
  if (node.className !== style) node.className = style;
  if (inside.data !== text) inside.data = text;
  return node;
}

/** A piece of a text that looks the same all over. */
interface Piece {
  readonly text: string;
  readonly style: string;
  readonly isFound: boolean;
}

/**
 * Cuts a text wherever a match or a span begins or ends. Spans may overlap each other and the matches.
 *
 * @param found one after the other.
 */
export function piecesOf(
  text: string,
  found: readonly (readonly [number, number])[],
  spans: readonly Span[],
): readonly Piece[] {
  const ends = [...found, ...spans].flatMap(([start, end]) => [start, end]);
  const cuts = [...new Set([0, text.length, ...ends])]
    .filter((cut) => cut <= text.length)
    .sort((a, b) => a - b);
  const coming = [...spans].sort(([one], [other]) => one - other);
  let covering: Span[] = [];
  let next = 0;
  let match = 0;
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? 0;
    for (let span = coming[next]; span && span[0] <= start; span = coming[++next]) {
      covering.push(span);
    }
    covering = covering.filter(([, to]) => to > start);
    while ((found[match]?.[1] ?? Infinity) <= start) match++;
    return {
      text: text.slice(start, end),
      style: covering.map(([, , style]) => style).join(' '),
      isFound: (found[match]?.[0] ?? Infinity) <= start,
    };
  });
}

/** The maximum length of a body in the list, in characters; the details show all of it. */
const longestLine = 1000;
const longestBody = 4000;

interface ShownBody {
  readonly text: string;
  /** Maps an offset in the body to the text. */
  readonly at: (offset: number) => number;
}

/** The text of a body in the list. On one line, a sign marks its line breaks. */
export function shownBody(body: string, wrap: boolean): ShownBody {
  const longest = wrap ? longestBody : longestLine;
  const cut = body.length > longest ? `${body.slice(0, longest)}…` : body;
  const clipped = (offset: number): number => Math.min(offset, cut.length);
  if (wrap || !cut.includes('\n')) return { text: cut, at: clipped };
  const breaks = [...cut.matchAll(/\s*\n\s*/g)];
  const sign = ' ↵ ';
  return {
    text: cut.replaceAll(/\s*\n\s*/g, sign),
    at: (offset) =>
      breaks
        .filter(({ index, 0: found }) => index + found.length <= offset)
        .reduce((place, { 0: found }) => place - found.length + sign.length, clipped(offset)),
  };
}

/** The units of relative times in milliseconds, and how many of each make the next one. */
const units = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Infinity],
] as const;

/** Creates a function that says how long ago a time is, such as `5m ago`. Both are in milliseconds since 1970. */
export function createAgo(language: string): (at: number, now: number) => string {
  const format = new Intl.RelativeTimeFormat(language, { style: 'narrow' });
  return (at, now) => {
    const passed = now - at;
    for (const [unit, length, most] of units) {
      const count = Math.trunc(passed / length);
      // Zero would be in the future.
      if (Math.abs(count) < most) return format.format(-count || -0, unit);
    }
    return '';
  };
}

/** The clock of the control plane, which sets the times of records: the one here may be wrong. */
export function createServerClock(now: () => number): {
  readonly now: () => number;
  readonly set: (serverNow: number) => void;
} {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    set: (serverNow) => void (ahead = serverNow - now()),
  };
}
