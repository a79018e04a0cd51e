import * as vscode from 'vscode';
import { describe } from '../../../vscode/errorMessages';
import { number } from '../../../vscode/numbers';
import { endedBySignOut, type FollowedTail } from '../tails';
import type { TailFailure, TailState } from '../tailState';

const { t } = vscode.l10n;

/** The state of a tail in a few words. `now` is on the monotonic clock, in milliseconds. */
export function tailStateText(state: TailState, now: number): string {
  switch (state.kind) {
    case 'connecting':
      return t('connecting');
    case 'live':
      return t('live');
    case 'paused':
      return t('paused ({0} new)', number(state.newRecords));
    case 'reconnecting':
      return t('reconnecting in {0} s', secondsUntil(state.retryAt, now));
    case 'rateLimited':
      return t('rate limited {0} s', secondsUntil(state.retryAt, now));
    case 'stopped':
      return t('stopped');
    case 'failed':
      if (endedBySignOut(state)) return failureWords(state.why);
      return t('failed: {0}', failureWords(state.why));
  }
}

function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/** The reason of a failure in a few words. */
function failureWords(failure: TailFailure): string {
  switch (failure.kind) {
    case 'signedOut':
      return t('signed out');
    case 'missingPermission':
      return failure.error.isForReading
        ? t('the API key may only read')
        : t('permission logs.read is missing');
    case 'notFound':
      return t('not found');
    case 'refused':
      return t('refused');
    case 'protocol':
      return t('unexpected response from the server');
  }
}

/**
 * What happened, why and what to do, for tails that failed, wait or receive nothing; otherwise undefined.
 */
export function explanation(state: TailState): string | undefined {
  if (state.kind === 'failed') {
    const { why } = state;
    return why.kind === 'missingPermission' && !why.error.isForReading
      ? t('The API key does not have the permission logs.read. {0}', describe(why.error))
      : describe(why.error);
  }
  if (state.kind === 'reconnecting' && state.why !== undefined) return describe(state.why);
  if (state.kind === 'live' && state.silence !== undefined) return describe(state.silence);
  return undefined;
}

/** The rate as text, with one decimal below ten. */
export function rateText(perSecond: number): string {
  const digits = perSecond > 0 && perSecond < 10 ? 1 : 0;
  return t(
    '{0} lines/s',
    number(perSecond, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
}

/** The name of the codicon of a state. */
export function stateIconName(state: TailState): string {
  switch (state.kind) {
    case 'connecting':
    case 'reconnecting':
      return 'sync';
    case 'live':
      return 'broadcast';
    case 'paused':
      return 'debug-pause';
    case 'rateLimited':
      return 'watch';
    case 'stopped':
      return 'debug-stop';
    case 'failed':
      return endedBySignOut(state) ? 'key' : 'error';
  }
}

const colors: Readonly<Record<TailState['kind'], string>> = {
  connecting: 'charts.yellow',
  reconnecting: 'charts.yellow',
  live: 'charts.green',
  paused: 'charts.blue',
  rateLimited: 'charts.yellow',
  stopped: 'disabledForeground',
  failed: 'errorForeground',
};

export function stateIcon(state: TailState): vscode.ThemeIcon {
  const color = endedBySignOut(state) ? colors.stopped : colors[state.kind];
  return new vscode.ThemeIcon(stateIconName(state), new vscode.ThemeColor(color));
}

/** Label, state and rate as one sentence for screen readers and tooltips. */
export function tailSentence({ label, tail, rate }: FollowedTail, now: number): string {
  const state = tailStateText(tail.state, now);
  return tail.state.kind === 'live'
    ? t('{0}, {1}, {2}', label, state, rateText(rate))
    : t('{0}, {1}', label, state);
}
