import type { Direction } from '../../api/cursors';
import type { LogRecord, Severity } from '../../api/types';
import { inTurns } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import type { GrownEntry } from './entryList';
import { lineLimit, cutLine } from '../record/logLine';
import { entryRecords } from '../record/joinRecords';
import { type Pattern, PatternLookup, Patterns } from '../record/patterns';
import { isWorse } from '../record/severity';
import { readsBody, type SeveritySource, shownSeverity } from '../record/shownSeverity';

/** Records whose messages are alike. */
export interface RecordPattern {
  /** That of its pattern. */
  readonly key: string;
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

/** The patterns of the records of a search. They become more general as records come. */
export class RecordPatterns {
  private readonly patterns = new Patterns();
  private readonly remembered = new WeakMap<LogRecord, Pattern>();
  /** Harmless texts by those of patterns. */
  private readonly templates = new Map<string, string>();

  constructor(private readonly source: () => SeveritySource = readsBody) {}

  /** Changes when a pattern does. */
  get changes(): number {
    return this.patterns.changes;
  }

  /** The pattern of a record, which is computed once. */
  of(record: LogRecord): Pattern {
    return getOrMake(this.remembered, record, () => this.patterns.add(record.body));
  }

  /** Which severity of its records a pattern has. */
  get severitySource(): SeveritySource {
    return this.source();
  }

  /** The text of a pattern as harmless text of one line. */
  templateOf({ text }: Pattern): string {
    return getOrMake(this.templates, text, () => cutLine(text, lineLimit));
  }

  /** One of the records with a pattern, although it may have become more general since it had this key. */
  recordOf(records: readonly LogRecord[], key: string): LogRecord | undefined {
    const lookup = new PatternLookup<true>();
    lookup.add(key, true);
    return (
      records.find((record) => this.of(record).key === key) ??
      records.find((record) => lookup.of(this.of(record).messageKey).length > 0)
    );
  }
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
  patterns: RecordPatterns,
  pause: () => Promise<void>,
  isCurrent: () => boolean,
): Promise<readonly RecordPattern[] | undefined> {
  const times = new Float64Array(records.length);
  let [from, to] = [Infinity, -Infinity];
  const read = (record: LogRecord, index: number): void => {
    patterns.of(record);
    const time = Date.parse(record.timestamp);
    times[index] = time;
    if (time < from) from = time;
    if (time > to) to = time;
  };
  if (!(await inTurns(records, pause, read, isCurrent))) return undefined;
  const length = Math.max(1, to - from + 1) / buckets;
  const { changes, severitySource } = patterns;
  const groups = new Map<string, Changing<RecordPattern> & { counts: number[] }>();
  const count = (record: LogRecord, index: number): void => {
    const pattern = patterns.of(record);
    const { key } = pattern;
    const severity = shownSeverity(record, severitySource);
    let group = groups.get(key);
    if (group === undefined) {
      const counts = new Array<number>(buckets).fill(0);
      const template = patterns.templateOf(pattern);
      group = { key, template, count: 0, severity, counts, first: record, last: record };
      groups.set(key, group);
    }
    group.count++;
    group.last = record;
    if (isWorse(severity, group.severity)) group.severity = severity;
    const bucket = Math.floor(((times[index] ?? NaN) - from) / length);
    const before = group.counts[bucket];
    if (before !== undefined) group.counts[bucket] = before + 1;
  };
  const isSame = (): boolean => patterns.changes === changes;
  if (!(await inTurns(records, pause, count, () => isCurrent() && isSame()))) {
    // Perhaps other records came, and patterns became one.
    return isCurrent() ? findPatterns(records, patterns, pause, isCurrent) : undefined;
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

function recordCount(entries: readonly LogRecord[]): number {
  return entries.reduce((sum, entry) => sum + entryRecords(entry).length, 0);
}

type Changing<T> = { -readonly [Member in keyof T]: T[Member] };

/** Some patterns, which are hidden, or the only ones that are shown. */
interface Choice {
  readonly patterns: RecordPatterns;
  readonly chosen: Set<Pattern>;
  isOnly: boolean;
}

/** How what is shown of a list has changed. */
interface ShownChange {
  readonly added: readonly LogRecord[];
  /** How many went. */
  readonly dropped: number;
  readonly grown: readonly LogRecord[];
}

/** Hides the records of some patterns in a list that grows at both ends. */
export class PatternFilter {
  /** By what the list is the result of. */
  private readonly choices = new WeakMap<object, Choice>();
  private choice: Choice;
  private list: readonly LogRecord[] = [];
  /** Those of the list that are shown; undefined: all. */
  private some: LogRecord[] | undefined;
  /** The keys of the chosen patterns, as long as patterns have not changed. */
  private keys: { readonly changes: number; readonly keys: ReadonlySet<string> } | undefined;

  /** @param source which severity of its records a pattern has. */
  constructor(private readonly source: () => SeveritySource = readsBody) {
    this.choice = this.newChoice();
  }

  /** Those of the records of this list. */
  get patterns(): RecordPatterns {
    return this.choice.patterns;
  }

  /** The shown records of the list, oldest first. */
  get records(): readonly LogRecord[] {
    return this.some ?? this.list;
  }

  /** All of the list, oldest first. */
  get all(): readonly LogRecord[] {
    return this.list;
  }

  /** How many records are hidden. */
  get hidden(): number {
    if (this.some === undefined) return 0;
    return recordCount(this.list) - recordCount(this.some);
  }

  shows(record: LogRecord): boolean {
    const { patterns, chosen, isOnly } = this.choice;
    if (chosen.size === 0) return !isOnly;
    const { key } = patterns.of(record);
    if (this.keys?.changes !== patterns.changes) {
      const keys = new Set([...chosen].map((one) => one.key));
      this.keys = { changes: patterns.changes, keys };
    }
    return this.keys.keys.has(key) === isOnly;
  }

  /**
   * The whole list changed. `source` is what it is the result of: a search, or the record that it is
   * around. Each has its own hidden patterns.
   */
  replaced(records: readonly LogRecord[], source: object | undefined): void {
    this.choice = (source && this.choices.get(source)) ?? this.newChoice();
    if (source !== undefined) this.choices.set(source, this.choice);
    this.list = records;
    this.choose();
  }

  /**
   * Records came at an end of the list, which is now `now`, `dropped` were removed at the older end, and `grown` have
   * more text.
   *
   * @returns the shown ones of those that came, and the number of those that went. Undefined: a chosen pattern
   * has become more general, so that others are shown than before.
   */
  added(
    direction: Direction,
    added: readonly LogRecord[],
    dropped: readonly LogRecord[],
    now: readonly LogRecord[],
    grown: readonly GrownEntry[] = [],
  ): ShownChange | undefined {
    this.list = now;
    const some = this.some;
    const all = grown.map((one) => one.now);
    if (some === undefined) return { added, dropped: dropped.length, grown: all };
    const { patterns } = this.choice;
    const { changes } = patterns;
    for (const record of [...added, ...all]) patterns.of(record);
    for (const one of grown) {
      const place = some.indexOf(one.before);
      if (place >= 0) some[place] = one.now;
    }
    const left = new Set(dropped);
    let gone = 0;
    for (let oldest = some[gone]; oldest && left.has(oldest); oldest = some[gone]) gone++;
    const shown = added.filter((record) => this.shows(record));
    some.splice(0, gone);
    if (direction === 'older') this.some = shown.concat(some);
    else for (const record of shown) some.push(record);
    if (patterns.changes !== changes) {
      const before = this.records;
      this.choose();
      const isSame = (record: LogRecord, index: number): boolean => record === before[index];
      if (this.records.length !== before.length || !this.records.every(isSame)) return undefined;
    }
    if (grown.length > 0) {
      const isShown = new Set(some);
      // What it says now may be of a pattern that is hidden, or of one that is not.
      if (all.some((record) => this.shows(record) !== isShown.has(record))) {
        this.choose();
        return undefined;
      }
    }
    return { added: shown, dropped: gone, grown: all.filter((record) => this.shows(record)) };
  }

  /** Hides the pattern of a record, or shows it again. */
  toggle(record: LogRecord): void {
    const { chosen, patterns } = this.choice;
    const pattern = patterns.of(record);
    const same = [...chosen].filter(({ key }) => key === pattern.key);
    for (const one of same) chosen.delete(one);
    if (same.length === 0) chosen.add(pattern);
    this.choose();
  }

  /** Shows only the pattern of a record. */
  only(record: LogRecord): void {
    this.choice.isOnly = true;
    this.choice.chosen.clear();
    this.choice.chosen.add(this.choice.patterns.of(record));
    this.choose();
  }

  private newChoice(): Choice {
    return { patterns: new RecordPatterns(this.source), chosen: new Set(), isOnly: false };
  }

  private choose(): void {
    this.keys = undefined;
    const { patterns, chosen, isOnly } = this.choice;
    this.some = undefined;
    if (chosen.size === 0 && !isOnly) return;
    // First all, because any of them may make a pattern more general.
    for (const record of this.list) patterns.of(record);
    this.some = this.list.filter((record) => this.shows(record));
  }
}
