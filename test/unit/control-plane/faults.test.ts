import { assert } from 'chai';
import type { LogPage } from '../../../src/api/types';
import type { Fault } from '../../control-plane/server';
import { always, Harness, nextPage, type Answer } from './harness';

/** The status of an answer; of none, the code of the error of Node.js. */
function outcomeOf(asked: Promise<Answer>): Promise<number | string | undefined> {
  return asked.then(
    ({ status }) => status,
    (error: unknown) => (error as { cause?: { code?: string } }).cause?.code,
  );
}

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
  /** The answer of the request with a fault; the next request succeeds. */
  async function answered(fault: Fault): Promise<Answer> {
    harness.server.admin.fault(fault);
    const answer = await query();
    assert.equal((await query()).status, 200, JSON.stringify(fault));
    return answer;
  }

  for (const [what, fault, outcome] of [
    ['reset the connection', { kind: 'reset' }, 'ECONNRESET'],
    ['close it, which differs from a reset', { kind: 'cut' }, 'UND_ERR_SOCKET'],
    ['compress the body', { kind: 'gzip' }, 200],
    ['cut a compressed body', { kind: 'gzip', afterBytes: 30 }, 'UND_ERR_SOCKET'],
    ['answer slowly', { kind: 'trickle', bytes: 500, ms: 1 }, 200],
  ] as const) {
    it(`${what}, once`, async () => {
      harness.server.admin.fault(fault);
      assert.equal(await outcomeOf(query()), outcome);
      assert.equal(await outcomeOf(query()), 200);
    });
  }

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

  it('compress a stream, which arrives if it is flushed', async () => {
    harness.server.admin.fault({ kind: 'gzip', endpoint: 'post_logs_tail', flushed: true });
    const flushed = await harness.tail({});
    harness.server.admin.emit(2);
    assert.lengthOf((await nextPage(flushed)).records, 2);
    flushed.close();
  });

  it('answer with any Retry-After', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:30 GMT';
    for (const value of [undefined, '0', '-1', 'NaN', '86400', date, '2147483648']) {
      const headers = value === undefined ? {} : { 'retry-after': value };
      const { headers: got } = await answered({ kind: 'status', status: 429, headers });
      assert.equal(got.get('retry-after'), value ?? '1');
    }
  });

  it('make the JSON invalid or its shape wrong', async () => {
    const { text } = await answered({ kind: 'malformedJson' });
    assert.throws(() => JSON.parse(text) as unknown);
    const { json } = await answered({ kind: 'wrongSchema' });
    assert.notProperty(json, 'followCursor');
  });

  it('refuse a cursor, and only affect requests with one', async () => {
    harness.server.admin.fault({ kind: 'cursorRefused' });
    const { json } = await query();
    const { followCursor: cursor } = json as LogPage;
    const asked = { body: { filters: always, cursor } };
    assert.equal(await harness.refusal('/logs/tail', asked, 410), 'cursor_expired');
  });

  it('repeat the pages of a search without end', async () => {
    const { nextCursor: cursor } = await harness.query({ limit: 1 });
    harness.server.admin.fault({ kind: 'sameCursor' });
    assert.equal((await harness.query({ limit: 1, cursor })).nextCursor, cursor);
  });

  it('apply late', async () => {
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
  });

  it('affect only so many requests, after some, at one endpoint, for one source', async () => {
    const [one, other] = harness.server.world.sources.map(({ id }) => `/sources/${id}/resources`);
    const endpoint = 'get_sources_resources';
    const path = one!;
    harness.server.admin.fault({ kind: 'status', status: 500, times: 2, skip: 1, endpoint, path });
    const statuses = [(await query()).status];
    for (const asked of [other, one, other, one, one, one]) {
      statuses.push((await harness.ask(asked!)).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 500, 500, 200]);
  });

  it('revoke a key or change its access', async () => {
    const before = (await query()).json as LogPage;
    const after = (await answered({ kind: 'accessRevision' })).json as LogPage;
    assert.notEqual(after.accessRevision, before.accessRevision);
    harness.server.admin.fault({ kind: 'revokeKey' });
    assert.equal((await query()).status, 401);
    assert.equal((await query()).status, 401);
    harness.server.admin.reset();
    assert.equal((await query()).status, 200);
  });

  /** Two events of a stream with a page for each record. */
  async function eventsUnder(fault: Fault): Promise<{ name: string; data: unknown }[]> {
    const { admin } = harness.server;
    admin.fault({ ...fault, endpoint: 'post_logs_tail' });
    const tail = await harness.tail({});
    const seen: { name: string; data: unknown }[] = [];
    while (seen.length < 2) {
      admin.emit(1);
      const { value } = await tail.events.next();
      if (!value) break;
      let data: unknown = 'malformed';
      try {
        data = JSON.parse(value.data);
      } catch {
        // Expected.
      }
      seen.push({ name: value.name, data });
    }
    tail.close();
    admin.reset();
    return seen;
  }
  const shape = ({ name, data }: { name: string; data: unknown }): string => {
    const { error, records, partial } = data as Partial<LogPage> & { error?: { code: string } };
    if (error !== undefined) return `${name} ${error.code}`;
    return `${name} ${Array.isArray(records) ? (partial ? 'partial' : 'page') : 'broken'}`;
  };
  for (const [fault, first, second] of [
    [{ kind: 'partial' }, 'records partial', 'records page'],
    [{ kind: 'errorEvent', status: 429, afterPages: 1 }, 'records page', 'error rate_limited'],
  ] as const) {
    it(`affect single pages of a stream: ${fault.kind}`, async () => {
      assert.deepEqual((await eventsUnder(fault)).map(shape), [first, second]);
    });
  }
  for (const [fault, member] of [
    [{ kind: 'duplicatePage' }, 'records'],
  ] as const) {
    it(`repeat what a stream has sent: ${fault.kind}`, async () => {
      const [one, other] = (await eventsUnder(fault)).map(({ data }) => data as LogPage);
      assert.deepEqual(one?.[member], other?.[member]);
    });
  }
  it('take the server down for a while', async () => {
    const { admin } = harness.server;
    const restarted = admin.restart(20);
    assert.notEqual(await outcomeOf(query()), 200);
    await restarted;
    assert.equal(await outcomeOf(query()), 200);
    admin.fault({ kind: 'restart', downMs: 0 });
    assert.notEqual(await outcomeOf(query()), 200);
    while ((await outcomeOf(query())) !== 200);
  });
});
