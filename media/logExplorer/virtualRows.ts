import {
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';

interface VirtualRowsOptions {
  readonly scroller: HTMLElement;
  /** The container of the rows, which may have siblings above and below it. */
  readonly body: HTMLElement;
  /** The height of the header that covers the top of the scroller, in pixels. */
  readonly covered: () => number;
  readonly count: () => number;
  /** The number of a row. Each row keeps its number. */
  readonly numberAt: (index: number) => number;
  /** Changes when rows other than the first and the last ones may be others. */
  readonly revision: () => number;
  /** The index of a row that is rendered even if it is out of view; -1 for none. */
  readonly alwaysThere: () => number;
  readonly make: () => HTMLElement;
  readonly fill: (row: HTMLElement, index: number) => void;
  /** The estimated height in pixels. */
  readonly height: (index: number) => number;
  /** Whether rows are measured because their heights differ. */
  readonly isMeasured: () => boolean;
  /** Rows were drawn. */
  readonly onDraw: (inView: InView) => void;
  /** The user scrolled, not the page itself. */
  readonly onScroll: () => void;
}

/** A list of rows of which only those in view are in the document. */
interface VirtualRows {
  /** Shows changes; the rows in view stay in place. */
  update(): void;
  /** Discards measured heights. The first row in view stays there. */
  forgetHeights(): void;
  /** Scrolls to a row: as little as possible, or so that it is in the middle or first. */
  reveal(index: number, align?: 'auto' | 'center' | 'start'): void;
  toEnd(): void;
  /** Whether the end is in view or nearly. */
  readonly isAtEnd: boolean;
  /** The current direction of scrolling. */
  readonly direction: 'forward' | 'backward' | null;
  readonly inView: InView;
}

/** The first and the last row in view. */
export interface InView {
  readonly first: number;
  readonly last: number;
}

/** How many rows outside the view are rendered, and how many before it if rows are measured. */
const overscan = 6;
const fewBefore = 2;

/** The distance that counts as the end, in pixels. */
const nearEnd = 40;

/**
 * The indexes of the rows that are in the document, in the order of the list: those in view, some around them,
 * and one that is always there, such as the selected one, to which the list refers for screen readers.
 *
 * @param before how many rows there are at most before the first one in view.
 * @param always -1 for none.
 */
export function rowsToDraw(range: Range, before: number, always: number): number[] {
  const indexes = defaultRangeExtractor(range).filter(
    (index) => index >= range.startIndex - before,
  );
  if (always < 0 || always >= range.count || indexes.includes(always)) return indexes;
  return [...indexes, always].sort((a, b) => a - b);
}

export function createVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { scroller, body, count, isMeasured } = options;
  const shown = new Map<number, HTMLElement>();
  const spare: HTMLElement[] = [];
  /** Whether the user touched the list after the page last scrolled it. */
  let isByHand = false;
  let revision = options.revision();
  let numberOf = (index: number): number => options.numberAt(index);

  const current = (): VirtualizerOptions<HTMLElement, HTMLElement> => ({
    count: count(),
    getScrollElement: () => scroller,
    estimateSize: options.height,
    getItemKey: numberOf,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan,
    // Rows in view stay there when rows come before them.
    anchorTo: 'end',
    scrollEndThreshold: nearEnd,
    scrollMargin: body.offsetTop,
    scrollPaddingStart: options.covered(),
    rangeExtractor(range) {
      // A row above the view with an unexpected height costs a pass over all rows.
      const before = isMeasured() ? fewBefore : overscan;
      return rowsToDraw(range, before, options.alwaysThere());
    },
    onChange: () => {
      draw(false);
      options.onDraw(inView());
      if (isByHand) options.onScroll();
    },
  });
  const virtualizer = new Virtualizer(current());

  /** At the end, rows grow upwards. Elsewhere, that would cost a pass over all rows. */
  function chooseAnchor(): void {
    if (!isMeasured()) return;
    const { scrollOffset, scrollRect, options: chosen } = virtualizer;
    const end = chosen.scrollMargin + virtualizer.getTotalSize();
    const isNear = (scrollOffset ?? 0) + (scrollRect?.height ?? 0) >= end - nearEnd;
    chosen.anchorTo = isNear ? 'end' : 'start';
  }

  function draw(again: boolean): void {
    chooseAnchor();
    const items = virtualizer.getVirtualItems();
    body.style.height = `${virtualizer.getTotalSize()}px`;
    const kept = new Set(items.map(({ key }) => Number(key)));
    // Elements of rows out of view are reused for rows that came into view, in the order of the list:
    // if all rows change, none moves, which would cost its style and layout.
    const free: Element[] = [];
    for (const [number, row] of [...shown].sort(([one], [other]) => one - other)) {
      if (kept.has(number)) continue;
      shown.delete(number);
      // It must be measured as another row, together with all others.
      virtualizer.elementsCache.delete(number);
      if (isMeasured()) row.remove();
      free.push(row);
      spare.push(row);
    }
    // From the last to the first: rows above the view are measured after those in it, since a row that
    // scrolls the list costs a new layout of all rows after it.
    for (const { key, index } of [...items].reverse()) {
      const number = Number(key);
      let row = shown.get(number);
      if (row !== undefined && !again) continue;
      row ??= spare.pop() ?? options.make();
      options.fill(row, index);
      row.dataset['index'] = String(index);
      shown.set(number, row);
      if (isMeasured()) virtualizer.measureElement(row);
    }
    for (const row of spare) row.remove();
    // In the order of the list, which screen readers follow.
    let place = body.firstElementChild;
    for (const { key, start } of items) {
      const row = shown.get(Number(key));
      if (row === undefined) continue;
      row.style.transform = `translateY(${start - virtualizer.options.scrollMargin}px)`;
      if (row.parentElement === body) {
        while (place !== null && place !== row && free.includes(place)) {
          place = place.nextElementSibling;
        }
      }
      if (row === place) place = row.nextElementSibling;
      else body.insertBefore(row, place);
    }
  }

  function update(): void {
    if (revision !== options.revision()) {
      revision = options.revision();
      // With another function, the numbers of all rows are read again.
      numberOf = (index) => options.numberAt(index);
    }
    virtualizer.setOptions(current());
    // The container must have its height before scrolling.
    body.style.height = `${virtualizer.getTotalSize()}px`;
    virtualizer._willUpdate();
    draw(true);
    options.onDraw(inView());
  }

  function inView(): InView {
    const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
    return { first: startIndex, last: endIndex };
  }

  virtualizer._willUpdate();
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    scroller.addEventListener(input, () => void (isByHand = true), { passive: true });
  }

  return {
    update,
    forgetHeights() {
      const top = virtualizer.range?.startIndex;
      const wasAtEnd = virtualizer.isAtEnd();
      virtualizer.measure();
      update();
      if (wasAtEnd) virtualizer.scrollToEnd();
      else if (top !== undefined) virtualizer.scrollToIndex(top, { align: 'start' });
    },
    reveal(index, align = 'auto') {
      if (index < 0) return;
      isByHand = false;
      virtualizer.scrollToIndex(index, { align });
    },
    toEnd() {
      isByHand = false;
      virtualizer.scrollToEnd();
    },
    get isAtEnd() {
      return virtualizer.isAtEnd();
    },
    get direction() {
      return virtualizer.scrollDirection;
    },
    get inView() {
      return inView();
    },
  };
}
