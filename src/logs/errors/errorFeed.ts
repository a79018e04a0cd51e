import type { ControlPlaneClient } from '../../api/client';
import { type Clock, longestTimer, second } from '../../base/clock';
import { type FetchedPages, fetchNewest } from '../../api/fetchPages';
import { pollDelay } from '../../api/retryPolicy';
import type { LogRecord } from '../../api/types';
import { isAccessLost } from '../explorer/liveSearch';
import { type LogFilter, queryFilters, workloadFilter } from '../query/filter';
import { recordTest } from '../query/matches';
import { timeOf } from '../../base/timeFormat';
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

interface ErrorFeedOptions {
  readonly clock: Clock;
  readonly groups: ErrorGroups;
  /** Milliseconds between the end of one look and the next; 0: only on request. Read each time. */
  readonly interval: () => number;
  readonly onDidChange: () => void;
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

/** Keeps groups of errors up to date while they are wanted. Never rejects: a failure is in its state. */
export interface ErrorFeed {
  readonly state: FeedState;
  /** Uses another connection, or none, and drops everything of the one before. */
  open(source: ErrorSource | undefined): void;
  /** Looks at other errors; undefined: at none. */
  search(search: ErrorSearch | undefined): void;
  /** Without a wish there is no request, except for one under way. */
  setWanted(isWanted: boolean): void;
  /** Looks for newer errors now. */
  refresh(): Promise<void>;
  /** Adds those of these records that belong to the search, once there is one. */
  take(records: readonly LogRecord[]): void;
  dispose(): void;
}

const severities: NonNullable<LogFilter['severities']> = ['error', 'fatal'];
/** Pages of 500 records for each look. */
const mostPages = 5;
/** How often in a row to start again because what the key may see has changed. */
const mostTries = 3;
/** A record may be written down after younger ones, in milliseconds. */
const overlap = 30 * second;

/** What was looked at, as far as it does not depend on the time. */
interface Looked extends Omit<FeedState, 'search' | 'isAll' | 'isPartial'> {
  /** Until when the server left out records, in milliseconds since 1970. */
  readonly partialUntil: number;
}

const nothing: Looked = {
  isLoading: false,
  at: undefined,
  error: undefined,
  since: -Infinity,
  partialUntil: -Infinity,
};

export function createErrorFeed(options: ErrorFeedOptions): ErrorFeed {
  const { clock, groups, interval, onDidChange } = options;
  let source: ErrorSource | undefined;
  let search: ErrorSearch | undefined;
  let isWanted = false;
  let isDisposed = false;
  let state = nothing;
  /** Undefined before the first look. */
  let accessRevision: string | undefined;
  let newest: number | undefined;
  /** When the last look ended, on the monotonic clock. */
  let triedAt: number | undefined;
  let failures = 0;
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  let cancelTimer: (() => void) | undefined;

  const serverNow = (): number => source?.client.serverNow() ?? 0;

  function show(next: Partial<typeof state>): void {
    state = { ...state, ...next };
    onDidChange();
  }

  /** Drops everything that was found, so that nothing was looked at. */
  function drop(): void {
    groups.clear();
    accessRevision = undefined;
    newest = undefined;
    show({ ...nothing, isLoading: running !== undefined });
  }

  function restart(): void {
    running?.controller.abort();
    running = undefined;
    triedAt = undefined;
    failures = 0;
    drop();
    plan();
  }

  /** Milliseconds until the next look; undefined: none. */
  function dueIn(): number | undefined {
    if (!isWanted || isDisposed || source === undefined || search === undefined) return undefined;
    if (triedAt === undefined) return 0;
    const pace = interval();
    if (pace <= 0) return undefined;
    const wait = pollDelay(pace, failures, state.error);
    return Math.max(0, triedAt + wait - clock.monotonic());
  }

  function plan(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    const due = running === undefined ? dueIn() : undefined;
    if (due === 0) void refresh();
    else if (due !== undefined) cancelTimer = clock.setTimer(plan, Math.min(due, longestTimer));
  }

  function refresh(): Promise<void> {
    if (running !== undefined) return running.done;
    if (source === undefined || search === undefined || isDisposed) return Promise.resolve();
    const controller = new AbortController();
    const done = look(source, search, controller.signal, 1).then(() => {
      if (controller.signal.aborted) return;
      running = undefined;
      triedAt = clock.monotonic();
      show({ isLoading: false });
      plan();
    });
    running = { controller, done };
    show({ isLoading: true });
    return done;
  }

  async function look(
    from: ErrorSource,
    wanted: ErrorSearch,
    signal: AbortSignal,
    tries: number,
  ): Promise<void> {
    const { workloadIds = [], ...filter } = wanted.filter;
    // More workloads than a query can name are found among the errors of all.
    const isOwn = recordTest({ workloadIds }) ?? (() => true);
    const now = serverNow();
    const begin = now - wanted.range;
    // The API has no cursor for what comes after the newest record of a search, except that of a stream,
    // which would stay open. So the next look starts at the newest record that the last one found, a
    // little earlier because records arrive out of order; those that come again are known by their ids.
    // The wall clock may have been set back since.
    const start = newest === undefined ? begin : Math.max(begin, Math.min(newest, now) - overlap);
    const added: Promise<void>[] = [];
    try {
      const found = await fetchNewest({
        client: from.client,
        priority: 'automatic',
        filters: queryFilters(
          { ...filter, ...workloadFilter(workloadIds), severities },
          isoTime(start),
          isoTime(now),
        ),
        maxPages: mostPages,
        signal,
        onPage(page) {
          signal.throwIfAborted();
          accessRevision ??= page.accessRevision;
          if (page.accessRevision !== accessRevision) return true;
          added.push(
            groups
              .add(page.records.filter(isOwn))
              .then(() => (signal.aborted ? undefined : onDidChange())),
          );
          return false;
        },
      });
      await Promise.all(added);
      signal.throwIfAborted();
      if (found.accessRevision === accessRevision && found.end !== 'accessChanged') {
        finish(found, { start, begin, now });
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      // What the key may not see any more must not stay.
      if (isAccessLost(error)) drop();
      show({ error });
      return;
    }
    // What the key may see has changed: some of what was found may be hidden from it now.
    drop();
    if (tries < mostTries) await look(from, wanted, signal, tries + 1);
  }

  /** Notes what was looked at. @param times when the look began, the range begins, and it ends. */
  function finish(
    { records, end, partial }: FetchedPages,
    { start, begin, now }: Readonly<Record<'start' | 'begin' | 'now', number>>,
  ): void {
    const [oldest, last] = [timeOf(records[0]?.timestamp), timeOf(records.at(-1)?.timestamp)];
    const isWhole = end === 'end' || oldest === undefined;
    // Between those of the last look and these there may be others: only these are complete.
    const since = isWhole ? (newest === undefined ? start : state.since) : oldest;
    groups.forgetBefore(Math.max(begin, since));
    newest = last ?? newest;
    failures = 0;
    // Behind empty pages there may be others with records.
    const isPartial = partial || (end !== 'end' && oldest === undefined);
    const partialUntil = isPartial ? now : state.partialUntil;
    show({ at: serverNow(), error: undefined, since, partialUntil });
  }

  return {
    get state() {
      const { since, partialUntil, ...rest } = state;
      const begin = serverNow() - (search?.range ?? 0);
      const from = Math.max(since, groups.begin, begin);
      const isAll = state.at !== undefined && from <= begin;
      return { ...rest, search, since: from, isAll, isPartial: partialUntil > begin };
    },
    open(next) {
      source = next;
      restart();
    },
    search(next) {
      if (JSON.stringify(next) === JSON.stringify(search)) return;
      search = next;
      restart();
    },
    setWanted(next) {
      isWanted = next;
      plan();
    },
    refresh,
    take(records) {
      if (search === undefined || source === undefined || state.at === undefined) return;
      const { filter, range } = search;
      const wanted = { ...filter, severities, from: isoTime(serverNow() - range) };
      const own = records.filter(recordTest(wanted) ?? (() => true));
      if (own.length > 0) void groups.add(own).then(onDidChange);
    },
    dispose() {
      isDisposed = true;
      running?.controller.abort();
      cancelTimer?.();
      groups.clear();
    },
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
