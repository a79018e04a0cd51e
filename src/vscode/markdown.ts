import * as vscode from 'vscode';
import { markdownOf, type MarkdownPart } from '../base/markdown';

/** A hover or tooltip of these parts: the only way to make Markdown of text that others wrote. */
export function markdown(...parts: readonly MarkdownPart[]): vscode.MarkdownString {
  return new vscode.MarkdownString(markdownOf(parts));
}

/** A link in a hover that runs a command. */
interface CommandLink {
  /** Our own words: never text from a server or from a file. */
  readonly label: string;
  readonly command: string;
  /** JSON. */
  readonly argument?: unknown;
}

/**
 * Links that run commands, as a text of its own. Only these commands can run, and the text must contain
 * nothing else: text that others wrote belongs into another one, which is not trusted.
 */
export function commandLinks(links: readonly CommandLink[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(
    links.map(({ label, ...link }) => `[${label}](${targetOf(link)})`).join(' · '),
  );
  markdown.isTrusted = { enabledCommands: links.map(({ command }) => command) };
  return markdown;
}

function targetOf({ command, argument }: Omit<CommandLink, 'label'>): string {
  if (argument === undefined) return `command:${command}`;
  // A parenthesis would end the link.
  const json = encodeURIComponent(JSON.stringify([argument])).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `command:${command}?${json}`;
}
