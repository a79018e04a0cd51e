import { html, nothing, type TemplateResult } from 'lit';
import type { Range } from '../../src/logs/explorer/protocol/messages';
import type {
  DeploymentMark,
  HistogramData,
  TimeSpan,
  View,
} from '../../src/logs/explorer/protocol/view';
import { HistogramBars } from './histogramBars';
import { Menu, type MenuItem } from './menu';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { rove } from './roving';
import { isAtRest, unloaded, wholeOf } from './stackedBars';
import { iconTemplate } from './templates';

/** In a window as low as this, the histogram is folded unless the user chose. As in `base.css`. */
const low = '(max-height: 460px)';

/** What loads the rest of the range, or cancels that. */
const restLabels = {
  canLoad: 'histogram.loadWhole',
  loading: 'query.cancel',
  stopped: 'histogram.loadOn',
} as const;

/** The histogram of the range. Selected bars become the range of the query. */
export class Histogram extends PagePart {
  static override readonly properties = {
    view: { state: true },
    folds: { state: true },
    inView: { state: true },
  };

  declare private view: View | undefined;
  /** Whether the user chose that only its line is shown; undefined if they did not choose. */
  declare private folds: boolean | undefined;
  /** What the list shows. */
  declare private inView: TimeSpan | undefined;
  /** Whether the panel was told that the bars are shown. */
  private areShown = false;
  private readonly isLow = matchMedia(low);
  private readonly zoom = new Zoom();
  private readonly bars: HistogramBars;
  private readonly deployments: DeploymentButtons;

  constructor(
    private readonly context: PageContext,
    chosenFold: boolean | undefined,
  ) {
    super();
    const { search, strings } = context;
    this.className = 'histogram-parts';
    this.folds = chosenFold;
    this.bars = new HistogramBars(context, {
      onChoice: () => this.requestUpdate(),
      narrow: (range) => void this.narrow(range),
    });
    this.deployments = new DeploymentButtons(strings('deployments.label'), (mark) =>
      this.itemsOf(mark),
    );
    search.onChange(() => {
      this.zoom.saw(search.parsed.range);
      this.requestUpdate();
    });
    this.isLow.addEventListener('change', () => this.requestUpdate());
  }

  /** The range that was zoomed in from; undefined if there is none. */
  get outer(): Range | undefined {
    return this.zoom.outer;
  }

  show(view: View): void {
    const { histogram, summary, progress } = view;
    const isThere = histogram !== undefined && histogram.counts.length > 0;
    this.view = view;
    this.hidden = !isThere && summary === '' && progress === undefined && !this.zoom.canGoBack;
    this.bars.mayNarrow = view.title === undefined;
    this.bars.show(isThere ? histogram : undefined, isAtRest(view));
  }

  /** Marks what the list shows, or nothing. */
  markView(span: TimeSpan | undefined): void {
    this.inView = span;
    this.bars.markView(span);
  }

  protected override willUpdate(): void {
    const { bars, isFolded } = this;
    bars.hidden = isFolded || bars.data === undefined;
    this.deployments.show(bars.hidden ? undefined : bars.data);
    if (bars.data?.rest === undefined && document.activeElement?.matches('.histogram .rest'))
      bars.focus();
    if (this.areShown !== isFolded) return;
    this.areShown = !isFolded;
    const { ask, report } = this.context;
    ask('showBars', { areShown: this.areShown }).catch(report);
  }

  protected override render(): TemplateResult {
    const { view, bars, isFolded } = this;
    const { strings, ask, report } = this.context;
    const fold = (): void => {
      this.folds = !isFolded;
      ask('foldHistogram', { isFolded: this.folds }).catch(report);
    };
    return html`<div class="line">
        <button
          class="icon-button codicon codicon-chevron-${isFolded ? 'right' : 'down'}"
          type="button"
          title=${strings('histogram.fold')}
          aria-label=${strings('histogram.label')}
          aria-controls="histogram-bars"
          aria-expanded=${!isFolded}
          ?hidden=${bars.data === undefined}
          @click=${fold}
        ></button>
        <span class="summary">${view?.summary}</span>
        <span class="legend" aria-hidden="true" ?hidden=${!this.isPart || bars.hidden}
          ><span class="unloaded"></span>${strings('histogram.notLoaded')}</span
        >
        ${this.rest()}
        <span class="progress">${view?.progress}</span>
        <div class="readout" aria-hidden="true" ?hidden=${bars.hidden}>${bars.readout}</div>
        <vscode-button
          class="zoom-out"
          secondary
          title=${strings('histogram.zoomOutHint')}
          ?hidden=${!this.zoom.canGoBack}
          @click=${() => void this.goBack()}
          >${strings('histogram.zoomOut')}</vscode-button
        >
      </div>
      <div class="plot-place">${bars}${this.deployments}</div>
      <span class="unseen" id="histogram-help">${strings('histogram.help')}</span>
      <span class="unseen" id="histogram-legend">${this.legendInWords()}</span>`;
  }

  private get isFolded(): boolean {
    return this.folds ?? this.isLow.matches;
  }

  /** Whether only a part of the range is loaded. */
  private get isPart(): boolean {
    const { data } = this.bars;
    return data !== undefined && unloaded(data).length > 0;
  }

  /** Loads the rest of the range, or cancels that, and says where it stopped. */
  private rest(): TemplateResult {
    const { strings, ask, report } = this.context;
    const { data } = this.bars;
    const { rest = 'canLoad' } = data ?? {};
    const isLoading = rest === 'loading';
    const stopped = data && rest === 'stopped' ? this.bars.labels().range(data.loaded) : undefined;
    const click = (): void => void ask(isLoading ? 'cancel' : 'loadWhole', {}).catch(report);
    return html`<span class="stopped" role="status"
        >${stopped === undefined ? nothing : strings('histogram.stopped', stopped)}</span
      ><button
        class="link rest"
        type="button"
        title=${isLoading ? '' : strings('histogram.loadWholeHint')}
        ?hidden=${data?.rest === undefined}
        @click=${click}
      >
        ${strings(restLabels[rest])}
      </button>`;
  }

  /** Which part of the range is loaded, and which the list shows. */
  private legendInWords(): string {
    const { bars, inView, isPart } = this;
    const { strings } = this.context;
    const labels = bars.labels();
    const loaded = isPart ? bars.data?.loaded : undefined;
    return [
      ...(loaded ? [strings('histogram.legend', labels.range(loaded))] : []),
      ...(inView ? [strings('histogram.inView', labels.range(inView))] : []),
    ].join(' ');
  }

  /** What the mark of a deployment offers. */
  private itemsOf({ at }: DeploymentMark): readonly MenuItem[] {
    const { strings, search, ask } = this.context;
    return [
      {
        icon: 'git-compare',
        label: strings('deployments.compare'),
        run: () => void search.use((text) => ask('compare', { text, at })),
      },
      {
        icon: 'arrow-left',
        label: strings('deployments.before'),
        run: () => this.narrow({ from: isoOf(this.bars.data?.starts[0] ?? at), to: isoOf(at - 1) }),
      },
      {
        icon: 'arrow-right',
        label: strings('deployments.after'),
        run: () => {
          const { to } = search.parsed.range;
          return this.narrow({ from: isoOf(at), ...(to === undefined ? {} : { to }) });
        },
      },
    ];
  }

  private async narrow(range: Range): Promise<void> {
    const { search } = this.context;
    if (!this.bars.mayNarrow) return;
    this.zoom.into(search.parsed.range, range);
    await search.narrow({ kind: 'range', range });
  }

  private async goBack(): Promise<void> {
    const range = this.zoom.out();
    if (range === undefined) return;
    this.bars.focus();
    await this.context.search.narrow({ kind: 'range', range });
  }
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/** The earlier ranges, for zooming out step by step. */
export class Zoom {
  private readonly steps: { readonly before: Range; readonly after: Range; isThere: boolean }[] =
    [];

  get canGoBack(): boolean {
    return this.steps.length > 0;
  }

  /** The range before the last step; undefined without one. */
  get outer(): Range | undefined {
    return this.steps.at(-1)?.before;
  }

  /** The user zooms into a range. */
  into(before: Range, after: Range): void {
    this.steps.push({ before, after, isThere: false });
  }

  /** The previous range; undefined if there is none. */
  out(): Range | undefined {
    return this.steps.pop()?.before;
  }

  /** Takes the range of the query: another change of the range clears the steps. */
  saw(range: Range): void {
    const { steps } = this;
    const last = steps.at(-1);
    if (last === undefined) return;
    if (isSame(last.after, range)) last.isThere = true;
    else if (!isSame(last.before, range)) steps.length = 0;
    // The zoom was undone.
    else if (last.isThere) steps.pop();
  }
}

function isSame(a: Range, b: Range): boolean {
  return a.last === b.last && isSameTime(a.from, b.from) && isSameTime(a.to, b.to);
}

/** A time may be written with more or fewer digits. */
function isSameTime(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || Date.parse(a) === Date.parse(b);
}

/** The icon of each outcome, which its color only repeats. */
const icons: Readonly<Record<DeploymentMark['outcome'], string>> = {
  succeeded: 'rocket',
  failed: 'error',
  running: 'sync',
  cancelled: 'circle-slash',
  unknown: 'question',
};

/** The marks of deployments over the bars: beside their slider, which cannot contain buttons. */
export class DeploymentButtons extends PagePart {
  static override readonly properties = { data: { state: true } };

  declare private data: Pick<HistogramData, 'starts' | 'deployments'> | undefined;
  private readonly menu: Menu;
  private roving: ReturnType<typeof rove> | undefined;
  /** The place of the mark that has the focus, while they change. */
  private focused = -1;

  /** @param itemsOf what a mark offers. */
  constructor(
    private readonly label: string,
    private readonly itemsOf: (mark: DeploymentMark) => readonly MenuItem[],
  ) {
    super();
    this.className = 'deployment-place';
    this.menu = new Menu(label);
  }

  /** Shows the deployments on the axis, or none. */
  show(data: HistogramData | undefined): void {
    const { starts, deployments } = data ?? { starts: [] };
    const next = { starts, ...(deployments && { deployments }) };
    if (JSON.stringify(next) !== JSON.stringify(this.data)) this.data = next;
  }

  protected override willUpdate(): void {
    this.focused = this.buttons.findIndex((button) => button === document.activeElement);
  }

  protected override updated(): void {
    const marks = this.child('.deployments');
    this.roving ??= rove(marks, () => [marks]);
    this.roving.update();
    const { buttons, focused } = this;
    if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)]?.focus();
  }

  protected override render(): TemplateResult {
    const { deployments = [], starts } = this.data ?? { starts: [] };
    const { from, to } = wholeOf({ starts });
    return html`<div
        class="deployments"
        role="toolbar"
        aria-label=${this.label}
        ?hidden=${deployments.length === 0}
      >
        ${deployments.map((mark) => this.mark(mark, ((mark.at - from) / (to - from)) * 100))}
      </div>
      ${this.menu}`;
  }

  private get buttons(): readonly HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.deployment')];
  }

  private mark(mark: DeploymentMark, place: number): TemplateResult {
    const open = ({ currentTarget: button }: Event): void => {
      const { style } = this.menu;
      style.insetInlineStart = place < 50 ? `${place}%` : 'auto';
      style.insetInlineEnd = place < 50 ? 'auto' : `${100 - place}%`;
      if (button instanceof HTMLElement) this.menu.toggle(button, this.itemsOf(mark));
    };
    return html`<button
      class="deployment ${mark.outcome}"
      type="button"
      title=${mark.text}
      aria-label=${mark.text}
      aria-haspopup="menu"
      .style=${`left: ${place}%`}
      @click=${open}
    >
      ${iconTemplate(icons[mark.outcome])}
    </button>`;
  }
}
