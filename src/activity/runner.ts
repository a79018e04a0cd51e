import type { ControlPlaneClient } from '../api/client';
import { type Clock, minute } from '../base/clock';
import type { HistoryReader } from '../commits/commitFacts';
import type { Polling } from '../data/polling';
import { hasEnded, meaningOf } from '../data/states';
import type { Store } from '../data/store';
import type { ActivityEntry } from './activityEntry';

/** What ends the work on an entry. */
export interface RunSignals {
  /** Aborted when the connection or the window closes. The entry stays as it is and is resumed later. */
  readonly lifetime: AbortSignal;
  /** Aborted when the user does not want to wait any longer, and with `lifetime`. */
  readonly stop: AbortSignal;
}

/** Throws an error of the work, or the reason of `lifetime`, but nothing if the user only stopped it. */
export function throwUnlessStopped(error: unknown, { lifetime, stop }: RunSignals): void {
  lifetime.throwIfAborted();
  if (!stop.aborted) throw error;
}

/** Works on the entries of one kind. Each connection has runners of its own. */
export interface Runner<E extends ActivityEntry> {
  /**
   * Works on an entry from its progress until that is final, and returns it. An entry that was interrupted
   * while it was sent comes as one of unknown outcome.
   *
   * @param report shows and saves a state on the way. Resolves when it is saved, or when saving failed.
   * @throws the reason of `lifetime`, but never that of `stop` alone.
   */
  run(entry: E, signals: RunSignals, report: (entry: E) => Promise<void>): Promise<E>;
}

/** What the runners of a connection work with. */
export interface RunnerTools {
  readonly client: ControlPlaneClient;
  readonly store: Store;
  readonly polling: Polling;
  /** @param repository the URI of an open repository, as text. */
  readonly historyOf: (repository: string) => HistoryReader | undefined;
  readonly clock: Clock;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

/** What a deployment and an operation say about their progress. */
interface Work {
  readonly id?: string;
  readonly state?: string;
  /** Only of an operation. */
  readonly phase?: string;
  readonly updatedAt?: string;
  readonly finishedAt?: string;
  readonly deletedAt?: string;
}

/** How long something of unknown state must stay the same to count as ended, in milliseconds. */
const longestStillness = 5 * minute;

/**
 * Decides whether deployments or operations have ended while they are watched. The states of an API can
 * have any name: what is in a state of unknown meaning, and has no end time, has ended if it stays the
 * same for five minutes of watching.
 */
export class WatchedWork {
  private readonly seen = new Map<string, { readonly look: string; readonly since: number }>();

  /** @param watched how long they have been watched so far, in milliseconds. */
  hasEnded(work: Work, watched: number): boolean {
    if (hasEnded(work)) return true;
    if (meaningOf(work.state) === 'running') return false;
    const { id = '', state, phase, updatedAt } = work;
    const look = JSON.stringify([state, phase, updatedAt]);
    const before = this.seen.get(id);
    if (before?.look === look) return watched - before.since >= longestStillness;
    this.seen.set(id, { look, since: watched });
    return false;
  }
}
