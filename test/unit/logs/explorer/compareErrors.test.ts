import { assert } from 'chai';
import { hour } from '../../../../src/base/clock';
import type { LogRecord } from '../../../../src/api/types';
import { compareErrors } from '../../../../src/logs/explorer/compareErrors';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import { settle } from '../../fakeClock';
import { sampleRecord } from '../sampleRecord';

/** So many errors with each of these bodies; `#` becomes another number in each. */
function errors(counts: Record<string, number>): LogRecord[] {
  return Object.entries(counts).flatMap(([body, count]) =>
    Array.from({ length: count }, (_, index) =>
      sampleRecord({
        eventId: `${body} ${index}`,
        severity: 'error',
        body: body.replace('#', String(index + 10)),
      }),
    ),
  );
}

async function compare(
  before: Record<string, number>,
  now: Record<string, number>,
  lengths = [1, 1],
) {
  const [beforeLength = 1, nowLength = 1] = lengths;
  const result = await compareErrors(
    { records: errors(before), length: beforeLength * hour },
    { records: errors(now), length: nowLength * hour },
    async (records, patterns) => {
      const find = () => Promise.resolve(undefined);
      const groups = new ErrorGroups(settle, find, patterns);
      await groups.add(records);
      return groups;
    },
  );
  return {
    added: result.added.map(({ template, count }) => `${count} ${template}`),
    gone: result.gone.map(({ template, count }) => `${count} ${template}`),
    more: result.more.map(({ now, factor }) => `${factor}× ${now.template}`),
    fewer: result.fewer.map(({ now, factor }) => `${factor}× ${now.template}`),
    same: result.same.map(({ now }) => now.template),
  };
}

describe('comparison of the errors of two deployments', () => {
  it('finds new, gone and common kinds of messages', async () => {
    const result = await compare(
      { 'timeout after # ms': 3, 'no route': 2 },
      { 'timeout after # ms': 4, 'out of memory: #': 7 },
    );
    assert.deepEqual(result.added, ['7 out of memory: <n>']);
    assert.deepEqual(result.gone, ['2 no route']);
    assert.deepEqual(result.same, ['timeout after <n> ms']);
  });

  it('finds a kind again whose pattern is more general in one of the samples', async () => {
    const result = await compare(
      { 'the owner of a cart is lost': 3 },
      Object.fromEntries(
        ['price', 'tax', 'coupon', 'address'].map((name) => [`the ${name} of a cart is lost`, 1]),
      ),
    );
    assert.deepEqual([result.added, result.gone], [[], []]);
    assert.lengthOf([...result.more, ...result.fewer, ...result.same], 1);
  });

  it('compares frequencies by the length of the periods', async () => {
    // Ten in an hour are twice as often as ten in two hours.
    assert.deepEqual((await compare({ slow: 10 }, { slow: 10 }, [2, 1])).more, ['2× slow']);
    assert.deepEqual((await compare({ slow: 10 }, { slow: 10 }, [1, 4])).fewer, ['0.25× slow']);
    assert.deepEqual((await compare({ slow: 10 }, { slow: 20 }, [1, 2])).same, ['slow']);
  });

  it('counts few errors as about the same', async () => {
    assert.deepEqual((await compare({ slow: 1 }, { slow: 4 })).same, ['slow']);
    assert.deepEqual((await compare({ slow: 1 }, { slow: 5 })).more, ['5× slow']);
  });

  it('works without errors and without a period', async () => {
    assert.deepEqual(await compare({}, {}), { added: [], gone: [], more: [], fewer: [], same: [] });
    assert.deepEqual((await compare({ slow: 10 }, { slow: 10 }, [0, 0])).same, ['slow']);
  });
});
