import type { Activity } from '../activity/activity';
import type { ActivityChange } from '../activity/activityEntry';
import { isOfKind } from '../activity/entryKind';
import { type Disposable, Emitter, type Event } from '../base/event';
import type { NotifiedStates } from '../connection/perConnection';
import { countedEnvironments, type PushedEnvironment } from '../deployed/push';
import type { PushEntry, WorseKind } from './pushEntry';
import { isReplaced, pushKind } from './pushKind';

/** What is told of a push. */
export type PushNews = { readonly entry: PushEntry } & (
  | {
      readonly kind: 'live' | 'failed' | 'ended';
      /** Where it has come to this, with the apps and jobs that have. Never empty. */
      readonly environments: readonly PushedEnvironment[];
    }
  | {
      readonly kind: 'worse';
      readonly environments: readonly PushedEnvironment[];
      readonly kinds: readonly WorseKind[];
    }
);

/** Finds what is told of each push: once, and in the window that watches it. That it was overtaken or replaced is no news. */
export class PushNewsFinder implements Disposable {
  private readonly news = new Emitter<PushNews>();
  private readonly subscription: Disposable;
  readonly onDidCome: Event<PushNews> = this.news.event;

  constructor(
    private readonly activity: Pick<Activity, 'isHere' | 'onDidChange'>,
    private readonly notified: NotifiedStates,
  ) {
    this.subscription = activity.onDidChange((change) => this.onChange(change));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private onChange(change: ActivityChange | undefined): void {
    const { entry, previous } = change ?? {};
    if (!isOfKind(entry, pushKind) || !isOfKind(previous, pushKind)) return;
    if (!this.activity.isHere(entry.id)) return;
    const { outcome, health } = entry;
    if (outcome !== undefined && outcome !== 'overtaken' && previous.outcome === undefined) {
      const environments = countedEnvironments(entry.environments, outcome)
        .map((one) => ({ ...one, apps: one.apps.filter((app) => !isReplaced(app)) }))
        .filter(({ apps }) => apps.length > 0);
      if (environments.length > 0 && this.isNew(entry, 'outcome'))
        this.news.fire({ kind: outcome, entry, environments });
    }
    if (health?.kind === 'worse' && previous.health === undefined) {
      const environments = countedEnvironments(entry.environments, 'live');
      const { kinds } = health;
      if (this.isNew(entry, 'health'))
        this.news.fire({ kind: 'worse', entry, environments, kinds });
    }
  }

  /** Whether no window has told of it: two can watch a push for a moment, and its row can have been removed. */
  private isNew({ id }: PushEntry, what: 'outcome' | 'health'): boolean {
    const news = this.notified.claim(
      [`${what} of ${id}`],
      (key) => key,
      () => '',
    );
    return news.length > 0;
  }
}
