import type { LogRecord } from '../../api/types';
import { gravity } from '../explorer/summary';
import type { CountedItem, ErrorKind, ErrorSpot } from './errorKind';

/** A line of the workspace in the stack of a record. */
export interface Place {
  /** The URI of the file as text. */
  readonly file: string;
  /** From 1, as in the frame. */
  readonly line: number;
  readonly column?: number;
}

/** An error with what groups it. */
export interface PlacedError {
  readonly record: LogRecord;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly template: string;
  /** Innermost first. */
  readonly places: readonly Place[];
  /** An estimate. */
  readonly bytes: number;
}

/** How many records and spots a kind shows. */
const mostRecords = 5;
const mostSpots = 200;

/** What errors of one kind have in common. @param errors at least one, in any order. */
export function kindOf(key: string, errors: PlacedError[]): ErrorKind {
  errors.sort((one, other) => one.at - other.at);
  const [first] = errors;
  const last = errors.at(-1);
  if (first === undefined || last === undefined) throw new Error('A kind has at least one error.');
  let { severity } = first.record;
  const workloads = createCounts();
  const deployments = createCounts();
  const spots = new Map<string, Changing<ErrorSpot>>();
  const inner = new Set<ErrorSpot>();
  for (const { record, places } of errors) {
    const { workloadId, workloadName, deploymentId, timestamp } = record;
    if (gravity.indexOf(record.severity) < gravity.indexOf(severity)) severity = record.severity;
    const name = workloadName || record.service;
    workloads.add(workloadId, name);
    if (deploymentId !== null) deployments.add(deploymentId, name);
    for (const [depth, { file, line, column }] of places.entries()) {
      const id = `${file}\n${line}\n${column ?? ''}\n${deploymentId ?? ''}\n${workloadId}`;
      let spot = spots.get(id);
      if (spot === undefined) {
        if (spots.size >= mostSpots) continue;
        const where = { file, line, ...(column === undefined ? {} : { column }) };
        spot = { ...where, deploymentId, workloadId, count: 0, lastSeen: timestamp };
        spots.set(id, spot);
      }
      spot.count++;
      spot.lastSeen = timestamp;
      if (depth === 0) inner.add(spot);
    }
  }
  return {
    key,
    template: first.template,
    severity,
    count: errors.length,
    first: first.record,
    last: last.record,
    records: errors
      .slice(-mostRecords)
      .reverse()
      .map(({ record }) => record),
    workloads: workloads.mostFirst(),
    deployments: deployments.newestFirst(),
    spots: [...spots.values()].sort(
      (one, other) => Number(inner.has(other)) - Number(inner.has(one)) || other.count - one.count,
    ),
    change: undefined,
  };
}

type Changing<T> = { -readonly [Member in keyof T]: T[Member] };

interface Counts {
  /** Counts an item with its latest name. */
  add(id: string, name: string): void;
  mostFirst(): readonly CountedItem[];
  /** Those that were counted last come first. */
  newestFirst(): readonly CountedItem[];
}

function createCounts(): Counts {
  const items = new Map<string, CountedItem>();
  return {
    add(id, name) {
      const count = (items.get(id)?.count ?? 0) + 1;
      // Moved to the end: a map keeps its order.
      items.delete(id);
      items.set(id, { id, name, count });
    },
    mostFirst: () => [...items.values()].sort((one, other) => other.count - one.count),
    newestFirst: () => [...items.values()].reverse(),
  };
}
