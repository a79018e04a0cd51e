import type { LogRecord } from '../../api/types';
import { getOrMake } from '../../base/maps';
import { isClean, sanitise } from '../../base/untrustedText';
import { attributeOfField, fieldOfAttribute, type NameKind } from '../query/fields';
import type { FieldValue } from '../query/narrow';
import type { NameOf } from '../query/searchQuery';
import {
  createTimeFormat,
  harmlessLines,
  oneLine,
  recordSource,
  truncatedMark,
  lineLimit,
} from '../record/logLine';
import { type BodyStyle, styledBody } from '../record/readableBody';
import type { StyledSpan, StyledText } from '../record/terminalColors';
import type { Capabilities } from './protocol/messages';
import { type LogRow, rowFields } from './protocol/view';
import { hasContext } from './recordsAround';

const keys = new WeakMap<LogRecord, string>();
let lastKey = 0;

/** The key of the row of a record, which is the same for the same object only. */
export function keyOf(record: LogRecord): string {
  return getOrMake(keys, record, () => String(++lastKey));
}

/** The form of trace ids that filters accept; much faster than the validators of the contract. */
const traceIdForm = /^(?!0{32})[0-9a-f]{32}$/;

/** What can be shown for a record: servers may leave out values, or send some they do not accept. */
export function capabilitiesOf(record: LogRecord): Capabilities {
  return {
    hasTrace: record.traceId !== null && traceIdForm.test(record.traceId),
    hasContext: hasContext(record),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}

/** The longest severity of a server, in UTF-16 units. */
const longestSeverity = 40;

/** Styles are shown up to here, in UTF-16 units: the list cuts bodies at about the same length. */
const longestStyled = 4000;

/** The spans of a text that `harmlessLines` has made longer. */
function spansOf({ text, spans }: StyledText): NonNullable<LogRow['spans']> {
  const shown = spans.filter(({ end }) => end <= longestStyled);
  const places = isClean(text) ? undefined : shownPlaces(text, shown);
  const at = (offset: number): number => places?.get(offset) ?? offset;
  return shown.map(({ start, end, style }) => [at(start), at(end), style]);
}

/** The ends of spans in a text that `harmlessLines` has made longer, by those in the text itself. */
function shownPlaces(text: string, spans: readonly StyledSpan[]): ReadonlyMap<number, number> {
  const offsets = new Set(spans.flatMap(({ start, end }) => [start, end]));
  const places = new Map<number, number>();
  let taken = 0;
  let place = 0;
  for (const offset of [...offsets].sort((one, other) => one - other)) {
    const isInBreak = text.slice(offset - 1, offset + 1) === '\r\n';
    const piece = text.slice(taken, isInBreak ? offset - 1 : offset);
    place += piece.replaceAll('\r\n', '\n').split('\n').map(sanitise).join('\n').length;
    places.set(offset, place);
    taken = offset;
  }
  return places;
}

/**
 * Creates the function that formats records as rows, with harmless text of limited length.
 *
 * @param timeZone `utc`, `local` (the machine's) or an IANA name; an unknown name counts as `utc`.
 * @param readColumns reads the values of further columns.
 */
export function createRowFormat(
  timeZone: string,
  bodies: BodyStyle,
  readColumns: ReadColumns = () => undefined,
): (record: LogRecord) => LogRow {
  const time = createTimeFormat(timeZone);
  return (record) => {
    const { timestamp, severity, severityText, traceId, truncated } = record;
    const body = styledBody(record, bodies);
    const spans = body.spans.length === 0 ? [] : spansOf(body);
    const at = Date.parse(timestamp);
    const capabilities = capabilitiesOf(record);
    const values = readColumns(record);
    return {
      key: keyOf(record),
      at: Number.isNaN(at) ? null : at,
      time: time(timestamp),
      severity,
      ...(severityText === undefined
        ? {}
        : { severityText: oneLine(severityText, longestSeverity) }),
      workload: recordSource(record),
      body: harmlessLines(body.text) + (truncated ? truncatedMark : ''),
      ...(spans.length === 0 ? {} : { spans }),
      ...(values === undefined ? {} : { values }),
      ...(capabilities.hasTrace && traceId !== null ? { trace: traceId } : {}),
      hasContext: capabilities.hasContext,
    };
  };
}

type Reader = (record: LogRecord) => string | null;

/** The fields of a record besides its body and attributes, with the names of the query language. */
export const recordFields: ReadonlyMap<string, Reader> = new Map<string, Reader>([
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
export const timeFields: ReadonlySet<string> = new Set(['timestamp', 'ingestedAt']);
const named: ReadonlySet<string> = new Set<NameKind>(['workload', 'server', 'deployment']);

/** Whether the values of a field are ids of things that have names. */
export function isNamed(field: string): field is NameKind {
  return named.has(field);
}

/** The field of an attribute, whose name is untrusted. */
export function shownAttribute(name: string): string {
  return fieldOfAttribute(oneLine(name, lineLimit));
}

/** What `oneLine` writes in place of parts of a text. */
const escapedOrCut = /\\u\{| \[\+\d+\]$/;

/**
 * A field of a record as the server sent it; undefined if the record does not have it.
 *
 * @param field its name in `recordFields` or as returned by `shownAttribute`.
 */
export function fieldValueOf(record: LogRecord, field: string): FieldValue | undefined {
  const own = attributeOfField(field);
  if (own === undefined) {
    const value = recordFields.get(field)?.(record) ?? undefined;
    return value === undefined ? undefined : { field, value };
  }
  const isShownAsIs = Object.hasOwn(record.attributes, own) || !escapedOrCut.test(own);
  const name = isShownAsIs
    ? own
    : Object.keys(record.attributes).find((one) => shownAttribute(one) === field);
  if (name === undefined || !Object.hasOwn(record.attributes, name)) return undefined;
  const value = record.attributes[name] ?? '';
  return { field: fieldOfAttribute(name), value };
}

/** The longest value in a column, in UTF-16 units. */
const longestValue = 200;

type ReadColumns = (record: LogRecord) => LogRow['values'];

/**
 * Creates the function that reads the values of the columns that not every row has, as harmless text.
 *
 * @param fields names as `fieldValueOf` takes them.
 * @param timeZone see `createRowFormat`.
 * @param nameOf the names of ids, which are shown in their place.
 */
export function createReadColumns(
  fields: readonly string[],
  timeZone: string,
  nameOf?: NameOf,
): ReadColumns {
  const others = fields.filter((field) => !rowFields.some((one) => one === field));
  if (others.length === 0) return () => undefined;
  const time = createTimeFormat(timeZone);
  const shown = (field: string, value: string): string => {
    if (timeFields.has(field)) return time(value);
    const name = isNamed(field) ? (nameOf?.(field, value) ?? '') : '';
    return oneLine(name === '' ? value : name, longestValue);
  };
  return (record) => {
    const values: Record<string, string> = {};
    for (const field of others) {
      const value = fieldValueOf(record, field)?.value ?? '';
      if (value !== '') values[field] = shown(field, value);
    }
    return Object.keys(values).length === 0 ? undefined : values;
  };
}
