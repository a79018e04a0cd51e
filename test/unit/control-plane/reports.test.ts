import { assert } from 'chai';
import type { ReportKind } from '../../control-plane/server';
import { fakeClock, type FakeClock } from '../fakeClock';
import { always, Harness, type Asked } from './harness';

describe('The reports of the embedded control plane', () => {
  let harness: Harness;
  let clock: FakeClock;
  beforeEach(() => {
    clock = fakeClock();
    harness = Harness.inMemory({ clock });
  });
  afterEach(async () => {
    assert.deepEqual(harness.server.admin.takeReports(), []);
    await harness.server.close();
  });

  const status = async (path: string, asked?: Asked): Promise<number> =>
    Number((await harness.outcome(path, asked)).slice(0, 3));
  const kinds = (): ReportKind[] => harness.server.admin.reports().map(({ kind }) => kind);

  /** Expects one report, of this kind and for this path. */
  function expect(kind: ReportKind, path: string): void {
    assert.deepEqual(kinds(), [kind]);
    const [report] = harness.server.admin.expectReport(kind);
    assert.equal(report?.request.url, `/v1/api${path}`);
    assert.isNotEmpty(report?.what);
  }

  it('do not contain errors that any client may cause', async () => {
    const { admin } = harness.server;
    const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
    const mistyped = { key: '', headers: { authorization: 'Bearer mistyped' } };
    assert.equal(await status('/integrations', { key: '' }), 401);
    assert.equal(await status('/integrations', mistyped), 401);
    assert.equal(await status('/integrations', { key: 'demo-none' }), 403);
    for (const path of [`/servers/${id}/monitor-alerts`, `/operations/${id}`]) {
      assert.equal(await status(path), 404);
    }
    assert.equal(await status('/logs/query', { body: 'x'.repeat(300_000) }), 413);
    admin.revokeKey('demo-full');
    assert.equal(await status('/integrations'), 401);
    admin.reset();
    assert.equal(await status('/integrations'), 200);
    const { followCursor: cursor } = await harness.query();
    admin.changeAccess('demo-full');
    assert.equal(await harness.logs('tail', { cursor }), '410 cursor_expired');
  });

  it('contain a key of another control plane, and of a closed one', async () => {
    const other = Harness.inMemory();
    const headers = { authorization: `Bearer ${other.server.keys['demo-full']}` };
    assert.equal(await status('/integrations', { key: '', headers }), 401);
    expect('foreignKey', '/integrations');
    await other.server.close();
    assert.equal(await status('/integrations', { key: '', headers }), 401);
    expect('foreignKey', '/integrations');
  });

  it('contain a forbidden key, until it is allowed again', async () => {
    const { admin } = harness.server;
    for (const end of [() => admin.allow('demo-full'), () => admin.reset()]) {
      admin.forbid('demo-full');
      assert.equal(await status('/integrations'), 200);
      assert.equal(await status('/integrations', { key: 'demo-none' }), 403);
      expect('forbiddenKey', '/integrations');
      end();
      assert.equal(await status('/integrations'), 200);
    }
  });

  it('contain a cursor of another control plane, though everything else is the same', async () => {
    const other = Harness.inMemory();
    const { followCursor: cursor } = await other.query();
    assert.deepEqual(other.server.world.servers, harness.server.world.servers);
    assert.equal(await harness.logs('tail', { cursor }), '422 cursor_invalid');
    expect('brokenContract', '/logs/tail');
  });

  it('contain a cursor with other filters, also if a fault answers', async () => {
    const { followCursor: cursor } = await harness.query({ filters: { ...always, search: 'x' } });
    for (const outcome of ['409 cursor_filter_mismatch', '503 unavailable']) {
      assert.equal(await harness.logs('tail', { cursor }), outcome);
      expect('otherFilters', '/logs/tail');
      harness.server.admin.fault({ kind: 'status', status: 503 });
    }
  });

  it('contain more than six requests of one key at once, except streams and aborted requests', async () => {
    const { admin } = harness.server;
    const tails = await Promise.all(Array.from({ length: 8 }, () => harness.tail()));
    admin.fault({ kind: 'latency', latencyMs: 1000, times: 11 });
    const controller = new AbortController();
    const begun: Promise<unknown>[] = [];
    const begin = (count: number, asked: Asked = {}): void => {
      for (let index = 0; index < count; index++) {
        begun.push(harness.ask('/integrations', asked).catch(() => undefined));
      }
    };
    begin(3, { signal: controller.signal });
    begin(3);
    begin(1, { key: 'demo-none' });
    await clock.advance(100);
    begin(3);
    // On a real connection, an abort is noticed a little later.
    await clock.advance(10);
    controller.abort();
    await clock.advance(100);
    assert.deepEqual(kinds(), []);
    begin(1);
    await clock.advance(1000);
    expect('tooManyAtOnce', '/integrations');
    await clock.advance(1000);
    await Promise.all(begun);
    tails.forEach((tail) => tail.close());
    await clock.advance(0);
    assert.equal(clock.liveTimers, 0);
  });

  it('contain a request that is repeated before its Retry-After has passed, and no other request', async () => {
    const { admin, world } = harness.server;
    const [one = '', other = ''] = world.sources.map(({ id }) => `/sources/${id}/resources`);
    for (const value of ['30', new Date(clock.now() + 60_000).toUTCString()]) {
      admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': value } });
      assert.equal(await status(one), 429);
      assert.equal(await status(one, { key: 'demo-readonly' }), 200);
      assert.equal(await status(other), 200);
      await clock.advance(29_999);
      assert.equal(await status(one), 200);
      expect('beforeRetryAfter', one);
      await clock.advance(1);
      assert.equal(await status(one), 200);
    }
    const path = `/servers/${world.servers[0]!.id}/actions/cleanup-orphans`;
    const cleanUp = (name: string, key: string): Promise<number> =>
      status(path, { headers: { 'idempotency-key': key }, body: { items: [{ name }] } });
    admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    assert.equal(await cleanUp('old', '1'), 429);
    assert.equal(await cleanUp('older', '2'), 202);
    assert.equal(await cleanUp('old', '3'), 202);
    assert.deepEqual(kinds(), []);
    assert.equal(await cleanUp('old', '1'), 202);
    expect('beforeRetryAfter', path);
  });

  it('contain every request after two groups were refused, until the Retry-After has passed', async () => {
    const { admin, world } = harness.server;
    const resources = `/sources/${world.sources[0]!.id}/resources`;
    for (const refuse of [
      () => status(resources),
      () => status('/logs/query', { body: { filters: always } }),
    ]) {
      admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
      assert.equal(await refuse(), 429);
      await clock.advance(1);
    }
    const retry = '/codehost-a/actions/retry-preview-reporting';
    assert.equal(await status(retry, { method: 'POST' }), 200);
    expect('beforeRetryAfter', retry);
    await clock.advance(30_000);
    assert.equal(await status(retry, { method: 'POST' }), 200);
  });

  it('contain an error of the control plane itself', async () => {
    harness.server.on.query = () => {
      throw new TypeError('a mistake');
    };
    const failed: unknown = await harness.query().catch((error: unknown) => error);
    assert.propertyVal(failed, 'message', 'a mistake');
    expect('mistake', '/logs/query');
  });

  it('stay until a test removes them; a reset does not', async () => {
    const { admin } = harness.server;
    await status('/nowhere');
    admin.reset();
    const wrong = (): unknown => admin.expectReport('foreignKey');
    assert.throws(wrong, /brokenContract: There is no such endpoint/);
    assert.lengthOf(admin.takeReports(), 1);
    assert.throws(wrong, 'nothing');
  });
});
