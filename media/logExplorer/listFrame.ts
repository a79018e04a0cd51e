import type { PageWord } from '../../src/panels/logExplorer/words';
import { element, icon } from './dom';
import type { Words } from './words';

/** An end of the list: what there is beyond it, and a button where more can be loaded. */
export interface ListEnd {
  readonly row: HTMLElement;
  show(text: string, canLoad: boolean): void;
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
  /** Goes to the end and on from there. */
  readonly goOn: HTMLButtonElement;
}

/** A row of a grid with one cell over all columns. */
function listEnd(className: string, label: string, onLoad: () => void): ListEnd {
  const text = element('span');
  const button = element('button', { class: 'link', text: label, onClick: onLoad });
  const cell = element(
    'div',
    { attributes: { role: 'gridcell', 'aria-colspan': '4' } },
    text,
    ' ',
    button,
  );
  const row = element('div', { class: `end ${className}`, attributes: { role: 'row' } }, cell);
  return {
    row,
    show(shown, canLoad) {
      text.textContent = shown;
      // Who used the button goes on in the list.
      if (!canLoad && button === document.activeElement) row.parentElement?.focus();
      button.hidden = !canLoad;
      row.hidden = shown === '' && !canLoad;
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
  const older = listEnd('older', words('loadOlder'), () => actions.load('older'));
  const newer = listEnd('newer', words('loadNewer'), () => actions.load('newer'));
  const body = element('div', { class: 'rows', attributes: { role: 'rowgroup' } });
  const grid = element(
    'div',
    {
      class: 'grid',
      attributes: {
        role: 'grid',
        tabindex: '0',
        'aria-label': words('listLabel'),
        'aria-keyshortcuts': 'Enter Space F8 Shift+F8 Control+F Control+C Alt+Z',
      },
    },
    header,
    older.row,
    body,
    newer.row,
  );
  const empty = element('p', { class: 'empty' });
  const goOn = element('button', { class: 'go-on', onClick: actions.goOn }, icon('arrow-down'));
  const list = element('div', { class: 'list' }, grid, empty, goOn);
  return { element: list, grid, header, older, body, newer, empty, goOn };
}
