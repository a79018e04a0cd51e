import type { LogRecord } from '../../api/types';
import {
  createTimeFormat,
  harmlessLines,
  lineLimit,
  oneLine,
  truncatedMark,
} from '../record/format';
import { findFrames, type SourcePosition } from '../record/frames';
import { attributeField, type NameKind } from '../query/fields';
import type { LogFilter } from '../query/filter';
import { withOnly, without, type FieldValue } from '../query/narrow';
import type { NameOf } from '../query/print';
import { prettyJson } from '../record/bodyFormats';

/** A field of a record, as it is shown: harmless. */
export interface RecordField {
  /**
   * As queries call it, such as `service` or `attr.user`, and unlike them without quotes; the few that
   * they do not know as the API calls them.
   */
  readonly field: string;
  readonly value: string;
  /** Whether the query can ask for this value only. */
  readonly canAdd: boolean;
  /** Whether the query can ask for all but this value. */
  readonly canExclude: boolean;
}

/** A piece of a body. */
export interface BodyPiece {
  readonly text: string;
  /** What it names in a source file; whether there is such a file is for others to find out. */
  readonly position?: SourcePosition;
}

/** Everything that is known of a record. */
interface RecordDetails {
  /** The event id. */
  readonly key: string;
  /** In the order of reading; those that the record does not have are left out. */
  readonly fields: readonly RecordField[];
  readonly attributes: readonly RecordField[];
  /** One behind the other they are the body, as rows have it. */
  readonly body: readonly BodyPiece[];
  /** A body that is JSON, on many lines. */
  readonly json?: string;
}

export interface DetailsOptions {
  /** As that of rows. */
  readonly timeZone: string;
  /** What is asked for already: whether a value can be added or excluded depends on it. */
  readonly filter: LogFilter;
  /** The names of what records have ids of. */
  readonly nameOf?: NameOf;
}

type Reader = (record: LogRecord) => string | null;

/** What a record has besides its body and attributes, by the names that queries use. */
const fields: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['timestamp', ({ timestamp }) => timestamp],
  ['severity', ({ severity }) => severity],
  ['workload', ({ workloadId }) => workloadId],
  ['service', ({ service }) => service],
  ['stream', ({ stream }) => stream],
  ['env', ({ environment }) => environment],
  ['trace', ({ traceId }) => traceId],
  ['spanId', ({ spanId }) => spanId],
  ['server', ({ serverId }) => serverId],
  ['deployment', ({ deploymentId }) => deploymentId],
  ['preview', ({ previewId }) => previewId],
  ['container', ({ containerId }) => containerId],
  ['eventId', ({ eventId }) => eventId],
  ['ingestedAt', ({ ingestedAt }) => ingestedAt],
]);
const times = new Set(['timestamp', 'ingestedAt']);
const named: ReadonlySet<string> = new Set<NameKind>(['workload', 'server', 'deployment']);

/** Links beyond these are of no use to anybody, and a hostile body could be made of nothing else. */
const maxFrames = 500;

/** So many attributes are shown: each is held against the query. */
const mostAttributes = 200;

const prefix = `${attributeField}.`;

/**
 * A field of a record as the server sent it, name and value; undefined where the record does not have
 * it.
 *
 * @param field its name as `detailsOf` answers it.
 */
export function fieldValueOf(record: LogRecord, field: string): FieldValue | undefined {
  if (!field.startsWith(prefix)) {
    const value = fields.get(field)?.(record) ?? undefined;
    return value === undefined ? undefined : { field, value };
  }
  const [name, value] =
    Object.entries(record.attributes).find(([one]) => shownAttribute(one) === field) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return { field: `${prefix}${name}`, value };
}

/** Names of attributes come from anybody. */
function shownAttribute(name: string): string {
  return `${prefix}${oneLine(name, lineLimit)}`;
}

/** What is shown of a record where somebody looks at it closely. */
export function detailsOf(record: LogRecord, options: DetailsOptions): RecordDetails {
  const { filter } = options;
  const json = prettyJson(record.body);
  const names = Object.keys(record.attributes);
  const attributes = names
    .slice(0, mostAttributes)
    .map((name) => [name, record.attributes[name] ?? ''] as const);
  return {
    key: record.eventId,
    fields: [...fields].flatMap(([field, read]) => {
      const value = read(record);
      if (value === null || value === '') return [];
      const shown = shownValue(record, field, value, options);
      return [{ field, value: shown, ...narrowing(filter, { field, value }) }];
    }),
    attributes: [
      ...attributes.map(([name, value]) => ({
        field: shownAttribute(name),
        value: harmlessLines(value),
        ...narrowing(filter, { field: `${prefix}${name}`, value }),
      })),
      ...leftOut(names.length - attributes.length),
    ],
    body: piecesOf(harmlessLines(record.body) + (record.truncated ? truncatedMark : '')),
    ...(json === undefined ? {} : { json: harmlessLines(json) }),
  };
}

/** Says that there are more. */
function leftOut(count: number): readonly RecordField[] {
  return count > 0 ? [{ field: '…', value: `[+${count}]`, canAdd: false, canExclude: false }] : [];
}

function narrowing(
  filter: LogFilter,
  value: FieldValue,
): Pick<RecordField, 'canAdd' | 'canExclude'> {
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
  if (field === 'severity' && record.severityText !== undefined) {
    return harmlessLines(`${value} (${record.severityText})`);
  }
  if (times.has(field)) return createTimeFormat(timeZone)(value);
  const own = field === 'workload' ? record.workloadName : '';
  const name = own === '' && isNamed(field) ? (nameOf?.(field, value) ?? '') : own;
  return harmlessLines(name === '' ? value : `${name} (${value})`);
}

function isNamed(field: string): field is NameKind {
  return named.has(field);
}

function piecesOf(body: string): readonly BodyPiece[] {
  const pieces: BodyPiece[] = [];
  let frames = 0;
  let taken = 0;
  const takeTo = (end: number, position?: SourcePosition): void => {
    const text = body.slice(taken, end);
    if (text !== '') pieces.push(position === undefined ? { text } : { text, position });
    taken = end;
  };
  let start = 0;
  for (const line of body.split('\n')) {
    for (const position of findFrames(line, maxFrames - frames)) {
      // Where two would overlap, the first one stays.
      if (frames >= maxFrames || start + position.start < taken) continue;
      takeTo(start + position.start);
      takeTo(start + position.end, position);
      frames++;
    }
    start += line.length + 1;
  }
  takeTo(body.length);
  return pieces;
}
