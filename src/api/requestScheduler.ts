import { type Clock, delay, longestTimer, minute, onAbort, RateLimiter } from '../base/clock';
import { ApiError } from './errors';
import type { ApiOperation } from './operation';
import {
  type EndpointClass,
  longestRetryWait as usualLongestWait,
  nextTry,
  retryDelay,
} from './retryPolicy';
import { ServerLimit } from './serverLimit';

/** Who misses the answer of a call, the most urgent first. */
export type Priority =
  /** A person waits for it: it is sent before all others, whatever the budget says, and retried. */
  | 'person'
  /** A row is empty without it, or it watches what a person started. */
  | 'awaited'
  /** It keeps up to date what is known: if it fails, the next one is its retry. */
  | 'automatic';

/** How a call takes its turn. */
export interface Scheduling {
  /** Of this call alone: it collects listeners while the call waits. */
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** Aborted by a person who stops: ends the waits before and between tries, but no request under way. */
  readonly stop?: AbortSignal | undefined;
  /** Aborted as soon as a person waits for the call, too. */
  readonly raise?: AbortSignal | undefined;
  /**
   * Whether it is tried again as the rule of its operation allows. Unless given: while a person waits for it.
   * False: it is refused instead of held until a Retry-After is over, too, because the tail has its own rules.
   */
  readonly retries?: boolean | undefined;
  /** In milliseconds. If the server asks for a longer wait, the call fails at once. Default: ten minutes. */
  readonly longestWait?: number | undefined;
  /** Called before each wait for another try, and with undefined when the wait is over. */
  readonly onWait?: OnWait | undefined;
}

export type OnWait = (wait: Wait | undefined) => void;

/** A wait between two tries. */
export interface Wait {
  /** Its length in milliseconds. */
  readonly ms: number;
  /** When it ends, in milliseconds since 1970 by the clock of this machine. */
  readonly until: number;
  /** Why the previous try failed. */
  readonly error: ApiError;
}

/**
 * How many requests a minute a window sends to a connection at most, and how many at a time. What is more
 * urgent always has room left. The first try of what a person asked for counts, but is not held back.
 */
export const requestsPerMinute: Readonly<Record<Priority, number>> = {
  person: 240,
  awaited: 220,
  automatic: 200,
};
/** The part of the server's own limit that is kept for what is more urgent. */
const keptOfServer: Readonly<Record<Priority, number>> = {
  person: 0,
  awaited: 1 / 3,
  automatic: 1 / 2,
};
/** How many requests may be unanswered. */
const mostAtOnce = 12;
/** How many of them no person waits for: slow answers to those must not take the places of the others. */
const mostUnasked = 4;

/** For how long after its end a 429 of a second endpoint class says that the server counts both together. */
const sharedFor = 10 * minute;

/** What an operation says of its requests. */
type Rules = Pick<ApiOperation, 'retry' | 'limit' | 'isStream'>;

const priorities: readonly Priority[] = ['person', 'awaited', 'automatic'];

/** A request that waits for its turn, or whose answer is awaited. */
interface Turn {
  readonly endpoints: EndpointClass;
  readonly scheduling: Scheduling;
  readonly isRetry: boolean;
  /** It is refused, instead of held, until the server allows it. */
  readonly isImpatient: boolean;
  /** A stream takes none, because it stays open. */
  readonly needsPlace: boolean;
  begin(): void;
  refuse(error: ApiError): void;
}

/** A 429 with Retry-After, and when that is over, on the monotonic clock. */
interface Hold {
  readonly error: ApiError;
  readonly until: number;
  /** A little later, so that clients do not all continue at the same time. */
  readonly resumeAt: number;
}

/**
 * Decides when each request of a connection is sent: in the order of their priorities, a few at a time,
 * within a budget a minute that counts every request and within the limit that the server states, and none before the
 * server allows it.
 *
 * A Retry-After holds back all requests of its endpoint class (`EndpointClass`), and of every class once two
 * were refused: the server counts them together. A 429 without one holds back only its own call.
 */
export class RequestScheduler {
  /** First come, first served, within a priority. */
  private readonly waiting = new Set<Turn>();
  private readonly running = new Set<Turn>();
  private readonly holds = new Map<EndpointClass, Hold>();
  private readonly sent: RateLimiter;
  /** What the server says of its own limit. */
  readonly serverLimit: ServerLimit;
  private cancelTimer: (() => void) | undefined;

  /** @param random returns a number from 0 to below 1. */
  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {
    this.sent = new RateLimiter(clock, requestsPerMinute.person, minute);
    this.serverLimit = new ServerLimit(clock);
  }

  /**
   * Sends a request as often as the rule of its operation allows, each time when it is its turn.
   *
   * @param send sends it once. It must end with the signal of `scheduling`.
   * @throws what `send` throws, the reason of the signal or of `stop`, or an `ApiError` with status 429 and the rest of
   *   the Retry-After if that is longer than the call waits.
   */
  async run<T>(operation: Rules, scheduling: Scheduling, send: () => Promise<T>): Promise<T> {
    const { onWait } = scheduling;
    const signal = waitSignal(scheduling);
    let outages = 0;
    let rateLimits = 0;
    for (;;) {
      const turn = await this.awaitTurn(
        operation,
        { ...scheduling, signal },
        outages + rateLimits > 0,
      );
      let failure: ApiError;
      let wait: number | undefined;
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.rememberHold(turn.endpoints, error);
        if (error.meaning === 'rateLimited') rateLimits++;
        else outages++;
        wait = this.nextTry(operation, scheduling, error, { outages, rateLimits });
        if (wait === undefined) throw error;
        failure = error;
      } finally {
        this.running.delete(turn);
        this.sendNext();
      }
      onWait?.({ ms: wait, until: this.clock.now() + wait, error: failure });
      await delay(this.clock, wait, signal);
      onWait?.(undefined);
    }
  }

  /** Waits until a request may be sent, and counts it. */
  private async awaitTurn(
    operation: Rules,
    scheduling: Scheduling,
    isRetry: boolean,
  ): Promise<Turn> {
    const { signal, raise, onWait } = scheduling;
    const endpoints = operation.limit;
    const needsPlace = !operation.isStream;
    const isImpatient = scheduling.retries === false || operation.retry === 'caller';
    const releases: (() => void)[] = [];
    try {
      signal.throwIfAborted();
      return await new Promise<Turn>((resolve, reject) => {
        const turn: Turn = {
          endpoints,
          scheduling,
          isRetry,
          isImpatient,
          needsPlace,
          begin: () => resolve(turn),
          refuse: reject,
        };
        this.waiting.add(turn);
        this.sendNext();
        if (!this.waiting.has(turn)) return;
        const hold = this.holdOf(endpoints);
        const ms = (hold?.resumeAt ?? 0) - this.clock.monotonic();
        if (hold !== undefined && ms > 0 && onWait !== undefined) {
          onWait({ ms, until: this.clock.now() + ms, error: hold.error });
          releases.push(() => onWait(undefined));
        }
        releases.push(
          onAbort(signal, () => {
            this.waiting.delete(turn);
            reject(signal.reason as Error);
            this.sendNext();
          }),
        );
        if (raise !== undefined) releases.push(onAbort(raise, () => this.sendNext()));
      });
    } finally {
      releases.forEach((release) => release());
    }
  }

  /** Sends what may be sent now, and sets the timer for what may be sent later. */
  private sendNext(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    let next = Infinity;
    const turns: Readonly<Record<Priority, Turn[]>> = { person: [], awaited: [], automatic: [] };
    for (const turn of this.waiting) turns[priorityOf(turn.scheduling)].push(turn);
    for (const priority of priorities) {
      for (const turn of turns[priority]) {
        if (this.refuseIfHeld(turn)) continue;
        const held = this.heldFor(turn);
        const overBudget = this.overBudgetFor(turn, priority);
        if (held > 0 || overBudget > 0) next = Math.min(next, Math.max(held, overBudget));
        else if (this.hasPlace(turn, priority)) this.begin(turn);
        // The others have the same budget, and each answer makes a place.
        if (held === 0 && this.waiting.has(turn) && priority !== 'person') break;
      }
    }
    if (next < Infinity) {
      this.cancelTimer = this.clock.setTimer(() => this.sendNext(), Math.min(next, longestTimer));
    }
  }

  private begin(turn: Turn): void {
    this.waiting.delete(turn);
    this.running.add(turn);
    this.sent.spend();
    turn.begin();
  }

  /** Refuses a request, and returns true, if the server asks for a longer wait than it accepts. */
  private refuseIfHeld(turn: Turn): boolean {
    const { longestWait = usualLongestWait } = turn.scheduling;
    const hold = this.holdOf(turn.endpoints);
    const retryAfter = (hold?.until ?? 0) - this.clock.monotonic();
    if (hold === undefined || retryAfter <= (turn.isImpatient ? 0 : longestWait)) return false;
    const { kind, status, code, message, requestId } = hold.error;
    this.waiting.delete(turn);
    turn.refuse(new ApiError({ kind, status, code, message, requestId, retryAfter }));
    return true;
  }

  /** Milliseconds until the server allows a request. */
  private heldFor({ endpoints, isImpatient }: Turn): number {
    const hold = this.holdOf(endpoints);
    if (hold === undefined || isImpatient) return 0;
    return Math.max(0, hold.resumeAt - this.clock.monotonic());
  }

  /** Milliseconds until the budget allows a request. Nobody asked for a retry, not even who waits for it. */
  private overBudgetFor({ isRetry }: Turn, priority: Priority): number {
    if (priority === 'person' && !isRetry) return 0;
    const own = this.sent.freeIn(requestsPerMinute[priority]);
    return Math.max(own, this.serverLimit.freeIn(keptOfServer[priority], this.running.size));
  }

  private hasPlace({ needsPlace }: Turn, priority: Priority): boolean {
    if (!needsPlace) return true;
    const places = [...this.running].filter((turn) => turn.needsPlace);
    if (places.length >= mostAtOnce) return false;
    const unasked = places.filter(({ scheduling }) => priorityOf(scheduling) !== 'person');
    return priority === 'person' || unasked.length < mostUnasked;
  }

  /** The 429 that a request has to wait for, or had to. */
  private holdOf(endpoints: EndpointClass): Hold | undefined {
    const now = this.clock.monotonic();
    const lately = [...this.holds.values()].filter(({ until }) => until > now - sharedFor);
    if (lately.length < 2) return this.holds.get(endpoints);
    return lately.reduce((a, b) => (b.resumeAt > a.resumeAt ? b : a));
  }

  private rememberHold(endpoints: EndpointClass, error: ApiError): void {
    const { meaning, retryAfter } = error;
    if (meaning !== 'rateLimited' || retryAfter === undefined) return;
    const now = this.clock.monotonic();
    const until = now + retryAfter;
    // A later answer that asks for less does not shorten the wait that an earlier one asked for.
    if (until <= (this.holds.get(endpoints)?.until ?? now)) return;
    const resumeAt = now + retryDelay(1, retryAfter, this.random);
    this.holds.set(endpoints, { error, until, resumeAt });
  }

  /** Milliseconds until the next try; undefined: there is none. */
  private nextTry(
    operation: Rules,
    scheduling: Scheduling,
    error: ApiError,
    failures: Readonly<Record<'outages' | 'rateLimits', number>>,
  ): number | undefined {
    const { retries = priorityOf(scheduling) === 'person', longestWait } = scheduling;
    const rule = retries ? operation.retry : 'caller';
    return nextTry(rule, error, failures, this.random, longestWait);
  }
}

/** What ends the waits of a call. */
function waitSignal({ signal, stop }: Scheduling): AbortSignal {
  return stop === undefined ? signal : AbortSignal.any([signal, stop]);
}

function priorityOf({ priority, raise }: Scheduling): Priority {
  return raise?.aborted === true ? 'person' : priority;
}
