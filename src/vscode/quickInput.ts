import * as vscode from 'vscode';
import { onAbort } from './notifications';

/** Questions that are answered by choosing, one after the other. */
export interface Picks {
  /** What is chosen; undefined where the box is dismissed. */
  choose<Item extends vscode.QuickPickItem>(
    items: readonly Item[],
    placeholder: string,
  ): Promise<Item | undefined>;
  dispose(): void;
}

/**
 * Asks all of them in one box. A box that closes gives the focus back to where it came from; a page
 * takes it a moment later, by when the next box is there, which would close for want of it.
 *
 * @param lifetime dismisses it: the connection that it is about was left.
 */
export function openPicks(title: string, lifetime: AbortSignal): Picks {
  const box = vscode.window.createQuickPick();
  box.title = title;
  return {
    async choose(items, placeholder) {
      box.value = '';
      box.placeholder = placeholder;
      box.items = items;
      const listeners: vscode.Disposable[] = [];
      let release: (() => void) | undefined;
      try {
        return await new Promise((resolve) => {
          listeners.push(
            box.onDidAccept(() => {
              const chosen = items.find((item) => item === box.selectedItems[0]);
              if (chosen !== undefined) resolve(chosen);
            }),
            box.onDidHide(() => resolve(undefined)),
          );
          box.show();
          release = onAbort(lifetime, () => resolve(undefined));
        });
      } finally {
        release?.();
        vscode.Disposable.from(...listeners).dispose();
      }
    },
    dispose: () => box.dispose(),
  };
}
