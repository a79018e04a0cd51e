import type { ControlPlaneClient } from '../../api/client';
import { day, second } from '../../api/clock';
import type { Direction } from '../../api/cursors';
import { type FetchedPages, fetchPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { utcTimeOf } from '../../api/utcTime';

interface AroundRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly record: LogRecord;
  /** How many records are wanted on either side, at least 1. */
  readonly count: number;
  /** Milliseconds since 1970: nothing is asked for that lies ahead. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The records of one container around one of them. */
export interface Around {
  /** Oldest first; `record` is among them. */
  readonly records: readonly LogRecord[];
  /** Where it is. */
  readonly index: number;
  /** What may be seen, as the server names it; undefined where that changed between the two sides. */
  readonly accessRevision: string | undefined;
  /** What may be seen has changed between the two sides, or some of it was left out. */
  readonly partial: boolean;
}

/** How far is looked on either side, in milliseconds: a container that writes less often has none. */
const reach = 7 * day;
/** So many are looked through on either side where the record is one of many of the same instant. */
const mostRecords = 10_000;

/** As the contract's filters take it. */
const containerId = /^[0-9a-f]{64}$/;

/** Whether what is around a record can be asked for: a server may send what it does not take back. */
export function hasSurroundings(record: LogRecord): boolean {
  const at = momentOf(record);
  return (
    containerId.test(record.containerId) &&
    [at - reach, at + reach].every((time) => utcTimeOf(time) !== undefined)
  );
}

/** Milliseconds since 1970; not a number where no time of the record is one. */
function momentOf({ timestamp, ingestedAt }: LogRecord): number {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? Date.parse(ingestedAt) : time;
}

/**
 * Loads what a container wrote around a record, whatever else was searched for.
 *
 * @throws what the client throws, and the signal's reason.
 */
export async function loadAround(request: AroundRequest): Promise<Around> {
  const { record, count } = request;
  const at = momentOf(record);
  // Both sides begin in the record's own millisecond, so that nothing is lost in between.
  const older = await loadSide(request, 'older', { from: at - reach, to: at + 1 });
  const end = Math.max(at + 1, Math.min(at + reach, request.now));
  const newer = await loadNewer(request, { from: at, to: end });
  const isOneAccess = older.accessRevision === newer.accessRevision;
  const before = older.records.slice(-count);
  const known = new Set(before.map(({ eventId }) => eventId));
  const behind = (isOneAccess ? newer.records : []).filter(({ eventId }) => !known.has(eventId));
  return {
    records: [...before, record, ...behind.slice(0, count)],
    index: before.length,
    accessRevision: isOneAccess ? newer.accessRevision : undefined,
    partial: !isOneAccess || older.partial || newer.partial,
  };
}

interface Side {
  /** Oldest first, on this side of the record, and more than wanted. */
  readonly records: readonly LogRecord[];
  /** Whether the record was among what was found. */
  readonly isFound: boolean;
  readonly accessRevision: string;
  readonly partial: boolean;
}

/** In milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a search for what is newer begins is the server's to say: what it brings is behind the record
 * only where that is in it. Else longer and longer times behind the record are read from their end.
 */
async function loadNewer(request: AroundRequest, { from, to }: Span): Promise<Side> {
  const side = await loadSide(request, 'newer', { from, to });
  if (side.isFound) return side;
  for (let length = second; ; length *= 20) {
    const end = Math.min(to, from + length);
    const found = await fetchSpan(request, 'older', { from, to: end }, mostRecords);
    const read = sideOf(request, found, 'newer');
    const isEnough = read.records.length >= request.count;
    if (isEnough || end === to || found.end !== 'end') {
      return { ...read, partial: read.partial || !read.isFound };
    }
  }
}

async function loadSide(request: AroundRequest, direction: Direction, span: Span): Promise<Side> {
  for (let target = 2 * request.count + 1; ; target *= 4) {
    const found = await fetchSpan(request, direction, span, target);
    const side = sideOf(request, found, direction);
    const isEnough = side.isFound && side.records.length >= request.count;
    if (isEnough || found.end !== 'target' || target >= mostRecords) return side;
  }
}

function fetchSpan(
  { client, record, signal }: AroundRequest,
  direction: Direction,
  { from, to }: Span,
  target: number,
): Promise<FetchedPages> {
  const filters = {
    containerIds: [record.containerId],
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  return fetchPages({ client, start: { filters, direction }, target, signal });
}

function sideOf(
  { record }: AroundRequest,
  { records, accessRevision, end, partial }: FetchedPages,
  direction: Direction,
): Side {
  const index = records.findIndex(({ eventId }) => eventId === record.eventId);
  const beyond =
    direction === 'older' ? records.slice(0, Math.max(0, index)) : records.slice(index + 1);
  return {
    records: index >= 0 ? beyond : records,
    isFound: index >= 0,
    accessRevision,
    partial: partial || (end !== 'end' && end !== 'target'),
  };
}
