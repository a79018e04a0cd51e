import { argumentsAfter, chainBefore } from './calls';
import { languageOf } from './languages';
import type { LogStatement } from './logStatement';
import { type Family, canLog, readLogging } from './loggers';
import { type Source, readMessage } from './messages';
import { tokenize } from './tokens';

/** Longer files are not read. In UTF-16 units. */
export const longestFile = 1_048_576;

export interface StatementOptions {
  /** Whether calls that print count, too: `print()`, `System.out.println()`, `puts`. */
  readonly prints: boolean;
}

const families: Readonly<Record<string, Family>> = {
  javascript: 'javascript',
  javascriptreact: 'javascript',
  typescript: 'javascript',
  typescriptreact: 'javascript',
};

/** The ids that VS Code has for the languages whose logging calls are found. */
export const statementLanguages: readonly string[] = Object.keys(families);

/**
 * Finds the logging calls in source text, in order. Takes linear time, and accepts any text: code that is
 * broken has the calls that can be read. Empty for other languages and for files that are too long.
 *
 * @param languageId the id that VS Code has for the language.
 */
export function findStatements(
  text: string,
  languageId: string,
  _options: StatementOptions = { prints: false },
): readonly LogStatement[] {
  const family = families[languageId];
  const language = family === undefined ? undefined : languageOf(family);
  if (family === undefined || language === undefined || text.length > longestFile) return [];
  const tokens = tokenize(text, language);
  const source: Source = { text, tokens, family };
  const found: LogStatement[] = [];
  let line = 0;
  let lineOf = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name' || !canLog(token.text)) continue;
    const chain = chainBefore(tokens, index);
    const logging = readLogging(family, chain.segments, token.text);
    if (logging === undefined) continue;
    const call = argumentsAfter(tokens, index, { blocks: false, commands: false });
    const start = tokens[chain.from]?.start;
    const end = call && tokens[call.last]?.end;
    if (call === undefined || start === undefined || end === undefined) continue;
    for (; lineOf < start; lineOf++) if (text[lineOf] === '\n') line++;
    const message = readMessage(source, logging, call.args);
    found.push({ start, end, line, severity: logging.severity, message });
  }
  return found;
}
