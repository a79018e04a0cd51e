import { lazyRegExp } from './textFormat';

/**
 * Characters that may be invisible, move the caret, change the reading direction or break the line, except
 * the tab. It also lists all surrogates and variation selectors: a fast check before the exact pattern below.
 */
const suspicious =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- it matches these
  /[\0-\x08\x0a-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]/;

/** The scripts whose words have joiners. */
const joiningScripts =
  'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'.split(' ');
/** A letter or mark of such a script. */
const joinedLetter = String.raw`(?=[\p{L}\p{M}])[${joiningScripts.map((one) => String.raw`\p{scx=${one}}`).join('')}]`;

/**
 * The same by Unicode properties: control characters except the tab, lone surrogates, noncharacters, line
 * and paragraph separators, format characters (bidi controls, soft hyphen, BOM, annotations, tags) and
 * characters that fonts leave blank. Allowed are variation selectors after an emoji or a digit, one joiner where it is
 * part of a word or an emoji, and the visible signs, such as Arabic ones, that Unicode counts as format characters.
 */
const forbidden = lazyRegExp(
  [
    '(?!',
    [
      String.raw`[\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
      String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
      String.raw`(?<=[0-9#*])\ufe0f\u20e3`,
      String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Extended_Pictographic}\ufe0f)\u200d(?=\p{Extended_Pictographic})`,
      `(?<=${joinedLetter})[\u200c\u200d](?=${joinedLetter})`,
    ].join('|'),
    ')',
    String.raw`[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]`,
  ].join(''),
  'gu',
);

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
  return text.replace(beyondAscii.test(text) ? forbidden() : forbiddenAscii, visible);
}

/** The same for JSON, whose line breaks stay. It uses JSON escapes, so that the meaning stays the same. */
export function sanitiseJson(json: string): string {
  if (isClean(json)) return json;
  return json.replace(forbidden(), (found) =>
    found === '\n' ? found : found.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Makes text from a server safe for notifications, which run `[x](command:…)` when clicked: one line,
 * visible escapes for control characters, no links, at most `maxLength` UTF-16 units.
 */
export function plainText(text: string, maxLength = 300): string {
  return startOfLine(text, maxLength).replaceAll('](', '] (');
}

/** The first `maxLength` UTF-16 units of a text, without half a character; `mark` follows if there are more. */
export function cut(text: string, maxLength: number, mark = '…'): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') + mark;
}

/** The first `maxLength` UTF-16 units of a text, and how many more there were: `abc[+70]`. Detached. */
export function cutCounted(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = cut(text, maxLength, '');
  return detached(`${kept}[+${text.length - kept.length}]`);
}

/** A copy of a part of a text: the part itself keeps the whole text in memory. */
export function detached(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}

/**
 * Text from a server on one line, with visible escapes for control characters. Also for the clipboard,
 * because a terminal runs pasted text up to a line break.
 */
export function oneLine(text: string): string {
  return sanitise(withoutBreaks(text));
}

function withoutBreaks(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Text from a server for the clipboard or a file: line breaks stay, other control characters become visible. */
export function clipboardText(text: string): string {
  return text.split(/\r?\n/).map(sanitise).join('\n');
}

/** The longest line of the diagnostics, in UTF-16 units. */
const longestLine = 4000;

/** One line of the diagnostics, with visible escapes for control characters. */
export function diagnosticLine(text: string): string {
  return sanitise(cut(text, longestLine));
}

/**
 * Untrusted text for a row of a tree, which shows it as it is: one line with visible escapes, of at most
 * `maxLength` UTF-16 units.
 */
export function rowText(text: string, maxLength = 200): string {
  return startOfLine(text, maxLength);
}

/**
 * The start of `oneLine`. Whether a character is shown depends on a few around it, so that what is far behind the
 * start needs no look: none becomes shorter.
 */
function startOfLine(text: string, maxLength: number): string {
  return cut(sanitise(withoutBreaks(text).slice(0, maxLength + 20)), maxLength);
}

/** Untrusted text for the parts of a quick pick item and for the status bar, without icons. */
export function labelText(text: string, maxLength = 120): string {
  return withoutIcons(rowText(text, maxLength));
}

/**
 * Text that quotes others for the prompt or the message of an input box. These run `[x](command:…)` when
 * clicked and show icons.
 */
export function boxText(text: string): string {
  return withoutIcons(plainText(text, 1000));
}

/** Escapes `$(name)`, which quick picks, input boxes and the status bar show as an icon. Of what the user typed, all stays. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\((?=[A-Za-z0-9-]+(?:~[A-Za-z]+)?\))/g, '\\$(');
}

/**
 * Adds places where a narrow view can break a long word, such as a host name. The message above the rows of
 * a tree would be cut off otherwise.
 */
export function breakable(text: string): string {
  return text.replace(/[^\s\u200b]{25,}/g, (word) => word.replace(/.{20}(?=.)/gu, '$&\u200b'));
}

/**
 * A part of a hover or tooltip: a paragraph; a heading in bold; one paragraph of several lines; a list; code. Its
 * texts may come from anyone.
 */
export type MarkdownPart =
  | string
  | { readonly heading: string }
  | { readonly lines: readonly string[] }
  | { readonly list: readonly string[] }
  | { readonly code: string; readonly language: string };

/** The longest paragraph, line or entry of a list, in UTF-16 units. */
const longestText = 1000;

/** Markdown that shows the parts below each other: no text in them is markup, a link, an image, an icon or HTML. */
export function markdownOf(parts: readonly MarkdownPart[]): string {
  return parts.map(source).join('\n\n');
}

function source(part: MarkdownPart): string {
  if (typeof part === 'string') return shown(part);
  if ('lines' in part) return part.lines.map(shown).join('  \n');
  if ('list' in part) return part.list.map((entry) => `- ${shown(entry)}`).join('\n');
  if ('heading' in part) {
    // Spaces inside the signs would show these, and nothing inside would be a line.
    const heading = oneLine(part.heading);
    return heading === '' ? '' : `**${shown(heading)}**`;
  }
  const code = part.code.split(/\r?\n/).map(sanitise).join('\n');
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${part.language}\n${code}\n${fence}`;
}

function shown(text: string): string {
  return markdownText(cut(text, longestText));
}

/**
 * A line of text as Markdown that shows it as it is. Every ASCII sign is escaped, so none can be markup, an entity,
 * or part of an address that becomes a link. Control characters are visible, line breaks too; spaces before the
 * text stay.
 */
export function markdownText(text: string): string {
  return sanitise(text)
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')
    .replace(/^[ \t]+/, (indent) => '\u00a0'.repeat(indent.length));
}
