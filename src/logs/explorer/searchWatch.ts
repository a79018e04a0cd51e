import * as v from 'valibot';
import { largestPage } from '../../api/fetchPages';
import { type Clock, day, minute, second } from '../../base/clock';
import { type Disposable, Emitter } from '../../base/event';
import { listOf, readStored, type Storage } from '../../base/storedValue';
import type { Texts } from '../../base/textFormat';
import type { HasConnection } from '../../connection/connections';
import { StoredPerConnection } from '../../connection/perConnection';
import { maxQueryLength } from '../query/parser';

/** A search whose new records are told of. */
export interface WatchedSearch {
  readonly query: string;
  /** Up to when its records were counted: milliseconds since 1970, by the clock of the control plane. */
  readonly since: number;
  /** How many came that nobody has looked at. */
  readonly found: number;
}

/**
 * Says how many new records a search has; of a full page, at least.
 *
 * @param name of the search, as it may be in a notification.
 */
export function newsText(
  { found }: Pick<WatchedSearch, 'found'>,
  name: string,
  { t, counted }: Texts,
): string {
  const count =
    found < largestPage
      ? counted(found, '{0} new record', '{0} new records')
      : t('{0} or more new records', largestPage);
  return t('{0}: {1}', count, name);
}

/** How many searches are watched: each is a request a minute. */
export const mostWatched = 10;
/** How often each is asked for, in milliseconds. */
const interval = minute;
/** What is newer may still be on its way to the control plane. */
const lag = 10 * second;
/** After a longer absence, what is older is no news. */
const longestRange = day;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const storedSearches = listOf(
  v.object({
    query: v.pipe(v.string(), v.maxLength(maxQueryLength)),
    since: count,
    found: count,
  }),
  mostWatched,
);

/** Reads what was stored. */
export function readWatched(stored: unknown): readonly WatchedSearch[] | undefined {
  return readStored(storedSearches, stored);
}

/** A range in milliseconds since 1970: from, inclusive, and to. */
export interface WatchedRange {
  readonly from: number;
  readonly to: number;
}

interface WatchSession extends HasConnection {
  readonly onDidChange: (listener: () => void) => Disposable;
  serverNow(): number;
}

/**
 * Asks for the new records of searches: each once a minute, and only in the window that has the focus. What was asked
 * for is stored where all windows read it, so none asks for it again.
 */
export class SearchWatch implements Disposable {
  private readonly changes = new Emitter<void>();
  private readonly news = new Emitter<WatchedSearch>();
  private readonly stored: StoredPerConnection<readonly WatchedSearch[]>;
  private readonly subscription: Disposable;
  private cancelTimer: (() => void) | undefined;
  private isAsking = false;
  private isFocused = false;
  private isDisposed = false;

  readonly onDidChange = this.changes.event;
  /** Fires with the first new records of a search since someone looked at them. */
  readonly onDidFind = this.news.event;

  /** @param ask counts the records of a query in a range; undefined if it cannot be asked for now. */
  constructor(
    private readonly session: WatchSession,
    storage: Storage,
    private readonly clock: Pick<Clock, 'setTimer'>,
    private readonly ask: (query: string, range: WatchedRange) => Promise<number | undefined>,
  ) {
    this.stored = new StoredPerConnection(session, storage, 'watchedSearches', readWatched);
    this.subscription = session.onDidChange(() => {
      this.changes.fire();
      this.go();
    });
  }

  get all(): readonly WatchedSearch[] {
    return this.stored.value ?? [];
  }

  find(query: string): WatchedSearch | undefined {
    return this.all.find((one) => one.query === query);
  }

  /** Begins to watch a search, or ends it. */
  toggle(query: string): 'on' | 'off' | 'full' {
    const others = this.all.filter((one) => one.query !== query);
    if (others.length < this.all.length) {
      this.set(others);
      return 'off';
    }
    if (others.length >= mostWatched) return 'full';
    this.set([...others, { query, since: Math.floor(this.session.serverNow()) - lag, found: 0 }]);
    this.go();
    return 'on';
  }

  /** Someone looks at the records of a search. */
  markSeen(query: string): void {
    if ((this.find(query)?.found ?? 0) > 0) this.change(query, { found: 0 });
  }

  /** Whether the window has the focus. False at first. */
  setFocused(isFocused: boolean): void {
    this.isFocused = isFocused;
    this.go();
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    this.cancelTimer?.();
    this.changes.dispose();
    this.news.dispose();
  }

  /** Asks for what is due, and sets the timer for what is next. Without searches or the focus, there is none. */
  private go(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const { all, session } = this;
    if (this.isDisposed || !this.isFocused || this.isAsking || all.length === 0) return;
    if (session.state.kind !== 'signedIn') return;
    const to = Math.floor(session.serverNow()) - lag;
    // The clock went back: nothing would be asked for until it is there again.
    for (const { query, since } of all) {
      if (since > to + interval) this.change(query, { since: to });
    }
    const waits = this.all.map(({ since }) => since + interval - to);
    const due = this.all.filter((_, index) => (waits[index] ?? 0) <= 0);
    if (due.length > 0) void this.askFor(due, to);
    else {
      const wait = Math.min(interval, ...waits);
      this.cancelTimer = this.clock.setTimer(() => this.go(), wait);
    }
  }

  private async askFor(due: readonly WatchedSearch[], to: number): Promise<void> {
    this.isAsking = true;
    for (const { query, since } of due) {
      // It may be over for this one, or for all, while the one before was asked for.
      if (!this.isFocused || this.isDisposed) break;
      if (this.find(query)?.since !== since) continue;
      // Before the answer: another window may get the focus meanwhile.
      this.change(query, { since: to });
      const from = Math.max(since, to - longestRange);
      const found = await this.ask(query, { from, to }).catch(() => undefined);
      const now = this.find(query);
      if (now === undefined) continue;
      // What was not counted is asked for with what comes: in a minute, like all others.
      if (found === undefined && now.since === to) this.change(query, { since });
      else if (found !== undefined && found > 0) this.add(now, found);
    }
    this.isAsking = false;
    if (this.isDisposed) return;
    this.cancelTimer = this.clock.setTimer(() => this.go(), interval);
  }

  private add(search: WatchedSearch, found: number): void {
    const now = { ...search, found: search.found + found };
    this.change(search.query, now);
    if (search.found === 0) this.news.fire(now);
  }

  private change(query: string, members: Partial<WatchedSearch>): void {
    this.set(this.all.map((one) => (one.query === query ? { ...one, ...members } : one)));
  }

  private set(searches: readonly WatchedSearch[]): void {
    this.stored.set(searches.length === 0 ? undefined : searches);
    this.changes.fire();
  }
}
