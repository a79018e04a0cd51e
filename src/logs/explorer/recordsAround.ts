import type { ControlPlaneClient } from '../../api/client';
import type { Direction } from '../../api/cursors';
import { type FetchedPages, fetchPages } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { utcTimeOf } from '../../api/utcTime';
import { day, second } from '../../base/clock';

/** What finds a record again. `eventId` and `containerId` as the server sent them, times in ISO 8601. */
export type RecordPlace = Pick<LogRecord, 'eventId' | 'containerId' | 'timestamp' | 'ingestedAt'>;

interface AroundRequest {
  readonly client: Pick<ControlPlaneClient, 'queryLogs'>;
  readonly place: RecordPlace;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** The records of one container around one of them. */
export interface Around {
  /** Oldest first. */
  readonly before: readonly LogRecord[];
  /** Undefined if the server does not have it. */
  readonly record: LogRecord | undefined;
  /** Oldest first. */
  readonly behind: readonly LogRecord[];
  /** Identifies the permissions; undefined if they changed between the requests. */
  readonly accessRevision: string | undefined;
  /** The permissions changed between the requests, or the server left out records. */
  readonly partial: boolean;
}

/** How far before and after the record to look, in milliseconds. */
const reach = 7 * day;
/** The maximum number of records to read on one side if many have the same timestamp. */
const mostRecords = 10_000;

/** The form of container ids that filters accept. */
const containerId = /^[0-9a-f]{64}$/;

/** Whether the context of a record can be requested: servers may send ids and times they do not accept. */
export function hasContext(place: RecordPlace): boolean {
  const at = timeOf(place);
  return (
    containerId.test(place.containerId) &&
    [at - reach, at + reach].every((time) => utcTimeOf(time) !== undefined)
  );
}

/** Milliseconds since 1970; NaN if the record has no valid time. */
function timeOf({ timestamp, ingestedAt }: RecordPlace): number {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? Date.parse(ingestedAt) : time;
}

/**
 * Loads the records of a container around one of them, whatever the search is.
 *
 * @param count how many records before and after it, at least 1.
 * @param now milliseconds since 1970; no later records are requested.
 * @throws what the client throws, and the signal's reason.
 */
export async function loadAround(
  client: AroundRequest['client'],
  place: RecordPlace,
  count: number,
  now: number,
  signal: AbortSignal,
): Promise<Around> {
  const request = { client, place, count, signal };
  const at = timeOf(place);
  // Both sides include the millisecond of the record, so that no record is lost in between.
  const older = await loadSide(request, 'older', { from: at - reach, to: at + 1 });
  const before = older.records.slice(-count);
  const end = Math.max(at + 1, Math.min(at + reach, now));
  const newer = await loadNewer(request, { from: at, to: end });
  const isOneAccess = older.accessRevision === newer.accessRevision;
  const known = new Set(before.map(({ eventId }) => eventId));
  const behind = (isOneAccess ? newer.records : []).filter(({ eventId }) => !known.has(eventId));
  return {
    before,
    record: older.record,
    behind: behind.slice(0, count),
    accessRevision: isOneAccess ? newer.accessRevision : undefined,
    partial: !isOneAccess || older.partial || newer.partial,
  };
}

interface Side {
  /** Oldest first, and possibly more than requested. */
  readonly records: readonly LogRecord[];
  /** The record itself, if it was found. */
  readonly record: LogRecord | undefined;
  readonly accessRevision: string;
  readonly partial: boolean;
}

/** In milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The server decides where a search for newer records starts: they follow the record only if it is
 * among them. Otherwise ever longer ranges after the record are read from their end.
 */
async function loadNewer(request: AroundRequest, { from, to }: Span): Promise<Side> {
  const side = await loadSide(request, 'newer', { from, to });
  if (side.record !== undefined) return side;
  for (let length = second; ; length *= 20) {
    const end = Math.min(to, from + length);
    const found = await fetchSpan(request, 'older', { from, to: end }, mostRecords);
    const read = sideOf(request, found, 'newer');
    const isEnough = read.records.length >= request.count;
    if (isEnough || end === to || found.end !== 'end') {
      return { ...read, partial: read.partial || read.record === undefined };
    }
  }
}

async function loadSide(request: AroundRequest, direction: Direction, span: Span): Promise<Side> {
  for (let target = 2 * request.count + 1; ; target *= 4) {
    const found = await fetchSpan(request, direction, span, target);
    const side = sideOf(request, found, direction);
    const isEnough = side.record !== undefined && side.records.length >= request.count;
    // It would be among those of its own millisecond, which come first.
    const isGone = side.record === undefined && isBefore(side.records[0], request.place);
    if (
      isEnough ||
      (direction === 'older' && isGone) ||
      found.end !== 'target' ||
      target >= mostRecords
    )
      return side;
  }
}

function isBefore(record: LogRecord | undefined, place: RecordPlace): boolean {
  return record !== undefined && timeOf(record) < timeOf(place);
}

function fetchSpan(
  { client, place, signal }: AroundRequest,
  direction: Direction,
  { from, to }: Span,
  target: number,
): Promise<FetchedPages> {
  const filters = {
    containerIds: [place.containerId],
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  return fetchPages({
    client,
    start: { filters, direction },
    target,
    signal,
    priority: 'person',
  });
}

function sideOf(
  { place }: AroundRequest,
  { records, accessRevision, end, partial }: FetchedPages,
  direction: Direction,
): Side {
  const index = records.findIndex(({ eventId }) => eventId === place.eventId);
  const beyond =
    direction === 'older' ? records.slice(0, Math.max(0, index)) : records.slice(index + 1);
  return {
    records: index >= 0 ? beyond : records,
    record: records[index],
    accessRevision,
    partial: partial || (end !== 'end' && end !== 'target'),
  };
}
