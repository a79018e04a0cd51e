import { createRateLimiter } from '../../api/rateLimiter';
import type { ControlPlaneClient } from '../../api/client';
import { type Clock, delay, minute } from '../../base/clock';
import { ApiError } from '../../api/errors';
import type { LogFilter } from '../query/filter';
import { createTailBuffer } from './buffer';
import { createConnectionAttempt } from './connectionAttempt';
import { createTailDedupe } from './dedupe';
import { defaultAhead } from './history';
import { createReconnectPolicy, type Decision } from './reconnectPolicy';
import {
  createTailRun,
  type Tail,
  type TailFailure,
  type TailListener,
  type TailPosition,
  type TailRun,
  type TailState,
} from './types';

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
  readonly listener: TailListener;
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

/** Follows the logs that match a filter, and reconnects when the connection fails. */
export function createTail(services: TailServices, options: TailOptions): Tail {
  const { client, clock, random, readKey, ahead = () => defaultAhead } = services;
  const { filter, initialLines, position, listener } = options;
  const bounds = {
    records: options.bufferRecords ?? 50_000,
    bytes: options.bufferBytes ?? 64 * 1024 * 1024,
  };
  const buffer = createTailBuffer(bounds, position);
  const dedupe = createTailDedupe(filter, buffer, position, () => listener.onDidChangeAccess?.());
  const policy = createReconnectPolicy(random);
  const limiter = createRateLimiter(clock, connectsPerMinute, minute);
  let connects = 0;
  /** The wait that the server asked for. A restart, a new key or a wake-up does not shorten it. */
  let limitedUntil = 0;
  /** A fingerprint of the key as it was last read; undefined without a key. */
  let knownKey: string | undefined;

  /** Reads the key again. If the storage fails, there is no key. */
  const lookAtKey = async (): Promise<string | undefined> => {
    try {
      knownKey = await readKey();
    } catch {
      knownKey = undefined;
    }
    return knownKey;
  };

  /** The state of the connection, paused or not. */
  let state: TailState = { kind: 'stopped' };
  let run: TailRun | undefined;
  /** How many records had arrived before the pause; undefined if not paused. */
  let pausedAt: number | undefined;

  const visibleState = (): TailState =>
    pausedAt === undefined ? state : { kind: 'paused', newRecords: dedupe.received - pausedAt };

  const canTake = (): boolean => pausedAt === undefined && !buffer.isEmpty;

  /** Calls the listener again on each change, because an earlier call may have found nothing to take. */
  const announce = (): void => {
    if (canTake()) listener.onDidReceive();
  };

  const show = (next: TailState): void => {
    state = next;
    if (pausedAt === undefined) listener.onDidChangeState(next);
    announce();
  };

  const didArrive = (): void => {
    if (pausedAt !== undefined) listener.onDidChangeState(visibleState());
    announce();
  };

  const attempt = createConnectionAttempt({
    client,
    clock,
    filter,
    initialLines,
    ahead,
    position,
    dedupe,
    policy,
    willConnect: () => {
      connects++;
    },
    didConnect: (silence) => {
      if (state.kind === 'live' && state.silence === silence) return;
      show(silence ? { kind: 'live', silence } : { kind: 'live' });
    },
    didArrive,
  });

  /** A pause ends with the run, because a tail that has ended cannot be resumed. */
  const end = (last: TailState): void => {
    run?.end();
    run = undefined;
    pausedAt = undefined;
    show(last);
  };

  const fail = (why: TailFailure): void => end({ kind: 'failed', why });

  /**
   * Waits until the next attempt is due. A new key ends a back-off early. Waking from sleep does not,
   * because it cannot be told from a wall clock that was set.
   */
  const waitFor = async ({ at, isQuiet, why }: NextTry, current: TailRun): Promise<void> => {
    let earliest = at;
    for (;;) {
      const now = clock.monotonic();
      const retryAt = Math.max(earliest, limitedUntil, now + limiter.freeIn());
      if (retryAt <= now) return;
      if (retryAt === limitedUntil) show({ kind: 'rateLimited', retryAt });
      else if (!isQuiet || retryAt - now > longestQuiet) {
        show({ kind: 'reconnecting', retryAt, why });
      }
      const isDisturbed = await sleep(clock, retryAt - now, current.nextSignal());
      if (current.hasEnded()) return;
      if (isDisturbed) earliest = clock.monotonic();
    }
  };

  const act = async (
    decision: Decision,
    usedKey: string | undefined,
  ): Promise<NextTry | TailFailure> => {
    const now = clock.monotonic();
    switch (decision.kind) {
      case 'reconnect':
        return { at: now + decision.wait, isQuiet: decision.isRoutine, why: decision.why };
      case 'waitForRate':
        limitedUntil = now + decision.wait;
        return { at: now, isQuiet: true, why: undefined };
      case 'startAfresh':
        attempt.invalidateCursor(decision.error);
        return { at: now + decision.wait, isQuiet: false, why: decision.error };
      case 'readKey': {
        const key = await lookAtKey();
        if (key === undefined || key === usedKey) {
          return { kind: 'signedOut', error: decision.error };
        }
        policy.forgive();
        return { at: clock.monotonic(), isQuiet: true, why: undefined };
      }
      case 'fail':
        return decision.why;
    }
  };

  /** Follows until the run ends (undefined) or another attempt would be of no use. */
  const follow = async (current: TailRun): Promise<TailFailure | undefined> => {
    if ((await lookAtKey()) === undefined) return { kind: 'signedOut', error: signedOutError() };
    let next: NextTry = { at: clock.monotonic(), isQuiet: true, why: undefined };
    for (;;) {
      await waitFor(next, current);
      if (current.hasEnded()) return undefined;
      limiter.take();
      const usedKey = knownKey;
      const ending = await attempt.take(current);
      if (current.hasEnded()) return undefined;
      const outcome = await act(policy.decide(ending, clock.monotonic()), usedKey);
      if (current.hasEnded()) return undefined;
      if ('kind' in outcome) {
        // A restart with the same cursor would end here again.
        if (outcome.kind === 'protocol' || outcome.kind === 'refused') {
          attempt.invalidateCursor(outcome.error);
        }
        return outcome;
      }
      next = outcome;
    }
  };

  const start = (): void => {
    if (run) return;
    const started = createTailRun();
    run = started;
    policy.forgive();
    show({ kind: 'connecting' });
    void follow(started).then((why) => {
      if (why && run === started) fail(why);
    });
  };

  /** Starts tails again that ended because the key was missing or refused. */
  const keyChanged = async (): Promise<void> => {
    const before = knownKey;
    const key = await lookAtKey();
    if (run) {
      if (key === undefined) fail({ kind: 'signedOut', error: signedOutError() });
      else if (key !== before) {
        policy.forgive();
        run.disturb();
      }
      return;
    }
    const isForKey =
      state.kind === 'failed' && ['signedOut', 'missingPermission'].includes(state.why.kind);
    if (isForKey && key !== undefined && key !== before) start();
  };

  return {
    filter,
    get state() {
      return visibleState();
    },
    get counters() {
      const { received, streamed, repeated } = dedupe;
      const { handedOn, dropped } = buffer;
      return { received, streamed, handedOn, dropped, repeated, connects };
    },
    get position() {
      return buffer.position;
    },
    start,
    pause() {
      if (!run || pausedAt !== undefined) return;
      pausedAt = dedupe.received;
      listener.onDidChangeState(visibleState());
    },
    resume() {
      if (pausedAt === undefined) return;
      pausedAt = undefined;
      show(state);
    },
    stop() {
      if (state.kind !== 'stopped') end({ kind: 'stopped' });
    },
    keyChanged: () => void keyChanged(),
    knows: (id) => dedupe.knows(id),
    take: (maxRecords = Infinity) => (canTake() ? buffer.take(maxRecords) : []),
  };
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
