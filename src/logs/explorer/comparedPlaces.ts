import { dotted, type Translate } from '../../base/textFormat';
import type { ErrorKind, ErrorSpot } from '../errors/errorKind';
import type { LineMapping } from '../../commits/lineMapping';
import { noteOf } from '../errors/markText';

interface PlacesOptions {
  /** The deployed commit that a spot belongs to; undefined if it is unknown. */
  readonly commitOf: (spot: ErrorSpot) => string | undefined;
  /** Where the lines of a file at a commit are now. @param file its URI as text. */
  readonly mappingOf: (file: string, sha: string | undefined) => Promise<LineMapping>;
  /** The path of a file as the user knows it. @param file its URI as text. */
  readonly pathOf: (file: string) => string;
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** The maximum number of lines of a kind. */
const mostPlaces = 3;
/** How many files are compared with their deployed text. The lines of others are as they came. */
const mostFiles = 100;

/**
 * The lines of the workspace that errors point at, as they are now, such as `src/cart.ts:9`, and why a line
 * may be another one.
 */
export async function comparedPlaces(
  kinds: readonly ErrorKind[],
  options: PlacesOptions,
): Promise<ReadonlyMap<ErrorKind, readonly string[]>> {
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

  async function placeOf(spot: ErrorSpot): Promise<string> {
    const sha = options.commitOf(spot);
    const { line, certainty } = (await mappingOf(spot.file, sha))(spot.line);
    const note = noteOf({ certainty, changedSince: sha }, options);
    return dotted([`${options.pathOf(spot.file)}:${line}`, note]);
  }

  const all = new Map<ErrorKind, readonly string[]>();
  for (const kind of kinds) {
    const places = new Set<string>();
    for (const spot of kind.spots) {
      if (places.size < mostPlaces) places.add(await placeOf(spot));
    }
    all.set(kind, [...places]);
  }
  return all;
}
