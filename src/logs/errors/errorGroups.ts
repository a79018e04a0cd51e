import { largestPage } from '../../api/fetchPages';
import type { Deployment, LogRecord } from '../../api/types';
import { compareTimestamps } from '../../api/utcTime';
import { getOrMake } from '../../base/maps';
import type { CodePosition } from '../../trees/nodes';
import type { LookBudget } from '../record/pathMapping';
import { Patterns } from '../record/patterns';
import {
  containerKeyOf,
  entrySize,
  farthestPart,
  joinRecords,
  mayBeJoined,
  entryRecords,
} from '../record/joinRecords';
import { type RecordStyle, usualStyle } from '../record/recordStyle';
import { isErrorSeverity } from '../record/severity';
import { shownSeverity } from '../record/shownSeverity';
import {
  errorChangeOf,
  type ErrorBaseline,
  type LastDeployment,
  lastDeployment,
  seenDeployments,
} from './errorChange';
import {
  byTime,
  type ErrorKind,
  keyOfKind,
  kindOf,
  messageKeyOf,
  type PlacedError,
} from './errorKind';
import { PlaceFinder, type FindPlace } from './errorPlaces';

const defaultMost = { records: 20_000, bytes: 32 * 1024 * 1024 };
/** The number of records between two pauses: each may take a tenth of a millisecond. */
const atOnce = 25;
/** Before and after a longer body there is a pause, too. In UTF-16 units. */
const longBody = 20_000;
/** How many files may be looked for in a page of records: a hostile stack may consist of paths. */
const mostLooks = 2000;

interface Group {
  errors: PlacedError[];
  kind: ErrorKind | undefined;
}

/** The key of a kind of its own for what errors say; undefined: they are of the kind of their pattern. */
type OwnKeyOf = (message: string) => string | undefined;

/** Groups errors by kind as they arrive. Only the newest records within the bounds count. */
export class ErrorGroups {
  private patterns = new Patterns();
  /** By key, as long as no pattern changes, nor what is kept apart. */
  private groups = new Map<string, Group>();
  private changes = 0;
  private ownKeyOf: OwnKeyOf | undefined;
  private readonly finder: PlaceFinder;
  private readonly ids = new Set<string>();
  /** Oldest first if `isSorted`. */
  private all: PlacedError[] = [];
  private isSorted = true;
  private bytes = 0;
  /** Older records were removed, so that they must not come back. */
  private horizon = -Infinity;
  /** Changes with `clear`: what is still under way then has no effect. */
  private life = {};
  private work: Promise<unknown> = Promise.resolve();
  /** A search for files that has not begun, and for which. */
  private relocation: { readonly done: Promise<void>; which: 'all' | 'unknown' } | undefined;

  /**
   * @param pause lets other tasks run if it is time for that: called after every few records.
   * @param most the most records, and their estimated bytes. Default: 20,000 and 32 MiB.
   * @param style which severity makes a record an error, and whether several are one error; read whenever records come.
   */
  constructor(
    private readonly pause: () => Promise<void>,
    find: FindPlace,
    private readonly style: () => RecordStyle = usualStyle,
    private readonly most = defaultMost,
  ) {
    this.finder = new PlaceFinder(find);
  }

  /** How many records count. */
  get size(): number {
    return this.all.length;
  }

  /** Where the records begin because older ones were removed to make room; in milliseconds since 1970. */
  get begin(): number {
    return this.horizon;
  }

  /** The kinds, in no order; the same object as long as nothing in it changes. */
  get kinds(): readonly ErrorKind[] {
    return [...this.current()].map(([key, one]) => kindIn(one, key));
  }

  /** Whether a record can be an error because its body says so. */
  get readsBodies(): boolean {
    return this.style().severity === 'body';
  }

  /** Those of the records that are errors. */
  errorsOf(records: readonly LogRecord[]): readonly LogRecord[] {
    const { severity } = this.style();
    return records.filter((record) => isErrorSeverity(shownSeverity(record, severity)));
  }

  /** Adds the errors among records in any order; a known id is added once. Resolves when they are in `kinds`. */
  add(records: readonly LogRecord[]): Promise<void> {
    return this.next(async (started) => {
      const { severity: source, joinLines } = this.style();
      const isNew = ({ eventId }: LogRecord, at: number): boolean =>
        at > this.horizon && !this.ids.has(eventId);
      const errors = joinLines ? this.joined(this.errorsOf(records)) : this.errorsOf(records);
      await this.place(errors, started, isNew, (record, at, places) => {
        const pattern = this.patterns.add(record.body);
        const severity = shownSeverity(record, source);
        this.insert({ record, severity, at, places, pattern, bytes: entrySize(record) });
      });
      this.forgetBefore(-Infinity);
    });
  }

  /**
   * Removes the oldest records while they are before a time or beyond the bounds.
   *
   * @param from milliseconds since 1970.
   */
  forgetBefore(from: number): void {
    if (!this.isSorted) this.all.sort(byTime);
    this.isSorted = true;
    let left = 0;
    let { bytes } = this;
    for (const { at, bytes: size } of this.all) {
      const isWithin = this.all.length - left <= this.most.records && bytes <= this.most.bytes;
      // The newest stays, however large.
      if (at >= from && (isWithin || left === this.all.length - 1)) break;
      if (at >= from) this.horizon = Math.max(this.horizon, at);
      bytes -= size;
      left++;
    }
    if (left > 0) this.remove(new Set(this.all.slice(0, left)));
  }

  /** New errors as entries, with those from before that are part of them: these are removed. */
  private joined(errors: readonly LogRecord[]): readonly LogRecord[] {
    const ids = new Set<string>();
    const added = errors.filter(({ eventId }) => {
      const isNew = !this.ids.has(eventId) && !ids.has(eventId);
      ids.add(eventId);
      return isNew;
    });
    const near = this.near(added);
    if (near.length === 0) return joinRecords(added);
    this.remove(new Set(near));
    const before = near.flatMap(({ record }) => entryRecords(record));
    const isOlder = isEarlier(added[0], before[0]);
    const all = isOlder ? [...added, ...before] : [...before, ...added];
    return joinRecords(all.sort((a, b) => compareTimestamps(a.timestamp, b.timestamp)));
  }

  /** The errors from before that may be one with others. */
  private near(added: readonly LogRecord[]): readonly PlacedError[] {
    let [from, to] = [Infinity, -Infinity];
    for (const { timestamp } of added) {
      const at = Date.parse(timestamp);
      from = Math.min(from, at - farthestPart);
      to = Math.max(to, at + farthestPart);
    }
    const inTime = this.all.filter(({ at }) => at >= from && at <= to);
    if (inTime.length === 0) return [];
    const containers = new Set(added.map(containerKeyOf));
    const beside = inTime.filter(({ record }) => containers.has(containerKeyOf(record)));
    // What is between two records of a container parts them.
    return beside.some(({ record }) => mayBeJoined(record)) ? beside : [];
  }

  private remove(gone: ReadonlySet<PlacedError>): void {
    for (const { record, bytes } of gone) {
      this.bytes -= bytes;
      for (const { eventId } of entryRecords(record)) this.ids.delete(eventId);
    }
    this.all = this.all.filter((error) => !gone.has(error));
    for (const [key, group] of this.groups) {
      const kept = group.errors.filter((error) => !gone.has(error));
      if (kept.length === 0) this.groups.delete(key);
      else if (kept.length < group.errors.length)
        this.groups.set(key, { ...group, errors: kept, kind: undefined });
    }
  }

  /**
   * Sets how the kinds changed with the last deployment of their workloads.
   *
   * @param deploymentsOf returns the known deployments of a workload, in any order.
   */
  compare(
    period: Pick<ErrorBaseline, 'since' | 'now'>,
    deploymentsOf: (workloadId: string) => readonly Deployment[],
  ): void {
    this.compareWith(period, (id, seen) => lastDeployment(deploymentsOf(id), seen));
  }

  /**
   * Sets how the kinds changed with a deployment of each of their workloads.
   *
   * @param deploymentOf returns that of a workload; `seen` has when a record of each was first seen, by id.
   */
  compareWith(
    period: Pick<ErrorBaseline, 'since' | 'now'>,
    deploymentOf: (
      workloadId: string,
      seen: ReadonlyMap<string, number>,
    ) => LastDeployment | undefined,
  ): void {
    const deployments = new Map<string, LastDeployment>();
    for (const [workloadId, seen] of seenDeployments(this.all)) {
      const last = deploymentOf(workloadId, seen);
      if (last !== undefined) deployments.set(workloadId, last);
    }
    for (const [key, group] of this.current()) {
      const kind = kindIn(group, key);
      const change = errorChangeOf(group.errors, { ...period, deployments });
      if (change !== kind.change) group.kind = { ...kind, change };
    }
  }

  /**
   * Keeps errors apart from others of their pattern, by what they say.
   *
   * @param ownKeyOf returns the same for the same; undefined: nothing is kept apart.
   */
  keepApart(ownKeyOf: OwnKeyOf | undefined): void {
    this.ownKeyOf = ownKeyOf;
    this.regroup();
  }

  /** Whether there are files that were not looked for, because there were too many. */
  get isIncomplete(): boolean {
    return this.finder.isIncomplete;
  }

  /**
   * Finds files again, once for all changes before it begins: all because files or settings changed, or those
   * that were not looked for.
   */
  locateAgain(which: 'all' | 'unknown'): Promise<void> {
    if (this.relocation !== undefined) {
      if (which === 'all') this.relocation.which = which;
      return this.relocation.done;
    }
    const done = this.next(async (started) => {
      this.finder.forget(this.relocation?.which ?? which);
      this.relocation = undefined;
      const places = new Map<LogRecord, readonly CodePosition[]>();
      const isThere = (): boolean => true;
      await this.place(
        this.all.map(({ record }) => record),
        started,
        isThere,
        (record, _at, found) => void places.set(record, found),
      );
      if (this.life !== started) return;
      const before = this.all;
      this.empty();
      for (const error of before) {
        this.insert({ ...error, places: places.get(error.record) ?? error.places });
      }
    });
    this.relocation = { done, which };
    return done;
  }

  clear(): void {
    this.life = {};
    this.relocation = undefined;
    this.finder.forget('all');
    this.patterns = new Patterns();
    this.empty();
    this.horizon = -Infinity;
  }

  private insert(error: PlacedError): void {
    const group = getOrMake(this.groups, this.keyOf(error), newGroup);
    group.errors.push(error);
    group.kind = undefined;
    const last = this.all.at(-1);
    if (last !== undefined && last.at > error.at) this.isSorted = false;
    this.all.push(error);
    for (const { eventId } of entryRecords(error.record)) this.ids.add(eventId);
    this.bytes += error.bytes;
  }

  private keyOf(error: PlacedError): string {
    const own = this.ownKeyOf?.(messageKeyOf(error));
    return own ?? keyOfKind(error.pattern.key, error.places[0]?.file);
  }

  /** The groups by key: those whose patterns became one are one. */
  private current(): ReadonlyMap<string, Group> {
    if (this.changes !== this.patterns.changes) this.regroup();
    return this.groups;
  }

  private regroup(): void {
    ({ changes: this.changes } = this.patterns);
    const before = this.groups;
    this.groups = new Map();
    for (const { errors } of before.values()) {
      for (const error of errors)
        getOrMake(this.groups, this.keyOf(error), newGroup).errors.push(error);
    }
    for (const [key, { errors, kind }] of before) {
      const now = this.groups.get(key);
      const isSame =
        now?.errors.length === errors.length && now.errors.every((one, at) => one === errors[at]);
      if (isSame && errors[0]?.pattern.text === kind?.template) now.kind = kind;
    }
  }

  /** Finds the places of records without blocking. */
  private async place(
    records: readonly LogRecord[],
    started: object,
    isWanted: (record: LogRecord, at: number) => boolean,
    visit: (record: LogRecord, at: number, places: readonly CodePosition[]) => void,
  ): Promise<void> {
    let budget: LookBudget = { left: mostLooks };
    let wasLong = false;
    for (const [index, record] of records.entries()) {
      if (index % largestPage === 0) budget = { left: mostLooks };
      const isLong = record.body.length > longBody || wasLong;
      wasLong = record.body.length > longBody;
      if (index > 0 && (isLong || index % atOnce === 0)) {
        await this.pause();
        if (this.life !== started) return;
      }
      const at = Date.parse(record.timestamp);
      if (Number.isNaN(at) || !isWanted(record, at)) continue;
      const found = this.finder.of(record, budget);
      const places = found instanceof Promise ? await found : found;
      if (this.life !== started) return;
      visit(record, at, places);
    }
  }

  /** One after the other, so that a record that comes twice is added once. */
  private next(run: (started: object) => Promise<void>): Promise<void> {
    const started = this.life;
    const done = this.work.then(() => (this.life === started ? run(started) : undefined));
    this.work = done.catch(() => undefined);
    return done;
  }

  private empty(): void {
    this.groups.clear();
    this.ids.clear();
    this.all = [];
    this.isSorted = true;
    this.bytes = 0;
  }
}

function isEarlier(a: LogRecord | undefined, b: LogRecord | undefined): boolean {
  return compareTimestamps(a?.timestamp ?? '', b?.timestamp ?? '') < 0;
}

function newGroup(): Group {
  return { errors: [], kind: undefined };
}

function kindIn(group: Group, key: string): ErrorKind {
  group.kind ??= kindOf(key, group.errors);
  return group.kind;
}
