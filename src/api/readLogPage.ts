import { isObject, jsonOf, type JsonObject, membersOf, shallow } from '../base/json';
import { protocolError } from './errors';
import {
  emptyLogPage,
  emptyLogRecord,
  isLogPage,
  isLogRecord,
  isSeverity,
} from './generated/logPage';
import { readLenient } from './readLenient';
import type { LogPage, LogQueryResponse, LogRecord } from './types';

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
  // Almost every page: it is used without a copy.
  if (isLogPage(json) && json.records.every(isBounded)) return json;
  if (json === undefined) throw protocolError('notJson', 'The response is not valid JSON.');
  const { records, followCursor, nextCursor, ...members } = membersOf(json);
  if (!Array.isArray(records)) throw wrong('records');
  if (typeof followCursor !== 'string') throw wrong('followCursor');
  if (typeof nextCursor !== 'string' && nextCursor !== null) throw wrong('nextCursor');
  return {
    ...emptyLogPage,
    hasMore: nextCursor !== null,
    ...readLenient('LogPage', members).value,
    ...{ followCursor, nextCursor },
    records: records.map(recordOf),
  };
}

/** Reads the response to a search, like `readLogPage`. */
export function readLogAnswer(json: unknown): LogQueryResponse {
  const { localization } = membersOf(json);
  const { value } = readLenient('Localization', isObject(localization) ? localization : {});
  return { ...readLogPage(json), localization: value };
}

function isBounded(record: LogRecord): boolean {
  const { timestamp, ingestedAt, attributes } = record;
  if (timestamp.length > longestTime || ingestedAt.length > longestTime) return false;
  if (Object.keys(attributes).length > mostAttributes) return false;
  const members: JsonObject = record;
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'object' && name !== 'attributes' && shallow(value) !== value)
      return false;
  }
  return true;
}

function recordOf(value: unknown, index: number): LogRecord {
  if (!isObject(value)) throw wrong(`records[${index}]`);
  if (isLogRecord(value) && isBounded(value)) return value;
  // An empty body is an empty line.
  const { eventId, timestamp, body, attributes, ...members } = value;
  if (typeof eventId !== 'string') throw wrong(`records[${index}].eventId`);
  if (typeof timestamp !== 'string') throw wrong(`records[${index}].timestamp`);
  if (typeof body !== 'string') throw wrong(`records[${index}].body`);
  const record = readLenient('LogRecord', members).value;
  const severity: string | undefined = record.severity;
  return {
    ...emptyLogRecord,
    ...record,
    ...{ eventId, body },
    timestamp: boundedTime(timestamp),
    ingestedAt: boundedTime(record.ingestedAt ?? ''),
    ...(severity === undefined || isSeverity(severity)
      ? {}
      : { severity: 'unknown', severityText: severity }),
    attributes: attributesOf(attributes),
  };
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
