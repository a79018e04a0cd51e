import type { ControlPlaneClient } from '../api/client';
import type { Clock } from '../base/clock';
import { CommitAges, type HistoryReader } from '../commits/commitAges';
import type { Polling } from '../data/polling';
import type { Store } from '../data/store';
import { endOfPush } from '../deployed/push';
import type { PushEntry } from './activityEntry';
import { type PushHealth, PushHealthCheck } from './pushHealth';
import { PushWatch, type PushWatchEnd } from './pushWatch';
import type { ActionTargets, NewEntry, Runner, RunSignals } from './runner';

/** The repositories that are open. */
export interface Repositories {
  /** @param root the URI of a repository, as text. */
  readerOf(root: string): HistoryReader | undefined;
}

/** Watches what becomes of a pushed commit. */
export class PushRunner implements Runner<'push'> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    private readonly store: Store,
    private readonly polling: Pick<Polling, 'hasFocus'>,
    private readonly repositories: Repositories,
    private readonly clock: Clock,
  ) {}

  begin(target: ActionTargets['push']): NewEntry<'push'> {
    const pushedAt = this.client.serverNow();
    return { kind: 'push', ...target, pushedAt, progress: { kind: 'following' } };
  }

  async run(
    first: PushEntry,
    { lifetime, stop }: RunSignals,
    report: (entry: PushEntry) => Promise<void>,
  ): Promise<PushEntry> {
    if (first.progress.kind !== 'following') return first;
    let entry = first;
    let why: PushWatchEnd | 'stopped';
    try {
      why = await this.watch(entry).run(stop, (environments) => {
        entry = { ...entry, environments };
        void report(entry);
      });
    } catch (error) {
      lifetime.throwIfAborted();
      if (!stop.aborted) throw error;
      why = 'stopped';
    }
    if (why !== 'over') return { ...entry, progress: { kind: 'left', why } };
    const health = await this.healthOf(entry, lifetime, stop);
    return { ...entry, ...(health === undefined ? {} : { health }), progress: { kind: 'over' } };
  }

  /** How the errors are five minutes later. Undefined if it is not live, or the user does not want to wait. */
  private async healthOf(
    entry: PushEntry,
    lifetime: AbortSignal,
    stop: AbortSignal,
  ): Promise<PushHealth | undefined> {
    const apps = entry.environments
      // The records of a preview are those of a deployment that has none before.
      .filter(({ isPreview }) => !isPreview)
      .flatMap((one) => one.apps)
      .filter(({ state }) => state === 'live');
    const isLive = endOfPush(entry.environments.flatMap((one) => one.apps)) === 'live';
    if (!isLive || apps.length === 0) return undefined;
    try {
      return await new PushHealthCheck(this.client, this.store, this.clock).run(apps, stop);
    } catch (error) {
      lifetime.throwIfAborted();
      if (!stop.aborted) throw error;
      return undefined;
    }
  }

  private watch(entry: PushEntry): PushWatch {
    const { repository, sha, upstream } = entry;
    const ages = new CommitAges(this.repositories.readerOf(repository), sha, upstream);
    return new PushWatch(entry, ages, this.store, this.polling, this.clock);
  }
}
