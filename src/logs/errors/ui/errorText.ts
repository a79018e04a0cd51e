import * as vscode from 'vscode';
import type { Git } from '../../../branch/ui/git';
import { someNames } from '../../../text/textFormat';
import { plainText } from '../../../text/plainText';
import { describe } from '../../../vscode/errorMessages';
import { counted } from '../../../vscode/numbers';
import type { ErrorRange, ErrorScope } from '../errorScope';
import type { Errors } from './errors';

const { t } = vscode.l10n;

/** Such as `24 h`. */
export function rangeText(range: ErrorRange): string {
  switch (range) {
    case '1h':
      return t('1 h');
    case '24h':
      return t('24 h');
    case '7d':
      return t('7 d');
  }
}

/** What the view shows, next to its title. */
export function scopeText({ memory: { scope }, isOfFolder }: Errors): string {
  const { range, workloads, environment } = scope;
  const which =
    typeof workloads === 'object'
      ? plainText(
          someNames(
            workloads.map(({ name }) => name),
            t,
          ) ?? '',
          80,
        )
      : isOfFolder || workloads === 'folder'
        ? t('this folder')
        : t('all workloads');
  const parts = [rangeText(range), which, environment && environmentText(environment)];
  return parts.filter((part) => part !== undefined).join(' · ');
}

export function environmentText(environment: ErrorScope['environment']): string {
  switch (environment) {
    case 'production':
      return t('production');
    case 'preview':
      return t('preview');
    case undefined:
      return t('any environment');
  }
}

/** How much was looked at, why that may be old, and why lines may be others. */
export function lookedAtText(
  { count, kinds, state, memory }: Errors,
  { isOff }: Pick<Git, 'isOff'>,
  relativeTo: (time: number) => string,
): string {
  const range = rangeText(memory.scope.range);
  const { isAll, isLoading, isPartial, at, error } = state;
  const looked =
    isAll || (isLoading && at === undefined)
      ? counted(count, '{0} error in {1}.', '{0} errors in {1}.', range)
      : counted(
          count,
          'Based on the newest error in {1}.',
          'Based on the {0} newest errors in {1}.',
          range,
        );
  return [
    looked,
    isPartial ? t('The control plane returned only part of them.') : undefined,
    error === undefined || at === undefined ? undefined : t('Updated {0}.', relativeTo(at)),
    error === undefined ? undefined : describe(error),
    isOff && kinds.some(({ spots }) => spots.length > 0)
      ? t('Without Git, lines in code may have moved.')
      : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The tooltip of the badge, and the text of a notification of several kinds. */
export function newKindsText(count: number): string {
  return counted(
    count,
    '{0} kind of error is new since the last deployment',
    '{0} kinds of error are new since the last deployment',
  );
}
