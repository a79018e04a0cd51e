import * as vscode from 'vscode';
import type { BranchNews } from '../platform/codeInHand';
import { commands, type LateCommand } from '../platform/contributions';
import type { Diagnostics } from '../platform/diagnostics';
import type { LogFollowing } from '../platform/following';
import { followTarget } from '../platform/followTarget';
import type { LateCommands } from '../platform/latePart';
import { askUntil } from '../platform/messages';
import { labelText } from '../platform/plainText';
import type { WorkspaceData } from '../platform/workspaceData';
import type { BranchInHand, EnvironmentInHand } from '../workspace/codeInHand';
import { environmentName } from '../workspace/codeInHandWords';
import type { NodeTarget } from '../workspace/nodes';
import { followOf } from '../workspace/sourceNodes';
import { showBranchMenu } from './branchMenu';
import { compareWithDeployed, showDeployed } from './deployedCommit';
import { chooseSource } from './sourceOfFolder';

const { t } = vscode.l10n;

export interface BranchServices {
  readonly news: BranchNews;
  readonly data: WorkspaceData;
  readonly following: LogFollowing;
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
    lateCommands.register(commands.followBranchLogs, () => followLogs(services)),
    lateCommands.register(commands.chooseSource, () => chooseSource(news, data)),
    lateCommands.register(commands.branchMenu, () => showBranchMenu(news)),
  );
}

/** Follows what the branch itself is deployed to, not what it is only compared with. */
async function followLogs({ news, data, following }: BranchServices): Promise<boolean> {
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
  return followTarget(data.session, following, follow, signedIn);
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
