/**
 * The lowest level of test that can prove the handling of a fault: any test (with a simulated server
 * and clock, or with properties), a real connection, or a real VS Code.
 */
export type Level = 'unit' | 'connection' | 'editor';

/**
 * Says in the title of a test which faults it covers, as in `` `ends ${covers('F17, F18', 'unit')}` ``.
 * `catalogue.test.ts` finds the calls, so both arguments are literals.
 * @param _level the level of this test, not the one that the fault needs
 */
export function covers(faults: string, _level: Level): string {
  return `(${faults})`;
}
