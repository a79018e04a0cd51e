/**
 * Whatever may be invisible, move the caret, change the reading direction or break the line; tabs
 * alone are let through. Every surrogate and variation selector is listed too, since the exact
 * pattern below is too slow to be asked about every line.
 */
const suspicious =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- that is what it is for
  /[\0-\x08\x0a-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]/;

/**
 * The same by Unicode's own properties: control characters but the tab, lone surrogates,
 * noncharacters, line and paragraph separators, format characters (bidi controls, soft hyphen, BOM,
 * annotations, tags) and everything that a font leaves blank. A variation selector that asks for the
 * text or emoji form stays where it has something to ask of, since many plain messages use it, and
 * so do the Arabic and other signs that count as format characters although they are seen.
 */
const forbidden =
  /(?![\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f\u20e3)[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/** What is forbidden in a text of ASCII alone, such as one with colours, and whether it is one. */
// eslint-disable-next-line no-control-regex -- that is what it is for
const forbiddenAscii = /[\0-\x08\x0a-\x1f\x7f]/g;
const beyondAscii = /[^\0-\x7f]/;

/** The visible form of one character: its code point in hexadecimal, such as `\u{1b}`. */
function visible(character: string): string {
  return `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}

/** Whether nothing in a text needs a second look; emoji do, though they then pass. */
export function isClean(text: string): boolean {
  return !suspicious.test(text);
}

/**
 * Makes untrusted text harmless to show on one line: every control character (line breaks too; the
 * tab stays), escape sequence, bidi control, zero-width, tag or otherwise invisible character and
 * lone surrogate becomes a visible `\u{…}`. Clean text comes back as it is, at the cost of one scan.
 */
export function sanitise(text: string): string {
  if (isClean(text)) return text;
  return text.replace(beyondAscii.test(text) ? forbidden : forbiddenAscii, visible);
}

/** The same of JSON on any number of lines, by escapes of JSON: what it says stays as it is. */
export function sanitiseJson(json: string): string {
  return json.replace(forbidden, (found) =>
    found === '\n' ? found : found.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
