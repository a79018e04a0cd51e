import type { PageWord } from '../../src/logs/explorer/ui/strings';
import { element, icon, setText } from './dom';
import type { Words } from './words';

/** An end of the list: what there is beyond it, which is a button where more can be loaded. */
export interface ListEnd {
  readonly row: HTMLElement;
  show(text: string, canLoad: boolean): void;
  /** Whether Tab leads to the button. */
  setTabbable(isTabbable: boolean): void;
}

/** The elements of the list. */
export interface ListFrame {
  readonly element: HTMLElement;
  /** What has the focus and scrolls. */
  readonly grid: HTMLElement;
  readonly header: HTMLElement;
  readonly older: ListEnd;
  readonly body: HTMLElement;
  readonly newer: ListEnd;
  /** What is said where there are no rows. */
  readonly empty: HTMLElement;
  /** Says how many new records there are while the list is paused; undefined while it is not. */
  showNew(newRecords: number | undefined): void;
}

/** A row of a grid with one cell over all columns. */
function listEnd(className: string, onLoad: () => void): ListEnd {
  const text = element('span');
  const button = element('button', { class: 'link', onClick: onLoad });
  button.tabIndex = -1;
  const cell = element(
    'div',
    { attributes: { role: 'gridcell', 'aria-colspan': '4' } },
    text,
    button,
  );
  const row = element('div', { class: `end ${className}`, attributes: { role: 'row' } }, cell);
  return {
    row,
    show(shown, canLoad) {
      // Who used the button goes on in the list.
      if (!canLoad && button === document.activeElement) row.parentElement?.focus();
      setText(text, canLoad ? '' : shown);
      setText(button, canLoad ? shown : '');
      button.hidden = !canLoad;
      row.hidden = shown === '';
    },
    setTabbable(isTabbable) {
      button.tabIndex = isTabbable ? 0 : -1;
    },
  };
}

export interface ListFrameActions {
  readonly load: (end: 'older' | 'newer') => void;
  readonly goOn: () => void;
}

/** Makes the elements of the list. */
export function listFrame(words: Words, actions: ListFrameActions): ListFrame {
  const columns = ['Time', 'Severity', 'Workload', 'Body'] as const;
  const header = element(
    'div',
    { class: 'row header', attributes: { role: 'row', 'aria-rowindex': '1' } },
    ...columns.map((name) =>
      element('div', {
        class: `cell ${name.toLowerCase()}`,
        text: words(`list${name}` satisfies PageWord),
        attributes: { role: 'columnheader' },
      }),
    ),
  );
  const older = listEnd('older', () => actions.load('older'));
  const newer = listEnd('newer', () => actions.load('newer'));
  const body = element('div', { class: 'rows', attributes: { role: 'rowgroup' } });
  const grid = element(
    'div',
    {
      class: 'grid',
      attributes: {
        role: 'grid',
        tabindex: '0',
        'aria-label': words('listLabel'),
        'aria-keyshortcuts': 'Enter Space F8 Shift+F8 Control+F Control+C Alt+Z Alt+ArrowLeft',
      },
    },
    header,
    older.row,
    body,
    newer.row,
  );
  // Who leaves the list by Tab is not to be taken to an end of it, where more would be loaded.
  const ends = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        (target === older.row ? older : newer).setTabbable(isIntersecting);
      }
    },
    { root: grid },
  );
  for (const { row } of [older, newer]) ends.observe(row);
  const empty = element('p', { class: 'empty' });
  const goOn = element('button', { class: 'go-on', onClick: actions.goOn });
  // It lies over the list, and is not to stop the wheel.
  goOn.addEventListener('wheel', ({ deltaY }) => grid.scrollBy({ top: deltaY }), { passive: true });
  const list = element('div', { class: 'list' }, grid, empty, goOn);
  return {
    element: list,
    grid,
    header,
    older,
    body,
    newer,
    empty,
    showNew(newRecords) {
      goOn.hidden = newRecords === undefined;
      if (newRecords === undefined) return;
      const label = newRecords === 0 ? words('goOn') : words('newRecords', newRecords);
      goOn.replaceChildren(icon('arrow-down'), label);
    },
  };
}
