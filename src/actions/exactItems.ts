import type { Translate } from '../text/textFormat';

/**
 * Text that a person agrees to, shown so that no two different texts look the same: nothing is folded
 * or left out, and whatever cannot be seen, or could be at work where it is shown, stands as its code.
 */
interface ExactText {
  /** What is shown, one character or one code such as `\u{20}` each. */
  readonly units: readonly string[];
  /** The same with a code for everything that is not plain ASCII. */
  readonly ascii: readonly string[];
  /** Whether something stands as its code. */
  readonly isEscaped: boolean;
  /** Whether there are letters of more than one script, of which many look alike. */
  readonly isMixed: boolean;
}

/** Blank, invisible, turning the reading direction, or with no agreed look. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800\u{1d159}]/u;
const plainAscii = /^[ -~]$/;

/** Han stands with the scripts that it is written with, as one. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
] as const;
const letter = /\p{L}/u;
/** Letters that all scripts share, such as the sign of a long vowel. */
const shared = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** @param active characters that are at work where it is shown, as `<` is in HTML. */
export function exactText(text: string, active = ''): ExactText {
  const characters = Array.from(text);
  const units = characters.map((character, index) => {
    const before = characters[index - 1];
    const after = characters[index + 1];
    if (character === ' ') {
      const isAlone = before !== undefined && before !== ' ' && after !== undefined;
      return isAlone ? character : codeOf(character);
    }
    // Else a name could hold what looks like a code, or a link.
    const isActive = (character === '\\' && after === 'u') || (character === '(' && before === ']');
    return isActive || unseen.test(character) || active.includes(character)
      ? codeOf(character)
      : character;
  });
  const found = new Set(
    characters
      .filter((character) => letter.test(character) && !shared.test(character))
      .map((character) => scripts.findIndex((script) => script.test(character))),
  );
  return {
    units,
    ascii: units.map((unit) => (unit.length > 2 || plainAscii.test(unit) ? unit : codeOf(unit))),
    isEscaped: units.some((unit, index) => unit !== characters[index]),
    isMixed: found.size > 1,
  };
}

/**
 * At most so many characters or codes: the head and the tail, and between them how many are left out.
 *
 * @param maxUnits undefined: all of them.
 */
function cutMiddle(units: readonly string[], maxUnits?: number): string {
  if (maxUnits === undefined || units.length <= maxUnits) return units.join('');
  const head = Math.ceil(maxUnits / 2);
  const tail = maxUnits - head;
  const left = units.length - maxUnits;
  return [...units.slice(0, head), `…[+${left}]…`, ...units.slice(units.length - tail)].join('');
}

function codeOf(character: string): string {
  return `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}

export interface ItemOptions {
  readonly t: Translate;
  /** Characters that are at work where it is shown, as `<` is in HTML. */
  readonly active?: string;
  /** Most characters of a name that are shown; the middle of a longer one is left out. */
  readonly maxUnits?: number;
}

export interface ExactName {
  readonly shown: string;
  /** Why it may not be what it looks like. */
  readonly mark: string | undefined;
}

/** A name as it is sent, on one line. */
export function exactName(name: string, { t, active, maxUnits }: ItemOptions): ExactName {
  const exact = exactText(name, active);
  return { shown: cutMiddle(exact.units, maxUnits), mark: markOf(exact, t, maxUnits) };
}

/** The same as an item of a list. */
export function exactItem(name: string, options: ItemOptions): string {
  const { shown, mark } = exactName(name, options);
  return mark === undefined ? `• ${shown}` : `⚠ ${shown} — ${mark}`;
}

function markOf(
  { units, ascii, isEscaped, isMixed }: ExactText,
  t: Translate,
  maxUnits: number | undefined,
): string | undefined {
  const isPlain = units.every((unit, index) => unit === ascii[index]);
  if (!isPlain) {
    const codes = cutMiddle(ascii, maxUnits);
    return isMixed ? t('mixes alphabets: {0}', codes) : t('special characters: {0}', codes);
  }
  return isEscaped ? t('invisible characters are shown as codes') : undefined;
}

export interface ItemList {
  /** As many lines as a dialog holds. */
  readonly lines: readonly string[];
  /** Whether these are all items, and whole. */
  readonly isWhole: boolean;
}

/** Lines of text that a dialog holds on a small screen, and characters that one of them has. */
const maxLines = 16;
const lineLength = 52;
/** Of a name that is not shown whole. */
const maxUnits = 160;

/** The items as a dialog shows them: all, or as many as it holds, of which those too long are cut. */
export function dialogItems(items: readonly string[], t: Translate): ItemList {
  const whole = items.map((name) => exactItem(name, { t }));
  if (linesOf(whole) <= maxLines) return { lines: whole, isWhole: true };
  const cut = items.map((name) => exactItem(name, { t, maxUnits }));
  let count = cut.length;
  while (count > 1 && linesOf(cut.slice(0, count)) > maxLines) count--;
  return { lines: cut.slice(0, count), isWhole: false };
}

function linesOf(items: readonly string[]): number {
  return items.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / lineLength)), 0);
}
