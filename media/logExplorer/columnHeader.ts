import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { LogRow } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { columnKind, sizes } from './columnKinds';
import { createFittingWidths, gridColumns, withMoved, withWidth } from './columns';
import { element, setText } from './dom';
import { Menu, type MenuItem } from './menu';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';

/** How much a key changes the width of a column, in characters. */
const step = 2;

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
  private readonly status = element('div', { class: 'unseen', attributes: { role: 'status' } });
  /** Its width is that of 100 characters of rows. */
  private readonly ruler = element('div', {
    class: 'ruler',
    attributes: { 'aria-hidden': 'true' },
  });
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
    const { strings } = context;
    this.className = 'row header';
    this.role = 'row';
    this.ariaRowIndex = '1';
    this.fields = [];
    this.fitting = createFittingWidths(agoWidth, strings);
    this.menu = new Menu(strings('columns.menu'));
    this.addEventListener('keydown', (event) => this.press(event));
  }

  /** Elements that belong into the list, but not into a row. */
  get others(): readonly HTMLElement[] {
    return [this.menu, this.status, this.ruler];
  }

  /** Shows the columns, with widths that fit the rows, in the list. */
  show(list: HTMLElement, rows: readonly LogRow[]): void {
    const { fitting, context } = this;
    const fields = context.layout.now.columns.map(({ field }) => field);
    fitting.fit(rows, fields, (field) => this.label(field));
    for (const size of sizes) {
      const name = `--columns-${size}`;
      const value = gridColumns(context.layout.now, fitting, size);
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
    const label = this.label(field);
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
      @dblclick=${() => this.resize(field, undefined)}
    ></span>`;
  }

  private startResizing(field: string, event: PointerEvent): void {
    const { currentTarget, pointerId, clientX: x } = event;
    if (currentTarget instanceof Element) currentTarget.setPointerCapture(pointerId);
    event.preventDefault();
    this.resizing = { field, x, width: this.widthOf(field) };
  }

  private resizeTo(x: number): void {
    if (this.resizing === undefined) return;
    const { field, x: start, width } = this.resizing;
    const { layout } = this.context;
    const moved = this.inCharacters((x - start) * this.toTheRight);
    layout.preview({ columns: withWidth(layout.now.columns, field, width + moved) });
  }

  private endResizing(): void {
    if (this.resizing !== undefined) this.context.layout.change({});
    this.resizing = undefined;
  }

  private openMenu(field: string, button: EventTarget | null): void {
    if (!(button instanceof HTMLElement)) return;
    const { menu } = this;
    menu.toggle(button, this.menuItems(field));
    const { left, right } = button.getBoundingClientRect();
    const place = (menu.offsetParent ?? this).getBoundingClientRect();
    const start = this.toTheRight === 1 ? left - place.left : place.right - right;
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
    const { toTheRight, focusedAt: at } = this;
    const field = this.fields[at];
    if (field === undefined || event.altKey) return;
    const { key, shiftKey } = event;
    const by = key === 'ArrowLeft' ? -toTheRight : key === 'ArrowRight' ? toTheRight : 0;
    if (by !== 0 && (event.ctrlKey || event.metaKey)) this.moveColumn(field, by === 1 ? 1 : -1);
    else if (by !== 0 && shiftKey) this.resize(field, this.widthOf(field) + by * step);
    else if (by !== 0) this.goTo(at + by);
    else if (key === 'Home') this.goTo(0);
    else if (key === 'End') this.goTo(Infinity);
    else if (key === 'Delete') this.removeColumn(field);
    else if (key === 'ArrowDown') this.buttons[at]?.click();
    else if (key === 'Escape') this.onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What the menu of a heading offers. */
  private menuItems(field: string): MenuItem[] {
    const { ask, strings, layout, report } = this.context;
    const right = this.toTheRight;
    const left = right === 1 ? -1 : 1;
    const place = this.fields.indexOf(field);
    const item = (icon: string, text: StringId, run: () => unknown): MenuItem => ({
      icon,
      label: strings(text),
      run,
    });
    const move = (icon: string, text: StringId, by: 1 | -1): MenuItem[] =>
      this.fields[place + by] === undefined
        ? []
        : [item(icon, text, () => this.moveColumn(field, by))];
    const resize = (by: number) => (): void => this.resize(field, this.widthOf(field) + by);
    return [
      ...move('arrow-left', 'columns.moveLeft', left),
      ...move('arrow-right', 'columns.moveRight', right),
      item('add', 'columns.wider', resize(2 * step)),
      item('remove', 'columns.narrower', resize(-2 * step)),
      ...(layout.now.columns[place]?.width === undefined
        ? []
        : [item('discard', 'columns.fit', () => this.resize(field, undefined))]),
      item('close', 'columns.remove', () => this.removeColumn(field)),
      item('list-selection', 'columns.pick', () => ask('pickColumns', {}).catch(report)),
    ];
  }

  /** The direction of a step to the right, in the order of the columns. */
  private get toTheRight(): 1 | -1 {
    return getComputedStyle(this).direction === 'rtl' ? -1 : 1;
  }

  private label(field: string): string {
    const { heading } = columnKind(field);
    return heading === undefined ? field : this.context.strings(heading);
  }

  private moveColumn(field: string, by: 1 | -1): void {
    const { layout } = this.context;
    layout.change({ columns: withMoved(layout.now.columns, field, by) });
    const { fields } = this;
    this.say('columns.moved', field, fields.indexOf(field) + 1, fields.length + 1);
  }

  private removeColumn(field: string): void {
    const { layout } = this.context;
    layout.change({ columns: layout.now.columns.filter((column) => column.field !== field) });
    this.say('columns.removed', field);
  }

  private resize(field: string, width: number | undefined): void {
    const { layout } = this.context;
    layout.change({ columns: withWidth(layout.now.columns, field, width) });
    this.say('columns.resized', field, Math.round(this.widthOf(field)));
  }

  /** The width of a column as it is shown, in characters. */
  private widthOf(field: string): number {
    const cell = this.children[this.fields.indexOf(field)];
    return this.inCharacters(cell?.getBoundingClientRect().width ?? 0);
  }

  private inCharacters(pixels: number): number {
    return (pixels * 100) / Math.max(1, this.ruler.offsetWidth);
  }

  private say(text: StringId, field: string, ...numbers: readonly number[]): void {
    setText(this.status, this.context.strings(text, this.label(field), ...numbers));
  }
}
