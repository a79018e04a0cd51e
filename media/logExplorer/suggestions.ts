import type { Completions } from '../../src/logs/explorer/panel/messages';

type Item = Completions['items'][number];

/** Something that can be chosen below the bar. */
export type Suggestion =
  | { readonly kind: 'recent'; readonly query: string }
  | { readonly kind: 'item'; readonly item: Item };

/** Suggestions of one kind, one below the other. */
export interface SuggestionGroup {
  readonly kind: Suggestion['kind'];
  readonly suggestions: readonly Suggestion[];
}

/** How many recent queries stand above what can be typed. */
const shortRecent = 5;

/**
 * What to show for a place in a query: recent queries where nothing is typed, or where they alone are
 * wanted; else what can stand there.
 */
export function groupsOf(
  text: string,
  { items, recent }: Pick<Completions, 'items' | 'recent'>,
  onlyRecent: boolean,
): readonly SuggestionGroup[] {
  const isEmpty = text.trim() === '';
  const queries = onlyRecent ? recent : isEmpty ? recent.slice(0, shortRecent) : [];
  const groups: SuggestionGroup[] = [
    { kind: 'recent', suggestions: queries.map((query) => ({ kind: 'recent', query })) },
    {
      kind: 'item',
      suggestions: onlyRecent ? [] : items.map((item) => ({ kind: 'item', item })),
    },
  ];
  return groups.filter(({ suggestions }) => suggestions.length > 0);
}

/** The index after a step, which goes round; undefined stands for the bar itself. */
export function stepped(
  active: number | undefined,
  step: 1 | -1,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  if (active === undefined) return step === 1 ? 0 : count - 1;
  const next = active + step;
  return next < 0 || next >= count ? undefined : next;
}

/** Where the same is among others; undefined where it is not. */
export function indexOf(all: readonly Suggestion[], one: Suggestion): number | undefined {
  const index = all.findIndex((other) => textOf(other) === textOf(one) && other.kind === one.kind);
  return index === -1 ? undefined : index;
}

function textOf(suggestion: Suggestion): string {
  return suggestion.kind === 'recent' ? suggestion.query : suggestion.item.text;
}

/** A query after a suggestion was chosen. */
export interface Completed {
  readonly text: string;
  readonly caret: number;
  /** Whether it is likely that one goes on choosing right behind it. */
  readonly goesOn: boolean;
}

/** A place in a query, and what the query was when it was made. */
export interface Place extends Pick<Completions, 'start' | 'end'> {
  readonly text: string;
}

/**
 * Where a place is by now: what was typed there since belongs to it, since suggestions are a moment
 * later than the keys. Undefined where something else was typed, or somewhere else.
 */
export function placeNow({ text: before, start, end }: Place, text: string): Place | undefined {
  const behind = before.slice(end);
  const last = text.length - behind.length;
  const isThere = last >= start && text.startsWith(before.slice(0, start)) && text.endsWith(behind);
  const [then, now] = [before.slice(start, end), text.slice(start, last)];
  if (!isThere || !(now.startsWith(then) || then.startsWith(now))) return undefined;
  return /\s/.test(now.slice(then.length)) ? undefined : { text, start, end: last };
}

/** Puts a suggestion in the place it was made for. */
export function completed({ text, start, end }: Place, suggestion: Suggestion): Completed {
  if (suggestion.kind === 'recent') {
    return { text: suggestion.query, caret: suggestion.query.length, goesOn: false };
  }
  const { item } = suggestion;
  const goesOn = (item.kind === 'field' || item.kind === 'operator') && !item.text.endsWith('*');
  const behind = text.slice(end);
  const space = goesOn || behind.startsWith(' ') || item.kind !== 'word' ? '' : ' ';
  const before = text.slice(0, start) + item.text + space;
  return { text: before + behind, caret: before.length, goesOn };
}
