import type { Row, RowSeverity } from '../../src/panels/logExplorer/messages';
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
  return row;
}

export interface Look {
  readonly words: Words;
  readonly wrap: boolean;
  /** Where a text has what is sought, as pairs of start and end. */
  readonly matches: (text: string) => readonly (readonly [number, number])[];
}

/** Makes a row show a record. */
export function fillRow(row: HTMLElement, record: Row, look: Look): void {
  const [time, severity, workload, body] = row.children;
  row.dataset['severity'] = record.severity;
  const clock = record.time.lastIndexOf(' ') + 1;
  const [date, rest] = [record.time.slice(0, clock), record.time.slice(clock)];
  time?.replaceChildren(
    element('span', { class: 'date' }, ...parts(date, look)),
    ...parts(rest, look),
  );
  severity?.replaceChildren(...severityParts(record.severity, look.words));
  setText(workload, record.workload, look);
  setText(body, shownBody(record.body, look.wrap), look);
}

function setText(cell: Element | undefined, text: string, look: Look): void {
  cell?.replaceChildren(...parts(text, look));
}

/** A text with marks on what is sought. */
function parts(text: string, { matches }: Look): (Node | string)[] {
  let at = 0;
  const all: (Node | string)[] = [];
  for (const [start, end] of matches(text)) {
    all.push(text.slice(at, start), element('mark', { text: text.slice(start, end) }));
    at = end;
  }
  all.push(text.slice(at));
  return all;
}
