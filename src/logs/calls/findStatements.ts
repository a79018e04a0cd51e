import type { Severity } from '../../api/types';
import { type Segment, argumentsAfter, chainBefore, isJoint } from './calls';
import { familyOf } from './codeFiles';
import type { Source } from './expressions';
import { type Family, languages } from './languages';
import { canLog, readLogging } from './loggers';
import { readCallMessage } from './callMessage';
import type { MessagePart } from './placeholders';
import { type Token, tokenize } from './tokens';

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

interface StatementOptions {
  /** Whether calls that print count, too: `print()`, `System.out.println()`, `puts`. */
  readonly prints: boolean;
}

/**
 * Finds the logging calls in source text, in order. Takes linear time, and accepts any text: code that is
 * broken has the calls that can be read. Empty for other languages and for files that are too long.
 *
 * @param languageId the id that VS Code has for the language.
 */
export function findStatements(
  text: string,
  languageId: string,
  { prints }: StatementOptions = { prints: false },
): readonly LogStatement[] {
  const family = familyOf(languageId);
  if (family === undefined || text.length > longestFile) return [];
  const source = languageId === 'vue' || languageId === 'svelte' ? onlyScripts(text) : text;
  const found = findCalls(
    { text: source, tokens: tokenize(source, languages[family]), family },
    prints,
  );
  return withLines(source, found);
}

/** The text of a component with spaces instead of all that is no script. */
function onlyScripts(text: string): string {
  const blank = (from: number, to: number) => text.slice(from, to).replace(/[^\n]/g, ' ');
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
  const { text, tokens, family } = source;
  const { blocks } = languages[family];
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
    const isMethod = isJoint(tokens[index - 1], family);
    if (!isMethod && !canBegin(tokens, index, family)) continue;
    const macro = family === 'rust' && tokens[index + 1]?.text === '!';
    const call = argumentsAfter(tokens, macro ? index + 1 : index, {
      commands: languages[family].commands || /^(?:echo|print)$/.test(method),
      blocks,
      macro,
    });
    const end = call && tokens[call.last]?.end;
    // The start of a chain such as `log.atInfo().log("text")`.
    if (call === undefined || end === undefined || isJoint(tokens[call.last + 1], family)) continue;
    const { from, segments: chain } = chainBefore(tokens, index, family);
    if (isMethod && chain.length === 0) continue;
    const logging = readLogging({ family, chain, method, macro, named }, prints);
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
function canBegin(tokens: readonly Token[], index: number, family: Family): boolean {
  if (declaring.has(tokens[index - 1]?.text ?? '')) return false;
  return !languages[family].commands || standsAlone(tokens, index);
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
    .sort((one, other) => one.start - other.start)
    .map((statement) => {
      for (; position < statement.start; position++) if (text[position] === '\n') line++;
      return { ...statement, line };
    });
}
