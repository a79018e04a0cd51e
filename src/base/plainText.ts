import { sanitise } from './sanitise';

/**
 * Makes text from a server safe for notifications, which run `[x](command:…)` when clicked: one line,
 * visible escapes for control characters, no links, at most `maxLength` UTF-16 units.
 */
export function plainText(text: string, maxLength = 300): string {
  return cut(oneLine(text), maxLength).replaceAll('](', '] (');
}

/** The first `maxLength` UTF-16 units of a text, without half a character; `mark` follows if there are more. */
export function cut(text: string, maxLength: number, mark = '…'): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') + mark;
}

/**
 * One line, at most `maxLength` UTF-16 units long: what is too long loses words of its middle. Its end stays,
 * because that is where messages of the same kind differ: `TypeError: … (reading 'percent')`.
 */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const third = Math.floor(maxLength / 3);
  const start = text.slice(0, third).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(third + 3 - maxLength).replace(/^[\udc00-\udfff]/, '');
  // Whole words, unless one is longer than what there is room for.
  return `${start.replace(/\s\S*$/, '')} … ${end.replace(/^\S*\s/, '')}`;
}

/**
 * Text from a server on one line, with visible escapes for control characters. Also for the clipboard,
 * because a terminal runs pasted text up to a line break.
 */
export function oneLine(text: string): string {
  return sanitise(text.replace(/\s+/g, ' ').trim());
}

/** Text from a server for the clipboard: line breaks stay, other control characters become visible. */
export function clipboardText(text: string): string {
  return text.split(/\r?\n/).map(sanitise).join('\n');
}

/** The longest line of the diagnostics, in UTF-16 units. */
const longestLine = 4000;

/** One line of the diagnostics, with visible escapes for control characters. */
export function diagnosticLine(text: string): string {
  return sanitise(cut(text, longestLine));
}

/** Text from a server for the label of a quick pick, without links and icons. */
export function labelText(text: string): string {
  return withoutIcons(plainText(text, 120));
}

/** Escapes `$(name)`, which quick picks and input boxes show as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/**
 * Adds places where a narrow view can break a long word, such as a host name. The message above the rows of
 * a tree would be cut off otherwise.
 */
export function breakable(text: string): string {
  return text.replace(/[^\s\u200b]{25,}/g, (word) => word.replace(/.{20}(?=.)/gu, '$&\u200b'));
}
