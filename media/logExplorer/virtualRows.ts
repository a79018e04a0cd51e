import {
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';

interface VirtualRowsOptions {
  /** What scrolls. */
  readonly scroller: HTMLElement;
  /** What the rows lie in; it may have something above it and below it in the scroller. */
  readonly body: HTMLElement;
  /** Height of what covers the top of the scroller, in pixels. */
  readonly covered: () => number;
  readonly count: () => number;
  /** The number of the first row; each next one has the next number, which stays with it. */
  readonly first: () => number;
  /** A row that is there even when it is out of view; -1 for none. */
  readonly alwaysThere: () => number;
  readonly make: () => HTMLElement;
  readonly fill: (row: HTMLElement, index: number) => void;
  /** In pixels, where it has not been measured. */
  readonly height: (index: number) => number;
  /** Whether rows are measured, since each may have another height. */
  readonly isMeasured: () => boolean;
  /** Somebody scrolled, rather than the page itself. */
  readonly onScroll: () => void;
}

/** Rows of which only those in view are in the document. */
interface VirtualRows {
  /** Shows what has changed; the rows in view stay where they are. */
  update(): void;
  /** The heights that were measured hold no longer. The first row in view stays there. */
  forgetHeights(): void;
  /** Brings a row into view: by the shortest way, or to the middle. */
  reveal(index: number, align?: 'auto' | 'center'): void;
  toEnd(): void;
  /** Whether the end is in view, or nearly so. */
  readonly isAtEnd: boolean;
  /** Which way somebody scrolls right now. */
  readonly direction: 'forward' | 'backward' | null;
  /** The first and the last row in view. */
  readonly inView: { readonly first: number; readonly last: number };
}

/** How many rows are there on either side of those in view, and before it where rows are measured. */
const overscan = 6;
const fewBefore = 2;

/** How far from the end counts as at the end, in pixels. */
const nearEnd = 40;

export function createVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { scroller, body, count, isMeasured } = options;
  const shown = new Map<number, HTMLElement>();
  const spare: HTMLElement[] = [];
  /** Whether somebody touched the list since the page scrolled it last. */
  let isByHand = false;
  /** As of the last update. */
  let first = options.first();
  const numberOf = (index: number): number => first + index;

  const current = (): VirtualizerOptions<HTMLElement, HTMLElement> => ({
    count: count(),
    getScrollElement: () => scroller,
    estimateSize: options.height,
    getItemKey: numberOf,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan,
    // What is in view stays there, whatever comes before it.
    anchorTo: 'end',
    scrollEndThreshold: nearEnd,
    scrollMargin: body.offsetTop,
    scrollPaddingStart: options.covered(),
    rangeExtractor(range) {
      // Each row above the view that turns out to be of another height costs a look at all of them.
      const before = isMeasured() ? fewBefore : overscan;
      const indexes = defaultRangeExtractor(range).filter(
        (index) => index >= range.startIndex - before,
      );
      const more = options.alwaysThere();
      if (more < 0 || more >= range.count || indexes.includes(more)) return indexes;
      return [...indexes, more].sort((a, b) => a - b);
    },
    onChange: () => {
      draw(false);
      if (isByHand) options.onScroll();
    },
  });
  const virtualizer = new Virtualizer(current());

  /** At the end rows grow upwards; elsewhere to know whether it is the end costs a look at all of them. */
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
    // Rows out of view show what came into view, and stay where they are if that is their place.
    const free: Element[] = [];
    for (const [number, row] of shown) {
      if (kept.has(number)) continue;
      shown.delete(number);
      // It is to be measured as another one, and later, with all others, not by itself.
      virtualizer.elementsCache.delete(number);
      if (isMeasured()) row.remove();
      free.push(row);
      spare.push(row);
    }
    // From the last to the first: what is above the view is to be measured after what is in it, since
    // the places of all rows are looked up again behind one that makes the list scroll.
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
    // In the order of the list, which is the order that screen readers go through.
    let place = body.firstElementChild;
    for (const { key, start } of items) {
      const row = shown.get(Number(key));
      if (row === undefined) continue;
      row.style.transform = `translateY(${start - virtualizer.options.scrollMargin}px)`;
      while (place !== null && place !== row && free.includes(place)) {
        place = place.nextElementSibling;
      }
      if (row === place) place = row.nextElementSibling;
      else body.insertBefore(row, place);
    }
    for (const row of spare) row.remove();
  }

  function update(): void {
    first = options.first();
    virtualizer.setOptions(current());
    // The room must be there before anything can be scrolled to.
    body.style.height = `${virtualizer.getTotalSize()}px`;
    virtualizer._willUpdate();
    draw(true);
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
      const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
      return { first: startIndex, last: endIndex };
    },
  };
}
