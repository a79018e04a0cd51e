import { dotted, type Translate } from '../../base/textFormat';
import type { ErrorSpot } from '../errors/errorKind';
import type { LineMapping } from '../../commits/lineMapping';
import { noteOf } from '../errors/markText';

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
