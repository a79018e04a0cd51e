import type { LogRow } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { columnKind, sizes } from './columnKinds';
import { createFittingWidths, gridColumns, type Layout, withMoved, withWidth } from './columns';
import { element, setText } from './dom';
import { Menu, type MenuItem } from './menu';
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

/** Changes columns as their headings ask for, and says what changed to screen readers. */
class ColumnChanges {
  readonly status = element('div', { class: 'unseen', attributes: { role: 'status' } });
  /** Its width is that of 100 characters of rows. */
  readonly ruler = element('div', { class: 'ruler', attributes: { 'aria-hidden': 'true' } });

  /** @param row the headings, whose widths are those of the columns. */
  constructor(
    private readonly layout: Layout,
    private readonly strings: Strings,
    private readonly row: HTMLElement,
  ) {}

  get fields(): readonly string[] {
    return this.layout.now.columns.map(({ field }) => field);
  }

  /** The direction of a step to the right, in the order of the columns. */
  get toTheRight(): 1 | -1 {
    return getComputedStyle(this.row).direction === 'rtl' ? -1 : 1;
  }

  label(field: string): string {
    const { heading } = columnKind(field);
    return heading === undefined ? field : this.strings(heading);
  }

  move(field: string, by: 1 | -1): void {
    this.layout.change({ columns: withMoved(this.layout.now.columns, field, by) });
    const place = this.fields.indexOf(field) + 1;
    this.say('columns.moved', field, place, this.fields.length + 1);
  }

  remove(field: string): void {
    this.layout.change({ columns: this.layout.now.columns.filter((one) => one.field !== field) });
    this.say('columns.removed', field);
  }

  resize(field: string, width: number | undefined): void {
    this.layout.change({ columns: withWidth(this.layout.now.columns, field, width) });
    this.say('columns.resized', field, Math.round(this.widthOf(field)));
  }

  /** The width of a column as it is shown, in characters. */
  widthOf(field: string): number {
    const cell = this.row.children[this.fields.indexOf(field)];
    return this.inCharacters(cell?.getBoundingClientRect().width ?? 0);
  }

  inCharacters(pixels: number): number {
    return (pixels * 100) / Math.max(1, this.ruler.offsetWidth);
  }

  private say(text: StringId, field: string, ...numbers: readonly number[]): void {
    setText(this.status, this.strings(text, this.label(field), ...numbers));
  }
}

/** What the menu of a heading offers. */
function menuItems(
  field: string,
  changes: ColumnChanges,
  { ask, strings, layout, report }: PageContext,
): MenuItem[] {
  const right = changes.toTheRight;
  const left = right === 1 ? -1 : 1;
  const place = changes.fields.indexOf(field);
  const canMove = (by: number): boolean => changes.fields[place + by] !== undefined;
  const width = layout.now.columns[place]?.width;
  const all: (MenuItem | false)[] = [
    canMove(left) && {
      icon: 'arrow-left',
      label: strings('columns.moveLeft'),
      run: () => changes.move(field, left),
    },
    canMove(right) && {
      icon: 'arrow-right',
      label: strings('columns.moveRight'),
      run: () => changes.move(field, right),
    },
    {
      icon: 'add',
      label: strings('columns.wider'),
      run: () => changes.resize(field, changes.widthOf(field) + 2 * step),
    },
    {
      icon: 'remove',
      label: strings('columns.narrower'),
      run: () => changes.resize(field, changes.widthOf(field) - 2 * step),
    },
    width !== undefined && {
      icon: 'discard',
      label: strings('columns.fit'),
      run: () => changes.resize(field, undefined),
    },
    { icon: 'close', label: strings('columns.remove'), run: () => changes.remove(field) },
    {
      icon: 'list-selection',
      label: strings('columns.pick'),
      run: () => ask('pickColumns', {}).catch(report),
    },
  ];
  return all.filter((item) => item !== false);
}

/** The end of a heading, which the mouse drags; a double click fits the column to its values. */
function createSizer(field: string, changes: ColumnChanges, layout: Layout): HTMLElement {
  const handle = element('span', { class: 'sizer', attributes: { 'aria-hidden': 'true' } });
  let from: { readonly x: number; readonly width: number } | undefined;
  handle.addEventListener('pointerdown', (event) => {
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    from = { x: event.clientX, width: changes.widthOf(field) };
  });
  handle.addEventListener('pointermove', ({ clientX }) => {
    if (from === undefined) return;
    const moved = changes.inCharacters((clientX - from.x) * changes.toTheRight);
    layout.preview({ columns: withWidth(layout.now.columns, field, from.width + moved) });
  });
  for (const end of ['pointerup', 'pointercancel']) {
    handle.addEventListener(end, () => {
      if (from !== undefined) layout.change({});
      from = undefined;
    });
  }
  handle.addEventListener('dblclick', () => changes.resize(field, undefined));
  return handle;
}

/**
 * Creates the headings. Tab moves to one of them, the arrow keys to the others. With Ctrl (on a Mac, Cmd),
 * they move the column, and with Shift, they change its width.
 *
 * @param agoWidth the width of a relative time, in characters.
 * @param onLeave moves the focus to the list.
 */
export function createColumnHeader(
  context: PageContext,
  agoWidth: number,
  onLeave: () => void,
): ColumnHeader {
  const { strings, layout } = context;
  const row = element('div', {
    class: 'row header',
    attributes: { role: 'row', 'aria-rowindex': '1' },
  });
  const menu = new Menu(strings('columns.menu'));
  const changes = new ColumnChanges(layout, strings, row);
  const fitting = createFittingWidths(agoWidth, strings);
  const label = (field: string): string => changes.label(field);
  let shown: readonly string[] = [];
  /** The heading that Tab moves to. */
  let current = 0;

  const buttons = (): HTMLElement[] => [...row.querySelectorAll('button')];
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
        menu.toggle(button, menuItems(field, changes, context));
        const { left, right } = button.getBoundingClientRect();
        const place = (menu.offsetParent ?? row).getBoundingClientRect();
        const start = changes.toTheRight === 1 ? left - place.left : place.right - right;
        const most = place.width - menu.offsetWidth;
        menu.style.insetInlineStart = `${Math.max(0, Math.min(start, most))}px`;
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
      createSizer(field, changes, layout),
    );
  }

  row.addEventListener('keydown', (event) => {
    const { key, shiftKey, altKey } = event;
    const at = buttons().findIndex((button) => button === document.activeElement);
    const field = changes.fields[at];
    if (field === undefined || altKey) return;
    const main = event.ctrlKey || event.metaKey;
    const { toTheRight } = changes;
    const by = key === 'ArrowLeft' ? -toTheRight : key === 'ArrowRight' ? toTheRight : 0;
    if (by !== 0 && main) changes.move(field, by === 1 ? 1 : -1);
    else if (by !== 0 && shiftKey) changes.resize(field, changes.widthOf(field) + by * step);
    else if (by !== 0) goTo(at + by);
    else if (key === 'Home') goTo(0);
    else if (key === 'End') goTo(Infinity);
    else if (key === 'Delete') changes.remove(field);
    else if (key === 'ArrowDown') buttons()[at]?.click();
    else if (key === 'Escape') onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    row,
    others: [menu, changes.status, changes.ruler],
    update(list, rows) {
      const next = changes.fields;
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
