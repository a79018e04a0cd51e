import {
  AnyMap,
  decodedMappings,
  originalPositionFor,
  LEAST_UPPER_BOUND,
  type TraceMap,
} from '@jridgewell/trace-mapping';

/** A place in a file. Line and column are from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column?: number | undefined;
}

/** What bundlers and compilers write, which may have a source map. */
const generated = /\.[cm]?js$/i;
/** The last comment that names a map counts. */
const reference = /^[ \t]*\/\/[#@][ \t]*sourceMappingURL=([^\s'"]{1,10000000})[ \t]*$/gm;
const inline = /^data:application\/json(?:;charset=[\w-]+)?(;base64)?,/i;
const scheme = /^[a-z][a-z\d+.-]*:/i;

/** Whether a file with this path may have been made from others. */
export function mayHaveSourceMap(path: string): boolean {
  return generated.test(path);
}

/** Where the map of a file is: its JSON in the file itself, or a path relative to the file. */
export type SourceMapReference = { readonly json: string } | { readonly path: string };

/**
 * Finds the map of a file. Maps of other hosts are not read: without a comment, or with a URL in it, the map is expected
 * beside the file.
 *
 * @param path of the file.
 * @param text of the file.
 */
export function sourceMapOf(path: string, text: string): SourceMapReference {
  const beside = { path: `${path.slice(path.lastIndexOf('/') + 1)}.map` };
  const url = [...text.matchAll(reference)].at(-1)?.[1];
  if (url === undefined) return beside;
  const [start, isEncoded] = inline.exec(url) ?? [];
  try {
    if (start === undefined) {
      return scheme.test(url) || url.startsWith('/') ? beside : { path: decodeURIComponent(url) };
    }
    const data = url.slice(start.length);
    return { json: isEncoded === undefined ? decodeURIComponent(data) : decoded(data) };
  } catch {
    return beside;
  }
}

function decoded(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** A place in the source that a file was made from, whose path is absolute, or has only the end of one. */
export interface OriginalPlace extends FilePlace {
  readonly path: string;
  readonly isAbsolute: boolean;
}

/** The places in the sources of a generated file. */
export class SourceMap {
  private readonly map: TraceMap;

  /**
   * @param json untrusted.
   * @param path that of the map, absolute: its sources are relative to it.
   * @throws if it is no source map.
   */
  constructor(json: string, path: string) {
    this.map = AnyMap(json, path);
    // Otherwise it would throw when a place is looked for.
    decodedMappings(this.map);
  }

  /** Undefined if the map does not say what was there. */
  originalOf({ line, column }: FilePlace): OriginalPlace | undefined {
    if (line < 1 || (column ?? 1) < 1) return undefined;
    const place = originalPositionFor(this.map, {
      line,
      column: (column ?? 1) - 1,
      // Without a column, the first place on the line.
      ...(column === undefined ? { bias: LEAST_UPPER_BOUND } : {}),
    });
    if (place.source === null) return undefined;
    // Bundlers name sources by URLs of their own, such as `webpack://app/./src/cart.ts?1a2b`.
    const [, bundled] = /^[a-z][a-z\d+.-]*:\/\/[^/]*\/([^?]*)/i.exec(place.source) ?? [];
    return {
      path: bundled ?? place.source,
      isAbsolute: bundled === undefined && place.source.startsWith('/'),
      line: place.line,
      column: column === undefined ? undefined : place.column + 1,
    };
  }
}
