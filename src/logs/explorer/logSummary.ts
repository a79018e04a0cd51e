import type { LogRecord, Severity } from '../../api/types';
import { inTurns } from '../../base/clock';
import { joinRecords, entryRecords } from '../record/joinRecords';
import { type Pattern, Patterns } from '../record/patterns';
import { type RecordStyle, usualStyle } from '../record/recordStyle';
import { gravity, isWorse } from '../record/severity';
import { shownSeverity } from '../record/shownSeverity';

/** Messages that are alike. */
interface TemplateCount {
  /** Untrusted text of one line, that of a pattern. */
  readonly template: string;
  readonly count: number;
  /** The most severe of its records. */
  readonly severity: Severity;
  /** The names of its workloads, most frequent first. */
  readonly workloads: readonly string[];
  /** The newest of its records. */
  readonly example: LogRecord;
}

export interface LogSummary {
  /** Most severe first, without those that do not occur. */
  readonly severities: readonly (readonly [Severity, number])[];
  /** Names with counts, most frequent first. */
  readonly workloads: readonly (readonly [string, number])[];
  /** Most frequent first. */
  readonly templates: readonly TemplateCount[];
}

interface Group {
  readonly template: string;
  count: number;
  severity: Severity;
  example: LogRecord;
  readonly workloads: Map<string, number>;
}

/**
 * Counts records by severity, workload and message template.
 *
 * @param records oldest first.
 * @param pause lets other tasks run.
 * @param style which severity counts, and whether several records are one of a message.
 */
export async function summarise(
  records: readonly LogRecord[],
  pause: () => Promise<void>,
  { severity: source, joinLines }: RecordStyle = usualStyle(),
): Promise<LogSummary> {
  const severities = new Map<Severity, number>();
  const workloads = new Map<string, number>();
  const patterns = new Patterns();
  const found: Pattern[] = [];
  const entries = joinRecords(records, joinLines);
  await inTurns(entries, pause, ({ body }) => void found.push(patterns.add(body)));
  const groups = new Map<string, Group>();
  await inTurns(entries, pause, (record, index) => {
    const severity = shownSeverity(record, source);
    for (const part of entryRecords(record)) {
      add(severities, shownSeverity(part, source));
      add(workloads, workloadOf(part));
    }
    const { key = '', text = '' } = found[index] ?? {};
    const group = groups.get(key) ?? newGroup(text, record, severity);
    groups.set(key, group);
    group.count++;
    group.example = record;
    if (isWorse(severity, group.severity)) group.severity = severity;
    add(group.workloads, workloadOf(record));
  });
  return {
    severities: gravity.flatMap((severity) => {
      const count = severities.get(severity);
      return count === undefined ? [] : [[severity, count] as const];
    }),
    workloads: mostFirst(workloads),
    templates: [...groups.values()]
      .map(({ workloads, ...group }) => ({
        ...group,
        workloads: mostFirst(workloads).map(([name]) => name),
      }))
      .sort((a, b) => b.count - a.count),
  };
}

function workloadOf({ workloadName, service }: LogRecord): string {
  return workloadName || service;
}

function newGroup(template: string, example: LogRecord, severity: Severity): Group {
  return { template, count: 0, severity, example, workloads: new Map() };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([, a], [, b]) => b - a);
}
