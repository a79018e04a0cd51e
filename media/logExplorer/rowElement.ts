import type { Row, RowSeverity } from '../../src/logs/explorer/panel/messages';
import { element, icon } from './dom';
import { shownBody } from './shownBody';
import type { Words } from './words';

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
export function severityParts(severity: RowSeverity, words: Words): Node[] {
  return [icon(icons[severity]), document.createTextNode(words(`severity.${severity}`))];
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

export interface Look {
  readonly words: Words;
  readonly wrap: boolean;
  /** Where a text has what is sought, as pairs of start and end. */
  readonly matches: (text: string) => readonly (readonly [number, number])[];
}

/** Makes a row show a record. What is as it was is left alone: the browser lays out what changes. */
export function fillRow(row: HTMLElement, record: Row, look: Look): void {
  const [time, severity, workload, body] = row.children;
  const clock = record.time.lastIndexOf(' ') + 1;
  setText(time?.firstElementChild, record.time.slice(0, clock), look);
  setText(time?.lastElementChild, record.time.slice(clock), look);
  if (row.dataset['severity'] !== record.severity) {
    row.dataset['severity'] = record.severity;
    severity?.replaceChildren(...severityParts(record.severity, look.words));
  }
  setText(workload, record.workload, look);
  setText(body, shownBody(record.body, look.wrap), look);
}

/** Shows a text with marks on what is sought. */
function setText(place: Element | null | undefined, text: string, { matches }: Look): void {
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
