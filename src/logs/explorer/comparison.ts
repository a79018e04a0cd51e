import type { ControlPlaneClient } from '../../api/client';
import { largestPage, type PagesRequest } from '../../api/fetchPages';
import type { LogRecord } from '../../api/types';
import { logWindow } from '../../api/utcTime';
import { day, hour, inTurns, second } from '../../base/clock';
import { dotted, type Translate } from '../../base/textFormat';
import { instantOf, wallTime } from '../../base/timeFormat';
import type { LineMapping } from '../../commits/lineMapping';
import type { ErrorSpot } from '../errors/errorKind';
import { noteOf } from '../errors/markText';
import { queryFilters, type LogFilter } from '../query/fields';
import { canonicalFilter } from '../query/narrow';
import { type NameOf, printSearch, type SearchQuery, windowOf } from '../query/searchQuery';
import type { When } from '../query/timeExpression';
import { joinRecords } from '../record/joinRecords';
import { type RecordStyle, usualStyle } from '../record/recordStyle';
import type { TimeSpan } from './protocol/view';
import { PagedSearch } from './pagedSearch';
import {
  comparePatterns,
  type Measure,
  type PatternChange,
  type ReadSide,
  sizeOf,
} from './patternChanges';
import { RecordPatterns } from './recordPatterns';
import { type ApartValue, setsApart } from './setsApart';

/** What was looked at on one side. */
export interface ComparedSide extends ReadSide {
  readonly search: ComparedSearch;
  /** Whether these are all records of its range; otherwise there are older ones. */
  readonly isWhole: boolean;
  /** Whether the server left out records. */
  readonly isPartial: boolean;
}

/** The differences between two sides. */
export interface Compared {
  readonly now: ComparedSide;
  readonly before: ComparedSide;
  readonly measure: Measure;
  /** How many more records the first side has, by time. */
  readonly factor: number;
  readonly changes: readonly PatternChange[];
  /** What sets the records of the first side apart from those of the second. */
  readonly apart: readonly ApartValue[];
}

/** How to read: see `PagedSearch.load`. */
interface Reading extends Pick<PagesRequest, 'signal' | 'onWait'> {
  readonly onRecords?: (count: number) => void;
}

/** The most requests of one `read` for a side. */
const pagesOfSide = 5;
/** The most records of a side in memory. */
const mostOfSide = 50_000;

/** Compares the records of two searches: reads both newest first, a bounded number at a time. */
export class Comparison {
  private readonly patterns: RecordPatterns;
  private readonly sides: readonly [SideReader, SideReader];
  private readonly measure: Measure;
  private current: Compared | undefined;
  /** Of both sides, as they were compared. */
  private entries: readonly (readonly LogRecord[])[] = [];

  /**
   * @param pause lets other tasks run.
   * @param style which severity a pattern has, and whether several records are one of its entries.
   */
  constructor(
    client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    readonly pair: ComparedPair,
    private readonly pause: () => Promise<void>,
    private readonly style: RecordStyle = usualStyle(),
  ) {
    this.patterns = new RecordPatterns(() => style.severity);
    const { now, before } = pair;
    this.sides = [
      new SideReader(client, now, [now.range]),
      new SideReader(client, before, rangesOfOther(pair)),
    ];
    // Another environment or app has more, or fewer, records of everything.
    this.measure = isSameWork(pair) ? 'time' : 'records';
  }

  /** Undefined before the first `read`. */
  get result(): Compared | undefined {
    return this.current;
  }

  /** Whether there are older records to read, on either side. */
  get canRead(): boolean {
    return this.sides.some(({ canRead }) => canRead);
  }

  /**
   * Reads both sides, or older records of both, and compares them.
   *
   * @throws what the client throws, and the signal's reason; the result stays as it was.
   */
  async read({ signal, onRecords, onWait }: Reading): Promise<Compared> {
    const counts = new Map(this.sides.map((side) => [side, side.count]));
    const load = async (side: SideReader): Promise<void> =>
      side.read({
        signal,
        onWait,
        onRecords(count) {
          counts.set(side, count);
          onRecords?.([...counts.values()].reduce((sum, one) => sum + one, 0));
        },
      });
    await Promise.all(this.sides.map(load));
    const [now, before] = [this.sides[0].side, this.sides[1].side];
    const { measure, pause } = this;
    const { joinLines } = this.style;
    this.entries = [now, before].map(({ records }) => joinRecords(records, joinLines));
    const [ofNow = [], ofBefore = []] = this.entries;
    const changes = await comparePatterns(
      { ...now, records: ofNow },
      { ...before, records: ofBefore },
      measure,
      this.patterns,
      pause,
    );
    const apart = await setsApart(now.records, before.records, pause);
    signal.throwIfAborted();
    const ratio = sizeOf(now, 'time') / sizeOf(before, 'time');
    const factor = now.records.length / (before.records.length * ratio);
    return (this.current = { now, before, measure, factor, changes, apart });
  }

  /** What sets the records of a pattern apart from all others, of both sides. @param key that of the pattern. */
  async apartOf(key: string): Promise<readonly ApartValue[]> {
    const chosen: LogRecord[] = [];
    const others: LogRecord[] = [];
    for (const entries of this.entries) {
      await inTurns(entries, this.pause, (record) => {
        const isOne = this.patterns.of(record).key === key;
        (isOne ? chosen : others).push(record);
      });
    }
    return setsApart(chosen, others, this.pause);
  }
}

/** Whether both sides are the work of the same programs, so that frequencies by time mean something. */
function isSameWork({ now, before }: ComparedPair): boolean {
  const of = ({ filter }: ComparedSearch): string => {
    const { workloadIds = [], environments = [], serverIds = [], services = [] } = filter;
    return JSON.stringify(
      [workloadIds, environments, serverIds, services].map((all) => [...all].sort()),
    );
  };
  return of(now) === of(before);
}

/** Reads the records of one side, which may be of two ranges. */
class SideReader {
  private readonly ranges: readonly { readonly range: TimeSpan; readonly search: PagedSearch }[];

  constructor(
    client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
    private readonly search: ComparedSearch,
    ranges: readonly TimeSpan[],
  ) {
    const maxRecords = Math.max(1, Math.floor(mostOfSide / Math.max(1, ranges.length)));
    this.ranges = ranges.map((range) => {
      const { from, to } = logWindow(range.from, range.to);
      const filters = queryFilters(search.filter, from, to);
      return { range, search: new PagedSearch({ client, filters, maxRecords }) };
    });
  }

  get count(): number {
    return this.ranges.reduce((sum, { search }) => sum + search.records.length, 0);
  }

  get canRead(): boolean {
    return this.ranges.some(({ search }) => search.state?.ends.older !== 'end' && !search.isFull);
  }

  get side(): ComparedSide {
    const states = this.ranges.map(({ search }) => search.state);
    return {
      search: this.search,
      records: this.ranges.flatMap(({ search }) => search.records),
      read: this.ranges.map(({ range, search }) =>
        ranSince(readOf(range, search), this.search.runsSince, search),
      ),
      isWhole: states.every((state) => state?.ends.older === 'end'),
      isPartial: states.some((state) => state?.partial === true),
    };
  }

  async read({ signal, onRecords, onWait }: Reading): Promise<void> {
    const maxPages = Math.max(1, Math.floor(pagesOfSide / Math.max(1, this.ranges.length)));
    for (const { search } of this.ranges) {
      const before = this.count;
      const load = (): ReturnType<PagedSearch['load']> =>
        search.load('older', {
          target: maxPages * largestPage,
          maxPages,
          signal,
          onWait,
          onProgress: ({ records }) => onRecords?.(before + records),
        });
      // The permissions changed while pages were loaded: they are loaded once more.
      if ((await load()).kind === 'accessChanged') await load();
      onRecords?.(this.count);
    }
  }
}

/** How far a range was read: to its start, or to the oldest record. */
function readOf({ from, to }: TimeSpan, { records, state }: PagedSearch): TimeSpan {
  if (state?.ends.older === 'end') return { from, to };
  const oldest = Date.parse(records[0]?.timestamp ?? '');
  return { from: Number.isNaN(oldest) ? to : Math.min(Math.max(from, oldest), to), to };
}

/** The part of a range in which a deployment ran: since then, or since its first record if that came before. */
function ranSince(
  { from, to }: TimeSpan,
  since: number | undefined,
  { records }: PagedSearch,
): TimeSpan {
  if (since === undefined) return { from, to };
  const first = Date.parse(records[0]?.timestamp ?? '');
  const start = Number.isNaN(first) ? since : Math.min(first, since);
  return { from: Math.min(Math.max(from, start), to), to };
}

/** A search whose range is fixed, since it is compared with another one. */
export interface ComparedSearch {
  readonly filter: LogFilter;
  readonly range: TimeSpan;
  /**
   * Since when the deployment runs whose records these are, in milliseconds since 1970. What it wrote before that is
   * compared, too, but how frequent it is does not count the time before.
   */
  readonly runsSince?: number | undefined;
}

/** What is compared, and what with. */
export interface ComparedPair {
  readonly now: ComparedSearch;
  readonly before: ComparedSearch;
}

const periods = { hour, day, week: 7 * day } as const;

/** The period that both sides are, one right before the other; undefined if they are not. */
export function comparedPeriod({ now, before }: ComparedPair): keyof typeof periods | undefined {
  const isAbout = (a: number, b: number): boolean => Math.abs(a - b) <= second;
  const length = now.range.to - now.range.from;
  const isRightBefore =
    isAbout(before.range.to, now.range.from) &&
    isAbout(before.range.to - before.range.from, length);
  if (!isRightBefore) return undefined;
  return (['hour', 'day', 'week'] as const).find((period) => isAbout(periods[period], length));
}

/** The search at this time; undefined if its range ends before it begins. */
export function fixedSearch(
  { filter, range }: SearchQuery,
  when: When,
): ComparedSearch | undefined {
  const window = windowOf(range, when);
  if (window === undefined) return undefined;
  return { filter, range: { from: Date.parse(window.from), to: Date.parse(window.to) } };
}

/** The query of a search, which finds the same records at any time. */
export function queryOfSide({ filter, range }: ComparedSearch, nameOf?: NameOf): string {
  const { from, to } = range;
  const fixed = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return printSearch({ filter, range: fixed }, nameOf);
}

export const otherTimes = ['periodBefore', 'dayBefore', 'weekBefore'] as const;
export type OtherTime = (typeof otherTimes)[number];

/**
 * The range at another time, of the same length. Undefined if both would overlap. Ranges include their end.
 *
 * @param timeZone whose clock shows the same time the day or week before.
 */
export function rangeBefore(
  { from, to }: TimeSpan,
  which: OtherTime,
  timeZone: string,
): TimeSpan | undefined {
  const length = to - from;
  if (which === 'periodBefore') return { from: from - length - 1, to: from - 1 };
  const back = which === 'dayBefore' ? day : 7 * day;
  const start = instantOf(wallTime(from, timeZone) - back, timeZone);
  return start + length < from ? { from: start, to: start + length } : undefined;
}

/**
 * The ranges of the other side: what both would have counts for the first side only, so that a part can be
 * compared with the rest. Oldest first; empty if there is no rest.
 */
export function rangesOfOther({ now, before }: ComparedPair): readonly TimeSpan[] {
  if (keyOf(now.filter) !== keyOf(before.filter)) return [before.range];
  const { from, to } = before.range;
  const rest = [
    { from, to: Math.min(to, now.range.from - 1) },
    { from: Math.max(from, now.range.to + 1), to },
  ];
  return rest.filter((one) => one.from <= one.to);
}

function keyOf(filter: LogFilter): string {
  const members = Object.entries(canonicalFilter(filter));
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A line in the stack of a record, as it was deployed. */
export type ComparedSpot = Pick<ErrorSpot, 'file' | 'line' | 'deploymentId' | 'workloadId'>;

/** A line of the workspace as it is now. */
export interface ComparedPlace {
  /** The URI of the file as text. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Such as `src/cart.ts:9`, and why it may be another line. */
  readonly text: string;
}

interface PlacesOptions {
  /** The deployed commit that a spot belongs to; undefined if it is unknown. */
  readonly commitOf: (spot: ComparedSpot) => string | undefined;
  /** Where the lines of a file at a commit are now. @param file its URI as text. */
  readonly mappingOf: (file: string, sha: string | undefined) => Promise<LineMapping>;
  /** The path of a file as the user knows it. @param file its URI as text. */
  readonly pathOf: (file: string) => string;
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** The maximum number of lines of a pattern. */
const mostPlaces = 3;
/** How many files are compared with their deployed text. The lines of others are as they came. */
const mostFiles = 100;

/**
 * The lines of the workspace that the records of patterns point at, as they are now.
 *
 * @param spots by pattern, innermost first.
 */
export async function comparedPlaces(
  spots: ReadonlyMap<string, readonly ComparedSpot[]>,
  options: PlacesOptions,
): Promise<ReadonlyMap<string, readonly ComparedPlace[]>> {
  const mappings = new Map<string, LineMapping>();

  async function mappingOf(file: string, sha: string | undefined): Promise<LineMapping> {
    const key = `${sha ?? ''} ${file}`;
    const known = mappings.get(key);
    if (known !== undefined) return known;
    if (mappings.size >= mostFiles) return (line) => ({ line, certainty: 'unknown' });
    const mapping = await options.mappingOf(file, sha);
    options.signal.throwIfAborted();
    mappings.set(key, mapping);
    return mapping;
  }

  async function placeOf(spot: ComparedSpot): Promise<ComparedPlace> {
    const sha = options.commitOf(spot);
    const { line, certainty } = (await mappingOf(spot.file, sha))(spot.line);
    const note = noteOf({ certainty, changedSince: sha }, options);
    return {
      file: spot.file,
      line,
      text: dotted([`${options.pathOf(spot.file)}:${line}`, note]),
    };
  }

  const all = new Map<string, readonly ComparedPlace[]>();
  for (const [template, those] of spots) {
    const places = new Map<string, ComparedPlace>();
    for (const spot of those) {
      if (places.size >= mostPlaces) break;
      const place = await placeOf(spot);
      if (!places.has(place.text)) places.set(place.text, place);
    }
    all.set(template, [...places.values()]);
  }
  return all;
}
