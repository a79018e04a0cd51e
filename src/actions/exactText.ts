/**
 * Text that a person agrees to, shown so that no two different texts look the same: nothing is folded
 * or left out, and whatever cannot be seen, or could be at work where it is shown, stands as its code.
 */
export interface ExactText {
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
export function cutMiddle(units: readonly string[], maxUnits?: number): string {
  if (maxUnits === undefined || units.length <= maxUnits) return units.join('');
  const head = Math.ceil(maxUnits / 2);
  const tail = maxUnits - head;
  const left = units.length - maxUnits;
  return [...units.slice(0, head), `…[+${left}]…`, ...units.slice(units.length - tail)].join('');
}

function codeOf(character: string): string {
  return `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}
