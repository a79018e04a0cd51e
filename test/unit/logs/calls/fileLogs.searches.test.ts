import { assert } from 'chai';
import { fileSearches } from '../../../../src/logs/calls/fileLogs';
import { message, statement } from './message';

const app = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';

describe('The searches for the records of a file', () => {
  it('begin with its name in stack frames, then its most specific statements', () => {
    const statements = [
      statement(message`order ${'id'}`, { line: 1 }),
      statement(message`${'error'}`, { line: 2 }),
      statement(message`could not charge ${'id'}`, { line: 3, severity: 'error' }),
      statement(message`could not charge ${'id'}`, { line: 4, severity: 'error' }),
    ];
    const { searches, leftOut } = fileSearches('web/src/orders.ts', statements, [app]);
    assert.deepEqual(
      searches.map(({ filter, statement: found }) => [found?.line, filter]),
      [
        [undefined, { workloadIds: [app], search: 'orders.ts' }],
        [3, { severities: ['error', 'unknown'], workloadIds: [app], search: 'could not charge' }],
        [1, { workloadIds: [app], search: 'order' }],
      ],
    );
    assert.equal(leftOut, 0);
  });

  it('have the folder of a file whose name is common', () => {
    const textOf = (path: string): string | undefined =>
      fileSearches(path, [], []).searches[0]?.filter.search;
    assert.equal(textOf('web/src/routes/index.ts'), 'routes/index.ts');
    assert.equal(textOf('main.go'), 'main.go');
    assert.equal(textOf('src/com/example/Orders.java'), 'Orders.java');
  });

  it('are at most eight, and say how many more there are', () => {
    const statements = Array.from({ length: 12 }, (_, index) =>
      statement([{ text: `message ${'abcdefghijkl'.slice(index)}` }]),
    );
    const { searches, leftOut } = fileSearches('a.ts', statements, []);
    assert.lengthOf(searches, 8);
    assert.equal(leftOut, 5);
  });
});
