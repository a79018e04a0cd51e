import type { LogRecord, Severity } from '../../api/types';
import { inTurns } from '../../base/clock';
import { compareFrequency, type FrequencyChange } from '../errors/errorChange';
import { gravity, isWorse } from '../record/severity';
import { shownSeverity } from '../record/shownSeverity';
import type { TimeSpan } from './protocol/view';
import { buckets, type RecordPatterns } from './recordPatterns';

/** The records of one side of a comparison. */
export interface ReadSide {
  readonly records: readonly LogRecord[];
  /** The ranges that were read, oldest first. */
  readonly read: readonly TimeSpan[];
}

/** The records of a pattern on one side. */
export interface SideCount {
  readonly count: number;
  /** Their number in each of `buckets` equal parts of what was read. */
  readonly counts: readonly number[];
  /** The newest of them. */
  readonly last: LogRecord | undefined;
}

/** How a pattern differs from what it is compared with. `rare`: it occurs too rarely to tell. */
export type PatternChangeKind = FrequencyChange | 'rare';

/** A pattern of either side. */
export interface PatternChange {
  /** That of its pattern. */
  readonly key: string;
  /** Harmless text of one line. */
  readonly template: string;
  readonly change: PatternChangeKind;
  /** Its frequency in relation to the other side; infinite if there was none. */
  readonly factor: number;
  /** How unlikely the difference is if nothing changed: the statistic of a G-test. */
  readonly surprise: number;
  /** The most severe of its records. */
  readonly severity: Severity;
  readonly now: SideCount;
  readonly before: SideCount;
}

/** What frequencies are in relation to: the time that was read, or the records. */
export type Measure = 'time' | 'records';

/** A difference that chance makes in one of twenty comparisons is no difference. */
const clearSurprise = 3.84;
/** The count from which frequencies that differ little are about the same. */
const leastCount = 5;

/**
 * Compares how frequent the patterns of two sides are. What changed comes first, and of that what is most
 * surprising.
 *
 * @param patterns those of the records of both sides.
 * @param pause lets other tasks run.
 */
export async function comparePatterns(
  now: ReadSide,
  before: ReadSide,
  measure: Measure,
  patterns: RecordPatterns,
  pause: () => Promise<void>,
): Promise<readonly PatternChange[]> {
  // First all, because any of them may make a pattern more general.
  for (const { records } of [now, before]) {
    await inTurns(records, pause, (record) => void patterns.of(record));
  }
  const { severitySource } = patterns;
  const groups = new Map<string, Group>();
  for (const [side, { records, read }] of [now, before].entries()) {
    const from = read[0]?.from ?? 0;
    const length = Math.max(1, (read.at(-1)?.to ?? 0) - from + 1) / buckets;
    await inTurns(records, pause, (record) => {
      const pattern = patterns.of(record);
      const { timestamp } = record;
      const severity = shownSeverity(record, severitySource);
      let group = groups.get(pattern.key);
      if (group === undefined) {
        const template = patterns.templateOf(pattern);
        group = { template, severity, now: newCount(), before: newCount() };
        groups.set(pattern.key, group);
      }
      if (isWorse(severity, group.severity)) group.severity = severity;
      const counted = side === 0 ? group.now : group.before;
      counted.count++;
      counted.last = record;
      const bucket = Math.floor((Date.parse(timestamp) - from) / length);
      const known = counted.counts[bucket];
      if (known !== undefined) counted.counts[bucket] = known + 1;
    });
  }
  const ratio = sizeOf(now, measure) / sizeOf(before, measure);
  return [...groups]
    .map(([key, group]) => ({
      key,
      ...group,
      ...frequencyOf(group.now.count, group.before.count, ratio),
    }))
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        b.surprise - a.surprise ||
        gravity.indexOf(a.severity) - gravity.indexOf(b.severity) ||
        b.now.count + b.before.count - a.now.count - a.before.count,
    );
}

interface Group {
  readonly template: string;
  severity: Severity;
  readonly now: CountOfSide;
  readonly before: CountOfSide;
}

interface CountOfSide extends SideCount {
  count: number;
  readonly counts: number[];
  last: LogRecord | undefined;
}

function newCount(): CountOfSide {
  return { count: 0, counts: Array.from({ length: buckets }, () => 0), last: undefined };
}

/** What was read of a side. At least 1, so that ratios are numbers. */
export function sizeOf({ records, read }: ReadSide, measure: Measure): number {
  const time = read.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return Math.max(1, measure === 'time' ? time : records.length);
}

/** @param ratio how much larger what was read of the first side is than of the second. */
export function frequencyOf(
  now: number,
  before: number,
  ratio: number,
): Pick<PatternChange, 'change' | 'factor' | 'surprise'> {
  const expected = before * ratio;
  const { change, factor } = compareFrequency(now, before, expected);
  const share = ratio / (1 + ratio);
  const all = now + before;
  const surprise = 2 * (part(now, all * share) + part(before, all * (1 - share)));
  const isClear =
    change === 'same' ? Math.max(now, expected) >= leastCount : surprise >= clearSurprise;
  return { change: isClear ? change : 'rare', factor, surprise: Math.max(0, surprise) };
}

function part(count: number, expected: number): number {
  return count === 0 ? 0 : count * Math.log(count / expected);
}

/** What changed, what did not, and what nobody can tell. */
function rank({ change }: PatternChange): number {
  return change === 'rare' ? 2 : change === 'same' ? 1 : 0;
}
