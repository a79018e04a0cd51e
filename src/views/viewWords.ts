import * as vscode from 'vscode';
import { breakable } from '../platform/plainText';
import { describe } from '../platform/wording';
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

function missingWords({ permission, isHiding }: MissingPermission): string {
  return isHiding
    ? t('Your API key lacks the permission {0}: what needs it is not shown.', permission)
    : t('Your API key lacks the permission {0} now: what needs it is not updated.', permission);
}
