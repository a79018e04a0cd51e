import { assert } from 'chai';
import { summariseValues } from '../../../../src/logs/calls/statementFacts';
import type { Fit } from '../../../../src/logs/calls/statementTemplate';

function fits(expression: string, values: readonly string[]): Fit[] {
  return values.map((value) => ({ score: 0, values: [{ expression, value }] }));
}

describe('What an expression held', () => {
  it('is a range of numbers, as they were logged', () => {
    assert.deepEqual(summariseValues(fits('amount', ['12.5', '894.00', '2.10', '13'])), [
      { kind: 'numbers', expression: 'amount', least: '2.10', most: '894.00' },
    ]);
    assert.deepInclude(summariseValues(fits('delta', ['-3', '+10', '0']))[0], {
      least: '-3',
      most: '+10',
    });
  });

  it('is the number of different texts and the most frequent', () => {
    assert.deepEqual(summariseValues(fits('region', ['eu', 'us', '7', 'us', ''])), [
      { kind: 'texts', expression: 'region', distinct: 3, mostFrequent: 'us', count: 2, total: 4 },
    ]);
    assert.deepInclude(summariseValues(fits('region', ['eu', 'us', 'us', 'eu']))[0], {
      mostFrequent: 'us',
      count: 2,
    });
    const [long] = summariseValues(fits('text', ['x'.repeat(200)]));
    assert.deepInclude(long, { mostFrequent: `${'x'.repeat(60)}…` });
  });

  it('is left out if it held nothing, or no record fits', () => {
    assert.isEmpty(summariseValues(fits('error', ['', ''])));
    assert.isEmpty(summariseValues([]));
  });
});
