import type { LogRecord, Severity } from '../../api/types';
import { messageShape } from '../record/messageTemplate';
import { extentOf } from './histogram';
import { gravity } from './summary';

/** Records whose messages differ only in numbers, ids, times and quoted text. */
export interface RecordPattern {
  /** Untrusted text of one line. */
  readonly template: string;
  readonly count: number;
  /** The most severe of its records. */
  readonly severity: Severity;
  /** The number of its records in each of `buckets` equal parts of the range of all records. */
  readonly counts: readonly number[];
  readonly first: LogRecord;
  readonly last: LogRecord;
}

/** How many parts the range of the records is divided into. */
export const buckets = 24;

/** The number of records between two pauses: each may take a tenth of a millisecond. */
const atOnce = 100;

/** The templates of records, each computed once. */
const templates = new WeakMap<LogRecord, string>();

export function templateOf(record: LogRecord): string {
  let template = templates.get(record);
  if (template === undefined) templates.set(record, (template = messageShape(record.body)));
  return template;
}

/**
 * Groups records by pattern, the most frequent first.
 *
 * @param records oldest first.
 * @param pause lets other tasks run.
 */
export async function findPatterns(
  records: readonly LogRecord[],
  pause: () => Promise<void>,
): Promise<readonly RecordPattern[]> {
  const { from, to } = extentOf(records) ?? { from: 0, to: 0 };
  const length = Math.max(1, to - from + 1) / buckets;
  const groups = new Map<string, Changing<RecordPattern> & { counts: number[] }>();
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % atOnce === 0) await pause();
    const template = templateOf(record);
    const { severity } = record;
    let group = groups.get(template);
    if (group === undefined) {
      const counts = Array.from({ length: buckets }, () => 0);
      group = { template, count: 0, severity, counts, first: record, last: record };
      groups.set(template, group);
    }
    group.count++;
    group.last = record;
    if (gravity.indexOf(severity) < gravity.indexOf(group.severity)) group.severity = severity;
    const bucket = Math.floor((Date.parse(record.timestamp) - from) / length);
    const before = group.counts[bucket];
    if (before !== undefined) group.counts[bucket] = before + 1;
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}

type Changing<T> = { -readonly [Member in keyof T]: T[Member] };

/** The shortest text to search for, in UTF-16 units. */
const shortest = 3;

/**
 * The text to search for to find the records of a pattern: the longest part of its template, without control
 * characters, that is in the body of one of them. Undefined if there is none.
 */
export function searchTextOf(template: string, { body }: LogRecord): string | undefined {
  return template
    .split(/<(?:n|id|time|address|email|text)>|\u2026|\p{C}/u)
    .map((part) => part.trim())
    .sort((one, other) => other.length - one.length)
    .find((part) => part.length >= shortest && body.includes(part));
}

/** Hides the records of some patterns in a list that grows at both ends. */
export interface PatternFilter {
  readonly shows: (record: LogRecord) => boolean;
  /** The shown records of the list, oldest first. */
  readonly records: readonly LogRecord[];
  /** The whole list changed. `search` identifies what it is the result of: another one shows all. */
  replaced(records: readonly LogRecord[], search: unknown): void;
  /**
   * Records came at an end of the list, which is now `now`, and `dropped` of the oldest were removed.
   *
   * @returns the same for the shown records.
   */
  added(
    added: readonly LogRecord[],
    dropped: number,
    now: readonly LogRecord[],
  ): { readonly added: readonly LogRecord[]; readonly dropped: number };
  /** Hides a pattern, or shows it again. */
  toggle(template: string): void;
  /** Shows only this pattern. */
  only(template: string): void;
  clear(): void;
}

export function createPatternFilter(): PatternFilter {
  const hidden = new Set<string>();
  let only: string | undefined;
  let list: readonly LogRecord[] = [];
  let source: unknown;

  const shows = (record: LogRecord): boolean => {
    if (hidden.size === 0 && only === undefined) return true;
    const template = templateOf(record);
    return only === undefined ? !hidden.has(template) : template === only;
  };
  const shown = (records: readonly LogRecord[]): readonly LogRecord[] =>
    hidden.size === 0 && only === undefined ? records : records.filter(shows);
  const clear = (): void => {
    hidden.clear();
    only = undefined;
  };

  return {
    shows,
    get records() {
      return shown(list);
    },
    replaced(records, search) {
      if (search !== source) clear();
      source = search;
      list = records;
    },
    added(added, dropped, now) {
      const gone = shown(list.slice(0, dropped)).length;
      list = now;
      return { added: shown(added), dropped: gone };
    },
    toggle(template) {
      only = undefined;
      if (!hidden.delete(template)) hidden.add(template);
    },
    only(template) {
      hidden.clear();
      only = template;
    },
    clear,
  };
}
