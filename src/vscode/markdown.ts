import * as vscode from 'vscode';
import { markdownOf, type MarkdownPart, markdownText } from '../base/untrustedText';

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

/** A link in a document to a line of a file of the workspace, counted from 1 like the column. */
export function fileLink(
  range: vscode.Range,
  file: vscode.Uri,
  line: string | number,
  column?: number,
): vscode.DocumentLink {
  const fragment = column === undefined ? `L${line}` : `L${line},${column}`;
  const path = vscode.workspace.asRelativePath(file);
  return linkTo(range, file.with({ fragment }), vscode.l10n.t('Open {0}', path));
}

/** A link in a document that runs a command. @param argument JSON. */
export function commandLink(
  range: vscode.Range,
  command: string,
  argument: unknown,
  tooltip: string,
): vscode.DocumentLink {
  const query = JSON.stringify([argument]);
  return linkTo(range, vscode.Uri.from({ scheme: 'command', path: command, query }), tooltip);
}

function linkTo(range: vscode.Range, target: vscode.Uri, tooltip: string): vscode.DocumentLink {
  const link = new vscode.DocumentLink(range, target);
  // VS Code takes it for Markdown.
  link.tooltip = markdownText(tooltip);
  return link;
}
