import type { LogStatement } from '../../../../src/logs/calls/findStatements';
import type { MessagePart } from '../../../../src/logs/calls/expressions';

/** The message of a statement: message`order ${'id'} placed`, with the sources of its expressions. */
export function message(texts: TemplateStringsArray, ...expressions: string[]): MessagePart[] {
  return texts.flatMap((text, index) => {
    const expression = expressions[index];
    return [
      ...(text === '' ? [] : [{ text }]),
      ...(expression === undefined ? [] : [{ expression }]),
    ];
  });
}

/** A statement with this message, and the changes of a test. */
export function statement(
  parts: readonly MessagePart[],
  changes: Partial<LogStatement> = {},
): LogStatement {
  return { start: 0, end: 10, line: 0, severity: undefined, message: parts, ...changes };
}
