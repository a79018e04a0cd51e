import { assert } from 'chai';
import { severities, type RowSeverity } from '../../../../src/logs/explorer/protocol/view';
import { hour, minute } from '../../../../src/base/clock';
import { createStrings } from '../../../../media/logExplorer/panel';
import {
  BarLabels,
  between,
  bucketAt,
  isAtRest,
  layersOf,
  rangeOf,
  sameBuckets,
  topOf,
  totalsOf,
  unloaded,
} from '../../../../media/logExplorer/stackedBars';

const bucket = (counts: Partial<Record<RowSeverity, number>>): number[] =>
  severities.map((severity) => counts[severity] ?? 0);
const start = Date.parse('2026-11-20T12:00:00Z');
const data = {
  starts: [0, 1, 2, 3].map((minutes) => start + minutes * 60_000),
  length: 60_000,
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

describe('labels of the histogram', () => {
  const start = Date.parse('2026-11-20T22:00:00Z');
  // As the page has them, so short that a test says all of it.
  const texts = {
    'histogram.bucket': '{0}: {1}',
    'histogram.buckets': '{0}, {1} bars: {2}',
    'histogram.count': '{1}: {0}',
    'histogram.noRecords': 'none',
    'histogram.notLoaded': 'not loaded',
    'histogram.notAllLoaded': 'not all loaded',
    'histogram.oneRecord': 'one',
    'histogram.records': '{0} records',
  };
  const strings = createStrings(texts, 'en');
  /** Versions of ICU differ in the spaces around the dash of a range. */
  const plain = (text: string): string => text.replaceAll(/\s*–\s*/gu, '–');
  const counts = [
    [0, 0, 1200, 0, 3, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0],
  ];
  const loaded = { from: start, to: start + 45 * minute };
  const starts = [0, 15, 30, 45].map((minutes) => start + minutes * minute);
  const data = { starts, length: 15 * minute, counts, timeZone: 'UTC', loaded };

  it('say when a bar is and what it contains', () => {
    const inEnglish = new BarLabels(strings, 'en-GB', 'UTC', data.length);
    const said: BarLabels['describe'] = (...of) => plain(inEnglish.describe(...of));
    assert.equal(
      said(data, { first: 0, last: 0 }),
      '20 Nov, 22:00–22:15: 1,203 records, severity.error: 3, severity.info: 1,200',
    );
    assert.equal(said(data, { first: 1, last: 1 }), '20 Nov, 22:15–22:30: none');
    assert.equal(
      said(data, { first: 1, last: 2 }),
      '20 Nov, 22:15–22:45, 2 bars: one, severity.error: 1',
    );
  });

  it('say what is not loaded instead of no records', () => {
    const labels = new BarLabels(strings, 'en-GB', 'UTC', data.length);
    const from = start + 20 * minute;
    const said = (first: number, last: number): string =>
      plain(labels.describe({ ...data, loaded: { from, to: loaded.to } }, { first, last }));
    assert.equal(said(0, 0), '20 Nov, 22:00–22:15: not loaded');
    assert.equal(said(1, 1), '20 Nov, 22:15–22:30: none, not all loaded');
    assert.equal(said(2, 2), '20 Nov, 22:30–22:45: one, severity.error: 1');
  });

  it('use the time zone of the page, and seconds for short bars', () => {
    const berlin = new BarLabels(strings, 'en-GB', 'Europe/Berlin', 500);
    assert.include(
      plain(berlin.describe({ ...data, starts: [start, start + 30_000] }, { first: 0, last: 0 })),
      '23:00:00–23:00:30',
    );
    assert.deepEqual(berlin.axis([start, start + 500]), ['23:00:00', '23:00:00']);
  });

  it('show the date where a day starts', () => {
    const hours = new BarLabels(strings, 'en-GB', 'UTC', hour);
    assert.deepEqual(hours.axis([start, start + hour, start + 2 * hour, start + 3 * hour]), [
      '22:00',
      '23:00',
      '21 Nov',
      '01:00',
    ]);
    const days = new BarLabels(strings, 'en-GB', 'UTC', 24 * hour);
    assert.deepEqual(days.axis([start, start + 24 * hour]), ['20 Nov', '21 Nov']);
  });
});

describe('histogram data', () => {
  it('has the same buckets if only the counts differ', () => {
    assert.isTrue(sameBuckets(data, { ...data, counts: [...data.counts].reverse() }));
    assert.isFalse(sameBuckets(data, { ...data, starts: data.starts.map((one) => one + 1) }));
    assert.isFalse(sameBuckets(data, { ...data, starts: data.starts.slice(1) }));
    assert.isFalse(sameBuckets(data, { ...data, timeZone: 'Asia/Kolkata' }));
    assert.isFalse(sameBuckets(undefined, data));
  });
});

describe('updates of the histogram', () => {
  const following = (state: 'live' | 'paused' | 'waiting' | 'ended') => ({
    following: { state, text: state, newRecords: 0 },
  });

  it('are at rest while no records arrive', () => {
    assert.isTrue(isAtRest({}));
    assert.isFalse(isAtRest({ progress: '10 records from 1 page…' }));
    assert.isFalse(isAtRest(following('live')));
    assert.isFalse(isAtRest(following('waiting')));
    assert.isTrue(isAtRest(following('paused')));
    assert.isTrue(isAtRest(following('ended')));
  });
});
