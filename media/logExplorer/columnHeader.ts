import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { LogRow } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { columnKind, sizes } from './columnKinds';
import { createFittingWidths, gridColumns, type Layout, withMoved, withWidth } from './columns';
import { element, setText } from './dom';
import { Menu, type MenuItem } from './menu';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import type { Strings } from './panel';

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

/** A heading that is resized with the mouse: where that began. */
interface Resizing {
  readonly field: string;
  readonly x: number;
  readonly width: number;
}

/**
 * The headings of the columns, with a menu for each. Tab moves to one of them, the arrow keys to the others. With Ctrl (on
 * a Mac, Cmd), they move the column, and with Shift, they change its width.
 */
export class ColumnHeader extends PagePart {
  static override readonly properties = { fields: { state: true } };

  declare private fields: readonly string[];
  /** The heading that Tab moves to. */
  private current = 0;
  /** The heading that has the focus, or its place, when the columns change. */
  private focused: { readonly field: string; readonly at: number } | undefined;
  private resizing: Resizing | undefined;
  private readonly changes: ColumnChanges;
  private readonly fitting: ReturnType<typeof createFittingWidths>;
  private readonly menu: Menu;

  /**
   * @param agoWidth the width of a relative time, in characters.
   * @param onLeave moves the focus to the list.
   */
  constructor(
    private readonly context: PageContext,
    agoWidth: number,
    private readonly onLeave: () => void,
  ) {
    super();
    const { layout, strings } = context;
    this.className = 'row header';
    this.role = 'row';
    this.ariaRowIndex = '1';
    this.fields = [];
    this.changes = new ColumnChanges(layout, strings, this);
    this.fitting = createFittingWidths(agoWidth, strings);
    this.menu = new Menu(strings('columns.menu'));
    this.addEventListener('keydown', (event) => this.press(event));
  }

  /** Elements that belong into the list, but not into a row. */
  get others(): readonly HTMLElement[] {
    return [this.menu, this.changes.status, this.changes.ruler];
  }

  /** Shows the columns, with widths that fit the rows, in the list. */
  show(list: HTMLElement, rows: readonly LogRow[]): void {
    const { changes, fitting } = this;
    const { fields } = changes;
    fitting.fit(rows, fields, (field) => changes.label(field));
    for (const size of sizes) {
      const name = `--columns-${size}`;
      const value = gridColumns(this.context.layout.now, fitting, size);
      if (list.style.getPropertyValue(name) !== value) list.style.setProperty(name, value);
    }
    if (fields.join('\n') !== this.fields.join('\n')) this.fields = fields;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('fields') as readonly string[] | undefined;
    const at = this.focusedAt;
    const field = before?.[at];
    this.focused = field === undefined ? undefined : { field, at };
  }

  protected override updated(): void {
    const { fields, focused } = this;
    if (focused === undefined) this.makeCurrent(this.current);
    else this.goTo(fields.includes(focused.field) ? fields.indexOf(focused.field) : focused.at);
  }

  protected override render(): TemplateResult {
    const body = this.context.strings('listBody');
    return html`${this.fields.map((field) => this.heading(field))}
      <div class="cell body" role="columnheader">${body}</div>`;
  }

  private heading(field: string): TemplateResult {
    const label = this.changes.label(field);
    // A long name is cut.
    return html`<div
      class="cell ${columnKind(field).className}"
      role="columnheader"
      title=${label === field ? field : nothing}
    >
      <button
        class="text-button heading"
        type="button"
        aria-haspopup="menu"
        aria-expanded="false"
        aria-keyshortcuts="Control+ArrowLeft Control+ArrowRight Shift+ArrowLeft Shift+ArrowRight"
        @click=${(event: Event) => this.openMenu(field, event.currentTarget)}
        .textContent=${label}
      ></button>
      ${this.sizer(field)}
    </div>`;
  }

  /** The end of a heading, which the mouse drags; a double click fits the column to its values. */
  private sizer(field: string): TemplateResult {
    const end = (): void => this.endResizing();
    return html`<span
      class="sizer"
      aria-hidden="true"
      @pointerdown=${(event: PointerEvent) => this.startResizing(field, event)}
      @pointermove=${(event: PointerEvent) => this.resizeTo(event.clientX)}
      @pointerup=${end}
      @pointercancel=${end}
      @dblclick=${() => this.changes.resize(field, undefined)}
    ></span>`;
  }

  private startResizing(field: string, event: PointerEvent): void {
    const { currentTarget, pointerId, clientX: x } = event;
    if (currentTarget instanceof Element) currentTarget.setPointerCapture(pointerId);
    event.preventDefault();
    this.resizing = { field, x, width: this.changes.widthOf(field) };
  }

  private resizeTo(x: number): void {
    if (this.resizing === undefined) return;
    const { field, x: start, width } = this.resizing;
    const { layout } = this.context;
    const moved = this.changes.inCharacters((x - start) * this.changes.toTheRight);
    layout.preview({ columns: withWidth(layout.now.columns, field, width + moved) });
  }

  private endResizing(): void {
    if (this.resizing !== undefined) this.context.layout.change({});
    this.resizing = undefined;
  }

  private openMenu(field: string, button: EventTarget | null): void {
    if (!(button instanceof HTMLElement)) return;
    const { menu, changes, context } = this;
    menu.toggle(button, menuItems(field, changes, context));
    const { left, right } = button.getBoundingClientRect();
    const place = (menu.offsetParent ?? this).getBoundingClientRect();
    const start = changes.toTheRight === 1 ? left - place.left : place.right - right;
    const most = place.width - menu.offsetWidth;
    menu.style.insetInlineStart = `${Math.max(0, Math.min(start, most))}px`;
  }

  private get buttons(): readonly HTMLElement[] {
    return [...this.querySelectorAll('button')];
  }

  private get focusedAt(): number {
    return this.buttons.findIndex((button) => button === document.activeElement);
  }

  private makeCurrent(index: number): void {
    const { buttons } = this;
    this.current = Math.max(0, Math.min(index, buttons.length - 1));
    buttons.forEach((button, at) => (button.tabIndex = at === this.current ? 0 : -1));
  }

  private goTo(index: number): void {
    this.makeCurrent(index);
    const button = this.buttons[this.current];
    if (button === undefined) this.onLeave();
    else button.focus();
  }

  private press(event: KeyboardEvent): void {
    const { changes, focusedAt: at } = this;
    const field = changes.fields[at];
    if (field === undefined || event.altKey) return;
    const { key, shiftKey } = event;
    const { toTheRight } = changes;
    const by = key === 'ArrowLeft' ? -toTheRight : key === 'ArrowRight' ? toTheRight : 0;
    if (by !== 0 && (event.ctrlKey || event.metaKey)) changes.move(field, by === 1 ? 1 : -1);
    else if (by !== 0 && shiftKey) changes.resize(field, changes.widthOf(field) + by * step);
    else if (by !== 0) this.goTo(at + by);
    else if (key === 'Home') this.goTo(0);
    else if (key === 'End') this.goTo(Infinity);
    else if (key === 'Delete') changes.remove(field);
    else if (key === 'ArrowDown') this.buttons[at]?.click();
    else if (key === 'Escape') this.onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
