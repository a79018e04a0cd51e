import type { Condition, ConditionGroup } from '../../api/types';
import {
  anyValue,
  attributeOfField,
  attributePrefix,
  conditionFields,
  conditionSigns,
  fieldNamed,
  fieldOfAttribute,
  isId,
  type NamedField,
  signOf,
} from '../query/fields';
import type { QueryError, QueryProblem } from '../query/filterBuilder';
import type { ResolveName } from '../query/readValues';
import type { NameOf } from '../query/print';
import type { BuilderCondition, QueryModel } from './protocol/messages';

/** The operators for a field that exists or does not. They take no value. */
const exists = `:${anyValue}`;
const notExists = `-:${anyValue}`;

/** The operators of the condition builder. */
export const builderOperators: readonly string[] = [...conditionSigns.keys(), exists, notExists];

/** The fields of the condition builder; `attr` is followed by the name of an attribute. */
export const builderFields: readonly string[] = conditionFields;

/** Whether an operator takes no value. */
function isWithoutValue(operator: string): boolean {
  return operator === exists || operator === notExists;
}

/** A condition of a filter, as the builder shows it. */
export function builderConditionOf(condition: Condition, nameOf: NameOf): BuilderCondition {
  const { field, operator, value } = condition;
  const known = fieldNamed(field);
  const name = field.startsWith(attributePrefix)
    ? fieldOfAttribute(field.slice(attributePrefix.length))
    : (known?.name ?? field);
  if (operator === 'exists') return { field: name, operator: exists, value: '' };
  if (operator === 'not_exists') return { field: name, operator: notExists, value: '' };
  const sign = signOf(operator);
  if (!takesNames(known, operator)) return { field: name, operator: sign, value };
  // With the name of the field in the API, a value that is not an id is not a name either.
  if (!isId(value)) return { field, operator: sign, value };
  const shown = nameOf(known.names, value);
  return { field: name, operator: sign, value: shown === undefined || isId(shown) ? value : shown };
}

/**
 * The condition group of the builder, with ids for names; undefined without conditions. An error has no
 * position in the query.
 */
export function groupOf(
  edit: Pick<QueryModel, 'match' | 'conditions'>,
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
  const key = attributeOfField(field);
  const known = key === undefined ? fieldNamed(field) : undefined;
  const name = key === undefined ? known?.condition : `${attributePrefix}${key}`;
  if (key === '') return problem({ kind: 'missingAttribute' });
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
