import * as vscode from 'vscode';
import type { BranchState } from './branchNews';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { GitRepository } from './gitRepository';
import { showFailure } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { labelText, plainText } from '../../text/plainText';
import { describe } from '../../vscode/errorMessages';
import type { CheckedOutBranch, BranchEnvironment } from '../branch';
import { environmentName, positionText, runsIn } from '../branchText';
import type { DeployedCommit } from '../deployed';
import { shortSha } from '../../inventory/sources/deploymentNodes';

const { t } = vscode.l10n;

interface DeployedChoice {
  readonly environment: BranchEnvironment;
  readonly commit: DeployedCommit;
}

type Act = (repository: GitRepository, sha: string, name: string) => Promise<void>;

/** Shows what a deployed commit has changed, as Git's own history does. True if it was shown. */
export function showDeployed(news: BranchState, diagnostics: Diagnostics): Promise<boolean> {
  return withDeployed(news, diagnostics, t('Show which commit?'), showCommit);
}

/** Shows what differs between a deployed commit and the files in hand. True if it was shown. */
export function compareWithDeployed(news: BranchState, diagnostics: Diagnostics): Promise<boolean> {
  return withDeployed(news, diagnostics, t('Compare with which commit?'), compare);
}

/** Does something with the deployed commit: the only one, or the one that is picked. */
async function withDeployed(
  news: BranchState,
  diagnostics: Diagnostics,
  question: string,
  act: Act,
): Promise<boolean> {
  const { branch, repository } = news;
  if (branch === undefined || repository === undefined) return false;
  try {
    const choice = await pickCommit(news, branch, question);
    if (choice === undefined) return false;
    const { sha } = choice.commit;
    if (!(await isHere(repository, sha))) return false;
    await act(repository, sha, environmentName(choice.environment, t));
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('The deployed commit cannot be shown.'), error);
    return false;
  }
}

async function pickCommit(
  news: BranchState,
  { environments }: CheckedOutBranch,
  placeHolder: string,
): Promise<DeployedChoice | undefined> {
  const choices = environments.flatMap((environment) =>
    environment.deployed.commits.map((commit): DeployedChoice => ({ environment, commit })),
  );
  if (choices.length === 0) sayNothingIsKnown(environments);
  if (choices.length <= 1) return choices[0];
  const items = choices.map(({ environment, commit }) => {
    const position = news.positionOf(commit.sha);
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
    'What is deployed to {0} is not known.',
    plainText(environmentName(environment, t), 80),
  );
  const why = environment.error === undefined ? [] : [describe(environment.error)];
  void vscode.window.showInformationMessage([what, ...why].join(' '));
}

/** Whether the repository has the commit, if need be after it was fetched. */
async function isHere(repository: GitRepository, sha: string): Promise<boolean> {
  if (await repository.holds(sha)) return true;
  const fetch = t('Fetch');
  const missing = t(
    'The deployed commit {0} is not in this repository: it was not fetched.',
    shortSha(sha) ?? sha,
  );
  if ((await vscode.window.showWarningMessage(missing, fetch)) !== fetch) return false;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.SourceControl, title: t('Fetching…') },
    () => repository.fetch(),
  );
  if (await repository.holds(sha)) return true;
  void vscode.window.showWarningMessage(
    t(
      'The commit {0} is not among what was fetched: its branch may be gone, or it is in another repository.',
      shortSha(sha) ?? sha,
    ),
  );
  return false;
}

/** As Git's own history shows a commit: all its changes in one editor. */
const showCommit: Act = async ({ root }, sha) => {
  await vscode.commands.executeCommand('git.viewCommit', root, sha);
};

/** What differs between what runs there and the files in hand, changes not committed included. */
const compare: Act = async (repository, sha, name) => {
  const short = shortSha(sha) ?? sha;
  const changes = await repository.changesSince(sha);
  if (changes.length === 0) {
    void vscode.window.showInformationMessage(
      t('No file differs from the deployed commit {0}.', short),
    );
    return;
  }
  await vscode.commands.executeCommand(
    'vscode.changes',
    t('{0} ({1}) ↔ Working Tree', short, plainText(name, 80)),
    changes.map(({ label, original, modified }) => [label, original, modified]),
  );
};
