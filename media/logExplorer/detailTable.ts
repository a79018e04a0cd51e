import type { DetailField } from '../../src/logs/explorer/protocol/messages';
import { canBeColumn } from './columns';
import { element, icon } from './dom';
import type { Strings } from './panel';
import { rove } from './roving';

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
