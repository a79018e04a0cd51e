import type { Clock } from '../../api/clock';
import type { LogRecord } from '../../api/types';
import { templateOf } from '../explorer/patterns';
import type { LookBudget } from '../record/pathMapping';
import { recordSize } from '../record/recordSize';
import { createFrameReader, type ErrorFrame } from './errorFrames';
import type { ErrorKind } from './errorKind';
import { kindOf, type PlacedError, type Place } from './placedError';

interface ErrorGroupsOptions {
  readonly clock: Clock;
  /** Lets other tasks run. */
  readonly pause: () => Promise<void>;
  /** The URI of the file in the workspace that the path of a frame means; undefined if there is none. */
  readonly find: (path: string, budget: LookBudget) => Promise<string | undefined>;
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
  /** Finds all files again, because files or settings changed. */
  locateAgain(): Promise<void>;
  clear(): void;
}

const defaultMost = { records: 20_000, bytes: 32 * 1024 * 1024 };
/** Milliseconds of work before other work gets its turn, and how many records until a look at the clock. */
const sliceTime = 8;
const atOnce = 25;
/** How many files may be looked for in one slice: a hostile stack may consist of paths. */
const mostLooks = 2000;
/** How many of the innermost frames are looked at, and how many of those in the workspace count. */
const deepest = 30;
const mostPlaces = 8;
/** Stacks repeat few paths. Beyond this they are forgotten. */
const mostPaths = 5000;

interface Group {
  errors: PlacedError[];
  kind: ErrorKind | undefined;
}

export function createErrorGroups(options: ErrorGroupsOptions): ErrorGroups {
  const { clock, pause, find, most = defaultMost } = options;
  const groups = new Map<string, Group>();
  const framesOf = createFrameReader();
  const files = new Map<string, string | undefined>();
  /** By the frames of a stack, which are the same object for the same stack. */
  let placesByStack = new WeakMap<readonly ErrorFrame[], readonly Place[]>();
  const ids = new Set<string>();
  /** Oldest first, except for those at the end after `sorted`. */
  let all: PlacedError[] = [];
  let isSorted = true;
  let bytes = 0;
  /** Older records were removed, so that they must not come back. */
  let horizon = -Infinity;
  /** Changes with `clear`: what is still under way then has no effect. */
  let life = {};
  let work: Promise<unknown> = Promise.resolve();

  function insert(record: LogRecord, at: number, places: readonly Place[]): void {
    const template = templateOf(record);
    const error: PlacedError = { record, at, template, places, bytes: recordSize(record) };
    const last = all.at(-1);
    if (last !== undefined && last.at > at) isSorted = false;
    all.push(error);
    bytes += error.bytes;
    const key = `${template}\n${places[0]?.file ?? ''}`;
    const group = groups.get(key) ?? { errors: [], kind: undefined };
    groups.set(key, group);
    group.errors.push(error);
    group.kind = undefined;
  }

  /** Removes the oldest records while they are before a time or beyond the bounds. */
  function shorten(from: number): void {
    if (!isSorted) all.sort((one, other) => one.at - other.at);
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
        groups.set(key, { errors: kept, kind: undefined });
    }
  }

  /** The frames in the workspace; undefined if a file was not looked for yet. */
  function knownPlaces(frames: readonly ErrorFrame[]): readonly Place[] | undefined {
    const known = placesByStack.get(frames);
    if (known !== undefined) return known;
    const places: Place[] = [];
    for (const { path, line, column } of frames.slice(0, deepest)) {
      const file = files.get(path);
      if (file === undefined && !files.has(path)) return undefined;
      if (file === undefined) continue;
      // A recursive function is in a stack many times.
      if (places.some((one) => one.file === file && one.line === line)) continue;
      places.push({ file, line, ...(column === undefined ? {} : { column }) });
      if (places.length >= mostPlaces) break;
    }
    placesByStack.set(frames, places);
    return places;
  }

  async function findFiles(frames: readonly ErrorFrame[], budget: LookBudget): Promise<void> {
    for (const { path } of frames.slice(0, deepest)) {
      if (files.has(path)) continue;
      const file = await find(path, budget);
      if (files.size >= mostPaths) files.clear();
      files.set(path, file);
    }
  }

  async function group(records: readonly LogRecord[], started: object): Promise<void> {
    let start = clock.monotonic();
    let budget: LookBudget = { left: mostLooks };
    for (const [index, record] of records.entries()) {
      if (index % atOnce === 0 && clock.monotonic() - start > sliceTime) {
        await pause();
        if (life !== started) return;
        start = clock.monotonic();
        budget = { left: mostLooks };
      }
      const at = Date.parse(record.timestamp);
      if (ids.has(record.eventId) || !(at > horizon)) continue;
      const frames = framesOf(record);
      let places = knownPlaces(frames);
      if (places === undefined) {
        await findFiles(frames, budget);
        if (life !== started) return;
        places = knownPlaces(frames) ?? [];
      }
      ids.add(record.eventId);
      insert(record, at, places);
    }
    shorten(-Infinity);
  }

  /** One after the other, so that a record that comes twice is added once. */
  function next(run: (started: object) => Promise<void>): Promise<void> {
    const started = life;
    const done = work.then(() => (life === started ? run(started) : undefined));
    work = done.catch(() => undefined);
    return done;
  }

  function forgetFiles(): void {
    files.clear();
    placesByStack = new WeakMap();
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
      return [...groups].map(([key, one]) => (one.kind ??= kindOf(key, one.errors)));
    },
    add: (records) => next((started) => group(records, started)),
    forgetBefore: (time) => shorten(time),
    locateAgain: () =>
      next((started) => {
        const records = all.map(({ record }) => record);
        forgetFiles();
        empty();
        return group(records, started);
      }),
    clear() {
      life = {};
      forgetFiles();
      empty();
      horizon = -Infinity;
    },
  };
}
