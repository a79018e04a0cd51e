import type { Direction } from '../../api/cursors';
import type { LogRecord, Severity } from '../../api/types';
import { lineLimit, oneLine } from '../record/logLine';
import { messageTemplate } from '../record/messageTemplate';
import { extentOf } from './histogram';
import { isWorse } from './protocol/view';

/** Records whose messages differ only in numbers, ids, times and quoted text. */
export interface RecordPattern {
  /** Harmless text of one line. */
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

/** The template of a record, as harmless text of one line. */
export function templateOf(record: LogRecord): string {
  let template = templates.get(record);
  if (template === undefined) {
    template = oneLine(messageTemplate(record.body), lineLimit);
    templates.set(record, template);
  }
  return template;
}

/**
 * Groups records by pattern, the most frequent first.
 *
 * @param records oldest first.
 * @param pause lets other tasks run.
 * @param isCurrent whether the records may still be shown.
 * @returns undefined if they may not.
 */
export async function findPatterns(
  records: readonly LogRecord[],
  pause: () => Promise<void>,
  isCurrent: () => boolean,
): Promise<readonly RecordPattern[] | undefined> {
  const { from, to } = extentOf(records) ?? { from: 0, to: 0 };
  const length = Math.max(1, to - from + 1) / buckets;
  const groups = new Map<string, Changing<RecordPattern> & { counts: number[] }>();
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % atOnce === 0) {
      await pause();
      if (!isCurrent()) return undefined;
    }
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
    if (isWorse(severity, group.severity)) group.severity = severity;
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
 * characters, escaped or not, that is in the body of one of them. Undefined if there is none.
 */
export function searchTextOf(template: string, { body }: LogRecord): string | undefined {
  return template
    .split(/<(?:n|id|time|address|email|text)>|\u2026|\\u\{[\da-f]+\}|\p{C}/u)
    .map((part) => part.trim())
    .sort((one, other) => other.length - one.length)
    .find((part) => part.length >= shortest && body.includes(part));
}

/** Hides the records of some patterns in a list that grows at both ends. */
export interface PatternFilter {
  /** The shown records of the list, oldest first. */
  readonly records: readonly LogRecord[];
  shows(record: LogRecord): boolean;
  /**
   * The whole list changed. `source` is what it is the result of: a search, or the record that it is
   * around. Each has its own hidden patterns.
   */
  replaced(records: readonly LogRecord[], source: object | undefined): void;
  /**
   * Records came at an end of the list, which is now `now`, and `dropped` were removed at the older end.
   *
   * @returns the shown ones of those that came, and the number of those that went.
   */
  added(
    direction: Direction,
    added: readonly LogRecord[],
    dropped: readonly LogRecord[],
    now: readonly LogRecord[],
  ): { readonly added: readonly LogRecord[]; readonly dropped: number };
  /** Hides a pattern, or shows it again. */
  toggle(template: string): void;
  /** Shows only this pattern. */
  only(template: string): void;
}

/** Some patterns, which are hidden, or the only ones that are shown. */
interface Choice {
  readonly templates: Set<string>;
  isOnly: boolean;
}

export function createPatternFilter(): PatternFilter {
  const choices = new WeakMap<object, Choice>();
  let choice: Choice = { templates: new Set(), isOnly: false };
  let list: readonly LogRecord[] = [];
  /** Those of the list that are shown; undefined: all. */
  let some: LogRecord[] | undefined;

  const shows = (record: LogRecord): boolean =>
    choice.templates.size === 0
      ? !choice.isOnly
      : choice.templates.has(templateOf(record)) === choice.isOnly;
  const showsAll = (): boolean => choice.templates.size === 0 && !choice.isOnly;
  const choose = (): void => {
    some = showsAll() ? undefined : list.filter(shows);
  };

  return {
    get records() {
      return some ?? list;
    },
    shows,
    replaced(records, source) {
      const known = source && choices.get(source);
      choice = known ?? { templates: new Set(), isOnly: false };
      if (source !== undefined) choices.set(source, choice);
      list = records;
      choose();
    },
    added(direction, added, dropped, now) {
      list = now;
      if (some === undefined) return { added, dropped: dropped.length };
      const gone = dropped.filter(shows).length;
      const taken = added.filter(shows);
      some.splice(0, gone);
      if (direction === 'older') some = taken.concat(some);
      else for (const record of taken) some.push(record);
      return { added: taken, dropped: gone };
    },
    toggle(template) {
      const { templates } = choice;
      if (!templates.delete(template)) templates.add(template);
      choose();
    },
    only(template) {
      choice.isOnly = true;
      choice.templates.clear();
      choice.templates.add(template);
      choose();
    },
  };
}
