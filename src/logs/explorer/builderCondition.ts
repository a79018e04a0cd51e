import type { Condition, ConditionGroup } from '../../api/types';
import {
  anyValue,
  attributeField,
  attributePrefix,
  conditionFields,
  conditionSigns,
  fieldNamed,
  isId,
  type NamedField,
} from '../query/fields';
import type { QueryError, QueryProblem, ResolveName } from '../query/parser';
import type { NameOf } from '../query/print';
import type { BuilderCondition } from './panel/messages';

/** The field is there, and it is not; neither takes a value. */
const exists = `:${anyValue}`;
const notExists = `-:${anyValue}`;

/** The operators of conditions, as they are put together. */
export const builderOperators: readonly string[] = [...conditionSigns.keys(), exists, notExists];

/** The fields of conditions; what follows `attr` is the name of an attribute. */
export const builderFields: readonly string[] = conditionFields;

/** Whether an operator is said without a value. */
function isWithoutValue(operator: string): boolean {
  return operator === exists || operator === notExists;
}

/** A condition of a filter, taken apart. */
export function builderConditionOf(condition: Condition, nameOf: NameOf): BuilderCondition {
  const { field, operator, value } = condition;
  const known = fieldNamed(field);
  const name = field.startsWith(attributePrefix)
    ? `${attributeField}.${field.slice(attributePrefix.length)}`
    : (known?.name ?? field);
  if (operator === 'exists') return { field: name, operator: exists, value: '' };
  if (operator === 'not_exists') return { field: name, operator: notExists, value: '' };
  const sign = [...conditionSigns].find(([, one]) => one === operator)?.[0] ?? '=';
  if (!takesNames(known, operator)) return { field: name, operator: sign, value };
  // What is no id is no name either where the field is called as the API calls it.
  if (!isId(value)) return { field, operator: sign, value };
  const shown = nameOf(known.names, value);
  return { field: name, operator: sign, value: shown === undefined || isId(shown) ? value : shown };
}

/**
 * The condition group that was put together, names led to ids; undefined where it has no conditions.
 * What is wrong with it has no place in a query: its span is empty.
 */
export function groupOf(
  edit: {
    readonly match: ConditionGroup['match'];
    readonly conditions: readonly BuilderCondition[];
  },
  resolve: ResolveName,
): ConditionGroup | QueryError | undefined {
  const conditions: Condition[] = [];
  for (const one of edit.conditions) {
    const condition = conditionOf(one, resolve);
    if ('problem' in condition) return condition;
    conditions.push(condition);
  }
  return conditions.length === 0 ? undefined : { match: edit.match, conditions };
}

function conditionOf(
  { field, operator: sign, value }: BuilderCondition,
  resolve: ResolveName,
): Condition | QueryError {
  const prefix = `${attributeField}.`;
  const isAttribute = field.toLowerCase().startsWith(prefix);
  const known = isAttribute ? undefined : fieldNamed(field);
  const key = field.slice(prefix.length);
  const name = isAttribute ? `${attributePrefix}${key}` : known?.condition;
  if (isAttribute && key === '') return problem({ kind: 'missingAttribute' });
  if (name === undefined) return problem({ kind: 'unknownField', field }, conditionFields);
  if (isWithoutValue(sign)) {
    return { field: name, operator: sign === exists ? 'exists' : 'not_exists', value: '' };
  }
  const operator = conditionSigns.get(sign);
  if (operator === undefined) {
    return problem({ kind: 'operator', field, operator: sign }, builderOperators);
  }
  if (!takesNames(known, operator) || known.exact || isId(value)) {
    return { field: name, operator, value };
  }
  if (value === '') return problem({ kind: 'missingValue', field });
  return { field: name, operator, value: resolve(known.names, value)[0] ?? value };
}

function takesNames(
  known: NamedField | undefined,
  operator: Condition['operator'],
): known is NamedField & Required<Pick<NamedField, 'names'>> {
  return known?.names !== undefined && (operator === 'equals' || operator === 'not_equals');
}

function problem(what: QueryProblem, allowed: readonly string[] = []): QueryError {
  return { start: 0, end: 0, problem: what, allowed };
}
