import type { Severity } from '../../api/types';
import { type LogFilter, workloadFilter } from '../query/filter';
import type { LogStatement } from './findStatements';
import { statementTemplate, type StatementTemplate } from './statementTemplate';

/** The longest text that the contract lets us search for, in characters. */
const longestSearch = 512;
/** The shortest text to search for, in letters. */
const fewestLetters = 3;

/** What finds the records of a statement. */
export interface StatementQuery {
  /** For its longest constant text, because the API searches for one text. */
  readonly filter: LogFilter;
  /** Fits those of these records that are from the statement. */
  readonly template: StatementTemplate;
}

/**
 * The query for a statement with its severity and the workloads of the folder if they are known.
 *
 * @param apps ids of workloads.
 * @returns undefined if the statement has too little constant text.
 */
export function statementQuery(
  { message, severity }: Pick<LogStatement, 'message' | 'severity'>,
  apps: readonly string[],
): StatementQuery | undefined {
  const template = statementTemplate(message);
  const search = template && searchTextOf(template);
  if (template === undefined || search === undefined) return undefined;
  return { filter: { ...severityFilter(severity), ...workloadFilter(apps), search }, template };
}

/** A control plane that does not know the severity of a record calls it unknown. */
function severityFilter(severity: Severity | undefined): LogFilter {
  if (severity === undefined) return {};
  return { severities: severity === 'unknown' ? [severity] : [severity, 'unknown'] };
}

/**
 * The longest text of a template that is in a body in the same form: in JSON, quotes, backslashes and
 * controls are escaped, and some loggers also escape `<`, `>` and `&`.
 */
function searchTextOf({ constants }: StatementTemplate): string | undefined {
  const [longest] = constants
    .flatMap((constant) => constant.split(/["\\<>&\p{C}]/u))
    .map((text) => text.slice(0, longestSearch).trim())
    .sort((one, other) => other.length - one.length);
  if (longest === undefined || !hasLetters(longest)) return undefined;
  // Not half of a character that takes two units.
  return longest.replace(/\p{Surrogate}$/u, '');
}

function hasLetters(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= fewestLetters;
}
