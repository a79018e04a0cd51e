import { isObject, jsonOf, type JsonObject, membersOf, readLenient, shallow } from './readLenient';
import { protocolError } from './readError';
import type { LogPage, LogQueryResponse, LogRecord, Severity } from './types';

/** The longest timestamp, in UTF-16 units: times that mean something have up to 35. */
const longestTime = 64;
/** The most attributes of a record that are kept. The last one says how many more there were. */
const mostAttributes = 1000;

/**
 * Reads a page of the stream. Validates what a tail needs: the list of records, each with id, time and
 * body, and the cursors. Reads the rest leniently: members that are missing or have another type are
 * empty, and members that the contract does not have are kept. Bounds what costs more than its bytes:
 * timestamps, the number of attributes, and the depth of members that the contract does not have.
 *
 * @param json undefined if the text was malformed JSON.
 * @throws ApiError of the kind `protocol` that names the field.
 */
export function readLogPage(json: unknown): LogPage {
  return isValid(json) ? json : pageOf(json);
}

/** Reads the response to a search, like `readLogPage`. */
export function readLogAnswer(json: unknown): LogQueryResponse {
  const { localization } = membersOf(json);
  const { value } = readLenient('Localization', isObject(localization) ? localization : {});
  return { ...readLogPage(json), localization: value };
}

/**
 * Whether a page is valid, so that it can be used without a copy. This runs for each record of a
 * stream: written out, it is fifteen times as fast as a table of members.
 * `test/unit/api/generated/validators.test.ts` compares it with the contract.
 */
function isValid(page: unknown): page is LogPage {
  return (
    isObject(page) &&
    typeof page['accessRevision'] === 'string' &&
    typeof page['followCursor'] === 'string' &&
    isTextOrNull(page['nextCursor']) &&
    typeof page['hasMore'] === 'boolean' &&
    typeof page['partial'] === 'boolean' &&
    typeof page['snapshotAt'] === 'string' &&
    Array.isArray(page['records']) &&
    page['records'].every(isValidRecord)
  );
}

function isValidRecord(record: unknown): boolean {
  return (
    isObject(record) &&
    typeof record['eventId'] === 'string' &&
    isValidTime(record['timestamp']) &&
    isValidTime(record['ingestedAt']) &&
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
    areValidAttributes(record['attributes']) &&
    isTextOrNull(record['traceId']) &&
    isTextOrNull(record['spanId']) &&
    typeof record['truncated'] === 'boolean' &&
    areShallow(record)
  );
}

function isValidTime(value: unknown): boolean {
  return typeof value === 'string' && value.length <= longestTime;
}

function areValidAttributes(value: unknown): boolean {
  if (!isObject(value)) return false;
  let count = 0;
  for (const name in value) {
    if (typeof value[name] !== 'string' || ++count > mostAttributes) return false;
  }
  return true;
}

function areShallow(record: JsonObject): boolean {
  for (const name in record) {
    const value = record[name];
    if (typeof value === 'object' && name !== 'attributes' && shallow(value) !== value)
      return false;
  }
  return true;
}

function isTextOrNull(value: unknown): boolean {
  return typeof value === 'string' || value === null;
}

function pageOf(json: unknown): LogPage {
  if (json === undefined) throw protocolError('notJson', 'The response is not valid JSON.');
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
  const { attributes, ...record } = value;
  const required = (name: string): string => {
    const member = record[name];
    if (typeof member === 'string') return member;
    throw wrong(`records[${index}].${name}`);
  };
  const own = record['severity'];
  const severity = severities.find((one) => one === own);
  return {
    ...membersOf(shallow(record)),
    eventId: required('eventId'),
    timestamp: boundedTime(required('timestamp')),
    body: required('body'),
    ingestedAt: boundedTime(text(record['ingestedAt'])),
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
    attributes: attributesOf(attributes),
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

/** The fraction of a second is cut to nanoseconds, and other text that is too long at its end. */
function boundedTime(time: string): string {
  if (time.length <= longestTime) return time;
  return time.replace(/(\.\d{9})\d+/, '$1').slice(0, longestTime);
}

/** Converts values that are not text to JSON. */
function attributesOf(value: unknown): Record<string, string> {
  const all = Object.entries(membersOf(value));
  const kept = all
    .slice(0, mostAttributes)
    .map(([name, one]) => [name, typeof one === 'string' ? one : jsonOf(one)] as const);
  const more = all.length - kept.length;
  return Object.fromEntries(more > 0 ? [...kept.slice(1), ['…', `[+${more + 1}]`]] : kept);
}

function wrong(field: string): Error {
  return protocolError('wrongSchema', `${field} is missing or has the wrong type.`);
}
