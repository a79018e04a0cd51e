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

/** The most requests of one `load`, and for a connection. */
const mostAtOnce = 20;
const mostRequests = 500;

export function createDeployedCommits(
  store: Pick<Store, 'deployments' | 'refresh' | 'onDidChange' | 'isOpen'>,
): DeployedCommits {
  /** Deployments that were asked for: a list without them is not loaded for them again. */
  const asked = new Set<string>();

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
        if (!store.isOpen || workloads.size >= mostAtOnce || asked.size >= mostRequests) break;
        if (deploymentId === null || asked.has(deploymentId) || !isUuid(workloadId)) continue;
        if (known(deployed) !== undefined || isRefusal(store.deployments(workloadId).error)) {
          continue;
        }
        asked.add(deploymentId);
        workloads.add(workloadId);
      }
      for (const resourceId of workloads) void store.refresh({ kind: 'deployments', resourceId });
    },
    dispose: unsubscribe,
  };
}
