import type { TokenRange } from './calls';
import type { MessagePart } from './logStatement';
import type { Family, Logging } from './loggers';
import { severityOf } from './loggers';
import { literalParts } from './literalText';
import {
  type FormatValues,
  type PlaceholderStyle,
  fillPlaceholders,
  hasPlaceholder,
} from './placeholders';
import type { Span, Token } from './tokens';

/** The longest source of an expression, in UTF-16 units. */
const longestExpression = 80;
/** The longest constant text of a message, in UTF-16 units. */
const longestText = 2000;
/** Parentheses within parentheses that are read for a message. */
const deepest = 8;

/** The code of a file with its tokens. */
export interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly family: Family;
}

/** The source of an expression on one line, shortened. */
function shorten(text: string, { start, end }: Span): string {
  const source = text.slice(start, Math.min(end, start + 4 * longestExpression)).trim();
  const line = source.replace(/\s+/g, ' ');
  if (line.length <= longestExpression) return line;
  const cut = line.slice(0, longestExpression - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut}…`;
}

function expressionOf({ text, tokens }: Source, { from, to }: TokenRange): string {
  return shorten(text, { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 });
}

/** Operators of an expression whose value is not the text in it. */
const otherOperators = new Set('? ?: ?? : == === != !== && || = += => < > <= >='.split(' '));

/** Splits an expression at the operators that join texts. Undefined if it has others. */
function operandsOf(
  { tokens, family }: Source,
  { from, to }: TokenRange,
): TokenRange[] | undefined {
  const joins = family === 'php' ? '.' : '+';
  const operands: TokenRange[] = [];
  let start = from;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.pair > index) index = token.pair;
    else if (token.text === joins) {
      operands.push({ from: start, to: index });
      start = index + 1;
    } else if (otherOperators.has(token.text)) return undefined;
  }
  operands.push({ from: start, to });
  return operands.filter((operand) => operand.from < operand.to);
}

/** The parts of an expression that joins texts; undefined if it has no text. */
export function readText(source: Source, range: TokenRange, depth = 0): MessagePart[] | undefined {
  const operands = depth > deepest ? undefined : operandsOf(source, range);
  if (operands === undefined) return undefined;
  const read = operands.map((operand) => readOperand(source, operand, depth));
  if (read.every((parts) => parts === undefined)) return undefined;
  return operands.flatMap(
    (operand, index): MessagePart[] =>
      read[index] ?? [{ expression: expressionOf(source, operand) }],
  );
}

function readOperand(source: Source, range: TokenRange, depth: number): MessagePart[] | undefined {
  const { tokens } = source;
  const { from, to } = range;
  const first = tokens[from];
  if (first?.text === '(' && first.pair === to - 1) {
    return readText(source, { from: from + 1, to: to - 1 }, depth + 1);
  }
  let next = from;
  const parts: MessagePart[] = [];
  for (; next < to; next++) {
    const token = tokens[next];
    if (token?.kind !== 'string') break;
    for (const part of literalParts(source.text, token, longestText)) {
      parts.push('text' in part ? part : { expression: shorten(source.text, part.code) });
    }
  }
  return next > from && next === to ? parts : undefined;
}

/** How the formats of a family are written. */
const styles: Readonly<Record<Family, readonly PlaceholderStyle[]>> = {
  javascript: ['printf'],
  python: ['printf', 'braces'],
  java: ['slf4j', 'printf'],
  kotlin: ['slf4j', 'printf'],
  go: ['printf'],
  ruby: ['printf'],
  csharp: ['braces'],
  rust: ['braces'],
  php: ['braces', 'printf'],
};

function valuesOf(source: Source, args: readonly TokenRange[]): FormatValues {
  return { inOrder: args.map((arg) => expressionOf(source, arg)), named: new Map() };
}

/** Fills the placeholders of a message with the arguments behind it. */
function fill(
  source: Source,
  parts: readonly MessagePart[],
  args: readonly TokenRange[],
): { readonly parts: readonly MessagePart[]; readonly used: number } {
  if (args.length === 0) return { parts, used: 0 };
  const style = styles[source.family].find((candidate) =>
    parts.some((part) => 'text' in part && hasPlaceholder(part.text, candidate)),
  );
  return style === undefined
    ? { parts, used: 0 }
    : fillPlaceholders(parts, style, valuesOf(source, args));
}

/** All arguments, with `between` between them. */
function readAll(source: Source, args: readonly TokenRange[], between: string): MessagePart[] {
  const [first, ...rest] = args;
  if (first === undefined) return [];
  const parts = readText(source, first);
  const { parts: filled, used } =
    parts === undefined
      ? { parts: [{ expression: expressionOf(source, first) }], used: 0 }
      : fill(source, parts, rest);
  const behind = rest
    .slice(used)
    .flatMap((arg): MessagePart[] => [
      { text: between },
      ...(readText(source, arg) ?? [{ expression: expressionOf(source, arg) }]),
    ]);
  return [...filled, ...behind];
}

/** The message of a call with these arguments. */
export function readMessage(
  source: Source,
  { message }: Logging,
  args: readonly TokenRange[],
): readonly MessagePart[] {
  if (message === 'words') return tidy(readAll(source, args, ' '));
  for (const [index, arg] of args.slice(0, 4).entries()) {
    const parts = readText(source, arg);
    const only = parts?.[0];
    const isLevel =
      parts?.length === 1 &&
      only !== undefined &&
      'text' in only &&
      args.length > index + 1 &&
      severityOf(only.text) !== undefined;
    if (parts !== undefined && !isLevel)
      return tidy(fill(source, parts, args.slice(index + 1)).parts);
  }
  return [];
}

/** Joins adjacent texts and cuts what is too long. Empty without constant text. */
function tidy(parts: readonly MessagePart[]): readonly MessagePart[] {
  const result: MessagePart[] = [];
  let length = 0;
  for (const part of parts) {
    const last = result.at(-1);
    if (!('text' in part)) result.push(part);
    else if (part.text !== '') {
      const text = part.text.slice(0, longestText - length);
      length += text.length;
      if (last !== undefined && 'text' in last)
        result[result.length - 1] = { text: last.text + text };
      else result.push({ text });
      if (text.length < part.text.length) {
        result.push({ expression: '…' });
        break;
      }
    }
  }
  return result.some((part) => 'text' in part && part.text.trim() !== '') ? result : [];
}
