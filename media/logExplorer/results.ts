import type { RowsMessage } from '../../src/logs/explorer/protocol/messages';
import type { LogRow, View } from '../../src/logs/explorer/protocol/view';
import { textsOf } from './columns';
import { RecordDetails } from './details';
import { element } from './dom';
import { Find, FindBar } from './find';
import { Lines, createTraceRow, RowStore } from './lines';
import { List, type OtherAction } from './list';
import type { PageContext } from './pageQuery';
import { Patterns } from './patterns';
import { Selection } from './selection';
import type { TimeSpan } from '../../src/logs/explorer/protocol/view';

/** The list with its find bar, and the details of the selected record. */
export interface Results {
  readonly patterns: Pick<Patterns, 'isOpen' | 'toggle' | 'close' | 'onToggle'>;
  show(view: View): void;
  change(message: RowsMessage): void;
  setWrap(wrap: boolean): void;
  openFind(): void;
  /** Selects the next or the previous error. */
  toError(direction: 1 | -1): void;
  focus(): void;
  /** @param listener called with the time of the records in view, or undefined if there are none. */
  onView(listener: (span: TimeSpan | undefined) => void): void;
}

/** The minimum width for the details beside the list, in pixels. */
const wide = 900;

export function createResults(place: HTMLElement, context: PageContext): Results {
  const { ask, strings, report, layout } = context;
  const store = new RowStore();
  const lines = new Lines(store, createTraceRow(strings));
  const selection = new Selection(lines);
  const find = new Find(store, (row) => textsOf(row, layout.now));
  /** Whether the details were open and open again when the record to select arrives. */
  let reopens = false;
  const viewListeners: ((span: TimeSpan | undefined) => void)[] = [];

  const list = new List(context, {
    store,
    lines,
    selection,
    find,
    onSelect() {
      if (details.isOpen || reopens) openDetails();
    },
    onAction: act,
    onView(span) {
      for (const listener of viewListeners) listener(span);
    },
  });
  const findBar = new FindBar(strings, find, {
    from: () => lines.rowAt(selection.index),
    goTo(row) {
      list.goTo(row);
      if (details.isOpen) openDetails();
    },
    onChange: () => list.update(),
    onClose: () => list.focus(),
  });
  const details = new RecordDetails(context, {
    onClose: closeDetails,
    onLeave: () => list.focus(),
  });
  const patterns = new Patterns(context);
  patterns.onToggle(() => {
    hideDetails();
    if (patterns.isOpen && findBar.isOpen) findBar.close();
    list.frame.hidden = patterns.isOpen;
    if (!patterns.isOpen) list.focus();
  });
  const splitter = createSplitter(place, strings('detailsSplitter'));
  const listPlace = document.createElement('div');
  listPlace.className = 'list-place';
  listPlace.append(findBar, list.frame, patterns);
  place.append(listPlace, splitter, details);
  hideDetails();

  let searched = '';
  layout.onChange(() => {
    const { columns, time } = layout.now;
    const texts = JSON.stringify([time, ...columns.map(({ field }) => field)]);
    if (texts === searched) return;
    searched = texts;
    find.startAgain();
    findBar.rowsChanged();
  });
  new ResizeObserver(() => {
    place.classList.toggle('below', place.clientWidth < wide);
  }).observe(place);

  function selected(): LogRow | undefined {
    return lines.at(selection.index)?.record;
  }

  function openDetails(): void {
    const record = selected();
    if (record === undefined) return;
    reopens = false;
    details.show(record);
    splitter.hidden = false;
    place.classList.add('with-details');
  }

  function hideDetails(): void {
    const hadFocus = details.contains(document.activeElement);
    details.hide();
    splitter.hidden = true;
    place.classList.remove('with-details');
    if (hadFocus) list.focus();
  }

  function closeDetails(): void {
    hideDetails();
    list.focus();
  }

  function act(action: OtherAction): void {
    switch (action.kind) {
      case 'open':
        openDetails();
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
        else if (details.isOpen) closeDetails();
        return;
      case 'copy': {
        const key = selected()?.key;
        if (key !== undefined) ask('copyLine', { key }).catch(report);
        return;
      }
      case 'wrap':
        context.wrap.toggle();
    }
  }

  return {
    patterns,
    show(view) {
      if (view.epoch > store.epoch) {
        store.startEpoch(view.epoch);
        lines.update();
        // Details of removed records are not shown.
        reopens = details.isOpen && view.focus !== undefined;
        hideDetails();
        findBar.rowsChanged();
      }
      list.show(view);
      patterns.show(view);
    },
    change(message) {
      store.change(message);
      lines.update();
      findBar.rowsChanged();
      list.update();
    },
    setWrap: (wrap) => list.setWrap(wrap),
    openFind() {
      patterns.close();
      findBar.open();
    },
    toError(direction) {
      patterns.close();
      list.toError(direction);
      list.focus();
    },
    focus: () => list.focus(),
    onView: (listener) => void viewListeners.push(listener),
  };
}

/**
 * Creates a splitter for mouse and keyboard. The split layout of the component library cannot be used with
 * the keyboard and always shows both parts. The share of the second part is the variable `--share` of
 * their container.
 *
 * @param container its class `below` means that the parts are one below the other.
 */
function createSplitter(container: HTMLElement, label: string): HTMLElement {
  const limits = { least: 15, most: 80 };
  let share = 45;
  const bar = element('div', {
    class: 'splitter',
    attributes: {
      role: 'separator',
      tabindex: '0',
      'aria-label': label,
      'aria-valuemin': String(limits.least),
      'aria-valuemax': String(limits.most),
    },
  });
  const isBelow = (): boolean => container.classList.contains('below');

  function set(next: number): void {
    share = Math.max(limits.least, Math.min(limits.most, next));
    container.style.setProperty('--share', `${share}%`);
    bar.setAttribute('aria-valuenow', String(Math.round(share)));
  }

  bar.addEventListener('pointerdown', (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
    bar.focus();
  });
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const { left, right, top, bottom } = container.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(container).direction === 'rtl';
    const [from, to, at] = isBelow()
      ? [bottom, top, event.clientY]
      : isRightToLeft
        ? [left, right, event.clientX]
        : [right, left, event.clientX];
    set(((from - at) / (from - to)) * 100);
  });
  bar.addEventListener('keydown', ({ key }) => {
    const larger = isBelow() ? 'ArrowUp' : 'ArrowLeft';
    const smaller = isBelow() ? 'ArrowDown' : 'ArrowRight';
    if (key === larger) set(share + 3);
    else if (key === smaller) set(share - 3);
    else if (key === 'Home') set(limits.least);
    else if (key === 'End') set(limits.most);
  });
  new ResizeObserver(() => {
    // The orientation of a separator is that of the line itself.
    bar.setAttribute('aria-orientation', isBelow() ? 'horizontal' : 'vertical');
  }).observe(container);
  set(share);
  return bar;
}
