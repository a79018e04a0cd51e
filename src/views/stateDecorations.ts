import * as vscode from 'vscode';
import type { TreeNode } from '../workspace/nodes';

const scheme = 'control-plane-state';

interface Look {
  readonly badge: string;
  readonly color: string;
}

/** What rows that ask to be looked at have besides their icon, by the rank of their state. */
const looks: ReadonlyMap<string, Look> = new Map([
  ['3', { badge: '?', color: 'list.warningForeground' }],
  ['4', { badge: '!', color: 'list.errorForeground' }],
]);

/**
 * A resource that stands for the state of a row, since decorations go by resource; undefined where
 * there is nothing to decorate.
 */
export function stateUri({ id, status: { rank, words } }: TreeNode): vscode.Uri | undefined {
  if (!looks.has(String(rank)) || words === '') return undefined;
  return vscode.Uri.from({ scheme, authority: String(rank), path: `/${id}`, fragment: words });
}

/** Colours the rows of doubtful and wrong states, with a sign for those who see no colour. */
export function registerStateDecorations(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration(uri) {
      const look = uri.scheme === scheme ? looks.get(uri.authority) : undefined;
      if (look === undefined) return undefined;
      const color = new vscode.ThemeColor(look.color);
      return new vscode.FileDecoration(look.badge, uri.fragment, color);
    },
  });
}
