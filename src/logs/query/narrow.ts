import { InvalidRequestError } from '../../api/errors';
import type { Condition, ConditionGroup } from '../../api/types';
import {
  attributeOfField,
  attributePrefix,
  closedMembers,
  type FieldMember,
  fieldNamed,
  normalised,
  queryFields,
  singleMembers,
  asLogFilter,
  type LogFilter,
} from './fields';
import { allowedValues } from './filterBuilder';

/** A value of a record. The field is named as in queries, such as `service` or `attr.user`. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/** Adds the requirement that a field has this value. Undefined if the API cannot express that. */
export function withOnly(filter: LogFilter, { field, value }: FieldValue): LogFilter | undefined {
  const key = attributeOfField(field);
  if (key !== undefined) {
    const { attributes = [] } = filter;
    const isThere = attributes.some(
      (one) => one.key === key && one.value === value && one.operator !== 'contains',
    );
    if (isThere) return filter;
    const added = allowed({ ...filter, attributes: [...attributes, { key, value }] });
    return added ?? withCondition(filter, equals(`${attributePrefix}${key}`, value));
  }
  const { member, condition } = fieldNamed(field) ?? {};
  if (member !== undefined) {
    const isSingle = singleMembers.has(member);
    return allowed({ ...filter, [member]: isSingle ? value : [value] });
  }
  return condition === undefined ? undefined : withCondition(filter, equals(condition, value));
}

/** Excludes a value of a field. Undefined if the API cannot express that. */
export function without(filter: LogFilter, { field, value }: FieldValue): LogFilter | undefined {
  const key = attributeOfField(field);
  const { member, condition } = fieldNamed(field) ?? {};
  const asked = member === undefined ? [] : askedFor(filter, member);
  if (key === undefined && member !== undefined && asked.length > 0) {
    const left = asked.filter((one) => one !== value);
    // An empty list would match everything.
    return left.length === 0 || left.length === asked.length
      ? undefined
      : allowed({ ...filter, [member]: left });
  }
  const name = key === undefined ? condition : `${attributePrefix}${key}`;
  if (name === undefined) return undefined;
  return withCondition(filter, { field: name, operator: 'not_equals', value });
}

/** The values that a filter requests for a member; if it has none, all values of a closed member. */
function askedFor(filter: LogFilter, member: FieldMember): readonly string[] {
  const asked = filter[member];
  if (typeof asked === 'string') return [asked];
  if (asked !== undefined && asked.length > 0) return asked;
  return closedMembers.has(member) ? allowedValues(member) : [];
}

function equals(field: string, value: string): Condition {
  return { field, operator: 'equals', value };
}

/** Adds a condition that must match. Undefined if the conditions are joined by `or`. */
function withCondition(filter: LogFilter, added: Condition): LogFilter | undefined {
  const group: ConditionGroup = filter.conditionGroup ?? { match: 'and', conditions: [] };
  const { match, conditions } = group;
  const isThere = conditions.some(
    ({ field, operator, value }) =>
      field === added.field && operator === added.operator && value === added.value,
  );
  if (match === 'or' && conditions.length > 1) return undefined;
  // A query can only say the form of the contract, which the value of a record may not have.
  if (normalised(added.field, added.value) !== added.value) return undefined;
  if (isThere) return filter;
  return allowed({
    ...filter,
    conditionGroup: { match: 'and', conditions: [...conditions, added] },
  });
}

/** The canonical filter; undefined if the contract does not allow it. */
function allowed(filter: LogFilter): LogFilter | undefined {
  try {
    // The value of a record may not have the form of the contract: another one would not match it.
    return canonicalFilter(asLogFilter(filter));
  } catch (error) {
    if (error instanceof InvalidRequestError) return undefined;
    throw error;
  }
}

/**
 * A filter as the query language compiles it: without empty lists, repeated values, the default operator
 * of attributes, the value of `exists`, or `or` over one condition, and with values in the form of the
 * contract. Two filters that differ only in these are equal in this form.
 *
 * @throws InvalidRequestError if the contract does not allow the filter.
 */
export function canonicalFilter(filter: LogFilter): LogFilter {
  const { attributes = [], conditionGroup, ...members } = filter;
  const all: [string, unknown][] = Object.entries({
    ...members,
    attributes: attributes.map(({ key, value, operator }) =>
      operator === 'contains' ? { key, value, operator } : { key, value },
    ),
    ...(conditionGroup === undefined ? {} : { conditionGroup: canonicalGroup(conditionGroup) }),
  });
  const kept = all
    .map(([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) ? [...new Set<unknown>(value.map(spelling(name)))] : value,
    ])
    .filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0));
  return asLogFilter(Object.fromEntries(kept));
}

/** Writes the values of a member in the form of the contract. */
function spelling(member: string): (value: unknown) => unknown {
  const [name] = [...queryFields].find(([, field]) => field.member === member) ?? [''];
  return (value) => (typeof value === 'string' ? normalised(name, value) : value);
}

function canonicalGroup({ match, conditions }: ConditionGroup): ConditionGroup {
  return {
    match: conditions.length > 1 ? match : 'and',
    conditions: conditions.map(canonicalCondition),
  };
}

function canonicalCondition(condition: Condition): Condition {
  const { field, operator, value } = condition;
  const hasValue = operator !== 'exists' && operator !== 'not_exists';
  return { field, operator, value: hasValue ? normalised(field, value) : '' };
}
