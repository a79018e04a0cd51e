import * as vscode from 'vscode';
import { commands, extensionId } from '../../vscode/contributions';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { accessibilityHelp } from '../accessibilityHelp';

/**
 * `accessibilityHelp`: opens a document on using the views with keyboard and screen reader. Newer versions
 * of VS Code show the same texts in their own accessibility help.
 */
export function registerAccessibilityHelp(documents: ReadonlyDocuments): vscode.Disposable {
  return vscode.commands.registerCommand(commands.accessibilityHelp, async () => {
    const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
    const name = vscode.l10n.t('Accessibility Help');
    await documents.show(`${name}.md`, accessibilityHelp(manifest));
  });
}
