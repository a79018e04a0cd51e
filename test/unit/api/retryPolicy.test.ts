import { assert } from 'chai';
import * as fc from 'fast-check';
import { ApiError, type ApiErrorKind, parseRetryAfter } from '../../../src/api/errors';
import {
  backOff,
  type EndpointClass,
  nextTry,
  retryDelay,
  type RetryRule,
} from '../../../src/api/retryPolicy';
import { operations } from '../../../src/api/generated/operations';
import type { ApiOperation } from '../../../src/api/operation';
import { covers } from '../covers';

const now = Date.UTC(2026, 10, 20, 12);
const below1 = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function error(kind: ApiErrorKind, status?: number, retryAfter?: number): ApiError {
  return new ApiError({ kind, status, code: 'c', message: 'm', retryAfter });
}

function namesOf(isOne: (operation: ApiOperation) => boolean): string[] {
  return Object.entries(operations)
    .filter(([, operation]) => isOne(operation))
    .map(([name]) => name);
}

describe('backOff', () => {
  it('doubles its limit from 500 ms to 30 s', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7, 8, 2000].map((failures) => backOff(failures, () => 1));
    assert.deepEqual(bounds, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('returns any time from 0 up to the limit', () => {
    const times = [0, 0.25].map((random) => backOff(3, () => random));
    assert.deepEqual(times, [0, 500]);
  });
});

describe(`parseRetryAfter ${covers('F23', 'unit')}`, () => {
  const table: [string | null | undefined, number | undefined][] = [
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['86400', 86_400_000],
    ['2147483648', 2_147_483_648_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['-1', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
    ['soon', undefined],
    ['120, 120', undefined],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Friday, 20-Nov-26 12:01:00 GMT', 60_000],
    ['Fri Nov 20 12:01:00 2026', 60_000],
    ['Fri, 99 Nov 2026 12:01:00 GMT', undefined],
    ['2026-11-20T12:01:00Z', undefined],
  ];
  for (const [header, expected] of table) {
    it(`returns ${String(expected)} ms for ${String(header).slice(0, 40)}`, () => {
      assert.strictEqual(parseRetryAfter(header, now), expected);
    });
  }

  it('never throws and never returns a negative time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (header) => {
        const wait = parseRetryAfter(header, now);
        assert.isTrue(wait === undefined || (wait >= 0 && Number.isFinite(wait)));
      }),
    );
  });
});

describe('retryDelay', () => {
  it(`never shortens Retry-After and adds at most 10 % ${covers('F23', 'unit')}`, () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 31),
        fc.integer({ min: 1, max: 50 }),
        below1,
        (asked, failures, random) => {
          const wait = retryDelay(failures, asked, () => random);
          assert.isAtLeast(wait, asked);
          assert.isAtMost(wait, Math.max(asked * 1.1, 30_000));
        },
      ),
    );
  });
});

describe('nextTry', () => {
  const once = { outages: 1, rateLimits: 1 };
  const half = (): number => 0.5;
  const outages = [
    error('network'),
    error('timeout'),
    error('http', 408),
    error('http', 500),
    error('http', 503),
    error('http', 599),
  ];
  const final = [
    ...[400, 401, 403, 404, 409, 410, 413, 422].map((status) => error('http', status)),
    error('http'),
    error('redirect', 302),
    error('protocol', 200),
    error('signedOut'),
  ];

  for (const rule of ['read', 'idempotent'] as const) {
    it(`lets ${rule} try three times after an outage ${covers('F24', 'unit')}`, () => {
      for (const outage of outages) {
        assert.strictEqual(nextTry(rule, outage, once, half), 250);
        assert.strictEqual(nextTry(rule, outage, { ...once, outages: 2 }, half), 500);
        assert.isUndefined(nextTry(rule, outage, { ...once, outages: 3 }, half));
      }
    });
  }

  it('never retries unsafe operations of unknown outcome', () => {
    for (const outage of outages) assert.isUndefined(nextTry('unsafe', outage, once, half));
  });

  it(`retries nothing that would fail again ${covers('F20, F22', 'unit')}`, () => {
    for (const rule of ['read', 'idempotent', 'unsafe', 'caller'] as const) {
      for (const one of final) assert.isUndefined(nextTry(rule, one, once, half));
    }
  });

  it(`waits after a 429 for everything except the stream ${covers('F23', 'unit')}`, () => {
    const limited = error('http', 429, 7000);
    for (const rule of ['read', 'idempotent', 'unsafe'] as const) {
      assert.strictEqual(nextTry(rule, limited, once, half), 7350);
      assert.isDefined(nextTry(rule, limited, { outages: 0, rateLimits: 9 }, half));
      assert.isUndefined(nextTry(rule, limited, { outages: 0, rateLimits: 10 }, half));
    }
    assert.isUndefined(nextTry('caller', limited, once, half));
  });

  it(`leaves a wait of more than ten minutes to the caller and shortens none ${covers('F23', 'unit')}`, () => {
    assert.isUndefined(nextTry('read', error('http', 429, 86_400_000), once, half));
    assert.isUndefined(nextTry('read', error('http', 503, 600_000), once, half));
    assert.strictEqual(nextTry('read', error('http', 503, 500_000), once, half), 525_000);
  });

  it('has a rule for each operation', () => {
    const of = (rule: RetryRule): string[] => namesOf(({ retry }) => retry === rule);
    assert.deepEqual(of('unsafe'), ['syncEnvironment', 'retryPreviewReporting']);
    assert.deepEqual(of('idempotent'), ['cleanUpOrphans']);
    assert.deepEqual(of('caller'), ['openLogStream']);
    assert.lengthOf(of('read'), 20);
  });

  it('has a rate limit for each operation: logs, what else is read, and what changes something', () => {
    const of = (shared: EndpointClass): string[] => namesOf(({ limit }) => limit === shared);
    assert.deepEqual(of('logs'), ['queryLogs', 'openLogStream']);
    assert.deepEqual(of('action'), ['cleanUpOrphans', 'syncEnvironment', 'retryPreviewReporting']);
    assert.lengthOf(of('read'), 19);
  });
});
