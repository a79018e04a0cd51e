import { day } from '../../base/clock';
import { canonicalFilter } from '../query/narrow';
import type { LogFilter } from '../query/filter';
import type { NameOf } from '../query/print';
import { printSearch, type SearchQuery, windowOf } from '../query/searchQuery';
import type { When } from '../query/timeExpression';
import type { Span } from './histogram';

/** A search whose range is fixed, since it is compared with another one. */
export interface ComparedSearch {
  readonly filter: LogFilter;
  readonly range: Span;
}

/** What is compared, and what with. */
export interface ComparedPair {
  readonly now: ComparedSearch;
  readonly before: ComparedSearch;
}

/** The search at this time; undefined if its range ends before it begins. */
export function fixedSearch(
  { filter, range }: SearchQuery,
  when: When,
): ComparedSearch | undefined {
  const window = windowOf(range, when);
  if (window === undefined) return undefined;
  return { filter, range: { from: Date.parse(window.from), to: Date.parse(window.to) } };
}

/** The query of a search, which finds the same records at any time. */
export function queryOfSide({ filter, range }: ComparedSearch, nameOf?: NameOf): string {
  const { from, to } = range;
  const fixed = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return printSearch({ filter, range: fixed }, nameOf);
}

/** Other times to compare with. */
export const otherTimes = ['periodBefore', 'dayBefore', 'weekBefore'] as const;
export type OtherTime = (typeof otherTimes)[number];

/** The range at another time, of the same length. Ranges include their end. */
export function rangeBefore({ from, to }: Span, which: OtherTime): Span {
  const back = { periodBefore: to - from + 1, dayBefore: day, weekBefore: 7 * day }[which];
  return { from: from - back, to: to - back };
}

/** Whether a range can be compared with the one at another time: they must not overlap. */
export function canShift({ from, to }: Span, which: OtherTime): boolean {
  return which === 'periodBefore' || to - from < (which === 'dayBefore' ? day : 7 * day);
}

/**
 * The ranges of the other side: what both would have counts for the first side only, so that a part can be
 * compared with the rest. Oldest first; empty if there is no rest.
 */
export function rangesOfOther({ now, before }: ComparedPair): readonly Span[] {
  if (keyOf(now.filter) !== keyOf(before.filter)) return [before.range];
  const { from, to } = before.range;
  const rest = [
    { from, to: Math.min(to, now.range.from - 1) },
    { from: Math.max(from, now.range.to + 1), to },
  ];
  return rest.filter((one) => one.from <= one.to);
}

function keyOf(filter: LogFilter): string {
  const members = Object.entries(canonicalFilter(filter));
  return JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
