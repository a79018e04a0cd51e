import type { RowsMessage } from '../../src/logs/explorer/protocol/messages';
import { type LogRow, severities } from '../../src/logs/explorer/protocol/view';
import { isWorse } from '../../src/logs/record/severity';
import type { Strings } from './panel';

/**
 * The gap between the numbers of replaced rows and new ones, so that older rows never reach them. The
 * numbers stay small integers, with which JavaScript engines are several times faster.
 */
const gap = 2 ** 20;
const mostNumbers = 2 ** 29;

/** How many recurring values are known; most recur soon. */
const mostShared = 10_000;

/**
 * A message has a copy of each value. `share` returns the first copy of a recurring value, so that it is
 * in memory once.
 */
function createSharing<T>(): { share(key: string, value: T): T; clear(): void } {
  const shared = new Map<string, T>();
  return {
    share(key, value) {
      const known = shared.get(key);
      if (known !== undefined) return known;
      if (shared.size >= mostShared) shared.clear();
      shared.set(key, value);
      return value;
    },
    clear: () => shared.clear(),
  };
}

/**
 * The loaded rows, oldest first. Each has a number that stays the same while rows come or go: the n-th row
 * has the number `first + n`. Numbers are not reused.
 */
export class RowStore {
  private loaded: LogRow[] = [];
  private oldest = 0;
  private latestEpoch = -1;
  private replaced = 0;
  private updated = 0;
  private readonly texts = createSharing<string>();
  private readonly spans = createSharing<NonNullable<LogRow['spans']>>();

  get rows(): readonly LogRow[] {
    return this.loaded;
  }

  /** The number of the oldest row. */
  get first(): number {
    return this.oldest;
  }

  /** The epoch of the rows. */
  get epoch(): number {
    return this.latestEpoch;
  }

  /** Incremented whenever all rows are replaced. */
  get replacements(): number {
    return this.replaced;
  }

  /** Incremented whenever rows look different. */
  get updates(): number {
    return this.updated;
  }

  change(message: Omit<RowsMessage, 'kind'>): void {
    // Rows of an older epoch may arrive late.
    if (message.epoch < this.epoch) return;
    const isNew = message.epoch > this.epoch;
    this.latestEpoch = message.epoch;
    if (isNew || message.change === 'replace') {
      this.replace(message.rows);
    } else if (message.change === 'older') {
      this.loaded = [...message.rows.map((row) => this.slim(row)), ...this.loaded];
      this.oldest -= message.rows.length;
    } else if (message.change === 'update') {
      this.update(message.rows);
    } else {
      for (const row of message.rows) this.loaded.push(this.slim(row));
      this.oldest += this.loaded.splice(0, message.dropped).length;
    }
  }

  /** Removes all rows if this is a new epoch. */
  startEpoch(next: number): void {
    if (next <= this.epoch) return;
    this.latestEpoch = next;
    this.replace([]);
  }

  /** The index of the row with a key, or -1. */
  indexOf(key: string): number {
    return this.loaded.findIndex((row) => row.key === key);
  }

  at(number: number): LogRow | undefined {
    return this.loaded[number - this.oldest];
  }

  private replace(by: readonly LogRow[]): void {
    this.oldest = (this.oldest + this.loaded.length + gap) % mostNumbers;
    this.replaced++;
    if (by.length === 0) {
      this.texts.clear();
      this.spans.clear();
    }
    this.loaded = by.map((row) => this.slim(row));
  }

  /** Neighbors look different now. */
  private update(changed: readonly LogRow[]): void {
    this.updated++;
    const [first] = changed;
    const start = first === undefined ? -1 : this.indexOf(first.key);
    for (const [offset, row] of changed.entries()) {
      if (this.loaded[start + offset]?.key === row.key) {
        this.loaded[start + offset] = this.slim(row);
      }
    }
  }

  private slim(row: { -readonly [Member in keyof LogRow]: LogRow[Member] }): LogRow {
    row.workload = this.texts.share(row.workload, row.workload);
    if (row.trace !== undefined) row.trace = this.texts.share(row.trace, row.trace);
    if (row.spans !== undefined) row.spans = this.spans.share(row.spans.join(';'), row.spans);
    row.severity = severities[severities.indexOf(row.severity)] ?? 'unknown';
    return row;
  }
}

/** What a line shows. */
export interface ShownRow extends LogRow {
  /** Of a trace: the time of its first and last record. */
  readonly exactTime?: string;
}

/** A line of the list: a record, or the records of a trace. */
interface Line {
  readonly row: ShownRow;
  /** The record that its actions use: the first of a trace. */
  readonly record: LogRow;
  /** Of a trace: whether its records are shown below. */
  readonly isOpen?: boolean;
  /** Whether it is a record of the open trace above. */
  readonly isInTrace: boolean;
}

/** The rows of a trace, by their numbers. */
interface Trace {
  readonly id: string;
  readonly numbers: number[];
  /** Computed when it is shown. */
  line?: Line;
}

/**
 * The lines of the list: the rows, or with groups, one for each trace of several rows, at the place of its
 * first row. Each line has a number that stays the same while rows come or go: twice that of its row, and for
 * a trace one more than that of its first row.
 */
export class Lines {
  private grouped = false;
  private readonly opened = new Set<string>();
  /** If grouped: the numbers of the lines, their indexes, and the traces of several rows. */
  private numbers: number[] = [];
  private indexes: Map<number, number> | undefined;
  private traces = new Map<string, Trace>();
  private changes = 0;

  /** @param summaryOf creates the row of a trace from its first row and the others, the oldest first. */
  constructor(
    private readonly store: RowStore,
    private readonly summaryOf: (first: LogRow, others: readonly LogRow[]) => ShownRow,
  ) {}

  get count(): number {
    return this.grouped ? this.numbers.length : this.store.rows.length;
  }

  get isGrouped(): boolean {
    return this.grouped;
  }

  /** Incremented when lines other than the first and the last ones may be others. */
  get revision(): number {
    return this.changes;
  }

  at(index: number): Line | undefined {
    const number = this.numberAt(index);
    const trace = this.grouped ? this.traceOf(number) : undefined;
    if (trace !== undefined && isTrace(number)) return this.lineOf(trace);
    const row = this.grouped ? this.store.at(number >> 1) : this.store.rows[index];
    return row && { row, record: row, isInTrace: trace !== undefined };
  }

  numberAt(index: number): number {
    return this.grouped ? (this.numbers[index] ?? -1) : 2 * (this.store.first + index);
  }

  /** The index of the line with a number, or of the closed trace that contains its row; -1 if it is gone. */
  indexAt(number: number): number {
    const place = (number >> 1) - this.store.first;
    if (place < 0 || place >= this.store.rows.length) return -1;
    if (!this.grouped) return place;
    const trace = this.traceOf(number);
    const isOfTrace = trace !== undefined && (isTrace(number) || !this.opened.has(trace.id));
    return this.lineIndex(isOfTrace ? traceNumber(trace) : 2 * (number >> 1));
  }

  /** The index of the row that a line shows, of a trace its first one; -1 if there is no such line. */
  rowAt(index: number): number {
    if (index < 0 || index >= this.count) return -1;
    return (this.numberAt(index) >> 1) - this.store.first;
  }

  /** The index of the line of a row, by the index of the row. Opens its trace. */
  reveal(row: number): number {
    const number = 2 * (this.store.first + row);
    const trace = this.grouped ? this.traceOf(number) : undefined;
    if (trace !== undefined && !this.opened.has(trace.id)) {
      this.opened.add(trace.id);
      this.update();
    }
    return this.indexAt(number);
  }

  /** The index of the trace of a line; -1 if there is none. */
  traceAt(index: number): number {
    const trace = this.grouped ? this.traceOf(this.numberAt(index)) : undefined;
    return trace === undefined ? -1 : this.lineIndex(traceNumber(trace));
  }

  group(isGrouped: boolean): void {
    if (isGrouped === this.grouped) return;
    this.grouped = isGrouped;
    this.changes++;
    this.opened.clear();
    this.update();
  }

  /** Opens or closes the trace of a line. @returns whether it did. */
  open(index: number, isOpen: boolean): boolean {
    const number = this.numberAt(index);
    const trace = this.grouped && isTrace(number) ? this.traceOf(number) : undefined;
    if (trace === undefined || this.opened.has(trace.id) === isOpen) return false;
    if (isOpen) this.opened.add(trace.id);
    else this.opened.delete(trace.id);
    this.update();
    return true;
  }

  /** Rows came, went or changed. */
  update(): void {
    if (!this.grouped) return;
    this.changes++;
    const { store, opened } = this;
    if (store.rows.length === 0) opened.clear();
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
    const numbers: number[] = [];
    for (const one of order) {
      if (typeof one === 'number') numbers.push(2 * one);
      else if (one.numbers.length === 1) {
        all.delete(one.id);
        for (const number of one.numbers) numbers.push(2 * number);
      } else {
        numbers.push(traceNumber(one));
        if (opened.has(one.id)) for (const number of one.numbers) numbers.push(2 * number);
      }
    }
    this.numbers = numbers;
    this.traces = all;
    this.indexes = undefined;
  }

  private traceOf(number: number): Trace | undefined {
    const id = this.store.at(number >> 1)?.trace;
    return id === undefined ? undefined : this.traces.get(id);
  }

  private lineIndex(number: number): number {
    this.indexes ??= new Map(this.numbers.map((one, index) => [one, index]));
    return this.indexes.get(number) ?? -1;
  }

  private lineOf(trace: Trace): Line | undefined {
    if (trace.line !== undefined) return trace.line;
    const [record, ...others] = trace.numbers.flatMap((number) => this.store.at(number) ?? []);
    if (record === undefined) return undefined;
    const row = this.summaryOf(record, others);
    return (trace.line = { row, record, isOpen: this.opened.has(trace.id), isInTrace: false });
  }
}

function isTrace(number: number): boolean {
  return (number & 1) === 1;
}

function traceNumber({ numbers: [first = 0] }: Trace): number {
  return 2 * first + 1;
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
      .sort((a, b) => a.at - b.at);
    const [from, to] = [inOrder[0], inOrder.at(-1)];
    const worst = rows.reduce((a, b) => (isWorse(b.severity, a.severity) ? b : a));
    const names = [...new Set(rows.map(({ workload }) => workload))];
    const more = names.length - mostNames;
    const text =
      from === undefined || to === undefined
        ? strings('histogram.records', rows.length)
        : strings('listTrace', rows.length, duration(to.at - from.at));
    const body = `${text}  ${first.body.split('\n', 1)[0] ?? ''}`;
    const { spans: _, severityText: __, stream: ___, ...rest } = first;
    return {
      ...rest,
      ...(from && to && { exactTime: strings('range.fromTo', from.time, to.time) }),
      severity: worst.severity,
      ...(worst.severityText === undefined ? {} : { severityText: worst.severityText }),
      ...(worst.stream === undefined ? {} : { stream: worst.stream }),
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
export function createDuration(language: string): (milliseconds: number) => string {
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
