import type { Condition, ConditionGroup } from '../../api/types';
import { asLogFilter, type LogFilter } from './filter';

/**
 * A filter as the query language compiles it: without what asks for nothing (empty lists, values that
 * come twice, the operator `equals` of attributes, the value of `exists`, `or` over one condition).
 * Filters that mean the same by these rules are equal in this form, member by member.
 *
 * @throws InvalidRequestError where the contract does not allow the filter.
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
      Array.isArray(value) ? [...new Set<unknown>(value)] : value,
    ])
    .filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0));
  return asLogFilter(Object.fromEntries(kept));
}

function canonicalGroup({ match, conditions }: ConditionGroup): ConditionGroup {
  return {
    match: conditions.length > 1 ? match : 'and',
    conditions: conditions.map(canonicalCondition),
  };
}

function canonicalCondition(condition: Condition): Condition {
  const { operator } = condition;
  return operator === 'exists' || operator === 'not_exists'
    ? { ...condition, value: '' }
    : condition;
}
