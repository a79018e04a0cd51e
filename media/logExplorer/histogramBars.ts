import { html, type TemplateResult } from 'lit';
import type { Range } from '../../src/logs/explorer/protocol/messages';
import type { HistogramData, TimeSpan } from '../../src/logs/explorer/protocol/view';
import { BarChoice } from './barChoice';
import { setAttribute } from './dom';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { BarLabels, bucketAt, coloured, Plot, rangeOf, sameBuckets } from './stackedBars';

interface BarsHost {
  /** Other bars are chosen. */
  readonly onChoice: () => void;
  /** Narrows the range to that of the chosen bars. */
  readonly narrow: (range: Range) => void;
}

/** The bars of the histogram: a slider on which mouse and keys choose some. */
export class HistogramBars extends PagePart {
  /** Whether the range may be narrowed. */
  mayNarrow = false;
  private shown: HistogramData | undefined;
  private described = '';
  private isDragging = false;
  private known: { readonly key: string; readonly labels: BarLabels } | undefined;
  private readonly choice = new BarChoice();
  private readonly plot: Plot;

  constructor(
    private readonly context: PageContext,
    private readonly host: BarsHost,
  ) {
    super();
    this.className = 'bars';
    this.id = 'histogram-bars';
    this.role = 'slider';
    this.tabIndex = 0;
    this.ariaLabel = context.strings('histogram.label');
    this.setAttribute('aria-describedby', 'histogram-help histogram-legend');
    this.ariaOrientation = 'horizontal';
    this.ariaValueMin = '1';
    // The plot reads its colours from the template.
    this.performUpdate();
    this.plot = new Plot(this, {
      colourOf: (what) => getComputedStyle(this.child(`.sample.${what}`)).color,
      axis: (instants, step) => this.labels(step).axis(instants),
      number: (value) => this.labels(1).number(value),
    });
    this.listenToPointer();
    this.addEventListener('focus', () => {
      if (this.choice.current === undefined && this.shown !== undefined) this.choose(this.last);
    });
    this.addEventListener('blur', () => {
      if (!this.isDragging) this.choose(undefined);
    });
    this.addEventListener('keydown', (event) => this.press(event));
    this.repaintForThemes();
  }

  get data(): HistogramData | undefined {
    return this.shown;
  }

  /** The chosen bars in words. */
  get readout(): string {
    return this.described;
  }

  /** Formats times that are so far apart, in milliseconds. */
  labels(step = this.shown?.length ?? 1): BarLabels {
    const { strings, locale } = this.context;
    const timeZone = this.shown?.timeZone ?? 'UTC';
    const key = `${timeZone} ${step}`;
    if (this.known?.key !== key)
      this.known = { key, labels: new BarLabels(strings, locale, timeZone, step) };
    return this.known.labels;
  }

  /** @param isAtRest whether no more records are arriving. */
  show(next: HistogramData | undefined, isAtRest: boolean): void {
    if (next === undefined) {
      this.shown = undefined;
      return;
    }
    if (JSON.stringify(next) !== JSON.stringify(this.shown)) this.draw(next);
    // While following, screen readers do not read every change of a bar.
    if (!this.hasFocus || isAtRest) this.announce();
  }

  /** Marks what the list shows, or nothing. */
  markView(span: TimeSpan | undefined): void {
    this.plot.markView(span);
  }

  protected override render(): TemplateResult[] {
    return coloured.map((what) => html`<span class="sample ${what}"></span>`);
  }

  private get hasFocus(): boolean {
    return document.activeElement === this;
  }

  private get last(): number {
    return (this.shown?.counts.length ?? 1) - 1;
  }

  private draw(next: HistogramData): void {
    const { shown, choice } = this;
    if (shown !== undefined && !sameBuckets(shown, next)) {
      // The selection keeps its time.
      choice.move((place) => bucketAt(next, shown.starts[place] ?? 0));
    }
    this.shown = next;
    if (this.hasFocus) choice.suggest(this.last);
    this.plot.draw(next);
    this.showChoice();
  }

  private choose(next: number | undefined, extend = false): void {
    this.choice.choose(next, extend);
    this.showChoice();
    this.announce();
  }

  private showChoice(): void {
    const { shown } = this;
    const { buckets } = this.choice;
    this.plot.mark(buckets);
    this.described = shown && buckets ? this.labels().describe(shown, buckets) : '';
    this.host.onChoice();
  }

  /** Screen readers read this at once while the focus is here. */
  private announce(): void {
    const { described, context } = this;
    setAttribute(this, 'aria-valuemax', String(this.last + 1));
    setAttribute(this, 'aria-valuenow', String((this.choice.current ?? 0) + 1));
    setAttribute(this, 'aria-valuetext', described || context.strings('histogram.none'));
  }

  private narrow(): void {
    const { shown } = this;
    const { buckets } = this.choice;
    if (!this.mayNarrow || shown === undefined || buckets === undefined) return;
    this.choose(undefined);
    this.host.narrow(rangeOf(shown, buckets));
  }

  private listenToPointer(): void {
    this.addEventListener('pointerdown', (event) => {
      const at = event.button === 0 ? this.plot.bucketAtX(event.clientX) : undefined;
      if (at === undefined) return;
      this.setPointerCapture(event.pointerId);
      this.isDragging = true;
      this.choose(at, event.shiftKey);
    });
    this.addEventListener('pointermove', ({ clientX, shiftKey }) => {
      this.choose(this.plot.bucketAtX(clientX), this.isDragging || shiftKey);
    });
    this.addEventListener('pointerup', () => {
      if (!this.isDragging) return;
      this.isDragging = false;
      this.narrow();
    });
    this.addEventListener('pointercancel', () => {
      this.isDragging = false;
      this.choose(undefined);
    });
    this.addEventListener('pointerleave', () => {
      if (!this.isDragging && !this.hasFocus) this.choose(undefined);
    });
  }

  private press(event: KeyboardEvent): void {
    if (this.shown === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const goal = this.choice.goal(event.key, this.last + 1);
    if (goal !== undefined) this.choose(goal, event.shiftKey);
    else if (event.key === 'Enter') this.narrow();
    else if (event.key === 'Escape') {
      this.isDragging = false;
      this.choose(this.choice.current ?? this.last);
    } else return;
    event.preventDefault();
  }

  /** When the theme changes, VS Code changes variables and classes. */
  private repaintForThemes(): void {
    const observer = new MutationObserver(() => this.plot.repaint());
    observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
    observer.observe(document.documentElement, { attributeFilter: ['style'] });
  }
}
