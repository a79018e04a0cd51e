import * as vscode from 'vscode';
import type { Disposable } from '../../base/event';
import { type PushSeen, PushDetector } from '../../commits/pushes';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';
import { sourceName } from '../../data/labels';
import type { ConnectionData } from '../../data/ui/connectionData';
import { environmentsOfPush } from '../../deployed/push';
import type { ShownPush } from '../../deployed/pushText';
import type { BranchState } from '../../deployed/ui/branchState';
import type { BranchStatusBar } from '../../deployed/ui/branchStatusBar';
import type { Diagnostics } from '../../vscode/diagnostics';
import { idOfText } from '../../vscode/extensionHost';
import type { Activity } from '../activity';
import { isSettling, isUnsettled } from '../activityEntry';
import { stateText } from '../activityNodes';

/**
 * Starts the watch of each push of the checked-out branch, if its source is known, and shows it in the status bar.
 * Until there is a push it only listens to Git.
 */
export class Pushes implements Disposable {
  private readonly detector = new PushDetector();
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
    const { signedIn } = this.data.session;
    if (branch === undefined || signedIn === undefined) return;
    const environments = environmentsOfPush(branch);
    if (environments.length === 0) return;
    const { source } = branch;
    const { baseUrl } = signedIn.connection;
    const { repository, before, sha } = push;
    // Each window that sees the push finds the same id, so it counts once.
    const id = await idOfText(
      JSON.stringify([baseUrl, source.id, repository, push.branch, before, sha]),
    );
    signedIn.signal.throwIfAborted();
    await this.activity.start(
      'push',
      {
        sourceId: source.id,
        sourceName: sourceName(this.data.context, source.id),
        ...{ repository, branch: push.branch, upstream, sha, before, environments },
      },
      id,
    );
  }

  private newest(): ShownPush | undefined {
    const entry = this.activity.entries.find(({ kind }) => kind === 'push');
    if (entry?.kind !== 'push') return undefined;
    const { repository, branch, sha, at, environments } = entry;
    return {
      ...{ repository, branch, sha, at, environments },
      isOnItsWay: isUnsettled(entry) && !isSettling(entry),
      note: stateText(entry, this.data.context),
    };
  }
}
