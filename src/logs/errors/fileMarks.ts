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
  const latestFirst = [...spots].sort((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1));
  const shas = new Set(latestFirst.flatMap((spot) => commits.commitOf(spot) ?? []));
  return [...shas].slice(0, mostCommits);
}
