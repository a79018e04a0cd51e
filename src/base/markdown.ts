import { cut, oneLine } from './plainText';
import { sanitise } from './sanitise';

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
