import { isObject, jsonOf, type JsonObject, membersOf, shallow } from '../base/json';
import { cutCounted, detached } from '../base/untrustedText';
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

/**
 * The longest texts of a record, in UTF-16 units; the rest is only counted. What is not named here is an id, a
 * name or a kind.
 */
const longest = {
  id: 512,
  /** Of a record: it is compared, so it cannot be cut. */
  eventId: 4096,
  time: 64,
  /** That of an event of the stream, so that a body is cut once, where it is shown, with its true length. */
  body: 16 * 1024 * 1024,
  attribute: 64 * 1024,
  /** A member that the contract does not have, as JSON if it is no text. */
  other: 16 * 1024,
};
/** The most attributes of a record that are kept, and their text. The last one says how many more there were. */
const mostAttributes = 1000;
const mostAttributeText = 1024 * 1024;
/** The most members of a record that the contract does not have. */
const mostOthers = 100;
/** The longest cursor of the contract, in UTF-16 units, and the longest revision. */
const longestCursor = 8192;

const longestOf = new Map(Object.keys(emptyLogRecord).map((name) => [name, longest.id]))
  .set('eventId', longest.eventId)
  .set('body', longest.body)
  .set('timestamp', longest.time)
  .set('ingestedAt', longest.time);
const mostMembers = longestOf.size + mostOthers;

/**
 * Reads a page of the stream. Validates what a tail needs: the list of records, each with id, time and
 * body, and the cursors. Reads the rest leniently: members that are missing or have another type are
 * empty, and members that the contract does not have are kept. Bounds every text, name and number of members, so
 * that nothing behind it has to: what is cut says so. Ids of records, cursors and revisions are compared or
 * sent back: a part of one would be another one, and records would be missing, so a longer one is refused.
 *
 * @param json undefined if the text was malformed JSON.
 * @throws ApiError of the kind `protocol` that names the field.
 */
export function readLogPage(json: unknown): LogPage {
  // Almost every page: it is used without a copy.
  if (isLogPage(json) && isTokenBounded(json) && json.records.every(isBounded)) return json;
  if (json === undefined) throw protocolError('notJson', 'The response is not valid JSON.');
  const { records, followCursor, nextCursor, ...members } = membersOf(json);
  if (!Array.isArray(records)) throw wrong('records');
  if (typeof followCursor !== 'string') throw wrong('followCursor');
  if (typeof nextCursor !== 'string' && nextCursor !== null) throw wrong('nextCursor');
  refuseLonger('followCursor', followCursor, longestCursor);
  refuseLonger('nextCursor', nextCursor, longestCursor);
  refuseLonger('accessRevision', members['accessRevision'], longestCursor);
  return {
    ...emptyLogPage,
    hasMore: nextCursor !== null,
    ...readLenient('LogPage', members).value,
    followCursor,
    nextCursor,
    records: records.map(recordOf),
  };
}

/** Reads the response to a search, like `readLogPage`. */
export function readLogAnswer(json: unknown): LogQueryResponse {
  const { localization } = membersOf(json);
  const { value } = readLenient('Localization', isObject(localization) ? localization : {});
  return { ...readLogPage(json), localization: value };
}

function isTokenBounded({ followCursor, nextCursor, accessRevision }: LogPage): boolean {
  const most = Math.max(followCursor.length, nextCursor?.length ?? 0, accessRevision.length);
  return most <= longestCursor;
}

/** Called for each record of a stream: what is short is not looked up. */
function isBounded(record: LogRecord): boolean {
  // Ours: a server that sends it means something else.
  if (record.severityText !== undefined) return false;
  const members: JsonObject = record;
  let count = 0;
  for (const name in members) {
    count++;
    const value = members[name];
    if (typeof value === 'string') {
      if (value.length > longest.time && value.length > (longestOf.get(name) ?? longest.other))
        return false;
    } else if (typeof value === 'object' && value !== null && name !== 'attributes') {
      if (boundedOther(value) !== value) return false;
    }
    if (name.length > longest.id) return false;
  }
  return count <= mostMembers && hasBoundedAttributes(record.attributes);
}

function hasBoundedAttributes(attributes: LogRecord['attributes']): boolean {
  let count = 0;
  let text = 0;
  for (const name in attributes) {
    const { length } = attributes[name] ?? '';
    if (name.length > longest.id || length > longest.attribute) return false;
    count++;
    text += name.length + length;
  }
  return count <= mostAttributes && text <= mostAttributeText;
}

function recordOf(value: unknown, index: number): LogRecord {
  if (!isObject(value)) throw wrong(`records[${index}]`);
  if (isLogRecord(value) && isBounded(value)) return value;
  // An empty body is an empty line.
  const { eventId, timestamp, body, attributes, ...members } = value;
  if (typeof eventId !== 'string') throw wrong(`records[${index}].eventId`);
  if (typeof timestamp !== 'string') throw wrong(`records[${index}].timestamp`);
  if (typeof body !== 'string') throw wrong(`records[${index}].body`);
  refuseLonger(`records[${index}].eventId`, eventId, longest.eventId);
  const record = readLenient('LogRecord', boundedMembers(members)).value;
  const severity: string | undefined = record.severity;
  return {
    ...emptyLogRecord,
    ...record,
    eventId,
    timestamp: boundedTime(timestamp),
    body: cutCounted(body, longest.body),
    ...(severity === undefined || isSeverity(severity)
      ? {}
      : { severity: 'unknown', severityText: severity }),
    truncated: record.truncated === true || body.length > longest.body,
    attributes: attributesOf(attributes),
  };
}

/** The members with every name and text cut, without one that is ours. */
function boundedMembers({ severityText: _, ...members }: JsonObject): JsonObject {
  const all = Object.entries(members);
  const others = all.filter(([name]) => !longestOf.has(name));
  const more = others.length - mostOthers;
  const kept =
    more > 0 ? [...others.slice(0, -more - 1), ['…', `[+${more + 1}]`] as const] : others;
  return Object.fromEntries([
    ...all.flatMap(([name, one]) => {
      const most = longestOf.get(name);
      return most === undefined ? [] : [[name, boundedText(one, most)] as const];
    }),
    ...kept.map(([name, one]) => [cutCounted(name, longest.id), boundedOther(one)] as const),
  ]);
}

function boundedText(value: unknown, most: number): unknown {
  if (typeof value !== 'string') return value;
  return most === longest.time ? boundedTime(value) : cutCounted(value, most);
}

/** The value of a member that the contract does not have: what is too deep or too long is text. */
function boundedOther(value: unknown): unknown {
  if (typeof value === 'string') return cutCounted(value, longest.other);
  if (typeof value !== 'object' || value === null) return value;
  const json = jsonOf(value);
  return json.length > longest.other ? cutCounted(json, longest.other) : shallow(value);
}

/** The fraction of a second is cut to nanoseconds, and other text that is too long at its end. */
function boundedTime(time: string): string {
  if (time.length <= longest.time) return time;
  return detached(time.replace(/(\.\d{9})\d+/, '$1').slice(0, longest.time));
}

/** Converts values that are not text to JSON. */
function attributesOf(value: unknown): Record<string, string> {
  const all = Object.entries(membersOf(value));
  const kept: (readonly [string, string])[] = [];
  let room = mostAttributeText;
  for (const [name, one] of all.slice(0, mostAttributes)) {
    const text = typeof one === 'string' ? one : jsonOf(one);
    const bounded = [cutCounted(name, longest.id), cutCounted(text, longest.attribute)] as const;
    room -= bounded[0].length + bounded[1].length;
    if (room < 0) break;
    kept.push(bounded);
  }
  if (kept.length === all.length) return Object.fromEntries(kept);
  const shown = kept.slice(0, mostAttributes - 1);
  return Object.fromEntries([...shown, ['…', `[+${all.length - shown.length}]`]]);
}

function wrong(field: string): Error {
  return protocolError('wrongSchema', `${field} is missing or has the wrong type.`);
}

function refuseLonger(field: string, value: unknown, most: number): void {
  if (typeof value !== 'string' || value.length <= most) return;
  throw protocolError('wrongSchema', `${field} is longer than ${most} characters.`);
}
