import { groupedBy } from '../../base/maps';
import { timeOf } from '../../base/timeFormat';
import {
  type MappedLine,
  type LineMapping,
  linesIn,
  mapLines,
  unknownMapping,
} from '../../commits/lineMapping';
import type { DeployedCommits, DeployedTexts } from './deployedCode';
import type { ErrorKind, ErrorSpot } from './errorKind';

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
  const all = spotted.flatMap((one): Placed[] => {
    const place = placeOf(one.spot);
    return place === undefined ? [] : [{ ...one, place }];
  });
  return [...groupedBy(all, ({ place }) => place.line)]
    .map(([line, placed]) => markOf(line, placed))
    .sort((a, b) => countOf(b) - countOf(a))
    .slice(0, mostMarks)
    .sort((a, b) => a.line - b.line);
}

/** How many errors point at a line. */
function countOf({ kinds }: LineMark): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

interface Placed extends SpottedKind {
  readonly place: SpotPlace;
}

function markOf(line: number, placed: readonly Placed[]): LineMark {
  const latestFirst = [...placed].sort(
    (a, b) => (timeOf(b.spot.lastSeen) ?? 0) - (timeOf(a.spot.lastSeen) ?? 0),
  );
  const best = Math.max(...placed.map(({ place }) => ranks[place.certainty]));
  const known = latestFirst.find(({ place }) => ranks[place.certainty] === best)?.place;
  return {
    line,
    kinds: [...groupedBy(latestFirst, ({ kind }) => kind)]
      .map(([kind, those]) => markedKind(kind, those))
      .sort((a, b) => b.count - a.count),
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

/** An open file. */
export interface OpenText {
  readonly uri: { toString(): string };
  /** Another one after each change of the text. */
  readonly version: number;
  readonly lineCount: number;
  getText(): string;
}

/** The most commits that a file is compared with; those of the latest errors count. */
const mostCommits = 20;

/** The lines of commits in a version of a text, by commit. */
interface Mappings {
  readonly version: number;
  readonly bySha: Map<string, LineMapping>;
}

/** The marks of a version of a text, and what else they were made of. */
interface Result {
  readonly version: number;
  readonly inputs: object;
  readonly marks: Promise<readonly LineMark[]>;
}

/** The marks of open files. What they are made of is remembered as long as an open file is in memory. */
export class FileMarks<Open extends OpenText> {
  private readonly mapped = new WeakMap<Open, Mappings>();
  private readonly results = new WeakMap<Open, Result>();
  private inputs = {};

  /**
   * @param spotsIn what points at a file. @param file its URI as text.
   * @param pause lets other tasks run between two comparisons of texts.
   */
  constructor(
    private readonly spotsIn: (file: string) => readonly SpottedKind[],
    private readonly commits: Pick<DeployedCommits, 'commitOf' | 'isLoading' | 'load'>,
    private readonly texts: Pick<DeployedTexts, 'linesAt'>,
    private readonly pause: () => Promise<void>,
  ) {}

  /** In the order of their lines: those of the text, errors and commits when it resolves. Never rejects. */
  async marksOf(open: Open): Promise<readonly LineMark[]> {
    for (;;) {
      const spotted = this.spotsIn(open.uri.toString());
      if (spotted.length === 0) return [];
      const { version } = open;
      let result = this.results.get(open);
      if (result?.version !== version || result.inputs !== this.inputs) {
        result = { version, inputs: this.inputs, marks: this.find(open, spotted) };
        this.results.set(open, result);
      }
      const marks = await result.marks;
      // Otherwise they could be those of another connection.
      if (open.version === version && result.inputs === this.inputs) return marks;
    }
  }

  /** The errors or the deployed commits changed. */
  invalidate(): void {
    this.inputs = {};
  }

  /** Compares a text with those commits that it was not compared with. */
  private async mappingsOf(open: Open, shas: readonly string[]): Promise<Mappings['bySha']> {
    const before = new Map<string, readonly string[]>();
    for (const sha of shas) {
      const lines = await this.texts.linesAt(open.uri.toString(), sha);
      if (lines !== undefined) before.set(sha, lines);
    }
    const { version } = open;
    let known = this.mapped.get(open);
    if (known?.version !== version) this.mapped.set(open, (known = { version, bySha: new Map() }));
    let now: readonly string[] | undefined;
    for (const [sha, lines] of before) {
      if (known.bySha.has(sha)) continue;
      if (now !== undefined) await this.pause();
      now ??= linesIn(open.getText());
      known.bySha.set(sha, mapLines(lines, now));
    }
    return known.bySha;
  }

  private async find(open: Open, spotted: readonly SpottedKind[]): Promise<readonly LineMark[]> {
    const spots = spotted.map(({ spot }) => spot);
    this.commits.load(spots);
    const mappings = await this.mappingsOf(open, latestCommits(spots, this.commits));
    const unknown = unknownMapping(open.lineCount);
    return lineMarks(spotted, (spot) => {
      const sha = this.commits.commitOf(spot);
      if (sha === undefined && this.commits.isLoading(spot)) return undefined;
      const lineOf = (sha === undefined ? undefined : mappings.get(sha)) ?? unknown;
      return { ...lineOf(spot.line), sha };
    });
  }
}

function latestCommits(
  spots: readonly ErrorSpot[],
  commits: Pick<DeployedCommits, 'commitOf'>,
): readonly string[] {
  const latestFirst = [...spots].sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
  const shas = new Set(latestFirst.flatMap((spot) => commits.commitOf(spot) ?? []));
  return [...shas].slice(0, mostCommits);
}

export interface FileBadge {
  /** How many kinds of errors happen in the file, and how many errors that are. */
  readonly kinds: number;
  readonly count: number;
  /** When the newest one was. ISO UTC. */
  readonly lastSeen: string;
}

/**
 * The badges of files, by their URI as text: those in which errors happen, as the first file of the workspace in a
 * stack. The callers of such a file have none, or a badge would say nothing.
 */
export function fileBadges(kinds: readonly ErrorKind[]): ReadonlyMap<string, FileBadge> {
  const badges = new Map<string, FileBadge>();
  for (const { spots, count, last } of kinds) {
    const [first] = spots;
    if (first === undefined) continue;
    const before = badges.get(first.file);
    const isLater = before === undefined || before.lastSeen < last.timestamp;
    badges.set(first.file, {
      kinds: (before?.kinds ?? 0) + 1,
      count: (before?.count ?? 0) + count,
      lastSeen: isLater ? last.timestamp : before.lastSeen,
    });
  }
  return badges;
}

/** The files whose badge differs. */
export function changedBadges(
  before: ReadonlyMap<string, FileBadge>,
  after: ReadonlyMap<string, FileBadge>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((file) => {
    const [old, now] = [before.get(file), after.get(file)];
    return (
      old?.kinds !== now?.kinds || old?.count !== now?.count || old?.lastSeen !== now?.lastSeen
    );
  });
}
