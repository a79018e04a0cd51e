import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import { matches, type MatchFilters } from '../../../../src/logs/query/matches';
import { filterOf } from '../../../control-plane/filter';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';

/** By the filter of the embedded control plane, which is written from the contract alone. */
function shouldPass(record: LogRecord, { from, to, ...filters }: MatchFilters): boolean {
  // Texts of one length can be compared.
  if (from !== undefined && record.timestamp < from) return false;
  if (to !== undefined && record.timestamp > to) return false;
  return filterOf(filters)(record);
}

/** Few values each, so that filters often match, and values that are easily misread. */
const ids = ['6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102', '5b1a2f80-0c1d-4e2f-8a3b-4c5d6e7f8091'];
const id = fc.constantFrom(...ids);
const traceId = fc.constantFrom('a'.repeat(32), 'b'.repeat(32));
const service = fc.constantFrom('web', 'Web', 'worker');
const severity = fc.constantFrom('info', 'warn', 'error');
const environment = fc.constantFrom('production', 'preview');
const stream = fc.constantFrom('stdout', 'stderr');
const containerId = fc.constantFrom('c'.repeat(64), 'd'.repeat(64));
const text = fc.string({ unit: fc.constantFrom('a', 'A', 'ä', 'Ä', '.', '\n'), maxLength: 3 });
const key = fc.constantFrom('user', 'User', '__proto__', 'constructor', 'a:b');
const time = fc.integer({ min: 0, max: 3 }).map((ms) => `2026-11-20T12:00:00.00${ms}Z`);

const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values);
const list = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(values, { maxLength: 3 });

const record = fc
  .record({
    timestamp: time,
    serverId: id,
    workloadId: id,
    deploymentId: maybe(id),
    previewId: maybe(id),
    environment,
    containerId,
    service,
    severity,
    stream,
    body: fc.string({ unit: fc.constantFrom('a', 'A', 'ä', 'Ä', '.', '\n'), maxLength: 12 }),
    attributes: list(fc.tuple(key, text)).map((entries) => Object.fromEntries(entries)),
    traceId: maybe(traceId),
    spanId: maybe(fc.constantFrom('1'.repeat(16), '2'.repeat(16))),
  })
  .map(sampleRecord);

const condition = fc.record({
  field: fc.oneof(
    fc.constantFrom('serverId', 'workloadId', 'deploymentId', 'previewId', 'containerId'),
    fc.constantFrom('service', 'stream', 'traceId', 'spanId'),
    key.map((name) => `attribute:${name}`),
  ),
  operator: fc.constantFrom(
    ...(['equals', 'not_equals', 'contains', 'not_contains', 'starts_with'] as const),
    ...(['ends_with', 'exists', 'not_exists'] as const),
  ),
  value: fc.oneof(text, id, service, traceId, fc.constantFrom('STD', 'err', 'WEB', '11')),
});

/** Mostly one or two members; with more, hardly any record would match. */
const filters = fc
  .record(
    {
      from: time,
      to: time,
      workloadIds: list(id),
      serverIds: list(id),
      deploymentIds: list(id),
      previewIds: list(id),
      containerIds: list(containerId),
      environments: list(environment),
      services: list(service),
      severities: list(severity),
      search: text,
      traceId,
      attributes: list(
        fc.record(
          { key, value: text, operator: fc.constantFrom('equals', 'contains') },
          { requiredKeys: ['key', 'value'] },
        ),
      ),
      stream,
      conditionGroup: fc.record({
        match: fc.constantFrom('and', 'or'),
        conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
      }),
    },
    { requiredKeys: [] },
  )
  .chain((all) =>
    fc
      .subarray(Object.keys(all), { maxLength: 3 })
      .map((kept): MatchFilters =>
        Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))),
      ),
  );

describe('any filter', () => {
  it('matches what a second implementation of the contract matches', () => {
    const results = { true: 0, false: 0 };
    fc.assert(
      fc.property(record, filters, (one, asked) => {
        const expected = shouldPass(one, asked);
        assert.equal(matches(one, asked), expected);
        results[`${expected}`]++;
      }),
      { numRuns: shortOrLong(800, 5000) },
    );
    // Otherwise the comparison would prove little.
    assert.isAbove(
      Math.min(results.true, results.false),
      shortOrLong(150, 1000),
      JSON.stringify(results),
    );
  });
});
