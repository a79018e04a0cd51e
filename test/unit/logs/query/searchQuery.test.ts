import { assert } from 'chai';
import fc from 'fast-check';
import { canonicalFilter } from '../../../../src/logs/query/narrow';
import type { QueryError } from '../../../../src/logs/query/filterBuilder';
import {
  parseSearch,
  printSearch,
  searchForRule,
  searchSince,
  type TimeRange,
  windowOf,
} from '../../../../src/logs/query/searchQuery';
import {
  parseTimeExpression,
  printTimeExpression,
} from '../../../../src/logs/query/timeExpression';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { anyFilter } from './anyFilter';

const when = { now: Date.parse('2026-11-20T12:00:00.500Z'), timeZone: 'Europe/Berlin' };

function rangeOf(query: string): TimeRange {
  const result = parseSearch(query, when);
  if (!result.ok) assert.fail(`${query}: ${JSON.stringify(result.errors)}`);
  assert.deepEqual(result.query.filter, {}, query);
  return result.query.range;
}

/** The range and filter of a query that starts now. */
function window(query: string): string[] {
  const found = windowOf(rangeOf(query), when);
  assert.isDefined(found, query);
  return [found.from, found.to];
}

function problemsOf(query: string): [string, QueryError['problem']][] {
  const result = parseSearch(query, when);
  if (result.ok) assert.fail(JSON.stringify(result.query));
  return result.errors.map(({ start, end, problem }) => [query.slice(start, end), problem]);
}

describe('the range of a query', () => {
  it('ends now if only its length is given', () => {
    const now = '2026-11-20T12:00:00.500Z';
    assert.deepEqual(window('last:15m'), ['2026-11-20T11:45:00.500Z', now]);
    assert.deepEqual(window('last:1H30m'), ['2026-11-20T10:30:00.500Z', now]);
    assert.deepEqual(window('last:2w1d90s'), ['2026-11-05T11:58:30.500Z', now]);
    assert.deepEqual(window(''), ['2026-11-20T11:00:00.500Z', now]);
  });

  it('has a beginning and an end', () => {
    for (const [query, from, to] of [
      ['from:2026-11-20T08:00:00Z to:2026-11-20T09:00Z', '08:00:00Z', '09:00:00Z'],
      ['from:2026-11-20T10:00:00+02:00 to:2h', '08:00:00Z', '10:00:00.500Z'],
      ['from:10:00', '09:00:00Z', '12:00:00.500Z'],
      ['from:9:05:30.25 to:now', '08:05:30.250Z', '12:00:00.500Z'],
      ['from:"today 10:00" to:10:30', '09:00:00Z', '09:30:00Z'],
      ['to:10:30', '08:30:00Z', '09:30:00Z'],
    ] as const) {
      assert.deepEqual(window(query), [`2026-11-20T${from}`, `2026-11-20T${to}`], query);
    }
    assert.deepEqual(window('from:2026-11-20T08:00:00.123456789Z'), [
      '2026-11-20T08:00:00.123456789Z',
      '2026-11-20T12:00:00.500Z',
    ]);
  });

  it('supports days of the time zone, which end at midnight', () => {
    assert.deepEqual(window('from:yesterday to:yesterday'), [
      '2026-11-18T23:00:00Z',
      '2026-11-19T22:59:59.999Z',
    ]);
    assert.deepEqual(window('from:yesterday 10:00 to:2026-11-19 22:15:30'), [
      '2026-11-19T09:00:00Z',
      '2026-11-19T21:15:30Z',
    ]);
    // The clocks are set back in the night to the 25th, so the day has 25 hours.
    assert.deepEqual(window('from:2026-10-25 to:2026-10-25'), [
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:59.999Z',
    ]);
  });

  it('reads a time after a day only if it looks like a time', () => {
    for (const [query, search] of [
      ['from:yesterday 10:00 11:00', '11:00'],
      ['from:yesterday "10:00"', '10:00'],
      ['from:9:00 10:00', '10:00'],
      ['from:yesterday severity:info 10:00', '10:00'],
    ] as const) {
      const result = parseSearch(query, when);
      assert.strictEqual(result.ok && result.query.filter.search, search, query);
    }
  });

  it('marks invalid times and shows examples', () => {
    for (const value of ['0m', '15', '15x', 'm', '37000d', '99999999999s', '1.5h', 'today']) {
      assert.deepEqual(
        problemsOf(`x last:${value}`),
        [[value, { kind: 'time', field: 'last', value }]],
        value,
      );
    }
    for (const value of ['2026-02-30', '2026-13-01', '24:00', '10:60', 'tomorrow', '1 2', '-1h']) {
      const problem = { kind: 'time', field: 'from', value } as const;
      assert.deepEqual(problemsOf(`from:"${value}"`), [[`"${value}"`, problem]]);
    }
    assert.deepEqual(problemsOf('to:monday 10:00'), [
      ['monday 10:00', { kind: 'time', field: 'to', value: 'monday 10:00' }],
    ]);
    const result = parseSearch('from:soon', when);
    assert.isTrue(!result.ok && result.errors[0]?.allowed.includes('yesterday 10:00'));
    assert.deepEqual(problemsOf('from:')[0]?.[1], { kind: 'missingValue', field: 'from' });
    assert.deepEqual(problemsOf('-last:1h')[0]?.[1], { kind: 'negation', field: 'last' });
  });

  it('is given once, and not reversed', () => {
    assert.deepEqual(problemsOf('last:1h last:2h'), [['2h', { kind: 'onlyOne', field: 'last' }]]);
    assert.deepEqual(problemsOf('from:1h,2h'), [['2h', { kind: 'onlyOne', field: 'from' }]]);
    assert.deepEqual(problemsOf('last:1h to:now'), [['now', { kind: 'twoRanges' }]]);
    assert.deepEqual(problemsOf('from:2h last:1h'), [['1h', { kind: 'twoRanges' }]]);
    assert.deepEqual(problemsOf('from:1h to:2h'), [['2h', { kind: 'reversed' }]]);
  });

  it('is reported with the other errors of the query', () => {
    assert.deepEqual(
      problemsOf('last:x evn:1').map(([text]) => text),
      ['x', 'evn:'],
    );
  });

  it('stays within the years of the contract', () => {
    assert.isUndefined(windowOf({ from: '0000-01-01T00:00+10:00' }, when));
    assert.isDefined(windowOf({ from: '0001-01-02', to: '9999-12-30' }, when));
    assert.isUndefined(windowOf({ last: 'garbage' }, when));
  });
});

describe('any search', () => {
  const pair = (most: number): fc.Arbitrary<string> =>
    fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
  const clock = fc
    .tuple(pair(23), pair(59), pair(59), fc.integer({ min: 0, max: 999_999 }))
    .map(([h, m, s, f]) => [`${h}:${m}`, `${h}:${m}:${s}`, `${h}:${m}:${s}.${f}`][f % 3] ?? '');
  const date = fc
    .date({ min: new Date('1970-01-03'), max: new Date('2099-12-30'), noInvalidDate: true })
    .map((one) => one.toISOString());
  const duration = fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom('s', 'm', 'h', 'd', 'w'))
    .map((parts) => parts.join(''));
  const moment = fc.oneof(
    duration,
    fc.constantFrom('now', 'today', 'yesterday'),
    fc.tuple(fc.constantFrom('today', 'yesterday'), clock).map((parts) => parts.join(' ')),
    date.map((iso) => iso.slice(0, 10)),
    fc.tuple(date, clock).map(([iso, time]) => `${iso.slice(0, 10)} ${time}`),
    date.map((iso) => iso.replace('.000Z', 'Z')),
  );

  it('compiles to itself after it is printed', () => {
    const range = fc.oneof(
      fc.record({ last: duration }),
      fc.record({ from: moment }),
      fc.record({ from: moment, to: moment }),
      fc.constant({}),
    );
    let compiled = 0;
    fc.assert(
      fc.property(anyFilter, range, (filter, times) => {
        const query = printSearch({ filter, range: times });
        const result = parseSearch(query, when);
        if (windowOf(times, when) === undefined) {
          assert.deepEqual(!result.ok && result.errors.map(({ problem }) => problem.kind), [
            'reversed',
          ]);
          return;
        }
        compiled++;
        assert.deepEqual(
          result.ok && result.query,
          { filter: canonicalFilter(filter), range: times },
          query,
        );
      }),
      { numRuns: shortOrLong(250, 2000) },
    );
    assert.isAbove(compiled, shortOrLong(80, 600));
  });

  it('prints times as it reads them, and never throws', () => {
    const piece = fc.oneof(moment, anyText(4), fc.constantFrom(' ', ':', '-', 'T', 'Z', '+02:00'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const read = parseTimeExpression(pieces.join(''));
        if (read !== undefined)
          assert.deepEqual(parseTimeExpression(printTimeExpression(read)), read);
      }),
      { numRuns: shortOrLong(300, 2000) },
    );
  });
});

const server = '5b1a2f80-0c1d-4e2f-8a3b-4c5d6e7f8091';
const workload = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
const noon = { now: Date.UTC(2026, 10, 20, 12), timeZone: 'utc' };

function search(query: string) {
  const result = parseSearch(query, noon, (kind, name) => [`${kind} ${name}`]);
  assert.isTrue(result.ok, query);
  return result.query;
}

describe('a search of a row', () => {
  it('begins at a time, which may be unknown', () => {
    const filter = { workloadIds: [workload] };
    const since = Date.UTC(2026, 10, 20, 10);
    assert.equal(searchSince(filter, since), `workload:${workload} from:2026-11-20T10:00:00Z`);
    assert.equal(searchSince(filter, undefined), `workload:${workload}`);
    assert.equal(
      searchSince(filter, undefined, () => 'web-api'),
      'workload:web-api',
    );
  });

  it('covers the workload, server and window of an alert rule', () => {
    const rule = {
      deployableId: workload,
      evaluatedAt: '2026-11-20T11:59:30Z',
      condition: { windowSeconds: 300 },
    };
    assert.deepEqual(search(searchForRule(rule, server)), {
      filter: { workloadIds: [workload], serverIds: [server] },
      range: { from: '2026-11-20T11:54:30Z', to: '2026-11-20T11:59:30Z' },
    });
  });

  it('covers the time between two checks of a rule with an HTTP check', () => {
    const rule = {
      evaluatedAt: '2026-11-20T12:00:00Z',
      condition: { http: { intervalSeconds: 60 } },
    };
    assert.deepEqual(search(searchForRule(rule, server)), {
      filter: { serverIds: [server] },
      range: { from: '2026-11-20T11:59:00Z', to: '2026-11-20T12:00:00Z' },
    });
  });

  it('has a default range if a rule has no valid time or window', () => {
    assert.equal(searchForRule({}, server), `server:${server} last:300s`);
    const odd = { evaluatedAt: 'never', deployableId: 'cpu', condition: { windowSeconds: -1 } };
    assert.equal(searchForRule(odd, 'nowhere'), 'last:300s');
  });

  it(`is limited to a year if the window of a rule is far too long ${covers('F68', 'unit')}`, () => {
    const evaluatedAt = '2026-11-20T12:00:00Z';
    for (const windowSeconds of [9e12, 1e300, Number.MAX_VALUE]) {
      const query = searchForRule({ evaluatedAt, condition: { windowSeconds } }, server);
      assert.include(query, 'from:2025-11-19T12:00:00Z');
    }
  });
});
