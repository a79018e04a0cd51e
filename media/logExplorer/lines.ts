import type { LogRow } from '../../src/logs/explorer/protocol/view';
import { isWorse } from '../../src/logs/record/severity';
import type { Strings } from './panel';
import type { RowStore } from './rowStore';

/** What a line shows. */
export interface ShownRow extends LogRow {
  /** Of a trace: the time of its first and last record. */
  readonly exactTime?: string;
}

/** A line of the list: a record, or the records of a trace. */
export interface Line {
  readonly row: ShownRow;
  /** The record that its actions use: the first of a trace. */
  readonly record: LogRow;
  /** Of a trace: whether its records are shown below. */
  readonly isOpen?: boolean;
  /** Whether it is a record of the open trace above. */
  readonly isInTrace: boolean;
}

/**
 * The lines of the list: the rows, or with groups, one for each trace of several rows, at the place of its
 * first row. Each line has a number that stays the same while rows come or go.
 */
export interface Lines {
  readonly count: number;
  readonly isGrouped: boolean;
  /** Incremented when lines other than the first and the last ones may be others. */
  readonly revision: number;
  at(index: number): Line | undefined;
  numberAt(index: number): number;
  /** The index of the line with a number, or of the closed trace that contains its row; -1 if it is gone. */
  indexAt(number: number): number;
  /** The index of the row that a line shows, of a trace its first one; -1 if there is no such line. */
  rowAt(index: number): number;
  /** The index of the line of a row, by the index of the row. Opens its trace. */
  reveal(row: number): number;
  /** The index of the trace of a line; -1 if there is none. */
  traceAt(index: number): number;
  group(isGrouped: boolean): void;
  /** Opens or closes the trace of a line. @returns whether it did. */
  open(index: number, isOpen: boolean): boolean;
  /** Rows came, went or changed. */
  update(): void;
}

/** The rows of a trace, by their numbers. */
interface Trace {
  readonly id: string;
  readonly numbers: number[];
  /** Computed when it is shown. */
  line?: Line;
}

/**
 * The number of the line of a row is twice that of the row, and the one of a trace is one more than that of
 * its first row.
 *
 * @param summaryOf creates the row of a trace from its first row and the others, the oldest first.
 */
export function createLines(
  store: Pick<RowStore, 'rows' | 'first' | 'at'>,
  summaryOf: (first: LogRow, others: readonly LogRow[]) => ShownRow,
): Lines {
  let isGrouped = false;
  const open = new Set<string>();
  /** If grouped: the numbers of the lines, their indexes, and the traces of several rows. */
  let numbers: number[] = [];
  let indexes: Map<number, number> | undefined;
  let traces = new Map<string, Trace>();
  let revision = 0;

  const count = (): number => (isGrouped ? numbers.length : store.rows.length);
  const isTrace = (number: number): boolean => (number & 1) === 1;
  const traceOf = (number: number): Trace | undefined => {
    const id = store.at(number >> 1)?.trace;
    return id === undefined ? undefined : traces.get(id);
  };

  const traceNumber = ({ numbers: [first = 0] }: Trace): number => 2 * first + 1;
  const lineIndex = (number: number): number => {
    indexes ??= new Map(numbers.map((one, index) => [one, index]));
    return indexes.get(number) ?? -1;
  };

  function update(): void {
    if (!isGrouped) return;
    revision++;
    if (store.rows.length === 0) open.clear();
    const all = new Map<string, Trace>();
    const order: (number | Trace)[] = [];
    for (const [index, { trace: id }] of store.rows.entries()) {
      const number = store.first + index;
      let trace = id === undefined ? undefined : all.get(id);
      if (trace !== undefined) trace.numbers.push(number);
      else if (id === undefined) order.push(number);
      else {
        trace = { id, numbers: [number] };
        all.set(id, trace);
        order.push(trace);
      }
    }
    numbers = [];
    for (const one of order) {
      if (typeof one === 'number') numbers.push(2 * one);
      else if (one.numbers.length === 1) {
        all.delete(one.id);
        for (const number of one.numbers) numbers.push(2 * number);
      } else {
        numbers.push(traceNumber(one));
        if (open.has(one.id)) for (const number of one.numbers) numbers.push(2 * number);
      }
    }
    traces = all;
    indexes = undefined;
  }

  const numberAt = (index: number): number =>
    isGrouped ? (numbers[index] ?? -1) : 2 * (store.first + index);

  function lineOf(trace: Trace): Line | undefined {
    if (trace.line !== undefined) return trace.line;
    const [record, ...others] = trace.numbers.flatMap((number) => store.at(number) ?? []);
    if (record === undefined) return undefined;
    const row = summaryOf(record, others);
    return (trace.line = { row, record, isOpen: open.has(trace.id), isInTrace: false });
  }

  function indexAt(number: number): number {
    const place = (number >> 1) - store.first;
    if (place < 0 || place >= store.rows.length) return -1;
    if (!isGrouped) return place;
    const trace = traceOf(number);
    const isOfTrace = trace !== undefined && (isTrace(number) || !open.has(trace.id));
    return lineIndex(isOfTrace ? traceNumber(trace) : 2 * (number >> 1));
  }

  return {
    get count() {
      return count();
    },
    get revision() {
      return revision;
    },
    get isGrouped() {
      return isGrouped;
    },
    at(index) {
      const number = numberAt(index);
      const trace = isGrouped ? traceOf(number) : undefined;
      if (trace !== undefined && isTrace(number)) return lineOf(trace);
      const row = isGrouped ? store.at(number >> 1) : store.rows[index];
      return row && { row, record: row, isInTrace: trace !== undefined };
    },
    numberAt,
    indexAt,
    rowAt: (index) => (index < 0 || index >= count() ? -1 : (numberAt(index) >> 1) - store.first),
    reveal(row) {
      const trace = isGrouped ? traceOf(2 * (store.first + row)) : undefined;
      if (trace !== undefined && !open.has(trace.id)) {
        open.add(trace.id);
        update();
      }
      return indexAt(2 * (store.first + row));
    },
    traceAt(index) {
      const trace = isGrouped ? traceOf(numberAt(index)) : undefined;
      return trace === undefined ? -1 : lineIndex(traceNumber(trace));
    },
    group(next) {
      if (next === isGrouped) return;
      isGrouped = next;
      revision++;
      open.clear();
      update();
    },
    open(index, isOpen) {
      const number = numberAt(index);
      const trace = isGrouped && isTrace(number) ? traceOf(number) : undefined;
      if (trace === undefined || open.has(trace.id) === isOpen) return false;
      if (isOpen) open.add(trace.id);
      else open.delete(trace.id);
      update();
      return true;
    },
    update,
  };
}

/** How many workloads of a trace are named. */
const mostNames = 3;

/**
 * Creates the function that sums up a trace: the time and body of its first row, how many rows there are
 * and how long they took, the worst severity, the workloads, and the values that all rows have in common.
 */
export function createTraceRow(
  strings: Strings,
): (first: LogRow, others: readonly LogRow[]) => ShownRow {
  const duration = createDuration(strings('language'));
  return (first, others) => {
    const rows = [first, ...others];
    const inOrder = rows
      .flatMap(({ at, time }) => (at === null ? [] : [{ at, time }]))
      .sort((one, other) => one.at - other.at);
    const [from, to] = [inOrder[0], inOrder.at(-1)];
    const worst = rows.reduce((one, other) =>
      isWorse(other.severity, one.severity) ? other : one,
    );
    const names = [...new Set(rows.map(({ workload }) => workload))];
    const more = names.length - mostNames;
    const text =
      from === undefined || to === undefined
        ? strings('histogram.records', rows.length)
        : strings('listTrace', rows.length, duration(to.at - from.at));
    const body = `${text}  ${first.body.split('\n', 1)[0] ?? ''}`;
    const { spans: _, severityText: __, ...rest } = first;
    return {
      ...rest,
      ...(from && to && { exactTime: strings('range.fromTo', from.time, to.time) }),
      severity: worst.severity,
      ...(worst.severityText === undefined ? {} : { severityText: worst.severityText }),
      workload: names.slice(0, mostNames).join(', ') + (more > 0 ? ` +${more}` : ''),
      body,
      spans: [[text.length, body.length, 'dim']],
      values: commonValues(first, others),
    };
  };
}

function commonValues(first: LogRow, others: readonly LogRow[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(first.values ?? {}).filter(([field, value]) =>
      others.every(({ values }) => (values?.[field] ?? value) === value),
    ),
  );
}

/** Creates a function that formats a duration in milliseconds, such as `1.24 sec`. */
function createDuration(language: string): (milliseconds: number) => string {
  const format = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: unit === 'millisecond' ? 0 : 2,
    });
  const formats = ['millisecond', 'second', 'minute', 'hour', 'day'].map(format);
  return (milliseconds) => {
    let unit = 0;
    let value = milliseconds;
    for (const most of [1000, 60, 60, 24]) {
      if (value < most) break;
      value /= most;
      unit++;
    }
    return formats[unit]?.format(value) ?? '';
  };
}
