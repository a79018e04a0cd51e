import * as vscode from 'vscode';
import { someNames } from '../../text/textFormat';
import { breakable, plainText } from '../../text/plainText';
import { describe } from '../../vscode/errorMessages';
import { number } from '../../vscode/numbers';
import { resourceKeyName } from '../resourceKeyName';
import { maxTargets } from '../targets';
import type { TreeContext } from '../tree/nodes';
import type { MissingPermission, Refusal, ViewNotice } from '../tree/viewState';

const { t } = vscode.l10n;

/** The line above the rows of a tree: how old what is shown is, and why. */
export function viewMessageText(
  { staleSince, error, missing, refused }: ViewNotice,
  context: TreeContext,
): string {
  const parts = [...missing.map(missingWords), ...refused.map((one) => refusedWords(one, context))];
  if (error !== undefined) parts.unshift(describe(error));
  if (staleSince !== undefined)
    parts.unshift(t('Updated {0}.', context.moments.relativeTo(staleSince)));
  return breakable(parts.join(' '));
}

/** What a list of the settings holds beyond what is shown of it. */
export function leftText(left: number): string | undefined {
  return left === 0
    ? undefined
    : t('The first {0} are shown, of {1} in the settings.', maxTargets, number(maxTargets + left));
}

/** What was refused and where: the key has the permission for others. */
function refusedWords({ permission, topics }: Refusal, context: TreeContext): string {
  const names = topics.map((topic) => plainText(resourceKeyName(topic, context), 80));
  return t('{0}: not allowed ({1}).', someNames(names, t) ?? '', permission);
}

function missingWords({ permission, isHiding }: MissingPermission): string {
  return isHiding
    ? t('Your API key lacks the permission {0}: what needs it is not shown.', permission)
    : t('Your API key lacks the permission {0} now: what needs it is not updated.', permission);
}
