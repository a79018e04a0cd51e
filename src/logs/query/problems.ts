import type { Span } from './tokens';

/** What is wrong with a part of a query; the layers above word it. */
export type QueryProblem =
  | { readonly kind: 'unknownField'; readonly field: string }
  /** The field does not take this operator. */
  | { readonly kind: 'operator'; readonly field: string; readonly operator: string }
  /** A minus before a field. */
  | { readonly kind: 'negation'; readonly field: string }
  /** `attr` without the name of an attribute. */
  | { readonly kind: 'missingAttribute' }
  | { readonly kind: 'missingValue'; readonly field: string }
  /** None of `allowed`. */
  | { readonly kind: 'unknownValue'; readonly field: string; readonly value: string }
  /** Not an id of the form that the contract gives the field. */
  | { readonly kind: 'form'; readonly field: string; readonly value: string }
  /** The field takes one value only. */
  | { readonly kind: 'onlyOne'; readonly field: string }
  | { readonly kind: 'tooMany'; readonly field: string; readonly limit: number }
  | { readonly kind: 'tooManyConditions'; readonly limit: number }
  /** `limit` is in characters. */
  | { readonly kind: 'tooLong'; readonly field: string; readonly limit: number }
  /** What is asked for and what is excluded leave no value. */
  | { readonly kind: 'nothingLeft'; readonly field: string }
  /** The field cannot be a condition, which `or` and parentheses are for. */
  | { readonly kind: 'noCondition'; readonly field: string }
  /** There are no conditions on both sides of `or` or `and`. */
  | { readonly kind: 'operand'; readonly word: string }
  /** Free text in parentheses. */
  | { readonly kind: 'textInGroup' }
  /** Some conditions would be joined by `and`, others by `or`. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'unclosedQuote' }
  | { readonly kind: 'unclosedGroup' }
  /** Text right behind a closing quote or parenthesis. */
  | { readonly kind: 'unexpectedText' }
  /** Not a time, or, for `last`, not a duration. */
  | { readonly kind: 'time'; readonly field: string; readonly value: string }
  /** `last` stands beside `from` or `to`. */
  | { readonly kind: 'twoRanges' }
  /** `from` lies after `to`. */
  | { readonly kind: 'reversed' };

export interface QueryError extends Span {
  readonly problem: QueryProblem;
  /** The values, fields or operators that could stand here; empty where there is no such list. */
  readonly allowed: readonly string[];
}
