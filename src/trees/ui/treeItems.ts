import * as vscode from 'vscode';
import { plainText } from '../../base/plainText';
import { joined } from '../../base/textFormat';
import { commands } from '../../vscode/contributions';
import type { NodeStatus, TreeNode } from '../nodes';
import type { TreeRow } from './treeRegistry';

/** The longest label and description, in UTF-16 units. */
const maxText = 200;
/** The longest value in a tooltip, in UTF-16 units. */
const maxValue = 1000;

const collapsibleStates = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** The tree item of a node, without its tooltip, which is resolved later. */
export function treeItem(node: TreeNode, row: TreeRow): vscode.TreeItem {
  const label = plainText(node.label, maxText);
  const item = new vscode.TreeItem(label, collapsibleStates[node.collapsible]);
  item.id = node.id;
  item.iconPath = icon(node.status);
  item.contextValue = node.contextValue;
  if (node.description !== undefined) item.description = plainText(node.description, maxText);
  item.accessibilityInformation = { label: sentence(label, item.description, node.status) };
  if (node.kind === 'loadMore') {
    item.command = { command: commands.loadMore, title: label, arguments: [row] };
  } else if (node.target.place !== undefined) {
    const title = vscode.l10n.t('Open Code');
    item.command = { command: commands.openErrorCode, title, arguments: [row] };
  }
  return item;
}

function icon({ icon: id, color }: NodeStatus): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** The text for screen readers: label and description, then the states that only the icon shows. */
function sentence(
  label: string,
  description: string | boolean | undefined,
  { words }: NodeStatus,
): string {
  const seen = typeof description === 'string' ? description : '';
  const said = new Set(seen.split(/, | \u00b7 /));
  const rest = words.split(', ').filter((word) => !said.has(word));
  return joined([label, seen, ...rest], ', ');
}

/** The tooltip of a node. Its texts are untrusted: no icon, image or HTML is made of them. */
export function tooltip(node: TreeNode): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**');
  appendWords(text, plainText(node.label, maxValue));
  text.appendMarkdown('**\n\n');
  const sentence = plainText(node.sentence());
  if (sentence !== '') {
    appendWords(text, sentence);
    text.appendMarkdown('\n\n');
  }
  for (const { label, value } of node.details()) {
    text.appendMarkdown('- ');
    appendWords(text, `${plainText(label)}: ${plainText(value, maxValue)}`);
    text.appendMarkdown('\n');
  }
  return text;
}

/** Like `appendText`, but lines can wrap at spaces, and text that looks like HTML is shown. */
function appendWords(to: vscode.MarkdownString, text: string): void {
  for (const part of text.split(/([ <&])/)) {
    if (part === ' ') to.appendMarkdown(' ');
    else if (part === '<') to.appendMarkdown('&lt;');
    else if (part === '&') to.appendMarkdown('&amp;');
    else to.appendText(part);
  }
}
