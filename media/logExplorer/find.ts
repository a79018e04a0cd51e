import { html, type TemplateResult } from 'lit';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/vscode-textfield.js';
import type { LogRow } from '../../src/logs/explorer/protocol/view';
import type { RowStore } from './lines';
import { PagePart } from './pagePart';
import type { Strings } from './panel';
import { toolbarButtonTemplate } from './templates';

interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

/** Finds text in the loaded rows, in pieces, so that typing does not wait. */
export class Find {
  private asked: FindQuery = { text: '', matchCase: false };
  private pattern: RegExp | undefined;
  /** The numbers of the rows. */
  private found = new Set<number>();
  /** Rows that match a shorter text. */
  private candidates: number[] = [];
  /** The numbers of rows that were not checked yet: from the first up to, excluding, the second. */
  private ranges: [number, number][] = [];
  /** The numbers of the rows at the last update. */
  private known: [number, number];
  private updates: number;

  /** @param textsOf the texts of a row that are searched. */
  constructor(
    private readonly store: Pick<RowStore, 'rows' | 'first' | 'updates'>,
    private readonly textsOf: (row: LogRow) => readonly string[],
  ) {
    this.known = this.numbers();
    ({ updates: this.updates } = store);
  }

  get query(): FindQuery {
    return this.asked;
  }

  /** The number of rows found so far. */
  get count(): number {
    return this.found.size;
  }

  /** Whether all rows were checked. */
  get isDone(): boolean {
    return this.candidates.length === 0 && this.ranges.length === 0;
  }

  seek(next: FindQuery): void {
    const { text, matchCase } = this.asked;
    const narrower =
      this.pattern !== undefined && next.text.includes(text) && (next.matchCase || !matchCase);
    const before = [...this.candidates, ...this.found];
    this.asked = next;
    this.pattern = next.text === '' ? undefined : textPattern(next.text, next.matchCase);
    if (!narrower) {
      this.startAgain();
      return;
    }
    // A row that does not contain the shorter text does not contain the longer one.
    this.found = new Set();
    this.candidates = before;
  }

  /** Rows came, went or changed. */
  update(): void {
    const [oldFirst, oldEnd] = this.known;
    const [first, last] = this.numbers();
    if (last <= oldFirst || first >= oldEnd || this.updates !== this.store.updates) {
      this.startAgain();
      return;
    }
    this.known = [first, last];
    if (this.pattern === undefined) return;
    if (first < oldFirst) this.ranges.push([first, oldFirst]);
    if (last > oldEnd) this.ranges.push([oldEnd, last]);
    if (first > oldFirst) {
      for (const number of this.found) if (number < first) this.found.delete(number);
    }
  }

  /** Other texts of rows are searched. */
  startAgain(): void {
    ({ updates: this.updates } = this.store);
    this.found = new Set();
    this.candidates = [];
    this.known = this.numbers();
    this.ranges = this.pattern === undefined ? [] : [[...this.known]];
  }

  /** Checks rows until all are checked or `isEnough` returns true, which is called every 256 rows. */
  work(isEnough: () => boolean): void {
    for (;;) {
      for (let piece = 0; piece < 256; piece++) {
        const candidate = this.candidates.pop();
        const range = this.ranges[0];
        if (candidate !== undefined) this.test(candidate);
        else if (range === undefined) return;
        else if (range[0] < range[1]) this.test(range[0]++);
        else this.ranges.shift();
      }
      if (isEnough()) return;
    }
  }

  /** The index of the next found row, wrapping around; -1 if there is none. */
  next(from: number, direction: 1 | -1): number {
    const { first, rows } = this.store;
    const { length } = rows;
    if (this.found.size === 0) return -1;
    const start = from < 0 && direction === -1 ? length : from;
    for (let step = 1; step <= length; step++) {
      const place = (start + step * direction + 2 * length) % length;
      if (this.found.has(first + place)) return place;
    }
    return -1;
  }

  /** The number of found rows at or before this one. */
  rank(index: number): number {
    let rank = 0;
    for (const number of this.found) if (number <= this.store.first + index) rank++;
    return rank;
  }

  /** The matches in a text, as pairs of start and end. */
  matches(text: string): (readonly [number, number])[] {
    return this.pattern === undefined ? [] : placesOf(this.pattern, text);
  }

  private numbers(): [number, number] {
    return [this.store.first, this.store.first + this.store.rows.length];
  }

  private test(number: number): void {
    const { pattern } = this;
    const row = this.store.rows[number - this.store.first];
    if (row === undefined || pattern === undefined) return;
    const isFound = this.textsOf(row).some((text) => {
      pattern.lastIndex = 0;
      return pattern.test(text);
    });
    if (isFound) this.found.add(number);
  }
}

/** Finds a text everywhere. */
export function textPattern(text: string, matchCase = false): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(escaped, matchCase ? 'g' : 'gi');
}

/** Where a pattern is found in a text, as pairs of start and end. */
export function placesOf(pattern: RegExp, text: string): [start: number, end: number][] {
  pattern.lastIndex = 0;
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => [index, index + match.length]);
}

interface FindBarHost {
  /** The index of the row to start from. */
  readonly from: () => number;
  /** Shows a found row. */
  readonly goTo: (index: number) => void;
  /** The query changed: rows mark its matches. */
  readonly onChange: () => void;
  /** The user closed it. */
  readonly onClose: () => void;
}

/** How long finding may block the page at a time, in milliseconds. */
const pause = 8;

/** The find bar for the loaded rows. */
export class FindBar extends PagePart {
  /** What the user typed, also while the bar is closed. */
  private typed: FindQuery = { text: '', matchCase: false };
  /** Whether the first match has not been shown yet. */
  private seeks = false;
  private isWorking = false;

  constructor(
    private readonly strings: Strings,
    private readonly find: Find,
    private readonly host: FindBarHost,
  ) {
    super();
    this.className = 'find';
    this.role = 'search';
    this.ariaLabel = strings('findLabel');
    this.hidden = true;
    this.addEventListener('keydown', (event) => this.press(event));
  }

  get isOpen(): boolean {
    return !this.hidden;
  }

  open(): void {
    this.hidden = false;
    this.select();
    if (this.typed.text !== '') this.seek({});
  }

  close(): void {
    this.hidden = true;
    this.find.seek({ text: '', matchCase: false });
    this.host.onChange();
    this.host.onClose();
  }

  step(direction: 1 | -1): void {
    this.goTo(this.find.next(this.host.from(), direction));
    this.requestUpdate();
  }

  /** Rows came, went or changed. */
  rowsChanged(): void {
    this.find.update();
    if (this.isOpen) this.work();
  }

  protected override willUpdate(): void {
    const { isDone, count, query } = this.find;
    this.classList.toggle('none', isDone && count === 0 && query.text !== '');
  }

  protected override render(): TemplateResult {
    const { strings, typed } = this;
    const type = (): void => this.seek({ text: this.input?.value ?? '' });
    const toggle = (): void => this.seek({ matchCase: !typed.matchCase });
    return html`<vscode-textfield
        .label=${strings('findLabel')}
        placeholder=${strings('findLabel')}
        @input=${type}
      ></vscode-textfield>
      <vscode-toolbar-button
        toggleable
        icon="case-sensitive"
        label=${strings('findMatchCase')}
        title=${strings('findMatchCase')}
        @change=${toggle}
      ></vscode-toolbar-button>
      <span class="count" role="status">${this.count()}</span>
      ${toolbarButtonTemplate('arrow-up', strings('findPrevious'), () => this.step(-1))}
      ${toolbarButtonTemplate('arrow-down', strings('findNext'), () => this.step(1))}
      ${toolbarButtonTemplate('close', strings('findClose'), () => this.close())}`;
  }

  private get input(): VscodeTextfield | null {
    return this.querySelector('vscode-textfield');
  }

  private count(): string {
    const { find, strings } = this;
    const { count, isDone, query } = find;
    if (query.text === '') return '';
    if (count === 0) return strings(isDone ? 'findNone' : 'findWorking');
    const rank = Math.max(find.rank(this.host.from()), 1);
    return `${strings('findCount', rank, count)}${isDone ? '' : '…'}`;
  }

  private seek(changed: Partial<FindQuery>): void {
    this.typed = { ...this.typed, ...changed };
    this.find.seek(this.typed);
    this.seeks = this.typed.text !== '';
    this.host.onChange();
    this.work();
  }

  private work(): void {
    if (this.isWorking) return;
    this.isWorking = true;
    this.workAPiece();
  }

  private workAPiece(): void {
    const { find } = this;
    const end = performance.now() + pause;
    find.work(() => performance.now() > end);
    this.isWorking = !find.isDone;
    if (this.seeks && (find.isDone || find.count > 0)) {
      this.seeks = false;
      // The selected row stays if it matches.
      this.goTo(find.next(this.host.from() - 1, 1));
    }
    this.requestUpdate();
    if (this.isWorking) setTimeout(() => this.workAPiece());
  }

  private goTo(index: number): void {
    if (index !== -1) this.host.goTo(index);
  }

  private press(event: KeyboardEvent): void {
    const { key, target, shiftKey } = event;
    const isMain = (event.ctrlKey || event.metaKey) && key === 'f';
    const isStep = key === 'F3' || (key === 'Enter' && target === this.input);
    if (key === 'Escape') this.close();
    else if (isStep) this.step(shiftKey ? -1 : 1);
    else if (isMain) this.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private select(): void {
    const { input } = this;
    void input?.updateComplete.then(() => {
      input.focus();
      input.wrappedElement.select();
    });
  }
}
