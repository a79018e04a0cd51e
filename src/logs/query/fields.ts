import type { Condition, LogQueryFilters, LogTailFilters } from '../../api/types';
import { validateLogQuery } from '../../api/validateRequest';
import { isObject } from '../../base/json';

/** The kinds of objects that have a name and an id. */
export type NameKind = 'workload' | 'server' | 'deployment';

/** The filter members that a field with a colon sets. */
export type FieldMember = Exclude<keyof LogFilter, 'search' | 'attributes' | 'conditionGroup'>;

/** How a field of the query language maps to the filter. */
interface QueryField {
  /** The member that a colon sets; absent if the filter has the field in conditions only. */
  readonly member?: FieldMember;
  /** The name in conditions; absent if conditions do not have it. */
  readonly condition?: string;
  /** The kind of names that it takes besides ids. */
  readonly names?: NameKind;
  /** Converts other spellings of a value. */
  readonly normalise?: (value: string) => string;
}

const lowerCase = (value: string): string => value.toLowerCase();
/** Ids can be written in either case; records have them in lower case. */
const idCase = (value: string): string => (isId(value) ? value.toLowerCase() : value);

/**
 * The fields of the query language, in the order in which they are printed. The contract defines the
 * allowed values and limits.
 */
export const queryFields: ReadonlyMap<string, QueryField> = new Map<string, QueryField>([
  [
    'severity',
    {
      member: 'severities',
      normalise: (value) => lowerCase(value).replace(/^warning$/, 'warn'),
    },
  ],
  [
    'workload',
    { member: 'workloadIds', condition: 'workloadId', names: 'workload', normalise: idCase },
  ],
  ['server', { member: 'serverIds', condition: 'serverId', names: 'server', normalise: idCase }],
  [
    'deployment',
    { member: 'deploymentIds', condition: 'deploymentId', names: 'deployment', normalise: idCase },
  ],
  ['preview', { member: 'previewIds', condition: 'previewId', normalise: idCase }],
  ['container', { member: 'containerIds', condition: 'containerId', normalise: lowerCase }],
  ['env', { member: 'environments', normalise: lowerCase }],
  ['service', { member: 'services', condition: 'service' }],
  ['stream', { member: 'stream', condition: 'stream', normalise: lowerCase }],
  ['trace', { member: 'traceId', condition: 'traceId', normalise: lowerCase }],
  ['spanId', { condition: 'spanId' }],
]);

/** The members with a single value. All others are lists. */
export const singleMembers: ReadonlySet<string> = new Set<keyof LogFilter>([
  'search',
  'stream',
  'traceId',
]);

/** The members with few, known values, so that some can be excluded. */
export const closedMembers: ReadonlySet<string> = new Set<keyof LogFilter>([
  'severities',
  'environments',
]);

/** The field of attributes: `attr.name=value`, `attr.name~value`. */
export const attributeField = 'attr';

/** The field of an attribute in a query, without quotes. */
export function fieldOfAttribute(name: string): string {
  return `${attributeField}.${name}`;
}

/** The name of the attribute that a field of a query is, ignoring the case of `attr`. */
export function attributeOfField(field: string): string | undefined {
  const start = field.slice(0, attributeField.length + 1).toLowerCase();
  return start === `${attributeField}.` ? field.slice(start.length) : undefined;
}

/** The prefix of attribute names in conditions. */
export const attributePrefix = 'attribute:';

/** The longest attribute name, which the contract limits by a pattern. In characters. */
export const maxAttributeName = 128;

/** The field whose values are fields: `field:spanId` if it exists, `-field:spanId` if it does not. */
export const existenceField = 'field';

export const timeFields = ['last', 'from', 'to'] as const;
export type TimeField = (typeof timeFields)[number];

/** The operators of conditions. `:*` is `exists`; with a minus it is `not_exists`. */
export const conditionSigns: ReadonlyMap<string, Condition['operator']> = new Map([
  ['=', 'equals'],
  ['!=', 'not_equals'],
  ['~', 'contains'],
  ['!~', 'not_contains'],
  ['^=', 'starts_with'],
  ['$=', 'ends_with'],
]);

export function signOf(operator: Condition['operator']): string {
  return [...conditionSigns].find(([, one]) => one === operator)?.[0] ?? '=';
}

export const anyValue = '*';

/** The operators of condition fields, as they are written. */
export const conditionOperators: readonly string[] = [`:${anyValue}`, ...conditionSigns.keys()];

/** All names that can precede an operator. */
export const fieldNames: readonly string[] = [
  ...queryFields.keys(),
  attributeField,
  existenceField,
  ...timeFields,
];

export const conditionFields: readonly string[] = [
  ...[...queryFields].filter(([, { condition }]) => condition !== undefined).map(([name]) => name),
  attributeField,
];

export interface NamedField extends QueryField {
  /** Its name in `queryFields`. */
  readonly name: string;
  /** Whether it has the name of the contract, such as `workloadId`. Its values are never names then. */
  readonly exact: boolean;
}

const byName: ReadonlyMap<string, NamedField> = new Map(
  [...queryFields].flatMap(([name, field]): [string, NamedField][] => [
    [(field.condition ?? name).toLowerCase(), { ...field, name, exact: true }],
    [name.toLowerCase(), { ...field, name, exact: false }],
  ]),
);

/** Finds a field by its name, ignoring case. Also accepts the names of conditions. */
export function fieldNamed(name: string): NamedField | undefined {
  return byName.get(name.toLowerCase());
}

/** The form of the contract of a value; the field is named as in queries or as in conditions. */
export function normalised(field: string, value: string): string {
  return fieldNamed(field)?.normalise?.(value) ?? value;
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** All filters of a log query except the range. Plain JSON. */
export type LogFilter = Omit<LogQueryFilters, 'from' | 'to'>;

/** The filters of a log query over a range (ISO UTC with `Z`). */
export function queryFilters(filter: LogFilter, from: string, to: string): LogQueryFilters {
  return { ...filter, from, to };
}

/** The filters that a stream accepts. The client applies `stream` and `conditionGroup`. */
export function tailFilters(filter: LogFilter, from: string, to: string): LogTailFilters {
  const { stream, conditionGroup, ...rest } = filter;
  return { ...rest, from, to };
}

/** The most workloads that a filter can name. */
export const mostWorkloadIds = 50;

/** A filter for workloads: for all without any, and if there are more than it can name. */
export function workloadFilter(ids: readonly string[]): Pick<LogFilter, 'workloadIds'> {
  return ids.length === 0 || ids.length > mostWorkloadIds ? {} : { workloadIds: [...ids] };
}

/**
 * Validates an untrusted filter, such as the argument of a command.
 *
 * @throws InvalidRequestError if the contract does not allow it.
 */
export function asLogFilter(value: unknown): LogFilter {
  const instant = '2000-01-01T00:00:00Z';
  const members: object = isObject(value) ? value : { filter: value };
  const request: unknown = { filters: { ...members, from: instant, to: instant } };
  validateLogQuery(request);
  const { from, to, ...filter } = request.filters;
  return filter;
}
