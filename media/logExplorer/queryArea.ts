import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { QueryModel } from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import { ConditionBuilder, type Offered } from './builder';
import { LiveRegion } from './notices';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { QueryBar } from './queryBar';
import { rove } from './roving';
import { RangeBox } from './timeRange';

/** The query with all that edits, runs and cancels it. */
export class QueryArea extends PagePart {
  static override readonly properties = { view: { state: true } };

  readonly bar: QueryBar;
  readonly builder: ConditionBuilder;
  declare private view: View | undefined;
  private readonly range: RangeBox;
  private readonly chips: QueryChips;
  private readonly liveRegion = new LiveRegion();

  /** @param onRun moves the focus on when the user runs a query without errors. */
  constructor(
    private readonly context: PageContext,
    offered: Offered,
    onRun: () => void,
  ) {
    super();
    this.role = 'search';
    this.ariaLabel = context.strings('query.area');
    this.bar = new QueryBar(context, onRun);
    this.builder = new ConditionBuilder(context, offered);
    this.range = new RangeBox(context);
    this.chips = new QueryChips(context, this.bar);
    context.search.onChange(() => this.requestUpdate());
    this.addEventListener('keydown', (event) => {
      const { target, key } = event;
      // The key already pressed the button; a select that gets the focus would open with it.
      const isPress = key === 'Enter' || key === ' ';
      if (isPress && target instanceof HTMLElement && target.localName === 'vscode-button') {
        event.preventDefault();
      }
    });
  }

  show(view: View): void {
    this.view = view;
    this.liveRegion.show(view);
  }

  protected override willUpdate(): void {
    // The focus moves from the button that disappears.
    const hasFocus = document.activeElement === this.querySelector('.cancel');
    if (this.view?.progress === undefined && hasFocus) this.focusRun();
  }

  protected override render(): TemplateResult {
    const { search, strings } = this.context;
    const { view } = this;
    const isRunning = view?.progress !== undefined;
    const isFromFolder = view?.isFromFolder === true && search.text === view.query;
    const cancel = html`<vscode-button class="cancel" secondary @click=${() => this.cancel()}
      >${strings('query.cancel')}</vscode-button
    >`;
    const fromFolder = html`<span class="from-folder" title=${strings('query.fromFolderHint')}
      >${strings('query.fromFolder')}</span
    >`;
    return html`<h1 class="unseen">${strings('title')}</h1>
      <div class="query-line">
        ${this.bar} ${isFromFolder ? fromFolder : nothing} ${this.range}
        <vscode-button class="run" @click=${() => search.run()}
          >${strings('query.search')}</vscode-button
        >
        ${isRunning ? cancel : nothing}
      </div>
      ${this.range.form} ${this.liveRegion} ${this.builder} ${this.chips}
      <div class=${isRunning ? 'running on' : 'running'}></div>`;
  }

  private focusRun(): void {
    this.querySelector<HTMLElement>('.run')?.focus();
  }

  private cancel(): void {
    const { ask, report } = this.context;
    this.focusRun();
    ask('cancel', {}).catch(report);
  }
}

/**
 * The chips of a query that is longer than the query bar, with a button to remove each. Tab moves to one of them, arrow
 * keys to the others. While a chip has the focus, the chips stay.
 */
export class QueryChips extends PagePart {
  static override readonly properties = { isNeeded: { state: true } };

  declare private isNeeded: boolean;
  private hadFocus = false;
  /** The chip that was removed last, in whose place the next one gets the focus. */
  private removed = 0;
  private readonly roving = rove(this, () => [this]);

  constructor(
    private readonly context: PageContext,
    private readonly bar: QueryBar,
  ) {
    super();
    this.isNeeded = false;
    this.addEventListener('keydown', (event) => this.press(event));
    new ResizeObserver(() => void this.fit()).observe(bar);
    context.search.onChange(() => {
      this.requestUpdate();
      void this.fit();
    });
  }

  protected override willUpdate(): void {
    this.hadFocus = this.hasFocus;
  }

  protected override updated(): void {
    this.roving.update();
    if (!this.hadFocus || this.hasFocus) return;
    const { buttons } = this;
    (buttons[Math.min(this.removed, buttons.length - 1)] ?? this.bar).focus();
  }

  protected override render(): TemplateResult {
    const { search, strings } = this.context;
    const { chips } = search.parsed;
    // A chip in the place of another is a new one, which screen readers announce.
    const items = keyed(
      JSON.stringify(chips),
      chips.map((chip, index) => this.chip(chip, index)),
    );
    return html`<ul
      class=${search.errors.length > 0 ? 'chips old' : 'chips'}
      role="list"
      aria-label=${strings('chips.label')}
      ?hidden=${chips.length === 0 || !this.isNeeded}
    >
      ${items}
    </ul>`;
  }

  private chip({ text, joinedBy }: QueryModel['chips'][number], index: number): TemplateResult {
    const { strings } = this.context;
    const joined = html`<span class="joined">${strings(`chips.${joinedBy}`)}</span>`;
    return html`<li>
      ${index === 0 ? nothing : joined}
      <span class="chip">
        <span class="chip-text" title=${text} .textContent=${text}></span>
        <button
          class="codicon codicon-close"
          type="button"
          aria-label=${strings('chips.remove', text)}
          @click=${() => this.drop(index)}
        ></button>
      </span>
    </li>`;
  }

  private get hasFocus(): boolean {
    return this.contains(document.activeElement);
  }

  private get buttons(): readonly HTMLElement[] {
    return [...this.querySelectorAll('button')];
  }

  private async fit(): Promise<void> {
    // The bar may show another query.
    await this.bar.updateComplete;
    this.isNeeded = this.bar.isCut() || this.hasFocus;
  }

  private drop(index: number): void {
    this.removed = index;
    void this.context.search.narrow({ kind: 'removeChip', index });
  }

  private press(event: KeyboardEvent): void {
    const at = this.buttons.findIndex((button) => button === document.activeElement);
    if (at < 0 || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
    event.preventDefault();
    this.drop(at);
  }
}
