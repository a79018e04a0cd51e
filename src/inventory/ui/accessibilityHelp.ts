import * as vscode from 'vscode';
import { commands, extensionId } from '../../vscode/contributions';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { accessibilityHelp } from '../accessibilityHelp';

export interface AccessibilityHelpServices {
  readonly reports: ReadonlyDocuments;
}

/**
 * `accessibilityHelp`: how the views are used by keyboard and screen reader, as a document. The help
 * of VS Code itself has the same texts, where it lets extensions add to it.
 */
export function registerAccessibilityHelp({
  reports,
}: AccessibilityHelpServices): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.accessibilityHelp, async () => {
      const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
      const name = vscode.l10n.t('Accessibility Help');
      await reports.show(`${name}.md`, accessibilityHelp(manifest));
    }),
  );
}
