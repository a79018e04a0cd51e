import { element, setAttribute } from './dom';
import { indexOf, stepped, type Suggestion, type SuggestionGroup } from './suggestions';
import type { Words } from './words';

/** The list below the bar, which never has the focus itself: the bar says what is active in it. */
export interface SuggestionList {
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
  words: Words,
  choose: (suggestion: Suggestion) => void,
): SuggestionList {
  const list = element('div', {
    class: 'suggestions',
    attributes: { id, role: 'listbox', 'aria-label': words('query.suggestions') },
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
        const label = words(kind === 'recent' ? 'query.recent' : 'query.canStandHere');
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
