import type {
  ActivityKind,
  CleanUpEntry,
  EntryBase,
  EntryOf,
  PushEntry,
  SyncEntry,
} from './activityEntry';

/** What an action of each kind is started with. */
export interface ActionTargets {
  readonly cleanUp: Pick<CleanUpEntry, 'serverId' | 'serverName' | 'items'>;
  readonly sync: Pick<SyncEntry, 'sourceId' | 'sourceName' | 'environmentId' | 'environmentName'>;
  readonly previewReporting: undefined;
  readonly push: Omit<PushEntry, keyof EntryBase | 'kind' | 'pushedAt'>;
}

/** The members of a new entry that depend on its kind, and its first progress. */
export type NewEntry<K extends ActivityKind> = Omit<
  EntryOf<K>,
  Exclude<keyof EntryBase, 'progress'>
>;

/** What ends the work on an entry. */
export interface RunSignals {
  /** Aborted when the connection or the window closes. The entry stays as it is and is resumed later. */
  readonly lifetime: AbortSignal;
  /** Aborted when the user does not want to wait any longer, and with `lifetime`. */
  readonly stop: AbortSignal;
}

/** What one kind of action does. Each connection has runners of its own. */
export interface Runner<K extends ActivityKind> {
  begin(target: ActionTargets[K]): NewEntry<K>;
  /**
   * Works on an entry from its progress until that is final, and returns it. An entry that was interrupted
   * while it was sent comes as one of unknown outcome.
   *
   * @param report shows and saves a state on the way. Resolves when it is saved, or when saving failed.
   * @throws the reason of `lifetime`, but never that of `stop` alone.
   */
  run(
    entry: EntryOf<K>,
    signals: RunSignals,
    report: (entry: EntryOf<K>) => Promise<void>,
  ): Promise<EntryOf<K>>;
}

export type Runners = { readonly [K in ActivityKind]: Runner<K> };
