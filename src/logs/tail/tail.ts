import type { ControlPlaneClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import { type Clock, delay, minute, RateLimiter } from '../../base/clock';
import { Emitter, type Event } from '../../base/event';
import type { LogFilter } from '../query/fields';
import { type AttemptEvent, ConnectionAttempt, TailRun } from './connectionAttempt';
import { defaultAhead, TailHistory } from './history';
import { type Decision, ReconnectPolicy } from './reconnectPolicy';
import { Deduplication } from './deduplication';
import { TailBuffer } from './tailBuffer';
import type { TailCounters, TailFailure, TailOutput, TailPosition, TailState } from './tailState';

export interface TailServices {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream' | 'serverNow'>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The key or a fingerprint of it, to find changes; undefined if signed out. */
  readonly readKey: () => Promise<string | undefined>;
  /** How far ahead the range of a stream ends, in milliseconds. Default: 7 days. */
  readonly ahead?: () => number;
}

export interface TailOptions {
  readonly filter: LogFilter;
  /** How many of the last records to show first; 0: only new ones. */
  readonly initialLines: number;
  /** The position of an earlier tail of this filter. Resumes there, without history. */
  readonly position?: TailPosition;
  /** Limits of the buffer: records (default 50,000), and bytes by an estimate (default 64 MiB). */
  readonly bufferRecords?: number;
  readonly bufferBytes?: number;
}

const connectsPerMinute = 10;
/** Quiet waits longer than this are shown, in milliseconds. */
const longestQuiet = 5000;

/** How to show the next wait, unless it is a rate limit. */
interface NextTry {
  /** Milliseconds on the monotonic clock. */
  readonly at: number;
  readonly isQuiet: boolean;
  readonly why: ApiError | undefined;
}

export type TailEvent =
  | 'state'
  /**
   * There may be something to read. Comes for every arrival and change of state until it is read (not while
   * paused), up to once per page, so what listens must be fast.
   */
  | 'records'
  /** What was read is marked: the position moved. */
  | 'position'
  /** What the key may see has changed. Comes at once, also while paused. */
  | 'access';

/**
 * Follows the logs that match a filter, and reconnects when the connection fails. All methods can be called
 * in any state.
 */
export class Tail {
  readonly filter: LogFilter;
  private readonly events = new Emitter<TailEvent>();
  /** Fires synchronously, also during a call of a method. */
  readonly onDidChange: Event<TailEvent> = this.events.event;
  private readonly buffer: TailBuffer;
  private readonly deduplication: Deduplication;
  private readonly policy: ReconnectPolicy;
  private readonly attempt: ConnectionAttempt;
  private readonly limiter;
  private connects = 0;
  /** The wait that the server asked for. A restart, a new key or a wake-up does not shorten it. */
  private limitedUntil = 0;
  /** A fingerprint of the key as it was last read; undefined without a key. */
  private knownKey: string | undefined;
  /** The state of the connection, paused or not. */
  private connection: TailState = { kind: 'stopped' };
  private run: TailRun | undefined;
  /** How many records had arrived before the pause; undefined if not paused. */
  private pausedAt: number | undefined;

  constructor(
    private readonly services: TailServices,
    { filter, initialLines, position, ...limits }: TailOptions,
  ) {
    const { client, clock, random, ahead = () => defaultAhead } = services;
    const { bufferRecords = 50_000, bufferBytes = 64 * 1024 * 1024 } = limits;
    this.filter = filter;
    this.buffer = new TailBuffer({ records: bufferRecords, bytes: bufferBytes }, position);
    this.deduplication = new Deduplication(filter, this.buffer, position, () =>
      this.events.fire('access'),
    );
    this.policy = new ReconnectPolicy(random);
    this.limiter = new RateLimiter(clock, connectsPerMinute, minute);
    const history = new TailHistory(client, filter, initialLines, ahead, this.deduplication);
    const { deduplication, policy } = this;
    this.attempt = new ConnectionAttempt(history, deduplication, clock, policy, position);
    this.attempt.onDidChange((event) => this.attemptChanged(event));
  }

  get state(): TailState {
    const { pausedAt } = this;
    if (pausedAt === undefined) return this.connection;
    return { kind: 'paused', newRecords: this.deduplication.received - pausedAt };
  }

  get counters(): TailCounters {
    const { received, streamed, repeated } = this.deduplication;
    const { totalRead: read, dropped } = this.buffer;
    return { received, streamed, read, dropped, repeated, connects: this.connects };
  }

  /** The position after everything that was read and marked. Undefined before the history has come. */
  get position(): TailPosition | undefined {
    return this.buffer.position;
  }

  /** Starts, or starts again after `stopped` or `failed`. */
  start(): void {
    if (this.run) return;
    const started = new TailRun();
    this.run = started;
    this.policy.resetFailures();
    this.show({ kind: 'connecting' });
    void this.follow(started).then((why) => {
      if (why && this.run === started) this.fail(why);
    });
  }

  pause(): void {
    if (!this.run || this.pausedAt !== undefined) return;
    this.pausedAt = this.deduplication.received;
    this.events.fire('state');
  }

  resume(): void {
    if (this.pausedAt === undefined) return;
    this.pausedAt = undefined;
    this.show(this.connection);
  }

  /** Ends the tail: no event, timer or socket remains. */
  stop(): void {
    if (this.connection.kind !== 'stopped') this.end({ kind: 'stopped' });
  }

  /** The key may have changed in another window: reads it now instead of at the next failure. */
  keyChanged(): void {
    void this.checkKey();
  }

  /** Whether the record with this id waits to be read, or may come again. */
  knows(id: string): boolean {
    return this.deduplication.knows(id);
  }

  /**
   * Removes and returns buffered records, oldest first, at most `maxRecords`; none while paused. The position moves
   * when they are marked.
   */
  read(maxRecords = Infinity): TailOutput[] {
    return this.canRead() ? this.buffer.read(maxRecords) : [];
  }

  /** Everything that was read is where it belongs, for example in its channel. */
  markRead(): void {
    if (this.buffer.markRead()) this.events.fire('position');
  }

  private attemptChanged(event: AttemptEvent): void {
    switch (event.kind) {
      case 'connecting':
        this.connects++;
        break;
      case 'connected': {
        const { connection } = this;
        const { silence } = event;
        if (connection.kind === 'live' && connection.silence === silence) return;
        this.show(silence ? { kind: 'live', silence } : { kind: 'live' });
        break;
      }
      case 'arrived':
        if (this.pausedAt !== undefined) this.events.fire('state');
        this.announce();
    }
  }

  /** Reads the key again. If the storage fails, there is no key. */
  private async lookAtKey(): Promise<string | undefined> {
    try {
      this.knownKey = await this.services.readKey();
    } catch {
      this.knownKey = undefined;
    }
    return this.knownKey;
  }

  private canRead(): boolean {
    return this.pausedAt === undefined && !this.buffer.isEmpty;
  }

  /** Fires again on each change, because who heard it earlier may have found nothing. */
  private announce(): void {
    if (this.canRead()) this.events.fire('records');
  }

  private show(next: TailState): void {
    this.connection = next;
    if (this.pausedAt === undefined) this.events.fire('state');
    this.announce();
  }

  /** A pause ends with the run, because a tail that has ended cannot be resumed. */
  private end(last: TailState): void {
    this.run?.end();
    this.run = undefined;
    this.pausedAt = undefined;
    this.show(last);
  }

  private fail(why: TailFailure): void {
    this.end({ kind: 'failed', why });
  }

  /** Follows until the run ends (undefined) or another attempt would be of no use. */
  private async follow(current: TailRun): Promise<TailFailure | undefined> {
    const { clock } = this.services;
    if ((await this.lookAtKey()) === undefined) {
      return { kind: 'signedOut', error: signedOutError() };
    }
    let next: NextTry = { at: clock.monotonic(), isQuiet: true, why: undefined };
    for (;;) {
      await this.waitFor(next, current);
      if (current.hasEnded()) return undefined;
      this.limiter.spend();
      const usedKey = this.knownKey;
      const ending = await this.attempt.make(current);
      if (current.hasEnded()) return undefined;
      const outcome = await this.act(this.policy.decide(ending, clock.monotonic()), usedKey);
      if (current.hasEnded()) return undefined;
      if ('kind' in outcome) {
        // A restart with the same cursor would end here again.
        if (outcome.kind === 'protocol' || outcome.kind === 'refused') {
          this.attempt.invalidateCursor(outcome.error);
        }
        return outcome;
      }
      next = outcome;
    }
  }

  /**
   * Waits until the next attempt is due. A new key ends a back-off early. Waking from sleep does not,
   * because it cannot be told from a wall clock that was set.
   */
  private async waitFor({ at, isQuiet, why }: NextTry, current: TailRun): Promise<void> {
    const { clock } = this.services;
    let earliest = at;
    for (;;) {
      const now = clock.monotonic();
      const retryAt = Math.max(earliest, this.limitedUntil, now + this.limiter.freeIn());
      if (retryAt <= now) return;
      if (retryAt === this.limitedUntil) this.show({ kind: 'rateLimited', retryAt });
      else if (!isQuiet || retryAt - now > longestQuiet) {
        this.show({ kind: 'reconnecting', retryAt, why });
      }
      const wasInterrupted = await sleep(clock, retryAt - now, current.nextSignal());
      if (current.hasEnded()) return;
      if (wasInterrupted) earliest = clock.monotonic();
    }
  }

  private async act(
    decision: Decision,
    usedKey: string | undefined,
  ): Promise<NextTry | TailFailure> {
    const { clock } = this.services;
    const now = clock.monotonic();
    switch (decision.kind) {
      case 'reconnect':
        return { at: now + decision.wait, isQuiet: decision.isRoutine, why: decision.why };
      case 'waitForRate':
        this.limitedUntil = now + decision.wait;
        return { at: now, isQuiet: true, why: undefined };
      case 'startAfresh':
        this.attempt.invalidateCursor(decision.error);
        return { at: now + decision.wait, isQuiet: false, why: decision.error };
      case 'readKey': {
        const key = await this.lookAtKey();
        if (key === undefined || key === usedKey) {
          return { kind: 'signedOut', error: decision.error };
        }
        this.policy.resetFailures();
        return { at: clock.monotonic(), isQuiet: true, why: undefined };
      }
      case 'fail':
        return decision.why;
    }
  }

  /** Starts a tail again that ended because the key was missing or refused. */
  private async checkKey(): Promise<void> {
    const before = this.knownKey;
    const key = await this.lookAtKey();
    if (this.run) {
      if (key === undefined) this.fail({ kind: 'signedOut', error: signedOutError() });
      else if (key !== before) {
        this.policy.resetFailures();
        this.run.interrupt();
      }
      return;
    }
    const { connection } = this;
    const isForKey =
      connection.kind === 'failed' &&
      ['signedOut', 'missingPermission'].includes(connection.why.kind);
    if (isForKey && key !== undefined && key !== before) this.start();
  }
}

/** Whether the wait was interrupted. */
async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(clock, ms, signal);
    return false;
  } catch (error) {
    if (signal.aborted) return true;
    throw error;
  }
}

export function signedOutError(): ApiError {
  return new ApiError({ kind: 'signedOut', code: 'noKey', message: 'There is no API key.' });
}
