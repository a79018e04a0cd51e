import * as vscode from 'vscode';
import { membersOf } from '../../base/json';
import { labelText, plainText } from '../../base/untrustedText';
import { isCommit } from '../../commits/commitFacts';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';
import { shortSha, type DeployedCommit } from '../../data/deployments';
import { describe } from '../../vscode/errorMessages';
import { counted } from '../../vscode/numbers';
import {
  type BranchEnvironment,
  type CheckedOutBranch,
  environmentName,
  positionText,
  runsIn,
} from '../branch';
import type { BranchState } from './branchState';

const { t } = vscode.l10n;

interface DeployedChoice {
  readonly environment: BranchEnvironment;
  readonly commit: DeployedCommit;
}

type Act = (repository: GitRepository, sha: string, name: string) => Promise<void>;

/** Shows the changes of a deployed commit, as Git's history does. True if they were shown. */
export function showDeployed(branchState: BranchState): Promise<boolean> {
  return withDeployed(branchState, t('Select a commit to show'), showCommit);
}

/** Compares a deployed commit with the working tree. True if the comparison was shown. */
export function compareWithDeployed(branchState: BranchState): Promise<boolean> {
  return withDeployed(branchState, t('Select a commit to compare with'), compare);
}

/**
 * Shows the changes of the commit of a link, those of its file first. True if they were shown.
 *
 * @param argument `{ sha, file }`: a commit hash, and the URI of a file of its repository as text.
 */
export async function showCommitOfFile(git: Git, argument: unknown): Promise<boolean> {
  const { sha, file } = membersOf(argument);
  if (typeof sha !== 'string' || !isCommit(sha) || typeof file !== 'string') return false;
  const uri = vscode.Uri.parse(file, true);
  const repository = git.repositoryOf(uri);
  if (repository === undefined) {
    void vscode.window.showInformationMessage(
      t('This file does not belong to an open Git repository.'),
    );
    return false;
  }
  if (!(await isHere(repository, sha))) return false;
  await vscode.commands.executeCommand('git.viewCommit', repository.root, sha, uri);
  return true;
}

/** Acts on the deployed commit. If there are several, asks for one. */
async function withDeployed(
  branchState: BranchState,
  question: string,
  act: Act,
): Promise<boolean> {
  const { branch, repository } = branchState;
  if (branch === undefined || repository === undefined) return false;
  const choice = await pickCommit(branchState, branch, question);
  if (choice === undefined) return false;
  const { sha } = choice.commit;
  if (!(await isHere(repository, sha))) return false;
  await act(repository, sha, environmentName(choice.environment, t));
  return true;
}

async function pickCommit(
  branchState: BranchState,
  { environments }: CheckedOutBranch,
  placeHolder: string,
): Promise<DeployedChoice | undefined> {
  const choices = environments.flatMap((environment) =>
    environment.deployed.commits.map((commit): DeployedChoice => ({ environment, commit })),
  );
  if (choices.length === 0) sayNothingIsKnown(environments);
  if (choices.length <= 1) return choices[0];
  const items = choices.map(({ environment, commit }) => {
    const position = branchState.positionOf(commit.sha);
    return {
      label: labelText(`${environmentName(environment, t)} ${shortSha(commit.sha) ?? ''}`),
      description: labelText(runsIn(commit, t)),
      ...(position === undefined ? {} : { detail: positionText(position, { t, counted }) }),
      choice: { environment, commit },
    };
  });
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.choice;
}

function sayNothingIsKnown([environment]: readonly BranchEnvironment[]): void {
  if (environment === undefined) return;
  const what = t(
    'The commit deployed to {0} is unknown.',
    plainText(environmentName(environment, t), 80),
  );
  const why = environment.error === undefined ? [] : [describe(environment.error)];
  void vscode.window.showInformationMessage([what, ...why].join(' '));
}

/** Whether the repository has the commit. Offers to fetch it. */
export async function isHere(repository: GitRepository, sha: string): Promise<boolean> {
  if (await repository.holds(sha)) return true;
  const fetch = t('Fetch');
  const missing = t(
    'The deployed commit {0} is not in this repository yet. Fetch it?',
    shortSha(sha) ?? sha,
  );
  if ((await vscode.window.showWarningMessage(missing, fetch)) !== fetch) return false;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Fetching…') },
    () => repository.fetch(),
  );
  if (await repository.holds(sha)) return true;
  void vscode.window.showWarningMessage(
    t(
      'Commit {0} was not found on the remote. Its branch may be deleted, or it belongs to another repository.',
      shortSha(sha) ?? sha,
    ),
  );
  return false;
}

/** All changes of the commit in one editor, as Git's history shows them. */
export const showCommit: Act = async ({ root }, sha) => {
  await vscode.commands.executeCommand('git.viewCommit', root, sha);
};

/** The differences to the working tree, including uncommitted changes. */
const compare: Act = async (repository, sha, name) => {
  const short = shortSha(sha) ?? sha;
  const changes = await repository.changesSince(sha);
  if (changes.length === 0) {
    void vscode.window.showInformationMessage(
      t('No differences from the deployed commit {0}.', short),
    );
    return;
  }
  await vscode.commands.executeCommand(
    'vscode.changes',
    t('{0} ({1}) ↔ Working Tree', short, plainText(name, 80)),
    changes.map(({ label, original, modified }) => [label, original, modified]),
  );
};
