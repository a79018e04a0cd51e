import type { FilterBuilder, Part } from './filterBuilder';
import type { FieldMember, NameKind, TimeField } from './fields';
import type { LogFilter } from './filter';
import type { QueryError, QueryProblem } from './problems';
import type { Span, Text } from './tokens';

export interface UnresolvedName extends Span {
  readonly kind: NameKind;
  readonly name: string;
}

/** The ids that a name stands for: none, one or, where several share it, all of them. */
export type ResolveName = (kind: NameKind, name: string) => readonly string[];

/** What `last`, `from` or `to` was given. */
export interface TimePart extends Span {
  readonly field: TimeField;
  readonly text: string;
}

/** What a query was found to say so far. */
export interface ParseState {
  readonly resolve: ResolveName;
  readonly draft: FilterBuilder;
  readonly texts: Text[];
  readonly times: TimePart[];
  readonly unresolved: UnresolvedName[];
  readonly errors: QueryError[];
  /** Values of closed members that are not wanted. */
  readonly excluded: Map<FieldMember, Part[]>;
}

/** Nothing read yet. */
export function newParseState(resolve: ResolveName): ParseState {
  return {
    resolve,
    draft: { members: new Map(), match: 'and' },
    texts: [],
    times: [],
    unresolved: [],
    errors: [],
    excluded: new Map(),
  };
}

/** Notes what is wrong with a part of the query. */
export function report(
  { errors }: ParseState,
  { start, end }: Span,
  problem: QueryProblem,
  allowed: readonly string[] = [],
): void {
  errors.push({ start, end, problem, allowed });
}

/** The parts of a member, to add to. */
export function partsOf({ draft }: ParseState, member: keyof LogFilter): Part[] {
  const parts = draft.members.get(member) ?? [];
  draft.members.set(member, parts);
  return parts;
}
