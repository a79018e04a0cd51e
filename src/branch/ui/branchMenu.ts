import * as vscode from 'vscode';
import type { BranchState } from './branchNews';
import { commands } from '../../vscode/contributions';
import { counted } from '../../vscode/numbers';
import { labelText, plainText } from '../../text/plainText';
import { environmentName, positionText } from '../branchText';
import type { CheckedOutBranch } from '../branch';
import { shortSha } from '../../inventory/sources/deploymentNodes';
import { shortId } from '../../inventory/targets';

const { t } = vscode.l10n;

interface MenuItem extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** The menu of the status bar item. */
export async function showBranchMenu(news: BranchState): Promise<void> {
  const { branch } = news;
  if (branch === undefined) {
    await vscode.commands.executeCommand(commands.chooseSource);
    return;
  }
  const { environments, relation, source } = branch;
  const names = environments.map((one) => environmentName(one, t)).join(', ');
  const [newest] = environments[0]?.deployed.commits ?? [];
  const position = newest && news.positionOf(newest.sha);
  const item = (label: string, icon: string, command: string, description = ''): MenuItem => ({
    label,
    description: labelText(description),
    iconPath: new vscode.ThemeIcon(icon),
    run: () => vscode.commands.executeCommand(command),
  });
  const items: MenuItem[] = [
    item(
      t('Show Deployed Commit'),
      'git-commit',
      commands.showDeployedCommit,
      newest && shortSha(newest.sha),
    ),
    item(
      t('Compare with Deployed Commit'),
      'diff-multiple',
      commands.compareWithDeployedCommit,
      position && positionText(position, { t, counted }),
    ),
    // The branch is not deployed to an environment that it is only compared with.
    ...(relation === 'other'
      ? []
      : [
          item(
            t("Follow Logs of This Branch's Environment"),
            'output',
            commands.followBranchLogs,
            names,
          ),
        ]),
    ...syncItem(branch),
    { label: t('Refresh'), iconPath: new vscode.ThemeIcon('refresh'), run: news.refresh },
    item(
      t('Choose Source for This Folder…'),
      'repo',
      commands.chooseSource,
      source.label ?? shortId(source.id),
    ),
  ];
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: plainText(names, 100) });
  await chosen?.run();
}

/** Syncs the environment of the branch; if there are several, the command asks. */
function syncItem({ relation, environments, source }: CheckedOutBranch): MenuItem[] {
  const [environment, ...others] = environments;
  const canSync = environments.some((one) => one.id !== undefined && !one.isDisconnected);
  if (relation === 'other' || environment === undefined || !canSync) return [];
  const target =
    others.length === 0 ? { sourceId: source.id, environmentId: environment.id } : undefined;
  return [
    {
      label: t('Sync Environment…'),
      description: labelText(environmentName(environment, t)),
      iconPath: new vscode.ThemeIcon('sync'),
      run: () => vscode.commands.executeCommand(commands.syncEnvironment, target),
    },
  ];
}
