import type { ControlPlaneClient, Wait } from '../../api/client';
import type { Direction } from '../../api/cursors';
import { isAccessLost } from '../../api/errors';
import { stopLoading, type FetchProgress } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { type Clock, RateLimiter, second } from '../../base/clock';
import { Emitter } from '../../base/event';
import { isPast, type Scope, type SearchQuery } from '../query/searchQuery';
import {
  newerPaging,
  noStatus,
  olderPaging,
  type LoadProgress,
  type SearchStatus,
} from './explorerState';
import { type Added, type Loaded, PagedSearch, type SearchRequest } from './pagedSearch';
import { type FollowEvent, SearchFollower } from './searchFollower';

/** What a search needs of a connection. */
export interface LogSource {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream' | 'serverNow'>;
  /** The API key or a fingerprint of it, to detect changes; undefined if signed out. */
  readonly readKey: () => Promise<string | undefined>;
}

export interface LiveSearchServices extends Pick<SearchRequest, 'maxRecords' | 'maxBytes'> {
  readonly clock: Clock;
  /** How far ahead of now the range of a stream ends, in milliseconds. */
  readonly ahead?: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The number of records to load first, and each time after that. Default: 500 and 1,000. */
  readonly pageTarget?: { readonly first: number; readonly more: number };
}

/** What happens to a search; told synchronously, in order. */
export type SearchEvent =
  | { readonly kind: 'changed' }
  /** The whole list changed; `changed` follows. */
  | { readonly kind: 'replaced' }
  | ({ readonly kind: 'added' } & Added);

interface Load {
  readonly controller: AbortController;
  progress: LoadProgress;
  done: Promise<boolean>;
}

const defaultTarget = { first: 500, more: 1000 };

/** How much a load brings at most. */
interface LoadBound {
  readonly records: number;
  readonly requests: number;
}

/** The bound of loading the rest of a range, in one go for a person. */
export const wholeRange: LoadBound = { records: 20_000, requests: 40 };

/** One search with its records, loaded and followed. Never rejects: failures are part of its status. */
export class LiveSearch {
  private readonly search: PagedSearch;
  private readonly follower: SearchFollower;
  /** Limits how often a server whose permissions change all the time is asked. */
  private readonly renewals: RateLimiter;
  /** The running loads, at most one for each end. A load that is not here any more has no effect. */
  private readonly loads = new Map<Direction, Load>();
  /** What happened since the list was last empty. */
  private past: Pick<SearchStatus, 'failure' | 'partial' | 'restarted' | 'leftOut' | 'isAtBound'> =
    noStatus;
  private hasFirstPage = false;
  private accessChanged = false;
  private wasFollowing = false;
  private readonly events = new Emitter<SearchEvent>();

  readonly onDidHappen = this.events.event;

  constructor(
    private readonly services: LiveSearchServices,
    source: LogSource,
    readonly query: SearchQuery,
    readonly scope: Scope,
  ) {
    const { filters, isOpen } = scope;
    const now = (): string => new Date(source.client.serverNow()).toISOString();
    this.renewals = new RateLimiter(services.clock, 3, 10 * second);
    this.search = new PagedSearch({
      ...services,
      client: source.client,
      filters,
      ...(isOpen ? { until: () => this.follower.until ?? now() } : {}),
    });
    this.search.onDidAdd((added) => {
      const isNothing = added.records.length === 0 && added.dropped.length === 0;
      // The first page replaces the list.
      if (this.hasFirstPage && !isNothing) this.events.fire({ kind: 'added', ...added });
    });
    this.follower = new SearchFollower(
      { ...services, ...source },
      query.filter,
      filters.from,
      this.search,
      () => this.loadNewest(),
    );
    this.follower.onDidHappen((event) => this.followed(event));
  }

  get status(): SearchStatus {
    const { search, follower } = this;
    const { failure, partial, restarted, leftOut, isAtBound } = this.past;
    const [first] = this.loads.values();
    // The range may have ended after the newest records were loaded.
    const isClosed = follower.isLive || isPast(this.scope, search.state?.newestAt ?? -Infinity);
    return {
      loading: first?.progress,
      failure,
      older: olderPaging(search),
      newer: newerPaging(search, isClosed),
      following: follower.state,
      partial: partial || search.state?.partial === true,
      accessChanged: this.accessChanged,
      restarted,
      leftOut,
      dropped: search.dropped,
      isAtBound,
    };
  }

  /** Oldest first. Changes in place: copy what is used later. */
  get records(): readonly LogRecord[] {
    return this.search.records;
  }

  /** The record of the list with a key, as `rowKey` returns it. */
  recordOf(key: string): LogRecord | undefined {
    return this.search.recordOf(key);
  }

  /** Identifies the permissions; undefined before the first page. */
  get accessRevision(): string | undefined {
    return this.search.state?.accessRevision;
  }

  /**
   * Loads records at one end, starting with the newest. A load that is running is not started twice.
   * Returns whether it succeeded.
   *
   * @param bound loads part after part until everything in the range, or this much, is loaded.
   */
  load(direction: Direction, bound?: LoadBound): Promise<boolean> {
    const running = this.loads.get(direction);
    if (running !== undefined) {
      const isEnough = bound === undefined || running.progress.isWhole;
      return isEnough
        ? running.done
        : running.done.then((isDone) => isDone && this.load(direction, bound));
    }
    if (direction === 'newer' && this.follower.isLive) return Promise.resolve(true);
    const isAtBound = this.past.isAtBound && bound === undefined;
    this.past = { ...this.past, failure: undefined, isAtBound };
    const load: Load = {
      controller: new AbortController(),
      progress: {
        direction: this.hasFirstPage ? direction : 'first',
        records: 0,
        pages: 0,
        wait: undefined,
        isWhole: bound !== undefined,
      },
      done: Promise.resolve(false),
    };
    this.loads.set(direction, load);
    load.done = this.run(direction, load, bound);
    this.changed();
    return load.done;
  }

  /** Loads newer records in a load that begins now: one that runs may not bring what has come since it began. */
  private async loadNewest(): Promise<boolean> {
    const running = this.loads.get('newer');
    return (running === undefined || (await running.done)) && this.load('newer');
  }

  /** Stops loading; loaded records stay. */
  cancel(): void {
    this.follower.cancel();
    for (const { controller } of this.loads.values()) controller.abort(stopLoading);
  }

  /** Starts to follow, or resumes. */
  follow(): void {
    if (this.scope.isOpen) this.follower.begin();
  }

  /** Returns whether this paused it. */
  pause(): boolean {
    return this.follower.pause();
  }

  stopFollowing(): void {
    this.wasFollowing = false;
    this.follower.stop();
  }

  /** Removes everything and loads it again, because the permissions changed. */
  renew(): void {
    const isTooOften = this.renewals.freeIn() > 0;
    this.renewals.spend();
    this.dispose();
    this.accessChanged = true;
    this.events.fire({ kind: 'replaced' });
    if (isTooOften) this.changed();
    else this.retry();
  }

  /** Removes everything, because access is lost. */
  invalidate(why: unknown): void {
    this.dispose();
    this.past = { ...this.past, failure: why };
    this.events.fire({ kind: 'replaced' });
    this.changed();
  }

  /** Loads again after a failure, and follows again if it did before. */
  retry(): void {
    void this.load('older').then((isDone) => {
      if (!isDone || !this.wasFollowing) return;
      this.wasFollowing = false;
      this.follow();
    });
  }

  /** Ends everything and removes the records, without an event. */
  dispose(): void {
    this.wasFollowing ||= this.follower.state !== undefined;
    this.follower.drop();
    const running = [...this.loads.values()];
    this.loads.clear();
    for (const { controller } of running) controller.abort();
    this.search.clear();
    this.past = noStatus;
    this.hasFirstPage = false;
  }

  private changed(): void {
    this.events.fire({ kind: 'changed' });
  }

  private followed(event: FollowEvent): void {
    switch (event.kind) {
      case 'changed':
        this.changed();
        return;
      case 'received': {
        const { records, partial, hasGap, leftOut } = event.batch;
        const { dropped } = this.search;
        this.search.follow(records);
        const { past } = this;
        this.past = {
          ...past,
          partial: past.partial || partial,
          restarted: past.restarted || hasGap,
          leftOut: past.leftOut + leftOut,
        };
        if (partial || hasGap || leftOut > 0 || this.search.dropped > dropped) this.changed();
        return;
      }
      case 'accessChanged':
        this.renew();
        return;
      case 'failed':
        this.fail(event.error);
    }
  }

  private fail(error: unknown): void {
    this.past = { ...this.past, failure: error };
    if (isAccessLost(error)) this.invalidate(error);
    else this.changed();
  }

  private async run(direction: Direction, load: Load, bound?: LoadBound): Promise<boolean> {
    const { pageTarget = defaultTarget } = this.services;
    const { signal } = load.controller;
    const isOver = (): boolean => this.loads.get(direction) !== load;
    const show = (progress: Partial<LoadProgress>): void => {
      if (isOver()) return;
      load.progress = { ...load.progress, ...progress };
      this.changed();
    };
    const isFirst = load.progress.direction === 'first';
    try {
      const before = this.search.records.length;
      let pages = 0;
      for (;;) {
        const [records, pagesBefore] = [this.search.records.length - before, pages];
        const most = (bound?.records ?? Infinity) - records;
        const loaded = await this.search.load(direction, {
          target: Math.min(isFirst ? pageTarget.first : pageTarget.more, most),
          ...(bound === undefined ? {} : { maxPages: bound.requests - pages }),
          signal,
          onProgress(progress) {
            pages = pagesBefore + progress.pages;
            show({ records: records + progress.records, pages });
          },
          onWait(next) {
            const wait = worthShowing(next);
            if (wait !== load.progress.wait) show({ wait });
          },
        });
        if (isOver()) return false;
        // There is no progress after a last page.
        pages++;
        const isPart =
          bound !== undefined &&
          loaded.kind === 'records' &&
          loaded.end === 'target' &&
          this.search.records.length - before < bound.records &&
          pages < bound.requests;
        if (!isPart) {
          this.loads.delete(direction);
          const isStopped = loaded.kind === 'records' && ['target', 'sparse'].includes(loaded.end);
          if (bound !== undefined && isStopped) this.past = { ...this.past, isAtBound: true };
          return this.settle(loaded);
        }
        this.settle(loaded);
      }
    } catch (error) {
      if (isOver()) return false;
      this.loads.delete(direction);
      if (signal.reason === stopLoading) this.changed();
      else this.fail(error);
      return false;
    }
  }

  /** Returns whether the load succeeded. */
  private settle(loaded: Loaded): boolean {
    if (loaded.kind === 'accessChanged') {
      this.renew();
      return false;
    }
    if (loaded.kind === 'records') {
      this.past = { ...this.past, restarted: this.past.restarted || loaded.restarted };
      if (!this.hasFirstPage) {
        this.hasFirstPage = true;
        this.events.fire({ kind: 'replaced' });
      }
    }
    this.changed();
    return loaded.kind === 'full' || loaded.end !== 'cancelled';
  }
}

/** The progress of something that loads pages. */
export interface LoadState {
  readonly records: number;
  /** The current wait, if there is one. */
  readonly wait: Wait | undefined;
}

/** The wait, if it lasts long enough to be shown. */
function worthShowing(wait: Wait | undefined): Wait | undefined {
  return wait !== undefined && wait.ms >= second ? wait : undefined;
}

/**
 * Reports the progress of a load after each page, and at the start and end of each wait. Seconds are not
 * counted down, since screen readers read out every change of a notification.
 */
export function createProgressReporter(report: (state: LoadState) => void) {
  let records = 0;
  let wait: Wait | undefined;
  return {
    onProgress: (progress: Pick<FetchProgress, 'records'>): void => {
      ({ records } = progress);
      report({ records, wait });
    },
    onWait: (next: Wait | undefined): void => {
      const shown = worthShowing(next);
      if (shown === wait) return;
      wait = shown;
      report({ records, wait });
    },
  };
}
