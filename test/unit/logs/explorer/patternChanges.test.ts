import { assert } from 'chai';
import { hour } from '../../../../src/base/clock';
import type { LogRecord, Severity } from '../../../../src/api/types';
import {
  comparePatterns,
  frequencyOf,
  type Measure,
} from '../../../../src/logs/explorer/patternChanges';
import { RecordPatterns } from '../../../../src/logs/explorer/recordPatterns';
import { sampleRecord } from '../sampleRecord';

const start = Date.UTC(2026, 10, 20, 12);

/** So many records with each of these bodies; `#` becomes another number in each. */
function side(counts: Record<string, number>, length = hour, severity: Severity = 'info') {
  const records = Object.entries(counts).flatMap(([body, count]) =>
    Array.from({ length: count }, (_, index): LogRecord =>
      sampleRecord({
        eventId: `${body} ${index}`,
        timestamp: new Date(start + Math.floor((index * length) / count)).toISOString(),
        severity,
        body: body.replace('#', String(index + 10)),
      }),
    ),
  );
  return { records, read: [{ from: start, to: start + length - 1 }] };
}

async function compare(
  now: ReturnType<typeof side>,
  before: ReturnType<typeof side>,
  measure: Measure = 'time',
): Promise<string[]> {
  const pause = () => Promise.resolve();
  const changes = await comparePatterns(now, before, measure, new RecordPatterns(), pause);
  return changes.map(
    ({ change, template, factor, ...counts }) =>
      `${change} ${counts.now.count}:${counts.before.count} ×${factor.toFixed(2)} ${template}`,
  );
}

describe('changes of patterns', () => {
  // Now, before, how much longer was read now; the change.
  const frequencies: readonly (readonly [number, number, number, string])[] = [
    [10, 0, 1, 'new'],
    [3, 0, 1, 'new'],
    [2, 0, 1, 'rare'],
    [0, 3, 1, 'gone'],
    [0, 2, 1, 'rare'],
    [32, 10, 1, 'more'],
    [5, 1, 1, 'rare'],
    [10, 32, 1, 'fewer'],
    [12, 10, 1, 'same'],
    [2, 1, 1, 'rare'],
    // What is rarer than what was read is long says nothing.
    [40, 0, 100, 'rare'],
    [1, 0, 0.01, 'new'],
    [20, 10, 2, 'same'],
    [10, 10, 4, 'fewer'],
  ];
  for (const [now, before, ratio, change] of frequencies) {
    it(`${now} and ${before}, of ${ratio} times as much: ${change}`, () => {
      assert.equal(frequencyOf(now, before, ratio).change, change);
    });
  }

  it('come before what stays and what nobody can tell, the most surprising first', async () => {
    assert.deepEqual(
      await compare(
        side({ 'charged # EUR': 1000, 'no route to #': 12, retry: 60, 'cache warm': 1 }),
        side({ 'charged # EUR': 990, 'started on port #': 8, retry: 20 }),
      ),
      [
        'more 60:20 ×3.00 retry',
        'new 12:0 ×Infinity no route to <n>',
        'gone 0:8 ×0.00 started on port <n>',
        'same 1000:990 ×1.01 charged <n> EUR',
        'rare 1:0 ×Infinity cache warm',
      ],
    );
  });

  it('are by the time that was read: a sample of ten minutes is no drop', async () => {
    assert.deepEqual(
      await compare(side({ 'charged # EUR': 100 }, hour / 6), side({ 'charged # EUR': 600 }, hour)),
      ['same 100:600 ×1.00 charged <n> EUR'],
    );
  });

  it('are by the records if another app or environment has more of everything', async () => {
    assert.deepEqual(
      await compare(
        side({ 'charged # EUR': 30, retry: 30 }),
        side({ 'charged # EUR': 900, retry: 90 }),
        'records',
      ),
      ['more 30:90 ×5.50 retry', 'same 30:900 ×0.55 charged <n> EUR'],
    );
  });

  it('have the patterns of both sides, although one of them alone is less general', async () => {
    assert.deepEqual(
      await compare(
        side({ 'owner of cart ann is lost': 1, 'owner of cart bob is lost': 9 }),
        side({
          'owner of cart eve is lost': 9,
          'owner of cart max is lost': 1,
          'owner of cart tom is lost': 1,
          'owner of cart joe is lost': 1,
        }),
      ),
      ['same 10:12 ×0.83 owner of cart <value> is lost'],
    );
  });

  it('have the newest record and the times of each side', async () => {
    const now = side({ 'charged # EUR': 24 });
    const [change] = await comparePatterns(now, side({}), 'time', new RecordPatterns(), () =>
      Promise.resolve(),
    );
    assert.equal(change?.now.last, now.records.at(-1));
    assert.isUndefined(change?.before.last);
    assert.deepEqual(
      change?.now.counts,
      Array.from({ length: 24 }, () => 1),
    );
  });
});
