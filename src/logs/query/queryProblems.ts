import { nearest } from '../../base/nearest';
import type { Span } from './tokens';

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
  const meant = written === undefined ? undefined : nearest(written, allowed);
  // The field itself may be right, and what follows it wrong.
  if (written === undefined || meant?.toLowerCase() === written.toLowerCase()) return undefined;
  return meant === undefined ? undefined : { written, meant };
}

export interface QueryError extends Span {
  readonly problem: QueryProblem;
  /** The values, fields or operators that are allowed here; empty if there is no such list. */
  readonly allowed: readonly string[];
}
