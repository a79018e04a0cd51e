import type { RowsMessage } from '../../src/logs/explorer/protocol/messages';
import type { LogRow, TimeSpan, View } from '../../src/logs/explorer/protocol/view';
import { textsOf } from './columns';
import { RecordDetails } from './details';
import { element } from './dom';
import { Find, FindBar } from './find';
import { Lines, createTraceRow, RowStore } from './lines';
import { List, type OtherAction } from './list';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { PatternsView } from './patterns';
import { Selection } from './selection';
import { WaterfallView } from './waterfall';

/** The minimum width for the details beside the list, in pixels. */
const wide = 900;

/** The list with its find bar, and the details of the selected record. */
export class Results {
  readonly patterns: PatternsView;
  private readonly store = new RowStore();
  private readonly lines: Lines;
  private readonly selection: Selection;
  private readonly find: Find;
  private readonly list: List;
  private readonly findBar: FindBar;
  private readonly details: RecordDetails;
  private readonly waterfall: WaterfallView;
  private readonly splitter: Splitter;
  /** Whether the details were open and open again when the record to select arrives. */
  private reopens = false;
  /** The fields whose texts are found. */
  private searched = '';
  private readonly viewListeners: ((span: TimeSpan | undefined) => void)[] = [];

  constructor(
    private readonly place: HTMLElement,
    private readonly context: PageContext,
  ) {
    const { strings, layout } = context;
    this.lines = new Lines(this.store, createTraceRow(strings));
    this.selection = new Selection(this.lines);
    this.find = new Find(this.store, (row) => textsOf(row, layout.now));
    this.list = this.createList();
    this.findBar = this.createFindBar();
    this.details = new RecordDetails(context, {
      onClose: () => this.closeDetails(),
      onLeave: () => this.focus(),
    });
    this.waterfall = new WaterfallView(context, {
      store: this.store,
      onSelect: (key) => this.select(key),
      onLeave: () => this.focus(),
    });
    this.patterns = new PatternsView(context);
    this.patterns.onToggle(() => this.showPatterns());
    this.splitter = new Splitter(place, strings('detailsSplitter'));
    const { findBar, waterfall, list, patterns } = this;
    const parts = [findBar, waterfall, list.frame, patterns];
    const listPlace = element('div', { class: 'list-place' }, ...parts);
    place.append(listPlace, this.splitter, this.details);
    this.hideDetails();
    layout.onChange(() => this.layOut());
    new ResizeObserver(() => {
      place.classList.toggle('below', place.clientWidth < wide);
    }).observe(place);
  }

  show(view: View): void {
    if (view.epoch > this.store.epoch) {
      this.store.startEpoch(view.epoch);
      this.lines.update();
      // Details of removed records are not shown.
      this.reopens = this.details.isOpen && view.focus !== undefined;
      this.hideDetails();
      this.findBar.rowsChanged();
    }
    this.waterfall.show(view);
    this.list.show(view);
    this.patterns.show(view);
  }

  change(message: RowsMessage): void {
    this.store.change(message);
    this.lines.update();
    this.findBar.rowsChanged();
    this.list.update();
  }

  setWrap(wrap: boolean): void {
    this.list.setWrap(wrap);
  }

  /** Selects the row with this key, and shows it. */
  select(key: string): void {
    const row = this.store.indexOf(key);
    if (row === -1) return;
    this.patterns.close();
    this.list.goTo(row);
    this.showSelected();
  }

  openFind(): void {
    this.patterns.close();
    this.findBar.open();
  }

  /** Selects the next or the previous error. */
  toError(direction: 1 | -1): void {
    this.patterns.close();
    this.list.toError(direction);
    this.focus();
  }

  focus(): void {
    this.list.focus();
  }

  /** @param listener called with the time of the records in view, or undefined if there are none. */
  onView(listener: (span: TimeSpan | undefined) => void): void {
    this.viewListeners.push(listener);
  }

  private createList(): List {
    const { store, lines, selection, find } = this;
    return new List(this.context, {
      store,
      lines,
      selection,
      find,
      onSelect: () => this.showSelected(),
      onAction: (action) => this.act(action),
      onView: (span) => {
        for (const listener of this.viewListeners) listener(span);
      },
    });
  }

  private createFindBar(): FindBar {
    return new FindBar(this.context.strings, this.find, {
      from: () => this.lines.rowAt(this.selection.index),
      goTo: (row) => {
        this.list.goTo(row);
        this.showSelected();
      },
      onChange: () => this.list.update(),
      onClose: () => this.focus(),
    });
  }

  private layOut(): void {
    const { columns, time } = this.context.layout.now;
    const searched = JSON.stringify([time, ...columns.map(({ field }) => field)]);
    if (searched === this.searched) return;
    this.searched = searched;
    this.find.startAgain();
    this.findBar.rowsChanged();
  }

  private showPatterns(): void {
    const { isOpen } = this.patterns;
    this.hideDetails();
    if (isOpen && this.findBar.isOpen) this.findBar.close();
    this.list.frame.hidden = isOpen;
    if (!isOpen) this.focus();
  }

  private get selected(): LogRow | undefined {
    return this.lines.at(this.selection.index)?.record;
  }

  /** Another line is selected. */
  private showSelected(): void {
    this.waterfall.mark(this.selected);
    if (this.details.isOpen || this.reopens) this.openDetails();
  }

  private openDetails(): void {
    const { selected } = this;
    if (selected === undefined) return;
    this.reopens = false;
    this.details.show(selected);
    this.splitter.hidden = false;
    this.place.classList.add('with-details');
  }

  private hideDetails(): void {
    const hadFocus = this.details.contains(document.activeElement);
    this.details.hide();
    this.splitter.hidden = true;
    this.place.classList.remove('with-details');
    if (hadFocus) this.focus();
  }

  private closeDetails(): void {
    this.hideDetails();
    this.focus();
  }

  private act(action: OtherAction): void {
    const { context, details, findBar } = this;
    switch (action.kind) {
      case 'open':
        this.openDetails();
        if (action.enter) details.focusTitle();
        return;
      case 'find':
        findBar.open();
        return;
      case 'found':
        findBar.step(action.direction);
        return;
      case 'close':
        if (findBar.isOpen) findBar.close();
        else if (details.isOpen) this.closeDetails();
        return;
      case 'copy': {
        const key = this.selected?.key;
        if (key !== undefined) context.ask('copyLine', { key }).catch(context.report);
        return;
      }
      case 'wrap':
        context.wrap.toggle();
    }
  }
}

/** The limits of the share of the second part, in percent. */
const shares = { least: 15, most: 80 };

/**
 * A splitter for mouse and keyboard. The split layout of the component library cannot be used with the keyboard and always
 * shows both parts. The share of the second part is the variable `--share` of their container.
 */
export class Splitter extends PagePart {
  private share = 45;

  /** @param container its class `below` means that the parts are one below the other. */
  constructor(
    private readonly container: HTMLElement,
    label: string,
  ) {
    super();
    this.className = 'splitter';
    this.role = 'separator';
    this.tabIndex = 0;
    this.ariaLabel = label;
    this.ariaValueMin = String(shares.least);
    this.ariaValueMax = String(shares.most);
    this.addEventListener('pointerdown', (event) => {
      this.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.focus();
    });
    this.addEventListener('pointermove', (event) => {
      if (this.hasPointerCapture(event.pointerId)) this.goTo(event);
    });
    this.addEventListener('keydown', ({ key }) => this.press(key));
    new ResizeObserver(() => {
      // The orientation of a separator is that of the line itself.
      this.ariaOrientation = this.isBelow ? 'horizontal' : 'vertical';
    }).observe(container);
    this.set(this.share);
  }

  private get isBelow(): boolean {
    return this.container.classList.contains('below');
  }

  private set(next: number): void {
    this.share = Math.max(shares.least, Math.min(shares.most, next));
    this.container.style.setProperty('--share', `${this.share}%`);
    this.ariaValueNow = String(Math.round(this.share));
  }

  private goTo({ clientX, clientY }: MouseEvent): void {
    const { left, right, top, bottom } = this.container.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(this.container).direction === 'rtl';
    const [from, to, at] = this.isBelow
      ? [bottom, top, clientY]
      : isRightToLeft
        ? [left, right, clientX]
        : [right, left, clientX];
    this.set(((from - at) / (from - to)) * 100);
  }

  private press(key: string): void {
    const [larger, smaller] = this.isBelow ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    if (key === larger) this.set(this.share + 3);
    else if (key === smaller) this.set(this.share - 3);
    else if (key === 'Home') this.set(shares.least);
    else if (key === 'End') this.set(shares.most);
  }
}
