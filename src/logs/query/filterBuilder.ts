import { LogQueryRequest, type Problem } from '../../api/generated/validators';
import type { ConditionGroup } from '../../api/types';
import { nearest, singular } from '../../base/textFormat';
import { maxAttributeName, singleMembers, type LogFilter } from './fields';
import type { Span } from './queryTokens';

/** A value of a filter member, or a condition, with its position in the query. */
export interface Part extends Span {
  /** The field as written in the query, for problems. */
  readonly field: string;
  readonly value: unknown;
}

/** The parts of a filter, before they are checked against the limits of the contract. */
export interface FilterBuilder {
  /** The parts of `conditionGroup` are its conditions. */
  readonly members: Map<keyof LogFilter, Part[]>;
  /** How the conditions are joined. */
  match: ConditionGroup['match'];
}

/** Any valid range: the contract requires one, but a filter has none. */
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

/** The values that the contract allows for a member; empty if it does not list them. */
export function allowedValues(member: keyof LogFilter): readonly string[] {
  const part = { field: '', value: '', start: 0, end: 0 };
  const request = toRequest({ members: new Map([[member, [part]]]), match: 'and' });
  return valuesOf(LogQueryRequest.problemOf(request));
}

function valuesOf(problem: Problem | undefined): readonly string[] {
  return problem?.keyword === 'enum' ? problem.values : [];
}

/** Translates a problem of the contract into one of the query. */
function queryProblem(problem: Problem, { field, value }: Part): QueryProblem {
  switch (problem.keyword) {
    case 'maxItems':
      return { kind: 'tooMany', field, limit: problem.limit };
    case 'maxLength':
      return { kind: 'tooLong', field, limit: problem.limit };
    case 'enum':
      return { kind: 'unknownValue', field, value: String(value) };
    default:
      return { kind: 'form', field, value: String(value) };
  }
}

/** Like `queryProblem`, for a condition. Its only pattern is that of its field. */
function conditionProblem(problem: Problem, { field }: Part): QueryProblem {
  const limit = 'limit' in problem ? problem.limit : maxAttributeName;
  if (problem.keyword === 'maxItems') return { kind: 'tooManyConditions', limit };
  return { kind: 'tooLong', field, limit };
}

/** Removes the parts that a problem is about: one value, or all values beyond the limit of a list. */
function removeParts({ members }: FilterBuilder, problem: Problem): QueryError {
  const [, member, ...path] = problem.path;
  const isCondition = member === 'conditionGroup';
  const index = path[isCondition ? 1 : 0];
  const parts = [...members].find(([name]) => name === member)?.[1];
  const removed =
    problem.keyword === 'maxItems'
      ? parts?.splice(problem.limit)
      : parts?.splice(Number(index ?? 0), 1);
  const first = removed?.[0];
  const last = removed?.at(-1);
  // Happens only if the contract and `queryFields` disagree.
  if (!first || !last) throw new Error(`A query cannot say ${problem.path.join('.')}.`);
  return {
    start: first.start,
    end: last.end,
    problem: isCondition ? conditionProblem(problem, first) : queryProblem(problem, first),
    allowed: valuesOf(problem),
  };
}

/** Makes a filter that the contract allows, and an error for each part that was removed. */
export function toFilter(builder: FilterBuilder): { filter: LogFilter; errors: QueryError[] } {
  const errors: QueryError[] = [];
  for (;;) {
    const request: unknown = toRequest(builder);
    if (LogQueryRequest(request)) {
      const { from, to, ...filter } = request.filters;
      return { filter, errors };
    }
    const problem = LogQueryRequest.problemOf(request);
    if (problem !== undefined) errors.push(removeParts(builder, problem));
  }
}

/** An error in a part of a query. Upper layers describe it. */
export type QueryProblem =
  | { readonly kind: 'unknownField'; readonly field: string }
  /** The field does not accept this operator. */
  | { readonly kind: 'operator'; readonly field: string; readonly operator: string }
  /** A minus is not allowed here. */
  | { readonly kind: 'negation'; readonly field: string }
  /** `attr` without the name of an attribute. */
  | { readonly kind: 'missingAttribute' }
  | { readonly kind: 'missingValue'; readonly field: string }
  /** The value is not one of `allowed`. */
  | { readonly kind: 'unknownValue'; readonly field: string; readonly value: string }
  /** The value is not an id in the form that the contract requires. */
  | { readonly kind: 'form'; readonly field: string; readonly value: string }
  /** The field accepts one value only. */
  | { readonly kind: 'onlyOne'; readonly field: string }
  | { readonly kind: 'tooMany'; readonly field: string; readonly limit: number }
  | { readonly kind: 'tooManyConditions'; readonly limit: number }
  /** `limit` is in characters. */
  | { readonly kind: 'tooLong'; readonly field: string; readonly limit: number }
  /** The exclusions leave no value. */
  | { readonly kind: 'nothingLeft'; readonly field: string }
  /** The field cannot be a condition, which `or` and parentheses need. */
  | { readonly kind: 'noCondition'; readonly field: string }
  /** `or` or `and` without a condition on both sides. */
  | { readonly kind: 'operand'; readonly word: string }
  /** Free text in parentheses. */
  | { readonly kind: 'textInGroup' }
  /** Some conditions would be joined by `and`, others by `or`. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'unclosedQuote' }
  | { readonly kind: 'unclosedGroup' }
  /** Text directly after a closing quote or parenthesis. */
  | { readonly kind: 'unexpectedText' }
  /** Not a valid time or, for `last`, not a valid duration. */
  | { readonly kind: 'time'; readonly field: string; readonly value: string }
  /** `last` together with `from` or `to`. */
  | { readonly kind: 'twoRanges' }
  /** `from` is after `to`. */
  | { readonly kind: 'reversed' };

/** What was probably meant by an unknown field or value. */
export function meantBy({
  problem,
  allowed,
}: QueryError): { readonly written: string; readonly meant: string } | undefined {
  const written =
    problem.kind === 'unknownField'
      ? problem.field
      : problem.kind === 'unknownValue'
        ? problem.value
        : undefined;
  const meant =
    written === undefined
      ? undefined
      : (nearest(written, allowed) ?? nearest(singular(written), allowed));
  // The field itself may be right, and what follows it wrong.
  if (written === undefined || meant?.toLowerCase() === written.toLowerCase()) return undefined;
  return meant === undefined ? undefined : { written, meant };
}

export interface QueryError extends Span {
  readonly problem: QueryProblem;
  /** The values, fields or operators that are allowed here; empty if there is no such list. */
  readonly allowed: readonly string[];
}
