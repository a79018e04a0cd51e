import { assert } from 'chai';
import { severities, type RowSeverity } from '../../../../src/logs/explorer/protocol/view';
import {
  between,
  bucketAt,
  layersOf,
  rangeOf,
  topOf,
  totalsOf,
  unloaded,
} from '../../../../media/logExplorer/stackedBars';

const bucket = (counts: Partial<Record<RowSeverity, number>>): number[] =>
  severities.map((severity) => counts[severity] ?? 0);
const start = Date.parse('2026-11-20T12:00:00Z');
const data = {
  start,
  step: 60_000,
  timeZone: 'UTC',
  loaded: { from: start, to: start + 3 * 60_000 },
  counts: [bucket({ info: 5, error: 2 }), bucket({}), bucket({ info: 1, fatal: 1, trace: 3 })],
};

describe('bars of the histogram', () => {
  it('stack the severities, the most severe at the bottom', () => {
    const layers = layersOf(data);
    assert.sameMembers(
      layers.map(({ severity }) => severity),
      [...severities],
    );
    const topOf = (severity: RowSeverity) =>
      layers.find((layer) => layer.severity === severity)?.tops;
    assert.deepEqual(topOf('fatal'), [0, 0, 1]);
    assert.deepEqual(topOf('error'), [2, 0, 1]);
    assert.deepEqual(topOf('info'), [7, 0, 2]);
    assert.deepEqual(topOf('trace'), [7, 0, 5]);
    for (const [index, { tops }] of layers.entries()) {
      const below = layers[index + 1]?.tops ?? [0, 0, 0];
      tops.forEach((top, one) => assert.isAtLeast(top, below[one]!));
    }
  });

  it('have totals by severity, the most severe first', () => {
    assert.deepEqual(totalsOf(data), [
      { severity: 'fatal', count: 1 },
      { severity: 'error', count: 2 },
      { severity: 'info', count: 6 },
      { severity: 'trace', count: 3 },
    ]);
  });

  it('have no bars where nothing is loaded', () => {
    const end = start + 180_000;
    const parts = (from: number, to: number) =>
      unloaded({ ...data, loaded: { from: start + from, to: start + to } }).map((part) => [
        part.from - start,
        part.to - start,
      ]);
    assert.deepEqual(unloaded(data), []);
    assert.deepEqual(parts(50_000, 180_000), [[0, 50_000]]);
    assert.deepEqual(parts(0, 70_000), [[70_000, 180_000]]);
    assert.deepEqual(parts(10, 20), [
      [0, 10],
      [20, 180_000],
    ]);
    // A record of a clock that is wrong.
    assert.deepEqual(parts(200_000, 300_000), [[0, end - start]]);
  });

  it('have an axis whose top is easy to read and not far above the highest', () => {
    assert.deepEqual(
      [-Infinity, 0, 1, 2, 7, 12, 151, 480, 517, 8001, 10_000].map(topOf),
      [1, 1, 1, 2, 8, 15, 200, 500, 600, 10_000, 10_000],
    );
    for (let most = 1; most < 2000; most++) {
      assert.isAtLeast(topOf(most), most);
      assert.isAtMost(topOf(most), Math.max(most + 1, most * 1.5));
    }
  });

  it('are found by their time', () => {
    assert.equal(bucketAt(data, start), 0);
    assert.equal(bucketAt(data, start + 59_999), 0);
    assert.equal(bucketAt(data, start + 60_000), 1);
    assert.equal(bucketAt(data, start - 5), 0);
    assert.equal(bucketAt(data, start + 1e9), 2);
    assert.isUndefined(bucketAt({ ...data, counts: [] }, start));
  });

  it('have a range that contains exactly their records', () => {
    assert.deepEqual(between(2, 0), { first: 0, last: 2 });
    assert.deepEqual(rangeOf(data, { first: 1, last: 2 }), {
      from: '2026-11-20T12:01:00.000Z',
      to: '2026-11-20T12:02:59.999Z',
    });
  });
});
