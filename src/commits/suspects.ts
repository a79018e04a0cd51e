import { getOrMake } from '../base/maps';
import type { Commit, RangeReader } from './commitRange';

/** A line of the code as it was deployed, in the stack of an error. */
export interface SuspectPlace {
  /** In the repository, with slashes. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The lines of the file as deployed; empty if they are not known. */
  readonly text: readonly string[];
}

/** A commit with what it changed in the files of the stack. Texts are untrusted. */
export interface CommitChanges {
  readonly sha: string;
  /** The patch of each changed file, by its path. */
  readonly patches: ReadonlyMap<string, string>;
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
 * @param commits those between the deployment before and the one with the error, newest first.
 */
export function rankSuspects(
  places: readonly SuspectPlace[],
  message: string,
  commits: readonly CommitChanges[],
): readonly Suspect[] {
  const words = wordsOf(message);
  const found = new Map<string, Suspect>();
  places.forEach((place, depth) => {
    for (const { sha, reason } of suspectsOf(place, words, commits)) {
      const before = found.get(sha);
      const weight = weights[reason.kind] * perFrame ** depth * (reason.hasWord ? 1.5 : 1);
      // One commit at several frames is likelier than at one.
      const sum = (before?.weight ?? 0) / 4;
      if (before === undefined || weight > before.weight) {
        found.set(sha, { sha, reason: reason.kind, path: place.path, weight: weight + sum });
      } else found.set(sha, { ...before, weight: before.weight + weight / 4 });
    }
  });
  const order = new Map(commits.map(({ sha }, at) => [sha, at]));
  const ageOf = ({ sha }: Suspect): number => order.get(sha) ?? 0;
  return [...found.values()].sort(
    (one, other) => other.weight - one.weight || ageOf(one) - ageOf(other),
  );
}

interface Found {
  readonly sha: string;
  readonly reason: { readonly kind: SuspectReason; readonly hasWord: boolean };
}

/** The commits that touch a place. Its lines are followed from commit to commit into the past. */
function suspectsOf(
  { path, line: deployedLine, text }: SuspectPlace,
  words: readonly string[],
  commits: readonly CommitChanges[],
): Found[] {
  let line = deployedLine;
  let [start, end] = functionAround(text, line);
  return commits.flatMap(({ sha, patches }): Found[] => {
    const patch = patches.get(path);
    if (patch === undefined) return [];
    const changes = readPatch(patch);
    const hasWord = changes.some(({ added }) => added.some((one) => words.some(isIn(one))));
    const distance = Math.min(...changes.map((change) => distanceTo(change, line)));
    const isInside = changes.some((one) => distanceTo(one, start, end) === 0);
    const kind: SuspectReason | undefined =
      distance === 0
        ? 'line'
        : distance <= nearness
          ? 'near'
          : isInside
            ? 'function'
            : hasWord
              ? 'word'
              : undefined;
    [line, start, end] = [
      lineBefore(changes, line),
      lineBefore(changes, start),
      lineBefore(changes, end),
    ];
    return kind === undefined ? [] : [{ sha, reason: { kind, hasWord } }];
  });
}

/**
 * How many lines lie between a change and the lines from `first` to `last`; 0 if it touches them. What
 * was only removed stood between two lines: it is next to each, and touches what is around both.
 */
function distanceTo({ newLine, added }: Change, first: number, last = first): number {
  const end = newLine + added.length - 1;
  if (added.length === 0 && first < newLine && newLine <= last) return 0;
  const between = Math.max(0, newLine - last, first - end);
  return added.length === 0 ? Math.max(1, between) : between;
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

/** Lines that a commit replaced: `removed` lines from `oldLine` on by the `added` lines from `newLine` on. */
export interface Change {
  /** From 1. Without removed lines: the line that the added ones stand before. */
  readonly oldLine: number;
  readonly removed: number;
  /** From 1. Without added lines: the line that the removed ones stood before. */
  readonly newLine: number;
  readonly added: readonly string[];
}

/** More lines of a patch are not read. */
const mostLines = 50_000;

/** The changes of one file, from its patch as `git diff` prints it, in the order of its lines. */
export function readPatch(patch: string): readonly Change[] {
  const changes: Change[] = [];
  let oldLine = 0;
  let newLine = 0;
  let oldLeft = 0;
  let newLeft = 0;
  let open: { readonly oldLine: number; readonly newLine: number; removed: number } | undefined;
  let added: string[] = [];
  const close = (): void => {
    if (open !== undefined) changes.push({ ...open, added });
    open = undefined;
    added = [];
  };
  for (const line of patch.split('\n', mostLines)) {
    if (oldLeft <= 0 && newLeft <= 0) {
      close();
      const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (head === null) continue;
      const [, from = '', removed = '1', to = '', more = '1'] = head;
      [oldLeft, newLeft] = [Number(removed), Number(more)];
      // An empty side stands behind its line.
      oldLine = Number(from) + (oldLeft === 0 ? 1 : 0);
      newLine = Number(to) + (newLeft === 0 ? 1 : 0);
    } else if (line.startsWith('-')) {
      open ??= { oldLine, newLine, removed: 0 };
      open.removed++;
      oldLine++;
      oldLeft--;
    } else if (line.startsWith('+')) {
      open ??= { oldLine, newLine, removed: 0 };
      added.push(line.slice(1));
      newLine++;
      newLeft--;
    } else if (!line.startsWith('\\')) {
      close();
      oldLine++;
      newLine++;
      oldLeft--;
      newLeft--;
    }
  }
  close();
  return changes;
}

/** Where a line stood before the changes; of an added line, where they begin. Both from 1. */
export function lineBefore(changes: readonly Change[], line: number): number {
  let shift = 0;
  for (const { oldLine, removed, newLine, added } of changes) {
    if (line < newLine) break;
    if (line < newLine + added.length) return Math.max(1, oldLine);
    shift += removed - added.length;
  }
  return Math.max(1, line + shift);
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
  /** The URI of the file that it changed, as text. */
  readonly file: string;
}

/** Reads what commits did to files, whose URIs are texts. */
export interface SuspectReader extends Pick<RangeReader, 'hashOf'> {
  /** The commits that `to` has, `from` does not have, and that changed the file, newest first. */
  commitsOfFile(from: string, to: string, file: string): Promise<readonly Commit[]>;
  /** What a commit changed in a file since its parent, as a patch. */
  patchOf(parent: string, sha: string, file: string): Promise<string>;
  /** The lines of a file at a commit; empty if they are not known. */
  linesAt(sha: string, file: string): Promise<readonly string[]>;
}

/** How many commits are looked at, the newest, and how many files of the stack. */
const mostCommits = 200;
const mostFiles = 5;

/**
 * The commits that may have caused an error, the likeliest first; empty if nothing points at one. After
 * a rollback nothing came that could have.
 *
 * @returns undefined if the repository does not have the commits.
 * @throws the signal's reason before the next question to Git.
 */
export async function findSuspects(
  reader: SuspectReader,
  { before, now, message, places }: SuspectQuestion,
  signal: AbortSignal,
): Promise<readonly SuspectedCommit[] | undefined> {
  const [from, to] = await Promise.all([reader.hashOf(before), reader.hashOf(now)]);
  if (from === undefined || to === undefined) return undefined;
  const files = [...new Set(places.map(({ file }) => file))].slice(0, mostFiles);
  const commits = new Map<string, { readonly commit: Commit; readonly files: string[] }>();
  for (const file of files) {
    signal.throwIfAborted();
    for (const commit of (await reader.commitsOfFile(from, to, file)).slice(0, mostCommits)) {
      getOrMake(commits, commit.sha, () => ({ commit, files: [] })).files.push(file);
    }
  }
  const newestFirst = [...commits.values()]
    .sort((one, other) => (other.commit.at ?? 0) - (one.commit.at ?? 0))
    .slice(0, mostCommits);
  const changes: CommitChanges[] = [];
  for (const { commit, files: changed } of newestFirst) {
    const [parent] = commit.parents;
    if (parent === undefined) continue;
    const patches = new Map<string, string>();
    for (const file of changed) {
      signal.throwIfAborted();
      patches.set(file, await reader.patchOf(parent, commit.sha, file));
    }
    changes.push({ sha: commit.sha, patches });
  }
  if (changes.length === 0) return [];
  const texts = new Map<string, readonly string[]>();
  for (const file of files) {
    signal.throwIfAborted();
    texts.set(file, await reader.linesAt(to, file));
  }
  const suspects = rankSuspects(
    places
      .filter(({ file }) => texts.has(file))
      .map(({ file, line }) => ({ path: file, line, text: texts.get(file) ?? [] })),
    message,
    changes,
  );
  return suspects.flatMap(({ sha, reason, path: file }) => {
    const commit = commits.get(sha)?.commit;
    return commit === undefined ? [] : [{ commit, reason, file }];
  });
}
