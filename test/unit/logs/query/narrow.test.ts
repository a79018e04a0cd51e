import { assert } from 'chai';
import fc from 'fast-check';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { matches } from '../../../../src/logs/query/matches';
import { type FieldValue, withOnly, without } from '../../../../src/logs/query/narrow';
import { printQuery } from '../../../../src/logs/query/searchQuery';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';
import { anyFilter, filtersOf } from './anyFilter';
import { filterOf, id1 } from './queries';

type Change = (filter: LogFilter, value: FieldValue) => LogFilter | undefined;

/** The query after a change by `field value`; '-' if the API cannot express it. */
function after(change: Change, query: string, by: string): string {
  const [field = '', value = ''] = by.split(' ');
  const changed = change(filterOf(query), { field, value });
  return changed === undefined ? '-' : printQuery(changed);
}

describe('narrowing a query', () => {
  const cases: [string, string, string][] = [
    ['', 'service web', 'service:web'],
    ['service:api,web x', 'service web', 'service:web "x"'],
    ['stream:stdout', 'stream stderr', 'stream:stderr'],
    ['', 'severity error', 'severity:error'],
    ['', `workload ${id1}`, `workload:${id1}`],
    ['', 'spanId 1f', 'spanId=1f'],
    ['spanId=1f', 'spanId 1f', 'spanId=1f'],
    ['service!=a', 'spanId 1f', 'service!=a spanId=1f'],
    ['service!=a or spanId:*', 'spanId 1f', '-'],
    ['attr.a=1', 'attr.user 42', 'attr.a=1 attr.user=42'],
    ['attr.user=42', 'attr.user 42', 'attr.user=42'],
    ['attr.user~42', 'attr.user 42', 'attr.user~42 attr.user=42'],
    ['', 'severity loud', '-'],
    ['', 'nope x', '-'],
  ];
  for (const [query, by, expected] of cases) {
    it(`limits ${query === '' ? 'an empty query' : query} to ${by}`, () => {
      assert.strictEqual(after(withOnly, query, by), expected);
    });
  }

  it('adds a condition for a ninth attribute, and nothing after the last condition', () => {
    const eight = Array.from({ length: 8 }, (_, index) => `attr.k${index}=v`).join(' ');
    assert.strictEqual(after(withOnly, eight, 'attr.user 42'), `${eight} (attr.user=42)`);
    const full = Array.from({ length: 8 }, (_, index) => `service!=s${index}`).join(' ');
    assert.strictEqual(after(withOnly, `${eight} ${full}`, 'attr.user 42'), '-');
    assert.strictEqual(after(without, full, 'service web'), '-');
  });
});

describe('excluding from a query', () => {
  const cases: [string, string, string][] = [
    ['', 'service web', 'service!=web'],
    ['service!=web', 'service web', 'service!=web'],
    ['service:api,web', 'service web', 'service:api'],
    ['service:web', 'service web', '-'],
    ['service:api', 'service web', '-'],
    ['severity:error,fatal', 'severity fatal', 'severity:error'],
    ['', 'severity debug', 'severity:trace,info,warn,error,fatal,unknown'],
    ['', 'env preview', 'env:production'],
    ['stream:stdout', 'stream stdout', '-'],
    ['', 'stream stdout', 'stream!=stdout'],
    ['', `workload ${id1}`, `workload!=${id1}`],
    ['attr.a=1', 'attr.user 42', 'attr.a=1 attr.user!=42'],
    ['spanId:* or service=a', 'service web', '-'],
    ['', 'nope x', '-'],
  ];
  for (const [query, by, expected] of cases) {
    it(`excludes ${by} from ${query === '' ? 'an empty query' : query}`, () => {
      assert.strictEqual(after(without, query, by), expected);
    });
  }
});

describe('any filter', () => {
  const record = sampleRecord({ traceId: 'a'.repeat(32), attributes: { or: 'and' } });
  const values: FieldValue[] = [
    { field: 'service', value: record.service },
    { field: 'severity', value: record.severity },
    { field: 'stream', value: record.stream },
    { field: 'trace', value: 'a'.repeat(32) },
    { field: 'attr.or', value: 'and' },
  ];
  const other = sampleRecord({ service: 'other', severity: 'fatal', stream: 'stderr' });

  /** Some members of a filter that is made of what the record has, and of a little else. */
  const nearFilter = fc
    .tuple(
      filtersOf({
        id: fc.constantFrom(record.workloadId, record.serverId),
        containerId: fc.constantFrom(record.containerId, 'd'.repeat(64)),
        traceId: fc.constant('a'.repeat(32)),
        service: fc.constantFrom(record.service, 'api'),
        key: fc.constantFrom('or', 'region'),
        text: fc.constantFrom('and', 'slow'),
        value: fc.constantFrom(record.service, record.serverId, 'and', 'STDERR', 'x'),
      }),
      fc.nat(),
    )
    .map(([filter, from]): LogFilter => {
      const members = Object.entries(filter);
      const start = from % (members.length + 1);
      return Object.fromEntries(members.slice(start, start + 2));
    });

  it('that matches a record still does when narrowed to its values, and no longer when they are excluded', () => {
    let matching = 0;
    const numRuns = shortOrLong(300, 2000);
    fc.assert(
      fc.property(fc.oneof(anyFilter, nearFilter), fc.constantFrom(...values), (filter, value) => {
        const narrowed = withOnly(filter, value);
        const excluded = without(filter, value);
        if (excluded !== undefined) assert.isFalse(matches(record, excluded));
        if (!matches(record, filter) || narrowed === undefined) return;
        matching++;
        assert.isTrue(matches(record, narrowed));
        assert.isFalse(matches(other, narrowed));
      }),
      { numRuns },
    );
    assert.isAbove(matching, numRuns / 20);
  });
});
