import type { LogRecord } from '../../api/types';
import { summarise, type ShapeCount } from './summary';

/** The errors of a period. */
export interface ErrorSample {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** The length of the period in milliseconds. */
  readonly length: number;
}

/** A kind of message that occurs in both samples. */
export interface ShapeChange {
  /** In the newer sample. */
  readonly now: ShapeCount;
  readonly before: ShapeCount;
  /** Its frequency in relation to before. */
  readonly factor: number;
}

/** The differences between the errors of two deployments. Each list is sorted by count. */
export interface ErrorComparison {
  /** Only in the newer sample. */
  readonly added: readonly ShapeCount[];
  /** Only in the older sample. */
  readonly gone: readonly ShapeCount[];
  readonly more: readonly ShapeChange[];
  readonly fewer: readonly ShapeChange[];
  readonly same: readonly ShapeChange[];
}

/** The factor from which a change counts as more or fewer. */
const clearFactor = 2;
/** The count from which a change is significant. */
const clearCount = 5;

/** Compares the frequency of errors by the shape of their messages. */
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
