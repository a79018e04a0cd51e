import { assert } from 'chai';
import type { LogRecord, Severity } from '../../../../src/api/types';
import {
  buckets,
  findPatterns,
  PatternFilter,
  type RecordPattern,
  RecordPatterns,
} from '../../../../src/logs/explorer/recordPatterns';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

const start = Date.parse('2026-11-20T12:00:00Z');

function record(at: number, body: string, severity: Severity = 'info'): LogRecord {
  const timestamp = new Date(start + at).toISOString();
  return sampleRecord({ eventId: String(at), timestamp, body, severity });
}

async function find(
  records: readonly LogRecord[],
  pause = () => Promise.resolve(),
): Promise<readonly RecordPattern[]> {
  return (await findPatterns(records, new RecordPatterns(), pause, () => true)) ?? [];
}

describe('findPatterns', () => {
  it('groups records by message with count, severity and range, the most frequent first', async () => {
    const records = [
      record(0, 'charged 12.50 EUR'),
      record(1, 'no stock of item 7', 'warn'),
      record(2, 'charged 3 EUR', 'error'),
      record(3, 'charged 99 EUR'),
    ];
    const found = await find(records);
    assert.deepEqual(
      found.map(({ template, count, severity }) => [template, count, severity]),
      [
        ['charged <n> EUR', 3, 'error'],
        ['no stock of item <n>', 1, 'warn'],
      ],
    );
    assert.equal(found[0]?.first, records[0]);
    assert.equal(found[0]?.last, records[3]);
  });

  it('counts records over the range of all records', async () => {
    const records = [record(0, 'a 1'), ...[0, 1, 2].map(() => record(1000, 'a 2'))];
    const [found] = await find(records);
    assert.equal(found?.counts.length, buckets);
    assert.deepEqual([found?.counts[0], found?.counts[buckets - 1]], [1, 3]);
  });

  it('counts records without a valid time', async () => {
    const [found] = await find([{ ...record(0, 'a'), timestamp: 'never' }]);
    assert.deepEqual([found?.count, found?.counts.some((count) => count > 0)], [1, false]);
  });

  it(`groups many records in pieces, so that other tasks run ${covers('F76', 'unit')}`, async () => {
    const bodies = ['request completed', 'charged 12.50 EUR for order 9f86d081884c7d65', 'a "b" c'];
    const records = Array.from({ length: 10_000 }, (_, index) =>
      record(index, `${bodies[index % 3]} ${index} in ${index % 97} ms at 10.0.0.${index % 255}`),
    );
    let pauses = 0;
    const found = await find(records, () => {
      pauses++;
      return Promise.resolve();
    });
    assert.lengthOf(found, 3);
    // All are read before any is counted, because each may make a pattern more general.
    assert.equal(pauses, 99 + 99);
  });

  it(`stops when the records are no longer the ones to show ${covers('F63', 'unit')}`, async () => {
    const records = Array.from({ length: 1000 }, (_, index) => record(index, `order ${index}`));
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    const patterns = new RecordPatterns();
    assert.isUndefined(await findPatterns(records, patterns, pause, () => pauses < 3));
    assert.equal(pauses, 3);
  });

  it('returns harmless texts', async () => {
    const [found] = await find([record(0, 'a\u202eb')]);
    assert.equal(found?.template, 'a\\u{202e}b');
  });
});

describe('pattern filter', () => {
  const charged = (at: number): LogRecord => record(at, `charged ${at} EUR`);
  const refunded = (at: number): LogRecord => record(at, `refunded ${at} EUR`);
  const [first, second] = [charged(0), refunded(1)] as const;
  const search = {};

  function filterOf(...records: LogRecord[]): PatternFilter {
    const filter = new PatternFilter();
    filter.replaced(records, search);
    return filter;
  }

  it('hides a pattern and shows it again', () => {
    const filter = filterOf(first, second);
    filter.toggle(charged(50));
    assert.deepEqual(filter.records, [second]);
    filter.toggle(charged(50));
    assert.deepEqual(filter.records, [first, second]);
  });

  it('shows only one pattern, and then each that is shown again', () => {
    const third = record(2, 'no stock');
    const filter = filterOf(first, second, third);
    filter.only(charged(52));
    assert.deepEqual(filter.records, [first]);
    assert.deepEqual([filter.shows(first), filter.shows(second)], [true, false]);
    filter.toggle(refunded(51));
    assert.deepEqual(filter.records, [first, second]);
    filter.toggle(charged(50));
    assert.deepEqual(filter.records, [second]);
  });

  it('stays when records are loaded again, and ends with another search', () => {
    const filter = filterOf(first, second);
    filter.toggle(charged(50));
    filter.replaced([first, second, charged(2)], search);
    assert.deepEqual(filter.records, [second]);
    filter.replaced([first, second], {});
    assert.deepEqual(filter.records, [first, second]);
  });

  it('shows all records around one of them, and then the same results as before', () => {
    const filter = filterOf(first, second);
    filter.only(charged(52));
    filter.replaced([second, first], first);
    assert.deepEqual(filter.records, [second, first]);
    filter.replaced([first, second], search);
    assert.deepEqual(filter.records, [first]);
  });

  describe('with a pattern that becomes more general', () => {
    const names = ['mail', 'stock', 'price', 'tax', 'cart'];
    const begun = (at: number): LogRecord =>
      record(at, `worker ${names[at] ?? ''} has begun its work`);
    const four = [0, 1, 2, 3].map(begun);
    const general = 'worker <value> has begun its work';

    it('hides the others with it that are the same now, and shows them all again', () => {
      const filter = filterOf(...four, second);
      filter.toggle(four[0] ?? second);
      assert.deepEqual(filter.records, [...four.slice(1), second]);
      const now = [...four, second, begun(4)];
      assert.isUndefined(filter.added('newer', now.slice(-1), [], now));
      assert.deepEqual(filter.records, [second]);
      filter.toggle(begun(4));
      assert.deepEqual(filter.records, now);
    });

    it('says how the list changed if that is all', () => {
      const filter = filterOf(...four);
      filter.toggle(second);
      const now = [...four, second, begun(4)];
      const change = filter.added('newer', now.slice(-2), four.slice(0, 1), now.slice(1));
      assert.deepEqual(change, { added: now.slice(-1), dropped: 1, grown: [] });
      assert.deepEqual(filter.records, [...four.slice(1), begun(4)]);
    });

    it('hides what has come with it', () => {
      const filter = filterOf(first);
      filter.toggle(first);
      const now = [first, record(1, 'charged 6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102 EUR')];
      assert.deepEqual(filter.added('newer', now.slice(1), [], now), {
        added: [],
        dropped: 0,
        grown: [],
      });
      assert.isEmpty(filter.records);
    });

    it('finds a record of it by the key that it has, and by the one that it had', () => {
      const patterns = new RecordPatterns();
      const all = [second, ...four, begun(4)];
      const before = all.map((one) => patterns.of(one).key);
      const now = patterns.of(begun(4)).key;
      assert.strictEqual(patterns.recordOf(all, now), four[0]);
      assert.strictEqual(patterns.recordOf(all, before[3] ?? ''), four[2]);
      const ended = new RecordPatterns().of(record(9, 'worker mail has ended its work'));
      for (const key of [ended.key, general]) assert.isUndefined(patterns.recordOf(all, key));
    });

    it('groups all records again if others come meanwhile', async () => {
      const patterns = new RecordPatterns();
      const records = [...four, ...Array.from({ length: 2000 }, (_, index) => charged(index + 10))];
      let pauses = 0;
      const pause = (): Promise<void> => {
        // After all were read, and while they are counted.
        if (++pauses === 21) patterns.of(begun(4));
        return Promise.resolve();
      };
      const found = await findPatterns(records, patterns, pause, () => true);
      assert.deepEqual(
        found?.map(({ template, count }) => [template, count]),
        [
          ['charged <n> EUR', 2000],
          [general, 4],
        ],
      );
    });
  });

  it('counts only shown records as added and dropped', () => {
    const before = [charged(0), refunded(1), charged(2), refunded(3)];
    const filter = filterOf(...before);
    filter.toggle(charged(50));
    const newer = [charged(4), refunded(5)];
    const now = [...before.slice(3), ...newer];
    assert.deepEqual(filter.added('newer', newer, before.slice(0, 3), now), {
      added: newer.slice(1),
      dropped: 1,
      grown: [],
    });
    assert.deepEqual(filter.records, [...before.slice(3), ...newer.slice(1)]);
    const older = [refunded(8), charged(9)];
    const added = filter.added('older', older, [], [...older, ...now]);
    assert.deepEqual(added, { added: older.slice(0, 1), dropped: 0, grown: [] });
    assert.deepEqual(filter.records, [...older.slice(0, 1), ...before.slice(3), ...newer.slice(1)]);
  });

  it('shows an entry that has more text now in its place, or hides it with its new pattern', () => {
    const began = record(0, 'charging 7 EUR');
    const filter = filterOf(began, second);
    const now = record(0, 'charging 7 EUR\n  at a (/app/a.ts:1:2)');
    filter.toggle(record(5, 'no stock'));
    const grown = [{ before: began, now }];
    assert.deepEqual(filter.added('newer', [], [], [now, second], grown), {
      added: [],
      dropped: 0,
      grown: [now],
    });
    assert.deepEqual(filter.records, [now, second]);
    filter.toggle(first);
    const charge = record(0, first.body);
    const again = [{ before: now, now: charge }];
    assert.isUndefined(filter.added('newer', [], [], [charge, second], again));
    assert.deepEqual([filter.records, filter.hidden], [[second], 1]);
  });

  it(`does not look at all records each time ${covers('F76', 'unit')}`, () => {
    const filter = filterOf(first, second);
    assert.equal(filter.records, filter.records);
    filter.toggle(charged(50));
    assert.equal(filter.records, filter.records);
  });
});
