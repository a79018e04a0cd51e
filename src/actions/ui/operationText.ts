import * as vscode from 'vscode';
import { shortId } from '../../inventory/targets';
import { plainText } from '../../text/plainText';
import { describe } from '../../vscode/errorMessages';
import { counted } from '../../vscode/numbers';
import { statusOfEntry } from '../activityNodes';
import { type ActivityContext, errorWords, stateWords, titleOf } from '../activityText';
import { type CleanUpEntry, type Entry, type EntryConnection, type Problem } from '../entries';
import { lacksPermission, permissionOfAction } from '../actionPermissions';
import { errorOf } from '../problems';
import type { NamedTarget } from '../targetNames';

const { t } = vscode.l10n;

/** What was started, fit for a notification. */
export function plainTitle(entry: Entry): string {
  return plainText(titleOf(entry, { t, counted }), 120);
}

export type Offer = 'showResult' | 'showDeployments' | 'watchAgain' | 'connect';

/** What a person is told of something that is no longer on its way or watched. */
export interface EndNotice {
  readonly severity: 'information' | 'warning' | 'error';
  readonly message: string;
  readonly offers: readonly Offer[];
}

/** Undefined where there is nothing to tell: it goes on, or it is asked about. */
export function endNotice(entry: Entry, context: ActivityContext): EndNotice | undefined {
  const title = plainTitle(entry);
  const say = (
    severity: EndNotice['severity'],
    words: string,
    ...offers: readonly Offer[]
  ): EndNotice => ({ severity, message: `${title}: ${words}`, offers });
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
            problemWords(entry, progress.problem),
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

type Say = (severity: EndNotice['severity'], words: string, ...offers: Offer[]) => EndNotice;

function unknownNotice(
  entry: Entry,
  problem: Problem | undefined,
  say: Say,
): EndNotice | undefined {
  // The person is asked about it instead.
  if (entry.kind === 'cleanUp') return undefined;
  const why = problem === undefined ? '' : ` ${describe(errorOf(problem))}`;
  return entry.kind === 'sync'
    ? say(
        'warning',
        `${t('no answer came, so whether it has started is not known. It is not sent again by itself; see what is deployed first.')}${why}`,
        'showDeployments',
        'showResult',
      )
    : say(
        'warning',
        `${t('no answer came, so what was reported is not known. It is not sent again by itself.')}${why}`,
        'showResult',
      );
}

function leftNotice(entry: Entry, say: Say, context: ActivityContext): EndNotice | undefined {
  if (entry.progress.kind !== 'left') return undefined;
  const { why } = entry.progress;
  if (why === 'stopped') {
    return say('information', t('no longer watched. The control plane goes on.'), 'watchAgain');
  }
  if (why === 'noPolling' && entry.kind === 'cleanUp') {
    const { operationId } = entry;
    return operationId === undefined
      ? say('information', t('accepted. Its progress cannot be followed here.'))
      : say(
          'information',
          t(
            'accepted, operation id {0}. Its progress cannot be followed here.',
            plainText(operationId, 80),
          ),
        );
  }
  if (why === 'noPolling' || why === 'nothing') {
    return say('information', `${plainText(stateWords(entry, context))}.`, 'showDeployments');
  }
  const problem = entry.progress.problem;
  const words = `${plainText(stateWords(entry, context))}.`;
  const reason = problem === undefined ? '' : ` ${describe(errorOf(problem))}`;
  return say('warning', `${words}${reason}`, 'watchAgain', 'showResult');
}

function overNotice(entry: Entry, say: Say, context: ActivityContext): EndNotice {
  const { rank } = statusOfEntry(entry, context);
  const severity = rank >= 4 ? 'error' : rank === 3 ? 'warning' : 'information';
  const state = plainText(stateWords(entry, context));
  const error = errorWords(entry);
  const code = entry.kind === 'cleanUp' ? entry.operation?.errorCode : undefined;
  const words = [
    `${state === '' ? t('over') : state}.`,
    ...(error === undefined ? [] : [plainText(error)]),
    ...(code === undefined || code === error ? [] : [`(${plainText(code, 80)})`]),
  ];
  return entry.kind === 'sync'
    ? say(severity, words.join(' '), 'showDeployments', 'showResult')
    : say(severity, words.join(' '), 'showResult');
}

function problemWords(entry: Entry, problem: Problem): string {
  const words = describe(errorOf(problem));
  return lacksPermission(entry)
    ? `${words} ${t('It needs the permission {0}.', permissionOfAction[entry.kind])}`
    : words;
}

/** Why nobody knows what became of a clean-up. */
export function unknownWords({ progress }: CleanUpEntry): string {
  if (progress.kind !== 'unknown') return '';
  if (progress.why === 'interrupted') {
    return t('The window or the connection ended before an answer came.');
  }
  return progress.problem === undefined
    ? t('No answer came.')
    : describe(errorOf(progress.problem));
}

/** A name may be anybody's: the id says which it is. */
export function nameWithId(name: string, id: string): string {
  const short = shortId(id);
  return name === short ? short : `${plainText(name, 100)} (${short})`;
}

/** A warning, if a folder has named what something is done to. */
export function folderWarning({ namedBy }: Pick<NamedTarget, 'namedBy'>): string[] {
  return namedBy === 'folder' ? [t('⚠ The folder that is open lists it under this name.')] : [];
}

export function connectionLine({ name, baseUrl }: EntryConnection): string {
  return t('Connection: {0}', `${plainText(name, 100)} (${plainText(baseUrl, 200)})`);
}
