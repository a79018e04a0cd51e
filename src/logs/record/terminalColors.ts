/** A piece of a text that is shown in a style: from `start` to before `end`, in UTF-16 units. */
export interface StyledSpan {
  readonly start: number;
  readonly end: number;
  /**
   * CSS classes, separated by spaces: `dim`, or the ones of a terminal style: `sgr-bold`, `sgr-dim`,
   * `sgr-italic`, `sgr-underline`, `sgr-strike`, `sgr-fg-0` to `sgr-fg-15` and `sgr-bg-0` to `sgr-bg-15`.
   */
  readonly style: string;
}

export interface StyledText {
  readonly text: string;
  readonly spans: readonly StyledSpan[];
}

/**
 * Select Graphic Rendition: the colours and styles of terminals. Programs that pass logs on write its escape character
 * in other ways, such as `#033`; these begin a sequence only before a number.
 */
const sequence =
  // eslint-disable-next-line no-control-regex -- ESC and CSI are what it starts with
  /(?:\x1b\[|\x9b|(?:#033|\^\[)\[(?=\d))([\d;:]{0,64})m/g;
// eslint-disable-next-line no-control-regex -- as above
const introducer = /[\x1b\x9b]/;

/** A quick look: most texts have none. */
function mayHaveSgr(text: string): boolean {
  return introducer.test(text) || text.includes('#033[') || text.includes('^[[');
}

/** More spans of one text are not worth their cost: a hostile text could consist of nothing else. */
const maxSpans = 200;

/** A text without SGR sequences. All other control sequences stay. */
export function stripSgr(text: string): string {
  return mayHaveSgr(text) ? text.replace(sequence, '') : text;
}

/**
 * A text as a terminal leaves it after its carriage returns: at the end of a line they are nothing, within it what
 * precedes them is gone, except for its colours.
 */
export function withoutReturns(text: string): string {
  return text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text;
}

// eslint-disable-next-line no-control-regex -- ESC is what it starts with
const erasure = /\x1b\[[0-2]?K/g;

function lastState(line: string): string {
  const states = line.split('\r');
  // A state that is blank only made room for the next one.
  let last = states.length - 1;
  while (last > 0 && stripSgr((states[last] ?? '').replace(erasure, '')).trim() === '') last--;
  if (last === 0) return states[0] ?? '';
  const colors = states.slice(0, last).join('').match(sequence) ?? [];
  return colors.join('') + (states[last] ?? '').replace(erasure, '');
}

/** Splits a text into what it says and the styles that its SGR sequences ask for. */
export function readSgr(text: string): StyledText {
  if (!mayHaveSgr(text)) return { text, spans: [] };
  const spans: StyledSpan[] = [];
  let state = initial;
  let plain = '';
  let added = 0;
  const addUpTo = (end: number): void => {
    const start = plain.length;
    plain += text.slice(added, end);
    const style = classesOf(state);
    if (style === '' || plain.length === start) return;
    spans.push({ start, end: plain.length, style });
  };
  for (const { 0: found, 1: parameters = '', index } of text.matchAll(sequence)) {
    if (spans.length >= maxSpans) break;
    addUpTo(index);
    added = index + found.length;
    state = apply(state, parameters.split(';'));
  }
  if (spans.length >= maxSpans) plain += stripSgr(text.slice(added));
  else addUpTo(text.length);
  return { text: plain, spans };
}

interface State {
  readonly classes: readonly string[];
  /** One of the 16 terminal colours. */
  readonly fg: number | undefined;
  readonly bg: number | undefined;
}

const initial: State = { classes: [], fg: undefined, bg: undefined };

function classesOf({ classes, fg, bg }: State): string {
  return [
    ...classes.map((name) => `sgr-${name}`),
    ...(fg === undefined ? [] : [`sgr-fg-${fg}`]),
    ...(bg === undefined ? [] : [`sgr-bg-${bg}`]),
  ].join(' ');
}

const switches: ReadonlyMap<number, string> = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
  [9, 'strike'],
  [21, 'underline'],
]);
const resets: ReadonlyMap<number, readonly string[]> = new Map([
  [22, ['bold', 'dim']],
  [23, ['italic']],
  [24, ['underline']],
  [29, ['strike']],
]);

/** @param parameters each with its sub-parameters, as in `4:3`: these are part of it and no parameters of their own. */
function apply(before: State, parameters: readonly string[]): State {
  let state = before;
  for (let index = 0; index < parameters.length; index++) {
    const [code = 0, ...more] = (parameters[index] ?? '').split(':').map(Number);
    const on = switches.get(code);
    const off = code === 4 && more[0] === 0 ? ['underline'] : resets.get(code);
    if (code === 0) state = initial;
    else if (off !== undefined) state = { ...state, classes: without(state, off) };
    else if (on !== undefined) state = { ...state, classes: [...without(state, [on]), on] };
    else if (code === 38 || code === 48 || code === underlineColor) {
      const isOne = more.length > 0;
      const [color, length] = isOne
        ? extendedColor(withoutSpace(more))
        : extendedColor(parameters.slice(index + 1, index + 5).map(Number));
      if (!isOne) index += length;
      if (code === 38) state = { ...state, fg: color };
      else if (code === 48) state = { ...state, bg: color };
    } else if (code >= 30 && code <= 37) state = { ...state, fg: code - 30 };
    else if (code >= 90 && code <= 97) state = { ...state, fg: code - 82 };
    else if (code >= 40 && code <= 47) state = { ...state, bg: code - 40 };
    else if (code >= 100 && code <= 107) state = { ...state, bg: code - 92 };
    else if (code === 39) state = { ...state, fg: undefined };
    else if (code === 49) state = { ...state, bg: undefined };
  }
  return state;
}

/** It is not shown, but what follows it is a colour and no style. */
const underlineColor = 58;

/** `2:space:r:g:b`, whose colour space is mostly empty, as `2:r:g:b`. */
function withoutSpace(codes: readonly number[]): readonly number[] {
  return codes[0] === 2 && codes.length > 4 ? [2, ...codes.slice(2)] : codes;
}

function without({ classes }: State, names: readonly string[]): readonly string[] {
  return classes.filter((name) => !names.includes(name));
}

/** The colour that `5;n` or `2;r;g;b` stands for, and how many numbers that takes. */
function extendedColor([kind, ...codes]: readonly number[]): [number | undefined, number] {
  if (kind === 5) return [paletteColor(codes[0] ?? 0), 2];
  if (kind !== 2) return [undefined, 1];
  const [red = 0, green = 0, blue = 0] = codes;
  return [nearestColor(red, green, blue), 4];
}

/** A colour of the palette of 256: 16 of the theme, a cube of 216, and 24 greys. */
function paletteColor(index: number): number | undefined {
  if (!(index >= 0 && index <= 255)) return undefined;
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return nearestColor(grey, grey, grey);
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return nearestColor(
    level(Math.floor(cube / 36)),
    level(Math.floor(cube / 6) % 6),
    level(cube % 6),
  );
}

/** The one of the 16 terminal colours that comes closest: themes have no others. */
function nearestColor(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most < 48 ? 0 : most < 144 ? 8 : most < 232 ? 7 : 15;
  const isOn = (part: number): boolean => part - least > (most - least) / 2;
  const color = (isOn(red) ? 1 : 0) + (isOn(green) ? 2 : 0) + (isOn(blue) ? 4 : 0);
  return most > 192 ? color + 8 : color;
}
