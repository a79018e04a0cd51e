import * as vscode from 'vscode';
import type { Diagnostics } from '../../vscode/diagnostics';
import { showFailure } from '../../vscode/notifications';
import { ConnectionLeftError } from '../../api/errors';

/** Says that nothing was sent, since the connection that it was meant for was left. */
export function sayConnectionChanged(): void {
  const message = vscode.l10n.t('The connection has changed: nothing was sent.');
  void vscode.window.showWarningMessage(message);
}

/** Says why nothing was sent. @param what failed, where it was not that the connection was left. */
export function sayNothingSent(diagnostics: Diagnostics, what: string, error: unknown): void {
  if (error instanceof ConnectionLeftError) sayConnectionChanged();
  else void showFailure(diagnostics, what, error);
}
