import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord, Severity, Deployment } from '../../../../src/api/types';
import {
  axisOf,
  type CountedTimes,
  extentOf,
  TimeCounter,
  DeploymentMarks,
} from '../../../../src/logs/explorer/histogram';
import type { CacheEntry, CacheKey, Store } from '../../../../src/data/store';
import { sampleRecord } from '../sampleRecord';

const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'] as const;
const minute = 60_000;
const zone = 'utc';
const start = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number, severity: Severity = 'warn'): LogRecord =>
  sampleRecord({ timestamp: new Date(start + ms).toISOString(), severity });

function spanOf(records: readonly LogRecord[]) {
  const times = records.map(({ timestamp }) => Date.parse(timestamp));
  return times.length === 0 ? undefined : { from: Math.min(...times), to: Math.max(...times) };
}

/** The same, counted from the beginning. */
function expected(records: readonly LogRecord[], { starts, counts }: CountedTimes) {
  const result = counts.map(() => severities.map(() => 0));
  for (const { timestamp, severity } of records) {
    const bucket = result[starts.findIndex((from) => from > Date.parse(timestamp)) - 1];
    const place = severities.indexOf(severity);
    if (bucket !== undefined) bucket[place] = (bucket[place] ?? 0) + 1;
  }
  return result;
}

describe('histogram of a growing list', () => {
  it('counts records by time and severity', () => {
    const counter = new TimeCounter(undefined, 10);
    const records = [at(0), at(100, 'error'), at(900, 'error'), at(1900)];
    counter.replaced(records);
    const counted = counter.count(zone, spanOf(records));
    assert.deepEqual(
      [counted?.starts[0], counted?.length, counted?.counts.length],
      [start, 200, 10],
    );
    assert.deepEqual(counted?.counts[0], [0, 0, 0, 1, 1, 0, 0]);
    assert.deepEqual(counted?.counts[4], [0, 0, 0, 0, 1, 0, 0]);
  });

  it('counts records by the level of their body, and how many show another than the server says', () => {
    const counter = new TimeCounter(undefined, 10);
    const body = '{"level":"debug","msg":"x"}';
    const stderr = { ...at(0, 'error'), stream: 'stderr', body };
    const records = [stderr, at(1900, 'error')];
    counter.replaced(records);
    const counted = counter.count(zone, spanOf(records));
    assert.deepEqual(counted?.counts[0], [0, 1, 0, 0, 0, 0, 0]);
    assert.equal(counter.unlikeServer, 1);
    counter.added([], [stderr], [records[1] ?? at(0)]);
    assert.equal(counter.unlikeServer, 0);
  });

  it('shows nothing without records', () => {
    const counter = new TimeCounter(undefined, 10);
    assert.isUndefined(counter.count(zone));
    counter.replaced([at(0)]);
    assert.isUndefined(counter.count(zone, { from: 2, to: 1 }));
  });

  it('skips invalid timestamps and records outside its range', () => {
    const counter = new TimeCounter(undefined, 10);
    counter.replaced([at(0), sampleRecord({ timestamp: 'never' }), at(5000)]);
    const counted = counter.count(zone, { from: start, to: start + 1000 });
    assert.equal(
      counted?.counts.flat().reduce((sum, one) => sum + one),
      1,
    );
  });

  it('has the counts of a full recount after any change', () => {
    const batch = fc.array(
      fc.record({ ms: fc.nat(10_000), severity: fc.constantFrom(...severities) }),
      { maxLength: 20 },
    );
    const change = fc.oneof(
      fc.record({ kind: fc.constantFrom('older', 'newer', 'replace'), batch }),
      // What came newer while as many of the oldest gave way, as those that there were at most.
      fc.record({ kind: fc.constant('drop'), count: fc.nat(15), batch }),
      fc.record({ kind: fc.constant('far'), ms: fc.nat(10_000_000) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const counter = new TimeCounter(undefined, 12);
        let records: LogRecord[] = [];
        for (const one of changes) {
          const added =
            'ms' in one ? [at(one.ms)] : one.batch.map(({ ms, severity }) => at(ms, severity));
          const dropped = 'count' in one ? records.slice(0, one.count) : [];
          if (one.kind === 'older') records = [...added, ...records];
          else if (one.kind === 'replace') records = added;
          else records = [...records.slice(dropped.length), ...added];
          if (one.kind === 'replace') counter.replaced(records);
          else counter.added(added, dropped, records);
          const counted = counter.count(zone, spanOf(records));
          if (counted === undefined) continue;
          assert.isAtMost(counted.counts.length, 12);
          assert.deepEqual(counted.counts, expected(records, counted));
          const sum = counted.counts.flat().reduce((all, each) => all + each);
          assert.equal(sum, records.length);
        }
      }),
    );
  });

  it('counts only new records while the length of its buckets stays the same', () => {
    let reads = 0;
    const counting = (ms: number): LogRecord => {
      const { timestamp, ...record } = at(ms);
      return {
        ...record,
        get timestamp() {
          reads++;
          return timestamp;
        },
      };
    };
    const counter = new TimeCounter(undefined, 120);
    const span = { from: start, to: start + 100_000 };
    const records = Array.from({ length: 1000 }, (_, index) => counting(index * 100));
    counter.replaced(records);
    counter.count(zone, span);
    reads = 0;
    const [first, last, next] = [counting(0), counting(99_990), counting(99_995)];
    counter.added([first], [], [first, ...records]);
    counter.added([last], [], [first, ...records, last]);
    counter.count(zone, span);
    counter.added([next], [first, ...records.slice(0, 9)], [...records.slice(9), last, next]);
    counter.count(zone, { ...span, to: span.to + 5000 });
    assert.equal(reads, 2 + 1 + 10);
  });

  it('keeps the length of its buckets when its range moves', () => {
    const counter = new TimeCounter(undefined, 120);
    const steps = new Set<number>();
    for (let to = 100_000; to < 130_000; to += 500) {
      const span = { from: start + to - 119_000 - (to % 3000), to: start + to };
      counter.replaced([at(to)]);
      steps.add(counter.count(zone, span)?.length ?? 0);
    }
    assert.sameMembers([...steps], [2000]);
  });
});

describe('axis of the histogram', () => {
  const hour = 60 * minute;
  /** Of an hour, of which the last 10 minutes are loaded, but for the last 5. */
  const records = [at(50 * minute), at(55 * minute)];
  const window = {
    from: new Date(start).toISOString(),
    to: new Date(start + hour).toISOString(),
  };
  type State = Parameters<typeof axisOf>[0];
  const open: State = {
    search: { filter: {}, range: { last: '1h' } },
    window,
    context: undefined,
    older: { kind: 'more' },
    newer: { kind: 'more' },
    following: undefined,
  };
  const closed: State = { ...open, search: { filter: {}, range: { last: '1h', to: 'now' } } };
  const follows = (kind: 'paused' | 'live' | 'stopped'): State => ({
    ...open,
    newer: { kind: kind === 'live' ? 'reached' : 'more' },
    following: {
      state: kind === 'paused' ? { kind, newRecords: 3 } : { kind },
      newRecords: 0,
    },
  });
  const minutes = (state: State, now = 70): number[] | undefined => {
    const axis = axisOf(state, records, start + now * minute);
    return (
      axis &&
      [axis.range.from, axis.range.to, axis.loaded.from, axis.loaded.to].map(
        (time) => (time - start) / minute,
      )
    );
  };

  for (const [what, state, expected] of [
    ['of a range without an end, ends with the search', open, [0, 60, 50, 60]],
    ['has all if the start is reached', { ...open, older: { kind: 'reached' } }, [0, 60, 0, 60]],
    ['lacks what a full list has dropped', { ...open, older: { kind: 'full' } }, [0, 60, 50, 60]],
    ['goes on while followed', follows('live'), [0, 70, 50, 70]],
    ['lacks what came since a pause', follows('paused'), [0, 70, 50, 55]],
    ['ends where following ended', follows('stopped'), [0, 60, 50, 60]],
    ['lacks what can still come before an end', closed, [0, 60, 50, 55]],
    ['has all of a past range', { ...closed, newer: { kind: 'reached' } }, [0, 60, 50, 60]],
    ['of a context, is none', { ...open, context: at(0) }, undefined],
    ['before the first search, is none', { ...open, window: undefined }, undefined],
  ] as const satisfies readonly (readonly [string, State, readonly number[] | undefined])[]) {
    it(what, () => assert.deepEqual(minutes(state), expected?.slice()));
  }

  it('has records that are outside the range', () => {
    const odd = [at(-minute), at(2 * hour)];
    assert.deepEqual(axisOf(open, odd, start)?.range, {
      from: start - minute,
      to: start + 2 * hour,
    });
    assert.isUndefined(axisOf(open, [], start));
  });
});

describe('the range of records', () => {
  it('covers those with a valid time', () => {
    const records = [500, 90_000, 7].map((ms) =>
      sampleRecord({ timestamp: new Date(start + ms).toISOString() }),
    );
    const odd = sampleRecord({ timestamp: 'soon' });
    assert.deepEqual(extentOf([odd, ...records]), { from: start + 7, to: start + 90_000 });
    assert.isUndefined(extentOf([odd]));
    assert.isUndefined(extentOf([]));
  });
});

const hour = { from: start, to: start + 60 * minute };
const idOf = (number: number): string =>
  `6c2b3f91-1d2e-4f30-9b4c-${String(number).padStart(12, '0')}`;
const recordOf = (number: number) =>
  sampleRecord({ workloadId: idOf(number), workloadName: `app ${number}` });
const deployed = (minutes: number): Deployment => ({
  id: idOf(1000 + minutes),
  createdAt: new Date(start + minutes * minute).toISOString(),
});

/** A store that answers at once, and what it was asked for. */
function marksWith(deployments: Readonly<Record<number, readonly Deployment[]>>, fails = false) {
  const asked: string[] = [];
  const entries = new Map<string, CacheEntry<{ deployments: Deployment[] }>>();
  let now = start;
  const store = {
    read: ((_kind, id) => entries.get(id) ?? { isLoading: false, failures: 0 }) as Store['read'],
    refresh(key: CacheKey, priority: string) {
      assert.equal(priority, 'automatic');
      const id = key.kind === 'deployments' ? key.id : assert.fail();
      asked.push(id);
      const number = Number(id.slice(-12));
      const value = { deployments: [...(deployments[number] ?? [])] };
      entries.set(id, {
        isLoading: false,
        failures: fails ? 1 : 0,
        triedAt: now,
        ...(fails ? {} : { value }),
      });
      return Promise.resolve();
    },
  };
  return {
    marks: new DeploymentMarks(store, { monotonic: () => now }),
    asked,
    advance: (ms: number) => void (now += ms),
  };
}

describe('deployments on the histogram', () => {
  it('are those of the workloads of the records and of the query, in the range', () => {
    const { marks } = marksWith({
      1: [deployed(50), deployed(10)],
      2: [deployed(70)],
      3: [deployed(20)],
    });
    marks.show(true);
    marks.replaced([recordOf(1), recordOf(2)], { workloadIds: [idOf(3)] });
    assert.deepEqual(
      marks.in(hour).map(({ at, workload }) => [(at - start) / minute, workload]),
      [
        [10, 'app 1'],
        [20, undefined],
        [50, 'app 1'],
      ],
    );
    marks.replaced([recordOf(2)], {});
    assert.deepEqual(marks.in(hour), []);
    assert.lengthOf(marks.in({ from: start, to: start + 80 * minute }), 1);
  });

  it('are not requested while the histogram is folded', () => {
    const { marks, asked } = marksWith({ 1: [deployed(10)] });
    marks.replaced([recordOf(1)], undefined);
    marks.added([recordOf(2)]);
    assert.deepEqual([asked, marks.in(hour)], [[], []]);
    marks.show(true);
    assert.sameMembers(asked, [idOf(1), idOf(2)]);
    assert.lengthOf(marks.in(hour), 1);
    marks.show(false);
    assert.deepEqual(marks.in(hour), []);
  });

  it('are requested once, and again for a later search', () => {
    const { marks, asked, advance } = marksWith({});
    marks.show(true);
    marks.replaced([recordOf(1)], undefined);
    marks.added([recordOf(1), recordOf(2)]);
    marks.added([recordOf(2)]);
    assert.deepEqual(asked.splice(0), [idOf(1), idOf(2)]);
    advance(2 * minute);
    marks.added([recordOf(1)]);
    assert.deepEqual(asked, []);
    marks.replaced([recordOf(1)], undefined);
    assert.deepEqual(asked, [idOf(1)]);
  });

  it('are not requested again after a refusal, nor for an id that is none', () => {
    const { marks, asked } = marksWith({}, true);
    marks.show(true);
    marks.replaced([recordOf(1), sampleRecord({ workloadId: '../x' })], undefined);
    marks.replaced([recordOf(1)], undefined);
    assert.deepEqual(asked, [idOf(1)]);
  });

  it('are bounded, in requests and in marks', () => {
    const many = Array.from({ length: 500 }, (_, index) => deployed(index / 10));
    const { marks, asked } = marksWith({ 39: many });
    marks.show(true);
    marks.replaced(
      Array.from({ length: 40 }, (_, index) => recordOf(index)),
      undefined,
    );
    assert.lengthOf(asked, 10);
    const shown = marks.in(hour);
    assert.lengthOf(shown, 50);
    assert.equal(shown.at(-1)?.at, start + 49.9 * minute);
  });
});
