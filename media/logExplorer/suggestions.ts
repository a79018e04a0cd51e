import { html, type TemplateResult } from 'lit';
import type { QueryCompletions } from '../../src/logs/explorer/protocol/messages';
import type { Strings } from './panel';

type Item = QueryCompletions['items'][number];

/** A suggestion below the query bar. */
export type Suggestion =
  | { readonly kind: 'recent'; readonly query: string }
  | { readonly kind: 'item'; readonly item: Item };

/** Suggestions of one kind. */
interface SuggestionGroup {
  readonly kind: Suggestion['kind'];
  readonly suggestions: readonly Suggestion[];
}

/** How many recent queries are shown above the completions. */
const shortRecent = 5;

/**
 * The suggestions for a position in a query: recent queries if it is empty or if only they are wanted;
 * otherwise completions.
 */
export function groupsOf(
  text: string,
  { items, recent }: Pick<QueryCompletions, 'items' | 'recent'>,
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

/** The index after a step. The step after the last is undefined, which means the query bar. */
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

/** The index of an equal suggestion; undefined if there is none. */
export function indexOf(all: readonly Suggestion[], one: Suggestion): number | undefined {
  const index = all.findIndex((other) => textOf(other) === textOf(one) && other.kind === one.kind);
  return index === -1 ? undefined : index;
}

function textOf(suggestion: Suggestion): string {
  return suggestion.kind === 'recent' ? suggestion.query : suggestion.item.text;
}

/** The query after a suggestion was chosen. */
interface Completed {
  readonly text: string;
  readonly caret: number;
  /** Whether to show completions right after it. */
  readonly continues: boolean;
}

/** The span of a completion, with the query that it was requested for. */
export interface CompletionSpan extends Pick<QueryCompletions, 'start' | 'end'> {
  readonly text: string;
}

/**
 * The span of a completion in the current text: completions arrive a moment after the keys, so text that
 * was typed there since belongs to it. Undefined if the text changed in another way.
 */
export function currentSpan(
  { text: before, start, end }: CompletionSpan,
  text: string,
): CompletionSpan | undefined {
  const behind = before.slice(end);
  const last = text.length - behind.length;
  const isThere = last >= start && text.startsWith(before.slice(0, start)) && text.endsWith(behind);
  const [then, now] = [before.slice(start, end), text.slice(start, last)];
  if (!isThere || !(now.startsWith(then) || then.startsWith(now))) return undefined;
  return /\s/.test(now.slice(then.length)) ? undefined : { text, start, end: last };
}

export function completed({ text, start, end }: CompletionSpan, suggestion: Suggestion): Completed {
  if (suggestion.kind === 'recent') {
    return { text: suggestion.query, caret: suggestion.query.length, continues: false };
  }
  const { item } = suggestion;
  const continues = (item.kind === 'field' || item.kind === 'operator') && !item.text.endsWith('*');
  const behind = text.slice(end);
  const space = continues || behind.startsWith(' ') || item.kind !== 'word' ? '' : ' ';
  const before = text.slice(0, start) + item.text + space;
  return { text: before + behind, caret: before.length, continues };
}

/**
 * What Tab takes if no suggestion is active: the first completion of the word that was begun. From a whole word it moves
 * on. Those that are shown may be for fewer letters.
 */
export function firstCompletion(
  all: readonly Suggestion[],
  span: CompletionSpan | undefined,
): Suggestion | undefined {
  if (span === undefined || span.start === span.end) return undefined;
  const typed = span.text.slice(span.start, span.end).toLowerCase();
  const first = all.find(
    (one) => one.kind === 'item' && one.item.label.toLowerCase().includes(typed),
  );
  return first === undefined || completed(span, first).text === span.text ? undefined : first;
}

/** The list below the query bar while it is open. The focus stays in the bar, which names the active suggestion. */
export interface OpenSuggestions {
  readonly groups: readonly SuggestionGroup[];
  /** Those of all groups. */
  readonly all: readonly Suggestion[];
  /** The index of the active one. */
  readonly active: number | undefined;
}

/**
 * Shows these suggestions, if there are any.
 *
 * @param before the one that was active, which stays active.
 */
export function openWith(
  groups: readonly SuggestionGroup[],
  before: Suggestion | undefined,
): OpenSuggestions | undefined {
  const all = groups.flatMap(({ suggestions }) => suggestions);
  return all.length === 0 ? undefined : { groups, all, active: before && indexOf(all, before) };
}

/** The ids connect the query bar with the list. */
export const suggestionsId = 'suggestions';

export function suggestionId(index: number): string {
  return `suggestion-${index}`;
}

/** @param choose called with the suggestion that was clicked. */
export function suggestionsTemplate(
  open: OpenSuggestions | undefined,
  strings: Strings,
  choose: (suggestion: Suggestion) => void,
): TemplateResult {
  const option = (suggestion: Suggestion): TemplateResult => {
    const index = open?.all.indexOf(suggestion) ?? -1;
    return html`<div
      class="suggestion"
      id=${suggestionId(index)}
      role="option"
      aria-selected=${index === open?.active}
      @click=${() => choose(suggestion)}
    >
      ${partsOf(suggestion)}
    </div>`;
  };
  const group = ({ kind, suggestions }: SuggestionGroup): TemplateResult => {
    const label = strings(kind === 'recent' ? 'query.recent' : 'query.canStandHere');
    return html`<div role="group" aria-label=${label}>
      <div class="heading" aria-hidden="true">${label}</div>
      ${suggestions.map(option)}
    </div>`;
  };
  // The focus stays in the bar.
  const keepFocus = (event: Event): void => event.preventDefault();
  return html`<div
    class="suggestions"
    id=${suggestionsId}
    role="listbox"
    aria-label=${strings('query.suggestions')}
    ?hidden=${open === undefined}
    @mousedown=${keepFocus}
  >
    ${open?.groups.map(group)}
  </div>`;
}

function partsOf(suggestion: Suggestion): TemplateResult {
  if (suggestion.kind === 'recent') return html`<span>${suggestion.query}</span>`;
  const { label, detail } = suggestion.item;
  return html`<span>${label}</span>${detail && html`<span class="detail">${detail}</span>`}`;
}
