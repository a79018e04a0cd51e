import * as vscode from 'vscode';
import { markdownText } from '../base/markdown';

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
