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

/** The plot of the bars. */
interface Plot {
  draw(data: HistogramData): void;
  /** Marks buckets, or none. */
  mark(buckets: Buckets | undefined): void;
  /** Marks what the list shows, or nothing. */
  markView(span: TimeSpan | undefined): void;
  /** The bucket at a position in the window, in CSS pixels from its left edge. */
  bucketAtX(x: number): number | undefined;
  /** The colours changed. */
  repaint(): void;
}

interface PlotOptions {
  /** Called for each paint. */
  readonly colourOf: (what: RowSeverity | 'axis' | 'grid') => string;
  readonly axis: (instants: readonly number[], step: number) => string[];
  readonly number: (value: number) => string;
}

const bars = uPlot.paths.bars?.({ size: [0.94, Number.POSITIVE_INFINITY], align: 1 });

/** @param place the container, whose size the plot takes. */
export function createPlot(place: HTMLElement, options: PlotOptions): Plot {
  let data: HistogramData | undefined;
  let buckets: Buckets | undefined;
  let inView: TimeSpan | undefined;
  const mark = element('div', { class: 'mark' });
  const view = element('div', { class: 'in-view' });
  mark.hidden = view.hidden = true;
  const hatched = [0, 1].map(() => element('div', { class: 'unloaded' }));
  const plot = new uPlot(
    plotOptions(options, () => data),
    [[]],
    place,
  );
  plot.over.append(...hatched, view, mark);

  /** Puts an element over a part of the axis, or hides it. */
  const put = (over: HTMLElement, span: TimeSpan | undefined, least: number): void => {
    over.hidden = data === undefined || span === undefined;
    if (data === undefined || span === undefined) return;
    const { from: start, to: end } = wholeOf(data);
    const place = (at: number): number => plot.valToPos(Math.min(Math.max(at, start), end), 'x');
    const width = Math.max(place(span.to) - place(span.from), least);
    over.style.left = `${Math.min(place(span.from), place(end) - width)}px`;
    over.style.width = `${width}px`;
  };
  const placeAll = (): void => {
    const parts = data === undefined ? [] : unloaded(data);
    hatched.forEach((part, index) => put(part, parts[index], 1));
    put(view, inView, 4);
    put(mark, data && buckets && spanOf(data, buckets), 2);
  };
  const fit = (): void => {
    const { width, height } = sizeOf(place);
    if (width === 0 || height === 0 || (width === plot.width && height === plot.height)) return;
    plot.setSize({ width, height });
    placeAll();
  };
  new ResizeObserver(fit).observe(place);
  return {
    draw(next) {
      data = next;
      plot.setData([
        [...next.starts.slice(0, -1)],
        ...layersOf(next).map(({ tops, counts: own }) =>
          // An empty piece must not leave a line of its colour.
          tops.map((top, index) => (own[index] === 0 ? null : top)),
        ),
      ]);
      placeAll();
    },
    mark(next) {
      buckets = next;
      placeAll();
    },
    markView(span) {
      inView = span;
      placeAll();
    },
    bucketAtX(x) {
      if (data === undefined) return undefined;
      const { left } = plot.over.getBoundingClientRect();
      return bucketAt(data, plot.posToVal(x - left, 'x'));
    },
    // Painted colours are cached.
    repaint: () => plot.redraw(true, true),
  };
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
export interface BarLabels {
  /** The labels of the axis: the time, or the date where it changes. */
  readonly axis: (instants: readonly number[]) => string[];
  /** The time of some buckets, and their number of records of each severity. */
  readonly describe: (data: HistogramData, buckets: Buckets) => string;
  /** A range of time. */
  readonly range: (span: TimeSpan) => string;
  readonly number: (value: number) => string;
}

/**
 * @param step the time between two labels or buckets, in milliseconds; short ones need seconds.
 */
export function createBarLabels(
  strings: Strings,
  locale: string,
  timeZone: string,
  step: number,
): BarLabels {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, hourCycle: 'h23', timeZone });
  const date = format({ month: 'short', day: 'numeric' });
  const time = format({
    hour: '2-digit',
    minute: '2-digit',
    ...(step < minute ? { second: '2-digit' } : {}),
  });
  const full = format({
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(step % minute === 0 ? {} : { second: '2-digit' }),
  });
  const numbers = new Intl.NumberFormat(locale);
  const number = (value: number): string => numbers.format(value);
  // The texts may be in another language than the editor.
  const forms = new Intl.PluralRules(strings('language'));

  const records = (count: number): string => {
    if (count === 0) return strings('histogram.noRecords');
    const isOne = forms.select(count) === 'one';
    return strings(isOne ? 'histogram.oneRecord' : 'histogram.records', count);
  };
  const countsOf = (data: HistogramData): string => {
    const { loaded } = data;
    const { from: start, to: end } = wholeOf(data);
    if (end <= loaded.from || start >= loaded.to) return strings('histogram.notLoaded');
    const isPart = start < loaded.from || end > loaded.to;
    const count = data.counts.reduce((total, one) => total + sum(one), 0);
    const each = totalsOf(data).map((one) =>
      strings('histogram.count', one.count, strings(`severity.${one.severity}`)),
    );
    const part = isPart ? [strings('histogram.notAllLoaded')] : [];
    return [records(count), ...each, ...part].join(', ');
  };
  return {
    number,
    range: ({ from, to }) => full.formatRange(from, to),
    axis(instants) {
      let before = '';
      return instants.map((instant) => {
        const on = date.format(instant);
        const isOther = before !== '' && on !== before;
        before = on;
        return step >= day || isOther ? on : time.format(instant);
      });
    },
    describe(data, { first, last }) {
      const starts = data.starts.slice(first, last + 2);
      const chosen = { ...data, starts, counts: data.counts.slice(first, last + 1) };
      const { from, to } = wholeOf(chosen);
      const when = full.formatRange(from, to);
      return first === last
        ? strings('histogram.bucket', when, countsOf(chosen))
        : strings('histogram.buckets', when, last - first + 1, countsOf(chosen));
    },
  };
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
