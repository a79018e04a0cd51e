import { join } from './conditions';
import type { LogFilter } from './filter';
import { toFilter } from './filterBuilder';
import {
  newParseState,
  partsOf,
  type ParseState,
  report,
  type ResolveName,
  type TimePart,
  type UnresolvedName,
} from './parseState';
import { type QueryError } from './queryProblems';
import { readTerms, searchField } from './readTerms';
import { applyExclusions, dropRepeated } from './readValues';
import { tokenize } from './tokens';

export type { NameKind } from './fields';
export type { QueryError, QueryProblem } from './queryProblems';
export type { ResolveName, TimePart, UnresolvedName } from './parseState';

type QueryResult =
  | {
      readonly ok: true;
      readonly filter: LogFilter;
      /** The values of `last`, `from` and `to`. An error if the query cannot have a range. */
      readonly times: readonly TimePart[];
      /**
       * Names without an id. The filter does not contain them and matches more than intended: resolve
       * them before you use it.
       */
      readonly unresolved: readonly UnresolvedName[];
    }
  | {
      readonly ok: false;
      readonly times: readonly TimePart[];
      readonly errors: readonly QueryError[];
    };

/** Longer than any printed filter that the contract allows. In UTF-16 units. */
export const maxQueryLength = 65_536;

/**
 * Compiles a query such as `severity:error,fatal workload:web-api attr.user=42 "free text"`. Words and
 * quoted text are free text. A name directly before an operator is always a field. Values of one field
 * are alternatives.
 */
export function parseQuery(query: string, resolve: ResolveName = () => []): QueryResult {
  const state = newParseState(resolve);
  const { errors, times, unresolved } = state;
  if (query.length > maxQueryLength) {
    const span = { start: maxQueryLength, end: query.length };
    report(state, span, { kind: 'tooLong', field: 'query', limit: maxQueryLength });
    return { ok: false, times, errors };
  }
  const { terms, unclosed, unclosedGroups, unexpected } = tokenize(query);
  const group = join(state, 'and', readTerms(state, terms, false));
  if (group !== undefined) {
    partsOf(state, 'conditionGroup').push(...group.parts);
    state.builder.match = group.parts.length > 1 ? group.match : 'and';
  }
  takeTexts(state);
  dropRepeated(state);
  applyExclusions(state);
  for (const span of unclosed) report(state, span, { kind: 'unclosedQuote' });
  for (const span of unclosedGroups) report(state, span, { kind: 'unclosedGroup' });
  for (const span of unexpected) report(state, span, { kind: 'unexpectedText' });

  const { filter, errors: broken } = toFilter(state.builder);
  errors.push(...broken);
  if (errors.length === 0) return { ok: true, filter, times, unresolved };
  return { ok: false, times, errors: errors.sort((a, b) => a.start - b.start) };
}

function takeTexts(state: ParseState): void {
  const { texts } = state;
  const [first] = texts;
  const value = texts.map(({ text }) => text).join(' ');
  if (first === undefined || value === '') return;
  const end = texts.at(-1)?.end ?? first.end;
  partsOf(state, 'search').push({ field: searchField, value, start: first.start, end });
}
