import { type Clock, delay } from '../../api/clock';
import { ApiError } from '../../api/errors';
import type { ConnectionAttempt } from './connectionAttempt';
import type { Decision, ReconnectPolicy } from './reconnectPolicy';
import type { TailFailure, TailRun, TailState } from './types';

interface ReconnectLoopParts {
  readonly clock: Clock;
  readonly policy: ReconnectPolicy;
  readonly budget: ConnectBudget;
  readonly keys: KeyWatch;
  readonly attempt: ConnectionAttempt;
  readonly rateLimit: RateLimit;
  readonly show: (state: TailState) => void;
}

/** The wait that the server asked for. A restart, a new key or a wake-up does not shorten it. */
export interface RateLimit {
  /** Milliseconds on the monotonic clock. */
  until: number;
}

/** How to show the next wait, unless it is a rate limit. */
interface NextTry {
  /** Milliseconds on the monotonic clock. */
  readonly at: number;
  readonly isQuiet: boolean;
  readonly why: ApiError | undefined;
}

/** Quiet waits longer than this are shown, in milliseconds. */
const longestQuiet = 5000;

/** Follows until the run ends (undefined) or another attempt would be of no use. */
export async function runTail(
  { clock, policy, budget, keys, attempt, rateLimit, show }: ReconnectLoopParts,
  run: TailRun,
): Promise<TailFailure | undefined> {
  /**
   * Waits until the next attempt is due. A new key ends a back-off early. Waking from sleep does not,
   * because it cannot be told from a wall clock that was set.
   */
  const waitFor = async ({ at, isQuiet, why }: NextTry): Promise<void> => {
    let earliest = at;
    for (;;) {
      const now = clock.monotonic();
      const retryAt = Math.max(earliest, rateLimit.until, now + budget.wait(now));
      if (retryAt <= now) return;
      if (retryAt === rateLimit.until) show({ kind: 'rateLimited', retryAt });
      else if (!isQuiet || retryAt - now > longestQuiet) {
        show({ kind: 'reconnecting', retryAt, why });
      }
      const isDisturbed = await sleep(clock, retryAt - now, run);
      if (run.hasEnded()) return;
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
        rateLimit.until = now + decision.wait;
        return { at: now, isQuiet: true, why: undefined };
      case 'startAfresh':
        attempt.invalidateCursor(decision.error);
        return { at: now + decision.wait, isQuiet: false, why: decision.error };
      case 'readKey': {
        const key = await keys.look();
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

  if ((await keys.look()) === undefined) return { kind: 'signedOut', error: signedOutError() };
  let next: NextTry = { at: clock.monotonic(), isQuiet: true, why: undefined };
  for (;;) {
    await waitFor(next);
    if (run.hasEnded()) return undefined;
    budget.spend(clock.monotonic());
    const usedKey = keys.known;
    const ending = await attempt.take(run);
    if (run.hasEnded()) return undefined;
    const outcome = await act(policy.decide(ending, clock.monotonic()), usedKey);
    if (run.hasEnded()) return undefined;
    if ('kind' in outcome) {
      // A restart with the same cursor would end here again.
      if (outcome.kind === 'protocol' || outcome.kind === 'refused')
        attempt.invalidateCursor(outcome.error);
      return outcome;
    }
    next = outcome;
  }
}

/** Whether the wait was interrupted. */
async function sleep(clock: Clock, ms: number, run: TailRun): Promise<boolean> {
  const signal = run.nextSignal();
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

/** Limits how often something is done. */
interface ConnectBudget {
  /** Milliseconds until it may be done again; 0: now. */
  wait(now: number): number;
  /** Counts that it is done now. */
  spend(now: number): void;
}

/** @param times the limit within any `ms` milliseconds. `now` is on the same clock. */
export function createConnectBudget(times: number, ms: number): ConnectBudget {
  let spent: number[] = [];
  return {
    wait(now) {
      const earliest = spent.length < times ? undefined : spent[0];
      return earliest === undefined ? 0 : Math.max(0, earliest + ms - now);
    },
    spend(now) {
      spent = [...spent, now].slice(-times);
    },
  };
}

/** What a tail knows of the API key, without the key itself. */
interface KeyWatch {
  /** A fingerprint of the key as it was last read; undefined without a key. */
  readonly known: string | undefined;
  /** Reads the key again. If the storage fails, there is no key. */
  look(): Promise<string | undefined>;
}

export function createKeyWatch(read: () => Promise<string | undefined>): KeyWatch {
  let known: string | undefined;
  return {
    get known() {
      return known;
    },
    async look() {
      try {
        known = await read();
      } catch {
        known = undefined;
      }
      return known;
    },
  };
}
