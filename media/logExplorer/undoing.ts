/** Where the caret or the selection is in a text. */
export interface TextSelection {
  readonly start: number;
  readonly end: number;
}

export interface TextState extends TextSelection {
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
export interface Undoing {
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

export function createUndoing(text: string): Undoing {
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
