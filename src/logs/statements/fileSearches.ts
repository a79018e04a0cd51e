import { type LogFilter, workloadFilter } from '../query/filter';
import type { LogStatement } from './logStatement';
import { statementFilter } from './statementQuery';
import { statementTemplate, type StatementTemplate } from './statementTemplate';

/** A search for records of a file. Several are needed, because the API searches for one text at a time. */
export interface FileSearch {
  readonly filter: LogFilter;
  /** What finds the records: a statement, or stack frames in the file if it is undefined. */
  readonly statement?: {
    /** From 0. */
    readonly line: number;
    readonly template: StatementTemplate;
  };
}

export interface FileSearches {
  /** Stack frames first, then the statements with the most constant text. */
  readonly searches: readonly FileSearch[];
  /** How many more statements could be searched for. */
  readonly leftOut: number;
}

/** The most searches for a file. */
const mostSearches = 8;

/** Names that many files have: their folder is searched for, too. */
const commonNames = /^(?:index|main|mod|lib|app|server|utils?|types|helpers?|__init__|__main__)\./i;

/**
 * The searches that find the records of a file by its stack frames and its most specific statements.
 *
 * @param path the path of the file, with slashes.
 * @param apps ids of workloads.
 */
export function fileSearches(
  path: string,
  statements: readonly LogStatement[],
  apps: readonly string[],
): FileSearches {
  const frames: FileSearch = { filter: { ...workloadFilter(apps), search: nameInFrames(path) } };
  const byFilter = new Map<string, FileSearch & Required<Pick<FileSearch, 'statement'>>>();
  for (const { line, ...statement } of statements) {
    const template = statementTemplate(statement.message);
    const filter = statementFilter(statement, apps);
    if (template === undefined || filter === undefined) continue;
    const key = JSON.stringify(filter);
    if (!byFilter.has(key)) byFilter.set(key, { filter, statement: { line, template } });
  }
  const all = [...byFilter.values()].sort(
    (one, other) => other.statement.template.letters - one.statement.template.letters,
  );
  const searches = [frames, ...all].slice(0, mostSearches);
  return { searches, leftOut: all.length + 1 - searches.length };
}

/** The end of the path that stack frames have: Java's have only the name of the file. */
function nameInFrames(path: string): string {
  const [name = '', folder] = path.split('/').reverse();
  return folder !== undefined && folder !== '' && commonNames.test(name)
    ? `${folder}/${name}`
    : name;
}
