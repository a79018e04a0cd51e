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
 * because that is where like messages differ: `TypeError: … (reading 'percent')`.
 */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Whole words only, unless one is longer than what there is room for.
  const start = text.slice(0, text.lastIndexOf(' ', Math.floor(maxLength / 3)) + 1);
  const end = text.slice(start.length + 2 - maxLength).replace(/^[\udc00-\udfff]/, '');
  return `${start}… ${end.replace(/^\S*\s/, '')}`;
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

/**
 * Untrusted text for a row of a tree, which shows it as it is: one line with visible escapes, of at most
 * `maxLength` UTF-16 units.
 */
export function rowText(text: string, maxLength = 200): string {
  return cut(oneLine(text), maxLength);
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
