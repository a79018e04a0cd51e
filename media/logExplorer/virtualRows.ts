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
import type { Lines } from './lines';
import { type ListFrame, probeRowHeight } from './listElements';
import type { RowDrawing } from './rowDrawing';
import type { Selection } from './selection';

interface VirtualRowsHost {
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

/** The rows of the list, of which only those in view are in the document. */
export class VirtualRows {
  /** By their numbers. */
  private readonly shown = new Map<number, HTMLElement>();
  private readonly spare: HTMLElement[] = [];
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  /** Whether the user touched the list after the page last scrolled it. */
  private isByHand = false;
  /** Changes when rows other than the first and the last ones may be others. */
  private revision: number;
  private numberOf: (index: number) => number;
  private readonly scroller: HTMLElement;
  /** The container of the rows, which has siblings above and below it. */
  private readonly body: HTMLElement;
  private readonly probe: ReturnType<typeof probeRowHeight>;

  constructor(
    private readonly frame: ListFrame,
    private readonly lines: Lines,
    private readonly selection: Pick<Selection, 'index'>,
    private readonly drawing: RowDrawing,
    private readonly host: VirtualRowsHost,
  ) {
    this.scroller = frame.grid;
    this.body = frame.body;
    this.revision = lines.revision;
    this.numberOf = (index) => lines.numberAt(index);
    this.probe = probeRowHeight(frame, () => this.forgetHeights());
    this.virtualizer = new Virtualizer(this.options());
    this.virtualizer._willUpdate();
    for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
      const touched = (): void => void (this.isByHand = true);
      this.scroller.addEventListener(input, touched, { passive: true });
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

  /** The element of a row, if it is drawn. */
  rowAt(index: number): HTMLElement | undefined {
    return this.shown.get(this.numberOf(index));
  }

  /** Shows changes; the rows in view stay in place. */
  update(): void {
    const { lines, virtualizer } = this;
    if (this.revision !== lines.revision) {
      this.revision = lines.revision;
      // With another function, the numbers of all rows are read again.
      this.numberOf = (index) => lines.numberAt(index);
    }
    virtualizer.setOptions(this.options());
    // The container must have its height before scrolling.
    this.body.style.height = `${virtualizer.getTotalSize()}px`;
    virtualizer._willUpdate();
    this.draw(true);
    this.host.onDraw(this.inView);
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

  private options(): VirtualizerOptions<HTMLElement, HTMLElement> {
    return {
      count: this.lines.count,
      getScrollElement: () => this.scroller,
      estimateSize: () => this.probe.height,
      getItemKey: this.numberOf,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      overscan,
      // Rows in view stay there when rows come before them.
      anchorTo: 'end',
      scrollEndThreshold: nearEnd,
      scrollMargin: this.body.offsetTop,
      scrollPaddingStart: this.frame.headerHeight,
      rangeExtractor: (range) => {
        // A row above the view with an unexpected height costs a pass over all rows.
        const before = this.drawing.wraps ? fewBefore : overscan;
        // The list refers to the selected row for screen readers.
        return rowsToDraw(range, before, this.selection.index);
      },
      onChange: () => {
        this.draw(false);
        this.host.onDraw(this.inView);
        if (this.isByHand) this.host.onScroll();
      },
    };
  }

  /** At the end, rows grow upwards. Elsewhere, that would cost a pass over all rows. */
  private chooseAnchor(): void {
    if (!this.drawing.wraps) return;
    const { virtualizer } = this;
    const { scrollOffset, scrollRect, options: chosen } = virtualizer;
    const end = chosen.scrollMargin + virtualizer.getTotalSize();
    const isNear = (scrollOffset ?? 0) + (scrollRect?.height ?? 0) >= end - nearEnd;
    chosen.anchorTo = isNear ? 'end' : 'start';
  }

  private draw(again: boolean): void {
    this.chooseAnchor();
    const items = this.virtualizer.getVirtualItems();
    this.body.style.height = `${this.virtualizer.getTotalSize()}px`;
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
    for (const [number, row] of [...shown].sort(([a], [b]) => a - b)) {
      if (kept.has(number)) continue;
      shown.delete(number);
      // It must be measured as another row, together with all others.
      virtualizer.elementsCache.delete(number);
      if (this.drawing.wraps) row.remove();
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
    const { shown, drawing } = this;
    for (const { key, index } of [...items].reverse()) {
      const number = Number(key);
      let row = shown.get(number);
      if (row !== undefined && !again) continue;
      row ??= this.spare.pop() ?? drawing.make();
      drawing.fill(row, index);
      row.dataset['index'] = String(index);
      shown.set(number, row);
      if (drawing.wraps) this.virtualizer.measureElement(row);
    }
  }

  /** In the order of the list, which screen readers follow. */
  private place(items: readonly VirtualItem[], free: ReadonlySet<Element>): void {
    const { body } = this;
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
