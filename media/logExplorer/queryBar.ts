import type { QueryModel } from '../../src/logs/explorer/protocol/messages';
import { element, setAttribute } from './dom';
import type { PageContext } from './pageQuery';
import { piecesOf, type CellSpan } from './rowCells';
import {
  comboBox,
  completed,
  createSuggestionList,
  groupsOf,
  type CompletionSpan,
  currentSpan,
  firstCompletion,
  type Suggestion,
} from './suggestions';
import { makeUndoable } from './undoHistory';

export interface QueryBar {
  readonly element: HTMLElement;
  focus(): void;
  /** Whether the query is longer than the query bar. */
  isCut(): boolean;
  /** Calls back when the size of the query bar changes. */
  onResize(listener: () => void): void;
  /** Undoes or redoes the last change of the query. @returns whether there was one. */
  step(direction: 'undo' | 'redo'): boolean;
  /** Shows a query; earlier ones can no longer be brought back. */
  restart(query: string): void;
}

/** The delay after typing before completions are requested, in milliseconds. */
const completeAfter = 60;

/** The delay after typing before errors at the cursor are shown, in milliseconds. */
const restsAfter = 1500;

const errorsId = 'query-errors';

/**
 * Creates the query bar with its completions and errors.
 *
 * @param onRun moves the focus on when the user runs a query without errors.
 */
export function createQueryBar({ ask, search, strings }: PageContext, onRun: () => void): QueryBar {
  const mirror = element('div', { class: 'mirror', attributes: { 'aria-hidden': 'true' } });
  const input = element('input', {
    class: 'query',
    attributes: {
      ...comboBox,
      type: 'text',
      'aria-label': strings('query.label'),
      placeholder: strings('query.placeholder'),
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      // The maximum length that the panel accepts.
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
  const list = createSuggestionList(input, strings, (suggestion) => choose(suggestion));
  const box = element('div', { class: 'query-box' }, mirror, input, list.element);
  const bar = element('div', { class: 'query-bar' }, box, errors);

  let place: CompletionSpan = { text: '', start: 0, end: 0 };
  /** The latest of the questions what can stand somewhere; answers to others count for nothing. */
  let question = 0;
  let isTyping = false;
  let shownErrors = '';
  let soon: ReturnType<typeof setTimeout> | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const draw = (): void => {
    if (input.value !== search.text) undoable.put(search.text);
    const caret = isTyping ? (input.selectionEnd ?? undefined) : undefined;
    const shown = errorsToShow(search.errors, caret);
    mirror.replaceChildren(
      ...piecesOf(search.text, [], shown.map(wrongSpan)).map(({ text, style }) =>
        element('span', { text, ...(style === '' ? {} : { class: style }) }),
      ),
    );
    mirror.scrollLeft = input.scrollLeft;
    const isNoted = !isTyping && search.errors.length === 0 && search.parsed.text === search.text;
    const note = isNoted ? search.parsed.note : undefined;
    const messages = [
      ...shown.map(({ start, message }) => strings('query.errorAt', start + 1, message)),
      ...(note === undefined ? [] : [note.message]),
    ];
    const fixes = [...shown, ...(note === undefined ? [] : [note])].flatMap(({ fix }) => fix ?? []);
    errors.classList.toggle('note', note !== undefined);
    const key = JSON.stringify([messages, fixes]);
    if (key !== shownErrors) {
      shownErrors = key;
      errors.replaceChildren(
        messages.join(' '),
        ...fixes.flatMap(({ label, text }) => [
          ' ',
          element('button', {
            class: 'link',
            text: label,
            attributes: { type: 'button' },
            onClick() {
              undoable.put(text);
              search.type(text);
              input.focus();
            },
          }),
        ]),
      );
    }
    setAttribute(input, 'aria-invalid', shown.length > 0 ? 'true' : undefined);
    setAttribute(input, 'aria-describedby', messages.length > 0 ? errorsId : undefined);
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
    // All recent queries are shown, whatever the text is.
    const text = onlyRecent ? '' : value;
    const offset = onlyRecent ? 0 : (selectionEnd ?? value.length);
    // After an error there are just no completions.
    const found = await ask('complete', { text, offset }).catch(() => undefined);
    if (asked !== question || found === undefined || !input.matches(':focus')) return;
    place = { text: value, start: found.start, end: found.end };
    list.show(groupsOf(value, found, onlyRecent));
  };
  const choose = (suggestion: Suggestion): void => {
    const now = suggestion.kind === 'recent' ? place : currentSpan(place, input.value);
    // The completion is for another text; new ones arrive in a moment.
    if (now === undefined) return;
    const { text, caret, continues } = completed(now, suggestion);
    undoable.put(text, caret);
    close();
    search.type(text);
    if (continues) void suggest(false);
  };
  const run = (): void => {
    close();
    stopTyping();
    void search.run().then(() => {
      if (search.errors.length === 0 && input.matches(':focus')) onRun();
    });
  };

  input.addEventListener('input', () => {
    isTyping = true;
    list.rest();
    clearTimeout(rest);
    rest = setTimeout(() => {
      // The user is still choosing a completion.
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
  /** @returns whether the key was handled. */
  const handle = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || shiftKey) return false;
    const { active } = list;
    switch (key) {
      case 'Enter':
        if (active === undefined) run();
        else choose(active);
        return true;
      case 'Tab': {
        const wanted = active ?? firstCompletion(list.shown, currentSpan(place, input.value));
        if (wanted !== undefined) choose(wanted);
        return wanted !== undefined;
      }
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
  // An error is shown where it can be fixed.
  search.onBlocked(() => {
    stopTyping();
    draw();
    input.focus();
  });
  draw();
  return {
    element: bar,
    focus: () => input.focus(),
    isCut: () => input.scrollWidth > input.clientWidth,
    onResize: (listener) => new ResizeObserver(listener).observe(input),
    step: (direction) => undoable.step(direction),
    restart: (query) => undoable.restart(query),
  };
}

type QueryError = QueryModel['errors'][number];

function wrongSpan({ start, end }: QueryError): CellSpan {
  return [start, end, 'wrong'];
}

/**
 * The errors to show while the user types: the term at the cursor is not complete yet.
 *
 * @param caret the position of the cursor; undefined if the user is not typing.
 */
export function errorsToShow(
  errors: readonly QueryError[],
  caret: number | undefined,
): readonly QueryError[] {
  return caret === undefined ? errors : errors.filter(({ end }) => end < caret);
}
