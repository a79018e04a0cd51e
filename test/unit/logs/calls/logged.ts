import { assert } from 'chai';
import { findStatements } from '../../../../src/logs/calls/findStatements';
import type { MessagePart } from '../../../../src/logs/calls/expressions';

/** A message with its expressions in `<…>`. */
export function written(message: readonly MessagePart[]): string {
  return message.map((part) => ('text' in part ? part.text : `<${part.expression}>`)).join('');
}

/** The statements of a text as `severity: message`, with `-` for no severity. */
export function logged(text: string, languageId: string, prints = false): string[] {
  return findStatements(text, languageId, { prints }).map(
    ({ severity, message }) => `${severity ?? '-'}: ${written(message)}`,
  );
}

/** Tests for code of a language, each with the statements in it. */
export function itFinds(
  languageId: string,
  cases: readonly (readonly [title: string, code: string, ...expected: string[]])[],
): void {
  for (const [title, code, ...expected] of cases) {
    it(title, () => assert.deepEqual(logged(code, languageId), expected));
  }
}

/** Tests that print-like calls are found only if they are wanted. */
export function itFindsPrints(languageId: string, code: string, ...expected: string[]): void {
  it('prints only if they are wanted', () => {
    assert.deepEqual(logged(code, languageId), []);
    assert.deepEqual(logged(code, languageId, true), expected);
  });
}
