import type { Translate } from '../base/textFormat';

/**
 * A text that the user confirms, shown so that different texts look different: nothing is left out, and
 * characters that are invisible or have an effect where the text is shown are replaced by their code.
 */
interface ExactText {
  /** The characters as shown: each is a character or a code such as `\u{20}`. */
  readonly units: readonly string[];
  /** The same, with a code for each character that is not ASCII. */
  readonly ascii: readonly string[];
  /** Whether a character is replaced by its code. */
  readonly isEscaped: boolean;
  /** Whether it contains letters of several scripts, many of which look alike. */
  readonly isMixed: boolean;
}

/** Spaces, and characters that are invisible, change the reading direction or have no defined look. */
const invisible =
  /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800\u{1d159}]/u;
const plainAscii = /^[ -~]$/;

/** Han and the scripts that are mixed with it count as one. */
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
/** Letters that belong to no single script, such as the sign of a long vowel. */
const shared = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** @param active characters that have an effect where the text is shown, such as `<` in HTML. */
export function exactText(text: string, active = ''): ExactText {
  const characters = Array.from(text);
  const units = characters.map((character, index) => {
    const before = characters[index - 1];
    const after = characters[index + 1];
    if (character === ' ') {
      const isAlone = before !== undefined && before !== ' ' && after !== undefined;
      return isAlone ? character : codeOf(character);
    }
    // Otherwise, a name could contain text that looks like a code, or a link.
    const isActive = (character === '\\' && after === 'u') || (character === '(' && before === ']');
    return isActive || invisible.test(character) || active.includes(character)
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

/** Joins at most `maxUnits` characters or codes, and says in the middle how many are left out. */
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

interface ItemOptions {
  readonly t: Translate;
  /** Characters that have an effect where the text is shown, such as `<` in HTML. */
  readonly active?: string;
  /** How many characters of a name are shown. The middle of a longer one is left out. */
  readonly maxUnits?: number;
}

interface ExactName {
  readonly shown: string;
  /** Why the name may differ from how it looks. */
  readonly mark: string | undefined;
}

/** A name as it is sent, on one line. */
export function exactName(name: string, { t, active, maxUnits }: ItemOptions): ExactName {
  const exact = exactText(name, active);
  return { shown: cutMiddle(exact.units, maxUnits), mark: markOf(exact, t, maxUnits) };
}

/** The same with a bullet, for a list. */
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

interface ItemList {
  /** As many lines as fit into a dialog. */
  readonly lines: readonly string[];
  /** Whether these are all items, and none of them is cut. */
  readonly isWhole: boolean;
}

/** How many lines fit into a dialog on a small screen, and how many characters into a line. */
const maxLines = 16;
const lineLength = 52;
/** How many characters of a long name are shown. */
const maxUnits = 160;

/** The items for a dialog: all of them, or as many as fit, with long names cut. */
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
