import { LogQueryRequest } from '../../api/generated/validators';
import type { Problem } from '../../api/generated/validators';
import type { LogFilter } from './filter';
import type { QueryError, QueryProblem } from './problems';
import type { Span } from './tokens';

/** One value of a filter's member and where it stands. */
export interface Part extends Span {
  /** The field as the query has it, for problems. */
  readonly field: string;
  readonly value: unknown;
}

/** What a query says by the filter's members, before the contract's limits are looked at. */
export type Draft = Map<string, Part[]>;

const single: ReadonlySet<string> = new Set<keyof LogFilter>(['search', 'stream', 'traceId']);

/** A range that is valid: the range is no part of a filter, yet of what the contract describes. */
const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };

function toRequest(draft: Draft): { filters: object } {
  const members = [...draft]
    .filter(([, parts]) => parts.length > 0)
    .map(([member, parts]) => {
      const values = parts.map(({ value }) => value);
      return [member, single.has(member) ? values[0] : values] as const;
    });
  return { filters: { ...range, ...Object.fromEntries(members) } };
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

/**
 * Takes what the validator complains about out of the draft: one value, or all beyond the limit of a
 * list. Its path is a JSON pointer such as `/filters/workloadIds/3`.
 */
function takeOut(draft: Draft, problem: Problem): QueryError {
  const [, , member, index] = problem.instancePath.split('/');
  const { limit, allowedValues } = problem.params;
  const parts = draft.get(String(member));
  const taken =
    problem.keyword === 'maxItems'
      ? parts?.splice(Number(limit))
      : parts?.splice(Number(index ?? 0), 1);
  const first = taken?.[0];
  const last = taken?.at(-1);
  // Only where contract and fields have drifted apart.
  if (!first || !last) throw new Error(`A query cannot say ${problem.instancePath}.`);
  return {
    start: first.start,
    end: last.end,
    problem: problemOf(problem, first),
    allowed: Array.isArray(allowedValues) ? allowedValues.map(String) : [],
  };
}

/** Holds a draft against the contract: the filter, and what had to be taken out of it. */
export function toFilter(draft: Draft): { filter: LogFilter; errors: QueryError[] } {
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
