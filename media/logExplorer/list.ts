import type { View } from '../../src/logs/explorer/panel/view';
import { createAutoScroll, createLoading } from './listEnds';
import type { Find } from './find';
import {
  columnWidths,
  fillRow,
  listFrame,
  makeRow,
  menuContext,
  probeRowHeight,
} from './listElements';
import type { Panel, Strings } from './panel';
import type { Move, RowStore, Selection } from './rowStore';
import { createVirtualRows } from './virtualRows';

interface ListHost {
  readonly ask: Panel['ask'];
  readonly strings: Strings;
  readonly store: RowStore;
  readonly selection: Selection;
  readonly find: Find;
  /** Shows an error of the panel. */
  readonly report: (error: unknown) => void;
  /** The user selected another row. */
  readonly onSelect: () => void;
  /** An action that the list does not handle itself. */
  readonly onAction: (action: Exclude<ListAction, { kind: 'move' | 'error' }>) => void;
}

/** The list of records: oldest at the top, newest at the bottom, as in the log channel. */
export interface List {
  readonly element: HTMLElement;
  show(view: View): void;
  /** Shows rows that came, went or changed. */
  update(): void;
  setWrap(wrap: boolean): void;
  /** Selects a row and scrolls to it. */
  goTo(index: number): void;
  /** Selects the next or the previous error, as its key does. */
  toError(direction: 1 | -1): void;
  focus(): void;
}

/** More records are loaded when this many rows are left before an end. */
const loadAhead = 20;

export function createList(host: ListHost): List {
  const { strings, store, selection, find } = host;
  let view: View | undefined;
  let wrap = false;
  /** The record to select that was shown last. */
  let focused: string | undefined;
  /** What stays in view when the list changes its size. */
  let anchor: 'selection' | 'end' | undefined;
  /** The replacement count of the rows that were shown last. */
  let replacements = store.replacements;

  const autoScroll = createAutoScroll((what) => void host.ask(what, {}).catch(host.report));
  const loading = createLoading({
    ask: (end) => host.ask(end, {}),
    size: () => store.rows.length,
    report: host.report,
    after: (milliseconds, call) => void setTimeout(call, milliseconds),
  });
  const frame = listFrame(strings, {
    load: (end) => loading.load(end),
    resume() {
      autoScroll.resume();
      toEnd();
      frame.grid.focus();
    },
  });
  const { grid, body } = frame;
  const probe = probeRowHeight(frame.element, () => rows.forgetHeights());

  const rows = createVirtualRows({
    scroller: grid,
    body,
    covered: () => frame.header.offsetHeight,
    count: () => store.rows.length,
    first: () => store.first,
    alwaysThere: () => selection.index,
    make: makeRow,
    fill(row, index) {
      const record = store.rows[index];
      if (record === undefined) return;
      const isSelected = index === selection.index;
      row.id = `row-${store.first + index}`;
      row.setAttribute('aria-rowindex', String(index + 2));
      row.setAttribute('aria-selected', String(isSelected));
      row.classList.toggle('in-focus', record.key === view?.focus);
      fillRow(row, record, { strings, wrap, matches: (text) => find.matches(text) });
    },
    height: () => probe.height,
    isMeasured: () => wrap,
    onScroll() {
      const { first, last } = rows.inView;
      const { direction } = rows;
      if (direction === null || store.rows.length === 0) return;
      autoScroll.scrolled(direction, rows.isAtEnd);
      const { index } = selection;
      anchor = index >= first && index <= last ? 'selection' : rows.isAtEnd ? 'end' : undefined;
      const atOlder = first < loadAhead;
      const atNewer = last >= store.rows.length - loadAhead;
      if (atOlder && direction === 'backward') loading.reached('older');
      else if (atNewer && direction === 'forward') loading.reached('newer');
      else if (!atOlder && !atNewer) loading.left();
    },
  });

  new ResizeObserver(() => {
    if (anchor === 'selection' && selection.index !== -1) rows.reveal(selection.index);
    else if (anchor === 'end') rows.toEnd();
  }).observe(grid);

  function toEnd(): void {
    anchor = 'end';
    rows.toEnd();
  }

  function update(): void {
    const { length } = store.rows;
    const { isOn: staysAtEnd } = autoScroll;
    const isOther = replacements !== store.replacements && length > 0;
    if (isOther) {
      replacements = store.replacements;
      // The same record may be in another list.
      focused = undefined;
    }
    grid.setAttribute('aria-rowcount', String(length + 1));
    frame.empty.textContent = length === 0 ? emptyText() : '';
    frame.empty.hidden = frame.empty.textContent === '';
    columnWidths(frame.element, store.rows);
    rows.update();
    const focus = view?.focus;
    if (focus !== undefined && focus !== focused) {
      const index = store.indexOf(focus);
      if (index !== -1) {
        focused = focus;
        goTo(index, 'center');
        host.onSelect();
      }
    } else if (staysAtEnd || (isOther && focus === undefined)) toEnd();
    active();
  }

  function emptyText(): string {
    if (view?.state === 'idle') return strings('listIdle');
    return view?.state === 'ready' ? strings('listNone') : '';
  }

  function active(): void {
    const { index } = selection;
    if (index === -1) grid.removeAttribute('aria-activedescendant');
    else grid.setAttribute('aria-activedescendant', `row-${store.first + index}`);
  }

  function goTo(index: number, align: 'auto' | 'center' = 'auto'): void {
    selection.select(index);
    rows.update();
    rows.reveal(index, align);
    anchor = 'selection';
    active();
  }

  /** The user selected another row. */
  function selected(): void {
    if (selection.index < store.rows.length - 1) autoScroll.hold();
    goTo(selection.index);
    host.onSelect();
  }

  function act(action: ListAction): void {
    const { first, last } = rows.inView;
    if (action.kind === 'move') {
      const { move } = action;
      if (move === 'last') autoScroll.resume();
      if (selection.move(move, last - first - 1, move === 'next' ? first : last)) selected();
      if (selection.index === 0) loading.reached('older');
      if (selection.index === store.rows.length - 1) loading.reached('newer');
    } else if (action.kind === 'error') {
      if (selection.moveToError(action.direction, action.direction === 1 ? first : last)) {
        selected();
      }
    } else host.onAction(action);
  }

  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid) return;
    const action = listAction(event);
    if (action === undefined) return;
    // The browser copies selected text.
    if (action.kind === 'copy' && getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.stopPropagation();
    act(action);
  });
  function select({ target }: Event): boolean {
    const row = target instanceof Element ? target.closest<HTMLElement>('.rows .row') : null;
    if (row === null) return false;
    selection.select(Number(row.dataset['index']));
    selected();
    return true;
  }

  body.addEventListener('click', (event) => {
    if (getSelection()?.isCollapsed === false || !select(event)) return;
    host.onAction({ kind: 'open', enter: false });
  });
  // VS Code shows the context menu for this: for the row under the mouse, or for the selected row.
  grid.addEventListener('contextmenu', (event) => {
    const isOfRow = event.target === grid || select(event);
    const row = isOfRow ? store.rows[selection.index] : undefined;
    grid.dataset['vscodeContext'] = JSON.stringify({
      ...(row === undefined ? {} : menuContext(row)),
      // Cut, copy and paste make sense only with selected text.
      preventDefaultContextMenuItems: getSelection()?.isCollapsed !== false,
    });
  });

  return {
    element: frame.element,
    show(next) {
      view = next;
      if (next.focus === undefined) focused = undefined;
      autoScroll.take(next.following);
      loading.take(next);
      frame.older.show(next.older, loading.canLoad('older'));
      frame.newer.show(next.newer, loading.canLoad('newer'));
      grid.setAttribute('aria-busy', String(next.state === 'loading'));
      const { following } = next;
      frame.showNew(following?.state === 'paused' ? following.newRecords : undefined);
      update();
    },
    update,
    setWrap(next) {
      wrap = next;
      frame.element.classList.toggle('wrap', next);
      rows.forgetHeights();
    },
    goTo: (index) => {
      if (index < store.rows.length - 1) autoScroll.hold();
      goTo(index);
    },
    toError: (direction) => act({ kind: 'error', direction }),
    focus: () => grid.focus(),
  };
}

/** The action of a key in the list. */
export type ListAction =
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'error'; readonly direction: 1 | -1 }
  | { readonly kind: 'found'; readonly direction: 1 | -1 }
  /** Shows the details; `enter`: and moves the focus there. */
  | { readonly kind: 'open'; readonly enter: boolean }
  | { readonly kind: 'find' | 'close' | 'copy' | 'wrap' };

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const moves: Readonly<Record<string, Move>> = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
};

/** The action of a key, as in the lists and editors of VS Code; undefined if it has none. */
export function listAction(event: Key): ListAction | undefined {
  const { key, shiftKey, altKey } = event;
  const main = event.ctrlKey || event.metaKey;
  const direction = shiftKey ? -1 : 1;
  if (main) {
    if (shiftKey || altKey) return undefined;
    if (key === 'f') return { kind: 'find' };
    if (key === 'c') return { kind: 'copy' };
    const move = moves[key];
    return move === 'first' || move === 'last' ? { kind: 'move', move } : undefined;
  }
  // On a Mac, Alt changes the character of a key.
  if (altKey) return event.code === 'KeyZ' && !shiftKey ? { kind: 'wrap' } : undefined;
  if (key === 'F8') return { kind: 'error', direction };
  if (key === 'F3') return { kind: 'found', direction };
  if (shiftKey) return undefined;
  const move = moves[key];
  if (move !== undefined) return { kind: 'move', move };
  if (key === 'Enter') return { kind: 'open', enter: true };
  if (key === ' ') return { kind: 'open', enter: false };
  return key === 'Escape' ? { kind: 'close' } : undefined;
}
