import * as vscode from 'vscode';
import { oneLine, rowText } from '../../base/plainText';
import { joined } from '../../base/textFormat';
import { commands } from '../../vscode/contributions';
import { markdown } from '../../vscode/markdown';
import type { NodeStatus, TreeNode } from '../nodes';
import type { TreeRow } from './treeRegistry';

const collapsibleStates = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** The tree item of a node, without its tooltip, which is resolved later. */
export function treeItem(node: TreeNode, row: TreeRow): vscode.TreeItem {
  const label = rowText(node.label);
  const item = new vscode.TreeItem(label, collapsibleStates[node.collapsible]);
  item.id = node.id;
  item.iconPath = icon(node.status);
  item.contextValue = node.contextValue;
  if (node.description !== undefined) item.description = rowText(node.description);
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

/** The tooltip of a node, whose texts are untrusted. */
export function tooltip(node: TreeNode): vscode.MarkdownString {
  return markdown(
    { heading: node.label },
    ...(node.status.words === '' ? [] : [node.status.words]),
    { list: node.details().map(({ label, value }) => oneLine(`${label}: ${value}`)) },
  );
}
