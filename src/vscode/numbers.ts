import * as vscode from 'vscode';
import { createNumbers } from '../text/textFormat';

/** The language of the texts, as a BCP 47 tag: English where there is no translation into the editor's. */
export const textLocale = vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;

/** Numbers, and how many there are of something, in the language of the editor. */
export const { counted, number } = createNumbers({
  t: vscode.l10n.t,
  locale: vscode.env.language,
  textLocale,
});
