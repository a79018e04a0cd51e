import type { LogFilter } from './filter';

/** What can be asked for by name instead of by id. */
export type NameKind = 'workload' | 'server' | 'deployment';

/** The members of a filter that a field with a colon fills. */
export type FieldMember = Exclude<keyof LogFilter, 'search' | 'attributes' | 'conditionGroup'>;

/** How a field of the query language becomes a member of the filter. */
export interface QueryField {
  readonly member: FieldMember;
  /** Whether it takes a list; else one value. */
  readonly many: boolean;
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
      many: true,
      normalise: (value) => lowerCase(value).replace(/^warning$/, 'warn'),
    },
  ],
  ['workload', { member: 'workloadIds', many: true, names: 'workload' }],
  ['server', { member: 'serverIds', many: true, names: 'server' }],
  ['deployment', { member: 'deploymentIds', many: true, names: 'deployment' }],
  ['preview', { member: 'previewIds', many: true }],
  ['container', { member: 'containerIds', many: true, normalise: lowerCase }],
  ['env', { member: 'environments', many: true, normalise: lowerCase }],
  ['service', { member: 'services', many: true }],
  ['stream', { member: 'stream', many: false, normalise: lowerCase }],
  ['trace', { member: 'traceId', many: false, normalise: lowerCase }],
]);

/** The field of attributes: `attr.name=value`, `attr.name~value`. */
export const attributeField = 'attr';

/** The operators of attributes and what they are called in a filter; `equals` is the default. */
export const attributeOperators: ReadonlyMap<string, 'equals' | 'contains'> = new Map([
  ['=', 'equals'],
  ['~', 'contains'],
]);
