import * as vscode from 'vscode';
import { connectOnTheWay } from '../../connection/ui/session';
import { environmentPath } from '../../inventory/sources/sourceNodes';
import type { WorkspaceViews } from '../../inventory/ui/treeRegistry';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import { plainText } from '../../text/plainText';
import { sanitise } from '../../text/sanitise';
import { views as viewIds } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import type { Activity } from '../activity';
import type { ActivityEntry } from '../activityEntry';
import { detailsOfEntry } from '../activityNodes';
import { type ActivityContext, titleOf } from '../activityText';
import type { NextStep } from './endNotice';

const { t } = vscode.l10n;

/** What rows, notifications and documents of the activity need. */
export interface ActivityFeature {
  readonly data: WorkspaceData;
  readonly activity: Activity;
  readonly views: WorkspaceViews;
  readonly reports: ReadonlyDocuments;
}

/** Runs what a row or a notification suggests for an entry. */
export async function runNextStep(
  feature: ActivityFeature,
  step: Exclude<NextStep, 'watchAgain'>,
  entry: ActivityEntry,
): Promise<void> {
  const { activity, data, views, reports } = feature;
  switch (step) {
    case 'showResult':
      // The entry may have changed since the notification.
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

/**
 * Shows all details of an entry as a read-only plain text document, because logs are untrusted.
 *
 * @param lifetime closes the document with the connection.
 */
async function showResult(
  reports: ReadonlyDocuments,
  entry: ActivityEntry,
  context: ActivityContext,
  lifetime: AbortSignal,
): Promise<void> {
  await reports.show(`${fileName(resultTitle(entry))}.txt`, resultText(entry, context), lifetime);
}

function resultTitle(entry: ActivityEntry): string {
  switch (entry.kind) {
    case 'cleanUp':
      return t('Clean-up of {0} – result', entry.serverName);
    case 'sync':
      return t('Sync of {0} – result', entry.environmentName);
    case 'previewReporting':
      return t('Preview reporting – result');
  }
}

/** A text as the title of a tab, which would begin after a slash. */
function fileName(text: string): string {
  return plainText(text, 100).replaceAll('/', '∕');
}

function resultText(entry: ActivityEntry, context: ActivityContext): string {
  const details = detailsOfEntry(entry, context);
  const width = Math.max(0, ...details.map(({ label }) => label.length));
  const lines = details.map(({ label, value }) => `${label.padEnd(width)}  ${value}`);
  return (
    [titleOf(entry, { t, counted }), '', ...lines, ...logLines(entry)].map(sanitise).join('\n') +
    '\n'
  );
}

/** The output of the operation. The details contain the rest of its result. */
function logLines(entry: ActivityEntry): readonly string[] {
  if (entry.kind !== 'cleanUp') return [];
  const { logs, truncated } = entry.operation?.result ?? {};
  if (logs === undefined || logs === '') return [];
  return [
    '',
    t('Logs:'),
    '',
    ...logs.replace(/\r?\n$/, '').split(/\r?\n/),
    ...(truncated === true ? ['', t('The control plane truncated the logs.')] : []),
  ];
}
