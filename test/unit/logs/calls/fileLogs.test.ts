import { assert } from 'chai';
import { minute } from '../../../../src/base/clock';
import type { LogRecord } from '../../../../src/api/types';
import {
  allRecords,
  type FileSearch,
  fileSearches,
  findFileRecords,
} from '../../../../src/logs/calls/fileLogs';
import { fakeClock } from '../../fakeClock';
import { clientOf, logServer } from '../logServer';
import { message, statement } from './message';

const statements = [
  statement(message`order ${'id'} charged`, { line: 3 }),
  statement(message`order ${'id'} refunded`, { line: 5 }),
  statement(message`never logged`, { line: 7 }),
];
const { searches } = fileSearches('src/orders.ts', statements, []);

function setup() {
  const clock = fakeClock();
  const server = logServer({ clock });
  const client = clientOf(server, clock);
  const { signal } = new AbortController();
  const progress: number[] = [];
  return {
    server,
    progress,
    /** Writes each body a second after the one before. */
    log: async (...bodies: string[]): Promise<void> => {
      for (const body of bodies) {
        server.admin.emit([{ body }]);
        await clock.advance(1000);
      }
    },
    find: (asked: readonly FileSearch[] = searches) =>
      findFileRecords({
        client,
        searches: asked,
        from: new Date(clock.now() - minute).toISOString(),
        to: new Date(clock.now()).toISOString(),
        isFile: (path) => Promise.resolve(path.endsWith('src/orders.ts')),
        signal,
        onProgress: (done) => progress.push(done),
      }),
  };
}

const bodiesOf = (records: readonly LogRecord[]): string[] => records.map(({ body }) => body);

describe('The records of a file', () => {
  it('are found by its frames and its statements, the newest first', async () => {
    const { log, find } = setup();
    const crash = 'a crash\n at web/src/orders.ts:3';
    await log('order 1 refunded', 'order 1 charged', crash, 'order 2 charged');
    const found = await find();
    assert.deepEqual(
      found.map(({ search, records }) => [search.statement?.line, bodiesOf(records)]),
      [
        [3, ['order 2 charged', 'order 1 charged']],
        [undefined, [crash]],
        [5, ['order 1 refunded']],
      ],
    );
    assert.isFalse(found.some(({ hasMore }) => hasMore));
  });

  it('are not all if the server has more than a page', async () => {
    const { server, log, find } = setup();
    server.admin.emit(Array.from({ length: 500 }, () => ({ body: 'order 1 charged' })));
    await log('order 2 charged');
    const [found] = await find();
    assert.lengthOf(found?.records ?? [], 500);
    assert.isTrue(found?.hasMore);
  });

  it('are found by frames in a structured body, too', async () => {
    const { log, find } = setup();
    const exception =
      'Traceback (most recent call last):\n  File "/app/src/orders.ts", line 3, in f';
    const body = JSON.stringify({ message: 'a crash', exception });
    await log(body);
    const [only, ...more] = await find();
    assert.isEmpty(more);
    assert.deepEqual(bodiesOf(only?.records ?? []), [body]);
  });

  it('are only those that are in the file', async () => {
    const { log, find } = setup();
    await log('see docs/orders.ts', 'charged order 1', 'never logged again');
    const [only, ...more] = await find();
    assert.isEmpty(more);
    assert.deepEqual(bodiesOf(only?.records ?? []), ['never logged again']);
  });

  it('are listed once each, oldest first', async () => {
    const { log, find } = setup();
    await log('order 1 charged', 'order 2 charged and order 3 refunded', 'order 4 refunded');
    const found = await find();
    assert.equal(found.flatMap(({ records }) => records).length, 4);
    assert.deepEqual(bodiesOf(allRecords(found)), [
      'order 1 charged',
      'order 2 charged and order 3 refunded',
      'order 4 refunded',
    ]);
  });

  it('need one request for each search, a few at a time', async () => {
    const { server, progress, find } = setup();
    const [first = assert.fail()] = searches;
    await find(Array.from({ length: 8 }, () => first));
    assert.lengthOf(server.queries, 8);
    assert.deepEqual(progress, [0, 4]);
  });
});

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
