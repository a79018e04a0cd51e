import * as vscode from 'vscode';
import { plainText } from '../../text/plainText';
import { describe } from '../../vscode/errorMessages';
import { counted } from '../../vscode/numbers';
import {
  type ActionProblem,
  type ActivityEntry,
  lacksPermission,
  permissionOfAction,
} from '../activityEntry';
import { statusOfEntry } from '../activityNodes';
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
interface EndNotice {
  readonly severity: 'information' | 'warning' | 'error';
  readonly message: string;
  readonly nextSteps: readonly NextStep[];
}

/** Returns undefined if the entry is running or the user is asked about it. */
export function endNotice(entry: ActivityEntry, context: ActivityContext): EndNotice | undefined {
  const title = plainTitle(entry);
  const say = (
    severity: EndNotice['severity'],
    words: string,
    ...nextSteps: readonly NextStep[]
  ): EndNotice => ({ severity, message: `${title}: ${words}`, nextSteps });
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

type Say = (severity: EndNotice['severity'], words: string, ...nextSteps: NextStep[]) => EndNotice;

function unknownNotice(
  entry: ActivityEntry,
  problem: ActionProblem | undefined,
  say: Say,
): EndNotice | undefined {
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
): EndNotice | undefined {
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

function overNotice(entry: ActivityEntry, say: Say, context: ActivityContext): EndNotice {
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
