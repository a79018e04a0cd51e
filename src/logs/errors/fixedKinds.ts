import type { Deployment } from '../../api/types';
import { deploymentTime, isPreview } from '../../data/deployments';
import { hasEnded } from '../../data/states';
import { type ErrorKind, KindLookup } from './errorKind';
import type { FixedMark, MutedError } from './errorScope';

/** Returns the known deployments of a workload, in any order. */
type DeploymentsOf = (workloadId: string) => readonly Deployment[];

/** How many deployments a mark remembers. */
const mostDeployments = 100;

/**
 * What is known when a kind is marked as fixed in the next deployment: those that wrote it or have ended do
 * not count, one that is under way does.
 *
 * @param now milliseconds since 1970, by the clock of the control plane.
 */
export function fixedMark(kind: ErrorKind, deploymentsOf: DeploymentsOf, now: number): FixedMark {
  const ended = kind.workloads.map(({ id }) =>
    deploymentsOf(id).filter((one) => !isPreview(one) && hasEnded(one)),
  );
  const newest = ended.map((all) => Math.max(...all.flatMap((one) => deploymentTime(one) ?? [])));
  const at = Math.min(now, ...newest.filter(Number.isFinite));
  const later = ended
    .flat()
    .filter((one) => (deploymentTime(one) ?? now) > at)
    .flatMap(({ id }) => id ?? []);
  const deployments = [...new Set([...kind.deployments.map(({ id }) => id), ...later])];
  return { at, deployments: deployments.slice(0, mostDeployments) };
}

/** The first deployment after a mark that wrote a kind again; undefined if there is none. */
function cameBackIn(
  { at, deployments }: FixedMark,
  kind: ErrorKind,
  deploymentsOf: DeploymentsOf,
): string | undefined {
  const known = new Map(
    kind.workloads.flatMap(({ id }) => deploymentsOf(id)).map((one) => [one.id, one] as const),
  );
  const isNewer = (id: string): boolean => {
    const deployment = known.get(id);
    if (deployment !== undefined) {
      return !isPreview(deployment) && (deploymentTime(deployment) ?? at) > at;
    }
    // Without a list of deployments, such as without the permission, its records say when it ran.
    const record = kind.records.find(({ deploymentId }) => deploymentId === id);
    if (known.size > 0 || record === undefined) return false;
    return record.previewId === null && Date.parse(record.timestamp) > at;
  };
  // The newest is first.
  return kind.deployments.filter(({ id }) => !deployments.includes(id) && isNewer(id)).at(-1)?.id;
}

/** What is hidden of the kinds of errors. */
export interface HiddenKinds {
  readonly shown: readonly ErrorKind[];
  /** What hides something, or would if it occurred. */
  readonly muted: readonly MutedError[];
  /** The ids of the deployments in which kinds came back, by their keys. */
  readonly cameBack: ReadonlyMap<string, string>;
}

/** Applies what is muted: for ever, or until a kind comes back in a newer deployment. */
export function hideKinds(
  kinds: readonly ErrorKind[],
  muted: readonly MutedError[],
  deploymentsOf: DeploymentsOf,
): HiddenKinds {
  const lookup = new KindLookup(muted);
  const over = new Set<MutedError>();
  const cameBack = new Map<string, string>();
  const shown = kinds.filter((kind) => {
    const marks = lookup.of(kind.key);
    const back = marks.map(({ fixed }) => fixed && cameBackIn(fixed, kind, deploymentsOf));
    const [id] = back;
    if (marks.length === 0) return true;
    if (id === undefined || back.includes(undefined)) return false;
    for (const mark of marks) over.add(mark);
    cameBack.set(kind.key, id);
    return true;
  });
  return { shown, muted: muted.filter((one) => !over.has(one)), cameBack };
}
