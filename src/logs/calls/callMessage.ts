import type { Severity } from '../../api/types';
import { type CallArguments, type TokenRange, splitArguments } from './calls';
import { type Source, fill, readBlock, readText, sourceOf } from './expressions';
import type { MessagePart } from './placeholders';
import { type Logging, severityOf } from './loggers';

/** The longest constant text of a message, in UTF-16 units, and the most parts of one. */
const longestText = 2000;
const mostParts = 64;

/** What a call logs. */
export interface Logged {
  readonly severity: Severity | undefined;
  readonly message: readonly MessagePart[];
}

type Parts = readonly MessagePart[];

/** Names of arguments and members that are the message. */
const messageName = /^(?:msg|message|event|messageTemplate)$/;

/** The argument without its name: `message: "text"`. Undefined if its name is another. */
function unnamed({ tokens, family }: Source, arg: TokenRange): TokenRange | undefined {
  const name = tokens[arg.from];
  const sign = tokens[arg.from + 1]?.text ?? '';
  if (family === 'rust' || name?.kind !== 'name' || !/^[:=]$/.test(sign)) return arg;
  return messageName.test(name.text) ? { from: arg.from + 2, to: arg.to } : undefined;
}

/** The text of the member `message` of an object: `{ level: 'info', message: 'text' }`. */
function readMember(source: Source, arg: TokenRange | undefined): Parts | undefined {
  const open = arg && source.tokens[arg.from];
  if (arg === undefined || open?.text !== '{' || open.pair !== arg.to - 1) return undefined;
  for (const member of splitArguments(source.tokens, { from: arg.from + 1, to: arg.to - 1 })) {
    const name = source.tokens[member.from];
    if (name?.kind !== 'name' || !messageName.test(name.text)) continue;
    return readText(source, { from: member.from + 2, to: member.to });
  }
  return undefined;
}

/** All arguments, with `between` between them. */
function readAll(source: Source, args: readonly TokenRange[], between: string): Parts {
  const partsOf = (arg: TokenRange): Parts =>
    readText(source, arg) ?? [{ expression: sourceOf(source, arg) }];
  // `print("text", file=log)`.
  const [first, ...rest] = args.filter((arg) => unnamed(source, arg) === arg);
  if (first === undefined) return [];
  const { parts, used } = fill(source, partsOf(first), source.family === 'javascript' ? rest : []);
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
  return value && readText(source, value);
}

function nameIn({ text, tokens }: Source, { from }: TokenRange): string {
  return text.slice((tokens[from]?.start ?? 0) + 1, (tokens[from]?.end ?? 0) - 1);
}

/** How many arguments can be before the message. */
function mostBefore({ family }: Source, method: string): number {
  if (family === 'python') return /^(?:log|err)$/.test(method) ? 1 : 0;
  if (family === 'ruby' || family === 'php') return 1;
  return family === 'rust' ? 30 : 3;
}

/** The first text of the arguments with the values of its placeholders. */
function readFirst(source: Source, args: readonly TokenRange[], most: number): Parts | undefined {
  for (const [index, arg] of args.slice(0, most + 1).entries()) {
    const value = unnamed(source, arg);
    const parts = value && readText(source, value);
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
  const parts = next && readText(source, next);
  const isSentence = parts?.some((part) => 'text' in part && /\w\s+\w/.test(part.text)) === true;
  return isSentence ? fill(source, parts, rest).parts : undefined;
}

/** What a call with these arguments logs. */
export function readCallMessage(
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
    return readPairs(source, args) ?? readFirst(source, args, mostBefore(source, method));
  }
  if (message === 'second' && args.length > 1) return readFirst(source, args.slice(1), 0);
  return readFirst(source, args, mostBefore(source, method));
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
