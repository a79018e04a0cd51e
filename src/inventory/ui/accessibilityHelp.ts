import * as vscode from 'vscode';
import { commands, extensionId, type LateCommand } from '../../vscode/contributions';
import type { LateCommands } from '../../vscode/latePart';
import type { Reports } from '../../vscode/readonlyDocuments';
import { accessibilityHelp } from '../accessibilityHelp';

export interface AccessibilityHelpServices {
  readonly reports: Reports;
  readonly lateCommands: LateCommands<LateCommand>;
}

/**
 * `accessibilityHelp`: how the views are used by keyboard and screen reader, as a document. The help
 * of VS Code itself has the same texts, where it lets extensions add to it.
 */
export function registerAccessibilityHelp({
  reports,
  lateCommands,
}: AccessibilityHelpServices): vscode.Disposable {
  return vscode.Disposable.from(
    lateCommands.register(commands.accessibilityHelp, async () => {
      const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
      const name = vscode.l10n.t('Accessibility Help');
      await reports.show(`${name}.md`, accessibilityHelp(manifest));
    }),
  );
}
