import * as vscode from 'vscode';
import type { TreeNode } from '../tree/nodes';

const scheme = 'control-plane-state';

/**
 * What rows that ask to be looked at have besides their icon, by the rank of their state. Their text
 * keeps its colour: in that of errors the description, which VS Code pales, is hard to read.
 */
const badges: ReadonlyMap<string, string> = new Map([
  ['3', '?'],
  ['4', '!'],
]);

/**
 * A resource that stands for the state of a row, since decorations go by resource; undefined where
 * there is nothing to decorate.
 */
export function stateUri({ id, status: { rank, words } }: TreeNode): vscode.Uri | undefined {
  if (!badges.has(String(rank)) || words === '') return undefined;
  return vscode.Uri.from({ scheme, authority: String(rank), path: `/${id}`, fragment: words });
}

/** Marks the rows of doubtful and wrong states with a sign for those who see no colour. */
export function registerStateDecorations(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration(uri) {
      const badge = uri.scheme === scheme ? badges.get(uri.authority) : undefined;
      return badge === undefined ? undefined : new vscode.FileDecoration(badge, uri.fragment);
    },
  });
}
