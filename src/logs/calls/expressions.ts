import { cut } from '../../base/untrustedText';
import { type TokenRange, splitArguments } from './calls';
import type { Language, PlaceholderStyle } from './languages';
import type { LiteralForm } from './literalForms';
import type { CodeSpan, Token } from './sourceTokens';

/** The longest source of an expression, in UTF-16 units. */
const longestExpression = 80;
/** The longest string that is read, in UTF-16 units. */
const longestString = 2000;
/** Parentheses within parentheses that are read. */
const deepest = 8;

/** The code of a file with its tokens. */
export interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly language: Language;
}

/** The source of an expression on one line, shortened. */
function shorten(text: string, { start, end }: CodeSpan): string {
  const source = text.slice(start, Math.min(end, start + 4 * longestExpression));
  return cut(source.trim().replace(/\s+/g, ' '), longestExpression - 1);
}

/** The source of an expression, shortened. */
export function sourceOf({ text, tokens }: Source, { from, to }: TokenRange): string {
  return shorten(text, { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 });
}

/** The name and the value of a named argument, an item of an array or a member: `name = 1`, `'name' => 1`. */
function namedValue(
  { text, tokens }: Source,
  { from, to }: TokenRange,
): { readonly name: string; readonly value: TokenRange } | undefined {
  const key = tokens[from];
  if (key === undefined || !/^(?:=>?|:)$/.test(tokens[from + 1]?.text ?? '')) return undefined;
  const name = key.kind === 'string' ? text.slice(key.start + 1, key.end - 1) : key.text;
  return name === '' || from + 2 >= to ? undefined : { name, value: { from: from + 2, to } };
}

/** The range in brackets, if brackets are around the whole range. */
function inBrackets({ tokens }: Source, { from, to }: TokenRange, open: RegExp) {
  const first = tokens[from];
  return first?.pair === to - 1 && open.test(first.text)
    ? { from: from + 1, to: to - 1 }
    : undefined;
}

/**
 * Replaces the placeholders of a format by the sources of its arguments. `used` is how many of those without
 * a name it has.
 */
export function fill(
  source: Source,
  parts: readonly MessagePart[],
  args: readonly TokenRange[],
  only?: PlaceholderStyle,
): { readonly parts: readonly MessagePart[]; readonly used: number } {
  const { placeholders, placeholdersAlone, placeholderNames } = source.language;
  const style = (only === undefined ? placeholders : [only]).find((candidate) =>
    parts.some((part) => 'text' in part && hasPlaceholder(part.text, candidate)),
  );
  if (style === undefined || (args.length === 0 && !placeholdersAlone)) return { parts, used: 0 };
  const inOrder: string[] = [];
  const named = new Map<string, string>();
  for (const arg of args) {
    const member = namedValue(source, arg);
    const list = inBrackets(source, arg, /[[{]/);
    if (member !== undefined) named.set(member.name, sourceOf(source, member.value));
    else inOrder.push(sourceOf(source, arg));
    for (const item of list === undefined ? [] : splitArguments(source.tokens, list)) {
      const entry = namedValue(source, item);
      if (entry !== undefined) named.set(entry.name, sourceOf(source, entry.value));
    }
  }
  const namesInOrder = placeholderNames === 'argument';
  return fillPlaceholders(parts, style, { inOrder, named, namesInOrder });
}

/** Operators of an expression whose value is not the text in it. */
const otherOperators = new Set(
  '? ?: ?? : == === != !== && || = += => < > <= >= if else'.split(' '),
);

/** Splits an expression at the operators that join texts. Undefined if it has others. */
function operandsOf(
  { tokens, language }: Source,
  { from, to }: TokenRange,
): TokenRange[] | undefined {
  const operands: TokenRange[] = [];
  let start = from;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.pair > index) index = token.pair;
    else if (token.text === language.joins) {
      operands.push({ from: start, to: index });
      start = index + 1;
    } else if (otherOperators.has(token.text)) return undefined;
  }
  operands.push({ from: start, to });
  return operands.filter((operand) => operand.from < operand.to);
}

/** The expression of a function without parameters: `() -> "text"`. */
function lambdaBody(
  { tokens, language }: Source,
  { from, to }: TokenRange,
): TokenRange | undefined {
  if (!language.lambdas) return undefined;
  const open = tokens[from];
  const arrow = open?.text === '(' && open.pair === from + 1 ? from + 2 : from + 1;
  return /^[-=]>$/.test(tokens[arrow]?.text ?? '') ? { from: arrow + 1, to } : undefined;
}

/** The parts of an expression that joins texts; undefined if it has no text. */
export function readMessageParts(
  source: Source,
  range: TokenRange,
  depth = 0,
): readonly MessagePart[] | undefined {
  if (depth > deepest) return undefined;
  const body = lambdaBody(source, range);
  if (body !== undefined) {
    const block = inBrackets(source, body, /\{/);
    return block === undefined
      ? readMessageParts(source, body, depth + 1)
      : readBlock(source, block, depth + 1);
  }
  const operands = operandsOf(source, range);
  const read = operands?.map((operand) => readOperand(source, operand, depth));
  if (operands === undefined || read?.every((parts) => parts === undefined) !== false) {
    return undefined;
  }
  return operands.flatMap(
    (operand, index): readonly MessagePart[] =>
      read[index] ?? [{ expression: sourceOf(source, operand) }],
  );
}

/** The text that a block of code returns: that of its last expression. */
export function readBlock(
  source: Source,
  { from, to }: TokenRange,
  depth = 0,
): readonly MessagePart[] | undefined {
  const whole = readMessageParts(source, { from, to }, depth + 1);
  if (whole !== undefined) return whole;
  let last = from;
  for (let index = from; index < to; index++) {
    const token = source.tokens[index];
    const before = source.tokens[index - 1]?.text ?? '';
    if (token === undefined) break;
    if (token.first && !/^[+,.(]$/.test(before) && !/^[.+]$/.test(token.text)) last = index;
    if (/^(?:;|return|->|=|\|)$/.test(token.text) && index + 1 < to) last = index + 1;
    if (token.pair > index) index = token.pair;
  }
  const end = source.tokens[to - 1]?.text === ';' ? to - 1 : to;
  return last === from ? undefined : readMessageParts(source, { from: last, to: end }, depth + 1);
}

interface Primary {
  readonly parts: readonly MessagePart[];
  readonly next: number;
}

/** Reads an operand; undefined if it is no text. */
function readOperand(
  source: Source,
  { from, to }: TokenRange,
  depth: number,
): readonly MessagePart[] | undefined {
  const { tokens } = source;
  const begun = readStrings(source, { from, to }) ?? readCall(source, { from, to }, depth);
  if (begun === undefined) return undefined;
  let { parts } = begun;
  for (let next = begun.next; next < to;) {
    const open = tokens[next + 2];
    const name = tokens[next + 1]?.text ?? '';
    if (tokens[next]?.text === '%') {
      const values = { from: next + 1, to };
      const list = inBrackets(source, values, /[([]/);
      const args = list === undefined ? [values] : splitArguments(tokens, list);
      return fill(source, parts, args, 'printf').parts;
    }
    if (tokens[next]?.text !== '.') return undefined;
    if (open?.text === '(' && open.pair !== -1) {
      const args = splitArguments(tokens, { from: next + 3, to: open.pair });
      if (/^format(?:ted)?$/.test(name)) {
        parts = fill(source, parts, args, source.language.formatMethod).parts;
      } else if (!keepingMethods.has(name)) return undefined;
      next = open.pair + 1;
    } else if (keepingMethods.has(name)) next += 2;
    else return undefined;
  }
  return parts;
}

/** Methods of texts that keep the words in them. */
const keepingMethods = new Set(
  (
    'trimIndent trimMargin stripIndent strip trim squish freeze html_safe toString to_s tr ' +
    'red green yellow blue cyan magenta gray grey bold dim white underline'
  ).split(' '),
);

function readStrings({ text, tokens }: Source, { from, to }: TokenRange): Primary | undefined {
  const parts: MessagePart[] = [];
  let next = from;
  for (; next < to; next++) {
    const token = tokens[next];
    if (token?.literal === undefined) break;
    for (const part of literalParts(text, token, longestString)) {
      parts.push('text' in part ? part : { expression: shorten(text, part.code) });
    }
  }
  return next > from ? { parts, next } : undefined;
}

/** Functions that return the text of their first argument, with the names of translations and colors. */
const keeping =
  /^(?:_|__|_L[A-Z]|N_|gettext|ugettext|dedent|str|red|green|yellow|blue|cyan|magenta|gr[ae]y|bold|dim|white)$/;
const formatting = /^(?:s?printf|Sprintf|format|Format|Errorf)$/;

/** Reads parentheses, and calls that format or keep a text. */
function readCall(source: Source, { from, to }: TokenRange, depth: number): Primary | undefined {
  const { tokens } = source;
  let open = from;
  while (open < Math.min(to, from + 10) && tokens[open]?.text !== '(') open++;
  const { text, pair = -1 } = tokens[open] ?? {};
  if (text !== '(' || pair === -1 || pair >= to) return undefined;
  const args = splitArguments(tokens, { from: open + 1, to: pair });
  const nameAt = tokens[open - 1]?.text === '!' ? open - 2 : open - 1;
  const name = tokens[nameAt]?.text ?? '';
  const isFormat = open > from && formatting.test(name);
  if (open > from && !isFormat && !keeping.test(name)) return undefined;
  if (open === from && args.length !== 1) return undefined;
  for (const [index, arg] of args.slice(0, 2).entries()) {
    const parts = readMessageParts(source, arg, depth + 1);
    if (parts === undefined) continue;
    if (!isFormat) return { parts, next: pair + 1 };
    const isMessageFormat = tokens[from]?.text === 'MessageFormat';
    const style = isMessageFormat ? 'slf4j' : source.language.formatFunction;
    return { parts: fill(source, parts, args.slice(index + 1), style).parts, next: pair + 1 };
  }
  return undefined;
}

/** A part of a string: its text without escapes, or an expression in it. */
type LiteralPart = { readonly text: string } | { readonly code: CodeSpan };

const control: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
  '0': '\0',
};

const escape = /\\(?:u\{([\da-fA-F_]{1,8})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|\r?\n[ \t]*|([^]))/g;

function character(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal.replaceAll('_', ''), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function withoutEscapes(source: string, { escapes, close, doubled }: LiteralForm): string {
  let text = source;
  if (escapes === 'all') {
    text = text.replace(escape, (_, braced?: string, four?: string, two?: string, one?: string) => {
      const code = braced ?? four ?? two;
      if (code !== undefined) return character(code);
      return one === undefined ? '' : (control[one] ?? one);
    });
  } else if (typeof close === 'string') {
    if (escapes === 'doubled') text = text.replaceAll(close + close, close);
    if (escapes === 'quote') {
      text = text.replace(/\\([^])/g, (both, one: string) => (/[\\'"]/.test(one) ? one : both));
    }
  }
  return doubled === true ? text.replaceAll('{{', '{').replaceAll('}}', '}') : text;
}

/** Removes the line breaks at both ends and the indent that all lines share. */
function withoutIndent(parts: readonly LiteralPart[]): LiteralPart[] {
  // A line of its own before the first one, so that all are alike.
  const [first, ...others] = parts;
  const begins = first !== undefined && 'text' in first ? first.text : undefined;
  const all: readonly LiteralPart[] = /^[ \t]*\r?\n/.test(begins ?? '')
    ? parts
    : begins === undefined
      ? [{ text: '\n' }, ...parts]
      : [{ text: `\n${begins}` }, ...others];
  const lines = all.map((part) => ('text' in part ? part.text : '-')).join('');
  const indents = [...lines.matchAll(/\n([ \t]*)(?=[^\s])/g)].map(
    ([, indent = '']) => indent.length,
  );
  const shared = new RegExp(`\\n[ \\t]{0,${String(Math.min(...indents, 200))}}`, 'g');
  return all.map((part, index) => {
    if (!('text' in part)) return part;
    let text = part.text.replace(shared, '\n');
    if (index === 0) text = text.replace(/^[ \t]*\r?\n/, '');
    if (index === all.length - 1) text = text.replace(/\r?\n[ \t]*$/, '');
    return { text };
  });
}

/** The parts of a string. Reads at most `most` UTF-16 units of its source. */
function literalParts(text: string, { literal }: Token, most: number): LiteralPart[] {
  if (literal === undefined) return [];
  const { form, body, holes } = literal;
  const end = Math.min(body.end, body.start + most);
  const parts: LiteralPart[] = [];
  let from = body.start;
  for (const hole of holes) {
    if (hole.start >= end) break;
    if (hole.start > from) parts.push({ text: text.slice(from, hole.start) });
    parts.push({ code: hole.code });
    from = hole.end;
  }
  if (from < end) parts.push({ text: text.slice(from, end) });
  return (form.indented === true ? withoutIndent(parts) : parts).map((part) =>
    'text' in part ? { text: withoutEscapes(part.text, form) } : part,
  );
}

/** A part of the message of a logging call: text as it is logged, or an expression of the code. */
export type MessagePart =
  | { readonly text: string }
  /** The source of the expression, shortened. */
  | { readonly expression: string };

/** The sources of values. */
interface FormatValues {
  readonly inOrder: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  /** Whether a placeholder with a name means the next value in order. */
  readonly namesInOrder: boolean;
}

const printf =
  /%(?:%|(?:\(([\w.]{1,60})\)|(\d{1,2})\$|<([\w.]{1,60})>)?[-+#0,]{0,5}(?:\*|\[\d\]|\d{1,4})?(?:\.(?:\*|\d{1,4}))?[hljztLqI]{0,2}[a-zA-Z@])/g;
const braces =
  /\{\{|\}\}|\{[@$]?([\w.[\]*-]{0,60})(?:![rsa])?(?:,-?\d{1,4})?(?::[^{}\n]{0,60})?\}/g;
const slf4j = /\{(\d{0,2})(?:,[\w ,.#]{1,30})?\}/g;

const patterns: Readonly<Record<PlaceholderStyle, RegExp>> = { printf, braces, slf4j };

/** The most placeholders of a text: what follows is text. */
const mostPlaceholders = 100;

/** Whether a text has a placeholder. */
export function hasPlaceholder(text: string, style: PlaceholderStyle): boolean {
  for (const [found] of text.matchAll(patterns[style])) {
    if (!isEscape(found)) return true;
  }
  return false;
}

function isEscape(found: string): boolean {
  return found === '%%' || found === '{{' || found === '}}';
}

/**
 * Replaces the placeholders of a format by the sources of their values. A placeholder whose value is not
 * known is kept as an expression. `used` is how many values were used in order.
 */
export function fillPlaceholders(
  parts: readonly MessagePart[],
  style: PlaceholderStyle,
  values: FormatValues,
): { readonly parts: MessagePart[]; readonly used: number } {
  const filled: MessagePart[] = [];
  let used = 0;
  const valueOf = (placeholder: string, name: string | undefined): string => {
    if (name === undefined || name === '') return values.inOrder[used++] ?? placeholder;
    if (/^\d+$/.test(name)) {
      const index = Number(name) - (style === 'printf' ? 1 : 0);
      used = Math.max(used, index + 1);
      return values.inOrder[index] ?? placeholder;
    }
    const named = values.named.get(name.replace(/[.[].*/, ''));
    return named ?? (values.namesInOrder ? values.inOrder[used++] : undefined) ?? name;
  };
  for (const part of parts) {
    if (!('text' in part)) {
      filled.push(part);
      continue;
    }
    let from = 0;
    let count = 0;
    for (const { 0: found, index, ...groups } of part.text.matchAll(patterns[style])) {
      if (count++ >= mostPlaceholders) break;
      filled.push({ text: part.text.slice(from, index) });
      from = index + found.length;
      if (isEscape(found)) filled.push({ text: found.charAt(0) });
      else filled.push({ expression: valueOf(found, groups[1] ?? groups[2] ?? groups[3]) });
    }
    filled.push({ text: part.text.slice(from) });
  }
  return { parts: filled, used };
}
