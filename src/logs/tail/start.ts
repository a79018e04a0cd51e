import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import type { ApiError } from '../../api/errors';
import { day } from '../../api/units';
import type { LogFilter } from '../query/filter';
import { loadHistory, type History } from './history';
import type { Notice } from './buffer';
import type { TailIntake } from './intake';
import type { Anchor, LogWindow } from './position';

export interface TailStartParts {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly clock: Clock;
  readonly filter: LogFilter;
  readonly initialLines: number;
  readonly intake: TailIntake;
}

/** How far back the history looks for its lines. */
const daysBack = 7;
/** How much is loaded at most where a cursor was lost. */
const catchUpRecords = 10_000;

/** Loads the last records, or takes note of the newest where none are to be shown. */
export async function beginWithHistory(
  parts: TailStartParts,
  signal: AbortSignal,
): Promise<Anchor> {
  const { initialLines, intake } = parts;
  const { history, after } = await load(parts, Math.max(1, initialLines), undefined, signal);
  if (initialLines > 0) intake.acceptHistory(history, after, []);
  else intake.skipHistory(history, after);
  return after;
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
): Promise<Anchor> {
  const since = parts.intake.lastTimestamp;
  const { history, after } = await load(parts, catchUpRecords, since, signal);
  const hasGap = loss !== undefined || !history.reachesBack;
  const gap: Notice = { kind: 'gap', since, error: loss };
  parts.intake.acceptHistory(history, after, hasGap ? [gap] : []);
  return after;
}

async function load(
  { client, clock, filter }: TailStartParts,
  wanted: number,
  since: string | undefined,
  signal: AbortSignal,
): Promise<{ history: History; after: Anchor }> {
  const weekAgo = clock.now() - daysBack * day;
  // Any text may stand for a timestamp.
  const last = Date.parse(since ?? '') || weekAgo;
  const window = {
    from: new Date(Math.min(weekAgo, last)).toISOString(),
    to: openEnd(clock.now()),
  };
  const history = await loadHistory({ client, filter, window, wanted, since, signal });
  signal.throwIfAborted();
  return { history, after: { window, cursor: history.followCursor } };
}

/**
 * The end of a window that goes on from now: a year ahead, so that the filters stay the same in the
 * life of a cursor.
 */
export function openEnd(now: number): string {
  return new Date(now + 366 * day).toISOString();
}

/** Whether a window ends soon: what comes later would not be in it. */
export function isEnding({ to }: LogWindow, now: number): boolean {
  return now >= Date.parse(to) - day;
}
