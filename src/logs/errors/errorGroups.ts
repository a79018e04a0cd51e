import { largestPage } from '../../api/fetchPages';
import type { Deployment, LogRecord } from '../../api/types';
import { type Pattern, Patterns } from '../record/patterns';
import type { LookBudget } from '../record/pathMapping';
import { recordSize } from '../record/recordSize';
import {
  changeOf,
  type ErrorBaseline,
  type LastDeployment,
  lastDeployment,
  seenDeployments,
} from './errorChange';
import { byTime, type ErrorKind, keyOfKind, kindOf, type PlacedError } from './errorKind';
import { createPlaceFinder, type FindFile, type Place } from './errorPlaces';

interface ErrorGroupsOptions {
  /** Lets other tasks run if it is time for that: called after every few records. */
  readonly pause: () => Promise<void>;
  readonly find: FindFile;
  /** Those that the records are compared with, too: of other groups. Default: none. */
  readonly patterns?: Patterns;
  /** The most records, and their estimated bytes. Default: 20,000 and 32 MiB. */
  readonly most?: { readonly records: number; readonly bytes: number };
}

/** Groups errors by kind as they arrive. Only the newest records within the bounds count. */
export interface ErrorGroups {
  /** How many records count. */
  readonly size: number;
  /** Where the records begin because older ones were removed to make room; in milliseconds since 1970. */
  readonly begin: number;
  /** The kinds, in no order; the same object as long as nothing in it changes. */
  readonly kinds: readonly ErrorKind[];
  /** Adds records in any order; a known id is added once. Resolves when they are in `kinds`. */
  add(records: readonly LogRecord[]): Promise<void>;
  /** Removes older records. @param time milliseconds since 1970. */
  forgetBefore(time: number): void;
  /**
   * Sets how the kinds changed with the last deployment of their workloads.
   *
   * @param deploymentsOf returns the known deployments of a workload, in any order.
   */
  compare(
    period: Pick<ErrorBaseline, 'since' | 'now'>,
    deploymentsOf: (workloadId: string) => readonly Deployment[],
  ): void;
  /** Whether there are files that were not looked for, because there were too many. */
  readonly isIncomplete: boolean;
  /**
   * Finds files again, once for all changes before it begins: all because files or settings changed, or those
   * that were not looked for.
   */
  locateAgain(which: 'all' | 'unknown'): Promise<void>;
  clear(): void;
}

const defaultMost = { records: 20_000, bytes: 32 * 1024 * 1024 };
/** The number of records between two pauses: each may take a tenth of a millisecond. */
const atOnce = 25;
/** Before and after a longer body there is a pause, too. In UTF-16 units. */
const longBody = 20_000;
/** How many files may be looked for in a page of records: a hostile stack may consist of paths. */
const mostLooks = 2000;

interface Group {
  readonly pattern: Pattern;
  readonly file: string | undefined;
  errors: PlacedError[];
  kind: ErrorKind | undefined;
}

export function createErrorGroups(options: ErrorGroupsOptions): ErrorGroups {
  const { pause, find, most = defaultMost } = options;
  let patterns = options.patterns ?? new Patterns();
  /** By key, as long as no pattern changes. */
  let groups = new Map<string, Group>();
  let changes = patterns.changes;
  const finder = createPlaceFinder(find);
  const ids = new Set<string>();
  /** Oldest first if `isSorted`. */
  let all: PlacedError[] = [];
  let isSorted = true;
  let bytes = 0;
  /** Older records were removed, so that they must not come back. */
  let horizon = -Infinity;
  /** Changes with `clear`: what is still under way then has no effect. */
  let life = {};
  let work: Promise<unknown> = Promise.resolve();
  /** A search for files that has not begun, and for which. */
  let relocation: { readonly done: Promise<void>; which: 'all' | 'unknown' } | undefined;

  function insert(error: PlacedError, pattern: Pattern): void {
    const file = error.places[0]?.file;
    const key = keyOfKind(pattern.text, file);
    const group = groups.get(key) ?? { pattern, file, errors: [], kind: undefined };
    groups.set(key, group);
    group.errors.push(error);
    group.kind = undefined;
    const last = all.at(-1);
    if (last !== undefined && last.at > error.at) isSorted = false;
    all.push(error);
    ids.add(error.record.eventId);
    bytes += error.bytes;
  }

  /** The groups by key: those whose patterns became one are one. */
  function current(): ReadonlyMap<string, Group> {
    if (changes === patterns.changes) return groups;
    ({ changes } = patterns);
    const before = groups;
    groups = new Map();
    for (const [oldKey, group] of before) {
      const key = keyOfKind(group.pattern.text, group.file);
      const same = groups.get(key);
      if (key !== oldKey || same !== undefined) group.kind = undefined;
      if (same === undefined) groups.set(key, group);
      else {
        same.kind = undefined;
        for (const error of group.errors) same.errors.push(error);
      }
    }
    return groups;
  }

  /** Removes the oldest records while they are before a time or beyond the bounds. */
  function shorten(from: number): void {
    if (!isSorted) all.sort(byTime);
    isSorted = true;
    let left = 0;
    for (const { record, at, bytes: size } of all) {
      const isWithin = all.length - left <= most.records && bytes <= most.bytes;
      // The newest stays, however large.
      if (at >= from && (isWithin || left === all.length - 1)) break;
      if (at >= from) horizon = Math.max(horizon, at);
      bytes -= size;
      ids.delete(record.eventId);
      left++;
    }
    if (left === 0) return;
    const gone = new Set(all.slice(0, left));
    all = all.slice(left);
    for (const [key, group] of groups) {
      const kept = group.errors.filter((error) => !gone.has(error));
      if (kept.length === 0) groups.delete(key);
      else if (kept.length < group.errors.length)
        groups.set(key, { ...group, errors: kept, kind: undefined });
    }
  }

  /** Finds the places of records without blocking. */
  async function place(
    records: readonly LogRecord[],
    started: object,
    isWanted: (record: LogRecord, at: number) => boolean,
    take: (record: LogRecord, at: number, places: readonly Place[]) => void,
  ): Promise<void> {
    let budget: LookBudget = { left: mostLooks };
    let wasLong = false;
    for (const [index, record] of records.entries()) {
      if (index % largestPage === 0) budget = { left: mostLooks };
      const isLong = record.body.length > longBody || wasLong;
      wasLong = record.body.length > longBody;
      if (index > 0 && (isLong || index % atOnce === 0)) {
        await pause();
        if (life !== started) return;
      }
      const at = Date.parse(record.timestamp);
      if (Number.isNaN(at) || !isWanted(record, at)) continue;
      const found = finder.of(record, budget);
      const places = found instanceof Promise ? await found : found;
      if (life !== started) return;
      take(record, at, places);
    }
  }

  /** One after the other, so that a record that comes twice is added once. */
  function next(run: (started: object) => Promise<void>): Promise<void> {
    const started = life;
    const done = work.then(() => (life === started ? run(started) : undefined));
    work = done.catch(() => undefined);
    return done;
  }

  function empty(): void {
    groups.clear();
    ids.clear();
    all = [];
    isSorted = true;
    bytes = 0;
  }

  return {
    get size() {
      return all.length;
    },
    get begin() {
      return horizon;
    },
    get kinds() {
      return [...current()].map(([key, one]) => kindIn(one, key));
    },
    add: (records) =>
      next(async (started) => {
        const isNew = ({ eventId }: LogRecord, at: number): boolean =>
          at > horizon && !ids.has(eventId);
        await place(records, started, isNew, (record, at, places) =>
          insert({ record, at, places, bytes: recordSize(record) }, patterns.add(record.body)),
        );
        shorten(-Infinity);
      }),
    forgetBefore: (time) => shorten(time),
    compare(period, deploymentsOf) {
      const deployments = new Map<string, LastDeployment>();
      for (const [workloadId, seen] of seenDeployments(all)) {
        const last = lastDeployment(deploymentsOf(workloadId), seen);
        if (last !== undefined) deployments.set(workloadId, last);
      }
      for (const [key, group] of current()) {
        const kind = kindIn(group, key);
        const change = changeOf(group.errors, { ...period, deployments });
        if (change !== kind.change) group.kind = { ...kind, change };
      }
    },
    get isIncomplete() {
      return finder.isIncomplete;
    },
    locateAgain(which) {
      if (relocation !== undefined) {
        if (which === 'all') relocation.which = which;
        return relocation.done;
      }
      const done = next(async (started) => {
        finder.forget(relocation?.which ?? which);
        relocation = undefined;
        const places = new Map<LogRecord, readonly Place[]>();
        const isThere = (): boolean => true;
        await place(
          all.map(({ record }) => record),
          started,
          isThere,
          (record, _at, found) => void places.set(record, found),
        );
        if (life !== started) return;
        const before = [...groups.values()];
        empty();
        for (const { pattern, errors } of before) {
          for (const { record, at, places: old, bytes: size } of errors) {
            insert({ record, at, places: places.get(record) ?? old, bytes: size }, pattern);
          }
        }
      });
      relocation = { done, which };
      return done;
    },
    clear() {
      life = {};
      relocation = undefined;
      finder.forget('all');
      patterns = options.patterns ?? new Patterns();
      empty();
      horizon = -Infinity;
    },
  };
}

function kindIn(group: Group, key: string): ErrorKind {
  group.kind ??= kindOf(key, group.pattern.text, group.errors);
  return group.kind;
}
