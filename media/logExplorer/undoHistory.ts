/** Where the caret or the selection is in a text. */
interface TextSelection {
  readonly start: number;
  readonly end: number;
}

interface TextState extends TextSelection {
  readonly text: string;
}

/**
 * How a text became another one. What is typed, deleted or composed in one go is one step back;
 * everything else is a step of its own.
 */
export type TextChange = 'insert' | 'delete' | 'compose' | 'other';

/**
 * The way back through what a text was, whoever changed it. Browsers know of what is typed alone, and
 * lose even that once a script changes the text.
 */
export interface UndoHistory {
  readonly now: TextState;
  /** @param before is what was selected right before the change. */
  changed(change: TextChange, before: TextSelection, after: TextState): void;
  /** What comes next is a step of its own. */
  rest(): void;
  /** The text of before; undefined where there is none. */
  undo(): TextState | undefined;
  /** The text that was undone last; undefined where there is none. */
  redo(): TextState | undefined;
}

/** How many steps are kept: texts may be long. */
const maxSteps = 100;

export function createUndoHistory(text: string): UndoHistory {
  let now: TextState = { text, start: text.length, end: text.length };
  let past: TextState[] = [];
  let future: TextState[] = [];
  let last: TextChange = 'other';

  const go = (from: TextState[], to: TextState[]): TextState | undefined => {
    last = 'other';
    const next = from.pop();
    if (next === undefined) return undefined;
    to.push(now);
    now = next;
    return next;
  };
  return {
    get now() {
      return now;
    },
    changed(change, before, after) {
      if (now.text === after.text) return;
      const goesOn = last === change && isOneGo(change, now, before, after);
      // Who goes back finds the caret where the change was made.
      if (!goesOn) past = [...past, { ...now, ...before }].slice(-maxSteps);
      now = after;
      future = [];
      last = change;
    },
    rest: () => void (last = 'other'),
    undo: () => go(past, future),
    redo: () => go(future, past),
  };
}

/** Whether a change goes on where the one before it ended; each word is a go of its own. */
function isOneGo(
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

/** @param type is the `inputType` of an input event. */
export function changeOf(type: string, isComposing: boolean): TextChange {
  if (isComposing) return 'compose';
  if (type === 'insertText') return 'insert';
  return /^deleteContent(Back|For)ward$/.test(type) ? 'delete' : 'other';
}

/** Which way a key leads, on a Mac or elsewhere. */
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

/** The text of an input, which can be taken back whoever has changed it. */
interface UndoableInput {
  /** Puts a text into the input by other means than typing. */
  put(text: string, caret?: number): void;
  /** @returns whether there was something to go back or forward to. */
  step(direction: 'undo' | 'redo'): boolean;
}

/**
 * @param onStep is told that the text is one of before, or is so again.
 */
export function makeUndoable(input: HTMLInputElement, onStep: () => void): UndoableInput {
  const history = createUndoHistory(input.value);
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
  input.addEventListener('beforeinput', () => (before = selection()));
  input.addEventListener('input', (event) => {
    const { inputType, isComposing } = event instanceof InputEvent ? event : other;
    const direction = browserSteps.get(inputType);
    if (direction !== undefined) {
      // A menu, whose way back is the browser's, which leads to no text that there ever was.
      event.stopImmediatePropagation();
      if (!step(direction)) show(history.now);
      return;
    }
    const change = before === undefined ? 'other' : changeOf(inputType, isComposing);
    const after = { text: input.value, ...selection() };
    history.changed(change, before ?? after, after);
    before = undefined;
  });
  input.addEventListener('compositionend', () => history.rest());
  input.addEventListener('keydown', (event) => {
    if (!event.isComposing) takeUndoKey(event, step);
  });
  return {
    put(text, caret = text.length) {
      const was = selection();
      input.value = text;
      input.setSelectionRange(caret, caret);
      history.changed('other', was, { text, start: caret, end: caret });
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
