import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/vscode-textfield.js';
import type { LogRow } from '../../src/logs/explorer/protocol/view';
import { element, toolbarButton } from './dom';
import type { RowStore } from './lines';
import type { Strings } from './panel';

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
    this.pattern =
      next.text === '' ? undefined : new RegExp(escape(next.text), next.matchCase ? 'g' : 'gi');
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
    if (this.pattern === undefined) return [];
    this.pattern.lastIndex = 0;
    return [...text.matchAll(this.pattern)].map(({ 0: match, index }) => [
      index,
      index + match.length,
    ]);
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

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

interface FindBarHost {
  readonly strings: Strings;
  readonly find: Find;
  /** The index of the row to start from. */
  readonly from: () => number;
  /** Shows a found row. */
  readonly goTo: (index: number) => void;
  /** The query changed: rows mark its matches. */
  readonly onChange: () => void;
  /** The user closed it. */
  readonly onClose: () => void;
}

/** The find bar for the loaded rows. */
interface FindBar {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  step(direction: 1 | -1): void;
  /** Rows came, went or changed. */
  update(): void;
}

/** How long finding may block the page at a time, in milliseconds. */
const pause = 8;

export function createFindBar(host: FindBarHost): FindBar {
  const { strings, find } = host;
  /** Whether the first match has not been shown yet. */
  let seeks = false;
  let isWorking = false;

  const input = document.createElement('vscode-textfield');
  input.label = strings('findLabel');
  input.placeholder = strings('findLabel');
  const matchCase = toolbarButton('case-sensitive', strings('findMatchCase'), changed);
  matchCase.toggleable = true;
  const count = element('span', { class: 'count', attributes: { role: 'status' } });
  const bar = element(
    'div',
    { class: 'find', attributes: { role: 'search', 'aria-label': strings('findLabel') } },
    input,
    matchCase,
    count,
    toolbarButton('arrow-up', strings('findPrevious'), () => step(-1)),
    toolbarButton('arrow-down', strings('findNext'), () => step(1)),
    toolbarButton('close', strings('findClose'), close),
  );
  bar.hidden = true;

  function changed(): void {
    // The button changes after its click event.
    queueMicrotask(() => {
      find.seek({ text: input.value, matchCase: matchCase.checked });
      seeks = input.value !== '';
      host.onChange();
      work();
    });
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    const piece = (): void => {
      const end = performance.now() + pause;
      find.work(() => performance.now() > end);
      isWorking = !find.isDone;
      if (seeks && (find.isDone || find.count > 0)) {
        seeks = false;
        // The selected row stays if it matches.
        const index = find.next(host.from() - 1, 1);
        if (index !== -1) host.goTo(index);
      }
      showCount();
      if (isWorking) setTimeout(piece);
    };
    piece();
  }

  function showCount(): void {
    const { count: total, isDone, query } = find;
    const rank = find.rank(host.from());
    count.textContent =
      query.text === ''
        ? ''
        : total > 0
          ? `${strings('findCount', Math.max(rank, 1), total)}${isDone ? '' : '…'}`
          : strings(isDone ? 'findNone' : 'findWorking');
    bar.classList.toggle('none', isDone && total === 0 && query.text !== '');
  }

  function step(direction: 1 | -1): void {
    const index = find.next(host.from(), direction);
    if (index !== -1) host.goTo(index);
    showCount();
  }

  function close(): void {
    bar.hidden = true;
    find.seek({ text: '', matchCase: false });
    host.onChange();
    host.onClose();
  }

  input.addEventListener('input', changed);
  bar.addEventListener('keydown', (event) => {
    const { key, target, shiftKey } = event;
    const isMain = (event.ctrlKey || event.metaKey) && key === 'f';
    const isStep = key === 'F3' || (key === 'Enter' && target === input);
    if (key === 'Escape') close();
    else if (isStep) step(shiftKey ? -1 : 1);
    else if (isMain) select(input);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element: bar,
    get isOpen() {
      return !bar.hidden;
    },
    open() {
      bar.hidden = false;
      select(input);
      if (input.value !== '') changed();
    },
    close,
    step,
    update() {
      find.update();
      if (!bar.hidden) work();
    },
  };
}

function select(input: VscodeTextfield): void {
  void input.updateComplete.then(() => {
    input.focus();
    input.wrappedElement.select();
  });
}
