import { timeOf } from '../../base/timeFormat';
import type { ErrorKind, ErrorSpot } from './errorKind';
import type { MappedLine } from '../../commits/lineMapping';

/** A kind of error with one of the places that it points at. */
export interface SpottedKind {
  readonly kind: ErrorKind;
  readonly spot: ErrorSpot;
}

/** Where a line of a deployed file is now. */
export interface SpotPlace extends MappedLine {
  /** The deployed commit; undefined if it is unknown. */
  readonly sha: string | undefined;
}

/** The errors of one kind that point at a line. */
export interface MarkedKind {
  readonly kind: ErrorKind;
  /** How many of its records point at this line. */
  readonly count: number;
  /** ISO UTC. */
  readonly lastSeen: string;
  /** The places in deployed files that are this line now, the latest first. */
  readonly spots: readonly (ErrorSpot & Pick<SpotPlace, 'sha'>)[];
}

/** The errors that point at a line of the text now. */
export interface LineMark {
  /** Counted from 1. */
  readonly line: number;
  /** The most frequent first; never empty. */
  readonly kinds: readonly MarkedKind[];
  /** The best that is known of any of the places. */
  readonly certainty: MappedLine['certainty'];
  /** The latest deployed commit from which the line differs, if it is `changed`. */
  readonly changedSince: string | undefined;
}

/** The most marks of a file; those of the most frequent errors are shown. */
const mostMarks = 500;

const ranks: Readonly<Record<MappedLine['certainty'], number>> = {
  same: 2,
  changed: 1,
  unknown: 0,
};

/**
 * The marks of a file, in the order of its lines.
 *
 * @param spotted what points at the file.
 * @param placeOf undefined while that is not known yet: such a spot has no mark.
 */
export function lineMarks(
  spotted: readonly SpottedKind[],
  placeOf: (spot: ErrorSpot) => SpotPlace | undefined,
): LineMark[] {
  const lines = new Map<number, Placed[]>();
  for (const one of spotted) {
    const place = placeOf(one.spot);
    if (place === undefined) continue;
    const there = lines.get(place.line);
    if (there === undefined) lines.set(place.line, [{ ...one, place }]);
    else there.push({ ...one, place });
  }
  return [...lines]
    .map(([line, placed]) => markOf(line, placed))
    .sort((one, other) => countOf(other) - countOf(one))
    .slice(0, mostMarks)
    .sort((one, other) => one.line - other.line);
}

/** How many errors point at a line. */
export function countOf({ kinds }: LineMark): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

interface Placed extends SpottedKind {
  readonly place: SpotPlace;
}

function markOf(line: number, placed: readonly Placed[]): LineMark {
  const latestFirst = [...placed].sort(
    (one, other) => (timeOf(other.spot.lastSeen) ?? 0) - (timeOf(one.spot.lastSeen) ?? 0),
  );
  const best = Math.max(...placed.map(({ place }) => ranks[place.certainty]));
  const known = latestFirst.find(({ place }) => ranks[place.certainty] === best)?.place;
  const kinds = new Map<ErrorKind, Placed[]>();
  for (const one of latestFirst) {
    const there = kinds.get(one.kind);
    if (there === undefined) kinds.set(one.kind, [one]);
    else there.push(one);
  }
  return {
    line,
    kinds: [...kinds]
      .map(([kind, those]) => markedKind(kind, those))
      .sort((one, other) => other.count - one.count),
    certainty: known?.certainty ?? 'unknown',
    changedSince: known?.certainty === 'changed' ? known.sha : undefined,
  };
}

/** @param placed the latest first. */
function markedKind(kind: ErrorKind, placed: readonly Placed[]): MarkedKind {
  return {
    kind,
    count: placed.reduce((sum, { spot }) => sum + spot.count, 0),
    lastSeen: placed[0]?.spot.lastSeen ?? '',
    spots: placed.map(({ spot, place: { sha } }) => ({ ...spot, sha })),
  };
}

/**
 * The mark to go to from a line: the next one after it or before it, and around the ends of the file.
 *
 * @param marks in the order of their lines.
 */
export function neighborOf(
  marks: readonly LineMark[],
  from: number,
  direction: 'next' | 'previous',
): LineMark | undefined {
  return direction === 'next'
    ? (marks.find(({ line }) => line > from) ?? marks[0])
    : ([...marks].reverse().find(({ line }) => line < from) ?? marks.at(-1));
}
