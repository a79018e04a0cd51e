import { assert } from 'chai';
import fc from 'fast-check';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { matches } from '../../../../src/logs/query/matches';
import { type FieldValue, withOnly, without } from '../../../../src/logs/query/narrow';
import { printQuery } from '../../../../src/logs/query/searchQuery';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';
import { anyFilter } from './anyFilter';
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

  it('that matches a record still does when narrowed to its values, and no longer when they are excluded', () => {
    fc.assert(
      fc.property(anyFilter, fc.constantFrom(...values), (filter, value) => {
        const narrowed = withOnly(filter, value);
        const excluded = without(filter, value);
        if (excluded !== undefined) assert.isFalse(matches(record, excluded));
        if (!matches(record, filter)) return;
        if (narrowed !== undefined) {
          assert.isTrue(matches(record, narrowed));
          assert.isFalse(matches(other, narrowed));
        }
      }),
      { numRuns: shortOrLong(150, 1000) },
    );
  });
});
