import * as vscode from 'vscode';
import { createNumbers } from '../base/textFormat';

/** The language of the texts, as a BCP 47 tag: English if there is no translation. */
export const textLocale = vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;

/** Formats numbers and counts in the language of VS Code. */
export const { counted, number } = createNumbers(vscode.l10n.t, vscode.env.language, textLocale);
