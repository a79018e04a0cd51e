import type { Condition, ConditionGroup } from '../../api/types';
import type { Part } from './filterBuilder';
import { report, type ParseState } from './parseState';
import type { Span } from './tokens';

/** Conditions joined by one word. For a single condition either word is correct. */
export interface Group extends Span {
  readonly match: ConditionGroup['match'];
  readonly parts: readonly Part[];
}

/** A value of a condition, with its position. */
export interface Operand extends Span {
  readonly value: string;
}

/** Makes one condition for each operand: joined by `or`, or by `and` if the operator is negative. */
export function conditionsOn(
  { start, end }: Span,
  field: string,
  name: string,
  operator: Condition['operator'],
  operands: readonly Operand[],
): Group {
  return {
    match: operator.startsWith('not_') ? 'and' : 'or',
    parts: operands.map((operand) => ({
      field,
      value: { field: name, operator, value: operand.value } satisfies Condition,
      start: operand.start,
      end: operand.end,
    })),
    start,
    end,
  };
}

/**
 * Joins groups into one, because the contract has no nested groups. Reports groups that are joined by the
 * other word.
 */
export function join(
  state: ParseState,
  match: Group['match'],
  groups: readonly Group[],
): Group | undefined {
  const [first, ...more] = groups;
  const last = more.at(-1);
  if (first === undefined || last === undefined) return first;
  for (const group of groups) {
    if (group.parts.length > 1 && group.match !== match) report(state, group, { kind: 'mixed' });
  }
  const parts = groups.flatMap((group) => group.parts);
  return { match, parts, start: first.start, end: last.end };
}
