import { assert } from 'chai';
import type { LogPage, LogRecord } from '../../../src/api/types';
import { always, Harness, nextPage, start } from './harness';

const bodies = (records: readonly LogRecord[]): string[] => records.map(({ body }) => body);
const numbered = (first: number, count: number): Partial<LogRecord>[] =>
  Array.from({ length: count }, (_, index) => ({ body: `record ${first + index}` }));

describe('The cursors of the embedded control plane', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = Harness.inMemory();
  });
  afterEach(() => harness.server.close());

  /** Every page from the first to the last; runs `meanwhile` in between. */
  async function pages(
    body: Record<string, unknown>,
    meanwhile: () => void = () => undefined,
  ): Promise<LogPage[]> {
    const result = [await harness.query(body)];
    for (;;) {
      const cursor = result.at(-1)?.nextCursor;
      assert.equal(cursor !== null, result.at(-1)?.hasMore);
      if (cursor === null || result.length > 100) return result;
      meanwhile();
      result.push(await harness.query({ ...body, cursor }));
    }
  }

  for (const direction of ['older', 'newer'] as const) {
    it(`page ${direction} through a snapshot, without gaps or repeats while records arrive`, async () => {
      harness.server.admin.emit(numbered(0, 100));
      const found = await pages({ limit: 7, direction }, () =>
        harness.server.admin.emit(numbered(1000, 3)),
      );
      const expected = bodies(harness.server.admin.emit(0)).concat(
        numbered(0, 100).map(({ body = '' }) => body),
      );
      if (direction === 'older') expected.reverse();
      assert.deepEqual(
        found.flatMap(({ records }) => bodies(records)),
        expected,
      );
      assert.deepEqual(new Set(found.map(({ followCursor }) => followCursor)).size, 1);
      assert.lengthOf(found, 15);
    });
  }

  it('continue a search with the stream at the same record', async () => {
    harness.server.admin.emit(numbered(0, 10));
    const { followCursor } = await harness.query({ limit: 3 });
    harness.server.admin.emit(numbered(10, 2));
    const tail = await harness.tail({ cursor: followCursor });
    assert.deepEqual(bodies((await nextPage(tail)).records), ['record 10', 'record 11']);
    harness.server.admin.emit(numbered(12, 1));
    assert.deepEqual(bodies((await nextPage(tail)).records), ['record 12']);
    tail.close();
    const since = await harness.query({ cursor: followCursor, direction: 'newer' });
    assert.deepEqual(bodies(since.records), ['record 10', 'record 11', 'record 12']);
  });

  it('require the same filters, in any order and without empty ones', async () => {
    harness.server.admin.emit(numbered(0, 10));
    const filters = { ...always, severities: ['info', 'warn'] };
    const { nextCursor, followCursor } = await harness.query({ filters, limit: 2 });
    const same = { severities: ['warn', 'info'], search: '', services: [], ...always };
    await harness.query({ filters: same, limit: 9, cursor: nextCursor });
    const group = {
      match: 'and',
      conditions: [{ field: 'service', operator: 'exists', value: '' }],
    };
    for (const changed of [
      always,
      { ...filters, to: '2027-01-01T00:00:00Z' },
      { ...filters, stream: 'stdout' },
      { ...filters, conditionGroup: group },
    ]) {
      for (const cursor of [nextCursor, followCursor]) {
        const direction = cursor === nextCursor ? 'older' : 'newer';
        const asked = { body: { filters: changed, cursor, direction } };
        const refused = await harness.refusal('/logs/query', asked, 409);
        assert.equal(refused, 'cursor_filter_mismatch', JSON.stringify(changed));
      }
      if ('stream' in changed || 'conditionGroup' in changed) continue;
      const asked = { body: { filters: changed, cursor: followCursor } };
      assert.equal(await harness.refusal('/logs/tail', asked, 409), 'cursor_filter_mismatch');
    }
  });

  it('require the same filters, including those that the stream does not accept', async () => {
    const group = {
      match: 'and',
      conditions: [{ field: 'service', operator: 'exists', value: '' }],
    };
    for (const unfit of [{ stream: 'stderr' }, { conditionGroup: group }]) {
      const filters = { ...always, ...unfit };
      const { followCursor: ofQuery } = await harness.query({ filters });
      const tail = { body: { filters: always, cursor: ofQuery } };
      assert.equal(await harness.refusal('/logs/tail', tail, 409), 'cursor_filter_mismatch');
      const stream = await harness.tail({});
      harness.server.admin.emit(1);
      const { followCursor: ofStream } = JSON.parse(
        (await stream.events.next()).value?.data ?? '',
      ) as LogPage;
      stream.close();
      const query = { body: { filters, cursor: ofStream, direction: 'newer' } };
      assert.equal(await harness.refusal('/logs/query', query, 409), 'cursor_filter_mismatch');
      await harness.query({ cursor: ofStream, direction: 'newer' });
    }
  });

  it('do not require the same range if the server is less strict', async () => {
    harness = Harness.inMemory({ requiresExactRange: false });
    const { followCursor: cursor } = await harness.query({});
    const filters = { ...always, to: '2027-01-01T00:00:00Z' };
    (await harness.tail({ filters, cursor })).close();
    const asked = { body: { filters: { ...filters, search: 'x' }, cursor } };
    assert.equal(await harness.refusal('/logs/tail', asked, 409), 'cursor_filter_mismatch');
  });

  it('require the same key and the same access', async () => {
    const { followCursor: cursor } = await harness.query({});
    const asked = { body: { filters: always, cursor } };
    const other = { ...asked, key: 'demo-logs' };
    assert.equal(await harness.refusal('/logs/tail', other, 410), 'cursor_expired');
    harness.server.admin.changeAccess('demo-full');
    assert.equal(await harness.refusal('/logs/tail', asked, 410), 'cursor_expired');
  });

  it('cannot be invented, altered, or used for something else', async () => {
    harness.server.admin.emit(numbered(0, 10));
    const { nextCursor, followCursor } = await harness.query({ limit: 2 });
    assert.isString(nextCursor);
    const refused = async (path: string, body: object): Promise<void> => {
      const asked = { body: { filters: always, ...body } };
      assert.equal(await harness.refusal(path, asked, 422), 'cursor_invalid');
    };
    for (const cursor of ['', 'x', 'a.b', `A${followCursor}`, `${followCursor}AAAA`]) {
      await refused('/logs/tail', { cursor });
      await refused('/logs/query', { cursor });
    }
    await refused('/logs/tail', { cursor: nextCursor });
    await refused('/logs/query', { cursor: nextCursor, direction: 'newer' });
    await refused('/logs/query', { cursor: followCursor, direction: 'older' });
  });

  it('expire with the records at their position', async () => {
    harness = Harness.inMemory({ maxRecords: 100 });
    const { followCursor: cursor } = await harness.query({});
    harness.server.admin.emit(200);
    const asked = { body: { filters: always, cursor } };
    assert.equal(await harness.refusal('/logs/tail', asked, 410), 'cursor_expired');
  });

  it('find a time range among records that arrive late', async () => {
    const at = (minutes: number): Partial<LogRecord> => ({
      timestamp: new Date(start + minutes * 60_000).toISOString(),
      body: String(minutes),
    });
    harness.server.admin.emit([1, 2, 3, 9, 4, 5, 10, 6, 7, 11].map(at));
    const moment = (minutes: number): string => at(minutes).timestamp ?? '';
    const filters = { from: moment(4), to: moment(9) };
    const { records } = await harness.query({ filters, direction: 'newer' });
    assert.deepEqual(bodies(records), ['9', '4', '5', '6', '7']);
  });

  it('omit records that the key may not see', async () => {
    const records: Partial<LogRecord>[] = [
      { body: 'seen' },
      { body: 'hidden', environment: 'preview' },
    ];
    harness.server.admin.emit(records);
    const restricted = await harness.query({}, 'demo-production');
    assert.deepEqual(bodies(restricted.records), ['seen']);
    assert.lengthOf((await harness.query({})).records, 2);
    const tail = await harness.tail({}, 'demo-production');
    harness.server.admin.emit(records);
    assert.deepEqual(bodies((await nextPage(tail)).records), ['seen']);
    tail.close();
  });
});
