import { assert } from 'chai';
import {
  createBarLabels,
  isAtRest,
  sameBuckets,
  type BarLabels,
} from '../../../../media/logExplorer/stackedBars';
import { createStrings } from '../../../../media/logExplorer/panel';

const start = Date.parse('2026-11-20T22:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
// As the page has them, so short that a test says all of it.
const texts = {
  'histogram.bucket': '{0}: {1}',
  'histogram.buckets': '{0}, {1} bars: {2}',
  'histogram.count': '{0} {1}',
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
const data = { start, step: 15 * minute, counts, timeZone: 'UTC', loaded };

describe('labels of the histogram', () => {
  it('say when a bar is and what it contains', () => {
    const inEnglish = createBarLabels(strings, 'en-GB', 'UTC', data.step);
    const said: BarLabels['describe'] = (...of) => plain(inEnglish.describe(...of));
    assert.equal(
      said(data, { first: 0, last: 0 }),
      '20 Nov, 22:00–22:15: 1,203 records, 3 severity.error, 1,200 severity.info',
    );
    assert.equal(said(data, { first: 1, last: 1 }), '20 Nov, 22:15–22:30: none');
    assert.equal(
      said(data, { first: 1, last: 2 }),
      '20 Nov, 22:15–22:45, 2 bars: one, 1 severity.error',
    );
  });

  it('say what is not loaded instead of no records', () => {
    const { describe: say } = createBarLabels(strings, 'en-GB', 'UTC', data.step);
    const from = start + 20 * minute;
    const said = (first: number, last: number): string =>
      plain(say({ ...data, loaded: { from, to: loaded.to } }, { first, last }));
    assert.equal(said(0, 0), '20 Nov, 22:00–22:15: not loaded');
    assert.equal(said(1, 1), '20 Nov, 22:15–22:30: none, not all loaded');
    assert.equal(said(2, 2), '20 Nov, 22:30–22:45: one, 1 severity.error');
  });

  it('use the time zone of the page, and seconds for short bars', () => {
    const berlin = createBarLabels(strings, 'en-GB', 'Europe/Berlin', 500);
    assert.include(
      plain(berlin.describe({ ...data, step: 30_000 }, { first: 0, last: 0 })),
      '23:00:00–23:00:30',
    );
    assert.deepEqual(berlin.axis([start, start + 500]), ['23:00:00', '23:00:00']);
  });

  it('show the date where a day starts', () => {
    const { axis } = createBarLabels(strings, 'en-GB', 'UTC', hour);
    assert.deepEqual(axis([start, start + hour, start + 2 * hour, start + 3 * hour]), [
      '22:00',
      '23:00',
      '21 Nov',
      '01:00',
    ]);
    const days = createBarLabels(strings, 'en-GB', 'UTC', 24 * hour);
    assert.deepEqual(days.axis([start, start + 24 * hour]), ['20 Nov', '21 Nov']);
  });
});

describe('histogram data', () => {
  it('has the same buckets if only the counts differ', () => {
    assert.isTrue(sameBuckets(data, { ...data, counts: [...counts].reverse() }));
    assert.isFalse(sameBuckets(data, { ...data, start: start + 1 }));
    assert.isFalse(sameBuckets(data, { ...data, counts: counts.slice(1) }));
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
