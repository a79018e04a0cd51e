import type { HistogramData, View } from '../../src/logs/explorer/protocol/view';
import { type Buckets, type Span, sum, totalsOf } from './stackedBars';
import type { Strings } from './panel';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Formats the times and counts of the histogram. */
export interface BarLabels {
  /** The labels of the axis: the time, or the date where it changes. */
  readonly axis: (instants: readonly number[]) => string[];
  /** The time of some buckets, and their number of records of each severity. */
  readonly describe: (data: HistogramData, buckets: Buckets) => string;
  /** A range of time. */
  readonly range: (span: Span) => string;
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
    const { start, step: length, counts, loaded } = data;
    const end = start + counts.length * length;
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
      const start = data.start + first * data.step;
      const chosen = { ...data, start, counts: data.counts.slice(first, last + 1) };
      const when = full.formatRange(start, data.start + (last + 1) * data.step);
      return first === last
        ? strings('histogram.bucket', when, countsOf(chosen))
        : strings('histogram.buckets', when, last - first + 1, countsOf(chosen));
    },
  };
}

/** Whether two histograms have the same buckets at the same times. */
export function sameBuckets(one: HistogramData | undefined, other: HistogramData): boolean {
  return (
    one?.start === other.start &&
    one.step === other.step &&
    one.counts.length === other.counts.length
  );
}

/** Whether no more records are arriving. */
export function isAtRest({ progress, following }: Pick<View, 'progress' | 'following'>): boolean {
  const isComing = following?.state === 'live' || following?.state === 'waiting';
  return progress === undefined && !isComing;
}
