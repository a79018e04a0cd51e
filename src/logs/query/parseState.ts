import type { FilterBuilder, Part } from './filterBuilder';
import type { FieldMember, NameKind, TimeField } from './fields';
import type { LogFilter } from './filter';
import type { QueryError, QueryProblem } from './queryProblems';
import type { Span, Text } from './tokens';

export interface UnresolvedName extends Span {
  readonly kind: NameKind;
  readonly name: string;
}

/** The ids that have a name: none, one, or several if they share it. */
export type ResolveName = (kind: NameKind, name: string) => readonly string[];

/** The value of `last`, `from` or `to`. */
export interface TimePart extends Span {
  readonly field: TimeField;
  readonly text: string;
}

/** The result of parsing so far. */
export interface ParseState {
  readonly resolve: ResolveName;
  readonly builder: FilterBuilder;
  readonly texts: Text[];
  readonly times: TimePart[];
  readonly unresolved: UnresolvedName[];
  readonly errors: QueryError[];
  /** Excluded values of closed members. */
  readonly excluded: Map<FieldMember, Part[]>;
}

/** An empty state. */
export function newParseState(resolve: ResolveName): ParseState {
  return {
    resolve,
    builder: { members: new Map(), match: 'and' },
    texts: [],
    times: [],
    unresolved: [],
    errors: [],
    excluded: new Map(),
  };
}

/** Adds an error for a part of the query. */
export function report(
  { errors }: ParseState,
  { start, end }: Span,
  problem: QueryProblem,
  allowed: readonly string[] = [],
): void {
  errors.push({ start, end, problem, allowed });
}

/** The mutable list of parts of a member. */
export function partsOf({ builder }: ParseState, member: keyof LogFilter): Part[] {
  const parts = builder.members.get(member) ?? [];
  builder.members.set(member, parts);
  return parts;
}
