import type { LogRow, RowSeverity, View } from '../../src/logs/explorer/panel/view';
import type { StringId } from '../../src/logs/explorer/ui/strings';
import { element, icon, setText } from './dom';
import type { Strings } from './panel';

/** An end of the list: a text, or a button if more can be loaded. */
interface ListEnd {
  readonly row: HTMLElement;
  show(end: View['older'], canLoad: boolean): void;
  /** Sets whether Tab moves to the button. */
  setTabbable(isTabbable: boolean): void;
}

/** The elements of the list. */
interface ListFrame {
  readonly element: HTMLElement;
  /** The element that has the focus and scrolls. */
  readonly grid: HTMLElement;
  readonly header: HTMLElement;
  readonly older: ListEnd;
  readonly body: HTMLElement;
  readonly newer: ListEnd;
  /** The text if there are no rows. */
  readonly empty: HTMLElement;
  /** Shows the number of new records during a pause; undefined if not paused. */
  showNew(newRecords: number | undefined): void;
}

/** Creates a row with one cell over all columns. */
function listEnd(className: string, onLoad: () => void): ListEnd {
  const text = element('span');
  const spinner = icon('loading codicon-modifier-spin');
  const button = element('button', { class: 'link', onClick: onLoad });
  button.tabIndex = -1;
  const cell = element(
    'div',
    { attributes: { role: 'gridcell', 'aria-colspan': '4' } },
    spinner,
    text,
    button,
  );
  const row = element('div', { class: `end ${className}`, attributes: { role: 'row' } }, cell);
  return {
    row,
    show({ text: shown, isLoading = false }, canLoad) {
      // When the button disappears, the focus moves to the list.
      if (!canLoad && button === document.activeElement) row.parentElement?.focus();
      setText(text, canLoad ? '' : shown);
      spinner.hidden = !isLoading;
      setText(button, canLoad ? shown : '');
      button.hidden = !canLoad;
      row.hidden = shown === '';
    },
    setTabbable(isTabbable) {
      button.tabIndex = isTabbable ? 0 : -1;
    },
  };
}

interface ListFrameActions {
  readonly load: (end: 'older' | 'newer') => void;
  readonly resume: () => void;
}

/** Creates the elements of the list. */
export function listFrame(strings: Strings, actions: ListFrameActions): ListFrame {
  const columns = ['Time', 'Severity', 'Workload', 'Body'] as const;
  const header = element(
    'div',
    { class: 'row header', attributes: { role: 'row', 'aria-rowindex': '1' } },
    ...columns.map((name) =>
      element('div', {
        class: `cell ${name.toLowerCase()}`,
        text: strings(`list${name}` satisfies StringId),
        attributes: { role: 'columnheader' },
      }),
    ),
  );
  const older = listEnd('older', () => actions.load('older'));
  const newer = listEnd('newer', () => actions.load('newer'));
  const body = element('div', { class: 'rows', attributes: { role: 'rowgroup' } });
  const grid = element(
    'div',
    {
      class: 'grid',
      attributes: {
        role: 'grid',
        tabindex: '0',
        'aria-label': strings('listLabel'),
        'aria-keyshortcuts': 'Enter Space F8 Shift+F8 Control+F Control+C Alt+Z Alt+ArrowLeft',
      },
    },
    header,
    older.row,
    body,
    newer.row,
  );
  // Tab must not scroll to an end of the list, which would load more.
  const ends = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        (target === older.row ? older : newer).setTabbable(isIntersecting);
      }
    },
    { root: grid },
  );
  for (const { row } of [older, newer]) ends.observe(row);
  const empty = element('p', { class: 'empty' });
  const resume = element('button', { class: 'go-on', onClick: actions.resume });
  // The button covers the list and must not stop the wheel.
  resume.addEventListener('wheel', ({ deltaY }) => grid.scrollBy({ top: deltaY }), {
    passive: true,
  });
  const list = element('div', { class: 'list' }, grid, empty, resume);
  return {
    element: list,
    grid,
    header,
    older,
    body,
    newer,
    empty,
    showNew(newRecords) {
      resume.hidden = newRecords === undefined;
      if (newRecords === undefined) return;
      const label = newRecords === 0 ? strings('resume') : strings('newRecords', newRecords);
      resume.replaceChildren(icon('arrow-down'), label);
    },
  };
}

/** The icons of the severities. */
const icons = {
  trace: 'circle-small',
  debug: 'debug-alt-small',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'flame',
  unknown: 'question',
} as const satisfies Record<RowSeverity, string>;

export function severityIcon(severity: RowSeverity): HTMLElement {
  return icon(icons[severity]);
}

/** The icon and the name of a severity. */
export function severityParts(severity: RowSeverity, strings: Strings): Node[] {
  return [severityIcon(severity), document.createTextNode(strings(`severity.${severity}`))];
}

/** Creates an empty row. */
export function makeRow(): HTMLElement {
  const row = element('div', { class: 'row', attributes: { role: 'row' } });
  for (const name of ['time', 'severity', 'workload', 'body']) {
    row.append(element('div', { class: `cell ${name}`, attributes: { role: 'gridcell' } }));
  }
  row.firstElementChild?.append(element('span', { class: 'date' }), element('span'));
  return row;
}

interface Look {
  readonly strings: Strings;
  readonly wrap: boolean;
  /** The matches of the find bar in a text, as pairs of start and end. */
  readonly matches: (text: string) => readonly (readonly [number, number])[];
}

/** Shows a record in a row. Changes as little as possible, to avoid layout. */
export function fillRow(row: HTMLElement, record: LogRow, look: Look): void {
  const [time, severity, workload, body] = row.children;
  const clock = record.time.lastIndexOf(' ') + 1;
  setMarkedText(time?.firstElementChild, record.time.slice(0, clock), look);
  setMarkedText(time?.lastElementChild, record.time.slice(clock), look);
  if (row.dataset['severity'] !== record.severity) {
    row.dataset['severity'] = record.severity;
    severity?.replaceChildren(...severityParts(record.severity, look.strings));
  }
  setMarkedText(workload, record.workload, look);
  const { text, at } = shownBody(record.body, look.wrap);
  const spans = record.spans?.map(([start, end, style]): Span => [at(start), at(end), style]);
  setMarkedText(body, text, look, spans);
}

/** A piece of a text, from and to, and the classes that it is shown with. */
type Span = readonly [start: number, end: number, style: string];

/** Shows a text with its matches marked and its spans styled. */
function setMarkedText(
  place: Element | null | undefined,
  text: string,
  { matches }: Look,
  spans: readonly Span[] = [],
): void {
  const found = matches(text);
  const only = place?.firstChild;
  if (found.length + spans.length === 0 && only instanceof Text && only === place?.lastChild) {
    if (only.data !== text) only.data = text;
    return;
  }
  place?.replaceChildren(...piecesOf(text, found, spans));
}

/** The nodes of a text: marks and spans may overlap, so it is cut wherever one begins or ends. */
export function piecesOf(
  text: string,
  found: readonly (readonly [number, number])[],
  spans: readonly Span[],
): (Node | string)[] {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of [...found, ...spans]) cuts.add(start).add(end);
  const order = [...cuts].filter((cut) => cut <= text.length).sort((a, b) => a - b);
  return order.slice(1).map((end, index) => {
    const start = order[index] ?? 0;
    const covers = ([from, to]: readonly [number, number, ...unknown[]]): boolean =>
      from <= start && to >= end;
    const piece = text.slice(start, end);
    const classes = spans.filter(covers).map(([, , style]) => style);
    const isFound = found.some(covers);
    if (!isFound && classes.length === 0) return piece;
    return element(isFound ? 'mark' : 'span', { class: classes.join(' '), text: piece });
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

/**
 * Measures the height of a row of one line with an invisible row, since the font is that of the editor and
 * can change.
 *
 * @param onChange called when the height changes.
 */
export function probeRowHeight(
  parent: HTMLElement,
  onChange: () => void,
): { readonly height: number } {
  let height = 22;
  const probe = makeRow();
  probe.classList.add('probe');
  probe.setAttribute('aria-hidden', 'true');
  for (const cell of probe.children) cell.textContent = 'M';
  parent.append(probe);
  new ResizeObserver(() => {
    const { offsetHeight } = probe;
    if (offsetHeight === 0 || offsetHeight === height) return;
    height = offsetHeight;
    onChange();
  }).observe(probe);
  return {
    get height() {
      return height;
    },
  };
}

/** The number of rows that decide the width of a column. */
const sample = 200;

interface Column {
  readonly name: string;
  readonly text: (row: LogRow) => string;
  /** The minimum and maximum width, in characters. */
  readonly least: number;
  readonly most: number;
}

/** The columns whose width depends on their texts. */
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

/** Fits the columns to their texts. They never become narrower while rows arrive. */
export function columnWidths(list: HTMLElement, rows: readonly LogRow[]): void {
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

/** The context that decides which items the menu of a row has (`webview/context` in package.json). */
export function menuContext({ key, hasTrace, hasContext }: LogRow): Record<string, unknown> {
  return {
    webviewSection: 'controlPlaneRecord',
    recordKey: key,
    controlPlaneRecordHasTrace: hasTrace,
    controlPlaneRecordHasContext: hasContext,
  };
}
