import { dependencyFolders, frameLanguages } from './frameLanguages';

/** The most folders of an absolute path to keep: checkouts are not deeper. */
const deepest = 12;

/** Folders of dependencies: the end of such a path is not a file of the workspace. */
const dependencyNames = new Set(dependencyFolders);
const runtimeRoots = frameLanguages.flatMap((language) => language.runtimeRoots ?? []);
const runtimeRoot = new RegExp(`^/(?:usr/(?:lib|local/lib|share)|${runtimeRoots.join('|')})/`);

/** Source folders of builds, by file extension. */
const packageRoots = new Map(
  frameLanguages.flatMap((language) => Object.entries(language.packageRoots ?? {})),
);

/** Replaces backslashes and removes the drive. */
function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[a-z]:(?=\/)/i, '');
}

/** The folders and the file of a path, separated by slashes; `..` never leaves the root. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** Prefixes of paths and their folders, as `pathMappings` returns them. */
type Mappings = ReadonlyMap<string, string>;

/** More mappings of a folder than this, and prefixes that are longer than any path of a frame, do not count. */
const mostMappings = 1000;
const longestPrefix = 1024;

/**
 * Prepares the mappings of a folder, once for all paths.
 *
 * @param settings such as `{ "/app": "services/web" }`. Other values than texts do not count.
 */
export function pathMappings(settings: Readonly<Record<string, unknown>>): Mappings {
  const mappings = new Map<string, string>();
  for (const from in settings) {
    const to = settings[from];
    if (typeof to !== 'string' || from.length > longestPrefix || to.length > longestPrefix)
      continue;
    const prefix = normalized(from);
    const folder = withSlashes(to).replace(/^\$\{workspaceFolder\}(?=\/|$)/, '');
    if (!mappings.has(prefix)) mappings.set(prefix, segmentsOf(folder).join('/'));
    if (mappings.size >= mostMappings) break;
  }
  return mappings;
}

/** A path without what does not tell it from others; absolute paths begin with a slash. */
function normalized(path: string): string {
  const clean = withSlashes(path);
  return (clean.startsWith('/') ? '/' : '') + segmentsOf(clean).join('/');
}

/** Maps a path with the longest matching prefix; also returns the length of the prefix. */
function mapped(path: string, mappings: Mappings): { path: string; length: number } | undefined {
  if (mappings.size === 0 || path.length > longestPrefix) return undefined;
  const whole = normalized(path);
  for (let length = whole.length; ; length = whole.lastIndexOf('/', length - 1)) {
    // The root, of absolute and of relative paths.
    const prefix = length > 0 ? whole.slice(0, length) : whole.startsWith('/') ? '/' : '';
    const folder = mappings.get(prefix);
    if (folder !== undefined) {
      const found = segmentsOf(`${folder}/${whole.slice(prefix.length)}`).join('/');
      return found === '' ? undefined : { path: found, length: prefix.length };
    }
    if (length <= 0) return undefined;
  }
}

/** A folder of the workspace with its path mappings. */
export interface SourceFolder {
  readonly name: string;
  readonly mappings: Mappings;
  /** Paths in the folder that files had when they were deployed, and their paths today. */
  readonly renamed?: ReadonlyMap<string, string>;
}

interface Candidate {
  /** The index of its folder. */
  readonly folder: number;
  readonly path: string;
}

/**
 * The files of the workspace that the path of a frame may mean, as relative paths with slashes, the most
 * likely first. No path leaves its folder. Mapped paths come first, then the ends of the path, the longest
 * first. Of files with the same end, those in the workload's own folders come first, then that of the folder
 * that is named in the path. A file that was renamed follows its former path.
 *
 * @param path as `findFrames` found it.
 * @param own as `foldersOf` returned them for the workload.
 */
export function candidatesIn(
  path: string,
  folders: readonly SourceFolder[],
  own: readonly string[] = [],
): Candidate[] {
  const clean = withSlashes(path);
  const whole = `/${segmentsOf(clean).join('/')}`;
  const fitting = folders
    .flatMap(({ mappings }, folder) => {
      const found = mapped(clean, mappings);
      return found === undefined ? [] : [{ folder, ...found }];
    })
    .sort((a, b) => b.length - a.length);
  const candidates = fitting.map((one): Candidate => ({ folder: one.folder, path: one.path }));
  for (const end of unmapped(clean)) {
    const order = folders
      .map(({ name }, folder) => ({ folder, isNamed: whole.endsWith(`/${name}/${end}`) }))
      .sort((a, b) => Number(b.isNamed) - Number(a.isNamed));
    for (const candidate of [...own.map((folder) => `${folder}/${end}`), end]) {
      for (const { folder } of order) candidates.push({ folder, path: candidate });
    }
  }
  const seen = new Set<string>();
  const withRenamed = candidates.flatMap((candidate): Candidate[] => {
    const today = folders[candidate.folder]?.renamed?.get(candidate.path);
    return today === undefined ? [candidate] : [candidate, { ...candidate, path: today }];
  });
  return withRenamed.filter(({ folder, path: candidate }) => {
    const key = `${folder} ${candidate}`;
    return seen.size < seen.add(key).size;
  });
}

/** What the manifest says about where a workload is built from. Untrusted. */
interface BuildConfig {
  readonly context?: string;
  readonly dockerfile?: string;
}

/**
 * The folders with the code of a workload, relative to its repository: that of its Dockerfile, and its build
 * context. Without the root, where everything is.
 */
export function foldersOf({ context = '', dockerfile = '' }: BuildConfig): readonly string[] {
  const folders = [
    segmentsOf(withSlashes(dockerfile)).slice(0, -1).join('/'),
    segmentsOf(withSlashes(context)).join('/'),
  ];
  return [...new Set(folders)].filter((folder) => folder !== '');
}

/**
 * The name of the file that a path means, to search for it in the workspace. Undefined if the file belongs to
 * a dependency or to the runtime.
 */
export function searchName(path: string): string | undefined {
  const clean = withSlashes(path);
  const segments = segmentsOf(clean);
  return isForeign(clean, segments) ? undefined : segments.at(-1);
}

function isForeign(clean: string, segments: readonly string[]): boolean {
  return runtimeRoot.test(clean) || segments.some((one) => dependencyNames.has(one));
}

/**
 * Of files with the name that a path ends with, the one with the longest end of that path; undefined if
 * several have it, unless one of them is the only one in the workload's own folders.
 *
 * The folder above the file must be the same, too, unless the path has no more than that: different programs
 * have files with the same names. Packages are known as a whole.
 *
 * @param own as `foldersOf` returned them for the workload.
 */
export function longestUniqueEnd<File extends Pick<Candidate, 'path'>>(
  path: string,
  files: readonly File[],
  own: readonly string[] = [],
): File | undefined {
  const clean = withSlashes(path);
  const segments = segmentsOf(clean).reverse();
  if (isForeign(clean, segments)) return undefined;
  const isPackage = !clean.startsWith('/') && packageRootOf(clean) !== undefined;
  // The first folder of an absolute path, such as `/app`, is a place in a container.
  const needed = isPackage
    ? segments.length
    : Math.min(2, segments.length - (clean.startsWith('/') ? 1 : 0));
  const fitting = files
    .map((file) => ({ file, length: commonStart(segmentsOf(file.path).reverse(), segments) }))
    .filter(({ length }) => length >= Math.max(1, needed));
  const longest = Math.max(...fitting.map(({ length }) => length));
  const best = fitting.filter(({ length }) => length === longest).map(({ file }) => file);
  const within = best.filter((file) => own.some((folder) => file.path.startsWith(`${folder}/`)));
  const [first, ...more] = within.length > 0 ? within : best;
  return more.length === 0 ? first : undefined;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const length = a.findIndex((segment, index) => segment !== b[index]);
  return length < 0 ? a.length : length;
}

/** The source folder of builds for the language of a file; undefined if it has no packages. */
function packageRootOf(path: string): string | undefined {
  return packageRoots.get(path.replace(/^.*\./s, '').toLowerCase());
}

/** The relative paths that a path may mean in any folder. */
function unmapped(clean: string): string[] {
  const segments = segmentsOf(clean);
  const candidates = new Set<string>();

  if (clean.startsWith('/')) {
    const folders = segments.map((segment, index) => (dependencyNames.has(segment) ? index : -1));
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
    const root = packageRootOf(relative);
    if (root !== undefined) {
      for (const part of ['main', 'test']) candidates.add(`src/${part}/${root}/${relative}`);
      candidates.add(`src/${relative}`);
    }
  }
  candidates.delete('');
  return [...candidates];
}

/** How many more files may be checked. */
export interface LookBudget {
  left: number;
}

/**
 * The first candidate that exists; undefined if there is none, `'unknown'` if the budget is used up or a
 * file system did not answer.
 */
export async function firstFile<Place>(
  candidates: Iterable<Place>,
  isFile: (place: Place) => Promise<boolean | 'unknown'>,
  budget: LookBudget,
): Promise<Place | 'unknown' | undefined> {
  let isKnown = true;
  for (const place of candidates) {
    if (budget.left <= 0) return 'unknown';
    budget.left--;
    const found = await isFile(place);
    if (found === true) return place;
    if (found === 'unknown') isKnown = false;
  }
  return isKnown ? undefined : 'unknown';
}
