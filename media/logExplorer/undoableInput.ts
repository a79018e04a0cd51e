import { changeOf, createUndoing, undoKeyOf, type TextSelection, type TextState } from './undoing';

/** The text of an input, which can be taken back whoever has changed it. */
export interface UndoableInput {
  /** Puts a text into the input by other means than typing. */
  put(text: string, caret?: number): void;
  /** @returns whether there was something to go back or forward to. */
  step(direction: 'undo' | 'redo'): boolean;
}

/**
 * @param onStep is told that the text is one of before, or is so again.
 */
export function makeUndoable(input: HTMLInputElement, onStep: () => void): UndoableInput {
  const undoing = createUndoing(input.value);
  const selection = (): TextSelection => {
    const { selectionStart, selectionEnd, value } = input;
    return { start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
  };
  let before: TextSelection | undefined;

  const show = ({ text, start, end }: TextState): void => {
    input.value = text;
    input.setSelectionRange(start, end);
    onStep();
  };
  const step = (direction: 'undo' | 'redo'): boolean => {
    const state = direction === 'undo' ? undoing.undo() : undoing.redo();
    if (state !== undefined) show(state);
    return state !== undefined;
  };
  const browserSteps = new Map<string, 'undo' | 'redo'>([
    ['historyUndo', 'undo'],
    ['historyRedo', 'redo'],
  ]);
  input.addEventListener('beforeinput', () => (before = selection()));
  input.addEventListener('input', (event) => {
    const { inputType, isComposing } = event instanceof InputEvent ? event : other;
    const direction = browserSteps.get(inputType);
    if (direction !== undefined) {
      // A menu, whose way back is the browser's, which leads to no text that there ever was.
      event.stopImmediatePropagation();
      if (!step(direction)) show(undoing.now);
      return;
    }
    const change = before === undefined ? 'other' : changeOf(inputType, isComposing);
    const after = { text: input.value, ...selection() };
    undoing.changed(change, before ?? after, after);
    before = undefined;
  });
  input.addEventListener('compositionend', () => undoing.rest());
  input.addEventListener('keydown', (event) => {
    if (!event.isComposing) takeUndoKey(event, step);
  });
  return {
    put(text, caret = text.length) {
      const was = selection();
      input.value = text;
      input.setSelectionRange(caret, caret);
      undoing.changed('other', was, { text, start: caret, end: caret });
    },
    step,
  };
}

/** An event that does not say what it is about. */
const other = { inputType: '', isComposing: false };

/** Does what a key that undoes or redoes is for, and leaves nothing of it to VS Code. */
export function takeUndoKey(
  event: KeyboardEvent,
  step: (direction: 'undo' | 'redo') => unknown,
): void {
  const direction = undoKeyOf(event, /\bMac/.test(navigator.userAgent));
  if (direction === undefined) return;
  // VS Code would have the browser take something back, too.
  event.preventDefault();
  event.stopPropagation();
  step(direction);
}
