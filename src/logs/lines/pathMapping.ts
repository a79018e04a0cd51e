/** How many folders of an absolute path are kept at most: what is deeper is no checkout's layout. */
const deepest = 12;

/** Where the code of others lives: the end of such a path names one of their files, not ours. */
const dependencyFolder = /^(?:node_modules|site-packages|dist-packages|gems|vendor|\.cargo|\.m2)$/;
const runtimeRoot =
  /^\/(?:usr\/(?:lib|local\/lib|local\/go|share)|opt\/java|rustc|root\/\.cargo|(?:root\/)?go\/pkg\/mod)\//;

/** Where builds keep sources by package. */
const packageRoots: ReadonlyMap<string, string> = new Map([
  ['java', 'java'],
  ['kt', 'kotlin'],
  ['scala', 'scala'],
  ['groovy', 'groovy'],
]);

/** Slashes only, and no drive. */
function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[a-z]:(?=\/)/i, '');
}

/** The folders and the file of a path; one that climbs out of its root starts at the root again. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** What the first prefix that fits, the longest first, makes of the path. */
function mapped(path: string, mappings: Readonly<Record<string, string>>): string[] {
  const absolute = path.startsWith('/');
  const segments = segmentsOf(path);
  const fits = Object.entries(mappings)
    .map(([from, to]) => ({ from: withSlashes(from), to: withSlashes(to) }))
    .filter(({ from }) => from.startsWith('/') === absolute)
    .map(({ from, to }) => ({ from: segmentsOf(from), to }))
    .filter(({ from }) => from.every((segment, index) => segments[index] === segment))
    .sort((a, b) => b.from.length - a.from.length);
  const [longest] = fits;
  if (longest === undefined) return [];
  const to = longest.to.replace(/^\$\{workspaceFolder\}(?=\/|$)/, '');
  return segmentsOf([...segmentsOf(to), ...segments.slice(longest.from.length)].join('/'));
}

/**
 * The files of a workspace folder that a frame's path may stand for, as relative paths with slashes,
 * the likeliest first; the caller takes the first that exists. None leaves the folder.
 *
 * @param path as `findFrames` found it.
 * @param mappings prefixes of such paths and what stands for them in the folder, for example
 *   `{ "/app": "services/web" }`.
 */
export function candidatePaths(
  path: string,
  mappings: Readonly<Record<string, string>> = {},
): string[] {
  const clean = withSlashes(path);
  const segments = segmentsOf(clean);
  const candidates = new Set<string>([mapped(clean, mappings).join('/')]);

  if (clean.startsWith('/')) {
    const folders = segments.map((segment, index) => (dependencyFolder.test(segment) ? index : -1));
    const dependency = Math.max(-1, ...folders);
    const last = runtimeRoot.test(clean)
      ? -1
      : dependency === -1
        ? segments.length - 1
        : dependency;
    const first = Math.max(0, segments.length - deepest);
    for (let index = first; index <= last; index++) candidates.add(segments.slice(index).join('/'));
  } else {
    const relative = segments.join('/');
    candidates.add(relative);
    const root = packageRoots.get(relative.replace(/^.*\./s, '').toLowerCase());
    if (root !== undefined) {
      for (const part of ['main', 'test']) candidates.add(`src/${part}/${root}/${relative}`);
      candidates.add(`src/${relative}`);
    }
  }
  candidates.delete('');
  return [...candidates];
}
