import { protocolError } from './failure';
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
  return isWhole(json) ? json : pageOf(json);
}

/** Reads the answer to a search, as `readLogPage`. */
export function readLogAnswer(json: unknown): LogQueryResponse {
  const { localization } = membersOf(json);
  const { value } = readLenient('Localization', isObject(localization) ? localization : {});
  return { ...readLogPage(json), localization: value };
}

/**
 * Whether a page is as the contract has it, as most are: it is taken as it is then. Each record of a
 * stream goes through here, so the members are written out, which is fifteen times as fast as a table of
 * them; `test/unit/api/generated.test.ts` holds this against the contract.
 */
function isWhole(page: unknown): page is LogPage {
  return (
    isObject(page) &&
    typeof page['accessRevision'] === 'string' &&
    typeof page['followCursor'] === 'string' &&
    isTextOrNull(page['nextCursor']) &&
    typeof page['hasMore'] === 'boolean' &&
    typeof page['partial'] === 'boolean' &&
    typeof page['snapshotAt'] === 'string' &&
    Array.isArray(page['records']) &&
    page['records'].every(isWholeRecord)
  );
}

function isWholeRecord(record: unknown): boolean {
  return (
    isObject(record) &&
    typeof record['eventId'] === 'string' &&
    typeof record['timestamp'] === 'string' &&
    typeof record['ingestedAt'] === 'string' &&
    typeof record['serverId'] === 'string' &&
    typeof record['workloadId'] === 'string' &&
    typeof record['workloadName'] === 'string' &&
    isTextOrNull(record['deploymentId']) &&
    isTextOrNull(record['previewId']) &&
    typeof record['environment'] === 'string' &&
    typeof record['containerId'] === 'string' &&
    typeof record['service'] === 'string' &&
    severities.some((one) => one === record['severity']) &&
    typeof record['stream'] === 'string' &&
    typeof record['body'] === 'string' &&
    isObject(record['attributes']) &&
    Object.values(record['attributes']).every((value) => typeof value === 'string') &&
    isTextOrNull(record['traceId']) &&
    isTextOrNull(record['spanId']) &&
    typeof record['truncated'] === 'boolean'
  );
}

function isTextOrNull(value: unknown): boolean {
  return typeof value === 'string' || value === null;
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
