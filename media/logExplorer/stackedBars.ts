import uPlot from 'uplot';
import {
  type HistogramData,
  type RowSeverity,
  severities,
  type TimeSpan,
  type View,
} from '../../src/logs/explorer/protocol/view';
import { element } from './dom';
import type { Strings } from './panel';

/** The counts of a severity, stacked on those below it. */
interface Layer {
  readonly severity: RowSeverity;
  /** The upper end in each bucket. */
  readonly tops: readonly number[];
  /** The count in each bucket. */
  readonly counts: readonly number[];
}

/** The most severe first, as from the bottom of a bar to its top. */
export const bySeverity: readonly RowSeverity[] = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'unknown',
];

export function countOf(counts: readonly number[] | undefined, severity: RowSeverity): number {
  return counts?.[severities.indexOf(severity)] ?? 0;
}

/** The total of a bucket. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}

/** The layers of the bars, the highest first: each covers the lower part of the one before it. */
export function layersOf({ counts }: Pick<HistogramData, 'counts'>): readonly Layer[] {
  let tops: readonly number[] = counts.map(() => 0);
  return bySeverity
    .map((severity): Layer => {
      const own = counts.map((bucket) => countOf(bucket, severity));
      tops = own.map((count, index) => (tops[index] ?? 0) + count);
      return { severity, tops, counts: own };
    })
    .reverse();
}

export function countsOf(data: HistogramData | undefined): ReadonlyMap<RowSeverity, number> {
  const totals = data === undefined ? [] : totalsOf(data);
  return new Map(totals.map(({ severity, count }) => [severity, count]));
}

/** The number of records of each severity that occurs, the most severe first. */
export function totalsOf({
  counts,
}: HistogramData): readonly { readonly severity: RowSeverity; readonly count: number }[] {
  return bySeverity
    .map((severity) => ({
      severity,
      count: counts.reduce((total, bucket) => total + countOf(bucket, severity), 0),
    }))
    .filter(({ count }) => count > 0);
}

/** The parts of the axis that are not loaded: before and after the part that is. */
export function unloaded({ loaded, ...data }: HistogramData): readonly TimeSpan[] {
  const { from: start, to: end } = wholeOf(data);
  return [
    { from: start, to: Math.min(loaded.from, end) },
    { from: Math.max(loaded.to, start), to: end },
  ].filter(({ from, to }) => from < to);
}

/** The range of all bars. */
export function wholeOf({ starts }: Pick<HistogramData, 'starts'>): TimeSpan {
  return { from: starts[0] ?? 0, to: starts.at(-1) ?? 0 };
}

/** The top value of the axis of counts: a number that is easy to read, and little more than the highest bar. */
export function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((one) => one * power);
  return steps.find((one) => one >= most && Number.isInteger(one)) ?? power * 10;
}

/** A run of buckets. */
export interface Buckets {
  readonly first: number;
  readonly last: number;
}

/** The buckets between two of them, in any order. */
export function between(a: number, b: number): Buckets {
  return { first: Math.min(a, b), last: Math.max(a, b) };
}

/** The bucket at a time, or the nearest one; undefined if there are none. */
export function bucketAt({ starts, counts }: HistogramData, at: number): number | undefined {
  if (counts.length === 0) return undefined;
  const next = starts.findIndex((start) => start > at);
  return Math.min(Math.max(next < 0 ? counts.length : next - 1, 0), counts.length - 1);
}

/**
 * The range of these buckets for a query. Ranges include their end, so it is the last millisecond of the
 * last bucket.
 */
export function rangeOf(
  data: HistogramData,
  buckets: Buckets,
): { readonly from: string; readonly to: string } {
  const { from, to } = spanOf(data, buckets);
  return { from: new Date(from).toISOString(), to: new Date(to - 1).toISOString() };
}

function spanOf(data: HistogramData, { first, last }: Buckets): TimeSpan {
  const { from, to } = wholeOf(data);
  return { from: data.starts[first] ?? from, to: data.starts[last + 1] ?? to };
}

interface PlotOptions {
  /** Called for each paint. */
  readonly colourOf: (what: RowSeverity | 'axis' | 'grid') => string;
  readonly axis: (instants: readonly number[], step: number) => string[];
  readonly number: (value: number) => string;
}

const bars = uPlot.paths.bars?.({ size: [0.94, Number.POSITIVE_INFINITY], align: 1 });

/** The plot of the bars. */
export class Plot {
  private data: HistogramData | undefined;
  private buckets: Buckets | undefined;
  private inView: TimeSpan | undefined;
  private readonly marked = element('div', { class: 'mark' });
  private readonly view = element('div', { class: 'in-view' });
  private readonly hatched = [0, 1].map(() => element('div', { class: 'unloaded' }));
  private readonly plot: uPlot;

  /** @param place the container, whose size the plot takes. */
  constructor(
    private readonly place: HTMLElement,
    options: PlotOptions,
  ) {
    this.plot = new uPlot(
      plotOptions(options, () => this.data),
      [[]],
      place,
    );
    this.plot.over.append(...this.hatched, this.view, this.marked);
    this.placeAll();
    new ResizeObserver(() => this.fit()).observe(place);
  }

  draw(data: HistogramData): void {
    this.data = data;
    this.plot.setData([
      [...data.starts.slice(0, -1)],
      ...layersOf(data).map(({ tops, counts }) =>
        // An empty piece must not leave a line of its colour.
        tops.map((top, index) => (counts[index] === 0 ? null : top)),
      ),
    ]);
    this.placeAll();
  }

  /** Marks buckets, or none. */
  mark(buckets: Buckets | undefined): void {
    this.buckets = buckets;
    this.placeAll();
  }

  /** Marks what the list shows, or nothing. */
  markView(span: TimeSpan | undefined): void {
    this.inView = span;
    this.placeAll();
  }

  /** The bucket at a position in the window, in CSS pixels from its left edge. */
  bucketAtX(x: number): number | undefined {
    if (this.data === undefined) return undefined;
    const { left } = this.plot.over.getBoundingClientRect();
    return bucketAt(this.data, this.plot.posToVal(x - left, 'x'));
  }

  /** The colours changed: painted ones are cached. */
  repaint(): void {
    this.plot.redraw(true, true);
  }

  private placeAll(): void {
    const { data, buckets } = this;
    const parts = data === undefined ? [] : unloaded(data);
    this.hatched.forEach((part, index) => this.put(part, parts[index], 1));
    this.put(this.view, this.inView, 4);
    this.put(this.marked, data && buckets && spanOf(data, buckets), 2);
  }

  /** Puts an element over a part of the axis, or hides it. */
  private put(over: HTMLElement, span: TimeSpan | undefined, least: number): void {
    const { data, plot } = this;
    over.hidden = data === undefined || span === undefined;
    if (data === undefined || span === undefined) return;
    const { from: start, to: end } = wholeOf(data);
    const place = (at: number): number => plot.valToPos(Math.min(Math.max(at, start), end), 'x');
    const width = Math.max(place(span.to) - place(span.from), least);
    over.style.left = `${Math.min(place(span.from), place(end) - width)}px`;
    over.style.width = `${width}px`;
  }

  private fit(): void {
    const { plot } = this;
    const { width, height } = sizeOf(this.place);
    if (width === 0 || height === 0 || (width === plot.width && height === plot.height)) return;
    plot.setSize({ width, height });
    this.placeAll();
  }
}

/** The size from the style sheet, in whole pixels. */
function sizeOf({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } {
  return { width: Math.floor(clientWidth), height: Math.floor(clientHeight) };
}

function plotOptions(
  { colourOf, axis, number }: PlotOptions,
  data: () => HistogramData | undefined,
): uPlot.Options {
  const layers = layersOf({ counts: [] });
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const lines = {
    font,
    stroke: () => colourOf('axis'),
    grid: { stroke: () => colourOf('grid'), width: 1 },
    ticks: { stroke: () => colourOf('grid'), width: 1, size: 4 },
  };
  return {
    // Until it has its final size.
    width: 300,
    height: 92,
    ms: 1,
    padding: [6, 20, 0, 0],
    // The histogram handles pointer and keyboard itself.
    cursor: { show: false },
    legend: { show: false },
    tzDate: (instant) => uPlot.tzDate(new Date(instant), data()?.timeZone ?? 'UTC'),
    scales: {
      x: {
        range: () => {
          const { from, to } = wholeOf(data() ?? { starts: [] });
          return [from, Math.max(to, from + 1)];
        },
      },
      y: { range: (_plot, _min, max) => [0, topOf(max)] },
    },
    axes: [
      {
        ...lines,
        size: 22,
        gap: 3,
        space: 84,
        values: (_plot, instants, _axis, _space, step) => axis(instants, step),
      },
      {
        ...lines,
        size: 44,
        gap: 3,
        splits: (_plot, _axis, min, max) => [min, max],
        values: (_plot, values) => values.map(number),
      },
    ],
    series: [
      {},
      ...layers.map(({ severity }) => ({
        fill: () => colourOf(severity),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
}

/** Everything with its own colour in the plot. */
export const coloured = [...severities, 'axis', 'grid'] as const;

const minute = 60_000;
const day = 24 * 60 * minute;

/** Formats the times and counts of the histogram. */
export class BarLabels {
  private readonly date: Intl.DateTimeFormat;
  private readonly time: Intl.DateTimeFormat;
  private readonly full: Intl.DateTimeFormat;
  private readonly numbers: Intl.NumberFormat;
  /** The texts may be in another language than the editor. */
  private readonly forms: Intl.PluralRules;

  /** @param step the time between two labels or buckets, in milliseconds; short ones need seconds. */
  constructor(
    private readonly strings: Strings,
    locale: string,
    timeZone: string,
    private readonly step: number,
  ) {
    const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
      new Intl.DateTimeFormat(locale, { ...options, hourCycle: 'h23', timeZone });
    const date = { month: 'short', day: 'numeric' } as const;
    const clock = { hour: '2-digit', minute: '2-digit' } as const;
    const seconds = { second: '2-digit' } as const;
    this.date = format(date);
    this.time = format({ ...clock, ...(step < minute ? seconds : {}) });
    this.full = format({ ...date, ...clock, ...(step % minute === 0 ? {} : seconds) });
    this.numbers = new Intl.NumberFormat(locale);
    this.forms = new Intl.PluralRules(strings('language'));
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  range({ from, to }: TimeSpan): string {
    return this.full.formatRange(from, to);
  }

  /** The labels of the axis: the time, or the date where it changes. */
  axis(instants: readonly number[]): string[] {
    let before = '';
    return instants.map((instant) => {
      const on = this.date.format(instant);
      const isOther = before !== '' && on !== before;
      before = on;
      return this.step >= day || isOther ? on : this.time.format(instant);
    });
  }

  /** The time of some buckets, and their number of records of each severity. */
  describe(data: HistogramData, { first, last }: Buckets): string {
    const starts = data.starts.slice(first, last + 2);
    const chosen = { ...data, starts, counts: data.counts.slice(first, last + 1) };
    const when = this.range(wholeOf(chosen));
    const counts = this.counts(chosen);
    return first === last
      ? this.strings('histogram.bucket', when, counts)
      : this.strings('histogram.buckets', when, last - first + 1, counts);
  }

  private counts(data: HistogramData): string {
    const { strings } = this;
    const { loaded } = data;
    const { from: start, to: end } = wholeOf(data);
    if (end <= loaded.from || start >= loaded.to) return strings('histogram.notLoaded');
    const isPart = start < loaded.from || end > loaded.to;
    const count = data.counts.reduce((total, one) => total + sum(one), 0);
    const each = totalsOf(data).map((one) =>
      strings('histogram.count', one.count, strings(`severity.${one.severity}`)),
    );
    const part = isPart ? [strings('histogram.notAllLoaded')] : [];
    return [this.records(count), ...each, ...part].join(', ');
  }

  private records(count: number): string {
    if (count === 0) return this.strings('histogram.noRecords');
    const isOne = this.forms.select(count) === 'one';
    return this.strings(isOne ? 'histogram.oneRecord' : 'histogram.records', count);
  }
}

/** Whether two histograms have the same buckets at the same times. */
export function sameBuckets(a: HistogramData | undefined, b: HistogramData): boolean {
  const timesOf = (data?: HistogramData): string => JSON.stringify([data?.timeZone, data?.starts]);
  return timesOf(a) === timesOf(b);
}

/** Whether no more records are arriving. */
export function isAtRest({ progress, following }: Pick<View, 'progress' | 'following'>): boolean {
  const isComing = following?.state === 'live' || following?.state === 'waiting';
  return progress === undefined && !isComing;
}
