import { assert } from 'chai';
import { parseSearch, searchForRule, searchSince } from '../../../../src/logs/query/searchQuery';

const server = '5b1a2f80-0c1d-4e2f-8a3b-4c5d6e7f8091';
const workload = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
const when = { now: Date.UTC(2026, 10, 20, 12), timeZone: 'utc' };

function search(query: string) {
  const result = parseSearch(query, when, (kind, name) => [`${kind} ${name}`]);
  assert.isTrue(result.ok, query);
  return result.query;
}

describe('what rows search for', () => {
  it('since a moment, which may not be known', () => {
    const filter = { workloadIds: [workload] };
    const since = Date.UTC(2026, 10, 20, 10);
    assert.equal(searchSince(filter, since), `workload:${workload} from:2026-11-20T10:00:00Z`);
    assert.equal(searchSince(filter, undefined), `workload:${workload}`);
    assert.equal(
      searchSince(filter, undefined, () => 'web-api'),
      'workload:web-api',
    );
  });

  it('an alert rule: its workload on its server, over its window before the evaluation', () => {
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

  it('an alert rule that checks by HTTP, over the time between two checks', () => {
    const rule = {
      evaluatedAt: '2026-11-20T12:00:00Z',
      condition: { http: { intervalSeconds: 60 } },
    };
    assert.deepEqual(search(searchForRule(rule, server)), {
      filter: { serverIds: [server] },
      range: { from: '2026-11-20T11:59:00Z', to: '2026-11-20T12:00:00Z' },
    });
  });

  it('an alert rule that says neither when nor over which time, or says nonsense', () => {
    assert.equal(searchForRule({}, server), `server:${server} last:300s`);
    const odd = { evaluatedAt: 'never', deployableId: 'cpu', condition: { windowSeconds: -1 } };
    assert.equal(searchForRule(odd, 'nowhere'), 'last:300s');
  });

  it('an alert rule whose window is far too long, over a year (F68)', () => {
    const evaluatedAt = '2026-11-20T12:00:00Z';
    for (const windowSeconds of [9e12, 1e300, Number.MAX_VALUE]) {
      const query = searchForRule({ evaluatedAt, condition: { windowSeconds } }, server);
      assert.include(query, 'from:2025-11-19T12:00:00Z');
    }
  });
});
