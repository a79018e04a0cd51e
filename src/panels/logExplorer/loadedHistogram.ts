import type { LogRecord } from '../../api/types';
import type { ExplorerState } from '../../logs/explorer/types';
import { histogramOf, type Span } from '../../logs/search/histogram';
import type { HistogramData } from './messages';
import { severities } from './messages';

/** The bars of what is loaded. */
export interface LoadedHistogram {
  /** Undefined where there is nothing to draw. */
  of(
    state: ExplorerState,
    records: readonly LogRecord[],
    timeZone: string,
  ): HistogramData | undefined;
}

/** As many bars as can be told apart in a narrow page. */
const maxBuckets = 120;
/** Milliseconds between counts of many records, which come in many times a second while following. */
const countEvery = 1000;
const many = 5000;

/** @param now on a clock that never goes back, in milliseconds. */
export function createLoadedHistogram(now: () => number): LoadedHistogram {
  let counted: { readonly records: readonly LogRecord[]; readonly life: number } | undefined;
  let countedAt = Number.NEGATIVE_INFINITY;
  let result: Omit<HistogramData, 'timeZone'> | undefined;
  return {
    of(state, records, timeZone) {
      const isNew = counted?.records !== records || counted.life !== state.life;
      const mayWait = counted?.life === state.life && records.length > many;
      if (isNew && !(mayWait && now() - countedAt < countEvery)) {
        result = count(state, records);
        counted = { records, life: state.life };
        countedAt = now();
      }
      return result && { ...result, timeZone: zoneOf(timeZone) };
    },
  };
}

function count(
  state: ExplorerState,
  records: readonly LogRecord[],
): Omit<HistogramData, 'timeZone'> | undefined {
  const { step, buckets } = histogramOf(records, maxBuckets, spanOf(state, records));
  const [first] = buckets;
  if (first === undefined) return undefined;
  return {
    start: first.start,
    step,
    counts: buckets.map(({ counts }) => severities.map((severity) => counts[severity])),
  };
}

/**
 * What the bars cover: as far as records are loaded, since no bar means no record; so all of the range
 * only where its beginning, or its end, was reached.
 */
function spanOf(
  { window, context, older, newer }: ExplorerState,
  records: readonly LogRecord[],
): Span | undefined {
  if (window === undefined || context !== undefined) return undefined;
  const first = Date.parse(records[0]?.timestamp ?? '');
  const last = Date.parse(records.at(-1)?.timestamp ?? '');
  if (Number.isNaN(first) || Number.isNaN(last)) return undefined;
  const from = older.kind === 'reached' ? Math.min(first, Date.parse(window.from)) : first;
  const to = newer.kind === 'reached' ? Math.max(last, Date.parse(window.to)) : last;
  return { from, to };
}

function zoneOf(timeZone: string): string {
  if (timeZone === 'local') return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZone === 'utc' ? 'UTC' : timeZone;
}
