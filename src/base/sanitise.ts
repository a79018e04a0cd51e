/**
 * Characters that may be invisible, move the caret, change the reading direction or break the line, except
 * the tab. It also lists all surrogates and variation selectors: a fast check before the exact pattern below.
 */
const suspicious =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- it matches these
  /[\0-\x08\x0a-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]/;

/**
 * The same by Unicode properties: control characters except the tab, lone surrogates, noncharacters, line
 * and paragraph separators, format characters (bidi controls, soft hyphen, BOM, annotations, tags) and
 * characters that fonts leave blank. Allowed are variation selectors after an emoji or a digit, and the
 * visible signs, such as Arabic ones, that Unicode counts as format characters.
 */
const forbidden =
  /(?![\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f\u20e3)[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/** A faster pattern for texts that are only ASCII, and the pattern that tells whether they are. */
// eslint-disable-next-line no-control-regex -- it matches these
const forbiddenAscii = /[\0-\x08\x0a-\x1f\x7f]/g;
const beyondAscii = /[^\0-\x7f]/;

/** The visible form of one character: its code point in hexadecimal, such as `\u{1b}`. */
function visible(character: string): string {
  return `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}

/** Whether a text is certainly harmless. False for some harmless texts, such as those with emoji. */
export function isClean(text: string): boolean {
  return !suspicious.test(text);
}

/**
 * Makes untrusted text safe to show on one line: control characters (line breaks too, but not tabs), escape
 * sequences, bidi controls, zero-width, tag and other invisible characters and lone surrogates become a
 * visible `\u{…}`. Clean text is returned unchanged after one scan.
 */
export function sanitise(text: string): string {
  if (isClean(text)) return text;
  return text.replace(beyondAscii.test(text) ? forbidden : forbiddenAscii, visible);
}

/** The same for JSON with line breaks. It uses JSON escapes, so that the meaning stays the same. */
export function sanitiseJson(json: string): string {
  return json.replace(forbidden, (found) =>
    found === '\n' ? found : found.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
