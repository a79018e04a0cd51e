import type { LogRecord, Severity } from '../../api/types';
import { lazyRegExp } from '../../base/textFormat';
import { type LogFilter, workloadFilter } from '../query/fields';
import { prefixLength } from '../record/bodyPrefix';
import { readableBody } from '../record/readableBody';
import { stripSgr } from '../record/terminalColors';
import type { MessagePart } from './expressions';
import type { LogStatement } from './findStatements';

/** The message of a statement, as it is compared with records. */
export interface StatementTemplate {
  /** The constant texts in order, without white space around them. None is empty. */
  readonly constants: readonly string[];
  /** The expressions before, between and after the constants; empty if there is none. */
  readonly gaps: readonly string[];
  /** The number of letters in the constants: the more, the less else fits. */
  readonly letters: number;
}

/** With fewer letters in its constants, a statement would fit almost anything. */
const fewestLetters = 4;
/** In UTF-16 units, and in constants: longer messages are compared up to here. */
const longestTemplate = 1000;
const mostConstants = 32;

/**
 * The template of a message, of its first line with enough letters: many collectors make a record of each
 * line. Undefined if it has too little constant text.
 */
export function statementTemplate(message: readonly MessagePart[]): StatementTemplate | undefined {
  for (const line of linesOf(message)) {
    const template = templateOfLine(line);
    if (template.letters >= fewestLetters) return template;
  }
  return undefined;
}

function linesOf(message: readonly MessagePart[]): MessagePart[][] {
  const lines: MessagePart[][] = [[]];
  for (const part of message) {
    if (!('text' in part)) lines.at(-1)?.push(part);
    else {
      const [first = '', ...more] = stripSgr(part.text.slice(0, longestTemplate)).split(/[\r\n]+/);
      lines.at(-1)?.push({ text: first });
      lines.push(...more.map((text) => [{ text }]));
    }
  }
  return lines;
}

function templateOfLine(line: readonly MessagePart[]): StatementTemplate {
  const constants: string[] = [];
  const gaps = [''];
  let length = 0;
  let isAfterText = false;
  for (const part of line) {
    if (!('text' in part)) {
      const before = gaps.at(-1) ?? '';
      gaps[gaps.length - 1] = before === '' ? part.expression : `${before}, ${part.expression}`;
      isAfterText = false;
    } else if (isAfterText) {
      // Two texts without an expression between them are one.
      constants.push(`${constants.pop() ?? ''}${part.text}`);
    } else if (part.text.trim() !== '') {
      constants.push(part.text);
      gaps.push('');
      isAfterText = true;
    }
    if ('text' in part) length += part.text.length;
    if (constants.length >= mostConstants || length > longestTemplate) break;
  }
  const trimmed = constants.map((text) => text.trim());
  return { constants: trimmed, gaps, letters: lettersIn(trimmed.join('')) };
}

const letter = lazyRegExp(String.raw`\p{L}`, 'gu');

function lettersIn(text: string): number {
  return text.match(letter())?.length ?? 0;
}

/** A template on one line, with the expressions in braces. */
export function describeTemplate({ constants, gaps }: StatementTemplate): string {
  return gaps
    .flatMap((gap, index) => [gap === '' ? '' : `{${gap}}`, constants[index] ?? ''])
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\} (?=[:;,.)\]])|(?<=[([]) (?=\{)/g, (found) => found.trim());
}

/** What a program logged: the message in a structured body, or the whole body. */
interface LoggedMessage {
  /** Untrusted, and cut to a limited length. */
  readonly text: string;
  /** Where the message begins, after the time, level and name that a logger wrote before it. */
  readonly start: number;
}

/** In UTF-16 units. */
const longestMessage = 4000;

export function loggedMessage(record: LogRecord): LoggedMessage {
  const message = readableBody(record.body, record)?.message;
  if (message !== undefined) return { text: cutMessage(message), start: 0 };
  const text = cutMessage(record.body);
  return { text, start: prefixLength(text, record) };
}

function cutMessage(text: string): string {
  return stripSgr(text.slice(0, longestMessage));
}

/** An expression and the text that took its place in a message. */
interface HeldValue {
  readonly expression: string;
  /** Untrusted text of one line. */
  readonly value: string;
}

/** How well a message fits a template. */
export interface Fit {
  /** Higher if more letters are constant; of equal ones, if nothing precedes or follows them. */
  readonly score: number;
  readonly values: readonly HeldValue[];
}

/** In UTF-16 units. */
const longestValue = 200;

/**
 * Compares a message with a template: the constants must occur in order, and anything may be between, before
 * and after them, because loggers add to a message. Takes time linear in the length of the message.
 */
export function fitMessage(
  { constants, gaps, letters }: StatementTemplate,
  { text, start }: LoggedMessage,
): Fit | undefined {
  const values: HeldValue[] = [];
  const hold = (expression: string | undefined, from: number, to: number): void => {
    if (expression === undefined || expression === '') return;
    const value = text.slice(from, Math.min(to, from + 2 * longestValue)).trim();
    values.push({ expression, value: value.slice(0, longestValue) });
  };
  let at = 0;
  let isAtStart = false;
  for (const [index, constant] of constants.entries()) {
    const found = text.indexOf(constant, at);
    if (found === -1) return undefined;
    const isFirst = index === 0;
    if (isFirst) isAtStart = gaps[0] !== '' || found === 0 || found === start;
    hold(gaps[index], isFirst && found >= start ? start : at, found);
    at = found + constant.length;
  }
  const rest = text.slice(at);
  const restOfLine = rest.search(/[\r\n]/);
  const end = restOfLine === -1 ? text.length : at + restOfLine;
  const last = gaps[constants.length] ?? '';
  hold(last, at, end);
  const isAtEnd = last !== '' || rest.trim() === '';
  return { score: 4 * letters + (isAtStart ? 2 : 0) + (isAtEnd ? 1 : 0), values };
}

/** The longest text that the contract lets us search for, in characters. */
const longestSearch = 512;
/** The shortest text to search for, in letters. */
const fewestSearched = 3;

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

/** What is written differently in JSON. */
const changed = lazyRegExp(String.raw`["\\<>&\p{C}]`, 'u');

/**
 * The longest text of a template that is in a body in the same form: in JSON, quotes, backslashes and
 * controls are escaped, and some loggers also escape `<`, `>` and `&`.
 */
function searchTextOf({ constants }: StatementTemplate): string | undefined {
  const [longest] = constants
    .flatMap((constant) => constant.split(changed()))
    .map((text) => text.slice(0, longestSearch).trim())
    .sort((a, b) => b.length - a.length);
  if (longest === undefined || lettersIn(longest) < fewestSearched) return undefined;
  // Not half of a character that takes two units.
  return longest.replace(/[\ud800-\udfff]$/u, '');
}
