import type { LogRow, RowSeverity } from '../../src/logs/explorer/panel/messages';
import type { StringId } from '../../src/logs/explorer/ui/strings';
import { element, icon, setText } from './dom';
import type { Strings } from './strings';

/** An end of the list: what there is beyond it, which is a button where more can be loaded. */
interface ListEnd {
  readonly row: HTMLElement;
  show(text: string, canLoad: boolean): void;
  /** Whether Tab leads to the button. */
  setTabbable(isTabbable: boolean): void;
}

/** The elements of the list. */
interface ListFrame {
  readonly element: HTMLElement;
  /** What has the focus and scrolls. */
  readonly grid: HTMLElement;
  readonly header: HTMLElement;
  readonly older: ListEnd;
  readonly body: HTMLElement;
  readonly newer: ListEnd;
  /** What is said where there are no rows. */
  readonly empty: HTMLElement;
  /** Says how many new records there are while the list is paused; undefined while it is not. */
  showNew(newRecords: number | undefined): void;
}

/** A row of a grid with one cell over all columns. */
function listEnd(className: string, onLoad: () => void): ListEnd {
  const text = element('span');
  const button = element('button', { class: 'link', onClick: onLoad });
  button.tabIndex = -1;
  const cell = element(
    'div',
    { attributes: { role: 'gridcell', 'aria-colspan': '4' } },
    text,
    button,
  );
  const row = element('div', { class: `end ${className}`, attributes: { role: 'row' } }, cell);
  return {
    row,
    show(shown, canLoad) {
      // Who used the button goes on in the list.
      if (!canLoad && button === document.activeElement) row.parentElement?.focus();
      setText(text, canLoad ? '' : shown);
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

/** Makes the elements of the list. */
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
  // Who leaves the list by Tab is not to be taken to an end of it, where more would be loaded.
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
  // It lies over the list, and is not to stop the wheel.
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

/** The icon of each severity; its name and its colour go with it. */
const icons = {
  trace: 'circle-small',
  debug: 'debug-alt-small',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'flame',
  unknown: 'question',
} as const satisfies Record<RowSeverity, string>;

/** A severity as it is shown everywhere: icon, word and colour. */
export function severityParts(severity: RowSeverity, strings: Strings): Node[] {
  return [icon(icons[severity]), document.createTextNode(strings(`severity.${severity}`))];
}

/** Makes an empty row of the list. */
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
  /** Where a text has what is sought, as pairs of start and end. */
  readonly matches: (text: string) => readonly (readonly [number, number])[];
}

/** Makes a row show a record. What is as it was is left alone: the browser lays out what changes. */
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
  setMarkedText(body, shownBody(record.body, look.wrap), look);
}

/** Shows a text with marks on what is sought. */
function setMarkedText(place: Element | null | undefined, text: string, { matches }: Look): void {
  const found = matches(text);
  const only = place?.firstChild;
  if (found.length === 0 && only instanceof Text && only === place?.lastChild) {
    if (only.data !== text) only.data = text;
    return;
  }
  let at = 0;
  const all: (Node | string)[] = [];
  for (const [start, end] of found) {
    all.push(text.slice(at, start), element('mark', { text: text.slice(start, end) }));
    at = end;
  }
  all.push(text.slice(at));
  place?.replaceChildren(...all);
}

/** The longest text of a body in the list, in characters; the details have all of it. */
const longestLine = 1000;
const longestBody = 4000;

/** What the list shows of a body: on one line, it says where its lines end. */
export function shownBody(body: string, wrap: boolean): string {
  const longest = wrap ? longestBody : longestLine;
  const cut = body.length > longest ? `${body.slice(0, longest)}…` : body;
  return wrap ? cut : cut.replaceAll(/\s*\n\s*/g, ' ↵ ');
}

/**
 * Says how high a row of one line is: by one that is never seen, since fonts and their sizes are those
 * of the editor and change with it.
 *
 * @param onChange told whenever that is another height.
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

/** How many rows are looked at for the width of a column. */
const sample = 200;

interface Column {
  readonly name: string;
  readonly text: (row: LogRow) => string;
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

/** What VS Code decides by, which items the menu of a row has (`webview/context` in package.json). */
export function menuContext({ key, hasTrace, hasContext }: LogRow): Record<string, unknown> {
  return {
    webviewSection: 'controlPlaneRecord',
    recordKey: key,
    controlPlaneRecordHasTrace: hasTrace,
    controlPlaneRecordHasContext: hasContext,
  };
}
