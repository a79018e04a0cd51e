import type { LogRecord } from '../../api/types';
import { attributeOfField, fieldOfAttribute, type NameKind } from '../query/fields';
import type { FieldValue } from '../query/narrow';
import type { NameOf } from '../query/print';
import { createTimeFormat, lineLimit, oneLine } from '../record/logLine';
import { type LogRow, rowFields } from './protocol/view';

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

/** Reads the values of columns. */
export type ReadColumns = (record: LogRecord) => LogRow['values'];

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
