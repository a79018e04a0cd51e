import type { TimeSpan, View } from '../../src/logs/explorer/protocol/view';
import { ColumnHeader } from './columnHeader';
import { setAttribute } from './dom';
import type { Find } from './find';
import type { Lines, RowStore } from './lines';
import { ListFrame, menuContext } from './listElements';
import { AutoScroll, Loading } from './listEnds';
import type { PageContext } from './pageQuery';
import { RowDrawing } from './rowDrawing';
import { listAction, type ListAction, type Move, type Selection } from './selection';
import { type InView, VirtualRows } from './virtualRows';

interface ListHost {
  readonly store: RowStore;
  readonly lines: Lines;
  readonly selection: Selection;
  readonly find: Find;
  /** The user selected another line. */
  readonly onSelect: () => void;
  /** An action that the list does not handle itself. */
  readonly onAction: (action: OtherAction) => void;
  /** Other records may be in view: those of this range of time. */
  readonly onView: (span: TimeSpan | undefined) => void;
}

export type OtherAction = Exclude<ListAction, { kind: 'move' | 'error' | 'expand' | 'collapse' }>;

/** More records are loaded when this many lines are left before an end. */
const loadAhead = 20;

/** The time between two updates of relative times, in milliseconds. */
const tick = 1000;

/** The list of records: oldest at the top, newest at the bottom, as in the log channel. */
export class List {
  readonly frame: ListFrame;
  private readonly autoScroll: AutoScroll;
  private readonly loading: Loading;
  private readonly drawing: RowDrawing;
  private readonly header: ColumnHeader;
  private readonly rows: VirtualRows;
  private readonly grid: HTMLElement;
  private view: View | undefined;
  private wrap = false;
  /** The record to select that was shown last. */
  private focused: string | undefined;
  /** What stays in view when the list changes its size. */
  private anchor: 'selection' | 'end' | undefined;
  /** The replacement count of the rows that were shown last. */
  private replacements: number;

  constructor(
    private readonly context: PageContext,
    private readonly host: ListHost,
  ) {
    const { ask, strings, layout, report } = context;
    const { store, lines, selection, find } = host;
    this.replacements = store.replacements;
    this.autoScroll = new AutoScroll((what) => void ask(what, {}).catch(report));
    this.loading = new Loading({
      ask: (end) => ask(end, {}),
      size: () => store.rows.length,
      report,
      after: (milliseconds, call) => void setTimeout(call, milliseconds),
    });
    this.drawing = new RowDrawing(strings, lines, selection, find);
    this.header = new ColumnHeader(context, this.drawing.agoWidth, () => this.focus());
    this.frame = new ListFrame(strings, this.header, {
      load: (end) => this.loading.load(end),
      resume: () => this.resume(),
    });
    this.grid = this.frame.grid;
    this.rows = new VirtualRows(this.frame, lines, selection, this.drawing, {
      onDraw: (inView) => host.onView(this.spanOf(inView)),
      onScroll: () => this.scrolled(),
    });
    this.listen();
    layout.onChange(() => this.layOut());
    this.layOut();
  }

  show(next: View): void {
    this.view = next;
    if (next.focus === undefined) this.focused = undefined;
    this.drawing.setView(next);
    this.autoScroll.apply(next.following);
    this.loading.apply(next);
    this.frame.show(next, (end) => this.loading.canLoad(end));
    this.update();
  }

  /** Shows rows that came, went or changed. */
  update(): void {
    const { context, host, frame, view, replacements } = this;
    const { lines, store } = host;
    const { isOn: staysAtEnd } = this.autoScroll;
    const isOther = replacements !== store.replacements && lines.count > 0;
    if (isOther) {
      this.replacements = store.replacements;
      // The same record may be in another list.
      this.focused = undefined;
    }
    frame.setSize(lines.count, context.layout.now.columns.length + 1);
    this.header.show(frame, store.rows);
    this.rows.update();
    const focus = view?.focus;
    if (focus !== undefined && focus !== this.focused) this.select(focus);
    else if (staysAtEnd || (isOther && focus === undefined)) this.toEnd();
    this.markSelected();
  }

  setWrap(next: boolean): void {
    this.wrap = next;
    this.layOut();
  }

  /**
   * Selects the line of a row that was found, by its index. As in editors, it comes to the middle if it is out of view, and
   * so does what was found in it. The trace that contains it opens.
   */
  goTo(row: number): void {
    const { lines, store } = this.host;
    if (row < store.rows.length - 1) this.autoScroll.hold();
    const index = lines.reveal(row);
    const { first, last } = this.rows.inView;
    this.goToLine(index, index > first && index < last ? 'auto' : 'center');
    this.drawing.showMatch(this.rows.rowAt(index));
  }

  /** Selects the next or the previous error, as its key does. */
  toError(direction: 1 | -1): void {
    const { first, last } = this.rows.inView;
    const from = direction === 1 ? first : last;
    if (this.host.selection.moveToError(direction, from)) this.selected();
  }

  focus(): void {
    this.grid.focus();
  }

  private listen(): void {
    const { grid, frame, context, drawing } = this;
    new ResizeObserver(() => this.stay()).observe(grid);
    setInterval(() => {
      const isShown = context.layout.now.time !== 'absolute' && !document.hidden;
      if (isShown) drawing.tick(frame.body.children);
    }, tick);
    grid.addEventListener('keydown', (event) => this.press(event));
    frame.body.addEventListener('click', (event) => this.click(event));
    grid.addEventListener('contextmenu', (event) => this.setMenuContext(event));
  }

  private layOut(): void {
    const { rows, drawing, frame, wrap } = this;
    const { lines } = this.host;
    const { now } = this.context.layout;
    drawing.setLook(now, wrap);
    frame.setLook(now, wrap);
    const top = lines.numberAt(rows.inView.first);
    const isOther = now.isByTrace !== lines.isGrouped;
    lines.group(now.isByTrace);
    rows.forgetHeights();
    if (isOther) rows.reveal(lines.indexAt(top), 'start');
    this.update();
    this.stay();
  }

  private scrolled(): void {
    const { rows, loading } = this;
    const { lines, selection } = this.host;
    const { direction, isAtEnd, inView } = rows;
    const { first, last } = inView;
    if (direction === null || lines.count === 0) return;
    this.autoScroll.scrolled(direction, isAtEnd);
    const isSelectionSeen = selection.index >= first && selection.index <= last;
    this.anchor = isSelectionSeen ? 'selection' : isAtEnd ? 'end' : undefined;
    const atOlder = first < loadAhead;
    const atNewer = last >= lines.count - loadAhead;
    if (atOlder && direction === 'backward') loading.reached('older');
    else if (atNewer && direction === 'forward') loading.reached('newer');
    else if (!atOlder && !atNewer) loading.left();
  }

  /** The range of time of the records in view. */
  private spanOf({ first, last }: InView): TimeSpan | undefined {
    let span: TimeSpan | undefined;
    for (let index = first; index <= last; index++) {
      const at = this.host.lines.at(index)?.record.at;
      if (at === undefined || at === null) continue;
      span = { from: Math.min(at, span?.from ?? at), to: Math.max(at, span?.to ?? at) };
    }
    return span;
  }

  /** What is in view stays there. */
  private stay(): void {
    const { anchor, rows } = this;
    if (anchor === 'selection') rows.reveal(this.host.selection.index);
    else if (anchor === 'end') rows.toEnd();
  }

  private toEnd(): void {
    this.anchor = 'end';
    this.rows.toEnd();
  }

  private resume(): void {
    this.autoScroll.resume();
    this.toEnd();
    this.focus();
  }

  /** Selects the record with a key, if it is loaded. */
  private select(key: string): void {
    const row = this.host.store.indexOf(key);
    if (row === -1) return;
    this.focused = key;
    this.goToLine(this.host.lines.reveal(row), 'center');
    this.host.onSelect();
  }

  private markSelected(): void {
    const { selection, lines } = this.host;
    const { index } = selection;
    const id = index === -1 ? undefined : `row-${lines.numberAt(index)}`;
    setAttribute(this.grid, 'aria-activedescendant', id);
  }

  private goToLine(index: number, align: 'auto' | 'center' = 'auto'): void {
    this.host.selection.select(index);
    this.rows.update();
    this.rows.reveal(index, align);
    this.anchor = 'selection';
    this.markSelected();
  }

  /** The user selected another line. */
  private selected(): void {
    const { selection, lines, onSelect } = this.host;
    if (selection.index < lines.count - 1) this.autoScroll.hold();
    this.goToLine(selection.index);
    onSelect();
  }

  /** Opens or closes the trace of a line. */
  private open(index: number, isOpen: boolean): void {
    if (!this.host.lines.open(index, isOpen)) return;
    this.autoScroll.hold();
    this.update();
    this.goToLine(index);
  }

  private act(action: ListAction): void {
    const { lines, selection, onAction } = this.host;
    const { index } = selection;
    const line = lines.at(index);
    switch (action.kind) {
      case 'move':
        this.move(action.move);
        return;
      case 'error':
        this.toError(action.direction);
        return;
      case 'expand':
        if (line?.isOpen === true) this.move('next');
        else this.open(index, true);
        return;
      case 'collapse':
        if (line?.isInTrace !== true) this.open(index, false);
        else {
          selection.select(lines.traceAt(index));
          this.selected();
        }
        return;
      case 'open':
        // A trace opens in place.
        if (action.enter && line?.isOpen !== undefined) this.open(index, !line.isOpen);
        else onAction(action);
        return;
      default:
        onAction(action);
    }
  }

  private move(move: Move): void {
    const { autoScroll, loading } = this;
    const { lines, selection } = this.host;
    const { first, last } = this.rows.inView;
    if (move === 'last') autoScroll.resume();
    if (selection.move(move, last - first - 1, move === 'next' ? first : last)) this.selected();
    if (selection.index === 0) loading.reached('older');
    if (selection.index === lines.count - 1) loading.reached('newer');
  }

  /** Selects the line that the mouse is on. @returns whether it is on one. */
  private selectAt({ target }: Event): boolean {
    const row = target instanceof Element ? target.closest<HTMLElement>('.rows .row') : null;
    if (row === null) return false;
    this.host.selection.select(Number(row.dataset['index']));
    this.selected();
    return true;
  }

  private press(event: KeyboardEvent): void {
    if (event.target !== this.grid) return;
    const action = listAction(event, hasSelectedText());
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(action);
  }

  private click(event: Event): void {
    if (hasSelectedText() || !this.selectAt(event)) return;
    const { lines, selection } = this.host;
    this.act({ kind: 'open', enter: lines.at(selection.index)?.isOpen !== undefined });
  }

  /** VS Code shows the context menu for this: for the row under the mouse, or for the selected row. */
  private setMenuContext(event: Event): void {
    const { grid } = this;
    const { lines, selection } = this.host;
    const isOfRow = event.target === grid || this.selectAt(event);
    const record = isOfRow ? lines.at(selection.index)?.record : undefined;
    grid.dataset['vscodeContext'] = JSON.stringify({
      ...(record === undefined ? {} : menuContext(record)),
      // Cut, copy and paste make sense only with selected text.
      preventDefaultContextMenuItems: !hasSelectedText(),
    });
  }
}

function hasSelectedText(): boolean {
  return getSelection()?.isCollapsed === false;
}
