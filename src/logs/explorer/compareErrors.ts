import type { LogRecord } from '../../api/types';
import type { ErrorGroups } from '../errors/errorGroups';
import type { ErrorKind } from '../errors/errorKind';
import { Patterns } from '../record/patterns';
import { compareFrequency, type FrequencyChange } from '../errors/errorChange';

/** The errors of a period. */
export interface ErrorSample {
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  /** The length of the period in milliseconds. */
  readonly length: number;
}

/** A kind of error that occurs in both samples. */
export interface KindChange {
  /** In the newer sample. */
  readonly now: ErrorKind;
  readonly before: ErrorKind;
  /** Its frequency in relation to before. */
  readonly factor: number;
}

/** The differences between the errors of two deployments. Each list is sorted by count. */
export interface ErrorComparison {
  /** Only in the newer sample. */
  readonly added: readonly ErrorKind[];
  /** Only in the older sample. */
  readonly gone: readonly ErrorKind[];
  readonly more: readonly KindChange[];
  readonly fewer: readonly KindChange[];
  readonly same: readonly KindChange[];
}

/**
 * Compares the frequency of errors by kind.
 *
 * @param groupsOf groups records, in any order, and with the patterns of the other sample.
 */
export async function compareErrors(
  before: ErrorSample,
  now: ErrorSample,
  groupsOf: (
    records: readonly LogRecord[],
    patterns: Patterns,
  ) => Promise<Pick<ErrorGroups, 'kinds'>>,
): Promise<ErrorComparison> {
  const patterns = new Patterns();
  const older = await groupsOf(before.records, patterns);
  const newer = await groupsOf(now.records, patterns);
  const then = new Map(older.kinds.map((kind) => [kind.key, kind]));
  const added: ErrorKind[] = [];
  const changes: (KindChange & { readonly change: FrequencyChange })[] = [];
  const ratio = Math.max(1, now.length) / Math.max(1, before.length);
  for (const kind of byCount(newer.kinds)) {
    const other = then.get(kind.key);
    then.delete(kind.key);
    if (other === undefined) added.push(kind);
    else {
      const compared = compareFrequency(kind.count, other.count, other.count * ratio);
      changes.push({ now: kind, before: other, ...compared });
    }
  }
  const those = (wanted: FrequencyChange): readonly KindChange[] =>
    changes.filter(({ change }) => change === wanted);
  return {
    added,
    gone: byCount([...then.values()]),
    more: those('more'),
    fewer: those('fewer'),
    same: those('same'),
  };
}

function byCount(kinds: readonly ErrorKind[]): readonly ErrorKind[] {
  return [...kinds].sort((one, other) => other.count - one.count);
}
