import type { LogStreamPage, StreamCursor } from '../../api/cursors';
import { ApiError, InvalidRequestError } from '../../api/errors';
import type { LogStream } from '../../api/logStream';
import { second, type Clock, minute } from '../../base/clock';
import { Emitter, type Event } from '../../base/event';
import type { TailHistory } from './history';
import type { AttemptEnd, ReconnectPolicy, StreamLife } from './reconnectPolicy';
import type { Deduplication } from './deduplication';
import type { TailPosition } from './tailState';

/** What happens in an attempt, synchronously. */
export type AttemptEvent =
  /** A stream is about to be opened. */
  | { readonly kind: 'connecting' }
  /** A stream is open. `silence`: the error of the previous stream if it never sent anything. */
  | { readonly kind: 'connected'; readonly silence: ApiError | undefined }
  /** A page has come, or the history. */
  | { readonly kind: 'arrived' };

const connecting: AttemptEvent = { kind: 'connecting' };
const arrived: AttemptEvent = { kind: 'arrived' };

/** One run of a tail, from start to end. Its current step can be aborted. */
export class TailRun {
  private step = new AbortController();
  private isOver = false;

  hasEnded(): boolean {
    return this.isOver;
  }

  /**
   * A signal for the next step. It replaces the one before: thousands of steps on one signal would leave
   * their listeners behind.
   */
  nextSignal(): AbortSignal {
    this.step = new AbortController();
    if (this.isOver) this.step.abort();
    return this.step.signal;
  }

  /** Aborts the current step. The run continues. */
  interrupt(): void {
    this.step.abort();
  }

  end(): void {
    this.isOver = true;
    this.step.abort();
  }
}

/** An open stream. Times are in milliseconds on the monotonic clock. */
interface OpenStream {
  readonly openedAt: number;
  /** The last sign of life. */
  receivedAt: number;
  /** When the last page came, or the stream was opened. */
  pageAt: number;
  /** Whether there was a sign of life since it was opened. */
  hasReceived: boolean;
  /** Whether it sent a new cursor or new records. */
  progressed: boolean;
}

/** The range that a tail moves to, because its own ends. */
interface Renewal {
  readonly next: StreamCursor;
  /** Whether everything from before `next` has come, if a search could not bring it. */
  isDrained: boolean;
}

/** How often the same page may repeat before the stream counts as stuck. */
const maxRepeats = 3;
/**
 * A renewal reads a stream to its end, which the server may not mark: the stream counts as read if no page
 * came for this long, in milliseconds. What comes later is new, and comes again with the next range.
 */
const drainedAfter = 15 * second;

/** Connects one attempt at a time, each from the cursor that the previous one reached. */
export class ConnectionAttempt {
  private readonly idle = new IdleLimit();
  private cursor: StreamCursor | undefined;
  /** Why the cursor cannot be used. */
  private loss: ApiError | undefined;
  /** The error of the last stream if it never sent anything. */
  private silence: ApiError | undefined;
  private renewal: Renewal | undefined;
  private historyUntil: string | undefined;

  private readonly events = new Emitter<AttemptEvent>();
  readonly onDidChange: Event<AttemptEvent> = this.events.event;

  constructor(
    private readonly history: TailHistory,
    private readonly deduplication: Deduplication,
    private readonly clock: Clock,
    private readonly policy: ReconnectPolicy,
    position: TailPosition | undefined,
  ) {
    this.cursor = position && history.savedCursor(position);
    this.historyUntil = position?.historyUntil;
  }

  /** Loads the history if there is no cursor, and reads the stream to its end. Never throws. */
  async make(run: TailRun): Promise<AttemptEnd> {
    const { clock, idle } = this;
    const signal = run.nextSignal();
    let verdict: WatchVerdict | undefined;
    let open: OpenStream | undefined;
    let during: 'history' | 'opening' = 'history';
    const endWatch = watchStream(
      clock,
      () => this.silenceOf(open),
      (found) => {
        verdict = found;
        run.interrupt();
      },
    );
    try {
      const start = await this.findStart(signal);
      during = 'opening';
      this.events.fire(connecting);
      const stream = await this.history.client.openLogStream(
        { cursor: start },
        { signal, priority: 'person' },
      );
      signal.throwIfAborted();
      const now = clock.monotonic();
      idle.didConnect(now);
      open = { openedAt: now, receivedAt: now, pageAt: now, hasReceived: false, progressed: false };
      this.events.fire({ kind: 'connected', silence: this.silence });
      return await this.readStream(stream, start, open, signal);
    } catch (error) {
      if (signal.aborted && verdict === 'idle' && open && this.renewal) {
        this.renewal.isDrained = true;
        return { kind: 'closed', stream: this.lifeOf(open) };
      }
      if (signal.aborted && verdict === 'idle') {
        const silent = silentError(idle.value);
        // The silence may have been normal, so the limit learns from it.
        idle.didReceive(clock.monotonic());
        if (open?.hasReceived === false) this.silence = silent;
        return { kind: 'idle', error: silent };
      }
      if (signal.aborted) return { kind: 'interrupted' };
      const failure = apiErrorOf(error);
      if (open) return { kind: 'error', error: failure, stream: this.lifeOf(open) };
      return { kind: 'error', error: failure, during };
    } finally {
      endWatch();
    }
  }

  /** Discards the cursor: the next attempt starts where the tail was, with a gap. */
  invalidateCursor(error: ApiError): void {
    if (this.cursor) this.loss = error;
  }

  private didAccept(after: StreamCursor): void {
    this.cursor = after;
    this.events.fire(arrived);
  }

  /** Where the stream resumes; loads history if that is needed to find out. */
  private async findStart(signal: AbortSignal): Promise<StreamCursor> {
    const { cursor, loss, historyUntil, history } = this;
    if (cursor && loss === undefined && historyUntil !== undefined) {
      await history.resume(cursor, historyUntil, signal);
      this.historyUntil = undefined;
      this.didAccept(cursor);
      signal.throwIfAborted();
    }
    if (cursor && this.loss === undefined && !history.isEnding(cursor.filters)) {
      // The clock was set back.
      this.renewal = undefined;
      return cursor;
    }
    const start = await this.findNewStart(cursor, signal);
    if (start === cursor) return start;
    this.loss = undefined;
    this.historyUntil = undefined;
    this.renewal = undefined;
    this.didAccept(start);
    signal.throwIfAborted();
    return start;
  }

  private async findNewStart(
    old: StreamCursor | undefined,
    signal: AbortSignal,
  ): Promise<StreamCursor> {
    const { history } = this;
    if (old === undefined) return history.begin(signal);
    if (this.loss) return history.catchUp(old, this.loss, signal);
    if (this.renewal === undefined || history.isEnding(this.renewal.next.filters)) {
      this.renewal = { next: await history.nextRange(signal), isDrained: false };
    }
    const { next, isDrained } = this.renewal;
    return (await history.moveToRange(old, next, isDrained, signal)) ? next : old;
  }

  private didReceive(open: OpenStream): void {
    open.receivedAt = this.clock.monotonic();
    open.hasReceived = true;
    this.idle.didReceive(open.receivedAt);
    if (this.silence === undefined) return;
    this.silence = undefined;
    this.events.fire({ kind: 'connected', silence: undefined });
  }

  /** @throws the errors of the stream, and the signal's reason. */
  private async readStream(
    stream: LogStream,
    start: StreamCursor,
    open: OpenStream,
    signal: AbortSignal,
  ): Promise<AttemptEnd> {
    const { deduplication, policy } = this;
    let at = start.text;
    let repeats = 0;
    const accept = (page: LogStreamPage): void => {
      const repeatedBefore = deduplication.repeated;
      const newRecords = deduplication.acceptPage(page, page.follow);
      const advanced = page.follow.text !== at;
      at = page.follow.text;
      if (advanced) policy.resetFailures();
      if (advanced || newRecords > 0) {
        repeats = 0;
        open.progressed = true;
      } else if (deduplication.repeated > repeatedBefore) repeats++;
      this.didAccept(page.follow);
    };
    for await (const items of stream) {
      signal.throwIfAborted();
      this.didReceive(open);
      // A listener may have stopped the tail.
      signal.throwIfAborted();
      for (const item of items) {
        if (item.kind === 'retry') policy.setMinimumDelay(item.ms);
        if (item.kind !== 'page') continue;
        open.pageAt = open.receivedAt;
        accept(item.page);
        signal.throwIfAborted();
        if (repeats >= maxRepeats) return { kind: 'stuck', error: stuckError() };
        if (this.renewal && !item.page.hasMore) {
          this.renewal.isDrained = true;
          return { kind: 'closed', stream: this.lifeOf(open) };
        }
      }
    }
    signal.throwIfAborted();
    return { kind: 'closed', stream: this.lifeOf(open) };
  }

  /** How long a stream has been silent, and how long it may be. A heartbeat does not tell what follows it. */
  private silenceOf(open: OpenStream | undefined): { lasts: number; limit: number } {
    if (open === undefined) return { lasts: 0, limit: drainedAfter };
    const now = this.clock.monotonic();
    return this.renewal
      ? { lasts: now - open.pageAt, limit: drainedAfter }
      : { lasts: now - open.receivedAt, limit: this.idle.value };
  }

  /** The facts about a stream that the reconnect policy needs. */
  private lifeOf({ openedAt, progressed }: OpenStream): StreamLife {
    return { lasted: this.clock.monotonic() - openedAt, progressed };
  }
}

function silentError(ms: number): ApiError {
  const message = `The log stream sent nothing for ${Math.round(ms / 1000)} s.`;
  return new ApiError({ kind: 'timeout', code: 'silentStream', message });
}

function stuckError(): ApiError {
  const message = 'The log stream repeats the same records and its cursor does not advance.';
  return new ApiError({ kind: 'protocol', code: 'cursorStuck', message });
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InvalidRequestError) {
    // The server would have answered with the same status.
    const { message } = error;
    const code = 'invalidRequest';
    return new ApiError({ kind: 'http', status: 400, code, message, cause: error });
  }
  const message = 'The log stream failed unexpectedly.';
  return new ApiError({ kind: 'network', code: 'unexpected', message, cause: error });
}

const shortest = 20 * second;
/** Also the value before anything was learnt. `fetch` ends a silent body after 300 s. */
const longest = 90 * second;
const factor = 3;
/** Less than this is not enough to learn from, because a page may arrive in pieces. */
const leastWatched = 5 * second;
/** How long a silence counts: at least this long, at most twice as long. */
const recent = 5 * minute;

/**
 * How long a stream may be silent before it counts as half-open, learnt from its silences. All times are on a
 * monotonic clock, in milliseconds.
 */
export class IdleLimit {
  private receivedAt: number | undefined;
  private watched = 0;
  /** The longest silence since `since`, and of the period before. */
  private latest = 0;
  private before = 0;
  private since: number | undefined;

  get value(): number {
    if (this.watched < leastWatched) return longest;
    return Math.min(longest, Math.max(shortest, factor * Math.max(this.latest, this.before)));
  }

  /** A stream was opened. */
  didConnect(now: number): void {
    this.receivedAt = now;
  }

  /**
   * A sign of life (a page, a heartbeat, or a part of one), or the end of a stream that was given up.
   */
  didReceive(now: number): void {
    this.since ??= now;
    const period = now - this.since;
    if (period >= recent) {
      this.before = period < 2 * recent ? this.latest : 0;
      this.latest = 0;
      this.since = now;
    }
    const silence = this.receivedAt === undefined ? 0 : now - this.receivedAt;
    this.watched += silence;
    this.latest = Math.max(this.latest, silence);
    this.receivedAt = now;
  }
}

/**
 * VS Code does not tell that the machine woke, so only a look shows it. This is as seldom as possible to
 * reconnect within two seconds of waking, of which the wait before a connect may take half a second. It is
 * all that a silent tail does.
 */
const tick = 1.5 * second;
const sleepLimit = 15_000;
/** The event loop was blocked if a tick is this late: received data may not be read yet. */
const lateTick = 5000;

/** Why the client gives up a connection. */
export type WatchVerdict = 'idle' | 'slept';

/**
 * Checks every 1.5 s whether a connection can still be alive: `slept` if the wall clock ran ahead of the
 * monotonic clock by more than 15 s (the machine slept, or the wall clock was set, which does no harm);
 * `idle` if there was no sign of life for too long.
 *
 * @param silence says how long there was no sign of life and how long that may be, in milliseconds.
 * @param onVerdict called at most once.
 * @returns a function that ends the watch.
 */
export function watchStream(
  clock: Clock,
  silence: () => { readonly lasts: number; readonly limit: number },
  onVerdict: (verdict: WatchVerdict) => void,
): () => void {
  let wall = clock.now();
  let monotonic = clock.monotonic();
  const look = (): void => {
    const elapsed = clock.monotonic() - monotonic;
    const ahead = clock.now() - wall - elapsed;
    wall = clock.now();
    monotonic = clock.monotonic();
    const { lasts, limit } = silence();
    if (ahead > sleepLimit) onVerdict('slept');
    else if (lasts >= limit && elapsed < lateTick) onVerdict('idle');
    else cancel = clock.setTimer(look, tick);
  };
  let cancel = clock.setTimer(look, tick);
  return () => cancel();
}
