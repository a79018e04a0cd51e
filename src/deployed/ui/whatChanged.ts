import * as vscode from 'vscode';
import type { Resource } from '../../api/types';
import { untilAborted } from '../../base/clock';
import { dotted } from '../../base/textFormat';
import { labelText, plainText } from '../../base/untrustedText';
import {
  type Commit,
  type CommitRange,
  filesOfRange,
  missingCommits,
  readRange,
} from '../../commits/commitRange';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';
import { ensureConnection } from '../../connection/ui/session';
import {
  deploymentPair,
  type DeploymentPair,
  deploymentTime,
  hasRun,
  newestFirst,
  shortSha,
} from '../../data/deployments';
import { nameOfResource } from '../../data/labels';
import { stateInWords } from '../../data/stateWords';
import { isUuid, shortId } from '../../data/targets';
import { type ConnectionData, lookUpEnvironments } from '../../data/ui/connectionData';
import type { DeploymentTarget, Views } from '../../trees/ui/views';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { UserError } from '../../vscode/errorMessages';
import { withProgress } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { pickOne } from '../../vscode/quickInput';
import { comparedCommits, commitText, rangeTitle, sectionsOf } from '../whatChanged';
import type { BranchState } from './branchState';
import { isHere, showCommit } from './deployedCommit';

const { t } = vscode.l10n;

/** The most deployments to choose from. */
const mostDeployments = 50;

/**
 * `whatChanged`: the commits between a deployment and the one before it in its place, of a row, of the argument
 * `{ resourceId, deploymentId }`, or of a question. True if something was shown.
 */
export function registerWhatChanged(
  git: Git,
  branchState: BranchState,
  data: ConnectionData,
  views: Views,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const whatChanged = new WhatChanged(git, branchState, data, views);
  return registerCommand(commands.whatChanged, (argument) => whatChanged.show(argument), {
    diagnostics,
    failed: t('Could not show what changed.'),
  });
}

class WhatChanged {
  constructor(
    private readonly git: Git,
    private readonly branchState: BranchState,
    private readonly data: ConnectionData,
    private readonly views: Views,
  ) {}

  async show(argument: unknown): Promise<boolean> {
    if (this.git.repositories.length === 0) {
      throw new UserError(t('Open the Git repository that is deployed.'));
    }
    const signedIn = await ensureConnection(this.data.session);
    if (signedIn === undefined) return false;
    const { signal } = signedIn;
    const target = await this.targetOf(argument, signal);
    if (target === undefined) return false;
    const pair = await this.pairOf(target, signal);
    const compared = comparedCommits(pair);
    switch (compared.kind) {
      case 'first':
        return say(t('There is no earlier deployment to compare with.'));
      case 'unknown':
        return say(t('The control plane does not say which commits were deployed.'));
      case 'same':
        return say(t('Commit {0} was deployed again.', shortSha(compared.sha) ?? ''));
      case 'two':
        return this.compare(pair, compared.before, compared.now, signal);
    }
  }

  /** Of a row, of an argument, or of a question; undefined if there is none. */
  private async targetOf(
    argument: unknown,
    signal: AbortSignal,
  ): Promise<DeploymentTarget | undefined> {
    return argument === undefined ? this.pick(signal) : this.views.deploymentOf(argument);
  }

  /** Asks again which deployments there are: one may have ended since. @throws if there is no such deployment. */
  private async pairOf(target: DeploymentTarget, signal: AbortSignal): Promise<DeploymentPair> {
    const { context, store } = this.data;
    const resourceId = target.resourceId ?? deploymentPair(context, target)?.resource.id;
    if (resourceId !== undefined) {
      await untilAborted(store.refresh({ kind: 'deployments', id: resourceId }, 'person'), signal);
    }
    const pair = deploymentPair(context, target);
    if (pair !== undefined) return pair;
    const { error } = store.read('deployments', resourceId ?? '');
    throw error instanceof Error
      ? error
      : new UserError(t('This deployment is not known any more.'));
  }

  /** Asks for an app or job and one of its deployments. */
  private async pick(signal: AbortSignal): Promise<DeploymentTarget | undefined> {
    const { store, context } = this.data;
    const apps = (await this.apps(signal)).filter(({ id }) => isUuid(id));
    if (apps.length === 0) throw new UserError(t('No apps or jobs are known.'));
    const items = apps.map(({ id: resourceId, ...resource }) => ({
      label: labelText(nameOfResource(resource) ?? shortId(resourceId ?? '')),
      description: labelText(resource.environment?.name ?? ''),
      resourceId,
    }));
    const app =
      items.length === 1
        ? items[0]
        : await pickOne(items, { placeHolder: t('Select an app or job') }, signal);
    if (app?.resourceId === undefined) return undefined;
    const { resourceId } = app;
    const deployments = async (): Promise<readonly (DeploymentTarget & vscode.QuickPickItem)[]> => {
      await store.refresh({ kind: 'deployments', id: resourceId }, 'person');
      const all = store.read('deployments', resourceId).value?.deployments ?? [];
      return newestFirst(all)
        .filter((one) => hasRun(one, all))
        .slice(0, mostDeployments)
        .map((one) => {
          const time = deploymentTime(one);
          return {
            label: labelText(shortSha(one.commitSha) ?? shortId(one.id ?? '')),
            description: labelText(
              dotted([stateInWords(one.state ?? '', t), context.timeFormat.relativeTo(time)]),
            ),
            resourceId,
            deploymentId: one.id,
          };
        });
    };
    return pickOne(deployments(), { placeHolder: t('Select a deployment') }, signal);
  }

  /** Those of the checked-out branch if they are known, otherwise those of all sources. */
  private async apps(signal: AbortSignal): Promise<readonly Resource[]> {
    const { store, context } = this.data;
    const own = this.branchState.branch?.environments.flatMap(({ resources }) => resources);
    if (own !== undefined) return own;
    const sources = context.sources();
    await Promise.all(sources.map(({ id }) => lookUpEnvironments(this.data, id, signal)));
    return sources.flatMap(({ id }) => store.read('resources', id).value?.resources ?? []);
  }

  private async compare(
    { resource }: DeploymentPair,
    before: string,
    now: string,
    lifetime: AbortSignal,
  ): Promise<boolean> {
    const repository = await this.repositoryWith([before, now]);
    for (const sha of await missingCommits(repository, [before, now])) {
      if (!(await isHere(repository, sha))) return false;
    }
    const range = await withProgress(t('Reading commits…'), lifetime, (signal) =>
      untilAborted(readRange(repository, before, now), signal),
    );
    return (
      range !== undefined && this.choose(repository, range, nameOfResource(resource), lifetime)
    );
  }

  /** The repository that has these commits, or at least one of them; otherwise the current one. */
  private async repositoryWith(shas: readonly string[]): Promise<GitRepository> {
    const { current, repositories } = this.git;
    const counts = await Promise.all(
      repositories.map(async (repository) => ({
        repository,
        missing: (await missingCommits(repository, shas)).length,
      })),
    );
    const [best] = counts.sort((a, b) => a.missing - b.missing);
    const found = best !== undefined && best.missing < shas.length ? best.repository : current;
    if (found === undefined) throw new UserError(t('Open the Git repository that is deployed.'));
    return found;
  }

  /** Lists the commits; shows the chosen one, or all files. */
  private async choose(
    repository: GitRepository,
    range: CommitRange,
    name: string | undefined,
    lifetime: AbortSignal,
  ): Promise<boolean> {
    const { timeFormat } = this.data.context;
    const title = rangeTitle(range, { t, counted });
    const items: (vscode.QuickPickItem & { readonly commit?: Commit })[] = sectionsOf(range, {
      t,
      counted,
    }).flatMap(({ heading, commits, more }) => [
      { label: heading, kind: vscode.QuickPickItemKind.Separator },
      ...commits.map((commit) => ({
        label: labelText(commit.title),
        description: labelText(commitText(commit, { counted, timeFormat })),
        iconPath: new vscode.ThemeIcon('git-commit'),
        commit,
      })),
      ...(more > 0
        ? [{ label: t('{0} more', more), kind: vscode.QuickPickItemKind.Separator }]
        : []),
    ]);
    if (range.base !== undefined) {
      items.unshift({
        label: t('Show All Files'),
        iconPath: new vscode.ThemeIcon('diff-multiple'),
      });
    }
    const chosen = await pickOne(
      items,
      {
        title: dotted([labelText(name ?? ''), title]),
        placeHolder: t('Select a commit to show its changes'),
      },
      lifetime,
    );
    if (chosen === undefined) return false;
    if (chosen.commit === undefined) return showFiles(repository, range, title);
    await showCommit(repository, chosen.commit.sha, '');
    return true;
  }
}

/** All files that differ, in one editor. */
async function showFiles(
  repository: GitRepository,
  range: CommitRange,
  title: string,
): Promise<boolean> {
  const files = await filesOfRange(repository, range);
  if (files.length === 0) return say(t('No file changed.'));
  await vscode.commands.executeCommand(
    'vscode.changes',
    plainText(title),
    files.map(({ before, after }) => [
      vscode.Uri.parse(after ?? before ?? '', true),
      before && repository.fileAt(vscode.Uri.parse(before, true), range.from),
      after && repository.fileAt(vscode.Uri.parse(after, true), range.to),
    ]),
  );
  return true;
}

function say(message: string): boolean {
  void vscode.window.showInformationMessage(message);
  return false;
}
