import * as vscode from 'vscode';
import { promptToConnect } from '../../connection/ui/session';
import { environmentPath } from '../../trees/sources/sourceNodes';
import type { WorkspaceViews } from '../../trees/ui/treeRegistry';
import type { ConnectionData } from '../../data/ui/connectionData';
import { plainText } from '../../base/plainText';
import { sanitise } from '../../base/sanitise';
import { views as viewIds } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import type { MessageSeverity } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import type { Activity } from '../activity';
import {
  type ActionProblem,
  type ActivityEntry,
  lacksPermission,
  permissionOfAction,
} from '../activityEntry';
import { detailsOfEntry, statusOfEntry } from '../activityNodes';
import { type ActivityContext, errorText, stateText, titleOf } from '../activityText';
import { errorOf } from '../sendAction';

const { t } = vscode.l10n;

/** The title of an entry, safe for a notification. */
export function plainTitle(entry: ActivityEntry): string {
  return plainText(titleOf(entry, { t, counted }), 120);
}

/** What a notification suggests to do. */
export type NextStep = 'showResult' | 'showDeployments' | 'watchAgain' | 'connect';

/** The notification for an entry that is no longer running. */
interface ActivityNotice {
  readonly severity: MessageSeverity;
  readonly message: string;
  readonly nextSteps: readonly NextStep[];
}

/** Returns undefined if the entry is running or the user is asked about it. */
export function noticeOfEnd(
  entry: ActivityEntry,
  context: ActivityContext,
): ActivityNotice | undefined {
  const title = plainTitle(entry);
  const say = (
    severity: MessageSeverity,
    words: string,
    ...nextSteps: readonly NextStep[]
  ): ActivityNotice => ({ severity, message: `${title}: ${words}`, nextSteps });
  const { progress } = entry;
  switch (progress.kind) {
    case 'sending':
    case 'following':
      return undefined;
    case 'refused':
      return progress.problem.kind === 'cancelled'
        ? say('information', t('cancelled, nothing was sent.'))
        : say(
            'error',
            problemText(entry, progress.problem),
            ...(lacksPermission(entry) ? (['connect'] as const) : []),
            'showResult',
          );
    case 'unknown':
      return unknownNotice(entry, progress.problem, say);
    case 'left':
      return leftNotice(entry, say, context);
    case 'over':
      return overNotice(entry, say, context);
  }
}

type Say = (severity: MessageSeverity, words: string, ...nextSteps: NextStep[]) => ActivityNotice;

function unknownNotice(
  entry: ActivityEntry,
  problem: ActionProblem | undefined,
  say: Say,
): ActivityNotice | undefined {
  // The user is asked about it instead.
  if (entry.kind === 'cleanUp') return undefined;
  const why = problem === undefined ? '' : ` ${describe(errorOf(problem))}`;
  return entry.kind === 'sync'
    ? say(
        'warning',
        `${t('no response, so it may or may not have started. It is not sent again automatically. Check the deployments first.')}${why}`,
        'showDeployments',
        'showResult',
      )
    : say(
        'warning',
        `${t('no response, so the result is unknown. It is not sent again automatically.')}${why}`,
        'showResult',
      );
}

function leftNotice(
  entry: ActivityEntry,
  say: Say,
  context: ActivityContext,
): ActivityNotice | undefined {
  if (entry.progress.kind !== 'left') return undefined;
  const { why } = entry.progress;
  if (why === 'stopped') {
    return say('information', t('no longer watched. The operation continues.'), 'watchAgain');
  }
  if (why === 'noPolling' && entry.kind === 'cleanUp') {
    const { operationId } = entry;
    return operationId === undefined
      ? say('information', t('accepted. Its progress cannot be watched.'))
      : say(
          'information',
          t(
            'accepted with the operation ID {0}. Its progress cannot be watched.',
            plainText(operationId, 80),
          ),
        );
  }
  if (why === 'noPolling' || why === 'nothing') {
    return say('information', `${plainText(stateText(entry, context))}.`, 'showDeployments');
  }
  const problem = entry.progress.problem;
  const words = `${plainText(stateText(entry, context))}.`;
  const reason = problem === undefined ? '' : ` ${describe(errorOf(problem))}`;
  return say('warning', `${words}${reason}`, 'watchAgain', 'showResult');
}

function overNotice(entry: ActivityEntry, say: Say, context: ActivityContext): ActivityNotice {
  const { rank } = statusOfEntry(entry, context);
  const severity = rank >= 4 ? 'error' : rank === 3 ? 'warning' : 'information';
  const state = plainText(stateText(entry, context));
  const error = errorText(entry);
  const code = entry.kind === 'cleanUp' ? entry.operation?.errorCode : undefined;
  const words = [
    `${state === '' ? t('ended') : state}.`,
    ...(error === undefined ? [] : [plainText(error)]),
    ...(code === undefined || code === error ? [] : [`(${plainText(code, 80)})`]),
  ];
  return entry.kind === 'sync'
    ? say(severity, words.join(' '), 'showDeployments', 'showResult')
    : say(severity, words.join(' '), 'showResult');
}

function problemText(entry: ActivityEntry, problem: ActionProblem): string {
  const words = describe(errorOf(problem));
  return lacksPermission(entry)
    ? `${words} ${t('It needs the permission {0}.', permissionOfAction[entry.kind])}`
    : words;
}

/** What rows, notifications and documents of the activity need. */
export interface ActivityFeature {
  readonly data: ConnectionData;
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
      await promptToConnect();
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
