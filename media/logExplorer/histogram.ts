import type { Range } from '../../src/logs/explorer/protocol/messages';
import type {
  DeploymentMark,
  HistogramData,
  TimeSpan,
  View,
} from '../../src/logs/explorer/protocol/view';
import { BarChoice } from './barChoice';
import { element, setAttribute, setText, icon } from './dom';
import { Menu, type MenuItem } from './menu';
import type { PageContext } from './pageQuery';
import type { Strings } from './panel';
import { rove } from './roving';
import {
  type BarLabels,
  createBarLabels,
  isAtRest,
  sameBuckets,
  bucketAt,
  coloured,
  createPlot,
  rangeOf,
  unloaded,
  wholeOf,
} from './stackedBars';

export interface Histogram {
  readonly element: HTMLElement;
  /** The range that was zoomed in from; undefined if there is none. */
  readonly outer: Range | undefined;
  show(view: View): void;
  /** Marks what the list shows, or nothing. */
  markView(span: TimeSpan | undefined): void;
}

/** In a window as low as this, the histogram is folded unless the user chose. As in `base.css`. */
const low = '(max-height: 460px)';

/**
 * Creates the histogram of the range. Selected bars become the range of the query.
 *
 * @param chosenFold whether the user chose that only its line is shown; undefined if they did not choose.
 */
export function createHistogram(
  { ask, search, strings, locale, report }: PageContext,
  chosenFold: boolean | undefined,
): Histogram {
  const zoom = new Zoom();
  const fold = element('button', {
    attributes: {
      type: 'button',
      title: strings('histogram.fold'),
      'aria-label': strings('histogram.label'),
      'aria-controls': 'histogram-bars',
    },
    onClick: () => {
      folds = !isFolded();
      showFold();
      ask('foldHistogram', { isFolded: folds }).catch(report);
    },
  });
  const summary = element('span', { class: 'summary' });
  const progress = element('span', { class: 'progress' });
  const zoomOut = element('vscode-button', {
    class: 'zoom-out',
    text: strings('histogram.zoomOut'),
    attributes: { secondary: '', title: strings('histogram.zoomOutHint') },
    onClick: () => void goBack(),
  });
  zoomOut.hidden = true;
  const help = element('span', {
    class: 'unseen',
    text: strings('histogram.help'),
    attributes: { id: 'histogram-help' },
  });
  const legend = element(
    'span',
    { class: 'legend', attributes: { 'aria-hidden': 'true' } },
    element('span', { class: 'unloaded' }),
    strings('histogram.notLoaded'),
  );
  const legendInWords = element('span', {
    class: 'unseen',
    attributes: { id: 'histogram-legend' },
  });
  const rest = element('button', {
    class: 'link',
    attributes: { type: 'button' },
    onClick: () => ask(data?.rest === 'loading' ? 'cancel' : 'loadWhole', {}).catch(report),
  });
  legend.hidden = rest.hidden = true;
  const readout = element('div', { class: 'readout', attributes: { 'aria-hidden': 'true' } });
  const canvas = element('div', {
    class: 'bars',
    attributes: {
      id: 'histogram-bars',
      role: 'slider',
      tabindex: '0',
      'aria-label': strings('histogram.label'),
      'aria-describedby': 'histogram-help histogram-legend',
      'aria-orientation': 'horizontal',
      'aria-valuemin': '1',
    },
  });
  const deployments = createDeploymentMarks(strings, ({ at }) => [
    {
      icon: 'git-compare',
      label: strings('deployments.compare'),
      run: () => void search.use((text) => ask('compare', { text, at })),
    },
    {
      icon: 'arrow-left',
      label: strings('deployments.before'),
      run: () => narrowTo({ from: isoOf(data?.starts[0] ?? at), to: isoOf(at - 1) }),
    },
    {
      icon: 'arrow-right',
      label: strings('deployments.after'),
      run: () => {
        const { to } = search.parsed.range;
        return narrowTo({ from: isoOf(at), ...(to === undefined ? {} : { to }) });
      },
    },
  ]);
  const root = element(
    'div',
    { class: 'histogram-parts' },
    element('div', { class: 'line' }, fold, summary, legend, rest, progress, readout, zoomOut),
    element('div', { class: 'plot-place' }, canvas, deployments.element),
    help,
    legendInWords,
  );

  let folds = chosenFold;
  const isLow = matchMedia(low);
  const isFolded = (): boolean => folds ?? isLow.matches;
  let data: HistogramData | undefined;
  let mayNarrow = false;
  const choice = new BarChoice();
  let isDragging = false;
  let inView: TimeSpan | undefined;
  /** Whether the panel was told that the bars are shown. */
  let areShown = false;

  const colours = new Map(
    coloured.map((what) => {
      const sample = element('span', { class: `sample ${what}` });
      canvas.append(sample);
      return [what, sample] as const;
    }),
  );
  const labelsFor = (step: number): BarLabels =>
    createBarLabels(strings, locale, data?.timeZone ?? 'UTC', step);
  const plot = createPlot(canvas, {
    colourOf: (what) => {
      const sample = colours.get(what);
      return sample === undefined ? 'gray' : getComputedStyle(sample).color;
    },
    axis: (instants, step) => labelsFor(step).axis(instants),
    number: (value) => labelsFor(1).number(value),
  });

  const drawChoice = (): void => {
    const { buckets } = choice;
    plot.mark(buckets);
    const text =
      data === undefined || buckets === undefined
        ? ''
        : labelsFor(data.length).describe(data, buckets);
    setText(readout, text);
  };
  const showFold = (): void => {
    fold.className = `icon-button codicon codicon-chevron-${isFolded() ? 'right' : 'down'}`;
    fold.setAttribute('aria-expanded', String(!isFolded()));
    showBars();
  };
  const showBars = (): void => {
    canvas.hidden = readout.hidden = isFolded() || data === undefined;
    fold.hidden = data === undefined;
    deployments.show(canvas.hidden ? undefined : data);
    if (areShown === isFolded()) {
      areShown = !isFolded();
      ask('showBars', { areShown }).catch(report);
    }
    showLoaded();
  };
  /** Says which part of the range is loaded, and which the list shows. */
  const showLoaded = (): void => {
    const isPart = data !== undefined && unloaded(data).length > 0;
    legend.hidden = !isPart || canvas.hidden;
    const label = data?.rest === 'loading' ? 'query.cancel' : 'histogram.loadWhole';
    if (rest === document.activeElement && data?.rest === undefined) canvas.focus();
    rest.hidden = data?.rest === undefined;
    setText(rest, strings(label));
    rest.title = data?.rest === 'loading' ? '' : strings('histogram.loadWholeHint');
    const labels = labelsFor(data?.length ?? 1);
    const words = [
      ...(data !== undefined && isPart
        ? [strings('histogram.legend', labels.range(data.loaded))]
        : []),
      ...(inView === undefined ? [] : [strings('histogram.inView', labels.range(inView))]),
    ];
    setText(legendInWords, words.join(' '));
  };
  /** Screen readers read this at once while the focus is here. */
  const announce = (): void => {
    const { textContent: text } = readout;
    setAttribute(canvas, 'aria-valuemax', String(data?.counts.length ?? 1));
    setAttribute(canvas, 'aria-valuenow', String((choice.current ?? 0) + 1));
    setAttribute(canvas, 'aria-valuetext', text === '' ? strings('histogram.none') : text);
  };
  const choose = (next: number | undefined, extend: boolean): void => {
    choice.choose(next, extend);
    drawChoice();
    announce();
  };
  const narrow = async (): Promise<void> => {
    const { buckets } = choice;
    if (!mayNarrow || data === undefined || buckets === undefined) return;
    choose(undefined, false);
    await narrowTo(rangeOf(data, buckets));
  };
  const narrowTo = async (range: Range): Promise<void> => {
    if (!mayNarrow) return;
    zoom.into(search.parsed.range, range);
    await search.narrow({ kind: 'range', range });
  };
  const goBack = async (): Promise<void> => {
    const range: Range | undefined = zoom.out();
    if (range === undefined) return;
    canvas.focus();
    await search.narrow({ kind: 'range', range });
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const at = plot.bucketAtX(event.clientX);
    if (at === undefined) return;
    canvas.setPointerCapture(event.pointerId);
    isDragging = true;
    choose(at, event.shiftKey);
  });
  canvas.addEventListener('pointermove', (event) => {
    choose(plot.bucketAtX(event.clientX), isDragging || event.shiftKey);
  });
  canvas.addEventListener('pointerup', () => {
    if (!isDragging) return;
    isDragging = false;
    void narrow();
  });
  canvas.addEventListener('pointercancel', () => {
    isDragging = false;
    choose(undefined, false);
  });
  canvas.addEventListener('pointerleave', () => {
    if (!isDragging && document.activeElement !== canvas) choose(undefined, false);
  });
  canvas.addEventListener('focus', () => {
    if (choice.current === undefined && data !== undefined) choose(data.counts.length - 1, false);
  });
  canvas.addEventListener('blur', () => {
    if (!isDragging) choose(undefined, false);
  });
  canvas.addEventListener('keydown', (event) => {
    if (data === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const { length } = data.counts;
    const goal = choice.goal(event.key, length);
    if (goal !== undefined) choose(goal, event.shiftKey);
    else if (event.key === 'Enter') void narrow();
    else if (event.key === 'Escape') {
      isDragging = false;
      choose(choice.current ?? length - 1, false);
    } else return;
    event.preventDefault();
  });

  // When the theme changes, VS Code changes variables and classes.
  new MutationObserver(() => plot.repaint()).observe(document.body, {
    attributeFilter: ['class', 'data-vscode-theme-id'],
  });
  new MutationObserver(() => plot.repaint()).observe(document.documentElement, {
    attributeFilter: ['style'],
  });
  search.onChange(() => {
    zoom.saw(search.parsed.range);
    zoomOut.hidden = !zoom.canGoBack;
  });

  const draw = (next: HistogramData): void => {
    if (data !== undefined && !sameBuckets(data, next)) {
      // The selection keeps its time.
      const { starts } = data;
      choice.move((place) => bucketAt(next, starts[place] ?? 0));
    }
    if (document.activeElement === canvas) choice.suggest(next.counts.length - 1);
    data = next;
    plot.draw(next);
    drawChoice();
  };
  isLow.addEventListener('change', showFold);
  showFold();
  return {
    element: root,
    get outer() {
      return zoom.outer;
    },
    show(view) {
      setText(summary, view.summary);
      setText(progress, view.progress ?? '');
      mayNarrow = view.title === undefined;
      const next = view.histogram;
      const isThere = next !== undefined && next.counts.length > 0;
      const isEmpty = view.summary === '' && view.progress === undefined;
      root.hidden = !isThere && isEmpty && !zoom.canGoBack;
      if (!isThere) data = undefined;
      showBars();
      if (!isThere) return;
      if (JSON.stringify(next) !== JSON.stringify(data)) draw(next);
      showBars();
      // While following, screen readers do not read every change of a bar.
      if (document.activeElement !== canvas || isAtRest(view)) announce();
    },
    markView(span) {
      inView = span;
      plot.markView(span);
      showLoaded();
    },
  };
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

/**
 * Creates the marks of deployments over the bars. They are beside the slider of the bars, which cannot contain
 * buttons.
 *
 * @param itemsOf what a mark offers.
 */
function createDeploymentMarks(
  strings: Strings,
  itemsOf: (mark: DeploymentMark) => readonly MenuItem[],
) {
  const marks = element('div', {
    class: 'deployments',
    attributes: { role: 'toolbar', 'aria-label': strings('deployments.label') },
  });
  const menu = new Menu(strings('deployments.label'));
  const roving = rove(marks, () => [marks]);
  let shown = '';

  function markOf(mark: DeploymentMark, place: number): HTMLElement {
    const button = element(
      'button',
      {
        class: `deployment ${mark.outcome}`,
        attributes: {
          type: 'button',
          title: mark.text,
          'aria-label': mark.text,
          'aria-haspopup': 'menu',
        },
        onClick() {
          menu.style.insetInlineStart = place < 50 ? `${place}%` : 'auto';
          menu.style.insetInlineEnd = place < 50 ? 'auto' : `${100 - place}%`;
          menu.toggle(button, itemsOf(mark));
        },
      },
      icon(icons[mark.outcome]),
    );
    button.style.left = `${place}%`;
    return button;
  }

  return {
    element: element('div', { class: 'deployment-place' }, marks, menu),
    /** Shows the deployments on the axis, or none. */
    show(data: HistogramData | undefined): void {
      const all = data?.deployments ?? [];
      const key = JSON.stringify([data?.starts, all]);
      if (key === shown) return;
      shown = key;
      const focused = [...marks.children].findIndex((one) => one === document.activeElement);
      const { from, to } = wholeOf(data ?? { starts: [] });
      marks.hidden = all.length === 0;
      marks.replaceChildren(
        ...all.map((mark) => markOf(mark, ((mark.at - from) / (to - from)) * 100)),
      );
      roving.update();
      const again = marks.children[Math.min(focused, all.length - 1)];
      if (focused >= 0 && again instanceof HTMLElement) again.focus();
    },
  };
}
