import type { LogRecord } from '../../api/types';
import { summarise, type ShapeCount } from './summary';

/** Errors of a stretch of time. */
export interface ErrorSample {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** The stretch of time that the records cover, in milliseconds. */
  readonly length: number;
}

/** Messages that look alike, in both samples. */
export interface ShapeChange {
  /** As there are now. */
  readonly now: ShapeCount;
  readonly before: ShapeCount;
  /** How many times as often as before, by time. */
  readonly factor: number;
}

/** What the errors of two deployments have in common, and what not; most first, each. */
export interface ErrorComparison {
  /** That were not there before. */
  readonly added: readonly ShapeCount[];
  /** That are not there any more. */
  readonly gone: readonly ShapeCount[];
  readonly more: readonly ShapeChange[];
  readonly fewer: readonly ShapeChange[];
  readonly same: readonly ShapeChange[];
}

/** At least so many times as often is more, which chance alone seldom makes. */
const clearFactor = 2;
/** Of fewer, no count says anything. */
const clearCount = 5;

/** Compares errors by the shape of their messages, each sample by the time that it covers. */
export async function compareErrors(
  before: ErrorSample,
  now: ErrorSample,
  pause: () => Promise<void>,
): Promise<ErrorComparison> {
  const { shapes } = await summarise(before.records, pause);
  const then = new Map(shapes.map((one) => [one.shape, one]));
  const added: ShapeCount[] = [];
  const changes: ShapeChange[] = [];
  for (const one of (await summarise(now.records, pause)).shapes) {
    const other = then.get(one.shape);
    then.delete(one.shape);
    if (other === undefined) added.push(one);
    else changes.push({ now: one, before: other, factor: factorOf(one, now, other, before) });
  }
  const isClear = ({ now, before }: ShapeChange): boolean =>
    Math.max(now.count, before.count) >= clearCount;
  const isMore = (change: ShapeChange): boolean => isClear(change) && change.factor >= clearFactor;
  const isFewer = (change: ShapeChange): boolean =>
    isClear(change) && change.factor <= 1 / clearFactor;
  return {
    added,
    gone: [...then.values()],
    more: changes.filter(isMore),
    fewer: changes.filter(isFewer),
    same: changes.filter((change) => !isMore(change) && !isFewer(change)),
  };
}

function factorOf(
  now: ShapeCount,
  { length: nowLength }: ErrorSample,
  before: ShapeCount,
  { length: beforeLength }: ErrorSample,
): number {
  return (now.count * Math.max(1, beforeLength)) / (before.count * Math.max(1, nowLength));
}
