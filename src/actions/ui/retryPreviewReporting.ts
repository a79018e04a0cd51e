import * as vscode from 'vscode';
import type { Activity } from '../../activity/activity';
import { type ActivityConnection, isUnsettled } from '../../activity/activityEntry';
import type { ProgressNotifications } from '../../activity/ui/progressNotifications';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import type { ConnectionData } from '../../data/ui/connectionData';
import { registerCommand } from '../../vscode/commands';
import { commands, views } from '../../vscode/contributions';
import { previewReportingKind } from '../kinds/previewReporting';
import { oneAtATime } from '../sendAction';
import { confirmPermission, connectionLine } from './confirmations';

const { t } = vscode.l10n;

/** Registers `retryPreviewReporting`. It asks first, and returns the id of the entry that it started. */
export function registerRetryPreviewReporting(
  data: ConnectionData,
  activity: Activity,
  notifications: ProgressNotifications,
): vscode.Disposable {
  const once = oneAtATime<string | undefined>();
  return registerCommand(commands.retryPreviewReporting, async () => {
    const signedIn = await ensureConnection(data.session);
    if (signedIn === undefined || !(await confirmPermission(data, previewReportingKind))) {
      return undefined;
    }
    const { name, baseUrl } = signedIn.connection;
    return once(`${name} ${baseUrl}`, () => askAndSend(activity, notifications, signedIn));
  });
}

async function askAndSend(
  activity: Activity,
  notifications: ProgressNotifications,
  { connection, signal }: SignedInConnection,
): Promise<string | undefined> {
  const running = activity.entriesOf(previewReportingKind).find(isUnsettled);
  if (running !== undefined) {
    void notifications.show(running.id);
    return undefined;
  }
  if (!(await confirm(connection))) return undefined;
  // What is reported to is in this view, which is hidden until someone needs it.
  void vscode.commands.executeCommand(`${views.integrations}.focus`, { preserveFocus: true });
  return notifications.start(previewReportingKind, undefined, signal);
}

async function confirm(connection: ActivityConnection): Promise<boolean> {
  const go = t('Retry');
  const what = t(
    'The control plane retries failed preview reports to the code host, in all repositories. The request is sent once.',
  );
  const detail = `${connectionLine(connection)}\n\n${what}`;
  const title = t('Retry preview reporting?');
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, go)) === go;
}
