import * as vscode from 'vscode';
import type { Activity } from '../../activity/activity';
import { isUnsettled } from '../../activity/activityEntry';
import { stateText } from '../../activity/activityNodes';
import type { Disposable } from '../../base/event';
import { plainText } from '../../base/untrustedText';
import { type PushSeen, PushDetector } from '../../commits/pushes';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';
import { NotifiedStates } from '../../connection/perConnection';
import type { Session } from '../../connection/ui/session';
import { isSameCommit, shortSha, siteOf } from '../../data/deployments';
import { sourceName } from '../../data/labels';
import { hasSucceeded, stateMeaning } from '../../data/states';
import { type FollowLogs, isUuid } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { openSite, type Site } from '../../data/ui/openSite';
import { environmentName } from '../../deployed/branch';
import {
  countedEnvironments,
  type DeploymentEnd,
  DeploymentEnds,
  environmentsOfPush,
  longestPush,
  type PushedApp,
  type ShownPush,
} from '../../deployed/push';
import type { BranchState } from '../../deployed/ui/branchState';
import type { BranchStatusBar } from '../../deployed/ui/branchStatusBar';
import type { DeploymentTarget, Views } from '../../trees/ui/views';
import { systemClock } from '../../vscode/systemClock';
import { commands, views as viewIds } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { idOfText } from '../../vscode/extensionHost';
import { showRecurringMessage } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { deploymentNotifications } from '../../vscode/settings';
import type { PushEntry } from '../pushEntry';
import {
  appsOf,
  endedText,
  environmentsText,
  failureOf,
  hasResult,
  kindsText,
  lengthOfPush,
  pathOfApp,
  pushKind,
} from '../pushKind';
import { type PushNews, PushNewsFinder } from '../pushNews';

const { t } = vscode.l10n;
const setting = 'deployments.notify';
/** How many deployments can be followed together. */
const mostFollowed = 50;
/** How many failed apps a message names. */
const mostNamed = 3;

/** The notifications of pushes that ended and, if the setting says so, of other deployments of the branch. */
export class PushNotices implements Disposable {
  private readonly notified: NotifiedStates;
  private ends = new DeploymentEnds();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    session: Session,
    globalState: vscode.Memento,
    private readonly data: ConnectionData,
    private readonly branchState: BranchState,
    private readonly activity: Activity,
    private readonly views: Views,
    private readonly followLogs: FollowLogs,
  ) {
    this.notified = new NotifiedStates(session, globalState, 'toldDeployments');
    const finder = new PushNewsFinder(activity, this.notified);
    this.subscriptions = vscode.Disposable.from(
      finder,
      finder.onDidCome((news) => this.notify(news)),
      branchState.onDidChange(() => this.lookAtOthers()),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private notify(news: PushNews): void {
    if (deploymentNotifications() === 'off') return;
    switch (news.kind) {
      case 'live':
        return void this.notifyLive(news);
      case 'failed':
        return void this.notifyFailed(news);
      case 'ended':
        return void this.notifyEnded(news);
      case 'worse':
        return void this.notifyWorse(news);
    }
  }

  private async notifyLive(news: PushNews): Promise<void> {
    const { signedIn } = this.data.session;
    const apps = appsOf(news);
    const took = this.data.context.timeFormat.duration(lengthOfPush(news.entry));
    const [sha, within] = wordsOf(news);
    const message =
      took === undefined
        ? counted(
            apps.length,
            '{1} is live in {2}: {0} app',
            '{1} is live in {2}: {0} apps',
            sha,
            within,
          )
        : counted(
            apps.length,
            '{1} is live in {2}: {0} app in {3}',
            '{1} is live in {2}: {0} apps in {3}',
            ...[sha, within, took],
          );
    const [follow, open, changed] = [t('Follow Logs'), t('Open Site'), t('What Changed')];
    const sites = sitesOf(apps);
    const ids = idsOf(apps);
    const buttons = [
      ...(ids.length > 0 ? [follow] : []),
      ...(sites.length > 0 ? [open] : []),
      ...(ids.length > 0 ? [changed] : []),
    ];
    const chosen = await showRecurringMessage(setting, 'information', message, ...buttons);
    if (signedIn?.signal.aborted !== false) return;
    if (chosen === open) await openSite(sites, signedIn.signal);
    if (chosen === changed) await showChanges(apps);
    if (chosen !== follow) return;
    await this.followLogs({ filter: { deploymentIds: [...ids] }, label: sha }, signedIn);
  }

  private async notifyFailed(news: PushNews): Promise<void> {
    const { signedIn } = this.data.session;
    const failed = appsOf(news);
    const [sha, within] = wordsOf(news);
    const why = failed.slice(0, mostNamed).map(({ name, deployment }) => {
      const failure = failureOf(deployment);
      return plainText(failure === '' ? name : `${name}: ${failure}`, 300);
    });
    const message = t('{0} failed in {1}. {2}', sha, within, why.join(' '));
    await this.notifyFailure(message, idsOf(failed), signedIn?.signal, () =>
      this.reveal(news.entry, failed),
    );
  }

  /** Tells of deployments that ended in a state that is neither a success nor a failure, in its own word. */
  private async notifyEnded(news: PushNews): Promise<void> {
    const { signedIn } = this.data.session;
    const ended = appsOf(news);
    const [sha, within] = wordsOf(news);
    const what = plainText(endedText(ended, t), 300);
    const show = t('Show Deployment');
    const message = t('{0} has ended in {1}. {2}', sha, within, what);
    const chosen = await showRecurringMessage(setting, 'warning', message, show);
    if (chosen === show && signedIn?.signal.aborted === false) await this.reveal(news.entry, ended);
  }

  private async reveal(entry: PushEntry, [app]: readonly PushedApp[]): Promise<void> {
    await this.views
      .view(viewIds.activity)
      .reveal(pathOfApp(entry, app?.resourceId ?? ''), { focus: true });
  }

  private async notifyWorse(news: Extract<PushNews, { kind: 'worse' }>): Promise<void> {
    const { signedIn } = this.data.session;
    const { kinds } = news;
    const [sha, within] = wordsOf(news);
    const message = counted(
      kinds.length,
      'Since {1} is live in {2}, {0} kind of error is new or more frequent: {3}',
      'Since {1} is live in {2}, {0} kinds of errors are new or more frequent: {3}',
      ...[sha, within, plainText(kindsText(kinds.slice(0, mostNamed)), 300)],
    );
    const [show, compare, changed] = [t('Show Errors'), t('Compare'), t('What Changed')];
    const buttons = [show, compare, changed];
    const chosen = await showRecurringMessage(setting, 'warning', message, ...buttons);
    if (signedIn?.signal.aborted !== false) return;
    if (chosen === show) await vscode.commands.executeCommand(commands.showErrors);
    if (chosen === changed) await showChanges(appsOf(news));
    if (chosen !== compare) return;
    const deployment = liveOf(appsOf(news));
    if (deployment !== undefined) {
      await vscode.commands.executeCommand(commands.compareDeployments, deployment);
    }
  }

  private async notifyFailure(
    message: string,
    deploymentIds: readonly string[],
    lifetime: AbortSignal | undefined,
    reveal: () => Promise<void>,
  ): Promise<void> {
    const [logs, show] = [t('Show Logs'), t('Show Deployment')];
    const buttons = [...(deploymentIds.length > 0 ? [logs] : []), show];
    const chosen = await showRecurringMessage(setting, 'error', message, ...buttons);
    if (lifetime?.aborted !== false) return;
    if (chosen === show) await reveal();
    if (chosen === logs)
      await vscode.commands.executeCommand(commands.searchLogs, { deploymentIds });
  }

  /** Tells of deployments of others that polling shows. */
  private lookAtOthers(): void {
    const { branch } = this.branchState;
    if (
      deploymentNotifications() !== 'all' ||
      branch === undefined ||
      branch.relation === 'other'
    ) {
      this.ends = new DeploymentEnds();
      return;
    }
    const found = this.ends.look(
      branch.environments,
      (id) => this.data.store.read('deployments', id).value?.deployments,
    );
    const pushed = this.activity.entriesOf(pushKind).map(({ sha }) => sha);
    const others = found.filter(({ deployment: { commitSha } }) => {
      return !pushed.some((sha) => isSameCommit(commitSha, sha));
    });
    const news = this.notified.claim(
      others,
      ({ deployment }) => deployment.id,
      ({ deployment }) => deployment.state ?? '',
    );
    for (const end of news) void this.notifyOther(end);
  }

  private async notifyOther({ deployment, app, environment }: DeploymentEnd): Promise<void> {
    const { id, commitSha, state = '' } = deployment;
    const { signedIn } = this.data.session;
    const sha = plainText(shortSha(commitSha) ?? '', 40);
    const [name, within] = [plainText(app, 80), plainText(environmentName(environment, t), 80)];
    if (hasSucceeded(deployment)) {
      const message = t('{0} of {1} is live in {2}.', sha, name, within);
      await showRecurringMessage(setting, 'information', message);
      return;
    }
    const meaning = stateMeaning(state);
    if (meaning === undefined) {
      const word = plainText(state, 80);
      const message = t('{0} of {1} has ended in {2}: {3}', sha, name, within, word);
      await showRecurringMessage(setting, 'warning', message);
    }
    // What was cancelled or replaced has neither failed nor become live.
    if (meaning !== 'failed') return;
    const failure = plainText(failureOf(deployment), 300);
    const message = t('{0} of {1} failed in {2}. {3}', sha, name, within, failure);
    await this.notifyFailure(message, isUuid(id) ? [id] : [], signedIn?.signal, () =>
      this.views.view(viewIds.sources).reveal([], { focus: true }),
    );
  }
}

/** Shows the commits of a push, by the deployment of one of its apps. */
async function showChanges(apps: readonly PushedApp[]): Promise<void> {
  const deployment = liveOf(apps);
  if (deployment !== undefined) {
    await vscode.commands.executeCommand(commands.whatChanged, deployment);
  }
}

/** The deployment of the first app that is live, for a command. */
function liveOf(apps: readonly PushedApp[]): DeploymentTarget | undefined {
  const live = apps.find(({ state, deployment }) => state === 'live' && isUuid(deployment?.id));
  return live && { resourceId: live.resourceId, deploymentId: live.deployment?.id };
}

/** The commit of a push and the environments where it has come to this, for a message. */
function wordsOf({ entry: { sha }, environments }: PushNews): readonly [string, string] {
  return [shortSha(sha) ?? '', plainText(environmentsText(environments, t), 120)];
}

function idsOf(apps: readonly PushedApp[]): readonly string[] {
  return apps
    .flatMap(({ deployment }) => deployment?.id ?? [])
    .filter(isUuid)
    .slice(0, mostFollowed);
}

/** The sites of the deployments, https only. */
function sitesOf(apps: readonly PushedApp[]): readonly Site[] {
  const urls = apps.flatMap(({ deployment }) => siteOf(deployment?.hostname) ?? []);
  return [...new Set(urls)].map((url) => ({ url }));
}

/**
 * Starts the watch of each push of the checked-out branch, if its source is known, and shows it in the status bar.
 * Until there is a push it only listens to Git.
 */
export class Pushes implements Disposable {
  private readonly detector = new PushDetector(systemClock);
  private readonly subscriptions: vscode.Disposable;
  /** The repositories that were looked at, each with its state then. */
  private readonly seen = new Map<string, string>();
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly git: Git,
    private readonly branchState: BranchState,
    private readonly data: ConnectionData,
    private readonly activity: Activity,
    private readonly statusBar: BranchStatusBar,
    private readonly diagnostics: Diagnostics,
  ) {
    const lookSoon = (): void => {
      this.work = this.work.then(() => this.look());
    };
    this.subscriptions = vscode.Disposable.from(
      git.onDidChange(lookSoon),
      branchState.onDidChange(lookSoon),
      activity.onDidChange(() => this.statusBar.showPush(this.newest())),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const { current } = this.git;
    const { branch } = this.branchState;
    const isMatched = branch !== undefined && branch.relation !== 'other';
    for (const repository of this.git.repositories) {
      const root = repository.root.toString();
      const isWatched = isMatched && repository === current;
      const state = isWatched ? repository.trackedState : '';
      if (state === (this.seen.get(root) ?? '')) continue;
      this.seen.set(root, state);
      try {
        await this.lookAt(repository, isWatched);
      } catch (error) {
        this.diagnostics.error('A push could not be watched', error);
      }
    }
  }

  private async lookAt(repository: GitRepository, isWatched: boolean): Promise<void> {
    const tracked = isWatched ? await repository.trackedBranch() : undefined;
    const push = await this.detector.see(repository.root.toString(), tracked, repository);
    if (push !== undefined) await this.start(push, tracked?.upstream);
  }

  private async start(push: PushSeen, upstream: string | undefined): Promise<void> {
    const { branch } = this.branchState;
    const { session } = this.data;
    const { signedIn } = session;
    if (branch === undefined || signedIn === undefined) return;
    const environments = environmentsOfPush(branch);
    if (environments.length === 0) return;
    const { source } = branch;
    const { baseUrl } = signedIn.connection;
    const { repository, before, sha, at } = push;
    const now = session.serverNow();
    const pushedAt = at === undefined ? now : Math.min(now, session.serverTimeOf(at));
    // Such as one that a window sees only when it gets the focus. What became of it was told, or is no news.
    if (now - pushedAt > longestPush) return;
    if (at === undefined && this.isWatched(push, pushedAt)) return;
    // Each window that sees the push finds the same id, and the same commit pushed again has another one.
    const id = await idOfText(
      JSON.stringify([baseUrl, source.id, repository, push.branch, before, sha, at ?? pushedAt]),
    );
    signedIn.signal.throwIfAborted();
    await this.activity.start(
      pushKind,
      {
        sourceId: source.id,
        sourceName: sourceName(this.data.context, source.id),
        repository,
        branch: push.branch,
        upstream,
        sha,
        before,
        pushedAt,
        environments,
      },
      id,
    );
  }

  /** Whether a window watches the same push already, where Git keeps no log that says when it was. */
  private isWatched({ repository, branch, sha }: PushSeen, pushedAt: number): boolean {
    return this.activity
      .entriesOf(pushKind)
      .some(
        (one) =>
          one.repository === repository &&
          one.branch === branch &&
          one.sha === sha &&
          pushedAt - one.pushedAt < longestPush,
      );
  }

  private newest(): ShownPush | undefined {
    const { activity } = this;
    const [entry] = activity.entriesOf(pushKind);
    if (entry === undefined) return undefined;
    const { repository, branch, sha, at, environments } = entry;
    return {
      repository,
      branch,
      sha,
      at,
      environments,
      isOnItsWay: isUnsettled(entry) && !hasResult(entry),
      isFailed: countedEnvironments(environments, 'failed').length > 0,
      note: stateText(entry, activity.kinds, this.data.context),
    };
  }
}
