import type { LogRecord } from '../../api/types';
import { createHistogramFeed } from './histogram';
import type { ExplorerState } from './types';
import type { Span } from './buckets';
import { severities, type HistogramData } from './panel/messages';

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

export function createLoadedHistogram(): LoadedHistogram {
  const feed = createHistogramFeed(severities, maxBuckets);
  return {
    of(state, records, timeZone) {
      const counted = feed.count(records, spanOf(state, records));
      return counted && { ...counted, timeZone: zoneOf(timeZone) };
    },
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
