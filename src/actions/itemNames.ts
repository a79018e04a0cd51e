import { InvalidRequestError, type LocalizableMessage } from '../api/errors';
import { cleanupBody, validateCleanup } from '../api/validateRequest';
import type { Translate } from '../base/textFormat';

/** What is wrong with the items of a clean-up. */
export type ItemsProblem =
  | { readonly kind: 'none' }
  /** More items than a request may contain. */
  | { readonly kind: 'tooMany'; readonly count: number; readonly limit: LocalizableMessage }
  /** The item at this position, from 1, is not text. */
  | { readonly kind: 'notText'; readonly place: number }
  /** The item contains an unpaired surrogate, which cannot be sent. */
  | { readonly kind: 'malformed'; readonly place: number; readonly name: string }
  /** Anything else that the contract does not allow. */
  | { readonly kind: 'notAllowed'; readonly error: InvalidRequestError };

interface ItemNames {
  /** Trimmed, without duplicates, in the original order. */
  readonly names: readonly string[];
  /** Undefined if these can be sent. */
  readonly problem: ItemsProblem | undefined;
}

/** Parses names that the user typed or pasted, separated by line breaks or commas. */
export function parseItemNames(text: string): ItemNames {
  return checked(distinct(text.split(/[\r\n,\u2028\u2029]/)));
}

/** Reads names from an untrusted argument. Each item of the list is one name, even with commas. */
export function readItemNames(value: unknown): ItemNames {
  if (!Array.isArray(value)) return { names: [], problem: { kind: 'none' } };
  const items: readonly unknown[] = value;
  const texts = items.filter((item) => typeof item === 'string');
  const names = distinct(texts);
  const place = items.findIndex((item) => typeof item !== 'string') + 1;
  return place > 0 ? { names, problem: { kind: 'notText', place } } : checked(names);
}

function distinct(texts: readonly string[]): readonly string[] {
  const names = texts.map((text) => text.trim()).filter((name) => name !== '');
  return [...new Set(names)];
}

function checked(names: readonly string[]): ItemNames {
  return { names, problem: problemOf(names) };
}

function problemOf(names: readonly string[]): ItemsProblem | undefined {
  if (names.length === 0) return { kind: 'none' };
  const malformed = names.findIndex((name) => !name.isWellFormed());
  if (malformed >= 0) {
    return { kind: 'malformed', place: malformed + 1, name: names[malformed] ?? '' };
  }
  try {
    validateCleanup(cleanupBody(names));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    if (error.field !== 'items') return { kind: 'notAllowed', error };
    return { kind: 'tooMany', count: names.length, limit: error.limit };
  }
}

/** A text that the user confirms, shown so that different texts look different, whatever the font. */
interface EscapedText {
  /** The characters as shown: each is an ASCII character or a code such as `\u{43e}`. */
  readonly units: readonly string[];
  /** Whether a character is replaced by its code. */
  readonly isEscaped: boolean;
}

const plainAscii = /^[ -~]$/;

/**
 * Replaces everything outside ASCII by its code, because many letters look like others or like nothing; and
 * what has an effect or is easily overlooked where the text is shown. Nothing is left out.
 *
 * @param active characters that have an effect there, such as `<` in HTML.
 */
export function escapedText(text: string, active = ''): EscapedText {
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
    return isActive || !plainAscii.test(character) || active.includes(character)
      ? codeOf(character)
      : character;
  });
  return { units, isEscaped: units.some((unit, index) => unit !== characters[index]) };
}

/** Joins at most `maxUnits` characters or codes, and says in the middle how many are left out. */
function cutUnits(units: readonly string[], maxUnits?: number): string {
  if (maxUnits === undefined || units.length <= maxUnits) return units.join('');
  const head = Math.ceil(maxUnits / 2);
  const tail = maxUnits - head;
  const left = units.length - maxUnits;
  return [...units.slice(0, head), `…[+${left}]…`, ...units.slice(units.length - tail)].join('');
}

function codeOf(character: string): string {
  return `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}

interface EscapedName {
  readonly shown: string;
  /** Why the name may differ from how it looks. */
  readonly mark: string | undefined;
}

/**
 * A name as it is sent, on one line.
 *
 * @param most how many characters of it are shown. The middle of a longer one is left out.
 * @param active characters that have an effect where the text is shown, such as `<` in HTML.
 */
export function escapedName(
  name: string,
  t: Translate,
  most?: number,
  active?: string,
): EscapedName {
  const { units, isEscaped } = escapedText(name, active);
  return {
    shown: cutUnits(units, most),
    mark: isEscaped ? t('special characters are shown as codes') : undefined,
  };
}

/** The same with a bullet, for a list. */
export function escapedItem(name: string, t: Translate, most?: number, active?: string): string {
  const { shown, mark } = escapedName(name, t, most, active);
  return mark === undefined ? `• ${shown}` : `⚠ ${shown} — ${mark}`;
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
  const whole = items.map((name) => escapedItem(name, t));
  if (linesOf(whole) <= maxLines) return { lines: whole, isWhole: true };
  const cut = items.map((name) => escapedItem(name, t, maxUnits));
  let count = cut.length;
  while (count > 1 && linesOf(cut.slice(0, count)) > maxLines) count--;
  return { lines: cut.slice(0, count), isWhole: false };
}

function linesOf(items: readonly string[]): number {
  return items.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / lineLength)), 0);
}
