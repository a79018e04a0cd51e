import * as vscode from 'vscode';
import type { BranchNews } from './branchNews';
import { commands, type LateCommand } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { LateCommands } from '../../vscode/latePart';
import { askUntil } from '../../vscode/notifications';
import { labelText } from '../../text/plainText';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import type { BranchInHand, EnvironmentInHand } from '../branch';
import { environmentName } from '../branchText';
import type { FollowLogs, NodeTarget } from '../../inventory/tree/nodes';
import { followOf } from '../../inventory/sources/sourceNodes';
import { showBranchMenu } from './branchMenu';
import { compareWithDeployed, showDeployed } from './deployedCommit';
import { chooseSource } from './sourceOfFolder';

const { t } = vscode.l10n;

export interface BranchServices {
  readonly news: BranchNews;
  readonly data: WorkspaceData;
  readonly followLogs: FollowLogs;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
}

/** What can be done with the branch that is checked out and what is deployed of it. */
export function registerBranchCommands(services: BranchServices): vscode.Disposable {
  const { news, data, diagnostics, lateCommands } = services;
  return vscode.Disposable.from(
    lateCommands.register(commands.showDeployedCommit, () => showDeployed(news, diagnostics)),
    lateCommands.register(commands.compareWithDeployedCommit, () =>
      compareWithDeployed(news, diagnostics),
    ),
    lateCommands.register(commands.followBranchLogs, () => followBranch(services)),
    lateCommands.register(commands.chooseSource, () => chooseSource(news, data)),
    lateCommands.register(commands.branchMenu, () => showBranchMenu(news)),
  );
}

/** Follows what the branch itself is deployed to, not what it is only compared with. */
async function followBranch({ news, data, followLogs }: BranchServices): Promise<boolean> {
  const { branch } = news;
  const { signedIn } = data.session;
  if (branch === undefined || branch.relation === 'other' || !signedIn) return false;
  const { environments } = branch;
  const items = environments.map((environment) => ({
    label: labelText(environmentName(environment, t)),
    environment,
  }));
  const picked =
    items.length > 1
      ? await askUntil(signedIn.signal, (token) =>
          vscode.window.showQuickPick(
            items,
            { placeHolder: t('Follow the logs of which environment?') },
            token,
          ),
        )
      : items[0];
  if (picked === undefined) return false;
  const follow = followOfBranch(branch, picked.environment);
  if (follow === undefined) {
    void vscode.window.showInformationMessage(
      t('There is nothing to follow here, or more apps and jobs than can be followed together.'),
    );
    return false;
  }
  return followLogs(follow, signedIn);
}

function followOfBranch(
  { relation }: BranchInHand,
  environment: EnvironmentInHand,
): NodeTarget['follow'] {
  const { resources, name, branch, deployed } = environment;
  if (relation !== 'preview') {
    return followOf(resources, environmentName(environment, t), name).follow;
  }
  // The records of a preview name its deployment; nothing that is listed names the preview.
  const deploymentIds = deployed.commits.flatMap((one) => one.deploymentIds).slice(0, 50);
  if (deploymentIds.length === 0) return undefined;
  return { filter: { deploymentIds }, label: t('preview of {0}', branch ?? '') };
}
