import type { LogRow } from '../../src/logs/explorer/protocol/view';
import { columnKind, sizes } from './columnKinds';
import { createFittingWidths, gridColumns, withMoved, withWidth } from './columns';
import { createMenu, element, type MenuItem, setText } from './dom';
import type { PageContext } from './pageQuery';
import type { Strings } from './panel';

/** The headings of the columns, with a menu for each. */
export interface ColumnHeader {
  readonly row: HTMLElement;
  /** Elements that belong into the list, but not into a row. */
  readonly others: readonly HTMLElement[];
  /** Shows the columns, with widths that fit the rows, in the list. */
  update(list: HTMLElement, rows: readonly LogRow[]): void;
}

/** How much a key changes the width of a column, in characters. */
const step = 2;

/** The heading of a column. */
function columnLabel(field: string, strings: Strings): string {
  const { heading } = columnKind(field);
  return heading === undefined ? field : strings(heading);
}

/**
 * Creates the headings. Tab moves to one of them, the arrow keys to the others. With Ctrl (on a Mac, Cmd),
 * they move the column, and with Shift, they change its width.
 *
 * @param agoWidth the width of a relative time, in characters.
 * @param onLeave moves the focus to the list.
 */
export function createColumnHeader(
  { ask, strings, layout, report }: PageContext,
  agoWidth: number,
  onLeave: () => void,
): ColumnHeader {
  const row = element('div', {
    class: 'row header',
    attributes: { role: 'row', 'aria-rowindex': '1' },
  });
  const menu = createMenu(strings('columns.menu'));
  const status = element('div', { class: 'unseen', attributes: { role: 'status' } });
  const fitting = createFittingWidths(agoWidth);
  // Its width is that of 100 characters of rows.
  const ruler = element('div', { class: 'ruler', attributes: { 'aria-hidden': 'true' } });
  let shown: readonly string[] = [];
  /** The heading that Tab moves to. */
  let current = 0;

  const fields = (): readonly string[] => layout.now.columns.map(({ field }) => field);
  const buttons = (): HTMLElement[] => [...row.querySelectorAll('button')];
  const label = (field: string): string => columnLabel(field, strings);
  const makeCurrent = (index: number): void => {
    const all = buttons();
    current = Math.max(0, Math.min(index, all.length - 1));
    all.forEach((button, one) => (button.tabIndex = one === current ? 0 : -1));
  };
  const goTo = (index: number): void => {
    makeCurrent(index);
    const button = buttons()[current];
    if (button === undefined) onLeave();
    else button.focus();
  };

  function move(field: string, by: 1 | -1): void {
    layout.change({ columns: withMoved(layout.now.columns, field, by) });
    const place = fields().indexOf(field) + 1;
    setText(status, strings('columns.moved', label(field), place, fields().length + 1));
  }

  function remove(field: string): void {
    layout.change({ columns: layout.now.columns.filter((one) => one.field !== field) });
    setText(status, strings('columns.removed', label(field)));
  }

  function resize(field: string, width: number | undefined): void {
    layout.change({ columns: withWidth(layout.now.columns, field, width) });
    const now = Math.round(widthOf(field));
    setText(status, strings('columns.resized', label(field), now));
  }

  /** The width of a column as it is shown, in characters. */
  function widthOf(field: string): number {
    const cell = row.children[fields().indexOf(field)];
    return ((cell?.getBoundingClientRect().width ?? 0) * 100) / Math.max(1, ruler.offsetWidth);
  }

  /** The direction of a step to the right, in the order of the columns. */
  const toTheRight = (): 1 | -1 => (getComputedStyle(row).direction === 'rtl' ? -1 : 1);

  function menuItems(field: string): MenuItem[] {
    const right = toTheRight();
    const place = fields().indexOf(field);
    const canMove = (by: number): boolean => fields()[place + by] !== undefined;
    const width = layout.now.columns[place]?.width;
    const all: (MenuItem | false)[] = [
      canMove(-right) && {
        icon: 'arrow-left',
        label: strings('columns.moveLeft'),
        run: () => move(field, right === 1 ? -1 : 1),
      },
      canMove(right) && {
        icon: 'arrow-right',
        label: strings('columns.moveRight'),
        run: () => move(field, right),
      },
      {
        icon: 'add',
        label: strings('columns.wider'),
        run: () => resize(field, widthOf(field) + 2 * step),
      },
      {
        icon: 'remove',
        label: strings('columns.narrower'),
        run: () => resize(field, widthOf(field) - 2 * step),
      },
      width !== undefined && {
        icon: 'discard',
        label: strings('columns.fit'),
        run: () => resize(field, undefined),
      },
      { icon: 'close', label: strings('columns.remove'), run: () => remove(field) },
      {
        icon: 'list-selection',
        label: strings('columns.pick'),
        run: () => ask('pickColumns', {}).catch(report),
      },
    ];
    return all.filter((item) => item !== false);
  }

  function heading(field: string): HTMLElement {
    const button = element('button', {
      class: 'text-button heading',
      text: label(field),
      attributes: {
        type: 'button',
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
        'aria-keyshortcuts':
          'Control+ArrowLeft Control+ArrowRight Shift+ArrowLeft Shift+ArrowRight',
      },
      onClick() {
        menu.toggle(button, menuItems(field));
        const { left, right } = button.getBoundingClientRect();
        const place = (menu.element.offsetParent ?? row).getBoundingClientRect();
        const start = toTheRight() === 1 ? left - place.left : place.right - right;
        const most = place.width - menu.element.offsetWidth;
        menu.element.style.insetInlineStart = `${Math.max(0, Math.min(start, most))}px`;
      },
    });
    return element(
      'div',
      {
        class: `cell ${columnKind(field).className}`,
        // A long name is cut.
        attributes: { role: 'columnheader', title: label(field) === field ? field : undefined },
      },
      button,
      sizer(field),
    );
  }

  /** The end of a heading, which the mouse drags; a double click fits the column to its values. */
  function sizer(field: string): HTMLElement {
    const handle = element('span', { class: 'sizer', attributes: { 'aria-hidden': 'true' } });
    let from: { readonly x: number; readonly width: number } | undefined;
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      from = { x: event.clientX, width: widthOf(field) };
    });
    handle.addEventListener('pointermove', ({ clientX }) => {
      if (from === undefined) return;
      const moved = ((clientX - from.x) * 100 * toTheRight()) / Math.max(1, ruler.offsetWidth);
      layout.preview({ columns: withWidth(layout.now.columns, field, from.width + moved) });
    });
    for (const end of ['pointerup', 'pointercancel']) {
      handle.addEventListener(end, () => {
        if (from !== undefined) layout.change({});
        from = undefined;
      });
    }
    handle.addEventListener('dblclick', () => resize(field, undefined));
    return handle;
  }

  row.addEventListener('keydown', (event) => {
    const { key, shiftKey, altKey } = event;
    const at = buttons().findIndex((button) => button === document.activeElement);
    const field = fields()[at];
    if (field === undefined || altKey) return;
    const main = event.ctrlKey || event.metaKey;
    const by = key === 'ArrowLeft' ? -toTheRight() : key === 'ArrowRight' ? toTheRight() : 0;
    if (by !== 0 && main) move(field, by === 1 ? 1 : -1);
    else if (by !== 0 && shiftKey) resize(field, widthOf(field) + by * step);
    else if (by !== 0) goTo(at + by);
    else if (key === 'Home') goTo(0);
    else if (key === 'End') goTo(Infinity);
    else if (key === 'Delete') remove(field);
    else if (key === 'ArrowDown') buttons()[at]?.click();
    else if (key === 'Escape') onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    row,
    others: [menu.element, status, ruler],
    update(list, rows) {
      const next = fields();
      fitting.fit(rows, next, label);
      for (const size of sizes) {
        const name = `--columns-${size}`;
        const value = gridColumns(layout.now, fitting, size);
        if (list.style.getPropertyValue(name) !== value) list.style.setProperty(name, value);
      }
      if (row.childElementCount > 0 && next.join('\n') === shown.join('\n')) return;
      const at = buttons().findIndex((button) => button === document.activeElement);
      const focused = shown[at];
      shown = next;
      const body = element('div', {
        class: 'cell body',
        text: strings('listBody'),
        attributes: { role: 'columnheader' },
      });
      row.replaceChildren(...next.map(heading), body);
      if (focused === undefined) makeCurrent(current);
      else goTo(next.includes(focused) ? next.indexOf(focused) : at);
    },
  };
}
