import type { ControlPlaneClient } from '../../api/client';
import { isAccessLost } from '../../api/errors';
import { type FetchedPages, fetchNewest } from '../../api/fetchPages';
import { pollDelay } from '../../api/retryPolicy';
import type { LogRecord } from '../../api/types';
import { type Clock, longestTimer, minute } from '../../base/clock';
import { Emitter } from '../../base/event';
import { timeOf } from '../../base/timeFormat';
import { type LogFilter, queryFilters, workloadFilter } from '../query/fields';
import { recordTest } from '../query/matches';
import type { ErrorGroups } from './errorGroups';

/** The errors to look at. */
export interface ErrorSearch {
  /** How far back, in milliseconds. */
  readonly range: number;
  readonly filter: Pick<LogFilter, 'workloadIds' | 'environments'>;
}

/** What the feed needs of a connection. */
interface ErrorSource {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>;
}

export interface FeedState {
  /** What is looked for: another object after a change of it or of the connection. */
  readonly search: ErrorSearch | undefined;
  readonly isLoading: boolean;
  /** When the last request was answered, in milliseconds since 1970; undefined before the first. */
  readonly at: number | undefined;
  /** Why the last request failed; undefined if it did not. */
  readonly error: unknown;
  /** Since when every error was looked at, in milliseconds since 1970. */
  readonly since: number;
  /** Whether the server left out records of the range. */
  readonly isPartial: boolean;
  /** Whether those are all of the range. */
  readonly isAll: boolean;
}

/** Records that a look asks for. */
interface Wanted {
  readonly severities: NonNullable<LogFilter['severities']>;
  /** Pages of 500 records. */
  readonly maxPages: number;
}

/** What the control plane calls errors. */
const errors: Wanted = { severities: ['error', 'fatal'], maxPages: 5 };
/** What may say itself that it is one. There may be many of these: only the newest are looked at, and not every time. */
const unknowns: Wanted = { severities: ['unknown'], maxPages: 1 };
/** How often in a row to start again because what the key may see has changed. */
const mostTries = 3;
/**
 * How far before the newest error that was found the next look begins: records are written down after younger ones.
 * In milliseconds: at least, and at most.
 */
const overlap = { least: 2 * minute, most: 15 * minute } as const;
/** What is as late was not seen before: how often a look begins as early as possible. In milliseconds. */
const wideEvery = 5 * minute;
/** The next late record may be later than those that were seen. */
const margin = 1.5;

/** What was looked at, as far as it does not depend on the time. */
interface Looked extends Omit<FeedState, 'search' | 'isAll' | 'isPartial'> {
  /** Until when the server left out records, in milliseconds since 1970. */
  readonly partialUntil: number;
  /** Until when there was no time to look for late errors again, in milliseconds since 1970. */
  readonly uncheckedUntil: number;
}

const nothing: Looked = {
  isLoading: false,
  at: undefined,
  error: undefined,
  since: -Infinity,
  partialUntil: -Infinity,
  uncheckedUntil: -Infinity,
};

/** Keeps groups of errors up to date while they are wanted. Never rejects: a failure is in its state. */
export class ErrorFeed {
  private source: ErrorSource | undefined;
  private wanted: ErrorSearch | undefined;
  private isWanted = false;
  private isDisposed = false;
  private looked = nothing;
  /** Undefined before the first look. */
  private accessRevision: string | undefined;
  private newest: number | undefined;
  /** The most that an error was late, in milliseconds. */
  private late = 0;
  /** When the last look began as early as possible, on the monotonic clock. */
  private wideAt = -Infinity;
  /** When the last look ended, on the monotonic clock. */
  private triedAt: number | undefined;
  private failures = 0;
  private running:
    { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  private cancelTimer: (() => void) | undefined;
  private readonly changes = new Emitter<void>();

  /** Fires when the state or the groups changed. */
  readonly onDidChange = this.changes.event;

  /**
   * @param interval milliseconds between the end of one look and the next; 0: only on request. Read each time.
   */
  constructor(
    private readonly clock: Clock,
    private readonly groups: ErrorGroups,
    private readonly interval: () => number,
  ) {}

  /** Looks for newer errors now. */
  refresh(): Promise<void> {
    if (this.running !== undefined) return this.running.done;
    if (this.source === undefined || this.wanted === undefined || this.isDisposed)
      return Promise.resolve();
    const controller = new AbortController();
    const done = this.look(this.source, this.wanted, controller.signal, 1).then(() => {
      if (controller.signal.aborted) return;
      this.running = undefined;
      this.triedAt = this.clock.monotonic();
      this.show({ isLoading: false });
      this.plan();
    });
    this.running = { controller, done };
    this.show({ isLoading: true });
    return done;
  }

  get state(): FeedState {
    const { since, partialUntil, uncheckedUntil, ...rest } = this.looked;
    const begin = this.serverNow() - (this.wanted?.range ?? 0);
    const from = Math.max(since, this.groups.begin, begin);
    const isAll = this.looked.at !== undefined && Math.max(from, uncheckedUntil) <= begin;
    return { ...rest, search: this.wanted, since: from, isAll, isPartial: partialUntil > begin };
  }

  /** Uses another connection, or none, and drops everything of the one before. */
  open(next: ErrorSource | undefined): void {
    this.source = next;
    this.restart();
  }

  /** Looks at other errors; undefined: at none. */
  search(next: ErrorSearch | undefined): void {
    if (JSON.stringify(next) === JSON.stringify(this.wanted)) return;
    this.wanted = next;
    this.restart();
  }

  /** Without a wish there is no request, except for one under way. */
  setWanted(next: boolean): void {
    this.isWanted = next;
    this.plan();
  }

  /** Other records may count as errors now: looks at all of them again. */
  lookAgain(): void {
    this.restart();
  }

  /** Adds those of these records that belong to the search, once it has begun: the first look has nothing newer. */
  add(records: readonly LogRecord[]): void {
    if (this.wanted === undefined || this.source === undefined) return;
    if (this.looked.at === undefined && this.running === undefined) return;
    const { filter, range } = this.wanted;
    const wanted = { ...filter, from: isoTime(this.serverNow() - range) };
    const own = this.groups.errorsOf(records.filter(recordTest(wanted) ?? (() => true)));
    if (own.length > 0) void this.groups.add(own).then(() => this.changes.fire());
  }

  dispose(): void {
    this.isDisposed = true;
    this.running?.controller.abort();
    this.cancelTimer?.();
    this.groups.clear();
  }

  private serverNow(): number {
    return this.source?.client.serverNow() ?? 0;
  }

  private show(next: Partial<typeof this.looked>): void {
    this.looked = { ...this.looked, ...next };
    this.changes.fire();
  }

  /** Drops everything that was found, so that nothing was looked at. */
  private drop(): void {
    this.groups.clear();
    this.accessRevision = undefined;
    this.newest = undefined;
    this.late = 0;
    this.wideAt = -Infinity;
    this.show({ ...nothing, isLoading: this.running !== undefined });
  }

  private restart(): void {
    this.running?.controller.abort();
    this.running = undefined;
    this.triedAt = undefined;
    this.failures = 0;
    this.drop();
    this.plan();
  }

  /** Milliseconds until the next look; undefined: none. */
  private dueIn(): number | undefined {
    if (!this.isWanted || this.isDisposed || this.source === undefined || this.wanted === undefined)
      return undefined;
    if (this.triedAt === undefined) return 0;
    const pace = this.interval();
    if (pace <= 0) return undefined;
    const wait = pollDelay(pace, this.failures, this.looked.error);
    return Math.max(0, this.triedAt + wait - this.clock.monotonic());
  }

  private plan(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const due = this.running === undefined ? this.dueIn() : undefined;
    if (due === 0) void this.refresh();
    else if (due !== undefined)
      this.cancelTimer = this.clock.setTimer(() => this.plan(), Math.min(due, longestTimer));
  }

  private async look(
    from: ErrorSource,
    wanted: ErrorSearch,
    signal: AbortSignal,
    tries: number,
  ): Promise<void> {
    const now = this.serverNow();
    const begin = now - wanted.range;
    const isWide = this.clock.monotonic() - this.wideAt >= wideEvery;
    const start = Math.max(begin, this.startOf(now, isWide));
    const add = (what: Wanted): Promise<FetchedPages | undefined> =>
      this.addNewest(from, wanted, signal, { ...what, start, now });
    try {
      const found = await add(errors);
      const isToAddUnknowns = isWide && this.groups.readsBodies;
      if (found !== undefined && (!isToAddUnknowns || (await add(unknowns)) !== undefined)) {
        if (isWide) this.wideAt = this.clock.monotonic();
        this.finish(found, { start, begin, now });
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.failures++;
      // What the key may not see any more must not stay.
      if (isAccessLost(error)) this.drop();
      this.show({ error });
      return;
    }
    // What the key may see has changed: some of what was found may be hidden from it now.
    this.drop();
    if (tries < mostTries) await this.look(from, wanted, signal, tries + 1);
  }

  /** Adds the newest errors of these severities. Undefined: what the key may see has changed. */
  private async addNewest(
    { client }: ErrorSource,
    wanted: ErrorSearch,
    signal: AbortSignal,
    { start, now, severities, maxPages }: Wanted & Readonly<Record<'start' | 'now', number>>,
  ): Promise<FetchedPages | undefined> {
    const { workloadIds = [], ...filter } = wanted.filter;
    // More workloads than a query can name are found among the errors of all.
    const isOwn = recordTest({ workloadIds }) ?? (() => true);
    const own = { ...filter, ...workloadFilter(workloadIds), severities };
    const added: Promise<void>[] = [];
    const found = await fetchNewest({
      client,
      priority: 'automatic',
      filters: queryFilters(own, isoTime(start), isoTime(now)),
      maxPages,
      signal,
      onPage: (page) => {
        signal.throwIfAborted();
        this.accessRevision ??= page.accessRevision;
        if (page.accessRevision !== this.accessRevision) return true;
        added.push(
          this.groups
            .add(page.records.filter(isOwn))
            .then(() => (signal.aborted ? undefined : this.changes.fire())),
        );
        return false;
      },
    });
    await Promise.all(added);
    signal.throwIfAborted();
    const isSame = found.accessRevision === this.accessRevision && found.end !== 'accessChanged';
    return isSame ? found : undefined;
  }

  /**
   * When a look begins. The API has no cursor for what comes after the newest record of a search, except that of a
   * stream, which would stay open. So a look begins before the newest record that the last one found, as much as
   * records were late; those that come again are known by their ids.
   */
  private startOf(now: number, isWide: boolean): number {
    if (this.newest === undefined) return -Infinity;
    const seen = Math.max(overlap.least, margin * this.late);
    // The wall clock may have been set back since.
    return Math.min(this.newest, now) - (isWide ? overlap.most : Math.min(seen, overlap.most));
  }

  /** Notes what was looked at. @param times when the look began, the range begins, and it ends. */
  private finish(
    { records, end, partial }: FetchedPages,
    { start, begin, now }: Readonly<Record<'start' | 'begin' | 'now', number>>,
  ): void {
    const [oldest, last] = [timeOf(records[0]?.timestamp), timeOf(records.at(-1)?.timestamp)];
    const isWhole = end === 'end' || oldest === undefined;
    const before = this.newest === undefined ? start : this.looked.since;
    // Between those of the last look and these there may be others: only these are complete.
    const since = isWhole || oldest <= (this.newest ?? -Infinity) ? before : oldest;
    const uncheckedUntil = isWhole ? this.looked.uncheckedUntil : oldest;
    this.groups.forgetBefore(Math.max(begin, since));
    this.newest = last ?? this.newest;
    for (const { timestamp, ingestedAt } of records) {
      const late = Date.parse(ingestedAt) - Date.parse(timestamp);
      if (late > this.late) this.late = late;
    }
    this.failures = 0;
    // Behind empty pages there may be others with records.
    const isPartial = partial || (end !== 'end' && oldest === undefined);
    const partialUntil = isPartial ? now : this.looked.partialUntil;
    this.show({ at: this.serverNow(), error: undefined, since, partialUntil, uncheckedUntil });
  }
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
