import type { LogRecord, Severity } from '../../api/types';
import { inTurns } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { cutLine, recordSource } from '../record/logLine';
import { entryRecords } from '../record/joinRecords';
import { gravity, isErrorSeverity, isWorse } from '../record/severity';
import { type SeveritySource, shownSeverity } from '../record/shownSeverity';
import type { Waterfall, WaterfallRow, WaterfallTick } from './protocol/messages';
import { rowKey } from './recordRows';

/** The share of a trace in which nothing was logged, from which on that is a silence. */
const silenceShare = 0.1;

/** What a page can show and a person can read, also of a trace with thousands of spans. */
const mostWorkloads = 50;
const mostSpans = 100;
const mostTicks = 3000;
/** How many ticks fit into a row: as many as can be told apart, and fewer if there are many rows. */
const slots = { least: 12, most: 200 };

/** The longest id of a span that is shown, in UTF-16 units. */
const longestSpan = 64;

/** Ids of this form are numbers: the same in either letter case. */
const hexadecimal = /^[0-9a-f]+$/i;

/** An entry of the list on the axis of time, in milliseconds since 1970. */
interface Placed {
  readonly entry: LogRecord;
  readonly from: number;
  readonly to: number;
  readonly severity: Severity;
}

/** Entries that a row shows. */
class Group {
  readonly placed: Placed[] = [];
  from = Infinity;
  to = -Infinity;
  worst: Severity = 'trace';
  errors = 0;
  warnings = 0;

  add(one: Placed): void {
    const { severity } = one;
    this.placed.push(one);
    this.from = Math.min(this.from, one.from);
    this.to = Math.max(this.to, one.to);
    if (isWorse(severity, this.worst)) this.worst = severity;
    if (isErrorSeverity(severity)) this.errors++;
    if (severity === 'warn') this.warnings++;
  }
}

/** The entries of a span in a workload, or those without one. */
class SpanGroup extends Group {
  constructor(readonly id: string | undefined) {
    super();
  }
}

class WorkloadGroup extends Group {
  readonly spans = new Map<string, SpanGroup>();

  constructor(readonly name: string) {
    super();
  }
}

/**
 * Arranges the entries of a trace by workload and span over its time. It says what records say and nothing else: where a
 * span began or ended is not known, only its first and last record. Clocks of workloads may differ.
 *
 * @param entries in any order.
 * @param pause lets other tasks run.
 * @param isCurrent whether they may still be shown.
 * @returns undefined if they may not.
 */
export async function traceWaterfall(
  entries: readonly LogRecord[],
  source: SeveritySource,
  pause: () => Promise<void>,
  isCurrent: () => boolean,
): Promise<Waterfall | undefined> {
  const whole = new Group();
  const workloads = new Map<string, WorkloadGroup>();
  const add = (entry: LogRecord): void => {
    const placed = placedAt(entry, source);
    if (placed === undefined) return;
    const name = recordSource(entry);
    const { spanId } = entry;
    const workload = getOrMake(
      workloads,
      `${entry.workloadId}\n${name}`,
      () => new WorkloadGroup(name),
    );
    const span = getOrMake(workload.spans, spanKey(spanId), () => new SpanGroup(shownSpan(spanId)));
    for (const group of [whole, workload, span]) group.add(placed);
  };
  // The list changes while these are read.
  if (!(await inTurns([...entries], pause, add, isCurrent))) return undefined;
  const shown = chosen([...workloads.values()], mostWorkloads);
  return {
    ...arranged(whole, shown),
    untimed: entries.length - whole.placed.length,
    hiddenWorkloads: workloads.size - shown.length,
  };
}

/** Undefined if it has no valid time. */
function placedAt(entry: LogRecord, source: SeveritySource): Placed | undefined {
  const from = Date.parse(entry.timestamp);
  if (Number.isNaN(from)) return undefined;
  const to = Date.parse(entryRecords(entry).at(-1)?.timestamp ?? '');
  const severity = shownSeverity(entry, source);
  return { entry, from, to: to > from ? to : from, severity };
}

function spanKey(spanId: string | null): string {
  if (spanId === null) return '';
  return hexadecimal.test(spanId) ? spanId.toLowerCase() : spanId;
}

function shownSpan(spanId: string | null): string | undefined {
  return spanId === null || spanId === '' ? undefined : cutLine(spanId, longestSpan);
}

/** The first ones in order; if there are too many, those with the worst records. */
function chosen<T extends Group>(groups: readonly T[], most: number): readonly T[] {
  const inOrder = [...groups].sort((a, b) => a.from - b.from);
  if (inOrder.length <= most) return inOrder;
  const byWorst = [...inOrder].sort((a, b) => gravity.indexOf(a.worst) - gravity.indexOf(b.worst));
  const kept = new Set(byWorst.slice(0, most));
  return inOrder.filter((group) => kept.has(group));
}

/** The axis of a row: where it begins, its length, and how many ticks fit. */
interface Scale {
  readonly from: number;
  readonly length: number;
  readonly slots: number;
}

function arranged(
  whole: Group,
  workloads: readonly WorkloadGroup[],
): Pick<Waterfall, 'from' | 'length' | 'rows'> {
  if (whole.placed.length === 0) return { from: 0, length: 0, rows: [] };
  const most = Math.max(1, Math.floor(mostSpans / workloads.length));
  const withSpans = workloads.map((workload) => {
    const { spans } = workload;
    // A single one has the same row.
    return { workload, spans: spans.size < 2 ? [] : chosen([...spans.values()], most) };
  });
  const count = withSpans.reduce((sum, { spans }) => sum + 1 + spans.length, 1);
  const fitting = Math.floor(mostTicks / count);
  const { from, to } = whole;
  const length = to - from;
  const scale = { from, length, slots: Math.min(slots.most, Math.max(slots.least, fitting)) };
  const rows = withSpans.flatMap(({ workload, spans }): WaterfallRow[] => {
    const only = workload.spans.size === 1 ? [...workload.spans.values()][0]?.id : undefined;
    const hiddenSpans = spans.length === 0 ? 0 : workload.spans.size - spans.length;
    const named = { level: 2, name: workload.name, ...(only !== undefined && { span: only }) };
    return [
      { ...named, ...rowOf(workload, scale), hiddenSpans },
      ...spans.map((span) => ({
        level: 3,
        name: workload.name,
        ...(span.id !== undefined && { span: span.id }),
        ...rowOf(span, scale),
        hiddenSpans: 0,
      })),
    ];
  });
  return {
    from,
    length,
    rows: [{ level: 1, name: '', ...rowOf(whole, scale), hiddenSpans: 0 }, ...rows],
  };
}

/** Entries that are too near to each other to be told apart. */
interface Slot {
  /** The first of the worst ones. */
  worst: Placed;
  count: number;
  from: number;
  to: number;
}

function rowOf(
  { placed, from, to, errors, warnings }: Group,
  scale: Scale,
): Omit<WaterfallRow, 'level' | 'name' | 'span' | 'hiddenSpans'> {
  const taken = slotsOf(placed, scale);
  return {
    from: from - scale.from,
    to: to - scale.from,
    records: placed.length,
    errors,
    warnings,
    ticks: taken.map(({ worst, count }): WaterfallTick => {
      const { entry, from: at, severity } = worst;
      return { key: rowKey(entry), at: at - scale.from, count, severity };
    }),
    silences: silencesBetween(taken, scale),
  };
}

/** Those that have entries, in order. */
function slotsOf(placed: readonly Placed[], scale: Scale): readonly Slot[] {
  const all = new Map<number, Slot>();
  for (const one of placed) {
    const share = scale.length === 0 ? 0 : (one.from - scale.from) / scale.length;
    const index = Math.min(scale.slots - 1, Math.floor(share * scale.slots));
    const slot = all.get(index);
    if (slot === undefined) all.set(index, { worst: one, count: 1, from: one.from, to: one.to });
    else {
      const { worst } = slot;
      slot.count++;
      slot.from = Math.min(slot.from, one.from);
      slot.to = Math.max(slot.to, one.to);
      const isFirst = one.severity === worst.severity && one.from < worst.from;
      if (isFirst || isWorse(one.severity, worst.severity)) slot.worst = one;
    }
  }
  return [...all].sort(([a], [b]) => a - b).map(([, slot]) => slot);
}

/** Where nothing was logged for long. No silence is within a slot: all are longer. */
function silencesBetween(
  taken: readonly Slot[],
  { from, length }: Scale,
): WaterfallRow['silences'] {
  const silences: { from: number; to: number }[] = [];
  let end = Infinity;
  for (const slot of taken) {
    if (slot.from - end >= length * silenceShare)
      silences.push({ from: end - from, to: slot.from - from });
    end = end === Infinity ? slot.to : Math.max(end, slot.to);
  }
  return silences;
}
