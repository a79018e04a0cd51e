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

interface TailStartParts {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly clock: Clock;
  readonly filter: LogFilter;
  readonly initialLines: number;
  /** How far ahead the end of a time range is, in milliseconds. */
  readonly ahead: () => number;
  readonly dedupe: TailDedupe;
}

/** How far back the history is loaded. */
const daysBack = 7;
/** The most records to load after a cursor was lost. */
const catchUpRecords = 10_000;

/** Loads the last records or, if none are to be shown, marks the newest as known. */
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
 * Starts again at the last record, because the cursor was lost or its time range is over.
 *
 * @param loss why the cursor cannot be used; undefined if it still could.
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

/** The default for how far ahead the range of a stream ends, in milliseconds. */
export const defaultAhead = 7 * day;

/**
 * The time range of a stream that starts now. It ends in the future, so that the filters stay the same
 * while the cursor is valid.
 *
 * @param last the latest time at which it begins, in milliseconds since 1970; NaN if unknown.
 */
export function streamWindow(now: number, ahead: number, last = Number.NaN): LogWindow {
  const weekAgo = now - daysBack * day;
  const from = Number.isNaN(last) ? weekAgo : Math.min(weekAgo, last);
  return { from: new Date(from).toISOString(), to: new Date(now + ahead).toISOString() };
}

/** Whether a time range ends soon: later records would not be in it. */
export function isEnding(
  { to }: LogWindow,
  { clock, ahead }: Pick<TailStartParts, 'clock' | 'ahead'>,
): boolean {
  return clock.now() >= Date.parse(to) - ahead() / 7;
}
