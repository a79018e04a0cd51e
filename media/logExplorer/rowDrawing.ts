import type { ListLayout, View } from '../../src/logs/explorer/protocol/view';
import { type CellLook, columnKind } from './columnKinds';
import { element, setAttribute } from './dom';
import { type Find, placesOf, textPattern } from './find';
import type { Lines, ShownRow } from './lines';
import type { Strings } from './panel';
import {
  createAgo,
  createServerClock,
  setMarkedText,
  shownBody,
  type CellSpan as StyledSpan,
} from './rowCells';
import type { Selection } from './selection';

/** How rows look. */
interface RowLook extends CellLook {
  readonly wrap: boolean;
  readonly fields: readonly string[];
  /** What was searched for, which bodies mark. */
  readonly searched: RegExp | undefined;
}

/** Draws the rows of lines. */
export class RowDrawing {
  /** The width of a relative time, in characters. */
  readonly agoWidth: number;
  private look: RowLook;
  /** The key of the record that is shown apart. */
  private focus: string | undefined;
  /** The keys of the records that are pinned. */
  private pinned: ReadonlySet<string> = new Set();
  /** The row whose body is scrolled sideways, and its id. */
  private shifted: { readonly row: HTMLElement; readonly id: string } | undefined;
  /** The fields of the cells of each row. */
  private readonly cells = new WeakMap<HTMLElement, readonly string[]>();
  private readonly clock = createServerClock(() => Date.now());

  /** @param find the matches that rows mark. */
  constructor(
    private readonly strings: Strings,
    private readonly lines: Lines,
    private readonly selection: Pick<Selection, 'index'>,
    find: Pick<Find, 'matches'>,
  ) {
    const agoAt = createAgo(strings('language'));
    const longest = [59, 3599, 86_399, 8_640_000].map((s) => agoAt(0, s * 1000).length);
    this.agoWidth = Math.max(...longest) + 1;
    this.look = {
      strings,
      matches: (text) => find.matches(text),
      ago: (at) => agoAt(at, this.clock.now()),
      wrap: false,
      fields: [],
      searched: undefined,
      time: 'absolute',
    };
  }

  /** Whether rows differ in height. */
  get wraps(): boolean {
    return this.look.wrap;
  }

  setView({ serverNow, focus, pins, searched }: View): void {
    this.clock.set(serverNow);
    this.focus = focus;
    this.pinned = new Set(pins);
    const pattern = searched === undefined ? undefined : textPattern(searched);
    this.look = { ...this.look, searched: pattern };
  }

  setLook({ columns, time }: Pick<ListLayout, 'columns' | 'time'>, wrap: boolean): void {
    const fields = columns.map(({ field }) => field);
    // The cells stay if the fields are the same.
    const isSame = fields.join('\n') === this.look.fields.join('\n');
    this.look = { ...this.look, wrap, time, fields: isSame ? this.look.fields : fields };
  }

  make(): HTMLElement {
    return element('div', { class: 'row', attributes: { role: 'row' } });
  }

  /** Shows a line in a row. */
  fill(row: HTMLElement, index: number): void {
    const { lines, look, cells } = this;
    const line = lines.at(index);
    if (line === undefined) return;
    if (cells.get(row) !== look.fields) row.replaceChildren(...cellsOf(look.fields));
    cells.set(row, look.fields);
    row.id = `row-${lines.numberAt(index)}`;
    row.setAttribute('aria-selected', String(index === this.selection.index));
    row.setAttribute('aria-rowindex', String(index + 2));
    const level = line.isInTrace ? '2' : '1';
    setAttribute(row, 'aria-level', lines.isGrouped ? level : undefined);
    const isOpen = line.isOpen === undefined ? undefined : String(line.isOpen);
    setAttribute(row, 'aria-expanded', isOpen);
    row.classList.toggle('in-focus', line.record.key === this.focus);
    const isPinned = this.pinned.has(line.record.key);
    row.classList.toggle('pinned', isPinned);
    setAttribute(row, 'aria-description', isPinned ? this.strings('pinned') : undefined);
    fillRow(row, line.row, look);
    const { shifted } = this;
    if (shifted?.row === row && (shifted.id !== row.id || matchIn(row) === null)) this.unshift();
  }

  /** Scrolls the body of a row sideways if what is found there is out of view. */
  showMatch(row: HTMLElement | undefined): void {
    this.unshift();
    const body = row?.lastElementChild;
    const match = row && matchIn(row)?.getBoundingClientRect();
    if (!row || !body || !match) return;
    const { left, right, width } = body.getBoundingClientRect();
    if (match.left >= left && match.right <= right) return;
    this.shifted = { row, id: row.id };
    row.classList.add('shifted');
    body.scrollLeft += match.left + match.width / 2 - left - width / 2;
  }

  /** Updates what changes as time passes, and nothing else. */
  tick(drawn: Iterable<Element>): void {
    const { lines, look } = this;
    for (const row of drawn) {
      const line = row instanceof HTMLElement && lines.at(Number(row.dataset['index']));
      if (!line) continue;
      for (const [index, field] of look.fields.entries()) {
        const cell = row.children[index];
        if (cell !== undefined) columnKind(field).tick?.(cell, line.row, look);
      }
    }
  }

  private unshift(): void {
    const { row } = this.shifted ?? {};
    this.shifted = undefined;
    row?.classList.remove('shifted');
    if (row?.lastElementChild) row.lastElementChild.scrollLeft = 0;
  }
}

function matchIn(row: HTMLElement): Element | null {
  return row.querySelector('.body mark');
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
  const { spans = [] } = record;
  const searched = look.searched === undefined ? [] : placesOf(look.searched, text);
  setMarkedText(row.lastElementChild, text, look, [
    ...spans.map(([start, end, style]): StyledSpan => [at(start), at(end), style]),
    ...searched.map(([start, end]): StyledSpan => [start, end, 'searched']),
  ]);
}
