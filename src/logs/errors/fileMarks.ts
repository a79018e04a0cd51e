import type { DeployedCommits, DeployedTexts } from './deployedCode';
import type { ErrorSpot } from './errorKind';
import { type LineMapping, linesIn, mapLines, unknownMapping } from '../../commits/lineMapping';
import { type LineMark, lineMarks, type SpottedKind } from './lineMarks';

/** An open file. */
export interface OpenText {
  readonly uri: { toString(): string };
  /** Another one after each change of the text. */
  readonly version: number;
  readonly lineCount: number;
  getText(): string;
}

/** The marks of open files. What they are made of is remembered as long as an open file is in memory. */
interface FileMarks<Open extends OpenText> {
  /** In the order of their lines: those of the text, errors and commits when it resolves. Never rejects. */
  marksOf(open: Open): Promise<readonly LineMark[]>;
  /** The errors or the deployed commits changed. */
  invalidate(): void;
}

interface FileMarksOptions {
  /** What points at a file. @param file its URI as text. */
  readonly spotsIn: (file: string) => readonly SpottedKind[];
  readonly commits: Pick<DeployedCommits, 'commitOf' | 'isLoading' | 'load'>;
  readonly texts: Pick<DeployedTexts, 'linesAt'>;
  /** Lets other tasks run between two comparisons of texts. */
  readonly pause: () => Promise<void>;
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

export function createFileMarks<Open extends OpenText>(options: FileMarksOptions): FileMarks<Open> {
  const { spotsIn, commits, texts, pause } = options;
  const mapped = new WeakMap<Open, Mappings>();
  const results = new WeakMap<Open, Result>();
  let inputs = {};

  /** Compares a text with those commits that it was not compared with. */
  async function mappingsOf(open: Open, shas: readonly string[]): Promise<Mappings['bySha']> {
    const before = new Map<string, readonly string[]>();
    for (const sha of shas) {
      const lines = await texts.linesAt(open.uri.toString(), sha);
      if (lines !== undefined) before.set(sha, lines);
    }
    const { version } = open;
    let known = mapped.get(open);
    if (known?.version !== version) mapped.set(open, (known = { version, bySha: new Map() }));
    let now: readonly string[] | undefined;
    for (const [sha, lines] of before) {
      if (known.bySha.has(sha)) continue;
      if (now !== undefined) await pause();
      now ??= linesIn(open.getText());
      known.bySha.set(sha, mapLines(lines, now));
    }
    return known.bySha;
  }

  async function find(open: Open, spotted: readonly SpottedKind[]): Promise<readonly LineMark[]> {
    const spots = spotted.map(({ spot }) => spot);
    commits.load(spots);
    const mappings = await mappingsOf(open, latestCommits(spots, commits));
    const unknown = unknownMapping(open.lineCount);
    return lineMarks(spotted, (spot) => {
      const sha = commits.commitOf(spot);
      if (sha === undefined && commits.isLoading(spot)) return undefined;
      const lineOf = (sha === undefined ? undefined : mappings.get(sha)) ?? unknown;
      return { ...lineOf(spot.line), sha };
    });
  }

  return {
    async marksOf(open) {
      for (;;) {
        const spotted = spotsIn(open.uri.toString());
        if (spotted.length === 0) return [];
        const { version } = open;
        let result = results.get(open);
        if (result?.version !== version || result.inputs !== inputs) {
          result = { version, inputs, marks: find(open, spotted) };
          results.set(open, result);
        }
        const marks = await result.marks;
        // Otherwise they could be those of another connection.
        if (open.version === version && result.inputs === inputs) return marks;
      }
    },
    invalidate() {
      inputs = {};
    },
  };
}

function latestCommits(
  spots: readonly ErrorSpot[],
  commits: Pick<DeployedCommits, 'commitOf'>,
): readonly string[] {
  const latestFirst = [...spots].sort((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1));
  const shas = new Set(latestFirst.flatMap((spot) => commits.commitOf(spot) ?? []));
  return [...shas].slice(0, mostCommits);
}
