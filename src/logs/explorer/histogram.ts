import type { LogRecord, Deployment } from '../../api/types';
import { minute, type Clock } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { deploymentTime, hasRun } from '../../data/deployments';
import type { Store } from '../../data/store';
import { isUuid } from '../../data/targets';
import type { LogFilter } from '../query/fields';
import {
  hasSeverityOfBody,
  readsBody,
  type SeveritySource,
  shownSeverity,
} from '../record/shownSeverity';
import { hasTailEnded } from '../tail/tails';
import { Bars } from './bars';
import { type ExplorerState, restOf } from './explorerState';
import { type HistogramData, severities, type TimeSpan } from './protocol/view';

/** The range from the earliest to the latest record; undefined if no record has a valid time. */
export function extentOf(records: readonly LogRecord[]): TimeSpan | undefined {
  let from = Infinity;
  let to = -Infinity;
  for (const { timestamp } of records) {
    const time = Date.parse(timestamp);
    if (time < from) from = time;
    if (time > to) to = time;
  }
  return from <= to ? { from, to } : undefined;
}

/** The maximum number of bars, which a narrow page can still show. */
const mostBars = 120;

/**
 * The histogram of the range of the search; undefined if there is nothing to draw.
 *
 * @param now the time of the control plane's clock, in milliseconds since 1970.
 */
export function histogramOf(
  counter: TimeCounter,
  state: ExplorerState,
  timeZone: string,
  now: number,
): HistogramData | undefined {
  const axis = axisOf(state, counter.records, now);
  if (axis === undefined) return undefined;
  const counted = counter.count(timeZone, axis.range);
  if (counted === undefined) return undefined;
  const rest = restOfRange(state);
  const [start = 0, end = 0] = [counted.starts[0], counted.starts.at(-1)];
  const { range, loaded } = axis;
  return {
    ...counted,
    timeZone: zoneOf(timeZone),
    // The first and the last bar may be longer than the range.
    loaded: {
      from: loaded.from === range.from ? start : loaded.from,
      to: loaded.to === range.to ? end : loaded.to,
    },
    ...(rest && { rest }),
  };
}

/** Whether more of the range can be loaded; undefined if not. */
export function restOfRange(
  state: Pick<ExplorerState, 'search' | 'older' | 'newer' | 'loading' | 'isAtBound'>,
): HistogramData['rest'] {
  if (state.loading?.isWhole === true) return 'loading';
  if (restOf(state).length === 0) return undefined;
  return state.isAtBound ? 'stopped' : 'canLoad';
}

/** The axis of a search: its range, and the part of it whose records are loaded. */
export function axisOf(
  state: Pick<ExplorerState, 'search' | 'window' | 'context' | 'older' | 'newer' | 'following'>,
  records: readonly Pick<LogRecord, 'timestamp'>[],
  now: number,
): { readonly range: TimeSpan; readonly loaded: TimeSpan } | undefined {
  const { search, window, context, older, newer, following } = state;
  if (window === undefined || context !== undefined) return undefined;
  const first = Date.parse(records[0]?.timestamp ?? '');
  const last = Date.parse(records.at(-1)?.timestamp ?? '');
  if (Number.isNaN(first) || Number.isNaN(last)) return undefined;
  const isFollowing = following !== undefined && !hasTailEnded(following.state);
  const range = {
    from: Math.min(first, Date.parse(window.from)),
    // Without an end, the range goes on while it is followed.
    to: Math.max(last, Date.parse(window.to), isFollowing ? now : -Infinity),
  };
  // Of an open range, the newest records were loaded first.
  const isNewest = newer.kind === 'reached' || (search?.range.to === undefined && !isFollowing);
  const loaded = {
    from: older.kind === 'reached' ? range.from : first,
    to: isNewest ? range.to : last,
  };
  return { range, loaded };
}

function zoneOf(timeZone: string): string {
  if (timeZone === 'local') return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZone === 'utc' ? 'UTC' : timeZone;
}

/** The number of records by time and severity. */
export type CountedTimes = Pick<HistogramData, 'starts' | 'length' | 'counts'>;

/** The share of `maxBars` below which bars become shorter. Avoids flicker. */
const leastShare = 1 / 3;

/** Counts the records of a list that grows at both ends. */
export class TimeCounter {
  /** Where each severity is counted. */
  private readonly places: ReadonlyMap<string, number> = new Map(
    severities.map((severity, place) => [severity, place]),
  );
  private list: readonly LogRecord[] = [];
  /** Undefined while nothing is counted. */
  private bars: Bars | undefined;
  /** By the number of the bar. */
  private counts = new Map<number, number[]>();
  private others = 0;

  /**
   * @param source which severity counts, read whenever records come.
   * @param maxBars at least 2.
   */
  constructor(
    private readonly source: () => SeveritySource = readsBody,
    private readonly maxBars = mostBars,
  ) {}

  /** The list, oldest first. */
  get records(): readonly LogRecord[] {
    return this.list;
  }

  /** How many of the counted records show another severity than that of the control plane. */
  get unlikeServer(): number {
    return this.others;
  }

  /** The whole list changed. Oldest first. */
  replaced(records: readonly LogRecord[]): void {
    this.list = records;
    this.recount();
  }

  /** Records came at an end of the list, which is now `now`, and `dropped` were removed. */
  added(
    records: readonly LogRecord[],
    dropped: readonly LogRecord[],
    now: readonly LogRecord[],
  ): void {
    this.change(records, 1);
    this.change(dropped, -1);
    this.list = now;
  }

  /**
   * Reads all records again only if the bars become longer or shorter, or are of another zone.
   *
   * @param timeZone where bars begin at midnight: `local`, `utc` or an IANA name.
   * @param range by default, that of all records.
   * @returns undefined without a range.
   */
  count(timeZone: string, range = extentOf(this.list)): CountedTimes | undefined {
    if (range === undefined || !(range.from <= range.to)) return undefined;
    const { maxBars } = this;
    let { bars } = this;
    const count = bars?.timeZone === timeZone ? bars.count(range) : 0;
    if (bars === undefined || count > maxBars || count < maxBars * leastShare) {
      bars = Bars.covering(range, maxBars, timeZone);
    }
    if (bars.length !== this.bars?.length || timeZone !== this.bars.timeZone) {
      this.bars = bars;
      this.recount();
    }
    const first = bars.numberOf(range.from);
    const numbers = Array.from({ length: bars.count(range) + 1 }, (_, index) => first + index);
    return {
      starts: numbers.map((number) => bars.startOf(number)),
      length: bars.length,
      counts: numbers.slice(0, -1).map((number) => [...(this.counts.get(number) ?? this.none())]),
    };
  }

  private none(): number[] {
    return severities.map(() => 0);
  }

  private recount(): void {
    this.counts = new Map();
    this.others = 0;
    this.change(this.list, 1);
  }

  private change(changed: readonly LogRecord[], by: 1 | -1): void {
    const { bars } = this;
    if (bars === undefined) return;
    const source = this.source();
    for (const record of changed) {
      const time = Date.parse(record.timestamp);
      const place = this.places.get(shownSeverity(record, source));
      if (hasSeverityOfBody(record, source)) this.others += by;
      if (Number.isNaN(time) || place === undefined) continue;
      const counts = getOrMake(this.counts, bars.numberOf(time), () => this.none());
      counts[place] = (counts[place] ?? 0) + by;
    }
  }
}

/** A deployment of a workload whose records are shown. */
export interface MarkedDeployment {
  readonly deployment: Deployment;
  /** When it was created, in milliseconds since 1970. */
  readonly at: number;
  /** The name of the workload, as its records have it. */
  readonly workload: string | undefined;
  readonly hasRun: boolean;
}

/** The maximum number of workloads whose deployments are requested, and of marks. */
const mostWorkloads = 10;
const mostMarks = 50;
/** A new search requests deployments again that are older than this, in milliseconds. */
const staleAfter = minute;

/**
 * The deployments of the workloads that the query or the loaded records name. They are requested only while
 * the histogram shows them, and after everything that a person waits for.
 */
export class DeploymentMarks {
  /** The names of the workloads by their ids. */
  private readonly workloads = new Map<string, string | undefined>();
  private isShown = false;

  /** @param clock the one of the store. */
  constructor(
    private readonly store: Pick<Store, 'read' | 'refresh'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Whether the histogram shows the deployments. */
  show(isShown: boolean): void {
    this.isShown = isShown;
    this.load(staleAfter);
  }

  /** There are other records, of a query with this filter. */
  replaced(records: readonly LogRecord[], filter: LogFilter | undefined): void {
    this.workloads.clear();
    for (const id of filter?.workloadIds ?? []) this.remember(id, undefined);
    this.rememberWorkloads(records);
    this.load(staleAfter);
  }

  /** Records came. */
  added(records: readonly LogRecord[]): void {
    this.rememberWorkloads(records);
    this.load(Infinity);
  }

  /** Those in a range of time, the newest ones, oldest first. */
  in({ from, to }: TimeSpan): readonly MarkedDeployment[] {
    if (!this.isShown) return [];
    return [...this.workloads]
      .flatMap(([id, workload]) => {
        const all = this.store.read('deployments', id).value?.deployments ?? [];
        return all.flatMap((deployment) => {
          const at = deploymentTime(deployment);
          const isThere = at !== undefined && at >= from && at <= to;
          return isThere ? [{ deployment, at, workload, hasRun: hasRun(deployment, all) }] : [];
        });
      })
      .sort((a, b) => a.at - b.at)
      .slice(-mostMarks);
  }

  private rememberWorkloads(records: readonly LogRecord[]): void {
    for (let index = records.length - 1; index >= 0; index--) {
      const record = records[index];
      if (record !== undefined) this.remember(record.workloadId, record.workloadName);
    }
  }

  private remember(id: string, name: string | undefined): void {
    const known = this.workloads.get(id);
    if (known !== undefined || !isUuid(id)) return;
    if (this.workloads.has(id) || this.workloads.size < mostWorkloads) this.workloads.set(id, name);
  }

  private load(maxAge: number): void {
    if (!this.isShown) return;
    for (const resourceId of this.workloads.keys()) {
      const { value, triedAt, isLoading, failures } = this.store.read('deployments', resourceId);
      const isDue =
        value === undefined ? failures === 0 : this.clock.monotonic() - (triedAt ?? 0) > maxAge;
      if (!isDue || isLoading) continue;
      void this.store.refresh({ kind: 'deployments', id: resourceId }, 'automatic');
    }
  }
}
