import type { LogRecord, Severity, Deployment } from '../../api/types';
import { day, hour, minute, second, type Clock } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { deploymentTime, hasRun } from '../../data/deployments';
import type { Store } from '../../data/store';
import { isUuid } from '../../data/targets';
import type { LogFilter } from '../query/fields';
import { hasEnded } from '../tail/tails';
import { type ExplorerState, restOf } from './explorerState';
import { type HistogramData, severities } from './protocol/view';

/** A range of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The lengths of buckets in milliseconds; longer ones are multiples of a day. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  day,
];

/** The number of buckets of a length that cover a range. */
export function countOf({ from, to }: Span, step: number): number {
  return Math.floor(to / step) - Math.floor(from / step) + 1;
}

/** The shortest length with which at most `maxBuckets` buckets cover a range. */
export function stepOf(range: Span, maxBuckets: number): number {
  const most = Math.max(1, maxBuckets);
  const step = steps.find((one) => countOf(range, one) <= most);
  if (step !== undefined) return step;
  let days = Math.ceil((range.to - range.from) / day / most);
  while (countOf(range, days * day) > most) days++;
  return days * day;
}

/** The range from the earliest to the latest record; undefined if no record has a valid time. */
export function extentOf(records: readonly LogRecord[]): Span | undefined {
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
  const counted = counter.count(axis.range);
  if (counted === undefined) return undefined;
  const canLoad = restOf(state).length > 0;
  const isLoading = state.loading?.isWhole === true;
  const { start, step, counts } = counted;
  const { range, loaded } = axis;
  return {
    ...counted,
    timeZone: zoneOf(timeZone),
    // The first and the last bar may be longer than the range.
    loaded: {
      from: loaded.from === range.from ? start : loaded.from,
      to: loaded.to === range.to ? start + counts.length * step : loaded.to,
    },
    ...(isLoading ? { rest: 'loading' } : canLoad ? { rest: 'canLoad' } : {}),
  };
}

/** The axis of a search: its range, and the part of it whose records are loaded. */
export function axisOf(
  state: Pick<ExplorerState, 'search' | 'window' | 'context' | 'older' | 'newer' | 'following'>,
  records: readonly Pick<LogRecord, 'timestamp'>[],
  now: number,
): { readonly range: Span; readonly loaded: Span } | undefined {
  const { search, window, context, older, newer, following } = state;
  if (window === undefined || context !== undefined) return undefined;
  const first = Date.parse(records[0]?.timestamp ?? '');
  const last = Date.parse(records.at(-1)?.timestamp ?? '');
  if (Number.isNaN(first) || Number.isNaN(last)) return undefined;
  const isFollowing = following !== undefined && !hasEnded(following.state);
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
export interface CountedTimes {
  /** The start of the first bucket, in milliseconds since 1970. */
  readonly start: number;
  /** The length of a bucket in milliseconds. */
  readonly step: number;
  /** One list per bucket, in the order of the severities. */
  readonly counts: number[][];
}

/** The share of `maxBuckets` below which buckets become shorter. Avoids flicker. */
const leastShare = 1 / 3;

/** Counts the records of a list that grows at both ends. */
export class TimeCounter {
  private readonly places: ReadonlyMap<Severity, number>;
  private list: readonly LogRecord[] = [];
  /** Zero while nothing is counted. */
  private step = 0;
  /** By the number of the bucket, counted from 1970. */
  private buckets = new Map<number, number[]>();

  /** @param maxBuckets at least 2. */
  constructor(
    private readonly counted: readonly Severity[] = severities,
    private readonly maxBuckets = mostBars,
  ) {
    this.places = new Map(counted.map((severity, place) => [severity, place]));
  }

  /** The list, oldest first. */
  get records(): readonly LogRecord[] {
    return this.list;
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
   * Reads all records again only if the length of the buckets changes.
   *
   * @param range by default, that of all records.
   * @returns undefined without a range.
   */
  count(range = extentOf(this.list)): CountedTimes | undefined {
    if (range === undefined || !(range.from <= range.to)) return undefined;
    const { maxBuckets } = this;
    const count = this.step === 0 ? 0 : countOf(range, this.step);
    const isFit = count <= maxBuckets && count >= maxBuckets * leastShare;
    const step = isFit ? this.step : stepOf(range, maxBuckets);
    if (step !== this.step) {
      this.step = step;
      this.recount();
    }
    const first = Math.floor(range.from / step);
    return {
      start: first * step,
      step,
      counts: Array.from({ length: countOf(range, step) }, (_, index) => [
        ...(this.buckets.get(first + index) ?? this.emptyBucket()),
      ]),
    };
  }

  private emptyBucket(): number[] {
    return this.counted.map(() => 0);
  }

  private recount(): void {
    this.buckets = new Map();
    this.change(this.list, 1);
  }

  private change(changed: readonly LogRecord[], by: 1 | -1): void {
    if (this.step === 0) return;
    for (const { timestamp, severity } of changed) {
      const number = Math.floor(Date.parse(timestamp) / this.step);
      const place = this.places.get(severity);
      if (Number.isNaN(number) || place === undefined) continue;
      const bucket = getOrMake(this.buckets, number, () => this.emptyBucket());
      bucket[place] = (bucket[place] ?? 0) + by;
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
    for (const id of filter?.workloadIds ?? []) this.learn(id, undefined);
    this.take(records);
    this.load(staleAfter);
  }

  /** Records came. */
  added(records: readonly LogRecord[]): void {
    this.take(records);
    this.load(Infinity);
  }

  /** Those in a range of time, the newest ones, oldest first. */
  in({ from, to }: Span): readonly MarkedDeployment[] {
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
      .sort((one, other) => one.at - other.at)
      .slice(-mostMarks);
  }

  private take(records: readonly LogRecord[]): void {
    for (let index = records.length - 1; index >= 0; index--) {
      const record = records[index];
      if (record !== undefined) this.learn(record.workloadId, record.workloadName);
    }
  }

  private learn(id: string, name: string | undefined): void {
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
