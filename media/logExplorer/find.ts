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
export interface Find {
  readonly query: FindQuery;
  /** The number of rows found so far. */
  readonly count: number;
  /** Whether all rows were checked. */
  readonly isDone: boolean;
  seek(query: FindQuery): void;
  /** Rows came, went or changed. */
  update(): void;
  /** Other texts of rows are searched. */
  startAgain(): void;
  /** Checks rows until all are checked or `isEnough` returns true, which is called every 256 rows. */
  work(isEnough: () => boolean): void;
  /** The index of the next found row, wrapping around; -1 if there is none. */
  next(from: number, direction: 1 | -1): number;
  /** The number of found rows at or before this one. */
  rank(index: number): number;
  /** The matches in a text, as pairs of start and end. */
  matches(text: string): (readonly [number, number])[];
}

/** @param textsOf the texts of a row that are searched. */
export function createFind(
  store: Pick<RowStore, 'rows' | 'first' | 'updates'>,
  textsOf: (row: LogRow) => readonly string[],
): Find {
  let query: FindQuery = { text: '', matchCase: false };
  let pattern: RegExp | undefined;
  /** The numbers of the rows. */
  let found = new Set<number>();
  /** Rows that match a shorter text. */
  let candidates: number[] = [];
  /** The numbers of rows that were not checked yet: from the first up to, excluding, the second. */
  let ranges: [number, number][] = [];
  const numbers = (): [number, number] => [store.first, store.first + store.rows.length];
  /** The numbers of the rows at the last update. */
  let known = numbers();
  let { updates } = store;

  function hasMatch(text: string): boolean {
    if (pattern === undefined) return false;
    pattern.lastIndex = 0;
    return pattern.test(text);
  }

  function test(number: number): void {
    const row = store.rows[number - store.first];
    if (row !== undefined && textsOf(row).some(hasMatch)) found.add(number);
  }

  function startAgain(): void {
    ({ updates } = store);
    found = new Set();
    candidates = [];
    known = numbers();
    ranges = pattern === undefined ? [] : [[...known]];
  }

  return {
    get query() {
      return query;
    },
    get count() {
      return found.size;
    },
    get isDone() {
      return candidates.length === 0 && ranges.length === 0;
    },
    seek(next) {
      const narrower =
        pattern !== undefined &&
        next.text.includes(query.text) &&
        (next.matchCase || !query.matchCase);
      const before = [...candidates, ...found];
      query = next;
      pattern =
        next.text === '' ? undefined : new RegExp(escape(next.text), next.matchCase ? 'g' : 'gi');
      if (!narrower) {
        startAgain();
        return;
      }
      // A row that does not contain the shorter text does not contain the longer one.
      found = new Set();
      candidates = before;
    },
    update() {
      const [oldFirst, oldEnd] = known;
      const [first, last] = numbers();
      if (last <= oldFirst || first >= oldEnd || updates !== store.updates) {
        startAgain();
        return;
      }
      known = [first, last];
      if (pattern === undefined) return;
      if (first < oldFirst) ranges.push([first, oldFirst]);
      if (last > oldEnd) ranges.push([oldEnd, last]);
      if (first > oldFirst) {
        for (const number of found) if (number < first) found.delete(number);
      }
    },
    startAgain,
    work(isEnough) {
      for (;;) {
        for (let piece = 0; piece < 256; piece++) {
          const candidate = candidates.pop();
          const range = ranges[0];
          if (candidate !== undefined) test(candidate);
          else if (range === undefined) return;
          else if (range[0] < range[1]) test(range[0]++);
          else ranges.shift();
        }
        if (isEnough()) return;
      }
    },
    next(from, direction) {
      const { length } = store.rows;
      if (found.size === 0) return -1;
      const start = from < 0 && direction === -1 ? length : from;
      for (let step = 1; step <= length; step++) {
        const place = (start + step * direction + 2 * length) % length;
        if (found.has(store.first + place)) return place;
      }
      return -1;
    },
    rank(index) {
      let rank = 0;
      for (const number of found) if (number <= store.first + index) rank++;
      return rank;
    },
    matches(text) {
      if (pattern === undefined) return [];
      pattern.lastIndex = 0;
      return [...text.matchAll(pattern)].map(({ 0: match, index }) => [
        index,
        index + match.length,
      ]);
    },
  };
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
