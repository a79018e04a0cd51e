import * as vscode from 'vscode';
import {
  ensureConnection,
  sayConnectionChanged,
  sayNothingSent,
  type SignedInConnection,
} from '../../connection/ui/session';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { Activity } from '../activity';
import { type EntryConnection, isUnsettled } from '../entries';
import { oneAtATime } from '../sendAction';
import type { Foreground } from './foreground';
import { mayTry } from './missingPermission';
import { connectionLine } from './operationText';

const { t } = vscode.l10n;

export interface PreviewReportingServices {
  readonly data: WorkspaceData;
  readonly activity: Activity;
  readonly foreground: Foreground;
  readonly diagnostics: Diagnostics;
}

/** `retryPreviewReporting`: says what it will do, and answers true if it was sent. */
export function registerRetryPreviewReporting(
  services: PreviewReportingServices,
): vscode.Disposable {
  const once = oneAtATime<boolean>();
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.retryPreviewReporting, async () => {
      const { session } = services.data;
      const signedIn = await ensureConnection(session);
      if (signedIn === undefined || !(await mayTry(services.data, 'previewReporting')))
        return false;
      const { name, baseUrl } = signedIn.connection;
      return once(`${name} ${baseUrl}`, () => askAndSend(services, signedIn));
    }),
  );
}

async function askAndSend(
  { activity, foreground, diagnostics }: PreviewReportingServices,
  { connection, signal }: SignedInConnection,
): Promise<boolean> {
  const running = activity.entries.find(
    (entry) => entry.kind === 'previewReporting' && isUnsettled(entry),
  );
  if (running !== undefined) {
    void foreground.show(running.id);
    return false;
  }
  if (!(await confirm(connection))) return false;
  if (signal.aborted) {
    sayConnectionChanged();
    return false;
  }
  try {
    void foreground.show(await activity.retryPreviewReporting());
    return true;
  } catch (error) {
    sayNothingSent(diagnostics, t('Nothing was sent.'), error);
    return false;
  }
}

async function confirm(connection: EntryConnection): Promise<boolean> {
  const go = t('Retry');
  const what = t(
    'The control plane reports to the code host once more what it could not report of previews, in all repositories. The request is sent once.',
  );
  const detail = `${connectionLine(connection)}\n\n${what}`;
  const title = t('Retry preview reporting?');
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, go)) === go;
}
