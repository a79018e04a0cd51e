import { type CellLook, columnKind } from './columnKinds';
import { element, setAttribute } from './dom';
import type { Find } from './find';
import type { Lines, ShownRow } from './lines';
import type { Strings } from './panel';
import {
  createAgo,
  createServerClock,
  setMarkedText,
  shownBody,
  type CellSpan as StyledSpan,
} from './rowCells';

/** How rows look. */
interface RowLook extends CellLook {
  readonly wrap: boolean;
  readonly fields: readonly string[];
}

/** Draws the rows of lines. @param find the matches that rows mark. */
export function createRowDrawing(strings: Strings, lines: Lines, find: Pick<Find, 'matches'>) {
  const agoAt = createAgo(strings('language'));
  const clock = createServerClock(() => Date.now());
  let look: RowLook = {
    strings,
    matches: (text) => find.matches(text),
    ago: (at) => agoAt(at, clock.now()),
    wrap: false,
    fields: [],
    time: 'absolute',
  };
  /** The fields of the cells of each row. */
  const cells = new WeakMap<HTMLElement, readonly string[]>();
  return {
    /** The width of a relative time, in characters. */
    agoWidth: Math.max(...[59, 3599, 86_399, 8_640_000].map((s) => agoAt(0, s * 1000).length)) + 1,
    setNow: (serverNow: number): void => clock.set(serverNow),
    setLook(next: Pick<RowLook, 'wrap' | 'fields' | 'time'>): void {
      // The cells stay if the fields are the same.
      const isSame = next.fields.join('\n') === look.fields.join('\n');
      look = { ...look, ...next, fields: isSame ? look.fields : next.fields };
    },
    make: (): HTMLElement => element('div', { class: 'row', attributes: { role: 'row' } }),
    /** Shows a line in a row. */
    fill(row: HTMLElement, index: number): void {
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
    /** Updates what changes as time passes, and nothing else. */
    tick(drawn: Iterable<Element>): void {
      for (const row of drawn) {
        const line = row instanceof HTMLElement && lines.at(Number(row.dataset['index']));
        if (!line) continue;
        for (const [index, field] of look.fields.entries()) {
          const cell = row.children[index];
          if (cell !== undefined) columnKind(field).tick?.(cell, line.row, look);
        }
      }
    },
  };
}

/** Creates the empty cells of a row: one for each field, and the body. */
function cellsOf(fields: readonly string[]): HTMLElement[] {
  const cell = (className: string, parts: readonly string[] = []): HTMLElement =>
    element(
      'div',
      { class: `cell ${className}`, attributes: { role: 'gridcell' } },
      ...parts.map((part) => element('span', { class: part })),
    );
  const kinds = fields.map(columnKind);
  return [...kinds.map(({ className, parts }) => cell(className, parts)), cell('body')];
}

/** Shows a record in a row with the cells of `look.fields`. Changes as little as possible, to avoid layout. */
function fillRow(row: HTMLElement, record: ShownRow, look: RowLook): void {
  for (const [index, field] of look.fields.entries()) {
    const cell = row.children[index];
    if (cell instanceof HTMLElement) columnKind(field).show(cell, record, field, look);
  }
  if (row.dataset['severity'] !== record.severity) row.dataset['severity'] = record.severity;
  const { text, at } = shownBody(record.body, look.wrap);
  const spans = record.spans?.map(([start, end, style]): StyledSpan => [at(start), at(end), style]);
  setMarkedText(row.lastElementChild, text, look, spans);
}
