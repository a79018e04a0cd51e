import * as vscode from 'vscode';
import { commands, type LateCommand } from '../platform/contributions';
import type { Diagnostics } from '../platform/diagnostics';
import { ensureConnection } from '../platform/ensureConnection';
import type { LateCommands } from '../platform/latePart';
import type { WorkspaceData } from '../platform/workspaceData';
import type { Activity } from '../workspace/operations/activity';
import { sayConnectionChanged, sayNothingSent } from './connectionChanged';
import type { Foreground } from './foreground';
import { mayTry } from './missingPermission';

export interface PreviewReportingServices {
  readonly data: WorkspaceData;
  readonly activity: Activity;
  readonly foreground: Foreground;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
}

/** `retryPreviewReporting`: true where it was sent. */
export function registerRetryPreviewReporting(
  services: PreviewReportingServices,
): vscode.Disposable {
  const { data, activity, foreground, diagnostics, lateCommands } = services;
  const retry = async (): Promise<boolean> => {
    const signedIn = await ensureConnection(data.session);
    if (signedIn === undefined || !(await mayTry(data, 'previewReporting'))) return false;
    if (signedIn.signal.aborted) {
      sayConnectionChanged();
      return false;
    }
    try {
      void foreground.show(await activity.retryPreviewReporting());
      return true;
    } catch (error) {
      sayNothingSent(diagnostics, vscode.l10n.t('Nothing was sent.'), error);
      return false;
    }
  };
  return vscode.Disposable.from(lateCommands.register(commands.retryPreviewReporting, retry));
}
