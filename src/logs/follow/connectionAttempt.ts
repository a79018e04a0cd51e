import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import { StreamCursor } from '../../api/cursors';
import { ApiError, InvalidRequestError } from '../../api/errors';
import { type LogFilter, tailFilters } from '../query/filter';
import type { TailDedupe } from './dedupe';
import { createIdleLimit } from './idleLimit';
import type { AttemptEnd, TailRules } from './reconnectPolicy';
import { beginWithHistory, catchUp, isEnding } from './start';
import { lifeOf, type OpenStream, readStream, watchStream, type WatchVerdict } from './stream';
import type { TailPosition, TailRun } from './types';

export interface ConnectionAttemptParts {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  readonly clock: Clock;
  readonly filter: LogFilter;
  readonly initialLines: number;
  readonly ahead: () => number;
  readonly position: TailPosition | undefined;
  readonly intake: TailDedupe;
  readonly rules: TailRules;
  readonly willConnect: () => void;
  /** A stream is open; `silence`: the one before brought nothing until it was given up. */
  readonly didConnect: (silence?: ApiError) => void;
  readonly didArrive: () => void;
}

/** One try after the other to follow, going on from a cursor that they share. */
export interface ConnectionAttempt {
  /** Loads the history where there is no cursor, and reads the stream to its end. Never throws. */
  take(run: TailRun): Promise<AttemptEnd>;
  /** The cursor is of no use any more: the next turn begins again at the last record. */
  loseCursor(error: ApiError): void;
}

export function createConnectionAttempt(parts: ConnectionAttemptParts): ConnectionAttempt {
  const { client, clock, filter, position, intake, rules } = parts;
  const idle = createIdleLimit();
  let known = position && keptCursor(filter, position);
  let loss: ApiError | undefined;
  /** Of streams in a row that brought nothing at all. */
  let silence: ApiError | undefined;

  const didAccept = (after: StreamCursor): void => {
    known = after;
    parts.didArrive();
  };

  /** Where the stream goes on; loads what is needed to know it. */
  const findStart = async (signal: AbortSignal): Promise<StreamCursor> => {
    if (known && loss === undefined && !isEnding(known.filters, parts)) return known;
    const start = known
      ? await catchUp(parts, loss, signal)
      : await beginWithHistory(parts, signal);
    loss = undefined;
    didAccept(start);
    signal.throwIfAborted();
    return start;
  };

  return {
    async take(run) {
      const signal = run.nextSignal();
      let verdict: WatchVerdict | undefined;
      let open: OpenStream | undefined;
      let during: 'history' | 'opening' = 'history';
      const didHear = (): void => {
        if (silence === undefined) return;
        silence = undefined;
        parts.didConnect();
      };
      const silentFor = (): { lasts: number; limit: number } => ({
        lasts: open ? clock.monotonic() - open.heardAt : 0,
        limit: idle.value,
      });
      const endWatch = watchStream(clock, silentFor, (found) => {
        verdict = found;
        run.disturb();
      });
      try {
        const start = await findStart(signal);
        during = 'opening';
        parts.willConnect();
        const stream = await client.openLogStream({ cursor: start }, { signal });
        signal.throwIfAborted();
        const now = clock.monotonic();
        idle.didConnect(now);
        open = { openedAt: now, heardAt: now, wasHeard: false, progressed: false };
        parts.didConnect(silence);
        return await readStream(
          { clock, idle, rules, intake, didHear, didAccept },
          stream,
          start,
          open,
          signal,
        );
      } catch (error) {
        if (signal.aborted && verdict === 'idle') {
          const silent = silentError(idle.value);
          idle.didGiveUp(clock.monotonic());
          if (open?.wasHeard === false) silence = silent;
          return { kind: 'idle', error: silent };
        }
        if (signal.aborted) return { kind: 'disturbed' };
        const failure = apiErrorOf(error);
        if (open) return { kind: 'error', error: failure, stream: lifeOf(open, clock) };
        return { kind: 'error', error: failure, during };
      } finally {
        endWatch();
      }
    },
    loseCursor(error) {
      if (known) loss = error;
    },
  };
}

/** The cursor of an earlier tail of this filter. */
function keptCursor(filter: LogFilter, { from, to, cursor }: TailPosition): StreamCursor {
  return StreamCursor.of(tailFilters(filter, from, to), cursor);
}

function silentError(ms: number): ApiError {
  const message = `The log stream was silent for ${Math.round(ms / 1000)} s.`;
  return new ApiError({ kind: 'timeout', code: 'silentStream', message });
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InvalidRequestError) {
    // A server would have refused it with the same status.
    const { message } = error;
    return new ApiError({
      kind: 'http',
      status: 400,
      code: 'invalidRequest',
      message,
      cause: error,
    });
  }
  const message = 'The log stream failed in a way that nobody foresaw.';
  return new ApiError({ kind: 'network', code: 'unexpected', message, cause: error });
}
