import type { QueryCompletions } from '../../src/logs/explorer/panel/messages';
import { element, setAttribute } from './dom';
import type { Strings } from './strings';

type Item = QueryCompletions['items'][number];

/** Something that can be chosen below the bar. */
export type Suggestion =
  | { readonly kind: 'recent'; readonly query: string }
  | { readonly kind: 'item'; readonly item: Item };

/** Suggestions of one kind, one below the other. */
interface SuggestionGroup {
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
interface Completed {
  readonly text: string;
  readonly caret: number;
  /** Whether it is likely that one goes on choosing right behind it. */
  readonly goesOn: boolean;
}

/** A place in a query, and what the query was when it was made. */
export interface CompletionSpan extends Pick<QueryCompletions, 'start' | 'end'> {
  readonly text: string;
}

/**
 * Where a place is by now: what was typed there since belongs to it, since suggestions are a moment
 * later than the keys. Undefined where something else was typed, or somewhere else.
 */
export function placeNow(
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

/** Puts a suggestion in the place it was made for. */
export function completed({ text, start, end }: CompletionSpan, suggestion: Suggestion): Completed {
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

/** The list below the bar, which never has the focus itself: the bar says what is active in it. */
interface SuggestionList {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  readonly active: Suggestion | undefined;
  /** Shows these; what was active among those before is active among these, too. */
  show(groups: readonly SuggestionGroup[]): void;
  move(step: 1 | -1): void;
  /** Nothing is active any more: who goes on typing has not chosen. */
  rest(): void;
  close(): void;
}

const id = 'suggestions';

/**
 * @param input is the bar, which the list belongs to.
 * @param choose is told which one was clicked.
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

/** The attributes that make a bar the owner of the list. */
export const comboBox = {
  role: 'combobox',
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  'aria-expanded': 'false',
  'aria-controls': id,
} as const;
