import type { ControlPlaneClient } from '../../api/client';
import { type LogStreamPage, StreamCursor } from '../../api/cursors';
import { second } from '../../base/clock';
import { ApiError, InvalidRequestError } from '../../api/errors';
import type { LogStream } from '../../api/logStream';
import { type LogFilter, tailFilters } from '../query/filter';
import {
  beginWithHistory,
  catchUp,
  isEnding,
  moveToRange,
  nextRange,
  resumeHistory,
  type TailStartParts,
} from './history';
import type { AttemptEnd, ReconnectPolicy, StreamLife } from './reconnectPolicy';
import { createIdleLimit, watchStream, type WatchVerdict } from './streamWatch';
import type { TailPosition, TailRun } from './types';

interface ConnectionAttemptParts extends TailStartParts {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream' | 'serverNow'>;
  readonly position: TailPosition | undefined;
  readonly policy: ReconnectPolicy;
  readonly willConnect: () => void;
  /** A stream is open. `silence`: the error of the previous stream if it never sent anything. */
  readonly didConnect: (silence?: ApiError) => void;
  readonly didArrive: () => void;
}

/** Connects one attempt at a time, each from the cursor that the previous one reached. */
interface ConnectionAttempt {
  /** Loads the history if there is no cursor, and reads the stream to its end. Never throws. */
  take(run: TailRun): Promise<AttemptEnd>;
  /** Discards the cursor: the next attempt starts at the last record. */
  invalidateCursor(error: ApiError): void;
}

/** An open stream. Times are in milliseconds on the monotonic clock. */
interface OpenStream {
  readonly openedAt: number;
  /** The last sign of life. */
  heardAt: number;
  /** When the last page came, or the stream was opened. */
  pageAt: number;
  /** Whether there was a sign of life since it was opened. */
  wasHeard: boolean;
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

export function createConnectionAttempt(parts: ConnectionAttemptParts): ConnectionAttempt {
  const { client, clock, filter, position, dedupe, policy } = parts;
  const idle = createIdleLimit();
  let cursor = position && savedCursor(filter, position);
  /** Why the cursor cannot be used. */
  let loss: ApiError | undefined;
  /** The error of the last stream if it never sent anything. */
  let silence: ApiError | undefined;
  let renewal: Renewal | undefined;
  let historyUntil = position?.historyUntil;

  const didAccept = (after: StreamCursor): void => {
    cursor = after;
    parts.didArrive();
  };

  /** Where the stream resumes; loads history if that is needed to find out. */
  const findStart = async (signal: AbortSignal): Promise<StreamCursor> => {
    if (cursor && loss === undefined && historyUntil !== undefined) {
      await resumeHistory(parts, cursor, historyUntil, signal);
      historyUntil = undefined;
      didAccept(cursor);
      signal.throwIfAborted();
    }
    if (cursor && loss === undefined && !isEnding(cursor.filters, parts)) {
      // The clock was set back.
      renewal = undefined;
      return cursor;
    }
    const start = await findNewStart(cursor, signal);
    if (start === cursor) return start;
    loss = undefined;
    historyUntil = undefined;
    renewal = undefined;
    didAccept(start);
    signal.throwIfAborted();
    return start;
  };

  const findNewStart = async (
    old: StreamCursor | undefined,
    signal: AbortSignal,
  ): Promise<StreamCursor> => {
    if (old === undefined) return beginWithHistory(parts, signal);
    if (loss) return catchUp(parts, old, loss, signal);
    if (renewal === undefined || isEnding(renewal.next.filters, parts)) {
      renewal = { next: await nextRange(parts, signal), isDrained: false };
    }
    return (await moveToRange(parts, { old, ...renewal }, signal)) ? renewal.next : old;
  };

  const didHear = (open: OpenStream): void => {
    open.heardAt = clock.monotonic();
    open.wasHeard = true;
    idle.didHear(open.heardAt);
    if (silence === undefined) return;
    silence = undefined;
    parts.didConnect();
  };

  /** @throws the errors of the stream, and the signal's reason. */
  const readStream = async (
    stream: LogStream,
    start: StreamCursor,
    open: OpenStream,
    signal: AbortSignal,
  ): Promise<AttemptEnd> => {
    let at = start.text;
    let repeats = 0;
    const accept = (page: LogStreamPage): void => {
      const repeatedBefore = dedupe.repeated;
      const newRecords = dedupe.acceptPage(page, page.follow);
      const advanced = page.follow.text !== at;
      at = page.follow.text;
      if (advanced) policy.forgive();
      if (advanced || newRecords > 0) {
        repeats = 0;
        open.progressed = true;
      } else if (dedupe.repeated > repeatedBefore) repeats++;
      didAccept(page.follow);
    };
    for await (const items of stream) {
      signal.throwIfAborted();
      didHear(open);
      // A listener may have stopped the tail.
      signal.throwIfAborted();
      for (const item of items) {
        if (item.kind === 'retry') policy.setMinimumDelay(item.ms);
        if (item.kind !== 'page') continue;
        open.pageAt = open.heardAt;
        accept(item.page);
        signal.throwIfAborted();
        if (repeats >= maxRepeats) return { kind: 'stuck', error: stuckError() };
        if (renewal && !item.page.hasMore) {
          renewal.isDrained = true;
          return { kind: 'closed', stream: lifeOf(open) };
        }
      }
    }
    signal.throwIfAborted();
    return { kind: 'closed', stream: lifeOf(open) };
  };

  /** How long a stream has been silent, and how long it may be. A heartbeat does not tell what follows it. */
  const silenceOf = (open: OpenStream | undefined) => {
    if (open === undefined) return { lasts: 0, limit: drainedAfter };
    return renewal
      ? { lasts: clock.monotonic() - open.pageAt, limit: drainedAfter }
      : { lasts: clock.monotonic() - open.heardAt, limit: idle.value };
  };

  /** The facts about a stream that the reconnect policy needs. */
  const lifeOf = ({ openedAt, progressed }: OpenStream): StreamLife => ({
    lasted: clock.monotonic() - openedAt,
    progressed,
  });

  return {
    async take(run) {
      const signal = run.nextSignal();
      let verdict: WatchVerdict | undefined;
      let open: OpenStream | undefined;
      let during: 'history' | 'opening' = 'history';
      const endWatch = watchStream(
        clock,
        () => silenceOf(open),
        (found) => {
          verdict = found;
          run.disturb();
        },
      );
      try {
        const start = await findStart(signal);
        during = 'opening';
        parts.willConnect();
        const stream = await client.openLogStream(
          { cursor: start },
          { signal, priority: 'person' },
        );
        signal.throwIfAborted();
        const now = clock.monotonic();
        idle.didConnect(now);
        open = { openedAt: now, heardAt: now, pageAt: now, wasHeard: false, progressed: false };
        parts.didConnect(silence);
        return await readStream(stream, start, open, signal);
      } catch (error) {
        if (signal.aborted && verdict === 'idle' && open && renewal) {
          renewal.isDrained = true;
          return { kind: 'closed', stream: lifeOf(open) };
        }
        if (signal.aborted && verdict === 'idle') {
          const silent = silentError(idle.value);
          // The silence may have been normal, so the limit learns from it.
          idle.didHear(clock.monotonic());
          if (open?.wasHeard === false) silence = silent;
          return { kind: 'idle', error: silent };
        }
        if (signal.aborted) return { kind: 'disturbed' };
        const failure = apiErrorOf(error);
        if (open) return { kind: 'error', error: failure, stream: lifeOf(open) };
        return { kind: 'error', error: failure, during };
      } finally {
        endWatch();
      }
    },
    invalidateCursor(error) {
      if (cursor) loss = error;
    },
  };
}

/** The cursor that an earlier tail with the same filter saved. */
function savedCursor(filter: LogFilter, { from, to, cursor }: TailPosition): StreamCursor {
  return StreamCursor.of(tailFilters(filter, from, to), cursor);
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
