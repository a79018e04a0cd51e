import * as vscode from 'vscode';
import type { Permission } from '../../api/types';
import { breakable, plainText } from '../../base/plainText';
import { joined, someNames } from '../../base/textFormat';
import { describe } from '../../vscode/errorMessages';
import { number } from '../../vscode/numbers';
import { maxTargets } from '../../data/targets';
import { labelOfKey } from '../../data/labels';
import type { DataContext } from '../../data/dataContext';
import type { MissingPermission, Refusal, ViewNotice } from '../viewState';

const { t } = vscode.l10n;

/** The message above the rows of a tree: how old the rows are, and why. */
export function viewMessageText(
  { staleSince, error, missing, refused }: ViewNotice,
  context: DataContext,
): string {
  const parts = [
    staleSince === undefined
      ? undefined
      : t('Updated {0}.', context.timeFormat.relativeTo(staleSince)),
    error === undefined ? undefined : describe(error),
    ...missing.map(missingText),
    ...refused.map((one) => refusedText(one, context)),
  ];
  return breakable(joined(parts, ' '));
}

/** Says that the settings list more than is shown; undefined if they do not. */
export function leftOutText(leftOut: number): string | undefined {
  const all = number(maxTargets + leftOut);
  return leftOut === 0
    ? undefined
    : t('Showing the first {0} of {1} in the settings.', maxTargets, all);
}

/** Such as `shop-web: not allowed (repository.read).` */
function refusedText({ permission, cacheKeys }: Refusal, context: DataContext): string {
  const names = cacheKeys.map((key) => plainText(labelOfKey(key, context), 80));
  return t('{0}: not allowed ({1}).', someNames(names, t) ?? '', permission);
}

function missingText({ permission, isHiding }: MissingPermission): string {
  const missing = t('{0} is missing.', permission);
  return `${missing} ${isHiding ? hiddenText(permission) : t('What is shown is no longer updated.')}`;
}

function hiddenText(permission: Permission): string {
  switch (permission) {
    case 'repository.read':
      return t('Apps and jobs are hidden.');
    case 'secret.list':
      return t('Secret keys are hidden.');
    case 'resource.read':
      return t('Deployments are hidden.');
    case 'alert.read':
      return t('Alert rules are hidden.');
    case 'repository.connect':
      return t('Repositories are hidden.');
    default:
      return t('Integrations are hidden.');
  }
}
