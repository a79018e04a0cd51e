import type { ControlPlaneClient } from '../api/client';
import { failedAs } from '../api/errors';
import { fetchNewest } from '../api/fetchPages';
import type { Deployment, LogRecord } from '../api/types';
import { type Clock, delay, hour, minute, untilAborted } from '../base/clock';
import { timeOf } from '../base/timeFormat';
import { cut } from '../base/untrustedText';
import { anyEnvironment, deploymentTime, hasRun, isIn, runsSince } from '../data/deployments';
import { hasEnded } from '../data/states';
import type { Store } from '../data/store';
import type { PushedApp } from '../deployed/push';
import type { LastDeployment } from '../logs/errors/errorChange';
import { ErrorGroups } from '../logs/errors/errorGroups';
import { titleOf } from '../logs/errors/errorKind';
import { queryFilters } from '../logs/query/fields';
import type { RecordStyle } from '../logs/record/recordStyle';
import type { PushHealth, WorseKind } from './pushEntry';

/** How long an app must have been live before its errors say something, in milliseconds. */
const settling = 5 * minute;
/** What was replaced before says nothing, in milliseconds. */
const leastTime = minute;
/** The time before that they are compared with, in milliseconds. */
const before = hour;
/** How many pages of errors are read at most. */
const mostPages = 4;
const mostKinds = 20;
/** The contract allows so many in a filter. */
const mostWorkloads = 50;
const longestTitle = 200;

/** An app with its deployment. */
type DeployedApp = Pick<PushedApp, 'resourceId'> & { readonly deployment: Deployment };

/** An app that is live. Times are in milliseconds since 1970, by the server's clock. */
interface LiveApp {
  readonly workloadId: string;
  readonly deployment: Deployment;
  /** Since when it runs, or was seen to. */
  readonly since: number;
  readonly created: number;
}

/** What was read of a range. */
interface Errors {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  readonly isAll: boolean;
  /** Whether some were left out because the key may not read them. */
  readonly isPartial: boolean;
}

/** Compares the errors of a push with those before it, five minutes after it was live. */
export class PushHealthCheck {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly style: () => RecordStyle,
  ) {}

  /**
   * @param apps those that are live, at least one.
   * @throws the signal's reason.
   */
  async run(apps: readonly DeployedApp[], signal: AbortSignal): Promise<PushHealth> {
    const seenAt = this.client.serverNow();
    const live = apps.map(({ resourceId: workloadId, deployment }): LiveApp => {
      const since = runsSince(deployment) ?? seenAt;
      return { workloadId, deployment, since, created: deploymentTime(deployment) ?? since };
    });
    const now = Math.max(...live.map(({ since }) => since)) + settling;
    // Not longer, whatever is known of the server's clock.
    const left = Math.min(settling, now - seenAt);
    await delay(this.clock, Math.max(0, left), signal);
    try {
      return await this.compare(live.slice(0, mostWorkloads), now, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isRefused = failedAs(error, 'missingPermission');
      return { kind: 'unseen', why: isRefused ? 'noPermission' : 'failed' };
    }
  }

  /** Compares what each deployment wrote since it runs with what those before it did in the hour before. */
  private async compare(
    apps: readonly LiveApp[],
    now: number,
    signal: AbortSignal,
  ): Promise<PushHealth> {
    const workloadIds = apps.map(({ workloadId }) => workloadId);
    // Another deployment may have taken the place of one meanwhile.
    const refreshed = workloadIds.map((resourceId) =>
      this.store.refresh({ kind: 'deployments', id: resourceId }, 'automatic'),
    );
    await untilAborted(Promise.all(refreshed), signal);
    const isAny = async (from: number, to: number): Promise<boolean> =>
      (await this.read({ workloadIds }, from, to, signal, 1)).records.length > 0;
    const start = Math.min(...apps.map(({ since }) => since));
    // Before it was created, only those before it ran.
    const created = Math.min(start, ...apps.map((one) => one.created));
    if (!(await isAny(start, now))) return { kind: 'unseen', why: 'noRecords' };
    if (!(await isAny(created - before, created))) return { kind: 'unseen', why: 'noneBefore' };

    const errors = { workloadIds, severities: ['error' as const, 'fatal' as const] };
    const found = await this.read(errors, start - before, now, signal);
    if (found.isPartial) return { kind: 'unseen', why: 'partial' };
    const oldest = timeOf(found.records[0]?.timestamp) ?? start;
    const since = found.isAll ? start - before : oldest;
    if (since >= start) return { kind: 'unseen', why: 'tooMany' };
    const groups = new ErrorGroups(
      () => Promise.resolve(),
      () => Promise.resolve(null),
      this.style,
    );
    await groups.add(found.records);
    groups.compareWith({ since, now }, (id, seen) => {
      const app = apps.find(({ workloadId }) => workloadId === id);
      return app && this.placeInTime(app, seen);
    });
    const kinds = [...groups.kinds]
      .sort((a, b) => b.count - a.count)
      .flatMap((kind): WorseKind[] => {
        const { change } = kind;
        if (change !== 'new' && change !== 'more') return [];
        return [{ title: cut(titleOf(kind), longestTitle), change }];
      });
    if (kinds.length > 0) return { kind: 'worse', kinds: kinds.slice(0, mostKinds) };
    const hasRunBriefly = apps.some((app) => {
      const { at, nextAt } = this.placeInTime(app, new Map());
      return nextAt - at < leastTime;
    });
    return hasRunBriefly ? { kind: 'unseen', why: 'replaced' } : { kind: 'healthy' };
  }

  private async read(
    filter: Parameters<typeof queryFilters>[0],
    from: number,
    to: number,
    signal: AbortSignal,
    limit?: number,
  ): Promise<Errors> {
    const { client } = this;
    const range = [new Date(from).toISOString(), new Date(to).toISOString()] as const;
    const filters = queryFilters(filter, ...range);
    const options = { signal, priority: 'automatic' } as const;
    if (limit !== undefined) {
      const page = await client.queryLogs({ filters, direction: 'older', limit }, options);
      return { records: page.records, isAll: true, isPartial: page.partial };
    }
    const pages = { client, filters, maxPages: mostPages, ...options };
    const { records, end, partial } = await fetchNewest(pages);
    return { records, isAll: end === 'end', isPartial: partial };
  }

  /**
   * The deployment of the push, between those before and after it: only what it wrote itself is held against it.
   *
   * @param seen when a record of each deployment was first seen, by id.
   */
  private placeInTime(
    { workloadId, deployment: own, since }: LiveApp,
    seen: ReadonlyMap<string, number>,
  ): LastDeployment & { readonly nextAt: number } {
    const { id } = own;
    const at = Math.min(since, seen.get(id ?? '') ?? since);
    const all = this.store.read('deployments', workloadId).value?.deployments ?? [];
    const others = all.filter((one) => one.id !== id && isIn(one, anyEnvironment));
    const earlier = others.filter(
      (one) => hasRun(one, all) && (runsSince(one) ?? Infinity) <= since,
    );
    // One that has ended and never ran has not taken the place.
    const next = others
      .filter((one) => !earlier.includes(one) && (hasRun(one, all) || !hasEnded(one)))
      .map((one) => deploymentTime(one) ?? Infinity);
    const ids = new Set(earlier.flatMap((one) => one.id ?? []));
    return { id, at, earlier: ids, nextAt: Math.max(at, Math.min(...next)) };
  }
}
