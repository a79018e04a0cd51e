import { sanitise } from './sanitise';

/**
 * Text from a server, made harmless for notifications, which run `[x](command:…)` when clicked:
 * one line, every control character a visible escape, no link left, of bounded length.
 */
export function plainText(text: string, maxLength = 300): string {
  const line = oneLine(text);
  const cut = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  return cut.replaceAll('](', '] (');
}

/**
 * Text from a server on one line, every control character a visible escape: for the clipboard too,
 * since a terminal runs what is pasted up to a line break.
 */
export function oneLine(text: string): string {
  return sanitise(text.replace(/\s+/g, ' ').trim());
}

/** Text from a server for the clipboard: its line breaks stay, every other control is visible. */
export function clipboardText(text: string): string {
  return text.split(/\r?\n/).map(sanitise).join('\n');
}

/** What a line of the diagnostics holds at most, in UTF-16 units. */
const longestLine = 4000;

/** A line of the diagnostics: one, every control character a visible escape, of bounded length. */
export function diagnosticLine(text: string): string {
  const cut = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
  return sanitise(cut);
}

/** Text from a server for the label of a quick pick, which turns `$(name)` into an icon. */
export function labelText(text: string): string {
  return withoutIcons(plainText(text, 120));
}

/** For labels of quick picks and what stands below an input box: `$(name)` makes no icon there. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/**
 * The same text with places where a narrow view may break a long word, such as the name of a host:
 * the line above the rows of a tree is cut off where none of its words may.
 */
export function breakable(text: string): string {
  return text.replace(/[^\s\u200b]{25,}/g, (word) => word.replace(/.{20}(?=.)/gu, '$&\u200b'));
}
