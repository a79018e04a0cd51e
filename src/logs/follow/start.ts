import type { ControlPlaneClient } from '../../api/client';
import { type Clock, day } from '../../api/clock';
import type { StreamCursor } from '../../api/cursors';
import type { ApiError } from '../../api/errors';
import { utcTime } from '../../api/utcTime';
import type { LogFilter } from '../query/filter';
import type { Notice } from './buffer';
import type { TailDedupe } from './dedupe';
import { type History, loadHistory } from './history';
import type { LogWindow } from './position';

export interface TailStartParts {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly clock: Clock;
  readonly filter: LogFilter;
  readonly initialLines: number;
  /** How far ahead the end of a window lies, in milliseconds. */
  readonly ahead: () => number;
  readonly dedupe: TailDedupe;
}

/** How far back the history looks for its lines. */
const daysBack = 7;
/** How much is loaded at most where a cursor was lost. */
const catchUpRecords = 10_000;

/** Loads the last records, or takes note of the newest where none are to be shown. */
export async function beginWithHistory(
  parts: TailStartParts,
  signal: AbortSignal,
): Promise<StreamCursor> {
  const { initialLines, dedupe } = parts;
  const history = await load(parts, Math.max(1, initialLines), undefined, signal);
  if (initialLines > 0) dedupe.acceptHistory(history, history.follow, []);
  else dedupe.skipHistory(history, history.follow);
  return history.follow;
}

/**
 * Begins again at the last record: where the cursor was lost, or its window is over.
 *
 * @param loss why the cursor is of no use; undefined where it would still be.
 */
export async function catchUp(
  parts: TailStartParts,
  loss: ApiError | undefined,
  signal: AbortSignal,
): Promise<StreamCursor> {
  const since = parts.dedupe.lastTimestamp;
  const history = await load(parts, catchUpRecords, since, signal);
  const hasGap = loss !== undefined || !history.reachesBack;
  const gap: Notice = { kind: 'gap', since, error: loss };
  parts.dedupe.acceptHistory(history, history.follow, hasGap ? [gap] : []);
  return history.follow;
}

async function load(
  { client, clock, filter, ahead }: TailStartParts,
  wanted: number,
  since: string | undefined,
  signal: AbortSignal,
): Promise<History> {
  const last = Date.parse(utcTime(since ?? '') ?? '');
  const window = streamWindow(clock.now(), ahead(), last);
  const history = await loadHistory({ client, filter, window, wanted, since, signal });
  signal.throwIfAborted();
  return history;
}

/** How far a stream looks ahead where nobody says it, in milliseconds. */
export const defaultAhead = 7 * day;

/**
 * The window of a stream that goes on from now. It ends ahead, so that the filters stay the same in the
 * life of a cursor.
 *
 * @param last where it begins at the latest, in milliseconds since 1970, if that is a time.
 */
export function streamWindow(now: number, ahead: number, last = Number.NaN): LogWindow {
  const weekAgo = now - daysBack * day;
  const from = Number.isNaN(last) ? weekAgo : Math.min(weekAgo, last);
  return { from: new Date(from).toISOString(), to: new Date(now + ahead).toISOString() };
}

/** Whether a window ends soon: what comes later would not be in it. */
export function isEnding(
  { to }: LogWindow,
  { clock, ahead }: Pick<TailStartParts, 'clock' | 'ahead'>,
): boolean {
  return clock.now() >= Date.parse(to) - ahead() / 7;
}
