import { type Clock, minute } from '../../base/clock';
import type { Deployment, LogRecord } from '../../api/types';
import { deploymentTime } from '../../data/deployments';
import type { Store } from '../../data/store';
import { isUuid } from '../../data/targets';
import type { LogFilter } from '../query/filter';
import type { Span } from './histogram';

/** A deployment of a workload whose records are shown. */
export interface MarkedDeployment {
  readonly deployment: Deployment;
  /** When it was created, in milliseconds since 1970. */
  readonly at: number;
  /** The name of the workload, as its records have it. */
  readonly workload: string | undefined;
}

/** The maximum number of workloads whose deployments are requested, and of marks. */
const mostWorkloads = 10;
const mostMarks = 50;
/** A new search requests deployments again that are older than this, in milliseconds. */
const staleAfter = minute;

/**
 * The deployments of the workloads that the query or the loaded records name. They are requested only while
 * the histogram shows them, and after everything that a person waits for.
 */
export class DeploymentMarks {
  /** The names of the workloads by their ids. */
  private readonly workloads = new Map<string, string | undefined>();
  private isShown = false;

  /** @param clock the one of the store. */
  constructor(
    private readonly store: Pick<Store, 'deployments' | 'refresh'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Whether the histogram shows the deployments. */
  show(isShown: boolean): void {
    this.isShown = isShown;
    this.load(staleAfter);
  }

  /** There are other records, of a query with this filter. */
  replaced(records: readonly LogRecord[], filter: LogFilter | undefined): void {
    this.workloads.clear();
    for (const id of filter?.workloadIds ?? []) this.learn(id, undefined);
    this.take(records);
    this.load(staleAfter);
  }

  /** Records came. */
  added(records: readonly LogRecord[]): void {
    this.take(records);
    this.load(Infinity);
  }

  /** Those in a range of time, the newest ones, oldest first. */
  in({ from, to }: Span): readonly MarkedDeployment[] {
    if (!this.isShown) return [];
    return [...this.workloads]
      .flatMap(([id, workload]) =>
        (this.store.deployments(id).value?.deployments ?? []).flatMap((deployment) => {
          const at = deploymentTime(deployment);
          const isThere = at !== undefined && at >= from && at <= to;
          return isThere ? [{ deployment, at, workload }] : [];
        }),
      )
      .sort((one, other) => one.at - other.at)
      .slice(-mostMarks);
  }

  private take(records: readonly LogRecord[]): void {
    for (let index = records.length - 1; index >= 0; index--) {
      const record = records[index];
      if (record !== undefined) this.learn(record.workloadId, record.workloadName);
    }
  }

  private learn(id: string, name: string | undefined): void {
    const known = this.workloads.get(id);
    if (known !== undefined || !isUuid(id)) return;
    if (this.workloads.has(id) || this.workloads.size < mostWorkloads) this.workloads.set(id, name);
  }

  private load(maxAge: number): void {
    if (!this.isShown) return;
    for (const resourceId of this.workloads.keys()) {
      const { value, triedAt, isLoading, failures } = this.store.deployments(resourceId);
      const isDue =
        value === undefined ? failures === 0 : this.clock.monotonic() - (triedAt ?? 0) > maxAge;
      if (!isDue || isLoading) continue;
      void this.store.refresh({ kind: 'deployments', resourceId }, 'automatic');
    }
  }
}
