import * as vscode from 'vscode';

const { t } = vscode.l10n;

/**
 * All words of the page, by the ids that its code knows them by. What depends on records comes in
 * words with the view. `{0}` and so on are for the page to fill in.
 */
function words() {
  return {
    title: t('Log Explorer'),
  } as const;
}

/** An id of a word. */
export type PageWord = keyof ReturnType<typeof words>;

/** All words of the page, by their ids. */
export function pageWords(): Record<PageWord, string> {
  return words();
}
