import type { Deployment, LogRecord } from '../../api/types';
import { minute } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { anyEnvironment, deploymentTime, hasRun, isIn, runsSince } from '../../data/deployments';
import type { ErrorChange, ErrorKind } from './errorKind';

/** How a frequency differs from the one before. */
export type FrequencyChange = 'new' | 'more' | 'same' | 'fewer' | 'gone';

/** The factor from which a change counts as more or fewer. */
const clearFactor = 2;
/** The count from which a change is significant: the actual one or the expected one, of the same period. */
const clearCount = 5;

/** A frequency in relation to the one before. */
interface ComparedFrequency {
  readonly change: FrequencyChange;
  /** The frequency in relation to before; infinite if there was none. */
  readonly factor: number;
}

/**
 * Compares how often something happens in two periods, of which one may be longer.
 *
 * @param expected how many there would be now if it were as frequent as before.
 */
export function compareFrequency(now: number, before: number, expected: number): ComparedFrequency {
  const factor = now / expected;
  if (before === 0) return { change: 'new', factor: Infinity };
  if (now === 0) return { change: 'gone', factor: 0 };
  const isClear = Math.max(now, expected) >= clearCount;
  if (isClear && factor >= clearFactor) return { change: 'more', factor };
  return { change: isClear && factor <= 1 / clearFactor ? 'fewer' : 'same', factor };
}

/** The deployment of a workload whose errors are compared with those before: usually the newest that has run. */
export interface LastDeployment {
  readonly id: string | undefined;
  /** Since when it runs, in milliseconds since 1970. */
  readonly at: number;
  /** The ids of those before it. */
  readonly earlier: ReadonlySet<string>;
  /**
   * When the next one may have begun to write records, in milliseconds since 1970; infinite if there is none yet.
   * What is written from then on does not count. Undefined for the last one: what was written by a deployment that
   * is not known counts as its own.
   */
  readonly nextAt?: number;
}

/** What the errors of a kind are compared by. Times are in milliseconds since 1970. */
export interface ErrorBaseline {
  /** Since when every error was looked at. */
  readonly since: number;
  readonly now: number;
  /** By workload. Without one, its errors cannot be compared. */
  readonly deployments: ReadonlyMap<string, LastDeployment>;
}

export interface ComparedError {
  readonly record: Pick<LogRecord, 'workloadId' | 'deploymentId' | 'previewId'>;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * How a kind of error changed with the last deployment of each of its workloads. Undefined if it is about as
 * frequent, less frequent, or if that cannot be said: a deployment is unknown, or too little was looked at
 * before it.
 */
export function errorChangeOf(
  errors: readonly ComparedError[],
  { since, now, deployments }: ErrorBaseline,
): ErrorChange | undefined {
  const counts = new Map<string, { now: number; before: number }>();
  for (const { record, at } of errors) {
    const { workloadId, deploymentId, previewId } = record;
    const deployment = deployments.get(workloadId);
    // Previews have deployments of their own.
    if (previewId !== null) continue;
    if (deployment === undefined || deployment.at <= since) return undefined;
    const count = getOrMake(counts, workloadId, () => ({ now: 0, before: 0 }));
    const period = periodOf(deployment, deploymentId, at);
    if (period !== 'later') count[period]++;
  }
  let [all, before, expectedNow, expectedBefore] = [0, 0, 0, 0];
  for (const [workloadId, count] of counts) {
    const { at = 0, nextAt = now } = deployments.get(workloadId) ?? {};
    const ratio = Math.max(1, Math.min(now, nextAt) - at) / (at - since);
    all += count.now;
    before += count.before;
    expectedNow += count.before * ratio;
    expectedBefore += count.now / ratio;
  }
  const { change } = compareFrequency(all, before, expectedNow);
  // What is rarer than what was looked at is long says nothing.
  if (change === 'new') return expectedBefore >= 1 ? 'new' : undefined;
  if (change === 'gone') return expectedNow >= clearCount ? 'gone' : undefined;
  return change === 'more' ? 'more' : undefined;
}

/** While a deployment replaces another, both write records: the record knows its own. */
function periodOf(
  { id, at: start, earlier, nextAt }: LastDeployment,
  deploymentId: string | null,
  at: number,
): 'before' | 'now' | 'later' {
  const own = at < (nextAt ?? Infinity) ? 'now' : 'later';
  if (deploymentId !== null && deploymentId === id) return own;
  if (at < start || (deploymentId !== null && earlier.has(deploymentId))) return 'before';
  return deploymentId !== null && nextAt !== undefined ? 'later' : own;
}

/**
 * The last deployment of a workload.
 *
 * @param known those that were loaded, in any order; empty while they are unknown.
 * @param seen when a record of a deployment was first seen, by id. Counts if another one was before it: the
 * first one that was seen may have been there for long.
 */
export function lastDeployment(
  known: readonly Deployment[],
  seen: ReadonlyMap<string, number>,
): LastDeployment | undefined {
  const times = new Map<string, number>();
  for (const deployment of known) {
    const { id } = deployment;
    if (id === undefined || !hasRun(deployment, known)) continue;
    const time = runsSince(deployment, seen.get(id)) ?? deploymentTime(deployment);
    if (time !== undefined && isIn(deployment, anyEnvironment)) times.set(id, time);
  }
  const hasKnown = times.size > 0;
  const ids = new Set(known.map(({ id }) => id));
  for (const [id, time] of seen) if (!ids.has(id)) times.set(id, time);
  const [last, ...earlier] = [...times].sort(([, a], [, b]) => b - a);
  if (last === undefined || (!hasKnown && earlier.length === 0)) return undefined;
  return { id: last[0], at: last[1], earlier: new Set(earlier.map(([id]) => id)) };
}

/** When a deployment of each workload first wrote one of these errors. Those of previews are left out. */
export function seenDeployments(
  errors: readonly ComparedError[],
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const seen = new Map<string, Map<string, number>>();
  for (const { record, at } of errors) {
    const { workloadId, deploymentId, previewId } = record;
    const first = getOrMake(seen, workloadId, () => new Map<string, number>());
    if (deploymentId === null || previewId !== null) continue;
    if (!(at >= (first.get(deploymentId) ?? Infinity))) first.set(deploymentId, at);
  }
  return seen;
}

/** Finds the kinds that became new since the last look. */
export class NewKinds {
  /** What the kinds say that are no news, of those that there are: they need no bound of their own. */
  private known: ReadonlySet<string> | undefined;
  private before: unknown;
  private reportedAt = -Infinity;

  /**
   * The kinds that are new now and were not reported. What was there at the first look is no news until it
   * was gone, even if its deployment is known only later.
   *
   * @param search identifies what was looked at: another one starts over.
   * @param time milliseconds since any start. For a minute after some were reported there are none: they come
   * later, together, because a log can have a new message every second.
   */
  look(kinds: readonly ErrorKind[], search: unknown, time: number): readonly ErrorKind[] {
    const old = search === this.before ? this.known : undefined;
    const isDue = old !== undefined && time - this.reportedAt >= minute;
    // What is known stays so if its pattern becomes more general.
    const isKnown = ({ messages }: ErrorKind): boolean =>
      old === undefined || messages.some((message) => old.has(message));
    const found = kinds.filter((kind) => isDue && kind.change === 'new' && !isKnown(kind));
    if (found.length > 0) this.reportedAt = time;
    this.known = new Set([...kinds.filter(isKnown), ...found].flatMap(({ messages }) => messages));
    this.before = search;
    return found;
  }
}
