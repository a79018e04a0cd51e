import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type {
  Waterfall,
  WaterfallRow,
  WaterfallTick,
} from '../../src/logs/explorer/protocol/messages';
import type { LogRow, TimeSpan, View } from '../../src/logs/explorer/protocol/view';
import { isErrorSeverity } from '../../src/logs/record/severity';
import { severityName } from './dom';
import { createDuration, type RowStore } from './lines';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { Updates } from './patterns';
import { rove } from './roving';
import { severityIconTemplate, toolbarButtonTemplate } from './templates';

/** The delay between two updates while records arrive, in milliseconds. */
const updateAfter = 1000;

/** What is said of the message of a record, in UTF-16 units. */
const longestMessage = 160;

/** Behind it, in percent of the axis, a time would be cut: `+2 s` of `+2 sec` reads as another time. */
const lastLabel = 85;
/** How many parts the axis has at most. */
const mostSteps = 5;

interface WaterfallHost {
  readonly store: RowStore;
  /** Shows the record with a key in the list. */
  readonly onSelect: (key: string) => void;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
}

/** A trace over its time, above the list of its records: a row for each workload and span. */
export class WaterfallView extends PagePart {
  static override readonly properties = { shown: { state: true } };

  declare private shown: Waterfall | undefined;
  private of: Pick<View, 'epoch' | 'summary'> = { epoch: -1, summary: '' };
  private isTrace = false;
  /** When the selected record is, in milliseconds since 1970. */
  private selectedAt: number | undefined;
  private readonly duration: (milliseconds: number) => string;
  private roving: ReturnType<typeof rove> | undefined;
  /** Finds the button that has the focus, to focus it again after an update. */
  private focused: string | undefined;
  private rowsByKey: ReadonlyMap<string, LogRow> = new Map();
  private readonly updates = new Updates(
    () => this.load(),
    // A click must not miss what moves under the mouse.
    () => this.matches(':hover'),
    (call) => void setTimeout(call, updateAfter),
  );

  constructor(
    private readonly context: PageContext,
    private readonly host: WaterfallHost,
  ) {
    super();
    const { strings, layout } = context;
    this.duration = createDuration(strings('language'));
    this.className = 'waterfall';
    this.role = 'region';
    this.ariaLabel = strings('waterfall.label');
    this.hidden = true;
    this.addEventListener('keydown', (event) => this.press(event));
    layout.onChange(() => {
      if (this.setHidden()) void this.updates.now();
    });
  }

  show({ epoch, summary, isTrace = false }: View): void {
    const isOther = epoch !== this.of.epoch;
    const isSame = !isOther && summary === this.of.summary;
    this.of = { epoch, summary };
    this.isTrace = isTrace;
    if (isOther) this.clear();
    const isOpened = this.setHidden();
    if (this.hidden || (isSame && !isOpened)) return;
    if (isOther || isOpened) void this.updates.now();
    else this.updates.soon();
  }

  /** Marks the time of the selected record. */
  mark(row: LogRow | undefined): void {
    this.selectedAt = row?.at ?? undefined;
    this.showMark();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('shown')) return;
    this.focused = this.focusedButton();
    this.rowsByKey = new Map(this.host.store.rows.map((row) => [row.key, row]));
  }

  protected override updated(): void {
    const { grid, focused } = this;
    if (grid === null) return;
    this.roving ??= rove(grid, () => [...grid.querySelectorAll('[role=row]')]);
    this.roving.update();
    if (focused !== undefined) {
      const again =
        grid.querySelector<HTMLElement>(focused) ?? grid.querySelector('[tabindex="0"]');
      if (again instanceof HTMLElement) again.focus();
    }
    this.focused = undefined;
    this.showMark();
  }

  protected override render(): TemplateResult {
    const { shown } = this;
    const { strings, layout } = this.context;
    const close = (): void => {
      layout.change({ hasWaterfall: false });
      this.host.onLeave();
    };
    return html`<div class="line">
        <span id="waterfall-help">${strings('waterfall.help')}</span>
        <span>${shown && this.leftOut(shown)}</span>
        ${toolbarButtonTemplate('close', strings('waterfall.close'), close)}
      </div>
      <div
        class="waterfall-rows"
        role="treegrid"
        aria-label=${strings('waterfall.label')}
        aria-describedby="waterfall-help"
        .style=${`--step: ${shown === undefined ? 100 : stepOf(shown)}%`}
        @click=${(event: Event) => this.select(event)}
      >
        ${shown && [this.axis(shown), ...shown.rows.map((row) => this.row(row, shown))]}
      </div>`;
  }

  private get grid(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.waterfall-rows');
  }

  /** @returns whether it is shown now and was not before. */
  private setHidden(): boolean {
    const wasHidden = this.hidden;
    const hadFocus = this.contains(document.activeElement);
    this.hidden = !this.isTrace || !this.context.layout.now.hasWaterfall;
    if (this.hidden && hadFocus) this.host.onLeave();
    return wasHidden && !this.hidden;
  }

  /** Other records are shown: nothing of the earlier ones is left. */
  private clear(): void {
    if (this.grid?.contains(document.activeElement) === true) this.host.onLeave();
    this.shown = undefined;
    this.selectedAt = undefined;
  }

  private async load(): Promise<void> {
    if (this.hidden) return;
    const { ask, report } = this.context;
    try {
      this.shown = (await ask('waterfall', {})) ?? this.shown;
    } catch (error) {
      report(error);
    }
  }

  private leftOut({ untimed, hiddenWorkloads }: Waterfall): string {
    const { strings } = this.context;
    return [
      ...(untimed > 0 ? [strings('waterfall.untimed', untimed)] : []),
      ...(hiddenWorkloads > 0 ? [strings('waterfall.moreWorkloads', hiddenWorkloads)] : []),
    ].join(' · ');
  }

  /** The times below which the bars are; the rows have them in words. */
  private axis(shown: Waterfall): TemplateResult {
    const step = stepOf(shown);
    const count = shown.length === 0 ? 1 : Math.floor(lastLabel / step) + 1;
    const labels = Array.from({ length: count }, (_, index) => {
      const at = (index * step * shown.length) / 100;
      return html`<span .style=${`inset-inline-start: ${index * step}%`}>${this.offset(at)}</span>`;
    });
    return html`<div class="waterfall-axis" aria-hidden="true">
      <div class="bars">${labels}</div>
    </div>`;
  }

  private row(row: WaterfallRow, shown: Waterfall): TemplateResult {
    const { level, from, to, ticks } = row;
    const name = this.nameOf(row);
    const counts = this.countsOf(row);
    const times = [
      ...(level === 1 ? [] : [this.offset(from)]),
      ...(to === from ? [] : [this.duration(to - from)]),
    ];
    const words = [...times, ...counts].join(' · ');
    const place = placeIn(shown);
    return html`<div class="waterfall-row level-${level}" role="row" aria-level=${level}>
      <div class="name" role="gridcell">
        <button
          class="text-button"
          type="button"
          tabindex="-1"
          title=${level < 3 && row.span !== undefined ? this.spanName(row.span) : name}
          aria-label=${this.inWords(row, name, counts)}
          data-key=${ticks[0]?.key ?? nothing}
          .textContent=${name}
        ></button>
      </div>
      <div class="bars" role="gridcell">
        ${segmentsOf(row).map((part) => html`<div class="bar" .style=${place(part)}></div>`)}
        ${row.silences.map((silence) => this.silence(silence, place(silence)))}
        ${ticks.map((tick) => this.tick(tick, shareOf(tick.at, shown)))}
      </div>
      <div class="words" role="gridcell" title=${words}>${words}</div>
    </div>`;
  }

  private silence(silence: TimeSpan, place: string): TemplateResult {
    return html`<div class="nothing" title=${this.silenceName(silence)} .style=${place}></div>`;
  }

  /** @param share where it is, in percent. */
  private tick(tick: WaterfallTick, share: number): TemplateResult {
    const { key, severity } = tick;
    const label = this.tickName(tick);
    const hasIcon = isErrorSeverity(severity) || severity === 'warn';
    return html`<button
      class="tick"
      type="button"
      tabindex="-1"
      title=${label}
      aria-label=${label}
      data-key=${key}
      data-severity=${severity}
      .style=${`inset-inline-start: ${share}%`}
    >
      ${hasIcon ? severityIconTemplate(severity) : nothing}
    </button>`;
  }

  private nameOf({ level, name, span }: WaterfallRow): string {
    const { strings } = this.context;
    if (level === 1) return strings('waterfall.whole');
    if (level === 2) return name;
    return span === undefined ? strings('waterfall.noSpan') : this.spanName(span);
  }

  private spanName(span: string): string {
    return this.context.strings('waterfall.span', span);
  }

  /** The row in words, for screen readers. */
  private inWords({ from, to }: WaterfallRow, name: string, counts: readonly string[]): string {
    const { strings } = this.context;
    const [start, end, list] = [this.duration(from), this.duration(to), counts.join(', ')];
    return from === to
      ? strings('waterfall.rowAt', name, start, list)
      : strings('waterfall.row', name, start, end, list);
  }

  /** How many records there are, which, and what is not there. */
  private countsOf({ records, errors, warnings, silences, hiddenSpans }: WaterfallRow): string[] {
    const { strings } = this.context;
    const [longest] = [...silences].sort((a, b) => b.to - b.from - (a.to - a.from));
    return [
      this.recordCount(records),
      ...(errors > 0 ? [strings('histogram.count', errors, strings('severity.error'))] : []),
      ...(warnings > 0 ? [strings('histogram.count', warnings, strings('severity.warn'))] : []),
      ...(longest === undefined ? [] : [this.silenceName(longest)]),
      ...(hiddenSpans > 0 ? [strings('waterfall.moreSpans', hiddenSpans)] : []),
    ];
  }

  private silenceName({ from, to }: TimeSpan): string {
    return this.context.strings('waterfall.silence', this.duration(to - from));
  }

  private tickName({ key, at, count, severity }: WaterfallTick): string {
    const { strings } = this.context;
    const row = this.rowsByKey.get(key);
    return [
      this.offset(at),
      ...(count === 1 ? [] : [this.recordCount(count)]),
      row === undefined ? strings(`severity.${severity}`) : severityName(row, strings),
      ...(row === undefined ? [] : [row.body.slice(0, longestMessage)]),
    ].join(' · ');
  }

  private recordCount(count: number): string {
    const { strings } = this.context;
    return strings(count === 1 ? 'histogram.oneRecord' : 'histogram.records', count);
  }

  /** How long after the first record. */
  private offset(milliseconds: number): string {
    return `+${this.duration(milliseconds)}`;
  }

  private showMark(): void {
    const { grid, shown, selectedAt } = this;
    const at = shown && selectedAt !== undefined ? selectedAt - shown.from : -1;
    const isIn = shown !== undefined && at >= 0 && at <= shown.length;
    grid?.classList.toggle('with-mark', isIn);
    if (isIn) grid?.style.setProperty('--mark', `${shareOf(at, shown)}%`);
  }

  private press(event: KeyboardEvent): void {
    const { key } = event;
    if (key !== 'Escape' && key !== 'Enter') return;
    if (key === 'Enter' && !this.select(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.host.onLeave();
  }

  /** Shows the record of a button. @returns whether it has one. */
  private select({ target }: Event): boolean {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
    const key = button?.dataset['key'];
    if (key !== undefined) this.host.onSelect(key);
    return key !== undefined;
  }

  private focusedButton(): string | undefined {
    const { activeElement } = document;
    const row = activeElement?.closest('.waterfall-row');
    if (!(activeElement instanceof HTMLElement) || !row || !this.contains(row)) return undefined;
    const { key = '' } = activeElement.dataset;
    const part = activeElement.classList.contains('tick') ? '.tick' : '.text-button';
    const level = row.getAttribute('aria-level') ?? '';
    return `[aria-level="${level}"] ${part}[data-key="${CSS.escape(key)}"]`;
  }
}

/** Where in a trace a time is, in percent. */
function shareOf(at: number, { length }: Pick<Waterfall, 'length'>): number {
  return length === 0 ? 0 : (at / length) * 100;
}

/** Makes the styles that place something on the axis. */
function placeIn(shown: Waterfall): (span: TimeSpan) => string {
  return ({ from, to }) =>
    `inset-inline-start: ${shareOf(from, shown)}%; width: ${shareOf(to - from, shown)}%`;
}

/** The bar of a row without its silences. */
export function segmentsOf({ from, to, silences }: Pick<WaterfallRow, 'from' | 'to' | 'silences'>) {
  const starts = [from, ...silences.map((silence) => silence.to)];
  const ends = [...silences.map((silence) => silence.from), to];
  return starts.map((start, index): TimeSpan => ({ from: start, to: ends[index] ?? start }));
}

/** The distance of the lines of the axis in percent: a round number of milliseconds, seconds, minutes, … */
export function stepOf({ length }: Pick<Waterfall, 'length'>): number {
  const least = length / mostSteps;
  const unit = [86_400_000, 3_600_000, 60_000, 1].find((one) => least >= one / 2) ?? 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least / unit)));
  const step = [1, 2, 5, 10].map((one) => one * power * unit).find((one) => one >= least);
  return length === 0 || step === undefined ? 100 : (step / length) * 100;
}
