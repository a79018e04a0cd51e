import { assert } from 'chai';
import type { LogPage } from '../../../src/api/types';
import { always, Harness, nextPage, type Tail } from './harness';

describe('The log stream of the embedded control plane', () => {
  let harness: Harness;
  const startWith = async (options: Parameters<typeof Harness.start>[0]): Promise<void> => {
    harness = await Harness.start(options);
  };
  afterEach(() => harness.server.close());

  /** The event ids until the stream ends or breaks, and the last cursor. */
  async function drain({ events }: Tail): Promise<{ ids: string[]; cursor: string | undefined }> {
    const ids: string[] = [];
    let cursor: string | undefined;
    try {
      for await (const { name, data } of events) {
        if (name !== 'records') continue;
        const page = JSON.parse(data) as LogPage;
        ids.push(...page.records.map(({ eventId }) => eventId));
        cursor = page.followCursor;
      }
    } catch {
      // Broken off: the events so far count.
    }
    return { ids, cursor };
  }

  it('sends headers at once, then pages of at most 500 records in order', async () => {
    await startWith({});
    const tail = await harness.tail({});
    assert.equal(tail.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const emitted = harness.server.admin.emit(1234);
    const pages = [await nextPage(tail), await nextPage(tail), await nextPage(tail)];
    assert.deepEqual(
      pages.map(({ records, hasMore }) => [records.length, hasMore]),
      [
        [500, true],
        [500, true],
        [234, false],
      ],
    );
    assert.deepEqual(
      pages.flatMap(({ records }) => records),
      emitted,
    );
    tail.close();
  });

  it('closes normally when its time is over, and resumes at the same position', async () => {
    await startWith({ streamSeconds: 0.05 });
    const emitted: string[] = [];
    const received: string[] = [];
    let { followCursor: cursor } = await harness.query({});
    for (let round = 0; round < 8; round++) {
      const tail = await harness.tail({ cursor });
      emitted.push(...harness.server.admin.emit(20).map(({ eventId }) => eventId));
      const drained = await drain(tail);
      received.push(...drained.ids);
      cursor = drained.cursor ?? cursor;
      emitted.push(...harness.server.admin.emit(5).map(({ eventId }) => eventId));
    }
    received.push(...(await drain(await harness.tail({ cursor }))).ids);
    assert.deepEqual(received, emitted);
    assert.deepEqual(harness.server.admin.sent().eventIds, emitted);
    assert.deepEqual(harness.server.admin.emitted().eventIds, emitted);
  });

  it('loses and repeats nothing for a client that resumes, wherever it breaks', async () => {
    // The short duration ends a stream that has less to send than the fault waits for.
    await startWith({ streamSeconds: 0.1 });
    let { followCursor: cursor } = await harness.query({});
    const emitted: string[] = [];
    const received: string[] = [];
    const follow = async (): Promise<void> => {
      const drained = await drain(await harness.tail({ cursor }));
      received.push(...drained.ids);
      cursor = drained.cursor ?? cursor;
    };
    const kinds = ['reset', 'cut', 'end'] as const;
    for (let round = 0; round < 30; round++) {
      emitted.push(...harness.server.admin.emit(4).map(({ eventId }) => eventId));
      const fault = { kind: kinds[round % 3]!, afterBytes: round * 150 };
      harness.server.admin.fault({ ...fault, endpoint: 'post_logs_tail' });
      await follow();
    }
    assert.isBelow(received.length, emitted.length);
    await follow();
    assert.deepEqual(received, emitted);
  });

  it('skips records that do not match, and continues after them', async () => {
    await startWith({});
    const filters = { ...always, search: 'NEEDLE' };
    const tail = await harness.tail({ filters });
    harness.server.admin.emit(30_000);
    harness.server.admin.emit([{ body: 'a needle in the hay' }]);
    const { records, followCursor } = await nextPage(tail);
    assert.deepEqual(
      records.map(({ body }) => body),
      ['a needle in the hay'],
    );
    tail.close();
    harness.server.admin.emit([{ body: 'another needle' }]);
    const next = await nextPage(await harness.tail({ filters, cursor: followCursor }));
    assert.deepEqual(
      next.records.map(({ body }) => body),
      ['another needle'],
    );
  });

  it('sends heartbeats while there are no records', async () => {
    await startWith({ heartbeatSeconds: 0.01 });
    const tail = await harness.tail({});
    const { value } = await tail.events.next();
    assert.deepEqual(value, { name: '', data: ': heartbeat' });
    tail.close();
  });

  it('ends with an error event when the key is revoked or loses its permission', async () => {
    await startWith({});
    const admin = harness.server.admin;
    const codeAfter = async (key: string, change: () => void): Promise<string> => {
      const tail = await harness.tail({}, key);
      change();
      const { value } = await tail.events.next();
      assert.equal(value?.name, 'error');
      assert.isTrue((await tail.events.next()).done);
      return (JSON.parse(value?.data ?? '') as { error: { code: string } }).error.code;
    };
    const forbidden = codeAfter('demo-logs', () => admin.changeAccess('demo-logs', []));
    assert.equal(await forbidden, 'forbidden');
    const revoked = codeAfter('demo-readonly', () => admin.revokeKey('demo-readonly'));
    assert.equal(await revoked, 'unauthorized');
    assert.equal(
      await harness.refusal('/integrations', { key: 'demo-readonly' }, 401),
      'unauthorized',
    );
    admin.reset();
    assert.equal(
      await harness.refusal('/integrations', { key: 'demo-readonly' }, 403),
      'forbidden',
    );
  });

  it('continues with a new access revision, and its new cursor is valid', async () => {
    await startWith({});
    const tail = await harness.tail({});
    harness.server.admin.emit(1);
    const before = await nextPage(tail);
    harness.server.admin.changeAccess('demo-full');
    harness.server.admin.emit(1);
    const after = await nextPage(tail);
    assert.notEqual(after.accessRevision, before.accessRevision);
    tail.close();
    (await harness.tail({ cursor: after.followCursor })).close();
  });

  it('waits for a slow reader instead of making unused pages', async () => {
    await startWith({});
    const tail = await harness.tail({});
    harness.server.admin.emit(40_000);
    let given = -1;
    while (given < harness.server.admin.sent().count) {
      given = harness.server.admin.sent().count;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // Network buffers hold far less than 30 MB.
    assert.isAtLeast(given, 500);
    assert.isBelow(given, 30_000);
    tail.close();
  });

  it('notices that a reader has disconnected', async () => {
    await startWith({});
    const tails = await Promise.all([harness.tail({}), harness.tail({})]);
    assert.equal(harness.server.admin.streams(), 2);
    tails.forEach((tail) => tail.close());
    while (harness.server.admin.streams() > 0) await new Promise(setImmediate);
  });
});
