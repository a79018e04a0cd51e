import type { Condition } from '../../api/types';
import type { LogFilter } from './filter';

/** What can be asked for by name instead of by id. */
export type NameKind = 'workload' | 'server' | 'deployment';

/** The members of a filter that a field with a colon fills. */
export type FieldMember = Exclude<keyof LogFilter, 'search' | 'attributes' | 'conditionGroup'>;

/** How a field of the query language becomes a part of the filter. */
export interface QueryField {
  /** The list, or single value, that a colon fills; none where the filter has conditions only. */
  readonly member?: FieldMember;
  /** What conditions call it; none where they do not have it. */
  readonly condition?: string;
  /** Whose names are taken too. */
  readonly names?: NameKind;
  /** Other ways to write a value. */
  readonly normalise?: (value: string) => string;
}

const lowerCase = (value: string): string => value.toLowerCase();

/**
 * The fields of the query language, in the order in which they are printed. What values and how
 * many are allowed is in the contract alone.
 */
export const queryFields: ReadonlyMap<string, QueryField> = new Map<string, QueryField>([
  [
    'severity',
    {
      member: 'severities',
      normalise: (value) => lowerCase(value).replace(/^warning$/, 'warn'),
    },
  ],
  ['workload', { member: 'workloadIds', condition: 'workloadId', names: 'workload' }],
  ['server', { member: 'serverIds', condition: 'serverId', names: 'server' }],
  ['deployment', { member: 'deploymentIds', condition: 'deploymentId', names: 'deployment' }],
  ['preview', { member: 'previewIds', condition: 'previewId' }],
  ['container', { member: 'containerIds', condition: 'containerId', normalise: lowerCase }],
  ['env', { member: 'environments', normalise: lowerCase }],
  ['service', { member: 'services', condition: 'service' }],
  ['stream', { member: 'stream', condition: 'stream', normalise: lowerCase }],
  ['trace', { member: 'traceId', condition: 'traceId', normalise: lowerCase }],
  ['spanId', { condition: 'spanId' }],
]);

/** The members that take one value; every other takes a list. */
export const singleMembers: ReadonlySet<string> = new Set<keyof LogFilter>([
  'search',
  'stream',
  'traceId',
]);

/** The members whose values are few and known, so that all but some can be asked for. */
export const closedMembers: ReadonlySet<string> = new Set<keyof LogFilter>([
  'severities',
  'environments',
]);

/** The field of attributes: `attr.name=value`, `attr.name~value`. */
export const attributeField = 'attr';

/** What conditions write before the name of an attribute. */
export const attributePrefix = 'attribute:';

/** The contract's limit of that name, which it has as a pattern. In characters. */
export const maxAttributeName = 128;

/** The field whose values are fields: `field:spanId` where it is there, `-field:spanId` where not. */
export const existenceField = 'field';

/** The fields of the range of time. */
export const timeFields = ['last', 'from', 'to'] as const;
export type TimeField = (typeof timeFields)[number];

/** The signs of conditions; `:*` stands for `exists`, and with a minus before it for `not_exists`. */
export const conditionSigns: ReadonlyMap<string, Condition['operator']> = new Map([
  ['=', 'equals'],
  ['!=', 'not_equals'],
  ['~', 'contains'],
  ['!~', 'not_contains'],
  ['^=', 'starts_with'],
  ['$=', 'ends_with'],
]);

/** The value that stands for any. */
export const anyValue = '*';

/** All operators of a field that conditions have, as they are written. */
export const conditionOperators: readonly string[] = [`:${anyValue}`, ...conditionSigns.keys()];

/** All that can stand before an operator. */
export const fieldNames: readonly string[] = [
  ...queryFields.keys(),
  attributeField,
  existenceField,
  ...timeFields,
];

/** Those that conditions have. */
export const conditionFields: readonly string[] = [
  ...[...queryFields].filter(([, { condition }]) => condition !== undefined).map(([name]) => name),
  attributeField,
];

/** A field as a query names it. */
export interface NamedField extends QueryField {
  /** Its name in `queryFields`. */
  readonly name: string;
  /** Named as conditions name it, such as `workloadId`: then its values are never names. */
  readonly exact: boolean;
}

const byName: ReadonlyMap<string, NamedField> = new Map(
  [...queryFields].flatMap(([name, field]): [string, NamedField][] => [
    [(field.condition ?? name).toLowerCase(), { ...field, name, exact: true }],
    [name.toLowerCase(), { ...field, name, exact: false }],
  ]),
);

/** The field of this name, in either case; conditions' names are known too. */
export function fieldNamed(name: string): NamedField | undefined {
  return byName.get(name.toLowerCase());
}

/** Whether a text is meant as an id rather than as a name. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
