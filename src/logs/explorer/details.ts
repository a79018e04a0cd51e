import type { LogRecord } from '../../api/types';
import { fieldOfAttribute, type LogFilter } from '../query/fields';
import { withOnly, without, type FieldValue } from '../query/narrow';
import type { NameOf } from '../query/searchQuery';
import { createTimeFormat, harmlessLines, cutLine, truncatedMark } from '../record/logLine';
import { entryRecords } from '../record/joinRecords';
import { prettyJson } from '../record/prettyJson';
import { bodyText, placeOfAttributes, readableBody } from '../record/readableBody';
import { findFrames, type StackFrame } from '../record/stackFrames';
import type { DetailField, Details } from './protocol/messages';
import { isNamed, recordFields, shownAttribute } from './recordFields';

export interface BodyPiece {
  readonly text: string;
  /** The source position that it names; the file may not exist. */
  readonly position?: StackFrame;
}

/** Everything that is known about a record, as harmless text. */
interface RecordDetails extends Pick<Details, 'fields' | 'attributes' | 'raw' | 'records'> {
  readonly body: readonly BodyPiece[];
}

export interface DetailsOptions {
  readonly timeZone: string;
  /** The filter of the search, which decides whether a value can be added or excluded. */
  readonly filter: LogFilter;
  /** The names of ids. */
  readonly nameOf?: NameOf;
}

/** The longest severity of a server, in UTF-16 units. */
const longestSeverity = 100;

/** The maximum number of links in a body. */
const maxFrames = 500;

/** The maximum number of attributes that are shown. */
const mostAttributes = 200;

export function readableDetails(record: LogRecord, options: DetailsOptions): RecordDetails {
  const { filter } = options;
  const body = harmlessLines(bodyText(record, 'readable'));
  const raw = harmlessLines(prettyJson(record.body) ?? record.body);
  const names = Object.keys(record.attributes);
  const attributes = names
    .slice(0, mostAttributes)
    .map((name) => [name, record.attributes[name] ?? ''] as const);
  return {
    fields: [...recordFields].flatMap(([field, { read }]) => {
      const value = read(record);
      if (value === null || value === '') return [];
      const shown = shownValue(record, field, value, options);
      return [{ field, value: shown, ...narrowing(filter, { field, value }) }];
    }),
    attributes: [
      ...attributes.map(([name, value]) => ({
        field: shownAttribute(name),
        value: harmlessLines(value),
        ...narrowing(filter, { field: fieldOfAttribute(name), value }),
      })),
      ...moreAttributes(names.length - attributes.length),
    ],
    body: piecesOf(body + (record.truncated ? truncatedMark : '') + placeBelow(record, body)),
    ...(raw === body ? {} : { raw }),
    ...recordsOf(record, options),
  };
}

/** A line with the place that logged the record, if only its members or attributes say it. */
function placeBelow(record: LogRecord, body: string): string {
  const { place = placeOfAttributes(record) } = readableBody(record.body, record) ?? {};
  const text = harmlessLines(place ?? '');
  return text === '' || body.includes(text) ? '' : `\n${text}`;
}

/** The records of an entry that has several. */
function recordsOf(entry: LogRecord, { timeZone }: DetailsOptions): Pick<Details, 'records'> {
  const parts = entryRecords(entry);
  if (parts.length === 1) return {};
  const time = createTimeFormat(timeZone);
  const lines = parts.map(({ timestamp, body }) => `${time(timestamp)}  ${harmlessLines(body)}`);
  return { records: lines.join('\n') };
}

/** Says how many more attributes there are. */
function moreAttributes(count: number): DetailField[] {
  return count > 0 ? [{ field: '…', value: `[+${count}]`, canAdd: false, canExclude: false }] : [];
}

function narrowing(
  filter: LogFilter,
  value: FieldValue,
): Pick<DetailField, 'canAdd' | 'canExclude'> {
  return {
    canAdd: withOnly(filter, value) !== undefined,
    canExclude: without(filter, value) !== undefined,
  };
}

function shownValue(
  record: LogRecord,
  field: string,
  value: string,
  { timeZone, nameOf }: DetailsOptions,
): string {
  const { isTime, nameIn, sentFor } = recordFields.get(field) ?? {};
  const sent = sentFor?.(record);
  if (sent !== undefined) return `${value} (${cutLine(sent, longestSeverity)})`;
  if (isTime === true) return createTimeFormat(timeZone)(value);
  const own = nameIn?.(record) ?? '';
  const name = own === '' && isNamed(field) ? (nameOf?.(field, value) ?? '') : own;
  return harmlessLines(name === '' ? value : `${name} (${value})`);
}

function piecesOf(body: string): readonly BodyPiece[] {
  const pieces: BodyPiece[] = [];
  let frames = 0;
  let added = 0;
  const addUpTo = (end: number, position?: StackFrame): void => {
    const text = body.slice(added, end);
    if (text !== '') pieces.push(position === undefined ? { text } : { text, position });
    added = end;
  };
  let start = 0;
  for (const line of body.split('\n')) {
    for (const position of findFrames(line, maxFrames - frames)) {
      // Of two that overlap, the first one stays.
      if (frames >= maxFrames || start + position.start < added) continue;
      addUpTo(start + position.start);
      addUpTo(start + position.end, position);
      frames++;
    }
    start += line.length + 1;
  }
  addUpTo(body.length);
  return pieces;
}
