import { assert } from 'chai';
import fc from 'fast-check';
import { asLogFilter, type NameKind } from '../../../../src/logs/query/fields';
import { matches } from '../../../../src/logs/query/matches';
import { canonicalFilter } from '../../../../src/logs/query/narrow';
import { parseQuery } from '../../../../src/logs/query/parser';
import { printQuery } from '../../../../src/logs/query/searchQuery';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';
import { anyFilter } from './anyFilter';
import { errorsOf, id1 } from './queries';

describe('any filter', () => {
  it('compiles to itself with names for its ids', () => {
    const idOf = (name: string): string => name.slice(1, -1);
    const resolve = (_: NameKind, name: string): string[] => [idOf(name)];
    const nameOf = (_: NameKind, id: string): string => `<${id}>`;
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const query = printQuery(filter, nameOf);
        const result = parseQuery(query, resolve);
        assert.deepEqual(result.ok && result.filter, canonicalFilter(filter), query);
      }),
    );
  });

  it('has a canonical form that the contract allows and that means the same', () => {
    const record = sampleRecord({
      traceId: 'a'.repeat(32),
      attributes: { or: 'and', '*': ')' },
      body: 'or and * (',
    });
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const canonical = canonicalFilter(filter);
        assert.deepEqual(asLogFilter(canonical), canonical);
        assert.deepEqual(canonicalFilter(canonical), canonical);
        assert.equal(matches(record, canonical), matches(record, filter));
      }),
    );
  });
});

describe('any text', () => {
  it('never throws as a query, gets errors within the text, and prints to the same filter', () => {
    const piece = fc.oneof(
      fc.constantFrom('severity:', 'attr.', 'attr.x=', '-env:', '"', '\\', ',', '=', '!~', ' '),
      fc.constantFrom(' or ', ' and ', '(', ')', '*', ':*', '-', 'x', id1, 'trace:', 'spanId:'),
      fc.constantFrom('workload!=', 'service^=', '-field:', 'last:', 'from:today', '10:00'),
      anyText(5),
    );
    let compiled = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const query = pieces.join('');
        const result = parseQuery(query, () => [id1]);
        const spans = [...result.times, ...(result.ok ? result.unresolved : result.errors)];
        for (const { start, end } of spans) {
          assert.isTrue(0 <= start && start <= end && end <= query.length, query);
        }
        if (!result.ok) return;
        compiled++;
        const again = parseQuery(printQuery(result.filter));
        assert.deepEqual(again.ok && again.filter, result.filter, query);
      }),
      { numRuns: shortOrLong(800, 4000) },
    );
    // Otherwise the last comparison would prove little.
    assert.isAbove(compiled, shortOrLong(40, 200));
  });

  it('is rejected beyond the limit of queries, and never throws below it', () => {
    const pieces = ['(', '(a:', '"', 'x ', 'attr.x=1 or ', '-severity:info ', 'service:ä,', ','];
    for (const piece of pieces) {
      const query = piece.repeat(70_000 / piece.length);
      const [error] = errorsOf(query);
      assert.deepEqual(error?.problem, { kind: 'tooLong', field: 'query', limit: 65_536 });
      parseQuery(query.slice(0, 65_536));
    }
  });

  it('compiles if it is the largest filter that the contract allows', () => {
    const ids = Array.from({ length: 50 }, (_, index) => id1.replace('102', String(100 + index)));
    const long = (length: number): string => '"'.repeat(length);
    const filter = asLogFilter({
      severities: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'],
      workloadIds: ids,
      serverIds: ids,
      deploymentIds: ids,
      previewIds: ids,
      containerIds: ids.map((id) => id.slice(-3).padStart(64, '0')),
      environments: ['production', 'preview'],
      services: ids.map((id) => long(125) + id.slice(-3)),
      stream: 'stdout',
      traceId: 'a'.repeat(32),
      search: long(512),
      attributes: Array.from({ length: 8 }, () => ({ key: long(128), value: long(512) })),
      conditionGroup: {
        match: 'or',
        conditions: Array.from({ length: 8 }, () => ({
          field: `attribute:${long(128)}`,
          operator: 'not_contains',
          value: long(512),
        })),
      },
    });
    const result = parseQuery(printQuery(filter));
    assert.deepEqual(result.ok && result.filter, filter);
  });
});
