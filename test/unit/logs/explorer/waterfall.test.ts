import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import type { Waterfall, WaterfallRow } from '../../../../src/logs/explorer/protocol/messages';
import { rowKey } from '../../../../src/logs/explorer/recordRows';
import { traceWaterfall } from '../../../../src/logs/explorer/waterfall';
import { EntryList } from '../../../../src/logs/explorer/entryList';
import { severities } from '../../../../src/logs/explorer/protocol/view';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';

const start = Date.parse('2026-11-20T12:00:00Z');

/** A record so many milliseconds after the start. */
function record(at: number, parts: Partial<LogRecord> = {}): LogRecord {
  const timestamp = new Date(start + at).toISOString();
  const { workloadName = 'web-api' } = parts;
  return sampleRecord({ timestamp, severity: 'info', workloadId: workloadName, ...parts });
}

async function waterfallOf(records: readonly LogRecord[]): Promise<Waterfall> {
  const found = await traceWaterfall(
    records,
    'body',
    () => Promise.resolve(),
    () => true,
  );
  assert.isDefined(found);
  return found;
}

const shown = (rows: readonly WaterfallRow[]): unknown =>
  rows.map(({ level, name, span, from, to, records }) => [
    `${'  '.repeat(level - 1)}${name}${span === undefined ? '' : ` ${span}`}`,
    from,
    to,
    records,
  ]);

describe('waterfall of a trace', () => {
  it('has a row for each workload and span, in order, from its first to its last record', async () => {
    const payments = { workloadName: 'payments' };
    const { from, length, rows } = await waterfallOf([
      // Records can arrive in any order.
      record(50, { ...payments, spanId: 'b2' }),
      record(70, { ...payments, spanId: 'b1' }),
      record(20, { ...payments, spanId: 'b1' }),
      record(100, { spanId: 'a1' }),
      record(0, { spanId: 'a1' }),
    ]);
    assert.deepEqual([from, length], [start, 100]);
    assert.deepEqual(shown(rows), [
      ['', 0, 100, 5],
      // All its records are of one span, whose row would be the same.
      ['  web-api a1', 0, 100, 2],
      ['  payments', 20, 70, 3],
      ['    payments b1', 20, 70, 2],
      ['    payments b2', 50, 50, 1],
    ]);
  });

  it('counts errors and warnings, and has a tick for each record', async () => {
    const severityAt = { 0: 'info', 40: 'warn', 60: 'fatal', 100: 'error' } as const;
    const marks = Object.entries(severityAt).map(([at, severity]) => ({
      at: Number(at),
      severity,
    }));
    const records = marks.map(({ at, severity }) => record(at, { severity }));
    const [whole] = (await waterfallOf(records)).rows;
    assert.deepInclude(whole, { records: 4, errors: 2, warnings: 1 });
    assert.deepEqual(
      whole?.ticks,
      marks.map((mark, index) => ({ key: rowKey(records[index]!), count: 1, ...mark })),
    );
  });

  it('says where nothing was logged for at least a tenth of it', async () => {
    // Two are so near that they are one tick: the silence begins after the last of them.
    const times = [0, 99, 100, 104, 300, 310, 1000];
    const [whole] = (await waterfallOf(times.map((at) => record(at)))).rows;
    assert.deepEqual(whole?.silences, [
      { from: 104, to: 300 },
      { from: 310, to: 1000 },
    ]);
  });

  it('puts what is too near into one tick, which has the first of the worst records', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => record(at));
    const [warned, failed, again] = [
      record(10_001, { severity: 'warn' }),
      record(10_002, { severity: 'error' }),
      record(10_003, { severity: 'error' }),
    ];
    const [whole] = (await waterfallOf([...many, again, failed, warned])).rows;
    const { ticks = [] } = whole ?? {};
    assert.isAtMost(ticks.length, 200);
    assert.equal(
      ticks.reduce((sum, { count }) => sum + count, 0),
      many.length + 3,
    );
    const worst = ticks.filter(({ severity }) => severity === 'error');
    assert.deepEqual(
      worst.map(({ key, at }) => [key, at]),
      [[rowKey(failed), 10_002]],
    );
    assert.deepEqual(whole?.silences, []);
  });

  it('is bounded: it keeps workloads and spans with errors, and counts the others', async () => {
    const ofWorkload = (index: number, parts: Partial<LogRecord> = {}): LogRecord =>
      record(index, { workloadName: `w${index}`, ...parts });
    const { rows, hiddenWorkloads } = await waterfallOf([
      ...Array.from({ length: 99 }, (_, index) => ofWorkload(index)),
      ofWorkload(99, { severity: 'error' }),
    ]);
    assert.equal(hiddenWorkloads, 50);
    assert.deepInclude(rows.at(-1), { name: 'w99', errors: 1, hiddenSpans: 0 });
    const ofSpan = (index: number, parts: Partial<LogRecord> = {}): LogRecord =>
      record(index, { spanId: `s${index}`, ...parts });
    const spans = await waterfallOf([
      ...Array.from({ length: 5000 }, (_, index) => ofSpan(index)),
      ofSpan(5000, { severity: 'fatal' }),
    ]);
    const [, workload, ...rest] = spans.rows;
    assert.equal(workload?.hiddenSpans, 4901);
    assert.lengthOf(rest, 100);
    assert.equal(rest.at(-1)?.span, 's5000');
    assert.isBelow(
      spans.rows.reduce((sum, { ticks }) => sum + ticks.length, 0),
      3500,
    );
  });

  it('has records without a span, a workload or a valid time', async () => {
    const nameless = { workloadId: '', workloadName: '' };
    const { rows, untimed } = await waterfallOf([
      record(0, { spanId: null }),
      record(5, { spanId: '' }),
      record(10, { spanId: 'A' }),
      record(20, { spanId: 'a', ...nameless }),
      record(0, { timestamp: 'never' }),
    ]);
    assert.equal(untimed, 1);
    assert.deepEqual(
      rows.map(({ level, span, records }) => [level, span, records]),
      [
        [1, undefined, 4],
        [2, undefined, 3],
        [3, undefined, 2],
        [3, 'A', 1],
        [2, 'a', 1],
      ],
    );
    const none = await waterfallOf([record(0, { timestamp: '' })]);
    assert.deepEqual(none, { from: 0, length: 0, rows: [], untimed: 1, hiddenWorkloads: 0 });
  });

  it('compares ids of spans in hexadecimal as numbers, and all others as they are', async () => {
    const spans = async (...ids: readonly string[]): Promise<number> => {
      const { rows } = await waterfallOf(ids.map((spanId, at) => record(at, { spanId })));
      return rows.filter(({ level }) => level === 3).length;
    };
    assert.equal(await spans('00F067AA0BA902B7', '00f067aa0ba902b7'), 0);
    assert.equal(await spans('Checkout', 'checkout'), 2);
  });

  it('keeps workloads of the same name apart, and makes names harmless', async () => {
    const { rows } = await waterfallOf([
      record(0, { workloadId: '1', spanId: '\u001b[31mx' }),
      record(1, { workloadId: '2' }),
    ]);
    assert.deepEqual(
      rows.map(({ level, span }) => [level, span]),
      [
        [1, undefined],
        [2, String.raw`\u{1b}[31mx`],
        [2, undefined],
      ],
    );
  });

  it('reaches to the last record of an entry that has several', async () => {
    const list = new EntryList(() => true);
    list.replaced([
      record(0, { body: 'Error: no price', severity: 'error' }),
      record(8, { body: '    at total (/app/pricing.ts:12:9)', severity: 'error' }),
    ]);
    const [whole] = (await waterfallOf(list.entries)).rows;
    assert.deepInclude(whole, { from: 0, to: 8, records: 1, errors: 1 });
  });

  it('stops when other records are shown, and lets other tasks run', async () => {
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    const records = Array.from({ length: 1000 }, (_, at) => record(at));
    const found = await traceWaterfall(records, 'body', pause, () => pauses < 3);
    assert.isUndefined(found);
    assert.equal(pauses, 3);
  });

  it('counts each record once at each level, whatever they say', async () => {
    const at = fc.oneof(
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: -1e15, max: 1e15 }).map((time) => Math.trunc(time / 1e9) * 1e9),
      fc.integer({ min: -8e15 - start, max: 8e15 - start }),
    );
    const text = fc.oneof(fc.constantFrom('a', 'A', '', ' ', '0f', '0F'), fc.string());
    const any = fc.record({
      at,
      workloadName: text,
      spanId: fc.option(text),
      severity: fc.constantFrom(...severities),
      isTimed: fc.boolean(),
    });
    const check = async (all: readonly LogRecord[]): Promise<void> => {
      const { rows, length, untimed, hiddenWorkloads } = await waterfallOf(all);
      const timed = all.length - untimed;
      assert.equal(hiddenWorkloads, 0);
      assert.equal(rows[0]?.records ?? 0, timed);
      const workloads = rows.filter(({ level }) => level === 2);
      assert.equal(
        workloads.reduce((sum, { records }) => sum + records, 0),
        timed,
      );
      for (const row of rows) {
        const { from, to, ticks, silences, records } = row;
        assert.isTrue(from >= 0 && from <= to && to <= length, JSON.stringify(row));
        assert.equal(
          ticks.reduce((sum, { count }) => sum + count, 0),
          records,
        );
        assert.isTrue(ticks.every((tick) => tick.at >= from && tick.at <= to));
        assert.isTrue(ticks.every((tick, index) => index === 0 || tick.at >= ticks[index - 1]!.at));
        assert.isTrue(silences.every((silence) => silence.to - silence.from >= length / 10));
        assert.isTrue(silences.every((silence) => silence.from >= from && silence.to <= to));
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 40 }), async (all) =>
        check(
          all.map(({ at: time, isTimed, ...parts }) =>
            record(time, { ...parts, ...(isTimed ? {} : { timestamp: 'never' }) }),
          ),
        ),
      ),
      { numRuns: shortOrLong(100, 2000) },
    );
  });
});
