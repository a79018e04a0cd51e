import type { Direction } from '../../api/cursors';
import { InvalidRequestError, isAccessLost, localizableMessage } from '../../api/errors';
import type { LogQueryFilters, LogRecord } from '../../api/types';
import { utcTime, utcTimeOf } from '../../api/utcTime';
import { minute, second } from '../../base/clock';
import { Emitter } from '../../base/event';
import { queryFilters } from '../query/fields';
import { printSearch, scopeOf, type SearchQuery } from '../query/searchQuery';
import type { When } from '../query/timeExpression';
import { signedOutError } from '../tail/tail';
import { type ExplorerState, noStatus, restOf } from './explorerState';
import {
  LiveSearch,
  type LiveSearchServices,
  type LogSource,
  type SearchEvent,
  wholeRange,
} from './liveSearch';
import type { Added } from './pagedSearch';
import { rowKey } from './recordRows';
import { hasContext, loadAround, type RecordPlace } from './recordsAround';

/** What happens to what is shown; told synchronously, in order. */
export type ExplorerEvent =
  | { readonly kind: 'changed'; readonly state: ExplorerState }
  /** The whole list changed, oldest first; `changed` follows. */
  | {
      readonly kind: 'replaced';
      readonly records: readonly LogRecord[];
      readonly state: ExplorerState;
    }
  | ({ readonly kind: 'added' } & Added);

/** The records to write to a file or to show as text. */
export interface ShownLogs {
  /** The filters of the search, with its range. */
  readonly filters: LogQueryFilters;
  /** The records in the list, oldest first. */
  readonly records: readonly LogRecord[];
  /** Whether these are all records, as far as is known. */
  readonly isAll: boolean;
  /** Whether the server left out records. */
  readonly isPartial: boolean;
}

/** A query that ran. */
interface Step {
  readonly text: string;
  readonly query: SearchQuery;
  /** The event id of the record that it was left from. */
  readonly left?: string;
}

/** The server does not have the record that was sought. */
export class RecordGoneError extends Error {}

/** A record with those around it in its container. */
interface Context {
  readonly record: LogRecord;
  /** Oldest first, including the record. */
  readonly records: readonly LogRecord[];
  readonly partial: boolean;
  /** Whether following the results was paused for it. */
  readonly hasPaused: boolean;
}

/** The length of the history. */
const mostSteps = 50;
/** How many records are shown before and after a record in its context. */
const contextCount = 50;
/** How far before and after a record to search for its trace, in milliseconds. */
const traceReach = 15 * minute;
const loadingContext = {
  direction: 'first',
  records: 0,
  pages: 0,
  wait: undefined,
  isWhole: false,
} as const;

/**
 * The Log Explorer without its page: one search at a time with its records, following, contexts, and the
 * history of its queries. If a search fails before its first page, the earlier results stay; if access to
 * logs is lost, nothing stays. While a context is shown, following the results is paused.
 */
export class ExplorerModel {
  private results: LiveSearch | undefined;
  /** Becomes the results with its first page. */
  private pending: LiveSearch | undefined;
  /** The last query to run, whatever its outcome. */
  private last: Step | undefined;
  /** What was shown before, the latest last. */
  private readonly before: Step[] = [];
  /** The queries as they were written. */
  private readonly texts = new WeakMap<SearchQuery, string>();
  /** The event id of the record to select, and the record in the list that has it. */
  private wanted: string | undefined;
  private found: LogRecord | undefined;
  /** Shown in place of the results. */
  private context: Context | undefined;
  /** The record that was sought last, as long as nothing else was. */
  private sought: RecordPlace | undefined;
  /** The running load of a context; an older one has no effect. */
  private contextLoad: AbortController | undefined;
  /** Why the last search or context failed before it could be shown. */
  private failure: unknown;
  /** The API key of the shown records. */
  private watched: { readonly source: LogSource; key: Promise<string | undefined> } | undefined;
  private replacements = 0;
  private isDisposed = false;
  /** Whether the control plane's clock is found to differ from the one of the pending search's range. */
  private isOtherTime = (): boolean => false;
  private readonly events = new Emitter<ExplorerEvent>();

  readonly onDidHappen = this.events.event;

  /** @param source the connection for the next search, which keeps it; undefined if signed out. */
  constructor(
    private readonly source: () => LogSource | undefined,
    private readonly when: () => When,
    private readonly services: LiveSearchServices,
  ) {}

  /** A new object each time. */
  get state(): ExplorerState {
    const { results, pending, context } = this;
    const current = results ?? pending;
    const { loading, failure, ...status } = current?.status ?? noStatus;
    const isHidden = context !== undefined;
    const count = this.records.length;
    const isOther = this.last?.query !== results?.query;
    return {
      ...status,
      ...(isHidden ? { older: noStatus.older, newer: noStatus.newer, restarted: false } : {}),
      epoch: this.replacements,
      search: current?.query,
      window: current?.scope.window,
      isPrevious: !isHidden && pending === undefined && count > 0 && isOther,
      context: context?.record,
      loading:
        pending?.status.loading ??
        (this.contextLoad && loadingContext) ??
        (isHidden ? undefined : loading),
      failure: this.failure ?? (isHidden || pending !== undefined ? undefined : failure),
      count,
      partial: context?.partial ?? status.partial,
    };
  }

  /** That of the state: anything of another epoch is stale. */
  get epoch(): number {
    return this.replacements;
  }

  /** Oldest first. Changes in place: copy what is used later. */
  get records(): readonly LogRecord[] {
    return this.context?.records ?? this.results?.records ?? [];
  }

  /** The shown record with a key, as `rowKey` returns it. */
  recordOf(key: string): LogRecord | undefined {
    const { context, results } = this;
    if (context === undefined) return results?.recordOf(key);
    return context.records.find((record) => rowKey(record) === key);
  }

  /** The text of the last query that ran. */
  get query(): string {
    return this.last?.text ?? '';
  }

  /** The query of the results, if the last query failed. */
  get previous(): string | undefined {
    return this.state.isPrevious ? this.shown?.text : undefined;
  }

  /** Whether there is a context to leave or an earlier query. */
  get canGoBack(): boolean {
    return this.context !== undefined || this.before.length > 0;
  }

  /**
   * The record to select: the one whose context or trace is shown, or that was selected before. Undefined
   * if there is none or it is not on the first page.
   */
  get focus(): LogRecord | undefined {
    return this.context?.record ?? this.found;
  }

  /** The records to export or to show as text; undefined before the first search. */
  get shownLogs(): ShownLogs | undefined {
    const { records } = this;
    const { search, window, context, older, newer, partial: isPartial } = this.state;
    if (context !== undefined) {
      const timeOf = ({ timestamp, ingestedAt }: LogRecord): string =>
        utcTime(timestamp) ?? ingestedAt;
      const [first = context] = records;
      const filter = { containerIds: [context.containerId] };
      const filters = queryFilters(filter, timeOf(first), timeOf(records.at(-1) ?? context));
      return { filters, records, isAll: true, isPartial };
    }
    if (search === undefined || window === undefined) return undefined;
    const filters = queryFilters(search.filter, window.from, window.to);
    const isAll = older.kind === 'reached' && newer.kind === 'reached';
    return { filters, records, isAll, isPartial };
  }

  /**
   * Starts a search in place of the current one, whose records stay until the first page arrives. `back`
   * goes back from it.
   */
  run(text: string, query: SearchQuery): void {
    const before = this.shown;
    this.start({ text, query });
    this.remember(before);
  }

  /** Searches for all records of the trace of a record. `back` goes back from it. */
  trace({ eventId, traceId, timestamp }: LogRecord): void {
    if (traceId === null) return;
    const before = this.shown;
    const query = {
      filter: { traceId },
      range: traceRange(Date.parse(timestamp), this.when().now),
    };
    this.start({ text: printSearch(query), query }, eventId);
    this.remember(before && { ...before, left: eventId });
  }

  /** Loads more, or tries again what failed before anything was shown. */
  load(direction: Direction): void {
    if (this.results === undefined && this.sought !== undefined) this.showRecord(this.sought);
    this.withResults((shown) => void shown.load(direction));
  }

  /** Loads the rest of the range, up to a bound. */
  loadWhole(): void {
    const ends = restOf(this.state);
    this.withResults((shown) => {
      for (const end of ends) void shown.load(end, wholeRange);
    });
  }

  /** Stops loading; loaded records stay. */
  cancel(): void {
    const hadContextLoad = this.contextLoad !== undefined;
    this.endContextLoad();
    this.pending?.cancel();
    if (this.context === undefined) this.results?.cancel();
    if (hadContextLoad) this.changed();
  }

  /** Follows new records if the range is open, or resumes following. */
  follow(): void {
    this.withResults((shown) => shown.follow());
  }

  pause(): void {
    this.withResults((shown) => void shown.pause());
  }

  stopFollowing(): void {
    this.results?.stopFollowing();
    if (this.context !== undefined) this.context = { ...this.context, hasPaused: false };
  }

  /** Shows the records around one of them in its container, in place of the results. */
  showContext(record: LogRecord): void {
    if (this.pending === undefined) this.showPlace(record, record);
  }

  /** Shows a record that is not in the list with those around it, in place of the results. */
  showRecord(place: RecordPlace): void {
    this.dropPending();
    this.sought = place;
    this.showPlace(place, undefined);
  }

  /** @param known the record, which is shown even if the server does not have it any more. */
  private showPlace(place: RecordPlace, known: LogRecord | undefined): void {
    if (this.isDisposed || !hasContext(place)) return;
    this.endContextLoad();
    this.contextLoad = new AbortController();
    this.failure = undefined;
    this.changed();
    void this.loadContext(place, known, this.contextLoad);
  }

  /** Goes back from a context to the results, or to the query before. */
  back(): void {
    const { context } = this;
    if (context === undefined) {
      const step = this.before.pop();
      if (step !== undefined) {
        this.start(step, step.left);
        return;
      }
    }
    this.endContextLoad();
    if (context !== undefined) {
      this.wanted = context.record.eventId;
      this.context = undefined;
      this.failure = undefined;
      this.replaced();
    }
    this.changed();
    if (context?.hasPaused === true) this.results?.follow();
  }

  /** Reads the API key again and acts on a change. */
  keyChanged(): void {
    void this.checkKey();
  }

  /** Removes everything, because the connection changed or access is lost. */
  clear(): void {
    const hadAny = this.results !== undefined || this.pending !== undefined;
    this.before.length = 0;
    this.last = undefined;
    this.wanted = undefined;
    this.sought = undefined;
    this.dropPending();
    this.setResults(undefined);
    if (hadAny) this.replaced();
    this.changed();
  }

  dispose(): void {
    this.isDisposed = true;
    this.clear();
    this.events.dispose();
  }

  /** The query of the results, or the last one. */
  private get shown(): Step | undefined {
    const query = (this.results ?? this.pending)?.query;
    if (query === undefined || query === this.last?.query) return this.last;
    return { text: this.texts.get(query) ?? '', query };
  }

  private remember(step: Step | undefined): void {
    if (step === undefined || step.text === '' || step.text === this.query) return;
    // The same query is not added twice.
    if (this.before.at(-1)?.text === step.text) this.before.pop();
    this.before.push(step);
    if (this.before.length > mostSteps) this.before.shift();
  }

  private start({ text, query }: Step, focus?: string): void {
    if (this.isDisposed) return;
    this.sought = undefined;
    this.texts.set(query, text);
    this.last = { text, query };
    this.wanted = focus;
    this.search(query);
  }

  private search(query: SearchQuery): void {
    this.endContextLoad();
    this.dropPending();
    this.results?.cancel();
    this.results?.stopFollowing();
    this.failure = undefined;
    const source = this.source();
    const scope = scopeOf(query, this.when());
    if (source === undefined) this.invalidate(signedOutError());
    else if (scope === undefined) {
      this.failure = new InvalidRequestError(
        'filters.from',
        localizableMessage('is later than filters.to'),
        localizableMessage('from, then to'),
      );
      this.changed();
    } else {
      const { client } = source;
      const ahead = (): number => client.serverNow() - this.services.clock.monotonic();
      const before = ahead();
      // The first answer of a connection may be that of the search.
      this.isOtherTime = () => Math.abs(ahead() - before) > second;
      const pending = new LiveSearch(this.services, source, query, scope);
      pending.onDidHappen((event) => this.searched(pending, event));
      this.pending = pending;
      if (this.watched?.source !== source) this.watched = { source, key: apiKeyOf(source) };
      void pending.load('older');
    }
  }

  /** Something happened to a search. */
  private searched(search: LiveSearch, event: SearchEvent): void {
    const isPending = search === this.pending;
    if (!isPending && search !== this.results) return;
    if (event.kind === 'added') {
      if (!isPending && this.context === undefined) this.events.fire(event);
      return;
    }
    const isReplaced = event.kind === 'replaced';
    const isFirst = isPending && (isReplaced || search.status.loading === undefined);
    // Without records, too: they may be in the right range.
    if (isFirst && this.isOtherTime()) this.search(search.query);
    else if (isReplaced) {
      this.setResults(search);
      this.replaced();
    } else {
      if (isFirst) this.endedEarly(search);
      this.changed();
    }
  }

  /** A search ended before its first page. */
  private endedEarly(search: LiveSearch): void {
    if (this.records.length === 0 && this.context === undefined) this.setResults(search);
    else {
      this.failure = search.status.failure;
      this.dropPending();
    }
  }

  private changed(): void {
    if (!this.isDisposed) this.events.fire({ kind: 'changed', state: this.state });
  }

  private replaced(): void {
    this.replacements++;
    const { records, state } = this;
    this.found = records.find(({ eventId }) => eventId === this.wanted);
    if (!this.isDisposed) this.events.fire({ kind: 'replaced', records, state });
  }

  private endContextLoad(): void {
    this.contextLoad?.abort();
    this.contextLoad = undefined;
  }

  private dropPending(): void {
    this.pending?.dispose();
    this.pending = undefined;
  }

  private setResults(next: LiveSearch | undefined): void {
    if (next !== this.results) this.results?.dispose();
    this.results = next;
    if (next === this.pending) this.pending = undefined;
    this.context = undefined;
    this.failure = undefined;
    this.endContextLoad();
  }

  /** Removes everything that is shown, because access is lost. */
  private invalidate(why: unknown): void {
    const current = this.results ?? this.pending;
    if (current !== this.pending) this.dropPending();
    if (current !== undefined) current.invalidate(why);
    else {
      this.failure = why;
      this.changed();
    }
  }

  /** Calls `act` with the results if nothing else is shown or loading. */
  private withResults(act: (results: LiveSearch) => void): void {
    const { results } = this;
    if (results === undefined || this.pending !== undefined || this.context !== undefined) return;
    this.failure = undefined;
    act(results);
  }

  private async loadContext(
    place: RecordPlace,
    known: LogRecord | undefined,
    load: AbortController,
  ): Promise<void> {
    try {
      const source = this.source();
      if (source === undefined) throw signedOutError();
      const now = source.client.serverNow();
      const around = await loadAround(source.client, place, contextCount, now, load.signal);
      if (this.contextLoad !== load) return;
      this.contextLoad = undefined;
      const { results } = this;
      const { before, behind, accessRevision, partial } = around;
      const record = known ?? around.record;
      // If the permissions changed, neither the context nor the results may be shown.
      const isOther = accessRevision !== (results?.accessRevision ?? accessRevision);
      if (accessRevision === undefined || isOther) results?.renew();
      else if (record === undefined) this.failure = new RecordGoneError();
      else {
        const hasPaused = this.context?.hasPaused ?? results?.pause() ?? false;
        this.context = { record, records: [...before, record, ...behind], partial, hasPaused };
        this.replaced();
      }
    } catch (error) {
      if (this.contextLoad !== load) return;
      this.contextLoad = undefined;
      if (isAccessLost(error)) this.invalidate(error);
      else this.failure = error;
    }
    this.changed();
  }

  private async checkKey(): Promise<void> {
    const watched = this.watched;
    if (watched === undefined) return;
    const [before, key] = await Promise.all([
      watched.key,
      (watched.key = apiKeyOf(watched.source)),
    ]);
    if (this.isDisposed || watched !== this.watched || key === before) return;
    const { results } = this;
    if (key === undefined) this.invalidate(signedOutError());
    else if (before !== undefined) (this.pending ?? results)?.renew();
    else if (isAccessLost(results?.status.failure)) results.retry();
  }
}

/** A key that cannot be read counts as none. */
function apiKeyOf(source: LogSource): Promise<string | undefined> {
  return source.readKey().catch(() => undefined);
}

/** @param time the time of a record; both in milliseconds since 1970, by the control plane's clock. */
function traceRange(time: number, now: number): SearchQuery['range'] {
  const from = utcTimeOf(time - traceReach);
  const to = utcTimeOf(time + traceReach);
  if (from === undefined || to === undefined) return {};
  // A recent trace can be followed: its range has no end.
  return time + traceReach < now ? { from, to } : { from };
}
