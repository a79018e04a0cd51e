import { assert } from 'chai';
import { ApiError } from '../../../../src/api/errors';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { tailReport } from '../../../../src/logs/tail/tailReport';
import type { TailState } from '../../../../src/logs/tail/tailState';

const counters = { received: 9, streamed: 7, read: 8, dropped: 1, repeated: 2, connects: 3 };
const outage = new ApiError({
  kind: 'http',
  code: 'unavailable',
  message: 'text of a server',
  status: 503,
  requestId: 'req_1',
});
const cut = new ApiError({ kind: 'network', code: 'a b', message: 'text of a server' });

/** The first part of the report: the state. */
function stateOf(state: TailState): string {
  const report = tailReport({ tail: { filter: {}, state, counters }, rate: 0 });
  assert.notInclude(report, 'text of a server');
  return report.split(' · ')[0] ?? '';
}

describe('the report of a tail', () => {
  it('has the members of its filter without their values, its rate and its counters', () => {
    const filter: LogFilter = { search: 'a secret', severities: ['error'] };
    const state = { kind: 'live' } as const;
    assert.equal(
      tailReport({ tail: { filter, state, counters }, rate: 2.54 }),
      'live · filters: search, severities · 2.5 lines/s · received 9, of those streamed 7 · ' +
        'read 8, left out 1, repeated 2 · connects 3',
    );
    assert.include(tailReport({ tail: { filter: {}, state, counters }, rate: 0 }), 'filters: none');
  });

  it('has its state with the reason, of which it has no text of a server', () => {
    const retryAt = 1000;
    assert.deepEqual(
      [
        stateOf({ kind: 'connecting' }),
        stateOf({ kind: 'live' }),
        stateOf({ kind: 'live', silence: cut }),
        stateOf({ kind: 'paused', newRecords: 7 }),
        stateOf({ kind: 'reconnecting', retryAt, why: outage }),
        stateOf({ kind: 'reconnecting', retryAt, why: undefined }),
        stateOf({ kind: 'rateLimited', retryAt }),
        stateOf({ kind: 'stopped' }),
        stateOf({ kind: 'failed', why: { kind: 'refused', error: outage } }),
      ],
      [
        'connecting',
        'live',
        'live, silent (network (not a plain word))',
        'paused, 7 new',
        'reconnecting (http unavailable 503 req_1)',
        'reconnecting',
        'rateLimited',
        'stopped',
        'failed: refused (http unavailable 503 req_1)',
      ],
    );
  });
});
