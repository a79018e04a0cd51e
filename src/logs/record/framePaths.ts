/** How far before a parenthesis its `at` may stand. */
const longestName = 256;

/** What ends a path to the left, beside white space, brackets and colons. */
const stops = /["'`<>|,;=*]/;
const whitespace = /\s/;

/** Whether the parenthesis belongs to a frame such as `at new Server (`. */
function followsAt(text: string, parenthesis: number): boolean {
  const before = ` ${text.slice(Math.max(0, parenthesis - longestName), parenthesis)}`;
  return /\sat\s/.test(before);
}

/** Where a scheme (`file://`) or drive (`C:\`) starts whose colon is at `colon`; else undefined. */
function rootStart(text: string, lowest: number, colon: number): number | undefined {
  if (text.startsWith('//', colon + 1)) {
    let start = colon;
    while (start > lowest && /[a-z+.-]/i.test(text.charAt(start - 1))) start--;
    return start;
  }
  const isDrive =
    colon > lowest &&
    /[a-z]/i.test(text.charAt(colon - 1)) &&
    /[\\/]/.test(text.charAt(colon + 1)) &&
    (colon - 1 === lowest || !/\w/.test(text.charAt(colon - 2)));
  if (!isDrive) return undefined;
  const file = 'file:///';
  const start = colon - 1 - file.length;
  return start >= lowest && text.startsWith(file, start) ? start : colon - 1;
}

interface Start {
  readonly start: number;
  /** An opening bracket that is not closed stands before the path. */
  readonly inBrackets: boolean;
}

function walkBack(text: string, lowest: number, end: number, withSpaces: boolean): Start {
  let depth = 0;
  for (let index = end - 1; index >= lowest; index--) {
    const character = text.charAt(index);
    if (character === ')' || character === ']') depth++;
    else if (character === '(' || character === '[') {
      if (depth === 0) return { start: index + 1, inBrackets: true };
      depth--;
    } else if (character === ':') {
      const start = rootStart(text, lowest, index) ?? index + 1;
      return { start, inBrackets: text[start - 1] === '(' };
    } else if (
      stops.test(character) ||
      (!withSpaces && whitespace.test(character)) ||
      // As in `handler@/app/server.js`; an `@` within a path has something else behind it.
      (character === '@' && text[index + 1] === '/')
    ) {
      return { start: index + 1, inBrackets: false };
    }
  }
  return { start: lowest, inBrackets: false };
}

/**
 * Where the path starts that ends at `colon`, not before `lowest`. Paths have no spaces, except
 * within the parentheses of a frame.
 *
 * @param end where the numbers behind the colon end.
 */
export function pathStart(text: string, lowest: number, colon: number, end: number): number {
  if (text[end] === ')') {
    const { start, inBrackets } = walkBack(text, lowest, colon, true);
    if (inBrackets && followsAt(text, start - 1)) return start;
  }
  return walkBack(text, lowest, colon, false).start;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path without scheme, host and query; what a bundler puts before it goes too. */
export function cleanPath(raw: string): string {
  const path = raw.replace(/\?[^\\/]*$/, '');
  const [root, scheme] = /^([a-z][a-z+.-]*):\/\/[^/]*/i.exec(path) ?? [];
  if (root === undefined) return path;
  const rest = path.slice(root.length);
  if (scheme === 'file') return decode(rest).replace(/^\/(?=[a-z]:[\\/])/i, '');
  if (scheme === 'http' || scheme === 'https') return decode(rest);
  return rest.replace(/^\/(?:\([^)]*\)\/|\[[^\]]*\]\/)?(?:\.\/)?/, '');
}

/**
 * Puts the package before the file's name, as in `com.example.web.Server.run(Server.java:12)`.
 *
 * @param start where the file's name starts.
 */
export function javaPath(text: string, lowest: number, start: number, file: string): string {
  if (text[start - 1] !== '(' || /[\\/]/.test(file)) return file;
  let from = start - 1;
  while (from > lowest && !whitespace.test(text.charAt(from - 1))) from--;
  // A class loader and a module may stand before the name: `app//`, `java.base/`.
  const name = text.slice(from, start - 1).replace(/^.*\//, '');
  const folders = name.split('.').slice(0, -2);
  return folders.every((folder) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(folder))
    ? [...folders, file].join('/')
    : file;
}
