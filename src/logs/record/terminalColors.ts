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

/** Select Graphic Rendition: the colours and styles of terminals. */
// eslint-disable-next-line no-control-regex -- ESC and CSI are what it starts with
const sequence = /(?:\x1b\[|\x9b)([\d;:]{0,64})m/g;
// eslint-disable-next-line no-control-regex -- as above
const introducer = /[\x1b\x9b]/;

/** More spans of one text are not worth their cost: a hostile text could consist of nothing else. */
const maxSpans = 200;

/** A text without SGR sequences. All other control sequences stay. */
export function stripSgr(text: string): string {
  return introducer.test(text) ? text.replace(sequence, '') : text;
}

/** Splits a text into what it says and the styles that its SGR sequences ask for. */
export function readSgr(text: string): StyledText {
  if (!introducer.test(text)) return { text, spans: [] };
  const spans: StyledSpan[] = [];
  let state = initial;
  let plain = '';
  let taken = 0;
  const takeTo = (end: number): void => {
    const start = plain.length;
    plain += text.slice(taken, end);
    const style = classesOf(state);
    if (style === '' || plain.length === start) return;
    spans.push({ start, end: plain.length, style });
  };
  for (const { 0: found, 1: parameters = '', index } of text.matchAll(sequence)) {
    if (spans.length >= maxSpans) break;
    takeTo(index);
    taken = index + found.length;
    state = apply(state, parameters.split(/[;:]/).map(Number));
  }
  if (spans.length >= maxSpans) plain += stripSgr(text.slice(taken));
  else takeTo(text.length);
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
]);
const resets: ReadonlyMap<number, readonly string[]> = new Map([
  [22, ['bold', 'dim']],
  [23, ['italic']],
  [24, ['underline']],
  [29, ['strike']],
]);

function apply(before: State, codes: readonly number[]): State {
  let state = before;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    const on = switches.get(code);
    const off = resets.get(code);
    if (code === 0) state = initial;
    else if (on !== undefined) state = { ...state, classes: [...without(state, [on]), on] };
    else if (off !== undefined) state = { ...state, classes: without(state, off) };
    else if (code === 38 || code === 48) {
      const [color, length] = extendedColor(codes.slice(index + 1));
      index += length;
      state = code === 38 ? { ...state, fg: color } : { ...state, bg: color };
    } else if (code >= 30 && code <= 37) state = { ...state, fg: code - 30 };
    else if (code >= 90 && code <= 97) state = { ...state, fg: code - 82 };
    else if (code >= 40 && code <= 47) state = { ...state, bg: code - 40 };
    else if (code >= 100 && code <= 107) state = { ...state, bg: code - 92 };
    else if (code === 39) state = { ...state, fg: undefined };
    else if (code === 49) state = { ...state, bg: undefined };
  }
  return state;
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
