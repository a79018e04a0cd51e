import type { Severity } from '../../api/types';
import {
  type Segment,
  argumentsAfter,
  chainBefore,
  isJoint,
  type CallArguments,
  type TokenRange,
  splitArguments,
} from './calls';
import {
  type Source,
  fill,
  readBlock,
  readMessageParts,
  sourceOf,
  type MessagePart,
} from './expressions';
import { findLanguage, type Language } from './languages';
import { canLog, readLogging, type Logging, severityOf } from './loggers';
import { type Token, tokenizeSource } from './sourceTokens';

/** A call in source code that logs a message. */
export interface LogStatement {
  /** Where the call begins and ends, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The line where it begins, from 0. */
  readonly line: number;
  /** The severity that the name of the method means; undefined if it means none. */
  readonly severity: Severity | undefined;
  /**
   * The message, in order. Escapes of string literals are resolved. Empty if it has no constant text. Loggers
   * may add arguments to it that are no part of it here.
   */
  readonly message: readonly MessagePart[];
}

/** Longer files are not read. In UTF-16 units. */
export const longestFile = 1_048_576;

/**
 * Finds the logging calls in source text, in order. Takes linear time, and accepts any text: code that is
 * broken has the calls that can be read. Empty for other languages and for files that are too long.
 *
 * @param languageId the id that VS Code has for the language.
 * @param options `prints`: whether calls that print count, too: `print()`, `System.out.println()`, `puts`.
 */
export function findStatements(
  text: string,
  languageId: string,
  { prints } = { prints: false },
): readonly LogStatement[] {
  const language = findLanguage(languageId);
  if (language === undefined || text.length > longestFile) return [];
  const source = languageId === 'vue' || languageId === 'svelte' ? onlyScripts(text) : text;
  const tokens = tokenizeSource(source, language);
  const found = findCalls({ text: source, tokens, language }, prints);
  return withLines(source, found);
}

/** The text of a component with spaces instead of all that is no script. */
function onlyScripts(text: string): string {
  const blank = (from: number, to: number) =>
    text.slice(from, to).replace(/[^\n]+/g, (line) => ' '.repeat(line.length));
  let scripts = '';
  for (let from = 0; ;) {
    const tag = text.indexOf('<script', from);
    const start = tag === -1 ? -1 : text.indexOf('>', tag);
    const end = start === -1 ? -1 : text.indexOf('</script', start);
    if (end === -1) return scripts + blank(from, text.length);
    scripts += blank(from, start + 1) + text.slice(start + 1, end);
    from = end;
  }
}

type Found = Omit<LogStatement, 'line'>;

/** Words before a name that is declared here and not called. */
const declaring = new Set('def fun func function fn new class'.split(' '));

function findCalls(source: Source, prints: boolean): Found[] {
  const { text, tokens, language } = source;
  const { blocks, commands, macros } = language;
  /** Whether a call gets a logger by its name: `get('logger')`, `get(LoggerInterface::class)`. */
  const named = ({ call }: Segment): boolean => {
    if (call === undefined || call.to - call.from > 3) return false;
    const from = tokens[call.from]?.start ?? 0;
    const argument = text.slice(from, Math.min(from + 60, tokens[call.to - 1]?.end ?? 0));
    return /^(?:(['"])log(?:ger)?\1|[\w\\]*LoggerInterface::class)$/i.test(argument);
  };
  const names = new Map<string, boolean>();
  const found: Found[] = [];
  for (const [index, { kind, text: method }] of tokens.entries()) {
    if (kind !== 'name') continue;
    const known = names.get(method) ?? canLog(method);
    names.set(method, known);
    if (!known) continue;
    const isMethod = isJoint(tokens[index - 1], language);
    if (!isMethod && !canBegin(tokens, index, language)) continue;
    const macro = macros && tokens[index + 1]?.text === '!';
    const call = argumentsAfter(tokens, macro ? index + 1 : index, {
      commands: commands || /^(?:echo|print)$/.test(method),
      blocks,
      macro,
    });
    const end = call && tokens[call.last]?.end;
    // The start of a chain such as `log.atInfo().log("text")`.
    if (call === undefined || end === undefined || isJoint(tokens[call.last + 1], language))
      continue;
    const { from, segments: chain } = chainBefore(tokens, index, language);
    if (isMethod && chain.length === 0) continue;
    const logging = readLogging({ language, chain, method, macro, named }, prints);
    const start = tokens[from]?.start;
    if (logging === undefined || start === undefined) continue;
    const logged = readCallMessage(source, logging, method, call);
    if (logging.doubtful === true && (logged.message.length === 0 || !standsAlone(tokens, from))) {
      continue;
    }
    found.push({ start, end, ...logged });
  }
  return found;
}

/** Whether a function is called by the name at `index`, and not declared or passed. */
function canBegin(tokens: readonly Token[], index: number, { commands }: Language): boolean {
  if (declaring.has(tokens[index - 1]?.text ?? '')) return false;
  return !commands || standsAlone(tokens, index);
}

/** Whether the result of the call that begins at `from` is not used, and the call is no declaration. */
function standsAlone(tokens: readonly Token[], from: number): boolean {
  const before = tokens[from - 1];
  if (before === undefined) return true;
  const isFirst = tokens[from]?.first === true;
  if (before.kind === 'symbol')
    return !(isFirst ? /^[=(,[+?!]$/ : /^[=(,:[+?!]$/).test(before.text);
  return isFirst || /^(?:else|await|do|then|case|default|begin|ensure)$/.test(before.text);
}

function withLines(text: string, found: readonly Found[]): LogStatement[] {
  let line = 0;
  let position = 0;
  return [...found]
    .sort((a, b) => a.start - b.start)
    .map((statement) => {
      for (; position < statement.start; position++) if (text[position] === '\n') line++;
      return { ...statement, line };
    });
}

/** The longest constant text of a message, in UTF-16 units, and the most parts of one. */
const longestText = 2000;
const mostParts = 64;

/** What a call logs. */
interface Logged {
  readonly severity: Severity | undefined;
  readonly message: readonly MessagePart[];
}

type Parts = readonly MessagePart[];

/** Names of arguments and members that are the message. */
const messageName = /^(?:msg|message|event|messageTemplate)$/;

/** The argument without its name: `message: "text"`. Undefined if its name is another. */
function unnamed({ tokens, language }: Source, arg: TokenRange): TokenRange | undefined {
  const name = tokens[arg.from];
  const sign = tokens[arg.from + 1]?.text ?? '';
  if (!language.namedArguments || name?.kind !== 'name' || !/^[:=]$/.test(sign)) return arg;
  return messageName.test(name.text) ? { from: arg.from + 2, to: arg.to } : undefined;
}

/** The text of the member `message` of an object: `{ level: 'info', message: 'text' }`. */
function readMember(source: Source, arg: TokenRange | undefined): Parts | undefined {
  const open = arg && source.tokens[arg.from];
  if (arg === undefined || open?.text !== '{' || open.pair !== arg.to - 1) return undefined;
  for (const member of splitArguments(source.tokens, { from: arg.from + 1, to: arg.to - 1 })) {
    const name = source.tokens[member.from];
    if (name?.kind !== 'name' || !messageName.test(name.text)) continue;
    return readMessageParts(source, { from: member.from + 2, to: member.to });
  }
  return undefined;
}

/** All arguments, with `between` between them. */
function readAll(source: Source, args: readonly TokenRange[], between: string): Parts {
  const partsOf = (arg: TokenRange): Parts =>
    readMessageParts(source, arg) ?? [{ expression: sourceOf(source, arg) }];
  // `print("text", file=log)`.
  const [first, ...rest] = args.filter((arg) => unnamed(source, arg) === arg);
  if (first === undefined) return [];
  const { parts, used } = fill(source, partsOf(first), source.language.printsFormats ? rest : []);
  return [...parts, ...rest.slice(used).flatMap((arg) => [{ text: between }, ...partsOf(arg)])];
}

/** The severity of an argument such as `Level.INFO` or `'info'`. */
function levelOf({ text, tokens }: Source, arg: TokenRange | undefined): Severity | undefined {
  const last = tokens[(arg?.to ?? 0) - 1];
  if (arg === undefined || last === undefined || arg.to - arg.from > 7) return undefined;
  if (last.kind === 'string' && arg.to - arg.from > 1) return undefined;
  const name = last.kind === 'string' ? text.slice(last.start + 1, last.end - 1) : last.text;
  return severityOf(name.replace(/Level$/, ''));
}

/** The value behind the key `msg`. */
function readPairs(source: Source, args: readonly TokenRange[]): Parts | undefined {
  const key = args.findIndex(
    (arg) => arg.to - arg.from === 1 && /^(?:msg|message)$/.test(nameIn(source, arg)),
  );
  const value = key === -1 ? undefined : args[key + 1];
  return value && readMessageParts(source, value);
}

function nameIn({ text, tokens }: Source, { from }: TokenRange): string {
  return text.slice((tokens[from]?.start ?? 0) + 1, (tokens[from]?.end ?? 0) - 1);
}

/** The first text of the arguments with the values of its placeholders. */
function readFirst(source: Source, args: readonly TokenRange[], most: number): Parts | undefined {
  for (const [index, arg] of args.slice(0, most + 1).entries()) {
    const value = unnamed(source, arg);
    const parts = value && readMessageParts(source, value);
    if (parts === undefined) continue;
    const rest = args.slice(index + 1);
    return (
      (isTag(parts) ? readSentence(source, rest) : undefined) ?? fill(source, parts, rest).parts
    );
  }
  return readMember(source, args[0]);
}

/** Whether a text is one word, as the name of a module is that some loggers take first. */
function isTag(parts: Parts): boolean {
  const [only] = parts;
  return parts.length === 1 && only !== undefined && 'text' in only && /^[\w./-]+$/.test(only.text);
}

/** The text of the next argument if it has several words. */
function readSentence(source: Source, [next, ...rest]: readonly TokenRange[]): Parts | undefined {
  const parts = next && readMessageParts(source, next);
  const isSentence = parts?.some((part) => 'text' in part && /\w\s+\w/.test(part.text)) === true;
  return isSentence ? fill(source, parts, rest).parts : undefined;
}

/** What a call with these arguments logs. */
function readCallMessage(
  source: Source,
  logging: Logging,
  method: string,
  { args, block }: CallArguments,
): Logged {
  const levelFirst = logging.severity === undefined && args.length > 1 ? args.slice(0, 2) : [];
  const levels = levelFirst.map((arg) => levelOf(source, arg));
  const severity = logging.severity ?? levels.find((level) => level !== undefined);
  const rest = logging.severity === undefined && levels[0] !== undefined ? args.slice(1) : args;
  const inBlock = block && readBlock(source, block);
  return { severity, message: tidy(inBlock ?? read(source, logging, method, rest) ?? []) };
}

function read(
  source: Source,
  { message }: Logging,
  method: string,
  args: readonly TokenRange[],
): Parts | undefined {
  if (message === 'words') return readAll(source, args, ' ');
  if (message === 'joined') return readAll(source, args, '');
  if (message === 'pairs') {
    return readPairs(source, args) ?? readFirst(source, args, source.language.mostBefore(method));
  }
  if (message === 'second' && args.length > 1) return readFirst(source, args.slice(1), 0);
  return readFirst(source, args, source.language.mostBefore(method));
}

/** Joins adjacent texts and cuts what is too long. Empty without constant text. */
function tidy(parts: Parts): Parts {
  const result: MessagePart[] = [];
  let length = 0;
  for (const part of parts) {
    const last = result.at(-1);
    if (!('text' in part)) result.push(part);
    else if (part.text !== '') {
      const text = part.text.slice(0, longestText - length);
      length += text.length;
      const joined = last !== undefined && 'text' in last ? last.text : undefined;
      if (joined !== undefined) result.pop();
      result.push({ text: `${joined ?? ''}${text}` });
      if (text.length < part.text.length) return [...result, { expression: '…' }];
    }
    if (result.length >= mostParts) break;
  }
  return result.some((part) => 'text' in part && part.text.trim() !== '') ? result : [];
}
