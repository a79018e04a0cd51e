import { assert } from 'chai';
import { compareNames, createNumbers, nearest } from '../../../src/base/textFormat';
import { t } from '../trees/treeText';

function keysIn(textLocale: string, count: number): string {
  const { counted } = createNumbers(t, 'en', textLocale);
  return counted(count, '{0} key of {1}', '{0} keys of {1}', 'x');
}

describe('A counted text', () => {
  it('has the plural form for the number in the language of the texts', () => {
    const counts = [0, 1, 2, 1_000_000];
    const english = ['0 keys of x', '1 key of x', '2 keys of x', '1,000,000 keys of x'];
    for (const language of ['en', 'de', 'es']) {
      assert.deepEqual(
        counts.map((count) => keysIn(language, count)),
        english,
        language,
      );
    }
    // In French, 0 is singular too; a million has its own category, which uses the plural.
    assert.deepEqual(
      counts.map((count) => keysIn('fr', count)),
      ['0 key of x', '1 key of x', '2 keys of x', '1,000,000 keys of x'],
    );
    // These languages have one form, the one for all other numbers.
    for (const language of ['ja', 'zh-cn']) assert.equal(keysIn(language, 1), '1 keys of x');
  });

  it('formats its number for the language of the editor, whatever the language of the texts', () => {
    const { counted, number } = createNumbers(t, 'de', 'en');
    assert.equal(counted(12_345, '{0} key', '{0} keys'), '12.345 keys');
    assert.equal(number(12_345), '12.345');
    assert.equal(number(2.5, { minimumFractionDigits: 2 }), '2,50');
  });

  it('is English if the editor has an unknown language', () => {
    const { counted } = createNumbers(t, 'not a language', '?');
    assert.equal(counted(1, '{0} key', '{0} keys'), '1 key');
  });
});

describe('Names in lists', () => {
  it('are in the order in which people count, ignoring case', () => {
    const sorted = ['Rule 0', 'rule 1', 'Rule 2', 'rule 10', 'rule 11', 'web-1', 'Web-2'];
    assert.deepEqual([...sorted].reverse().sort(compareNames), sorted);
  });

  it('have one order, also if they differ in case or leading zeros only', () => {
    const alike = ['API', 'Api', 'api', 'v01', 'v1'];
    assert.deepEqual([...alike].reverse().sort(compareNames), alike);
    assert.equal(compareNames('api', 'api'), 0);
  });
});

const fields = ['workload', 'server', 'severity', 'service', 'env', 'stream', 'trace', 'last'];

describe('nearest word', () => {
  for (const [typed, meant] of [
    ['wrkload', 'workload'],
    ['Worklaod', 'workload'],
    ['severty', 'severity'],
    ['serverity', 'severity'],
    ['servr', 'server'],
    ['evn', 'env'],
    ['traec', 'trace'],
    ['lst', 'last'],
    ['status', undefined],
    ['http', undefined],
    ['to', undefined],
    ['', undefined],
    ['w'.repeat(100_000), undefined],
  ] as const) {
    it(`to ${typed.slice(0, 10)} is ${meant ?? 'none'}`, () =>
      assert.equal(nearest(typed, fields), meant));
  }
});
