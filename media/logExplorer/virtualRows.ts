import {
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  type VirtualItem,
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

/** A list of rows of which only those in view are in the document. */
export class VirtualRows {
  /** By their numbers. */
  private readonly shown = new Map<number, HTMLElement>();
  private readonly spare: HTMLElement[] = [];
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  /** Whether the user touched the list after the page last scrolled it. */
  private isByHand = false;
  private revision: number;
  private numberOf: (index: number) => number;

  constructor(private readonly options: VirtualRowsOptions) {
    this.revision = options.revision();
    this.numberOf = (index) => options.numberAt(index);
    this.virtualizer = new Virtualizer(this.current());
    this.virtualizer._willUpdate();
    for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
      const touched = (): void => void (this.isByHand = true);
      options.scroller.addEventListener(input, touched, { passive: true });
    }
  }

  /** Whether the end is in view or nearly. */
  get isAtEnd(): boolean {
    return this.virtualizer.isAtEnd();
  }

  /** The current direction of scrolling. */
  get direction(): 'forward' | 'backward' | null {
    return this.virtualizer.scrollDirection;
  }

  get inView(): InView {
    const { startIndex = 0, endIndex = 0 } = this.virtualizer.range ?? {};
    return { first: startIndex, last: endIndex };
  }

  /** Shows changes; the rows in view stay in place. */
  update(): void {
    const { options, virtualizer } = this;
    if (this.revision !== options.revision()) {
      this.revision = options.revision();
      // With another function, the numbers of all rows are read again.
      this.numberOf = (index) => options.numberAt(index);
    }
    virtualizer.setOptions(this.current());
    // The container must have its height before scrolling.
    options.body.style.height = `${virtualizer.getTotalSize()}px`;
    virtualizer._willUpdate();
    this.draw(true);
    options.onDraw(this.inView);
  }

  /** Discards measured heights. The first row in view stays there. */
  forgetHeights(): void {
    const { virtualizer } = this;
    const top = virtualizer.range?.startIndex;
    const wasAtEnd = virtualizer.isAtEnd();
    virtualizer.measure();
    this.update();
    if (wasAtEnd) virtualizer.scrollToEnd();
    else if (top !== undefined) virtualizer.scrollToIndex(top, { align: 'start' });
  }

  /** Scrolls to a row: as little as possible, or so that it is in the middle or first. */
  reveal(index: number, align: 'auto' | 'center' | 'start' = 'auto'): void {
    if (index < 0) return;
    this.isByHand = false;
    this.virtualizer.scrollToIndex(index, { align });
  }

  toEnd(): void {
    this.isByHand = false;
    this.virtualizer.scrollToEnd();
  }

  private current(): VirtualizerOptions<HTMLElement, HTMLElement> {
    const { options } = this;
    return {
      count: options.count(),
      getScrollElement: () => options.scroller,
      estimateSize: options.height,
      getItemKey: this.numberOf,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      overscan,
      // Rows in view stay there when rows come before them.
      anchorTo: 'end',
      scrollEndThreshold: nearEnd,
      scrollMargin: options.body.offsetTop,
      scrollPaddingStart: options.covered(),
      rangeExtractor(range) {
        // A row above the view with an unexpected height costs a pass over all rows.
        const before = options.isMeasured() ? fewBefore : overscan;
        return rowsToDraw(range, before, options.alwaysThere());
      },
      onChange: () => {
        this.draw(false);
        options.onDraw(this.inView);
        if (this.isByHand) options.onScroll();
      },
    };
  }

  /** At the end, rows grow upwards. Elsewhere, that would cost a pass over all rows. */
  private chooseAnchor(): void {
    if (!this.options.isMeasured()) return;
    const { virtualizer } = this;
    const { scrollOffset, scrollRect, options: chosen } = virtualizer;
    const end = chosen.scrollMargin + virtualizer.getTotalSize();
    const isNear = (scrollOffset ?? 0) + (scrollRect?.height ?? 0) >= end - nearEnd;
    chosen.anchorTo = isNear ? 'end' : 'start';
  }

  private draw(again: boolean): void {
    this.chooseAnchor();
    const items = this.virtualizer.getVirtualItems();
    this.options.body.style.height = `${this.virtualizer.getTotalSize()}px`;
    const free = this.free(items);
    this.fill(items, again);
    for (const row of this.spare) row.remove();
    this.place(items, free);
  }

  /**
   * Elements of rows out of view are reused for rows that came into view, in the order of the list: if all rows change, none
   * moves, which would cost its style and layout. @returns them.
   */
  private free(items: readonly VirtualItem[]): ReadonlySet<Element> {
    const { shown, virtualizer } = this;
    const kept = new Set(items.map(({ key }) => Number(key)));
    const free = new Set<Element>();
    for (const [number, row] of [...shown].sort(([one], [other]) => one - other)) {
      if (kept.has(number)) continue;
      shown.delete(number);
      // It must be measured as another row, together with all others.
      virtualizer.elementsCache.delete(number);
      if (this.options.isMeasured()) row.remove();
      free.add(row);
      this.spare.push(row);
    }
    return free;
  }

  /**
   * From the last to the first: rows above the view are measured after those in it, since a row that scrolls the list costs
   * a new layout of all rows after it.
   */
  private fill(items: readonly VirtualItem[], again: boolean): void {
    const { shown, options } = this;
    for (const { key, index } of [...items].reverse()) {
      const number = Number(key);
      let row = shown.get(number);
      if (row !== undefined && !again) continue;
      row ??= this.spare.pop() ?? options.make();
      options.fill(row, index);
      row.dataset['index'] = String(index);
      shown.set(number, row);
      if (options.isMeasured()) this.virtualizer.measureElement(row);
    }
  }

  /** In the order of the list, which screen readers follow. */
  private place(items: readonly VirtualItem[], free: ReadonlySet<Element>): void {
    const { body } = this.options;
    let place = body.firstElementChild;
    for (const { key, start } of items) {
      const row = this.shown.get(Number(key));
      if (row === undefined) continue;
      row.style.transform = `translateY(${start - this.virtualizer.options.scrollMargin}px)`;
      if (row.parentElement === body) {
        while (place !== null && place !== row && free.has(place)) {
          place = place.nextElementSibling;
        }
      }
      if (row === place) place = row.nextElementSibling;
      else body.insertBefore(row, place);
    }
  }
}
