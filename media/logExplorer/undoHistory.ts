interface TextSelection {
  readonly start: number;
  readonly end: number;
}

interface TextState extends TextSelection {
  readonly text: string;
}

/**
 * How a text changed. Typing, deleting or composing without a break is one step; every other change is a
 * step of its own.
 */
export type TextChange = 'insert' | 'delete' | 'compose' | 'other';

/** The maximum number of steps; texts may be long. */
const maxSteps = 100;

/**
 * The undo history of a text, whatever changes it. The history of browsers covers only typing, and is lost
 * when a script changes the text.
 */
export class UndoHistory {
  private state: TextState;
  private past: TextState[] = [];
  private future: TextState[] = [];
  private last: TextChange = 'other';

  constructor(text: string) {
    this.state = atEnd(text);
  }

  get now(): TextState {
    return this.state;
  }

  /** @param before the selection right before the change. */
  changed(change: TextChange, before: TextSelection, after: TextState): void {
    const { state } = this;
    if (state.text === after.text) return;
    const continues = this.last === change && continuesStep(change, state, before, after);
    // Undo puts the cursor where the change was made.
    if (!continues) this.past = [...this.past, { ...state, ...before }].slice(-maxSteps);
    this.state = after;
    this.future = [];
    this.last = change;
  }

  /** The next change is a step of its own. */
  rest(): void {
    this.last = 'other';
  }

  /** The previous text; undefined if there is none. */
  undo(): TextState | undefined {
    return this.go(this.past, this.future);
  }

  /** The text that was undone last; undefined if there is none. */
  redo(): TextState | undefined {
    return this.go(this.future, this.past);
  }

  /** Starts again with a text, without steps. */
  restart(text: string): void {
    this.state = atEnd(text);
    this.past = [];
    this.future = [];
    this.last = 'other';
  }

  private go(from: TextState[], to: TextState[]): TextState | undefined {
    this.last = 'other';
    const next = from.pop();
    if (next === undefined) return undefined;
    to.push(this.state);
    this.state = next;
    return next;
  }
}

function atEnd(text: string): TextState {
  return { text, start: text.length, end: text.length };
}

/** Whether a change continues the previous one; each word is a step of its own. */
function continuesStep(
  change: TextChange,
  now: TextState,
  before: TextSelection,
  { text, start }: TextState,
): boolean {
  if (change === 'compose') return true;
  const isThere = before.start === before.end && before.start === now.end;
  if (change !== 'insert') return change === 'delete' && isThere;
  const typed = text.slice(before.start, start);
  return isThere && !/^\s\S/.test(text.slice(Math.max(before.start - 1, 0), before.start) + typed);
}

/** @param type the `inputType` of an input event. */
export function textChangeOf(type: string, isComposing: boolean): TextChange {
  if (isComposing) return 'compose';
  if (type === 'insertText') return 'insert';
  return /^deleteContent(Back|For)ward$/.test(type) ? 'delete' : 'other';
}

/** Whether a key undoes or redoes, on a Mac or elsewhere. */
export function undoKeyOf(
  { key, ctrlKey, metaKey, shiftKey, altKey }: UndoKey,
  isMac: boolean,
): 'undo' | 'redo' | undefined {
  const isOther = isMac ? ctrlKey : metaKey;
  if (altKey || isOther || !(isMac ? metaKey : ctrlKey)) return undefined;
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? 'redo' : 'undo';
    case 'y':
      return isMac || shiftKey ? undefined : 'redo';
    default:
      return undefined;
  }
}

type UndoKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** The text of an input, which can be undone whatever changes it. */
export interface UndoableInput {
  /** Sets the text other than by typing. */
  put(text: string, caret?: number): void;
  /** @returns whether there was a step. */
  step(direction: 'undo' | 'redo'): boolean;
  /** Sets the text and forgets all steps. */
  restart(text: string): void;
}

/** @param onStep called after an undo or redo. */
export function makeUndoable(input: HTMLInputElement, onStep: () => void): UndoableInput {
  const history = new UndoHistory(input.value);
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
    const state = direction === 'undo' ? history.undo() : history.redo();
    if (state !== undefined) show(state);
    return state !== undefined;
  };
  const browserSteps = new Map<string, 'undo' | 'redo'>([
    ['historyUndo', 'undo'],
    ['historyRedo', 'redo'],
  ]);
  const typed = (event: Event): void => {
    const { inputType, isComposing } = event instanceof InputEvent ? event : other;
    const direction = browserSteps.get(inputType);
    if (direction !== undefined) {
      // From a menu. The history of the browser does not fit the text.
      event.stopImmediatePropagation();
      if (!step(direction)) show(history.now);
      return;
    }
    const change = before === undefined ? 'other' : textChangeOf(inputType, isComposing);
    const after = { text: input.value, ...selection() };
    history.changed(change, before ?? after, after);
    before = undefined;
  };
  input.addEventListener('beforeinput', () => (before = selection()));
  // Before all other listeners, which it may stop.
  input.addEventListener('input', typed, { capture: true });
  input.addEventListener('compositionend', () => history.rest());
  input.addEventListener('keydown', (event) => {
    if (!event.isComposing) handleUndoKey(event, step);
  });
  return {
    put(text, caret = text.length) {
      const was = selection();
      input.value = text;
      input.setSelectionRange(caret, caret);
      history.changed('other', was, { text, start: caret, end: caret });
    },
    step,
    restart(text) {
      input.value = text;
      history.restart(text);
    },
  };
}

/** An event without details. */
const other = { inputType: '', isComposing: false };

/** Handles the undo and redo keys, so that VS Code does not. */
export function handleUndoKey(
  event: KeyboardEvent,
  step: (direction: 'undo' | 'redo') => unknown,
): void {
  const direction = undoKeyOf(event, /\bMac/.test(navigator.userAgent));
  if (direction === undefined) return;
  // VS Code would make the browser undo too.
  event.preventDefault();
  event.stopPropagation();
  step(direction);
}
