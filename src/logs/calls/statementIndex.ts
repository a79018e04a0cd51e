import type { LogRecord, Severity } from '../../api/types';
import { copyText } from '../../base/textFormat';
import { shownSeverity } from '../record/shownSeverity';
import type { LogStatement } from './findStatements';
import {
  fitMessage,
  loggedMessage,
  statementTemplate,
  type StatementTemplate,
} from './statementTemplate';

/** A statement of a file of the workspace. */
interface IndexedStatement {
  /** From 0. */
  readonly line: number;
  readonly severity: Severity | undefined;
  readonly template: StatementTemplate;
}

/** A statement that fits a record. */
export interface FoundStatement extends IndexedStatement {
  /** The URI of its file as text. */
  readonly file: string;
  readonly score: number;
}

/** An estimate of the memory of the index, in bytes. */
const mostBytes = 50 * 1024 * 1024;
/** More places for one record are of no use. */
const mostFound = 50;
/** The lowest score to show, as a share of the best one: a short constant fits many records. */
const worstFit = 0.5;

/** The statements of many files. */
export class StatementIndex {
  private readonly byFile = new Map<string, readonly IndexedStatement[]>();
  readonly files = new Set<string>();
  private count = 0;
  private memory = 0;

  constructor(private readonly limit = mostBytes) {}

  /** The number of statements. */
  get size(): number {
    return this.count;
  }

  /** An estimate of their memory in bytes. */
  get bytes(): number {
    return this.memory;
  }

  /** Sets the statements of a file. Returns false, and keeps none of it, if there is no room for them. */
  set(file: string, statements: readonly LogStatement[]): boolean {
    this.delete(file);
    const indexed = statements.flatMap(indexedStatement);
    const more = bytesOf(file, indexed);
    if (this.memory + more > this.limit) return false;
    this.files.add(file);
    if (indexed.length > 0) this.byFile.set(file, indexed);
    this.count += indexed.length;
    this.memory += more;
    return true;
  }

  delete(file: string): void {
    const before = this.byFile.get(file) ?? [];
    if (this.files.delete(file)) this.memory -= bytesOf(file, before);
    this.count -= before.length;
    this.byFile.delete(file);
  }

  /** The statements that fit a record, the best first. Those that fit much worse are left out. */
  find(record: LogRecord): readonly FoundStatement[] {
    const message = loggedMessage(record);
    const found: FoundStatement[] = [];
    for (const [file, statements] of this.byFile) {
      for (const statement of statements) {
        const score = fitMessage(statement.template, message)?.score;
        if (score !== undefined) found.push({ ...statement, file, score });
      }
    }
    // What code logs is the level in the body, whatever is shown.
    const logged = shownSeverity(record, 'body');
    const isOther = ({ severity }: IndexedStatement): number => Number(severity !== logged);
    const best = found.reduce((most, { score }) => Math.max(most, score), 0);
    return found
      .filter(({ score }) => score >= best * worstFit)
      .sort((a, b) => b.score - a.score || isOther(a) - isOther(b))
      .slice(0, mostFound);
  }
}

function indexedStatement({ message, line, severity }: LogStatement): IndexedStatement[] {
  const template = statementTemplate(message);
  if (template === undefined) return [];
  const { constants, gaps, letters } = template;
  const kept = { constants: constants.map(copyText), gaps: gaps.map(copyText), letters };
  return [{ line, severity, template: kept }];
}

/** The memory of an object or array with a few members, and of a character, in bytes. */
const objectBytes = 100;
const characterBytes = 2;

function bytesOf(file: string, statements: readonly IndexedStatement[]): number {
  let bytes = objectBytes + characterBytes * file.length;
  for (const { template } of statements) {
    const texts = [...template.constants, ...template.gaps];
    bytes += 4 * objectBytes + characterBytes * texts.join('').length;
  }
  return bytes;
}
