import * as vscode from 'vscode';
import type { QueryError, QueryProblem } from '../filterBuilder';
import type { UnresolvedName } from '../readValues';

/**
 * Marks a line of a report as a query to search for. Reports indent all text of a server, so no text of a
 * server can begin with it.
 */
export const queryMark = '→ ';

const { t } = vscode.l10n;

/** Describes an error of a query: what is wrong, where, and what is allowed. */
export function describeQueryErrors(query: string, errors: readonly QueryError[]): string {
  return errors
    .map(({ start, end, problem, allowed }) => {
      const where = t('at {0}', start + 1);
      const part = query.slice(start, end);
      const words = `${problemWords(problem)} (${part === '' ? where : `${where}: ${part}`})`;
      return allowed.length === 0 ? words : `${words} ${t('Allowed: {0}.', allowed.join(', '))}`;
    })
    .join(' ');
}

/** Describes an error whose position is shown: what is wrong and what is allowed. */
export function describeQueryError({ problem, allowed }: QueryError): string {
  const words = problemWords(problem);
  return allowed.length === 0 ? words : `${words} ${t('Allowed: {0}.', allowed.join(', '))}`;
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
