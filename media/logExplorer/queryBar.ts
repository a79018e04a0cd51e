import '@vscode-elements/elements/dist/vscode-button/index.js';
import { element, setAttribute, setText } from './dom';
import type { Panel } from './panel';
import { errorsToShow, piecesOf } from './queryErrors';
import type { Search } from './search';
import { comboBox, createSuggestionList } from './suggestionList';
import { completed, groupsOf, placeNow, type Place, type Suggestion } from './suggestions';
import { makeUndoable } from './undoableInput';
import type { Words } from './words';

export interface QueryBar {
  readonly element: HTMLElement;
  focus(): void;
  /** Takes back what changed the query last, or does it again. @returns whether there was something. */
  step(direction: 'undo' | 'redo'): boolean;
}

/** How long typing rests before what can stand there is asked for, in milliseconds. */
const completeAfter = 60;

/** How long typing rests before even what is being typed is called wrong, in milliseconds. */
const restsAfter = 1500;

const errorsId = 'query-errors';

/** The bar that the query is typed in, with what can stand in it and what is wrong with it. */
export function createQueryBar(search: Search, ask: Panel['ask'], words: Words): QueryBar {
  const mirror = element('div', { class: 'mirror', attributes: { 'aria-hidden': 'true' } });
  const input = element('input', {
    class: 'query',
    attributes: {
      ...comboBox,
      type: 'text',
      'aria-label': words('query.label'),
      placeholder: words('query.placeholder'),
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      // The longest text that the panel reads.
      maxlength: '65536',
    },
  });
  input.value = search.text;
  const undoable = makeUndoable(input, () => {
    close();
    search.type(input.value);
    stopTyping();
  });
  const errors = element('div', { class: 'query-errors', attributes: { id: errorsId } });
  const list = createSuggestionList(input, words, (suggestion) => choose(suggestion));
  const box = element('div', { class: 'query-box' }, mirror, input, list.element);
  const bar = element('div', { class: 'query-bar' }, box, errors);

  let place: Place = { text: '', start: 0, end: 0 };
  /** The latest of the questions what can stand somewhere; answers to others count for nothing. */
  let question = 0;
  let isTyping = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const draw = (): void => {
    if (input.value !== search.text) undoable.put(search.text);
    const caret = isTyping ? (input.selectionEnd ?? undefined) : undefined;
    const shown = errorsToShow(search.errors, caret);
    mirror.replaceChildren(
      ...piecesOf(search.text, shown).map(({ text, isWrong }) =>
        element('span', { text, ...(isWrong ? { class: 'wrong' } : {}) }),
      ),
    );
    mirror.scrollLeft = input.scrollLeft;
    const messages = shown.map(({ start, message }) => words('query.errorAt', start + 1, message));
    setText(errors, messages.join(' '));
    setAttribute(input, 'aria-invalid', shown.length > 0 ? 'true' : undefined);
    setAttribute(input, 'aria-describedby', shown.length > 0 ? errorsId : undefined);
  };
  const stopTyping = (): void => {
    clearTimeout(rest);
    if (!isTyping) return;
    isTyping = false;
    draw();
  };
  const close = (): void => {
    clearTimeout(soon);
    question++;
    list.close();
  };
  const suggest = async (onlyRecent: boolean): Promise<void> => {
    const asked = ++question;
    const { value, selectionEnd } = input;
    // All recent queries can be had, whatever is typed.
    const text = onlyRecent ? '' : value;
    const offset = onlyRecent ? 0 : (selectionEnd ?? value.length);
    // Nothing to choose from is all that a failure comes to.
    const found = await ask('complete', { text, offset }).catch(() => undefined);
    if (asked !== question || found === undefined || !input.matches(':focus')) return;
    place = { text: value, start: found.start, end: found.end };
    list.show(groupsOf(value, found, onlyRecent));
  };
  const choose = (suggestion: Suggestion): void => {
    const now = suggestion.kind === 'recent' ? place : placeNow(place, input.value);
    // What is offered is not for what stands there now: what is comes in a moment.
    if (now === undefined) return;
    const { text, caret, goesOn } = completed(now, suggestion);
    undoable.put(text, caret);
    close();
    search.type(text);
    if (goesOn) void suggest(false);
  };
  const run = (): void => {
    close();
    stopTyping();
    void search.run();
  };

  input.addEventListener('input', () => {
    isTyping = true;
    list.rest();
    clearTimeout(rest);
    rest = setTimeout(() => {
      // Who still chooses is not done.
      if (!list.isOpen) stopTyping();
    }, restsAfter);
    search.type(input.value);
    clearTimeout(soon);
    soon = setTimeout(() => void suggest(false), completeAfter);
  });
  input.addEventListener('scroll', () => (mirror.scrollLeft = input.scrollLeft));
  input.addEventListener('click', () => {
    if (input.value === '' && !list.isOpen) void suggest(false);
    else close();
  });
  input.addEventListener('blur', () => {
    close();
    stopTyping();
  });
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (handle(event)) event.preventDefault();
  });
  /** @returns whether the key has done what it is for. */
  const handle = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || shiftKey) return false;
    const { active } = list;
    switch (key) {
      case 'Enter':
        if (active === undefined) run();
        else choose(active);
        return true;
      case 'Tab':
        if (active !== undefined) choose(active);
        return active !== undefined;
      case 'Escape':
        close();
        stopTyping();
        return true;
      case 'ArrowDown':
        if (list.isOpen) list.move(1);
        else void suggest(false);
        return true;
      case 'ArrowUp':
        if (list.isOpen && !altKey) list.move(-1);
        else void suggest(true);
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        close();
        stopTyping();
        return false;
      default:
        return false;
    }
  };
  search.onChange(draw);
  // Who is stopped by an error hears of it where it can be mended.
  search.onBlocked(() => {
    stopTyping();
    draw();
    input.focus();
  });
  draw();
  return {
    element: bar,
    focus: () => input.focus(),
    step: (direction) => undoable.step(direction),
  };
}
