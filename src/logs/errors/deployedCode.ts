import { type Clock, minute } from '../../base/clock';
import { isCommit } from '../../commits/commitFacts';
import { isRefusal } from '../../data/cacheKeys';
import type { Store } from '../../data/store';
import { isUuid } from '../../data/targets';
import type { ErrorSpot } from './errorKind';
import { linesIn } from '../../commits/lineMapping';

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

  const subscription = store.onDidChange(({ kind }) => {
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
      for (const resourceId of workloads) {
        void store.refresh({ kind: 'deployments', resourceId }, 'automatic');
      }
    },
    dispose: () => void subscription.dispose(),
  };
}

/** The lines of files at deployed commits, read when first asked for. */
export interface DeployedTexts {
  /** Undefined if the text is not known: there is no such commit or file, or it is too large. Never rejects. */
  linesAt(file: string, sha: string): Promise<readonly string[] | undefined>;
  /** Whether a text was not known. */
  readonly isMissing: boolean;
  /** Reads texts that were not known again, because commits may have been fetched. */
  recheck(): void;
}

/** How much is kept: texts, and the UTF-16 units of all. */
const mostTexts = 200;
const mostUnits = 16 * 1024 * 1024;

interface Text {
  readonly lines: Promise<readonly string[] | undefined>;
  /** UTF-16 units; 0 while it is read. */
  size: number;
}

/** @param read undefined if there is no such text. `file` is the URI of the file as text. */
export function createDeployedTexts(
  read: (file: string, sha: string) => Promise<string | undefined>,
): DeployedTexts {
  const texts = new Map<string, Text>();
  const missing = new Set<string>();

  async function load(key: string, file: string, sha: string): Promise<string[] | undefined> {
    const found = await read(file, sha).catch(() => undefined);
    const text = texts.get(key);
    if (found === undefined) missing.add(key);
    else if (text !== undefined) text.size = found.length;
    shorten();
    return found === undefined ? undefined : linesIn(found);
  }

  /** Drops the texts that were asked for longest ago. */
  function shorten(): void {
    let units = [...texts.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of texts) {
      if (texts.size <= 1 || (texts.size <= mostTexts && units <= mostUnits)) return;
      texts.delete(key);
      missing.delete(key);
      units -= size;
    }
  }

  return {
    linesAt(file, sha) {
      const key = `${sha} ${file}`;
      const text = texts.get(key) ?? { lines: load(key, file, sha), size: 0 };
      // Moved to the end: a map keeps its order.
      texts.delete(key);
      texts.set(key, text);
      shorten();
      return text.lines;
    },
    get isMissing() {
      return missing.size > 0;
    },
    recheck() {
      for (const key of missing) texts.delete(key);
      missing.clear();
    },
  };
}
