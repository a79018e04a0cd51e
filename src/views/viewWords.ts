import * as vscode from 'vscode';
import { number } from '../platform/numbers';
import { breakable } from '../platform/plainText';
import { describe } from '../platform/wording';
import { maxThings } from '../workspace/knownThings';
import type { Moments } from '../workspace/moments';
import type { MissingPermission, ViewNotice } from '../workspace/viewNotice';

const { t } = vscode.l10n;

/** The line above the rows of a tree: how old what is shown is, and why. */
export function noticeWords({ staleSince, error, missing }: ViewNotice, moments: Moments): string {
  const parts = missing.map(missingWords);
  if (error !== undefined) parts.unshift(describe(error));
  if (staleSince !== undefined) parts.unshift(t('Updated {0}.', moments.relativeTo(staleSince)));
  return breakable(parts.join(' '));
}

/** What a list of the settings holds beyond what is shown of it. */
export function leftWords(left: number): string | undefined {
  return left === 0
    ? undefined
    : t('The first {0} are shown, of {1} in the settings.', maxThings, number(maxThings + left));
}

function missingWords({ permission, isHiding }: MissingPermission): string {
  return isHiding
    ? t('Your API key lacks the permission {0}: what needs it is not shown.', permission)
    : t('Your API key lacks the permission {0} now: what needs it is not updated.', permission);
}
