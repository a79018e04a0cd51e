import { minute } from '../base/clock';
import { hasEnded, meaningOf } from '../data/states';

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
