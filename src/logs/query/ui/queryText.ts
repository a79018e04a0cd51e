import * as vscode from 'vscode';
import type { QueryError, QueryProblem, UnresolvedName } from '../parser';

/**
 * What a line of a report begins with that is a query to be searched for. Reports indent all text that
 * comes from a server, so that none of its lines begins with this.
 */
export const queryMark = '→ ';

const { t } = vscode.l10n;

/** What is wrong with a query, where, and what could stand there. */
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

/** What is wrong at a place that is shown, and what could stand there. */
export function describeQueryError({ problem, allowed }: QueryError): string {
  const words = problemWords(problem);
  return allowed.length === 0 ? words : `${words} ${t('Allowed: {0}.', allowed.join(', '))}`;
}

function problemWords(problem: QueryProblem): string {
  switch (problem.kind) {
    case 'unknownField':
      return t('There is no field {0}.', problem.field);
    case 'operator':
      return t('{0} does not take {1} here.', problem.field, problem.operator);
    case 'negation':
      return t('{0} cannot be negated here.', problem.field);
    case 'missingAttribute':
      return t('Name the attribute: attr.name=value.');
    case 'missingValue':
      return t('{0} needs a value.', problem.field);
    case 'unknownValue':
      return t('{0} does not have the value {1}.', problem.field, problem.value);
    case 'form':
      return t('{1} is not of the form that {0} takes.', problem.field, problem.value);
    case 'onlyOne':
      return t('{0} takes one value.', problem.field);
    case 'tooMany':
      return t('{0} takes at most {1} values.', problem.field, problem.limit);
    case 'tooLong':
      return t('{0} takes at most {1} characters.', problem.field, problem.limit);
    case 'tooManyConditions':
      return t('A query takes at most {0} conditions.', problem.limit);
    case 'nothingLeft':
      return t('No value of {0} is left.', problem.field);
    case 'noCondition':
      return t('{0} cannot stand beside "or" or in parentheses.', problem.field);
    case 'operand':
      return t('"{0}" joins two fields; as text it goes in quotes.', problem.word);
    case 'textInGroup':
      return t('Text cannot stand in parentheses; as text they go in quotes.');
    case 'mixed':
      return t('Conditions are joined by "and" or by "or", not by both.');
    case 'unclosedQuote':
      return t('A quote is not closed.');
    case 'unclosedGroup':
      return t('A parenthesis is not closed.');
    case 'unexpectedText':
      return t('Put a space behind the quote.');
    case 'time':
      return t('{0} does not take the time {1}.', problem.field, problem.value);
    case 'twoRanges':
      return t('Use either last or from and to.');
    case 'reversed':
      return t('from is later than to.');
  }
}

/** A range of time where none can be chosen. */
export function describeTimes(): string {
  return t('A range of time is for searches: following goes on from now.');
}

/** Names in a query that nothing known carries. */
export function describeUnresolved(names: readonly UnresolvedName[]): string {
  return names
    .map(({ kind, name }) => {
      switch (kind) {
        case 'workload':
          return t('No workload of this name has logged lately: {0}. An id works too.', name);
        case 'server':
          return t('No server of this name is known: {0}. An id works too.', name);
        case 'deployment':
          return t('No deployment of this name is known: {0}. An id works too.', name);
      }
    })
    .join(' ');
}
