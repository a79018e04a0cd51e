import * as vscode from 'vscode';
import { connectOnTheWay } from '../../connection/ui/session';
import { environmentPath } from '../../inventory/sources/sourceNodes';
import { shortId } from '../../inventory/targets';
import type { WorkspaceViews } from '../../inventory/ui/treeRegistry';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import { sanitise } from '../../text/sanitise';
import { commands, views as viewIds } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import type { Reports } from '../../vscode/readonlyDocuments';
import type { Activity } from '../activity';
import { detailsOfEntry } from '../activityNodes';
import { type ActivityContext, titleOf } from '../activityText';
import type { Entry } from '../entries';
import { confirmAgain } from './cleanUpQuestions';
import type { Foreground } from './foreground';
import type { Offer } from './operationText';

const { t } = vscode.l10n;

/**
 * Everything that is known of an entry, as a read-only document: logs of the server are text there.
 *
 * @param lifetime of the connection that it was started on.
 */
async function showResult(
  reports: Reports,
  entry: Entry,
  context: ActivityContext,
  lifetime: AbortSignal,
): Promise<void> {
  const name = `${t('Result')} ${shortId(entry.id)}.txt`;
  await reports.show(name, resultText(entry, context), lifetime);
}

function resultText(entry: Entry, context: ActivityContext): string {
  const details = detailsOfEntry(entry, context);
  const width = Math.max(0, ...details.map(({ label }) => label.length));
  const lines = details.map(({ label, value }) => `${label.padEnd(width)}  ${value}`);
  return (
    [titleOf(entry, { t, counted }), '', ...lines, ...logLines(entry)].map(sanitise).join('\n') +
    '\n'
  );
}

/** What the action printed; the rest of its result is among the details. */
function logLines(entry: Entry): readonly string[] {
  if (entry.kind !== 'cleanUp') return [];
  const { logs, truncated } = entry.operation?.result ?? {};
  if (logs === undefined || logs === '') return [];
  return [
    '',
    t('Logs:'),
    '',
    ...logs.replace(/\r?\n$/, '').split(/\r?\n/),
    ...(truncated === true ? ['', t('The control plane has cut the logs.')] : []),
  ];
}

export interface ActivityActions {
  readonly data: WorkspaceData;
  readonly activity: Activity;
  readonly views: WorkspaceViews;
  readonly reports: Reports;
}

/** What can be done with a row of the activity, and with the notification of one that goes on. */
export function registerActivityActions(
  services: ActivityActions,
  foreground: Foreground,
): vscode.Disposable {
  const { activity, views, reports, data } = services;
  const on = (command: string, act: (entry: Entry) => unknown): vscode.Disposable =>
    vscode.Disposable.from(
      vscode.commands.registerCommand(command, (argument) => {
        const { activityId = '' } = views.nodeOf(argument)?.target ?? {};
        const entry = activity.find(activityId);
        return entry && act(entry);
      }),
    );
  return vscode.Disposable.from(
    on(commands.watchAgain, ({ id }) => foreground.watchAgain(id)),
    on(commands.stopWatching, ({ id }) => activity.stop(id)),
    on(commands.sendAgain, async (entry) => {
      const lifetime = data.session.signedIn?.signal ?? AbortSignal.abort();
      if (entry.kind !== 'cleanUp' || !(await confirmAgain(entry, { reports, lifetime }))) return;
      activity.sendAgain(entry.id);
    }),
    on(commands.showResult, (entry) => act(services, 'showResult', entry)),
    on(commands.showDeployments, (entry) => act(services, 'showDeployments', entry)),
    on(commands.removeFromActivity, ({ id }) => activity.remove(id)),
    // The link in a notification says which; from the palette all of them go.
    vscode.commands.registerCommand(commands.runInBackground, async (id) => {
      foreground.hide(typeof id === 'string' ? id : undefined);
      await vscode.commands.executeCommand(`${viewIds.activity}.focus`);
    }),
  );
}

/** What a row and a notification offer. */
export async function act(
  services: ActivityActions,
  offer: Exclude<Offer, 'watchAgain'>,
  entry: Entry,
): Promise<void> {
  const { activity, data, views, reports } = services;
  switch (offer) {
    case 'showResult':
      // As it stands now: more may have come since the notification.
      return showResult(
        reports,
        activity.find(entry.id) ?? entry,
        data.context,
        data.session.signedIn?.signal ?? AbortSignal.abort(),
      );
    case 'connect':
      await connectOnTheWay();
      return;
    case 'showDeployments':
      if (entry.kind !== 'sync') return;
      return views
        .view(viewIds.sources)
        .reveal(environmentPath(entry.sourceId, entry.environmentId), {
          expand: true,
          focus: true,
        });
  }
}
