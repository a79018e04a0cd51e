import type { QueryCompletions } from '../../src/logs/explorer/protocol/messages';
import { element, setAttribute } from './dom';
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

/** The list below the query bar. The focus stays in the bar, which names the active suggestion. */
interface SuggestionList {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  readonly active: Suggestion | undefined;
  /** Those that are shown. */
  readonly shown: readonly Suggestion[];
  /** Shows other suggestions; the active one stays active. */
  show(groups: readonly SuggestionGroup[]): void;
  move(step: 1 | -1): void;
  /** Makes no suggestion active, because the user is typing. */
  rest(): void;
  close(): void;
}

const id = 'suggestions';

/**
 * @param input the query bar.
 * @param choose called with the suggestion that was clicked.
 */
export function createSuggestionList(
  input: HTMLInputElement,
  strings: Strings,
  choose: (suggestion: Suggestion) => void,
): SuggestionList {
  const list = element('div', {
    class: 'suggestions',
    attributes: { id, role: 'listbox', 'aria-label': strings('query.suggestions') },
  });
  list.hidden = true;
  // The focus stays in the bar.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  let shown: readonly Suggestion[] = [];
  let options: readonly HTMLElement[] = [];
  let active: number | undefined;

  const activate = (next: number | undefined): void => {
    if (active !== undefined) options[active]?.setAttribute('aria-selected', 'false');
    active = next;
    const option = next === undefined ? undefined : options[next];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    setAttribute(input, 'aria-activedescendant', option?.id);
  };
  const optionOf = (suggestion: Suggestion): HTMLElement => {
    const index = shown.indexOf(suggestion);
    return element(
      'div',
      {
        class: 'suggestion',
        attributes: { id: `suggestion-${index}`, role: 'option', 'aria-selected': 'false' },
        onClick: () => choose(suggestion),
      },
      ...partsOf(suggestion),
    );
  };

  return {
    element: list,
    get isOpen() {
      return !list.hidden;
    },
    get active() {
      return active === undefined ? undefined : shown[active];
    },
    get shown() {
      return list.hidden ? [] : shown;
    },
    show(groups) {
      const before = active === undefined ? undefined : shown[active];
      shown = groups.flatMap(({ suggestions }) => suggestions);
      const made = groups.map(({ kind, suggestions }) => {
        const label = strings(kind === 'recent' ? 'query.recent' : 'query.canStandHere');
        return element(
          'div',
          { attributes: { role: 'group', 'aria-label': label } },
          element('div', { class: 'heading', text: label, attributes: { 'aria-hidden': 'true' } }),
          ...suggestions.map(optionOf),
        );
      });
      list.replaceChildren(...made);
      options = [...list.querySelectorAll<HTMLElement>('[role=option]')];
      list.scrollTop = 0;
      list.hidden = shown.length === 0;
      input.setAttribute('aria-expanded', String(!list.hidden));
      activate(before && indexOf(shown, before));
    },
    move: (step) => activate(stepped(active, step, shown.length)),
    rest: () => activate(undefined),
    close() {
      if (list.hidden) return;
      list.hidden = true;
      input.setAttribute('aria-expanded', 'false');
      activate(undefined);
    },
  };
}

function partsOf(suggestion: Suggestion): readonly HTMLElement[] {
  if (suggestion.kind === 'recent') return [element('span', { text: suggestion.query })];
  const { label, detail } = suggestion.item;
  return [
    element('span', { text: label }),
    ...(detail === undefined ? [] : [element('span', { class: 'detail', text: detail })]),
  ];
}

/** The attributes that connect the query bar with the list. */
export const comboBox = {
  role: 'combobox',
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  'aria-expanded': 'false',
  'aria-controls': id,
} as const;
