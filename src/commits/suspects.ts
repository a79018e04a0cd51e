import { type ChangesReader, type CommitChanges, type FileAt, readChanges } from './changesOfFiles';
import type { Commit, RangeReader } from './commitRange';
import { type Change, distanceTo, lineBefore, readPatch } from './patch';

/** A line of the code as it was deployed, in the stack of an error. */
export interface SuspectPlace {
  /** In the repository, with slashes. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The lines of the file as deployed; empty if they are not known. */
  readonly text: readonly string[];
}

/**
 * Why a commit is suspected: it changed the line of a frame, lines next to it, the function around it,
 * or another part of its file that has a word of the message.
 */
export type SuspectReason = 'line' | 'near' | 'function' | 'word';

interface Suspect {
  readonly sha: string;
  readonly reason: SuspectReason;
  readonly path: string;
  /** How strong the reason is, above 0. */
  readonly weight: number;
}

const weights: Readonly<Record<SuspectReason, number>> = { line: 8, near: 5, function: 4, word: 3 };
/** How much less the next outer frame says. */
const perFrame = 0.75;
/** How far from a line "next to it" reaches. */
const nearness = 3;

/**
 * The commits that may have caused an error, the likeliest first; empty if nothing points at one.
 *
 * @param places the frames of the error in the workspace, innermost first.
 * @param message what the error says: its words are looked for in what was added.
 * @param commits those between the deployment before and the one with the error, each before those that it comes from. A
 * merge is there once for each of its parents.
 */
export function rankSuspects(
  places: readonly SuspectPlace[],
  message: string,
  commits: readonly CommitChanges[],
): readonly Suspect[] {
  const words = wordsOf(message);
  const versions = versionsOf(commits);
  const found = new Map<string, Suspect>();
  places.forEach((place, depth) => {
    for (const { sha, reason } of suspectsOf(place, words, versions)) {
      const before = found.get(sha);
      const weight = weights[reason.kind] * perFrame ** depth * (reason.hasWord ? 1.5 : 1);
      // One commit at several frames is likelier than at one.
      const sum = (before?.weight ?? 0) / 4;
      if (before === undefined || weight > before.weight) {
        found.set(sha, { sha, reason: reason.kind, path: reason.path, weight: weight + sum });
      } else found.set(sha, { ...before, weight: before.weight + weight / 4 });
    }
  });
  const order = new Map(commits.map(({ sha }, at) => [sha, at]));
  const ageOf = ({ sha }: Suspect): number => order.get(sha) ?? 0;
  return [...found.values()].sort((a, b) => b.weight - a.weight || ageOf(a) - ageOf(b));
}

/** A file at a commit that changed it, compared with each of its parents. */
interface Version extends FileAt {
  readonly parents: readonly {
    readonly changes: readonly Change[];
    /** The key of the version that it comes from. */
    readonly origin: string | undefined;
  }[];
}

/** By `keyOf`, in the order of the commits. */
type Versions = ReadonlyMap<string, Version>;

function keyOf({ sha, path }: FileAt): string {
  return `${sha} ${path}`;
}

function versionsOf(commits: readonly CommitChanges[]): Versions {
  const versions = new Map<string, { sha: string; path: string; parents: Version['parents'] }>();
  // In a line, a file comes from the next commit that changed it.
  const next = new Map<string, string>();
  for (const { sha, patches, origins } of [...commits].reverse()) {
    for (const [path, patch] of patches) {
      const key = keyOf({ sha, path });
      const from = origins?.get(path);
      const origin = origins === undefined ? next.get(path) : from && keyOf(from);
      const parent = { changes: readPatch(patch), origin };
      const parents = [parent, ...(versions.get(key)?.parents ?? [])];
      versions.delete(key);
      versions.set(key, { sha, path, parents });
      next.set(path, key);
    }
  }
  return new Map([...versions].reverse());
}

interface Found {
  readonly sha: string;
  readonly reason: Reason & { readonly path: string };
}

interface Reason {
  readonly kind: SuspectReason;
  readonly hasWord: boolean;
}

/** A line of the stack and the function around it, as they are at a commit. */
interface Span {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Whether the line comes from here; otherwise a merge took it from elsewhere. */
  readonly isFromHere: boolean;
}

/** The commits that touch a place. Its lines are followed from commit to commit into the past, as `git blame` does. */
function suspectsOf(
  { path, line, text }: SuspectPlace,
  words: readonly string[],
  versions: Versions,
): Found[] {
  const [start, end] = functionAround(text, line);
  const newest = [...versions.values()].find((one) => one.path === path);
  if (newest === undefined) return [];
  const spans = new Map([[keyOf(newest), { line, start, end, isFromHere: true }]]);
  return [...versions].flatMap(([key, version]): Found[] => {
    const span = spans.get(key);
    if (span === undefined) return [];
    const isChanged = version.parents.every(({ changes }) => hasChanged(changes, span.line));
    for (const { changes, origin } of version.parents) {
      const isFromHere = span.isFromHere && (isChanged || !hasChanged(changes, span.line));
      if (origin !== undefined && spans.get(origin)?.isFromHere !== true) {
        spans.set(origin, spanBefore(changes, span, isFromHere));
      }
    }
    const reason = reasonOf(version, span, isChanged, words);
    return reason === undefined
      ? []
      : [{ sha: version.sha, reason: { ...reason, path: version.path } }];
  });
}

function hasChanged(changes: readonly Change[], line: number): boolean {
  return changes.some((change) => change.isBlank !== true && distanceTo(change, line) === 0);
}

function spanBefore(
  changes: readonly Change[],
  { line, start, end }: Span,
  isFromHere: boolean,
): Span {
  const [first, at, last] = [start, line, end].map((one) => lineBefore(changes, one));
  return { line: at ?? line, start: first ?? start, end: last ?? end, isFromHere };
}

/** @param isChanged whether the line differs from all parents. */
function reasonOf(
  { parents }: Version,
  { line, start, end, isFromHere }: Span,
  isChanged: boolean,
  words: readonly string[],
): Reason | undefined {
  // What another branch made of the line was not deployed.
  const changes = (parents[0]?.changes ?? []).filter(
    (one) => one.isBlank !== true && (isFromHere || distanceTo(one, line) > 0),
  );
  const hasWord = changes.some(({ added }) => added.some((one) => words.some(isIn(one))));
  const reason = (kind: SuspectReason): Reason => ({ kind, hasWord });
  if (isChanged && isFromHere) return reason('line');
  // A merge brings what others changed.
  if (parents.length > 1) return undefined;
  if (changes.some((one) => distanceTo(one, line) <= nearness)) return reason('near');
  if (changes.some((one) => distanceTo(one, start, end) === 0)) return reason('function');
  return hasWord ? reason('word') : undefined;
}

const keyword = /\b(?:def|fn|func|fun|function|class|sub|proc)\b/;
const statement =
  /^\s*(?:if|else|elif|for|foreach|while|switch|match|try|catch|except|finally|with|do|return|throw|case|when|unless|rescue|select|go|defer|await)\b/;

/**
 * The first and last line of the function around a line, by indentation: the nearest line above that is
 * indented less and looks like a declaration, to the next line with its indentation. The line itself
 * if there is none.
 */
export function functionAround(text: readonly string[], line: number): [number, number] {
  const indentOf = (one = ''): number => (one.trim() === '' ? Infinity : one.search(/\S/));
  let least = indentOf(text[line - 1]);
  for (let at = line - 2; at >= 0 && least > 0; at--) {
    const indent = indentOf(text[at]);
    if (indent >= least) continue;
    least = indent;
    const above = text[at] ?? '';
    if (statement.test(above) || !isDeclaration(above)) continue;
    let end = line;
    while (end < text.length && indentOf(text[end]) > indent) end++;
    return [at + 1, Math.min(end + 1, text.length)];
  }
  return [line, line];
}

/** By a keyword, or by its end: `)`, `):`, `=>` or `=> {`, or a `{` after parameters. No pattern: lines may be long. */
function isDeclaration(line: string): boolean {
  if (keyword.test(line)) return true;
  const end = line.trimEnd();
  const rest = end.slice(0, -1).trimEnd();
  if (end.endsWith('{')) {
    return rest.endsWith('=>') || end.lastIndexOf(')') > end.lastIndexOf(';');
  }
  return end.endsWith(':') ? rest.endsWith(')') : end.endsWith(')') || end.endsWith('=>');
}

/** What an error message names: what stands in quotes, and words in camel or snake case. */
function wordsOf(message: string): readonly string[] {
  const text = message.slice(0, 2000);
  const quoted = [...text.matchAll(/['"`]([\w.$-]{3,60})['"`]/g)].map(([, word = '']) => word);
  const names = text.match(/\b(?:[a-z]+[A-Z]\w*|[a-z]+_\w+)\b/g) ?? [];
  return [...new Set([...quoted, ...names])].slice(0, 10);
}

function isIn(line: string): (word: string) => boolean {
  return (word) => line.includes(word);
}

/** What is known of an error that came between two commits. Texts are untrusted. */
export interface SuspectQuestion {
  /** The commit without the error, and the one with it: hashes or their beginnings. */
  readonly before: string;
  readonly now: string;
  readonly message: string;
  /** Lines of its stack as they were deployed, innermost first: the URI of the file as text, from 1. */
  readonly places: readonly { readonly file: string; readonly line: number }[];
}

/** A commit that may have caused an error. */
export interface SuspectedCommit {
  readonly commit: Commit;
  readonly reason: SuspectReason;
  /** The URI of the file that it changed, as text: where the file was at that commit. */
  readonly file: string;
}

/** What a search has found. */
export interface FoundSuspects {
  /** The likeliest first; empty if nothing points at one. */
  readonly commits: readonly SuspectedCommit[];
  /** The URIs of files whose changes are too large to compare, as texts. */
  readonly tooLarge: readonly string[];
}

/** Reads what commits did to files, whose URIs are texts. */
export interface SuspectReader extends ChangesReader, Pick<RangeReader, 'hashOf'> {
  /** A file of today as it is at a commit; undefined if it is not there. */
  deployedFile(sha: string, file: string): Promise<DeployedFile | undefined>;
  /** The hashes of commits that the repository says to ignore, because they only reformat. */
  ignoredCommits(): Promise<ReadonlySet<string>>;
}

interface DeployedFile {
  /** Its URI at the commit, as text. */
  readonly path: string;
  /** Undefined if it is too large. */
  readonly lines: readonly string[] | undefined;
}

/** How many files of the stack are looked at. */
const mostFiles = 5;

/**
 * Searches for the commits that may have caused an error. After a rollback nothing came that could have.
 *
 * @returns undefined if the repository does not have the commits.
 * @throws the signal's reason before the next question to Git.
 */
export async function findSuspects(
  reader: SuspectReader,
  { before, now, message, places }: SuspectQuestion,
  signal: AbortSignal,
): Promise<FoundSuspects | undefined> {
  const [from, to] = await Promise.all([reader.hashOf(before), reader.hashOf(now)]);
  if (from === undefined || to === undefined) return undefined;
  const files = new Map<string, DeployedFile>();
  for (const file of [...new Set(places.map((place) => place.file))].slice(0, mostFiles)) {
    signal.throwIfAborted();
    const deployed = await reader.deployedFile(to, file);
    if (deployed !== undefined) files.set(file, deployed);
  }
  const known = places.flatMap(({ file, line }): SuspectPlace[] => {
    const { path, lines: text } = files.get(file) ?? {};
    return path === undefined || text === undefined ? [] : [{ path, line, text }];
  });
  const paths = [...new Set(known.map(({ path }) => path))];
  const history = await readChanges(reader, { from, to, files: paths }, signal);
  signal.throwIfAborted();
  const ignored = await reader.ignoredCommits();
  const suspects = rankSuspects(known, message, history.changes);
  const tooLarge = [...files.values()].flatMap(({ path, lines }) => (lines ? [] : [path]));
  return {
    commits: suspects.flatMap(({ sha, reason, path: file }) => {
      const commit = history.commits.get(sha);
      return commit === undefined || ignored.has(sha) ? [] : [{ commit, reason, file }];
    }),
    tooLarge: [...new Set([...tooLarge, ...history.tooLarge])],
  };
}
