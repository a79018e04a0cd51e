import type { DetailField } from '../../src/logs/explorer/protocol/messages';
import { canBeColumn } from './columns';
import { element, icon } from './dom';
import type { Strings } from './panel';

/** The actions for a value. */
export type ValueAction = 'only' | 'exclude' | 'copy' | 'column';

interface TableHost {
  readonly strings: Strings;
  readonly onAction: (field: string, action: ValueAction) => void;
  readonly isColumn: (field: string) => boolean;
}

const icons = { only: 'filter', exclude: 'circle-slash', copy: 'copy', column: 'table' } as const;

/**
 * Creates a table of fields with buttons for every value. As in every grid, Tab moves to one button, and
 * the arrow keys to the others.
 */
export function detailTable(
  title: string,
  details: readonly DetailField[],
  host: TableHost,
): Element[] {
  if (details.length === 0) return [];
  const table = element('div', {
    class: 'values',
    attributes: { role: 'grid', 'aria-label': title },
  });
  for (const detail of details) table.append(detailRow(detail, host));
  showColumns(table, host.isColumn);
  rove(table).update();
  return [element('h3', { text: title }), table];
}

function detailRow(
  { field, value, canAdd, canExclude }: DetailField,
  host: TableHost,
): HTMLElement {
  const { strings, onAction } = host;
  const short = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  const button = (action: ValueAction, label: string): HTMLElement => {
    const made = element(
      'button',
      {
        class: 'icon-button',
        attributes: { title: label, 'aria-label': `${label}: ${field} ${short}`, tabindex: '-1' },
        onClick: () => onAction(field, action),
      },
      icon(icons[action]),
    );
    Object.assign(made.dataset, { action, field });
    return made;
  };
  return element(
    'div',
    { class: 'value-row', attributes: { role: 'row' } },
    element('div', { class: 'field', text: field, attributes: { role: 'rowheader' } }),
    element('div', { class: 'value', text: value, attributes: { role: 'gridcell' } }),
    element(
      'div',
      { class: 'buttons', attributes: { role: 'gridcell' } },
      ...(canAdd ? [button('only', strings('detailsOnly'))] : []),
      ...(canExclude ? [button('exclude', strings('detailsExclude'))] : []),
      button('copy', strings('detailsCopyValue')),
      ...(canBeColumn(field) ? [button('column', strings('detailsColumn'))] : []),
    ),
  );
}

/** Shows which fields are columns. */
export function showColumns(place: Element, isColumn: (field: string) => boolean): void {
  for (const button of place.querySelectorAll<HTMLElement>('[data-action=column]')) {
    button.setAttribute('aria-pressed', String(isColumn(button.dataset['field'] ?? '')));
  }
}

/**
 * Makes Tab move to the button that had the focus last, and the arrow keys to the others.
 *
 * @param table its children are the rows. `update` is called when they are others.
 */
export function rove(table: HTMLElement): { readonly update: () => void } {
  let stop: HTMLButtonElement | undefined;
  const setStop = (next: HTMLButtonElement | undefined): void => {
    if (stop !== undefined) stop.tabIndex = -1;
    stop = next;
    if (stop !== undefined) stop.tabIndex = 0;
  };
  const grid = (): HTMLButtonElement[][] =>
    [...table.children].map((row) => [...row.querySelectorAll('button')]);
  table.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLButtonElement) setStop(target);
  });
  table.addEventListener('keydown', (event) => {
    const buttons = grid();
    const row = buttons.findIndex((all) => all.some((button) => button === event.target));
    const column = buttons[row]?.findIndex((button) => button === event.target) ?? -1;
    const next = column === -1 ? undefined : nextButton(buttons, row, column, event.key);
    if (next === undefined) return;
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return { update: () => setStop(grid()[0]?.[0]) };
}

function nextButton<Button>(
  grid: readonly (readonly Button[])[],
  row: number,
  column: number,
  key: string,
): Button | undefined {
  const inRow = (buttons: readonly Button[] | undefined): Button | undefined =>
    buttons?.[Math.min(column, buttons.length - 1)];
  switch (key) {
    case 'ArrowUp':
      return inRow(grid[row - 1]);
    case 'ArrowDown':
      return inRow(grid[row + 1]);
    case 'ArrowLeft':
      return grid[row]?.[column - 1];
    case 'ArrowRight':
      return grid[row]?.[column + 1];
    case 'Home':
      return inRow(grid[0]);
    case 'End':
      return inRow(grid.at(-1));
    default:
      return undefined;
  }
}
