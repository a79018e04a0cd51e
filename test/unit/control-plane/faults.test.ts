import { assert } from 'chai';
import type { LogPage } from '../../../src/api/types';
import type { Fault } from '../../control-plane/server';
import { always, Harness, nextPage, type Answer } from './harness';

describe('Faults of the embedded control plane on a real connection', () => {
  let harness: Harness;
  before(async () => {
    harness = await Harness.start({ historyRecords: 3 });
  });
  after(() => harness.server.close());
  afterEach(() => {
    assert.equal(harness.server.admin.pendingFaults(), 0, 'every fault was used');
    harness.server.admin.reset();
  });

  const query = (): Promise<Answer> => harness.ask('/logs/query', { body: { filters: always } });

  /**
   * The answer of the request with the fault, 'broken' if there is none; the next request succeeds.
   */
  async function meet(fault: Fault): Promise<Answer | 'broken'> {
    harness.server.admin.fault(fault);
    const answer = await query().catch(() => 'broken' as const);
    assert.equal((await query()).status, 200, JSON.stringify(fault));
    return answer;
  }

  async function answered(fault: Fault): Promise<Answer> {
    const answer = await meet(fault);
    if (answer === 'broken') throw new Error(`${JSON.stringify(fault)} broke the connection`);
    return answer;
  }

  it('reset the connection, which differs from closing it', async () => {
    harness.server.admin.fault({ kind: 'reset' });
    let cause: unknown;
    await query().catch((error: unknown) => (cause = (error as Error).cause));
    assert.propertyVal(cause, 'code', 'ECONNRESET');
    harness.server.admin.fault({ kind: 'cut' });
    await query().catch((error: unknown) => (cause = (error as Error).cause));
    assert.propertyVal(cause, 'code', 'UND_ERR_SOCKET');
  });

  it('stall, before or after the headers', async () => {
    harness.server.admin.fault({ kind: 'stall' });
    harness.server.admin.fault({ kind: 'stall', afterBytes: 10 });
    const controller = new AbortController();
    const asked = { body: { filters: always }, signal: controller.signal };
    const silent = harness.request('/logs/query', asked).catch(() => 'aborted');
    while (harness.server.admin.pendingFaults() > 1) await new Promise(setImmediate);
    const response = await harness.request('/logs/query', asked);
    const reader = response.body?.getReader();
    assert.lengthOf((await reader?.read())?.value ?? '', 10);
    const more = reader?.read().catch(() => 'aborted');
    controller.abort();
    assert.deepEqual(await Promise.all([silent, more]), ['aborted', 'aborted']);
  });

  it('compress a stream without flushing it, or cut it', async () => {
    const body = await answered({ kind: 'gzip' });
    assert.property(body.json, 'records');
    assert.equal(await meet({ kind: 'gzip', afterBytes: 30 }), 'broken');
    const fault = { kind: 'gzip', endpoint: 'post_logs_tail' } as const;
    harness.server.admin.fault({ ...fault, flushed: true });
    const flushed = await harness.tail({});
    harness.server.admin.emit(2);
    assert.lengthOf((await nextPage(flushed)).records, 2);
    flushed.close();
  });

  it('answer with any Retry-After', async () => {
    const plain = await answered({ kind: 'status', status: 429 });
    assert.match(plain.headers.get('retry-after') ?? '', /^\d+$/);
    const date = 'Fri, 20 Nov 2026 12:00:30 GMT';
    for (const value of ['0', '-1', 'NaN', '86400', date, '2147483648']) {
      const headers = { 'retry-after': value };
      const { headers: got } = await answered({ kind: 'status', status: 429, headers });
      assert.equal(got.get('retry-after'), value);
    }
  });

  it('make the JSON invalid or its shape wrong', async () => {
    harness.server.admin.fault({ kind: 'malformedJson' });
    const response = await harness.request('/logs/query', { body: { filters: always } });
    const text = await response.text();
    assert.throws(() => JSON.parse(text) as unknown);
    const { json } = await answered({ kind: 'wrongSchema' });
    assert.notProperty(json, 'followCursor');
  });

  it('refuse a cursor, and only affect requests with one', async () => {
    harness.server.admin.fault({ kind: 'cursorRefused', status: 422 });
    const { json } = await query();
    const { followCursor: cursor } = json as LogPage;
    const asked = { body: { filters: always, cursor } };
    assert.equal(await harness.refusal('/logs/tail', asked, 422), 'cursor_expired');
  });

  it('repeat the pages of a search without end', async () => {
    const { nextCursor: cursor } = await harness.query({ limit: 1 });
    harness.server.admin.fault({ kind: 'sameCursor' });
    assert.equal((await harness.query({ limit: 1, cursor })).nextCursor, cursor);
  });

  it('leave few records on a page of a search, which continues after it', async () => {
    harness.server.admin.fault({ kind: 'sparse', records: 2 });
    const { records, nextCursor: cursor, hasMore } = await harness.query({ limit: 10 });
    assert.lengthOf(records, 2);
    assert.isTrue(hasMore);
    const rest = await harness.query({ limit: 10, cursor });
    assert.isNotEmpty(rest.records);
    const ids = [...records, ...rest.records].map(({ eventId }) => eventId);
    assert.lengthOf(new Set(ids), ids.length);
  });

  it('apply late, slowly, the given number of times, at the given endpoint', async () => {
    const { admin } = harness.server;
    admin.fault({ kind: 'latency', latencyMs: 1, endpoint: 'get_integrations' });
    admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint: 'get_integrations' });
    await harness.ask('/integrations');
    const controller = new AbortController();
    let late: unknown = 'nothing yet';
    const waiting = harness
      .request('/integrations', { signal: controller.signal })
      .then(({ status }) => (late = status))
      .catch(() => (late = 'aborted'));
    while (admin.pendingFaults() > 0) await query();
    assert.equal(late, 'nothing yet');
    controller.abort();
    await waiting;
    assert.equal(late, 'aborted');
    assert.equal((await answered({ kind: 'trickle', bytes: 500, ms: 1 })).status, 200);
    admin.fault({ kind: 'status', status: 500, times: 2, skip: 1, endpoint: 'get_integrations' });
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      statuses.push((await harness.ask('/integrations')).status);
    }
    assert.deepEqual(statuses, [200, 500, 500, 200]);
  });

  it('affect only requests for one source or server', async () => {
    const [one, other] = harness.server.world.sources;
    harness.server.admin.fault({ kind: 'status', status: 403, path: one!.id, times: 2 });
    const statuses: number[] = [];
    for (const id of [other!.id, one!.id, other!.id, one!.id, one!.id]) {
      statuses.push((await harness.ask(`/sources/${id}/resources`)).status);
    }
    assert.deepEqual(statuses, [200, 403, 200, 403, 200]);
  });

  it('revoke a key or change its access', async () => {
    const before = (await query()).json as LogPage;
    const after = (await answered({ kind: 'accessRevision' })).json as LogPage;
    assert.notEqual(after.accessRevision, before.accessRevision);
    harness.server.admin.fault({ kind: 'revokeKey' });
    assert.equal((await query()).status, 401);
    assert.equal((await query()).status, 401);
    harness.server.admin.restoreKey('demo-full');
    assert.equal((await query()).status, 200);
  });

  it('affect single pages of a stream', async () => {
    const { admin } = harness.server;
    const endpoint = 'post_logs_tail';
    /** The events of two pages, by name. */
    const stream = async (fault: Fault, count: number): Promise<[string, unknown][]> => {
      admin.fault({ ...fault, endpoint });
      const tail = await harness.tail({});
      const seen: [string, unknown][] = [];
      let emitted = 0;
      while (seen.length < count) {
        if (emitted++ < 2) admin.emit(1);
        const { value } = await tail.events.next();
        if (!value) break;
        let data: unknown = 'malformed';
        try {
          data = JSON.parse(value.data);
        } catch {
          // Expected.
        }
        seen.push([value.name, data]);
      }
      tail.close();
      return seen;
    };
    const malformed = await stream({ kind: 'malformedJson', afterPages: 1 }, 2);
    assert.isObject(malformed[0]?.[1]);
    assert.equal(malformed[1]?.[1], 'malformed');
    const wrong = await stream({ kind: 'wrongSchema' }, 2);
    assert.deepEqual((wrong[0]?.[1] as LogPage).records, {} as never);
    const twice = await stream({ kind: 'duplicatePage' }, 2);
    assert.deepEqual(twice[0], twice[1]);
    const same = await stream({ kind: 'sameCursor', afterPages: 1 }, 2);
    const cursors = same.map(([, page]) => (page as LogPage).followCursor);
    assert.equal(cursors[0], cursors[1]);
    const partial = await stream({ kind: 'partial' }, 1);
    assert.isTrue((partial[0]?.[1] as LogPage).partial);
    const raw = await stream({ kind: 'raw', text: 'event: news\ndata: 1\n\n' }, 2);
    assert.deepEqual(raw[0], ['news', 1]);
    const error = await stream({ kind: 'errorEvent', status: 429, afterPages: 1 }, 3);
    assert.deepEqual(
      error.map(([name]) => name),
      ['records', 'error'],
    );
    assert.nestedPropertyVal(error[1]?.[1], 'error.code', 'rate_limited');
    const revoked = await stream({ kind: 'revokeKey', afterPages: 1 }, 3);
    assert.nestedPropertyVal(revoked[1]?.[1], 'error.code', 'unauthorized');
    admin.restoreKey('demo-full');
    const changed = await stream({ kind: 'accessRevision', afterPages: 1 }, 2);
    const revisions = changed.map(([, page]) => (page as LogPage).accessRevision);
    assert.notEqual(revisions[0], revisions[1]);
  });

  it('take the server down for a while', async () => {
    const { admin } = harness.server;
    const restarted = admin.restart(20);
    let refused = false;
    await query().catch(() => (refused = true));
    assert.isTrue(refused);
    await restarted;
    assert.equal((await query()).status, 200);
    admin.fault({ kind: 'restart', downMs: 0 });
    assert.equal(await query().catch(() => 'broken'), 'broken');
    while ((await query().catch(() => 'broken')) === 'broken');
  });
});
