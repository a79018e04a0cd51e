import type { ControlPlaneClient } from '../api/client';
import type { Operation } from '../api/types';
import { atMost, type Clock, minute } from '../base/clock';
import type { Event } from '../base/event';
import type { HistoryReader } from '../commits/commitFacts';
import type { Polling } from '../data/polling';
import { hasEnded, stateMeaning } from '../data/states';
import type { Store } from '../data/store';
import type { RecordStyle } from '../logs/record/recordStyle';
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
  /** How records of logs are read. */
  readonly logStyle: () => RecordStyle;
  readonly clock: Clock;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

/** What a deployment and an operation say about their progress. Only an operation has a phase. */
type Work = Pick<Operation, 'id' | 'state' | 'phase' | 'updatedAt' | 'finishedAt' | 'deletedAt'>;

/** How long something of unknown state must stay the same to count as ended, in milliseconds. */
const longestStillness = 5 * minute;
/** The most milliseconds between two looks that count as watched, because the machine may sleep. */
const longestGap = 2 * minute;

/**
 * Decides whether deployments or operations have ended while they are watched. The states of an API can
 * have any name: what is in a state of unknown meaning, and has no end time, has ended if it stays the
 * same for five minutes of watching.
 */
export class WatchedWork {
  private readonly seen = new Map<string, { readonly look: string; readonly since: number }>();
  private watched = 0;

  /** @param lookedAt when the watch starts, on the monotonic clock. */
  constructor(private lookedAt: number) {}

  /** How long it has been watched, in milliseconds. */
  get time(): number {
    return this.watched;
  }

  /** @param at when it was looked at, on the monotonic clock. */
  lookAt(at: number): void {
    if (at <= this.lookedAt) return;
    this.watched += Math.min(at - this.lookedAt, longestGap);
    this.lookedAt = at;
  }

  hasEnded(work: Work): boolean {
    if (hasEnded(work)) return true;
    if (stateMeaning(work.state) === 'running') return false;
    const { id = '', state, phase, updatedAt } = work;
    const look = JSON.stringify([state, phase, updatedAt]);
    const before = this.seen.get(id);
    if (before?.look === look) return this.watched - before.since >= longestStillness;
    this.seen.set(id, { look, since: this.watched });
    return false;
  }
}

/** How a watch ends, or the milliseconds until the next look. */
export type Look<T> = { readonly end: T } | { readonly wait: number };

/**
 * Looks at something again and again until it has ended, or is no longer watched.
 *
 * @param wake ends a wait early.
 * @throws as `throwUnlessStopped`.
 */
export async function pollUntil<T>(
  clock: Clock,
  look: () => Look<T> | Promise<Look<T>>,
  signals: RunSignals,
  wake?: Event<unknown>,
): Promise<T | 'stopped'> {
  let resolve = (): void => undefined;
  const subscription = wake?.(() => resolve());
  try {
    for (;;) {
      const woken = new Promise<void>((wakeUp) => (resolve = wakeUp));
      const found = await look();
      signals.stop.throwIfAborted();
      if ('end' in found) return found.end;
      await atMost(found.wait, woken, clock, signals.stop);
    }
  } catch (error) {
    throwUnlessStopped(error, signals);
    return 'stopped';
  } finally {
    subscription?.dispose();
  }
}
