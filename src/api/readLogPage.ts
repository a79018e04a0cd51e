import { protocolError } from './failure';
import * as contract from './generated/validators';
import { isObject, membersOf, readLenient } from './lenient';
import type { LogPage, LogQueryResponse, LogRecord, Severity } from './types';

/**
 * Reads a page of the stream. What it needs to be followed is held strictly: the list of records, each
 * with its id, time and body, and the cursors. The rest is read as it comes: what is missing or of another
 * type is empty, and what the contract does not know stays.
 *
 * @param json undefined where the text was no JSON.
 * @throws ApiError of the kind `protocol` that names the field.
 */
export function readLogPage(json: unknown): LogPage {
  return contract.LogPage(json) ? json : pageOf(json);
}

/** Reads the answer to a search, as `readLogPage`. */
export function readLogAnswer(json: unknown): LogQueryResponse {
  if (contract.LogQueryResponse(json)) return json;
  const { localization } = membersOf(json);
  const { value } = readLenient('Localization', isObject(localization) ? localization : {});
  return { ...readLogPage(json), localization: value };
}

function pageOf(json: unknown): LogPage {
  if (json === undefined) throw protocolError('notJson', 'The answer is malformed JSON.');
  const page = membersOf(json);
  const { records, nextCursor, followCursor } = page;
  if (!Array.isArray(records)) throw wrong('records');
  if (typeof followCursor !== 'string') throw wrong('followCursor');
  if (typeof nextCursor !== 'string' && nextCursor !== null) throw wrong('nextCursor');
  return {
    ...page,
    followCursor,
    nextCursor,
    records: records.map(recordOf),
    accessRevision: text(page['accessRevision']),
    hasMore: page['hasMore'] === undefined ? nextCursor !== null : page['hasMore'] === true,
    partial: page['partial'] === true,
    snapshotAt: text(page['snapshotAt']),
  };
}

const severities: readonly Severity[] = [
  ...(['trace', 'debug', 'info', 'warn'] as const),
  ...(['error', 'fatal', 'unknown'] as const),
];

function recordOf(value: unknown, index: number): LogRecord {
  if (!isObject(value)) throw wrong(`records[${index}]`);
  const record = value;
  const needed = (name: string): string => {
    const member = record[name];
    if (typeof member === 'string') return member;
    throw wrong(`records[${index}].${name}`);
  };
  const own = record['severity'];
  const severity = severities.find((one) => one === own);
  return {
    ...record,
    eventId: needed('eventId'),
    timestamp: needed('timestamp'),
    body: needed('body'),
    ingestedAt: text(record['ingestedAt']),
    serverId: text(record['serverId']),
    workloadId: text(record['workloadId']),
    workloadName: text(record['workloadName']),
    deploymentId: textOrNull(record['deploymentId']),
    previewId: textOrNull(record['previewId']),
    environment: text(record['environment']),
    containerId: text(record['containerId']),
    service: text(record['service']),
    severity: severity ?? 'unknown',
    ...(severity === undefined && typeof own === 'string' ? { severityText: own } : {}),
    stream: text(record['stream']),
    attributes: attributesOf(record['attributes']),
    traceId: textOrNull(record['traceId']),
    spanId: textOrNull(record['spanId']),
    truncated: record['truncated'] === true,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Values that are no text are as JSON has them. */
function attributesOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(membersOf(value)).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : jsonOf(one),
    ]),
  );
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // It is too deep to be written.
    return '…';
  }
}

function wrong(field: string): Error {
  return protocolError('wrongSchema', `${field} of the answer is not what the contract says.`);
}
