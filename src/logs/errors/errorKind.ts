import type { LogRecord, Severity } from '../../api/types';
import { compareTimestamps } from '../../api/utcTime';
import { getOrMake } from '../../base/maps';
import { isBlank } from '../../base/textFormat';
import { shortId } from '../../data/targets';
import type { CodePosition } from '../../trees/nodes';
import { headline } from '../record/messageSlots';
import { PatternLookup } from '../record/patterns';
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

/** How the frequency of a kind differs from the time before the newest deployment of its workloads. */
export type ErrorChange = 'new' | 'more' | 'gone';

/**
 * Errors with the same pattern and the same first file of the workspace in their stack. The line is
 * no part of it, because it moves from one deployment to the next.
 */
export interface ErrorKind {
  /**
   * The same in every window and after a reload, unless the pattern becomes more general: `KindLookup` finds it
   * then, too.
   */
  readonly key: string;
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
  /** Frames in the workspace: those of the first frame first, then by count. */
  readonly spots: readonly ErrorSpot[];
  readonly change: ErrorChange | undefined;
}

/** The key of a kind. @param file that of the innermost place; undefined if there is none. */
export function keyOfKind(template: string, file: string | undefined): string {
  return `${template}\n${file ?? ''}`;
}

/** Finds kinds, or what has their keys, although a pattern has become more general in the meantime. */
export class KindLookup<T extends { readonly key: string }> {
  private readonly byFile = new Map<string, PatternLookup<T>>();

  constructor(items: Iterable<T>) {
    for (const item of items) {
      const [template, file] = partsOfKey(item.key);
      getOrMake(this.byFile, file, () => new PatternLookup<T>()).add(template, item);
    }
  }

  /** Those that are the same kind, in the order in which they were given. */
  of(key: string): readonly T[] {
    const [template, file] = partsOfKey(key);
    return this.byFile.get(file)?.of(template) ?? [];
  }

  has(key: string): boolean {
    return this.of(key).length > 0;
  }
}

/** A pattern has one line. */
function partsOfKey(key: string): readonly [template: string, file: string] {
  const end = key.lastIndexOf('\n');
  return [key.slice(0, Math.max(0, end)), key.slice(end + 1)];
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
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Innermost first. */
  readonly places: readonly CodePosition[];
  /** An estimate. */
  readonly bytes: number;
}

/** The oldest first. Timestamps can be more exact than milliseconds. */
export function byTime(one: PlacedError, other: PlacedError): number {
  return one.at - other.at || compareTimestamps(one.record.timestamp, other.record.timestamp);
}

/** How many records and spots a kind shows. */
const mostRecords = 5;
const mostSpots = 200;

/** What errors of one kind have in common. @param errors at least one, in any order. */
export function kindOf(key: string, template: string, errors: PlacedError[]): ErrorKind {
  errors.sort(byTime);
  const [first] = errors;
  const last = errors.at(-1);
  if (first === undefined || last === undefined) throw new Error('A kind has at least one error.');
  let { severity } = first.record;
  const workloads = new Map<string, CountedItem>();
  const deployments = new Map<string, CountedItem>();
  /** By their places, which are the same object for the same stack, and by deployment. */
  const stacks = new Map<readonly CodePosition[], Map<string | null, PlacedError[]>>();
  for (const error of errors) {
    const { deploymentId } = error.record;
    if (isWorse(error.record.severity, severity)) ({ severity } = error.record);
    if (error.places.length === 0) continue;
    const stack = getOrMake(stacks, error.places, () => new Map<string | null, PlacedError[]>());
    getOrMake(stack, deploymentId, () => []).push(error);
  }
  // From the newest, so that items are in this order and have their latest names.
  for (const { record } of [...errors].reverse()) {
    const name = workloadOf(record);
    count(workloads, record.workloadId, name);
    if (record.deploymentId !== null) count(deployments, record.deploymentId, name);
  }
  return {
    key,
    template,
    severity,
    count: errors.length,
    first: first.record,
    last: last.record,
    records: errors
      .slice(-mostRecords)
      .reverse()
      .map(({ record }) => record),
    workloads: [...workloads.values()].reverse().sort((one, other) => other.count - one.count),
    deployments: [...deployments.values()],
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
    (one, other) => Number(inner.has(other)) - Number(inner.has(one)) || other.count - one.count,
  );
}

type Changing<T> = { -readonly [Member in keyof T]: T[Member] };

/** Counts an item. Its name is the first one. */
function count(items: Map<string, Changing<CountedItem>>, id: string, name: string): void {
  getOrMake(items, id, () => ({ id, name, count: 0 })).count++;
}
