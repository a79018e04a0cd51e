import { assert } from 'chai';
import type { LogPage } from '../../../src/api/types';
import type { Fault } from '../../control-plane/server';
import { always, Harness, nextPage } from './harness';

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

  /** The outcome of a query; without an answer, the code or the name of the error. */
  const query = (): Promise<string> =>
    harness.logs('query').catch((error: unknown) => {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      return cause?.code ?? name;
    });

  for (const [what, fault, outcome] of [
    ['reset the connection', { kind: 'reset' }, 'ECONNRESET'],
    ['close it, which differs from a reset', { kind: 'cut' }, 'UND_ERR_SOCKET'],
    ['cut the body', { kind: 'cut', afterBytes: 20 }, 'UND_ERR_SOCKET'],
    ['end the body early', { kind: 'end', afterBytes: 20 }, 'SyntaxError'],
    ['compress the body', { kind: 'gzip' }, '200'],
    ['cut a compressed body', { kind: 'gzip', afterBytes: 30 }, 'UND_ERR_SOCKET'],
    ['announce compression', { kind: 'notGzip' }, 'Z_DATA_ERROR'],
    ['answer in pieces', { kind: 'trickle', bytes: 500, ms: 1 }, '200'],
    ['make the JSON invalid', { kind: 'malformedJson' }, 'SyntaxError'],
    ['answer a status', { kind: 'status', status: 503 }, '503 unavailable'],
    ['answer a code', { kind: 'status', status: 409, code: 'reused' }, '409 reused'],
    ['revoke the key', { kind: 'revokeKey' }, '401 unauthorized'],
  ] as const) {
    it(`${what}, once`, async () => {
      harness.server.admin.fault(fault);
      assert.equal(await query(), outcome);
      if (fault.kind === 'revokeKey') harness.server.admin.reset();
      assert.equal(await query(), '200');
    });
  }

  it('take the server down for a while', async () => {
    harness.server.admin.fault({ kind: 'restart', downMs: 1 });
    assert.notEqual(await query(), '200');
    while ((await query()) !== '200');
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
    // An end of the body would arrive before the next answer.
    assert.equal(await query(), '200');
    controller.abort();
    assert.deepEqual(await Promise.all([silent, more]), ['aborted', 'aborted']);
  });

  it('affect only the requests with a text in their path', async () => {
    const [path = '', other = ''] = harness.server.world.sources.map(({ id }) => `${id}/resources`);
    harness.server.admin.fault({ kind: 'status', status: 500, path });
    assert.equal(await harness.outcome(`/sources/${other}`), '200');
    assert.equal(await harness.outcome(`/sources/${path}`), '500 internal_error');
  });

  it('come after the request was carried out, if they should', async () => {
    harness.server.admin.fault({ kind: 'status', status: 504, accepted: true });
    const path = `/servers/${harness.server.world.servers[0]!.id}/actions/cleanup-orphans`;
    const asked = { headers: { 'idempotency-key': 'k' }, body: { items: [{ name: 'old' }] } };
    assert.equal(await harness.outcome(path, asked), '504 gateway_timeout');
    assert.lengthOf(harness.server.admin.operations(), 1);
  });

  it('have any Retry-After', async () => {
    for (const value of [undefined, '-1', 'NaN', '86400', 'Fri, 20 Nov 2026 12:00:30 GMT']) {
      const headers = value === undefined ? {} : { 'retry-after': value };
      harness.server.admin.fault({ kind: 'status', status: 429, headers });
      const answer = await harness.ask('/integrations');
      assert.equal(answer.headers.get('retry-after'), value ?? '1');
    }
  });

  it('refuse a cursor, and affect no request without one', async () => {
    harness.server.admin.fault({ kind: 'cursorRefused' });
    const { followCursor: cursor } = await harness.query();
    assert.equal(await harness.logs('tail', { cursor }), '410 cursor_expired');
  });

  for (const [fault, seen] of [
    [{ kind: 'partial' }, ['partial page', 'page']],
    [{ kind: 'errorEvent', status: 429, afterPages: 1 }, ['page', 'rate_limited']],
    [{ kind: 'duplicatePage' }, ['page', 'the same']],
  ] as const satisfies readonly [Fault, readonly string[]][]) {
    it(`affect the pages of a stream: ${fault.kind}`, async () => {
      const { server } = harness;
      server.admin.fault(fault);
      const tail = await harness.tail();
      server.append(1);
      const first = await nextPage(tail);
      server.append(1);
      const { value } = await tail.events.read();
      tail.close();
      const second = JSON.parse(value!.data) as LogPage & { error?: { code: string } };
      const word = ({ partial }: LogPage): string => (partial ? 'partial page' : 'page');
      const isSame = second.followCursor === first.followCursor;
      assert.deepEqual(
        [word(first), second.error?.code ?? (isSame ? 'the same' : word(second))],
        [...seen],
      );
    });
  }
});
