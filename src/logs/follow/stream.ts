import type { Clock } from '../../api/clock';
import type { LogStreamPage, StreamCursor } from '../../api/cursors';
import { ApiError } from '../../api/errors';
import type { LogStream } from '../../api/logStream';
import type { TailDedupe } from './dedupe';
import type { IdleLimit } from './idleLimit';
import type { AttemptEnd, TailRules } from './reconnectPolicy';

/** Often enough to reconnect within two seconds of waking. */
const tick = 1000;
const sleepLimit = 15_000;
/** A tick that is this late found the event loop blocked: what came meanwhile is not read yet. */
const lateTick = 5000;

/** Why a connection is given up from our side. */
export type WatchVerdict = 'idle' | 'slept';

/**
 * Looks every second whether a connection can still be alive: `slept` where the wall clock ran ahead
 * of the monotonic one by more than 15 s, which is what the sleep of the machine looks like (and, to
 * no harm, a wall clock that was set), `idle` where nothing was heard for too long.
 *
 * @param silence says how long nothing was heard and how long that may be, in milliseconds.
 * @param onVerdict called at most once.
 * @returns what ends the watch.
 */
export function watchStream(
  clock: Clock,
  silence: () => { readonly lasts: number; readonly limit: number },
  onVerdict: (verdict: WatchVerdict) => void,
): () => void {
  let wall = clock.now();
  let monotonic = clock.monotonic();
  const look = (): void => {
    const passed = clock.monotonic() - monotonic;
    const ahead = clock.now() - wall - passed;
    wall = clock.now();
    monotonic = clock.monotonic();
    const { lasts, limit } = silence();
    if (ahead > sleepLimit) onVerdict('slept');
    else if (lasts >= limit && passed < lateTick) onVerdict('idle');
    else cancel = clock.setTimer(look, tick);
  };
  let cancel = clock.setTimer(look, tick);
  return () => cancel();
}

export interface StreamParts {
  readonly clock: Clock;
  readonly idle: IdleLimit;
  readonly rules: TailRules;
  readonly intake: TailDedupe;
  /** There was a sign of life. */
  readonly didHear: () => void;
  /** Takes note of the cursor behind a page that is in the buffer now. */
  readonly didAccept: (after: StreamCursor, newRecords: number) => void;
}

/** What is known of an open stream. Times are in milliseconds on the monotonic axis. */
export interface OpenStream {
  readonly openedAt: number;
  /** The last sign of life. */
  heardAt: number;
  /** Whether there was one since it was opened. */
  wasHeard: boolean;
  /** Whether it told something that was not known. */
  progressed: boolean;
}

const maxRepeats = 3;

/**
 * Reads a stream to its end.
 *
 * @param start where the stream goes on.
 * @throws what the stream throws, and the signal's reason.
 */
export async function readStream(
  { clock, idle, rules, intake, didHear, didAccept }: StreamParts,
  stream: LogStream,
  start: StreamCursor,
  open: OpenStream,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  let cursor = start.text;
  let repeats = 0;

  const accept = (page: LogStreamPage): void => {
    const repeatedBefore = intake.repeated;
    const newRecords = intake.acceptPage(page, page.follow);
    const advanced = page.follow.text !== cursor;
    cursor = page.follow.text;
    if (advanced) rules.didAdvance();
    if (advanced || newRecords > 0) {
      repeats = 0;
      open.progressed = true;
    } else if (intake.repeated > repeatedBefore) repeats++;
    didAccept(page.follow, newRecords);
  };

  for await (const items of stream) {
    signal.throwIfAborted();
    open.heardAt = clock.monotonic();
    idle.didHear(open.heardAt);
    open.wasHeard = true;
    didHear();
    // Whoever was told of it may have stopped the tail.
    signal.throwIfAborted();
    for (const item of items) {
      switch (item.kind) {
        case 'page':
          accept(item.page);
          // Whoever was told of the page may have stopped the tail.
          signal.throwIfAborted();
          if (repeats >= maxRepeats) return { kind: 'stuck', error: stuckError() };
          break;
        case 'heartbeat':
          break;
        case 'retry':
          rules.didHearWish(item.ms);
          break;
      }
    }
  }
  signal.throwIfAborted();
  return { kind: 'closed', stream: lifeOf(open, clock) };
}

/** What the ending of a stream is judged by. */
export function lifeOf(
  { openedAt, progressed }: OpenStream,
  clock: Clock,
): { lasted: number; progressed: boolean } {
  return { lasted: clock.monotonic() - openedAt, progressed };
}

function stuckError(): ApiError {
  const message = 'The log stream repeats the same records and its cursor does not move on.';
  return new ApiError({ kind: 'protocol', code: 'cursorStuck', message });
}
