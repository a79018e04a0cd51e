import { assert } from 'chai';
import fc from 'fast-check';
import { loadAround } from '../../../../src/logs/explorer/recordsAround';
import { idAt } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { isNewer, numbersOf, searched, startedAt } from './searched';

const container = 'a'.repeat(64);
const other = 'b'.repeat(64);
const { signal } = new AbortController();
const now = Date.parse('2026-12-20T12:00:00Z');

async function setup(spacing: (index: number) => number, records: number) {
  const { server, client } = searched();
  for (let index = 0; index < records; index++) {
    const timestamp = new Date(startedAt + spacing(index)).toISOString();
    server.append(1, { timestamp, containerId: index % 2 === 0 ? container : other });
  }
  const all = await client.queryLogs(
    { filters: { from: '2026-11-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }, limit: 500 },
    { signal, priority: 'person' },
  );
  const around = async (number: number, count: number) => {
    const record = all.records.find(({ eventId }) => eventId === idAt(number));
    if (record === undefined) assert.fail(`There is no record ${number}.`);
    const { before, behind, ...found } = await loadAround(client, record, count, now, signal);
    const known = found.record ?? record;
    return { ...found, records: [...before, known, ...behind] };
  };
  return { server, around };
}

describe('context of a record', () => {
  it('contains the records of its container', async () => {
    const { around } = await setup((index) => index * 1000, 40);
    const { records, partial } = await around(20, 3);
    assert.deepEqual(numbersOf(records), [14, 16, 18, 20, 22, 24, 26]);
    assert.isFalse(partial);
  });

  it('is correct when a search for newer records does not start at the oldest', async () => {
    const { server, around } = await setup((index) => index * 700, 60);
    server.on.page = (page, request) =>
      isNewer(request) ? { ...page, records: page.records.slice(-2) } : page;
    const { records, partial } = await around(20, 3);
    assert.deepEqual(numbersOf(records), [14, 16, 18, 20, 22, 24, 26]);
    assert.isFalse(partial);
  });

  it('is shorter at the ends of the log', async () => {
    const { around } = await setup((index) => index * 1000, 10);
    assert.deepEqual(numbersOf((await around(0, 3)).records), [0, 2, 4, 6]);
    const last = await around(8, 2);
    assert.deepEqual(numbersOf(last.records), [4, 6, 8]);
  });

  it('contains each record once, in order, for any timestamps', async () => {
    const gaps = fc.array(fc.constantFrom<number[]>(0, 0, 0, 1, 5), {
      minLength: 20,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 0, max: 9 }), async (all, half) => {
        const times = all.map((_, index) => all.slice(0, index).reduce((sum, gap) => sum + gap, 0));
        const { around } = await setup((index) => times[index] ?? 0, 20);
        const { records } = await around(half * 2, 2);
        const found = numbersOf(records);
        assert.include(found, half * 2);
        assert.deepEqual(
          found,
          [...new Set(found)].sort((a, b) => a - b),
        );
      }),
      { numRuns: 100 },
    );
  });

  it(`contains no records with other permissions ${covers('F30', 'unit')}`, async () => {
    const { server, around } = await setup((index) => index * 1000, 20);
    server.on.page = (page, request) =>
      'direction' in request && request.direction === 'newer'
        ? { ...page, accessRevision: 'another' }
        : page;
    const { records, partial } = await around(10, 2);
    assert.deepEqual(numbersOf(records), [6, 8, 10]);
    assert.isTrue(partial);
  });

  it('is found when the record is gone', async () => {
    const { server, around } = await setup((index) => index * 1000, 20);
    server.on.page = (page) => ({
      ...page,
      records: page.records.filter(({ eventId }) => eventId !== idAt(10)),
    });
    const { record, records } = await around(10, 2);
    assert.isUndefined(record);
    assert.deepEqual(numbersOf(records), [6, 8, 10, 12, 14]);
  });

  it('takes two requests in a long log, and does not look through it for one that is gone', async () => {
    const { server, around } = await setup((index) => index * 1000, 2000);
    for (const isGone of [false, true]) {
      server.on.page = (page) => ({
        ...page,
        records: page.records.filter(({ eventId }) => !isGone || eventId !== idAt(1800)),
      });
      const { length } = server.queries;
      assert.equal((await around(1800, 20)).record === undefined, isGone);
      assert.isAtMost(server.queries.length - length, isGone ? 8 : 2);
    }
  });
});
