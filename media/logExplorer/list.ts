import type { View } from '../../src/logs/explorer/protocol/view';
import { createColumnHeader } from './columnHeader';
import { setAttribute } from './dom';
import type { Find } from './find';
import type { Lines, RowStore } from './lines';
import { listFrame, menuContext, probeRowHeight } from './listElements';
import { AutoScroll, Loading } from './listEnds';
import type { PageContext } from './pageQuery';
import { createRowDrawing } from './rowDrawing';
import { listAction, type ListAction, type Selection } from './selection';
import type { TimeSpan } from '../../src/logs/explorer/protocol/view';
import { createVirtualRows, type InView } from './virtualRows';

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

/** The list of records: oldest at the top, newest at the bottom, as in the log channel. */
export interface List {
  readonly element: HTMLElement;
  show(view: View): void;
  /** Shows rows that came, went or changed. */
  update(): void;
  setWrap(wrap: boolean): void;
  /** Selects the line of a row, by its index, and scrolls to it. The trace that contains it opens. */
  goTo(row: number): void;
  /** Selects the next or the previous error, as its key does. */
  toError(direction: 1 | -1): void;
  focus(): void;
}

/** More records are loaded when this many lines are left before an end. */
const loadAhead = 20;

/** The time between two updates of relative times, in milliseconds. */
const tick = 1000;

export function createList(context: PageContext, host: ListHost): List {
  const { ask, strings, layout, report } = context;
  const { store, lines, selection, find } = host;
  let view: View | undefined;
  let wrap = false;
  /** The record to select that was shown last. */
  let focused: string | undefined;
  /** What stays in view when the list changes its size. */
  let anchor: 'selection' | 'end' | undefined;
  /** The replacement count of the rows that were shown last. */
  let replacements = store.replacements;

  const autoScroll = new AutoScroll((what) => void ask(what, {}).catch(report));
  const loading = new Loading({
    ask: (end) => ask(end, {}),
    size: () => store.rows.length,
    report,
    after: (milliseconds, call) => void setTimeout(call, milliseconds),
  });
  const drawing = createRowDrawing(strings, lines, find);
  const header = createColumnHeader(context, drawing.agoWidth, () => grid.focus());
  const frame = listFrame(strings, header, {
    load: (end) => loading.load(end),
    resume() {
      autoScroll.resume();
      toEnd();
      grid.focus();
    },
  });
  const { grid, body } = frame;
  const probe = probeRowHeight(frame.element, () => rows.forgetHeights());

  const rows = createVirtualRows({
    scroller: grid,
    body,
    covered: () => header.row.offsetHeight,
    count: () => lines.count,
    numberAt: (index) => lines.numberAt(index),
    revision: () => lines.revision,
    alwaysThere: () => selection.index,
    make: () => drawing.make(),
    fill(row, index) {
      row.setAttribute('aria-selected', String(index === selection.index));
      row.classList.toggle('in-focus', lines.at(index)?.record.key === view?.focus);
      drawing.fill(row, index);
    },
    height: () => probe.height,
    isMeasured: () => wrap,
    onDraw: (inView) => host.onView(spanOf(inView)),
    onScroll() {
      const { first, last } = rows.inView;
      const { direction } = rows;
      if (direction === null || lines.count === 0) return;
      autoScroll.scrolled(direction, rows.isAtEnd);
      const { index } = selection;
      anchor = index >= first && index <= last ? 'selection' : rows.isAtEnd ? 'end' : undefined;
      const atOlder = first < loadAhead;
      const atNewer = last >= lines.count - loadAhead;
      if (atOlder && direction === 'backward') loading.reached('older');
      else if (atNewer && direction === 'forward') loading.reached('newer');
      else if (!atOlder && !atNewer) loading.left();
    },
  });

  new ResizeObserver(() => stay()).observe(grid);
  setInterval(() => {
    if (layout.now.time !== 'absolute' && !document.hidden) drawing.tick(body.children);
  }, tick);
  layout.onChange(layOut);
  layOut();

  function layOut(): void {
    const { columns, time, isByTrace } = layout.now;
    drawing.setLook({ wrap, time, fields: columns.map(({ field }) => field) });
    frame.setLook(layout.now, wrap);
    const top = lines.numberAt(rows.inView.first);
    const isOther = isByTrace !== lines.isGrouped;
    lines.group(isByTrace);
    rows.forgetHeights();
    if (isOther) rows.reveal(lines.indexAt(top), 'start');
    update();
    stay();
  }

  /** The range of time of the records in view. */
  function spanOf({ first, last }: InView): TimeSpan | undefined {
    let span: TimeSpan | undefined;
    for (let index = first; index <= last; index++) {
      const at = lines.at(index)?.record.at;
      if (at === undefined || at === null) continue;
      span = { from: Math.min(at, span?.from ?? at), to: Math.max(at, span?.to ?? at) };
    }
    return span;
  }

  /** What is in view stays there. */
  function stay(): void {
    if (anchor === 'selection' && selection.index !== -1) rows.reveal(selection.index);
    else if (anchor === 'end') rows.toEnd();
  }

  function toEnd(): void {
    anchor = 'end';
    rows.toEnd();
  }

  function update(): void {
    const { count } = lines;
    const { isOn: staysAtEnd } = autoScroll;
    const isOther = replacements !== store.replacements && count > 0;
    if (isOther) {
      replacements = store.replacements;
      // The same record may be in another list.
      focused = undefined;
    }
    frame.setSize({ lines: count, columns: layout.now.columns.length + 1 });
    header.update(frame.element, store.rows);
    rows.update();
    const focus = view?.focus;
    if (focus !== undefined && focus !== focused) {
      const row = store.indexOf(focus);
      if (row !== -1) {
        focused = focus;
        goTo(lines.reveal(row), 'center');
        host.onSelect();
      }
    } else if (staysAtEnd || (isOther && focus === undefined)) toEnd();
    active();
  }

  function active(): void {
    const { index } = selection;
    const id = index === -1 ? undefined : `row-${lines.numberAt(index)}`;
    setAttribute(grid, 'aria-activedescendant', id);
  }

  function goTo(index: number, align: 'auto' | 'center' = 'auto'): void {
    selection.select(index);
    rows.update();
    rows.reveal(index, align);
    anchor = 'selection';
    active();
  }

  /** The user selected another line. */
  function selected(): void {
    if (selection.index < lines.count - 1) autoScroll.hold();
    goTo(selection.index);
    host.onSelect();
  }

  /** Opens or closes the trace of a line. */
  function open(index: number, isOpen: boolean): void {
    if (!lines.open(index, isOpen)) return;
    autoScroll.hold();
    update();
    goTo(index);
  }

  function act(action: ListAction): void {
    const { first, last } = rows.inView;
    const { index } = selection;
    const line = lines.at(index);
    switch (action.kind) {
      case 'move': {
        const { move } = action;
        if (move === 'last') autoScroll.resume();
        if (selection.move(move, last - first - 1, move === 'next' ? first : last)) selected();
        if (selection.index === 0) loading.reached('older');
        if (selection.index === lines.count - 1) loading.reached('newer');
        return;
      }
      case 'error':
        if (selection.moveToError(action.direction, action.direction === 1 ? first : last))
          selected();
        return;
      case 'expand':
        if (line?.isOpen === true) act({ kind: 'move', move: 'next' });
        else open(index, true);
        return;
      case 'collapse':
        if (line?.isInTrace !== true) open(index, false);
        else {
          selection.select(lines.traceAt(index));
          selected();
        }
        return;
      case 'open':
        // A trace opens in place.
        if (action.enter && line?.isOpen !== undefined) open(index, !line.isOpen);
        else host.onAction(action);
        return;
      default:
        host.onAction(action);
    }
  }

  function select({ target }: Event): boolean {
    const row = target instanceof Element ? target.closest<HTMLElement>('.rows .row') : null;
    if (row === null) return false;
    selection.select(Number(row.dataset['index']));
    selected();
    return true;
  }

  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid) return;
    const action = listAction(event, getSelection()?.isCollapsed === false);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act(action);
  });
  body.addEventListener('click', (event) => {
    if (getSelection()?.isCollapsed === false || !select(event)) return;
    act({ kind: 'open', enter: lines.at(selection.index)?.isOpen !== undefined });
  });
  // VS Code shows the context menu for this: for the row under the mouse, or for the selected row.
  grid.addEventListener('contextmenu', (event) => {
    const isOfRow = event.target === grid || select(event);
    const record = isOfRow ? lines.at(selection.index)?.record : undefined;
    grid.dataset['vscodeContext'] = JSON.stringify({
      ...(record === undefined ? {} : menuContext(record)),
      // Cut, copy and paste make sense only with selected text.
      preventDefaultContextMenuItems: getSelection()?.isCollapsed !== false,
    });
  });

  return {
    element: frame.element,
    show(next) {
      view = next;
      if (next.focus === undefined) focused = undefined;
      drawing.setNow(next.serverNow);
      autoScroll.apply(next.following);
      loading.apply(next);
      frame.show(next, (end) => loading.canLoad(end));
      update();
    },
    update,
    setWrap(next) {
      wrap = next;
      layOut();
    },
    goTo(row) {
      if (row < store.rows.length - 1) autoScroll.hold();
      goTo(lines.reveal(row));
    },
    toError: (direction) => act({ kind: 'error', direction }),
    focus: () => grid.focus(),
  };
}
