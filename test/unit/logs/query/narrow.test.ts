import { assert } from 'chai';
import fc from 'fast-check';
import { chipsOf } from '../../../../src/logs/explorer/editQuery';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { matches } from '../../../../src/logs/query/matches';
import {
  canonicalFilter,
  type FieldValue,
  withOnly,
  without,
} from '../../../../src/logs/query/narrow';
import { parseQuery } from '../../../../src/logs/query/parser';
import { printQuery } from '../../../../src/logs/query/searchQuery';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';
import { anyFilter } from './anyFilter';

const id1 = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';

function filterOf(query: string): LogFilter {
  const result = parseQuery(query);
  if (!result.ok) assert.fail(`${query}: ${JSON.stringify(result.errors)}`);
  return result.filter;
}

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

  it('consists of chips that can be removed one by one', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        let left = filter;
        for (let chips = chipsOf(left); chips.length > 0; chips = chipsOf(left)) {
          assert.lengthOf(chipsOf(chips[0]?.without ?? {}), chips.length - 1);
          left = chips.at(-1)?.without ?? {};
          assert.lengthOf(chipsOf(left), chips.length - 1);
        }
        assert.deepEqual(canonicalFilter(left), {});
      }),
    );
  });
});

describe('chips', () => {
  it('show the query, and how conditions are joined', () => {
    const filter = filterOf('severity:error,fatal attr.a=1 (service=web or spanId:*) "x y"');
    assert.deepEqual(
      chipsOf(filter).map(({ text, joinedBy }) => `${joinedBy} ${text}`),
      ['and severity:error,fatal', 'and attr.a=1', 'and service=web', 'or spanId:*', 'and "x y"'],
    );
    assert.deepEqual(
      chipsOf(filter).map((chip) => printQuery(chip.without)),
      [
        'attr.a=1 (service=web or spanId:*) "x y"',
        'severity:error,fatal (service=web or spanId:*) "x y"',
        'severity:error,fatal attr.a=1 spanId:* "x y"',
        'severity:error,fatal attr.a=1 service=web "x y"',
        'severity:error,fatal attr.a=1 (service=web or spanId:*)',
      ],
    );
  });

  it('show names', () => {
    const [chip] = chipsOf({ workloadIds: [id1] }, () => 'my web');
    assert.deepEqual([chip?.text, chip?.without], ['workload:"my web"', {}]);
  });
});
