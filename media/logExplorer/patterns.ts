import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { ShownPattern, ShownPatterns } from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { rove } from './roving';
import { iconTemplate, severityIconTemplate } from './templates';

/** The delay between two updates while records arrive, in milliseconds. */
const updateAfter = 1000;

/** The loaded records grouped by pattern, in place of the list. */
export class PatternsView extends PagePart {
  static override readonly properties = {
    shown: { state: true },
    note: { state: true },
  };

  declare private shown: ShownPatterns | undefined;
  /** Why the query is the same. */
  declare private note: string;
  private readonly listeners: (() => void)[] = [];
  private readonly numbers: Intl.NumberFormat;
  private readonly shares: Intl.NumberFormat;
  private roving: ReturnType<typeof rove> | undefined;
  private of: Pick<View, 'epoch' | 'summary'> = { epoch: -1, summary: '' };
  /** Finds the button that has the focus, to focus it again after an update. */
  private focused: string | undefined;
  private readonly updates = new Updates(
    () => this.load(),
    // A click must not miss a row that moves under the mouse.
    () => this.table?.matches(':hover') === true,
    (call) => void setTimeout(call, updateAfter),
  );

  constructor(private readonly context: PageContext) {
    super();
    const { locale, strings } = context;
    this.numbers = new Intl.NumberFormat(locale);
    this.shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    this.className = 'patterns';
    this.role = 'region';
    this.ariaLabel = strings('patterns.label');
    this.hidden = true;
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.close();
    });
  }

  get isOpen(): boolean {
    return !this.hidden;
  }

  toggle(): void {
    this.setOpen(!this.isOpen);
  }

  close(): void {
    this.setOpen(false);
  }

  /** @param listener called when it was opened or closed. */
  onToggle(listener: () => void): void {
    this.listeners.push(listener);
  }

  show({ epoch, summary }: View): void {
    const isOther = epoch !== this.of.epoch;
    if (!isOther && summary === this.of.summary) return;
    this.of = { epoch, summary };
    // Patterns of removed records are not shown.
    if (isOther) this.clear();
    if (!this.isOpen) return;
    if (isOther) void this.updates.now();
    else this.updates.soon();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('shown')) this.focused = this.focusedButton();
  }

  protected override updated(): void {
    const { table, focused } = this;
    if (table === null) return;
    this.roving ??= rove(table);
    this.roving.update();
    if (focused !== undefined) table.querySelector<HTMLElement>(focused)?.focus();
    this.focused = undefined;
  }

  protected override render(): TemplateResult {
    const { shown, note } = this;
    const { strings } = this.context;
    return html`<div class="line">
        <button class="link" @click=${() => this.close()}>${strings('patterns.close')}</button>
        <span class="total">${shown && this.total(shown)}</span>
        <span role="status">${note}</span>
      </div>
      <div class="pattern-rows" role="grid" aria-label=${strings('patterns.label')}>
        ${shown?.patterns.map((pattern) => this.row(pattern, shown.records))}
      </div>`;
  }

  private get table(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.pattern-rows');
  }

  private total({ count, records }: ShownPatterns): string {
    const { strings } = this.context;
    return records === 0 ? strings('patterns.none') : strings('patterns.total', count, records);
  }

  private row(pattern: ShownPattern, records: number): TemplateResult {
    const { count, severity, times, shortTimes, isHidden } = pattern;
    const name = this.context.strings(`severity.${severity}`);
    return html`<div
      class="pattern ${isHidden ? 'hidden-pattern' : ''}"
      role="row"
      data-severity=${severity}
    >
      <div class="count" role="gridcell">${this.numbers.format(count)}</div>
      <div class="share" role="gridcell">${this.shares.format(count / records)}</div>
      <div class="severity" role="gridcell" title=${name}>
        ${severityIconTemplate(severity)}<span class="unseen">${name}</span>
      </div>
      <div class="spark" role="gridcell" title=${times}>${spark(pattern)}</div>
      <div class="message" role="gridcell">${this.only(pattern)}</div>
      <div class="times" role="gridcell" title=${times}>${shortTimes}</div>
      <div role="gridcell">${this.hide(pattern)}</div>
    </div>`;
  }

  private only({ key, template }: ShownPattern): TemplateResult {
    return html`<button
      class="text-button template"
      type="button"
      tabindex="-1"
      title=${this.context.strings('patterns.only')}
      data-key=${key}
      data-how="only"
      @click=${() => void this.narrow(key, 'only')}
      .textContent=${template}
    ></button>`;
  }

  private hide({ key, template, isHidden }: ShownPattern): TemplateResult {
    const label = this.context.strings(isHidden ? 'patterns.show' : 'patterns.hide');
    return html`<button
      class="icon-button"
      type="button"
      tabindex="-1"
      title=${label}
      aria-label=${`${label}: ${template}`}
      aria-pressed=${isHidden}
      data-key=${key}
      data-how="exclude"
      @click=${() => void this.narrow(key, 'exclude')}
    >
      ${iconTemplate(isHidden ? 'eye-closed' : 'eye')}
    </button>`;
  }

  private setOpen(isOpen: boolean): void {
    if (this.isOpen === isOpen) return;
    this.hidden = !isOpen;
    this.note = '';
    for (const listener of this.listeners) listener();
    if (isOpen) void this.updates.now();
  }

  private clear(): void {
    const { table } = this;
    if (table?.contains(document.activeElement) === true)
      this.querySelector<HTMLElement>('.link')?.focus();
    this.shown = undefined;
  }

  private focusedButton(): string | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !this.table?.contains(activeElement))
      return undefined;
    const { key = '', how = '' } = activeElement.dataset;
    return `[data-key="${CSS.escape(key)}"][data-how="${how}"]`;
  }

  private async load(): Promise<void> {
    if (!this.isOpen) return;
    const { ask, report } = this.context;
    try {
      this.shown = await ask('patterns', {});
    } catch (error) {
      report(error);
    }
  }

  private async narrow(key: string, how: 'only' | 'exclude'): Promise<void> {
    const { ask, search, report } = this.context;
    try {
      const { query, note } = await ask('narrowPattern', { text: search.text, key, how });
      this.note = note;
      if (query === undefined) await this.updates.now();
      else {
        search.apply(query);
        this.close();
        await search.run();
      }
    } catch (error) {
      report(error);
    }
  }
}

/** Loads something again while it changes: never twice at once, and a while after the last change. */
export class Updates {
  private last = Promise.resolve();
  private isLoading = false;
  private isDue = false;

  /**
   * @param load never rejects.
   * @param isHeld whether to wait longer.
   * @param wait calls back after a while.
   */
  constructor(
    private readonly load: () => Promise<void>,
    private readonly isHeld: () => boolean,
    private readonly wait: (call: () => void) => void,
  ) {}

  now(): Promise<void> {
    this.last = this.last.then(async () => {
      this.isLoading = true;
      await this.load();
      this.isLoading = false;
    });
    return this.last;
  }

  soon(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.wait(() => {
      this.isDue = false;
      if (this.isLoading || this.isHeld()) this.soon();
      else void this.now();
    });
  }
}

/** A bar for each part of the range, as high as its share of the highest. */
function spark({ counts }: ShownPattern): TemplateResult[] {
  const most = Math.max(1, ...counts);
  return counts.map((count) => {
    const height = count === 0 ? '0' : `${Math.max(10, (count / most) * 100)}%`;
    return html`<span aria-hidden="true" .style=${`height: ${height}`}></span>`;
  });
}
