import type { ControlPlaneClient } from '../api/client';
import { failedAs } from '../api/errors';
import { fetchNewest } from '../api/fetchPages';
import type { Deployment, LogRecord } from '../api/types';
import { type Clock, delay, hour, minute } from '../base/clock';
import { timeOf } from '../base/timeFormat';
import { cut } from '../base/untrustedText';
import { deploymentTime } from '../data/deployments';
import type { Store } from '../data/store';
import type { PushedApp } from '../deployed/push';
import { ErrorGroups } from '../logs/errors/errorGroups';
import { titleOf } from '../logs/errors/errorKind';
import { queryFilters } from '../logs/query/fields';

/** How long an app must have been live before its errors say something, in milliseconds. */
const settling = 5 * minute;
/** The time before that they are compared with, in milliseconds. */
const before = hour;
/** How many pages of errors are read at most. */
const mostPages = 4;
const mostKinds = 20;
/** The contract allows so many in a filter. */
const mostWorkloads = 50;
const longestTitle = 200;

/** Why the errors could not be compared. */
export const unseenReasons = [
  'noPermission',
  'failed',
  'noRecords',
  'noneBefore',
  'tooMany',
] as const;

/** A kind of error that is new or more frequent since a push was live. Its title is untrusted. */
export interface WorseKind {
  readonly title: string;
  readonly change: 'new' | 'more';
}

/** What the errors of the apps say five minutes after a push was live. */
export type PushHealth =
  | { readonly kind: 'healthy' }
  /** The most frequent first. */
  | { readonly kind: 'worse'; readonly kinds: readonly WorseKind[] }
  | { readonly kind: 'unseen'; readonly why: (typeof unseenReasons)[number] };

/** Compares the errors of a push with those before it, five minutes after it was live. */
export class PushHealthCheck {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * @param apps those that are live.
   * @throws the signal's reason.
   */
  async run(apps: readonly PushedApp[], signal: AbortSignal): Promise<PushHealth> {
    const ends = apps.flatMap(({ deployment }) => timeOf(deployment?.finishedAt) ?? []);
    const liveAt = ends.length > 0 ? Math.max(...ends) : this.client.serverNow();
    const now = liveAt + settling;
    // Not longer, whatever is known of the server's clock.
    const left = Math.min(settling, now - this.client.serverNow());
    await delay(this.clock, Math.max(0, left), signal);
    try {
      return await this.compare(apps, { liveAt, now }, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isRefused = failedAs(error, 'missingPermission');
      return { kind: 'unseen', why: isRefused ? 'noPermission' : 'failed' };
    }
  }

  private async compare(
    apps: readonly PushedApp[],
    { liveAt, now }: { readonly liveAt: number; readonly now: number },
    signal: AbortSignal,
  ): Promise<PushHealth> {
    const workloadIds = apps.map(({ resourceId }) => resourceId).slice(0, mostWorkloads);
    const isAny = async (from: number, to: number): Promise<boolean> =>
      (await this.read({ workloadIds }, from, to, signal, 1)).records.length > 0;
    const starts = apps.flatMap(
      ({ deployment }) => (deployment && deploymentTime(deployment)) ?? [],
    );
    const start = Math.min(liveAt, ...starts);
    if (!(await isAny(liveAt, now))) return { kind: 'unseen', why: 'noRecords' };
    if (!(await isAny(start - before, start))) return { kind: 'unseen', why: 'noneBefore' };

    const errors = { workloadIds, severities: ['error' as const, 'fatal' as const] };
    const found = await this.read(errors, start - before, now, signal);
    const oldest = timeOf(found.records[0]?.timestamp) ?? start;
    const since = found.isAll ? start - before : oldest;
    if (since >= start) return { kind: 'unseen', why: 'tooMany' };
    const groups = new ErrorGroups(
      () => Promise.resolve(),
      () => Promise.resolve(null),
    );
    await groups.add(found.records);
    groups.compare({ since, now }, (id) => this.upTo(id, apps));
    const kinds = [...groups.kinds]
      .sort((one, other) => other.count - one.count)
      .flatMap((kind): WorseKind[] => {
        const { change } = kind;
        if (change !== 'new' && change !== 'more') return [];
        return [{ title: cut(titleOf(kind), longestTitle), change }];
      });
    return kinds.length === 0
      ? { kind: 'healthy' }
      : { kind: 'worse', kinds: kinds.slice(0, mostKinds) };
  }

  private async read(
    filter: Parameters<typeof queryFilters>[0],
    from: number,
    to: number,
    signal: AbortSignal,
    limit?: number,
  ): Promise<{ readonly records: readonly LogRecord[]; readonly isAll: boolean }> {
    const { client } = this;
    const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
    const filters = queryFilters(filter, start, end);
    const options = { signal, priority: 'automatic' } as const;
    if (limit !== undefined) {
      const page = await client.queryLogs({ filters, direction: 'older', limit }, options);
      return { records: page.records, isAll: true };
    }
    const found = await fetchNewest({ client, filters, maxPages: mostPages, ...options });
    return { records: found.records, isAll: found.end === 'end' && !found.partial };
  }

  /** The deployments of a workload up to the pushed one: a later one has its own errors. */
  private upTo(workloadId: string, apps: readonly PushedApp[]): readonly Deployment[] {
    const own = apps.find(({ resourceId }) => resourceId === workloadId)?.deployment;
    if (own === undefined) return [];
    const time = deploymentTime(own) ?? Infinity;
    const known = this.store.deployments(workloadId).value?.deployments ?? [];
    return [...known.filter((one) => (deploymentTime(one) ?? 0) < time && one.id !== own.id), own];
  }
}
