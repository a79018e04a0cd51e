import { assert } from 'chai';
import { systemClock } from '../../../src/vscode/clock';
import type { ReportKind } from '../../control-plane/server';
import { fakeClock, type FakeClock } from '../fakeClock';
import { always, Harness, type Asked } from './harness';

const query = { body: { filters: always } };

describe('The reports of the embedded control plane', () => {
  let harness: Harness;
  let clock: FakeClock;
  beforeEach(() => {
    clock = fakeClock();
    harness = Harness.inMemory({ clock });
  });
  afterEach(async () => {
    const { admin } = harness.server;
    assert.deepEqual(admin.takeReports(), []);
    await harness.server.close();
  });

  const ask = async (path: string, asked: Asked = {}): Promise<number> =>
    (await harness.ask(path, asked)).status;
  const kinds = (): ReportKind[] => harness.server.admin.reports().map(({ kind }) => kind);

  /** Expects reports of this kind, for requests with this URL, and no others. */
  function expect(kind: ReportKind, url: string, count = 1): void {
    assert.deepEqual(
      kinds(),
      Array.from({ length: count }, () => kind),
    );
    for (const { request, what } of harness.server.admin.expectReport(kind)) {
      assert.equal(request.url, `/v1/api${url}`);
      assert.isNotEmpty(what);
    }
  }

  it('do not contain correct requests, nor errors that any client may cause', async () => {
    const { admin, world } = harness.server;
    assert.equal(await ask('/integrations'), 200);
    assert.equal(await ask('/integrations', { key: '' }), 401);
    const unknown = { key: '', headers: { authorization: 'Bearer mistyped' } };
    assert.equal(await ask('/integrations', unknown), 401);
    assert.equal(await ask('/integrations', { key: 'demo-none' }), 403);
    assert.equal(await ask(`/sources/${world.servers[0]?.id}/resources`), 404);
    admin.revokeKey('demo-full');
    assert.equal(await ask('/integrations'), 401);
    admin.reset();
    admin.emit(3);
    const { followCursor, nextCursor } = await harness.query({ limit: 2 });
    const older = { body: { filters: always, cursor: nextCursor } };
    assert.equal(await ask('/logs/query', older), 200);
    admin.changeAccess('demo-full');
    const expired = { body: { filters: always, cursor: followCursor } };
    assert.equal(await ask('/logs/tail', expired), 410);
    admin.fault({ kind: 'status', status: 400 });
    assert.equal(await ask('/logs/query', query), 400);
  });

  it('contain a key of another control plane, and of a closed one', async () => {
    const other = Harness.inMemory();
    const headers = { authorization: `Bearer ${other.server.keys['demo-full']}` };
    assert.notEqual(other.server.keys['demo-full'], harness.server.keys['demo-full']);
    assert.equal(await ask('/integrations', { key: '', headers }), 401);
    expect('foreignKey', '/integrations');
    await other.server.close();
    assert.equal(await ask('/integrations', { key: '', headers }), 401);
    expect('foreignKey', '/integrations');
  });

  it('contain a forbidden key, until it is allowed again', async () => {
    const { admin } = harness.server;
    admin.forbid('demo-full');
    assert.equal(await ask('/integrations'), 200);
    assert.equal(await ask('/integrations', { key: 'demo-none' }), 403);
    expect('forbiddenKey', '/integrations');
    admin.allow('demo-full');
    assert.equal(await ask('/integrations'), 200);
    admin.forbid('demo-full');
    admin.reset();
    assert.equal(await ask('/integrations'), 200);
  });

  it('contain a cursor of another control plane, though everything else is the same', async () => {
    const other = Harness.inMemory();
    const { followCursor } = await other.query({});
    assert.deepEqual(other.server.world.servers, harness.server.world.servers);
    const body = { filters: always, cursor: followCursor };
    assert.equal(await ask('/logs/tail', { body }), 422);
    expect('brokenContract', '/logs/tail');
  });

  it('contain a cursor with other filters, from either endpoint, also if a fault answers', async () => {
    const { admin } = harness.server;
    admin.emit(3);
    const stderr = { ...always, stream: 'stderr' };
    const { followCursor } = await harness.query({ filters: stderr });
    const tail = { body: { filters: always, cursor: followCursor } };
    assert.equal(await ask('/logs/tail', tail), 409);
    expect('otherFilters', '/logs/tail');
    admin.fault({ kind: 'status', status: 503 });
    assert.equal(await ask('/logs/tail', tail), 503);
    expect('otherFilters', '/logs/tail');
  });

  const source = '/sources/0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
  const logs = (body: object): Asked => ({ body: { filters: always, ...body } });
  const streamed = { ...always, stream: 'stdout' };
  const backwards = { from: always.to, to: always.from };
  for (const [what, path, asked, status] of [
    ['an unknown member', '/logs/query', logs({ extra: 1 }), 400],
    ['an unknown filter of a stream', '/logs/tail', logs({ filters: streamed }), 400],
    ['a value outside the limits', '/logs/query', logs({ limit: 501 }), 400],
    ['a range that runs backwards', '/logs/query', logs({ filters: backwards }), 400],
    ['an invented cursor', '/logs/query', logs({ cursor: 'made up' }), 500],
    ['an unknown parameter', `${source}/resources?page=1`, {}, 400],
    ['a parameter that is given twice', '/codehost-b/repositories?page=1&page=2', {}, 400],
    ['an invalid UUID', '/sources/nonsense/resources', {}, 400],
    ['an endpoint that does not exist', '/nowhere', {}, 404],
    ['another method', '/logs/query', {}, 404],
    ['an unexpected body', '/codehost-a/actions/retry-preview-reporting', { body: {} }, 400],
    ['invalid JSON', '/logs/query', { body: '{' }, 400],
  ] as const) {
    it(`contain a request that breaks the contract: ${what}`, async () => {
      // A fault applies only if everything but the cursor is valid.
      harness.server.admin.fault({ kind: 'status', status: 500 });
      assert.equal(await ask(path, asked), status);
      expect('brokenContract', path);
    });
  }

  it('contain more than six requests of one key at once, except streams and aborted requests', async () => {
    const { admin } = harness.server;
    const tails = await Promise.all(Array.from({ length: 8 }, () => harness.tail({})));
    admin.fault({ kind: 'latency', latencyMs: 1000, times: 12 });
    const controller = new AbortController();
    const late = (asked: Asked = {}): Promise<unknown> =>
      harness.ask('/integrations', asked).catch(() => undefined);
    const begun = [1, 2, 3].map(() => late({ signal: controller.signal }));
    begun.push(...[1, 2, 3].map(() => late()), late({ key: 'demo-none' }));
    await clock.advance(100);
    begun.push(...[1, 2, 3].map(() => late()));
    // On a real connection, an abort is noticed a little later.
    await clock.advance(10);
    controller.abort();
    await clock.advance(100);
    assert.deepEqual(kinds(), []);
    begun.push(late());
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
    const [one, other] = world.sources.map(({ id }) => `/sources/${id}/resources`);
    for (const value of ['30', new Date(clock.now() + 60_000).toUTCString()]) {
      admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': value } });
      assert.equal(await ask(one!), 429);
      assert.equal(await ask(one!, { key: 'demo-readonly' }), 200);
      assert.equal(await ask(other!), 200);
      await clock.advance(29_999);
      assert.equal(await ask(one!), 200);
      expect('beforeRetryAfter', one!);
      await clock.advance(1);
      assert.equal(await ask(one!), 200);
    }
    const cleanUp = (name: string, key: string): Promise<number> =>
      ask(`/servers/${world.servers[0]!.id}/actions/cleanup-orphans`, {
        headers: { 'idempotency-key': `00000000-0000-4000-8000-00000000000${key}` },
        body: { items: [{ name }] },
      });
    admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    assert.equal(await cleanUp('old', '1'), 429);
    assert.equal(await cleanUp('older', '2'), 202);
    assert.equal(await cleanUp('old', '3'), 202);
    assert.deepEqual(kinds(), []);
    assert.equal(await cleanUp('old', '1'), 202);
    expect('beforeRetryAfter', `/servers/${world.servers[0]!.id}/actions/cleanup-orphans`);
  });

  it('contain an error of the control plane itself', async () => {
    harness.server.on.query = () => {
      throw new TypeError('a mistake');
    };
    const failed: unknown = await ask('/logs/query', query).catch((error: unknown) => error);
    assert.propertyVal(failed, 'message', 'a mistake');
    expect('mistake', '/logs/query');
  });

  it('stay until a test removes them; a reset does not', async () => {
    const { admin } = harness.server;
    await ask('/nowhere');
    admin.reset();
    assert.deepEqual(kinds(), ['brokenContract']);
    assert.throws(
      () => admin.expectReport('foreignKey'),
      /brokenContract: There is no such endpoint/,
    );
    assert.lengthOf(admin.takeReports(), 1);
    assert.throws(() => admin.expectReport('brokenContract'), 'nothing');
  });
});

describe('Reports on a real connection', () => {
  it('do not count aborted requests as too many at once', async () => {
    const harness = await Harness.start({ clock: systemClock });
    const { admin } = harness.server;
    try {
      admin.fault({ kind: 'latency', latencyMs: 60_000, times: 100 });
      const controllers: AbortController[] = [];
      const ask = (): void => {
        const controller = new AbortController();
        controllers.push(controller);
        harness.ask('/integrations', { signal: controller.signal }).catch(() => undefined);
      };
      const underWay = (): number => admin.requests().filter(({ isOver }) => !isOver).length;
      const until = async (count: number): Promise<void> => {
        while (underWay() !== count) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      for (let round = 0; round < 5; round++) {
        for (let request = 0; request < 6; request++) ask();
        await until(6);
        // All at once: the server may see new requests before the aborts.
        controllers.splice(0).forEach((controller) => controller.abort());
      }
      await until(0);
      assert.deepEqual(admin.reports(), []);
      for (let request = 0; request < 7; request++) ask();
      while (admin.reports().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      admin.expectReport('tooManyAtOnce');
      controllers.forEach((controller) => controller.abort());
    } finally {
      await harness.server.close();
    }
  });
});
