import * as vscode from 'vscode';
import { meantBy, type QueryError, type QueryProblem } from '../filterBuilder';
import type { PastedText } from '../parser';
import type { UnresolvedName } from '../readValues';

const { t } = vscode.l10n;

/**
 * Marks a line of a report as a query to search for. Reports indent all text of a server, so no text of a
 * server can begin with it.
 */
export const queryMark = '→ ';

/** Describes an error of a query: what is wrong, where, and what is allowed. */
export function describeQueryErrors(query: string, errors: readonly QueryError[]): string {
  return errors
    .map((error) => {
      const { start, end, problem } = error;
      const where = t('at {0}', start + 1);
      const part = query.slice(start, end);
      const words = `${problemWords(problem)} (${part === '' ? where : `${where}: ${part}`})`;
      return [words, ...helpFor(error)].join(' ');
    })
    .join(' ');
}

/** Describes an error whose position is shown: what is wrong and what is allowed. */
export function describeQueryError(error: QueryError): string {
  return [problemWords(error.problem), ...helpFor(error)].join(' ');
}

/** What was meant, or what is allowed. */
function helpFor(error: QueryError): readonly string[] {
  const { allowed } = error;
  const meant = meantBy(error);
  if (meant !== undefined) return [t('Did you mean {0}?', meant.meant)];
  return allowed.length === 0 ? [] : [t('Allowed: {0}.', allowed.join(', '))];
}

/** An error of a query for a page, with a correction of the query if it is clear what was meant. */
export function fixableError(query: string, error: QueryError): FixableError {
  const { start, end, problem } = error;
  const fix = meantBy(error);
  const part = query.slice(start, end);
  if (fix === undefined || !part.includes(fix.written)) {
    return { start, end, message: describeQueryError(error) };
  }
  const corrected = part.replace(fix.written, () => fix.meant);
  return {
    start,
    end,
    message: problemWords(problem),
    fix: {
      label: t('Did you mean {0}?', fix.meant),
      text: query.slice(0, start) + corrected + query.slice(end),
    },
  };
}

interface FixableError {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly fix?: { readonly label: string; readonly text: string };
}

function problemWords(problem: QueryProblem): string {
  switch (problem.kind) {
    case 'unknownField':
      return t('There is no field {0}.', problem.field);
    case 'operator':
      return t('{0} does not support {1} here.', problem.field, problem.operator);
    case 'negation':
      return t('{0} cannot be negated here.', problem.field);
    case 'missingAttribute':
      return t('Name the attribute: attr.name=value.');
    case 'missingValue':
      return t('{0} needs a value.', problem.field);
    case 'unknownValue':
      return t('{1} is not an allowed value of {0}.', problem.field, problem.value);
    case 'form':
      return t('{1} is not a valid value of {0}.', problem.field, problem.value);
    case 'onlyOne':
      return t('{0} takes one value.', problem.field);
    case 'tooMany':
      return t('{0} takes at most {1} values.', problem.field, problem.limit);
    case 'tooLong':
      return t('{0} takes at most {1} characters.', problem.field, problem.limit);
    case 'tooManyConditions':
      return t('A query takes at most {0} conditions.', problem.limit);
    case 'nothingLeft':
      return t('The query excludes all values of {0}.', problem.field);
    case 'noCondition':
      return t('{0} cannot be used with "or" or in parentheses.', problem.field);
    case 'operand':
      return t(
        '"{0}" needs a condition on both sides. To search for the word, put it in quotes.',
        problem.word,
      );
    case 'textInGroup':
      return t(
        'Only conditions can be in parentheses. To search for parentheses, put them in quotes.',
      );
    case 'mixed':
      return t('Use either "and" or "or" between conditions, not both.');
    case 'unclosedQuote':
      return t('A quote is not closed.');
    case 'unclosedGroup':
      return t('A parenthesis is not closed.');
    case 'unexpectedText':
      return t('Add a space after the closing quote.');
    case 'time':
      return t('{1} is not a valid time for {0}.', problem.field, problem.value);
    case 'twoRanges':
      return t('Use either last or from and to.');
    case 'reversed':
      return t('from is later than to.');
  }
}

/** Says that what looks like fields is searched for as text. */
export function pastedNote({ fields }: PastedText): string {
  return fields.length === 1
    ? t('There is no field {0}, so this is searched for as text.', fields.join())
    : t('There are no fields {0}, so this is searched for as text.', fields.join(', '));
}

/** The error for a time range in a query that has none. */
export function describeTimes(): string {
  return t('Remove the time range. Following starts now; time ranges are for searches.');
}

/** The error for unknown names. */
export function describeUnresolved(names: readonly UnresolvedName[]): string {
  return names
    .map(({ kind, name }) => {
      switch (kind) {
        case 'workload':
          return t('No recent workload has the name {0}. You can use an ID instead.', name);
        case 'server':
          return t('No known server has the name {0}. You can use an ID instead.', name);
        case 'deployment':
          return t('No known deployment has the name {0}. You can use an ID instead.', name);
      }
    })
    .join(' ');
}
