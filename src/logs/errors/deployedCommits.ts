import { type Clock, minute } from '../../api/clock';
import { isCommit } from '../../branch/deployed';
import { isRefusal } from '../../inventory/resourceKeys';
import type { Store } from '../../inventory/store';
import { isUuid } from '../../inventory/targets';
import type { ErrorSpot } from './errorKind';

type Deployed = Pick<ErrorSpot, 'deploymentId' | 'workloadId'>;

/** The commits of deployments, loaded when first asked for. */
export interface DeployedCommits {
  /** The commit of a deployment, in lower case; undefined if it is not known. */
  commitOf(deployed: Deployed): string | undefined;
  /** Whether the first deployments of its workload are requested. */
  isLoading(deployed: Deployed): boolean;
  /** Requests the deployments of workloads with unknown ones, once for each deployment. */
  load(deployed: readonly Deployed[]): void;
  dispose(): void;
}

/** The most requests of one `load`. */
const mostAtOnce = 20;
/** How many deployments are remembered as asked for. */
const mostRemembered = 5000;
/** When they are asked for again after a failure, in milliseconds. */
const againAfter = 5 * minute;

export function createDeployedCommits(
  store: Pick<Store, 'deployments' | 'refresh' | 'onDidChange' | 'isOpen'>,
  clock: Pick<Clock, 'monotonic'>,
): DeployedCommits {
  /** When deployments were asked for: a list without them is not loaded for them again. */
  const asked = new Map<string, number>();

  /** Whether to ask for a deployment, for the first time or because that failed. */
  function isDue({ workloadId, deploymentId }: Deployed): boolean {
    const { error } = store.deployments(workloadId);
    if (deploymentId === null || !isUuid(workloadId) || isRefusal(error)) return false;
    const at = asked.get(deploymentId);
    return at === undefined || (error !== undefined && clock.monotonic() - at >= againAfter);
  }

  function known({ workloadId, deploymentId }: Deployed): string | undefined {
    if (deploymentId === null) return undefined;
    const { deployments = [] } = store.deployments(workloadId).value ?? {};
    const sha = deployments.find(({ id }) => id === deploymentId)?.commitSha;
    return isCommit(sha) ? sha.toLowerCase() : undefined;
  }

  const unsubscribe = store.onDidChange(({ kind }) => {
    if (kind === 'reset') asked.clear();
  });

  return {
    commitOf: known,
    isLoading({ workloadId }) {
      const { isLoading, value } = store.deployments(workloadId);
      return isLoading && value === undefined;
    },
    load(all) {
      const workloads = new Set<string>();
      for (const deployed of all) {
        const { workloadId, deploymentId } = deployed;
        if (!store.isOpen || workloads.size >= mostAtOnce) break;
        if (deploymentId === null || known(deployed) !== undefined || !isDue(deployed)) continue;
        asked.set(deploymentId, clock.monotonic());
        workloads.add(workloadId);
        const [oldest] = asked.keys();
        if (asked.size > mostRemembered && oldest !== undefined) asked.delete(oldest);
      }
      for (const resourceId of workloads) void store.refresh({ kind: 'deployments', resourceId });
    },
    dispose: unsubscribe,
  };
}
