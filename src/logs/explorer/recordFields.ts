import type { LogRecord } from '../../api/types';
import { attributeOfField, fieldOfAttribute, type NameKind, queryFields } from '../query/fields';
import type { FieldValue } from '../query/narrow';
import { lineLimit, cutLine } from '../record/logLine';

/** Everything in which the fields of records differ. */
interface RecordField {
  /** As the server sent it; null or blank: the record does not have it. */
  readonly read: (record: LogRecord) => string | null;
  readonly isTime?: true;
  /** The name of the value, if the record has it. */
  readonly nameIn?: (record: LogRecord) => string;
  /** What the server sent for a value that is ours. Any text. */
  readonly sentFor?: (record: LogRecord) => string | undefined;
  /** No two records share its value, or every pattern has its own: it sets nothing apart. */
  readonly isOwn?: true;
}

/** The fields of a record besides its body and attributes, with the names of the query language. */
export const recordFields: ReadonlyMap<string, RecordField> = new Map<string, RecordField>([
  ['timestamp', { read: ({ timestamp }) => timestamp, isTime: true, isOwn: true }],
  [
    'severity',
    { read: ({ severity }) => severity, sentFor: ({ severityText }) => severityText, isOwn: true },
  ],
  [
    'workload',
    { read: ({ workloadId }) => workloadId, nameIn: ({ workloadName }) => workloadName },
  ],
  ['service', { read: ({ service }) => service }],
  ['stream', { read: ({ stream }) => stream, isOwn: true }],
  ['env', { read: ({ environment }) => environment }],
  ['trace', { read: ({ traceId }) => traceId }],
  ['spanId', { read: ({ spanId }) => spanId, isOwn: true }],
  ['server', { read: ({ serverId }) => serverId }],
  ['deployment', { read: ({ deploymentId }) => deploymentId }],
  ['preview', { read: ({ previewId }) => previewId }],
  ['container', { read: ({ containerId }) => containerId }],
  ['eventId', { read: ({ eventId }) => eventId, isOwn: true }],
  ['ingestedAt', { read: ({ ingestedAt }) => ingestedAt, isTime: true, isOwn: true }],
]);

/** Whether the values of a field are ids of things that have names. */
export function isNamed(field: string): field is NameKind {
  return queryFields.get(field)?.names === field;
}

/** The field of an attribute, whose name is untrusted. */
export function shownAttribute(name: string): string {
  return fieldOfAttribute(cutLine(name, lineLimit));
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
    const value = recordFields.get(field)?.read(record) ?? undefined;
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
