import * as vscode from 'vscode';
import type { views } from './contributions';
import { announce } from './notifications';

type ViewId = (typeof views)[keyof typeof views];

/** Milliseconds between two looks at the selection, and how often to look: a tree is drawn again within a second. */
const lookEvery = 20;
const mostLooks = 100;

/**
 * The command of all rows of a view that a click or Enter does something with. It has no arguments: when VS Code draws
 * a row again, it forgets those of the old one, and a click in that moment would do nothing.
 */
export function openRowCommand(view: ViewId): string {
  return `${view}.openRow`;
}

/** Registers that command: it opens the selected row, which a click selects before. */
export function registerOpenRow<Row>(
  view: ViewId,
  tree: Pick<vscode.TreeView<Row>, 'selection'>,
  open: (row: Row) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(openRowCommand(view), async () => {
    // While all rows are drawn again, VS Code does not know which one is selected, and has no event for when it does.
    for (let looks = 0; tree.selection.length === 0 && looks < mostLooks; looks++) {
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
    const [row] = tree.selection;
    if (row === undefined) announce(vscode.l10n.t('This row is no longer shown.'), 'info');
    else await open(row);
  });
}
