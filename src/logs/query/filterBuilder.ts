import { LogQueryRequest, type Problem } from '../../api/generated/validators';
import type { ConditionGroup } from '../../api/types';
import { maxAttributeName, singleMembers } from './fields';
import type { LogFilter } from './filter';
import type { QueryError, QueryProblem } from './problems';
import type { Span } from './tokens';

/** One value of a filter's member, or one condition, and where it stands. */
export interface Part extends Span {
  /** The field as the query has it, for problems. */
  readonly field: string;
  readonly value: unknown;
}

/** What a query says by the filter's members, before the contract's limits are looked at. */
export interface FilterBuilder {
  /** Those of `conditionGroup` are its conditions. */
  readonly members: Map<keyof LogFilter, Part[]>;
  /** How its conditions are joined. */
  match: ConditionGroup['match'];
}

/** A range that is valid: the range is no part of a filter, yet of what the contract describes. */
const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };

function toRequest({ members, match }: FilterBuilder): { filters: object } {
  const entries = [...members]
    .filter(([, parts]) => parts.length > 0)
    .map(([member, parts]): [string, unknown] => {
      const values = parts.map(({ value }) => value);
      if (member === 'conditionGroup') return [member, { match, conditions: values }];
      return [member, singleMembers.has(member) ? values[0] : values];
    });
  return { filters: { ...range, ...Object.fromEntries(entries) } };
}

/** The values that the contract allows a member, where it lists them. */
export function allowedValues(member: keyof LogFilter): readonly string[] {
  const part = { field: '', value: '', start: 0, end: 0 };
  if (LogQueryRequest(toRequest({ members: new Map([[member, [part]]]), match: 'and' }))) return [];
  return listOf(LogQueryRequest.errors?.[0]?.params['allowedValues']);
}

function listOf(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

/** The problem with a part in the words of a query; the contract knows the limits. */
function problemOf({ keyword, params }: Problem, { field, value }: Part): QueryProblem {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'maxItems':
      return { kind: 'tooMany', field, limit };
    case 'maxLength':
      return { kind: 'tooLong', field, limit };
    case 'enum':
      return { kind: 'unknownValue', field, value: String(value) };
    default:
      return { kind: 'form', field, value: String(value) };
  }
}

/** As `problemOf`, for a condition: the only form that it has to keep is that of its field. */
function conditionProblem({ keyword, params }: Problem, { field }: Part): QueryProblem {
  const limit = Number(params['limit']);
  if (keyword === 'maxItems') return { kind: 'tooManyConditions', limit };
  return { kind: 'tooLong', field, limit: keyword === 'pattern' ? maxAttributeName : limit };
}

/**
 * Takes what the validator complains about out of the draft: one value, or all beyond the limit of a
 * list. Its path is a JSON pointer such as `/filters/workloadIds/3`.
 */
function takeOut({ members }: FilterBuilder, problem: Problem): QueryError {
  const [, , member, ...path] = problem.instancePath.split('/');
  const isCondition = member === 'conditionGroup';
  const index = path[isCondition ? 1 : 0];
  const parts = [...members].find(([name]) => name === member)?.[1];
  const taken =
    problem.keyword === 'maxItems'
      ? parts?.splice(Number(problem.params['limit']))
      : parts?.splice(Number(index ?? 0), 1);
  const first = taken?.[0];
  const last = taken?.at(-1);
  // Only where contract and fields have drifted apart.
  if (!first || !last) throw new Error(`A query cannot say ${problem.instancePath}.`);
  return {
    start: first.start,
    end: last.end,
    problem: isCondition ? conditionProblem(problem, first) : problemOf(problem, first),
    allowed: listOf(problem.params['allowedValues']),
  };
}

/** Holds a draft against the contract: the filter, and what had to be taken out of it. */
export function toFilter(draft: FilterBuilder): { filter: LogFilter; errors: QueryError[] } {
  const errors: QueryError[] = [];
  for (;;) {
    const request: unknown = toRequest(draft);
    if (LogQueryRequest(request)) {
      const { from, to, ...filter } = request.filters;
      return { filter, errors };
    }
    for (const problem of LogQueryRequest.errors ?? []) errors.push(takeOut(draft, problem));
  }
}
