import { BoundedMap } from '../../base/boundedMap';
import { type Clock, minute } from '../../base/clock';
import type { Disposable } from '../../base/event';
import { isCommit } from '../../commits/commitFacts';
import { linesIn } from '../../commits/lineMapping';
import { isRefusal, type Store } from '../../data/store';
import { isUuid } from '../../data/targets';
import type { ErrorSpot } from './errorKind';

type Deployed = Pick<ErrorSpot, 'deploymentId' | 'workloadId'>;

/** The most requests of one `load`. */
const mostAtOnce = 20;
/** How many deployments are remembered as asked for. */
const mostRemembered = 5000;
/** When they are asked for again after a failure, in milliseconds. */
const againAfter = 5 * minute;

/** The commits of deployments, loaded when first asked for. */
export class DeployedCommits {
  /** When deployments were asked for: a list without them is not loaded for them again. */
  private readonly asked = new BoundedMap<string, number>(mostRemembered);
  private readonly subscription: Disposable;

  constructor(
    private readonly store: Pick<Store, 'read' | 'refresh' | 'onDidChange' | 'isOpen'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.subscription = this.store.onDidChange(({ kind }) => {
      if (kind === 'reset') this.asked.clear();
    });
  }

  commitOf(deployed: Deployed): string | undefined {
    return commitOf(this.store, deployed);
  }

  /** Whether the first deployments of its workload are requested. */
  isLoading({ workloadId }: Deployed): boolean {
    const { isLoading, value } = this.store.read('deployments', workloadId);
    return isLoading && value === undefined;
  }

  /** Requests the deployments of workloads with unknown ones, once for each deployment. */
  load(all: readonly Deployed[]): void {
    const workloads = new Set<string>();
    for (const deployed of all) {
      const { workloadId, deploymentId } = deployed;
      if (!this.store.isOpen || workloads.size >= mostAtOnce) break;
      if (deploymentId === null || this.commitOf(deployed) !== undefined || !this.isDue(deployed))
        continue;
      this.asked.set(deploymentId, this.clock.monotonic());
      workloads.add(workloadId);
    }
    for (const resourceId of workloads) {
      void this.store.refresh({ kind: 'deployments', id: resourceId }, 'automatic');
    }
  }

  dispose(): void {
    void this.subscription.dispose();
  }

  /** Whether to ask for a deployment, for the first time or because that failed. */
  private isDue({ workloadId, deploymentId }: Deployed): boolean {
    const { error } = this.store.read('deployments', workloadId);
    if (deploymentId === null || !isUuid(workloadId) || isRefusal(error)) return false;
    const at = this.asked.get(deploymentId);
    return at === undefined || (error !== undefined && this.clock.monotonic() - at >= againAfter);
  }
}

/** The commit of a deployment, in lower case; undefined if it is not known. */
export function commitOf(
  store: Pick<Store, 'read'>,
  { workloadId, deploymentId }: Deployed,
): string | undefined {
  if (deploymentId === null) return undefined;
  const { deployments = [] } = store.read('deployments', workloadId).value ?? {};
  const sha = deployments.find(({ id }) => id === deploymentId)?.commitSha;
  return isCommit(sha) ? sha.toLowerCase() : undefined;
}

/** How much is kept: texts, and the UTF-16 units of all. */
const mostTexts = 200;
const mostUnits = 16 * 1024 * 1024;

interface Text {
  readonly lines: Promise<readonly string[] | undefined>;
  /** UTF-16 units; 0 while it is read. */
  size: number;
}

/** The lines of files at deployed commits, read when first asked for. */
export class DeployedTexts {
  private readonly texts = new Map<string, Text>();
  private readonly missing = new Set<string>();

  /** @param read undefined if there is no such text. `file` is the URI of the file as text. */
  constructor(private readonly read: (file: string, sha: string) => Promise<string | undefined>) {}

  /** Undefined if the text is not known: there is no such commit or file, or it is too large. Never rejects. */
  linesAt(file: string, sha: string): Promise<readonly string[] | undefined> {
    const key = `${sha} ${file}`;
    const text = this.texts.get(key) ?? { lines: this.load(key, file, sha), size: 0 };
    // Moved to the end: a map keeps its order.
    this.texts.delete(key);
    this.texts.set(key, text);
    this.shorten();
    return text.lines;
  }

  /** Whether a text was not known. */
  get isMissing(): boolean {
    return this.missing.size > 0;
  }

  /** Reads texts that were not known again, because commits may have been fetched. */
  recheck(): void {
    for (const key of this.missing) this.texts.delete(key);
    this.missing.clear();
  }

  private async load(key: string, file: string, sha: string): Promise<string[] | undefined> {
    const found = await this.read(file, sha).catch(() => undefined);
    const text = this.texts.get(key);
    if (found === undefined) this.missing.add(key);
    else if (text !== undefined) text.size = found.length;
    this.shorten();
    return found === undefined ? undefined : linesIn(found);
  }

  /** Drops the texts that were asked for longest ago. */
  private shorten(): void {
    let units = [...this.texts.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of this.texts) {
      if (this.texts.size <= 1 || (this.texts.size <= mostTexts && units <= mostUnits)) return;
      this.texts.delete(key);
      this.missing.delete(key);
      units -= size;
    }
  }
}
