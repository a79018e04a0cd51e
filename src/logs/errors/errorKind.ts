import type { LogRecord, Severity } from '../../api/types';
import { compareTimestamps } from '../../api/utcTime';
import { getOrMake } from '../../base/maps';
import { isBlank } from '../../base/textFormat';
import { shortId } from '../../data/targets';
import type { CodePosition } from '../../trees/nodes';
import { headline } from '../record/headline';
import { type Pattern, PatternLookup } from '../record/patterns';
import { bodyText } from '../record/readableBody';
import { isWorse } from '../record/severity';

/** A position that records of a kind point at: in the file as it was deployed. */
export interface ErrorSpot extends CodePosition {
  /** Null if the records have no deployment. */
  readonly deploymentId: string | null;
  readonly workloadId: string;
  readonly count: number;
  /** ISO UTC. */
  readonly lastSeen: string;
}

/** An id with its name and how many records it has. */
export interface CountedItem {
  readonly id: string;
  /** Untrusted. */
  readonly name: string;
  readonly count: number;
}

/** Errors of a kind that one deployment of a workload wrote. */
export interface ErrorRun {
  readonly workloadId: string;
  /** Null if the records have no deployment. */
  readonly deploymentId: string | null;
  readonly isPreview: boolean;
  /** The time of the newest record, in milliseconds since 1970. */
  readonly last: number;
}

/** How the frequency of a kind differs from the time before the newest deployment of its workloads. */
export type ErrorChange = 'new' | 'more' | 'gone';

/**
 * Errors with the same pattern and the same first file of the workspace in their stack. The line is
 * no part of it, because it moves from one deployment to the next.
 */
export interface ErrorKind {
  /** The same in every window and after a reload, unless the pattern becomes more general. See `keyOfKind`. */
  readonly key: string;
  /** The keys of what its records say, each as if it were a kind of its own: these never change. Newest first. */
  readonly messages: readonly string[];
  /** The text of its pattern: untrusted, one line. */
  readonly template: string;
  /** The most severe of its records. */
  readonly severity: Severity;
  readonly count: number;
  readonly first: LogRecord;
  readonly last: LogRecord;
  /** A few of the newest records, newest first. */
  readonly records: readonly LogRecord[];
  /** The most frequent first. */
  readonly workloads: readonly CountedItem[];
  /** The newest first. `name` is the name of the workload. */
  readonly deployments: readonly CountedItem[];
  /** The newest first. */
  readonly runs: readonly ErrorRun[];
  /** Frames in the workspace: those of the first frame first, then by count. */
  readonly spots: readonly ErrorSpot[];
  readonly change: ErrorChange | undefined;
}

/**
 * The key of a kind.
 *
 * @param pattern the key of its pattern.
 * @param file that of the innermost place; undefined if there is none.
 */
export function keyOfKind(pattern: string, file: string | undefined): string {
  return `${pattern}\n${file ?? ''}`;
}

/** Whether a stored text is the key of a kind: what earlier versions stored was what messages say. */
export function isKeyOfKind(key: string): boolean {
  return key.startsWith('\t') && key.includes('\n');
}

/** Finds kinds, or what has their keys, by what errors say. */
export class KindLookup<T> {
  private readonly byFile = new Map<string, PatternLookup<T>>();

  /** @param keysOf returns the keys of an item: of kinds, or of what errors say. */
  constructor(items: Iterable<T>, keysOf: (item: T) => readonly string[]) {
    for (const item of items) {
      for (const key of keysOf(item)) {
        const { pattern, file } = partsOfKey(key);
        getOrMake(this.byFile, file, () => new PatternLookup<T>()).add(pattern, item);
      }
    }
  }

  /** Those that cover a kind, or what errors say, in the order in which they were given. */
  of(key: string): readonly T[] {
    const { pattern, file } = partsOfKey(key);
    return this.byFile.get(file)?.of(pattern) ?? [];
  }
}

/** The kind that a key is of, although its pattern may have become more general since. */
export function kindWithKey(kinds: readonly ErrorKind[], key: string): ErrorKind | undefined {
  const lookup = new KindLookup([key], (one) => [one]);
  return (
    kinds.find((kind) => kind.key === key) ??
    kinds.find(({ messages }) => messages.some((message) => lookup.of(message).length > 0))
  );
}

/** A pattern has one line. */
function partsOfKey(key: string): { readonly pattern: string; readonly file: string } {
  const end = key.lastIndexOf('\n');
  return { pattern: key.slice(0, Math.max(0, end)), file: key.slice(end + 1) };
}

const titles = new WeakMap<LogRecord, string>();
/** In UTF-16 units. */
const longestTitle = 500;

/** What the newest record of a kind says, on one line. Untrusted. */
export function titleOf({ last }: Pick<ErrorKind, 'last'>): string {
  const read = (): string => headline(bodyText(last, 'readable')).slice(0, longestTitle);
  return getOrMake(titles, last, read);
}

/** An error with what groups it. */
export interface PlacedError {
  readonly record: LogRecord;
  readonly severity: Severity;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Innermost first. */
  readonly places: readonly CodePosition[];
  readonly pattern: Pattern;
  /** An estimate. */
  readonly bytes: number;
}

/** The oldest first. Timestamps can be more exact than milliseconds. */
export function byTime(a: PlacedError, b: PlacedError): number {
  return a.at - b.at || compareTimestamps(a.record.timestamp, b.record.timestamp);
}

/** How many records and spots a kind shows. */
const mostRecords = 5;
const mostSpots = 200;

/** What an error says, as a key that never changes. */
export function messageKeyOf({ pattern, places }: Pick<PlacedError, 'pattern' | 'places'>): string {
  return keyOfKind(pattern.messageKey, places[0]?.file);
}

/** What errors of one kind have in common. @param errors at least one, in any order, of one file. */
export function kindOf(key: string, errors: PlacedError[]): ErrorKind {
  errors.sort(byTime);
  const [first] = errors;
  const last = errors.at(-1);
  if (first === undefined || last === undefined) throw new Error('A kind has at least one error.');
  let { severity } = first;
  const workloads = new Map<string, CountedItem>();
  const deployments = new Map<string, CountedItem>();
  /** By their places, which are the same object for the same stack, and by deployment. */
  const stacks = new Map<readonly CodePosition[], Map<string | null, PlacedError[]>>();
  for (const error of errors) {
    const { deploymentId } = error.record;
    if (isWorse(error.severity, severity)) ({ severity } = error);
    if (error.places.length === 0) continue;
    const stack = getOrMake(stacks, error.places, () => new Map<string | null, PlacedError[]>());
    getOrMake(stack, deploymentId, () => []).push(error);
  }
  const runs = new Map<string, ErrorRun>();
  const patterns = new Set<Pattern>();
  // From the newest, so that items are in this order and have their latest names.
  for (const { record, at, pattern } of [...errors].reverse()) {
    const { workloadId, deploymentId } = record;
    const name = workloadOf(record);
    count(workloads, workloadId, name);
    if (deploymentId !== null) count(deployments, deploymentId, name);
    const isPreview = record.previewId !== null;
    const run = `${workloadId}\n${deploymentId ?? ''}\n${isPreview}`;
    getOrMake(runs, run, () => ({ workloadId, deploymentId, isPreview, last: at }));
    patterns.add(pattern);
  }
  return {
    key,
    messages: [...patterns].map((pattern) => messageKeyOf({ pattern, places: first.places })),
    template: first.pattern.text,
    severity,
    count: errors.length,
    first: first.record,
    last: last.record,
    records: errors
      .slice(-mostRecords)
      .reverse()
      .map(({ record }) => record),
    workloads: [...workloads.values()].reverse().sort((a, b) => b.count - a.count),
    deployments: [...deployments.values()],
    runs: [...runs.values()],
    spots: spotsOf([...stacks.values()].flatMap((stack) => [...stack.values()])),
    change: undefined,
  };
}

/** The name of the workload of a record. As in the channel, `-` if nothing says what it is. Never blank. */
function workloadOf({ workloadName, service, workloadId }: LogRecord): string {
  return [workloadName, service, shortId(workloadId)].find((name) => !isBlank(name)) ?? '-';
}

/** The places of errors. @param groups errors with the same places and deployment, oldest first. */
function spotsOf(groups: readonly (readonly PlacedError[])[]): readonly ErrorSpot[] {
  const spots = new Map<string, Changing<ErrorSpot>>();
  const inner = new Set<ErrorSpot>();
  for (const group of groups) {
    const last = group.at(-1);
    if (last === undefined) continue;
    const { workloadId, deploymentId, timestamp } = last.record;
    for (const [depth, { file, line, column }] of last.places.entries()) {
      const id = `${file}\n${line}\n${column ?? ''}\n${deploymentId ?? ''}\n${workloadId}`;
      let spot = spots.get(id);
      if (spot === undefined) {
        if (spots.size >= mostSpots) continue;
        const where = { file, line, ...(column === undefined ? {} : { column }) };
        spot = { ...where, deploymentId, workloadId, count: 0, lastSeen: timestamp };
        spots.set(id, spot);
      }
      spot.count += group.length;
      if (Date.parse(timestamp) > Date.parse(spot.lastSeen)) spot.lastSeen = timestamp;
      if (depth === 0) inner.add(spot);
    }
  }
  return [...spots.values()].sort(
    (a, b) => Number(inner.has(b)) - Number(inner.has(a)) || b.count - a.count,
  );
}

type Changing<T> = { -readonly [Member in keyof T]: T[Member] };

/** Counts an item. Its name is the first one. */
function count(items: Map<string, Changing<CountedItem>>, id: string, name: string): void {
  getOrMake(items, id, () => ({ id, name, count: 0 })).count++;
}
