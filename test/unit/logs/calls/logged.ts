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

/** Code with the statements in it, as `logged` writes them; without any if there are none. */
export type Example = readonly [title: string, code: string, found?: string | readonly string[]];

export function itFinds(languageId: string, examples: readonly Example[]): void {
  for (const [title, code, found = []] of examples) {
    it(title, () => assert.deepEqual(logged(code, languageId), [found].flat()));
  }
}

/** Tests that print-like calls are found only if they are wanted. */
export function itFindsPrints(...[languageId, code, found = []]: Example): void {
  it('prints only if they are wanted', () => {
    assert.deepEqual(logged(code, languageId), []);
    assert.deepEqual(logged(code, languageId, true), [found].flat());
  });
}
