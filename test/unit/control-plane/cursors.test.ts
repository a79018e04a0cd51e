import { assert } from 'chai';
import type { LogPage, LogRecord } from '../../../src/api/types';
import { always, Harness } from './harness';

const numbered = (first: number, count: number): Partial<LogRecord>[] =>
  Array.from({ length: count }, (_, index) => ({ body: `record ${first + index}` }));

describe('The cursors of the embedded control plane', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = Harness.inMemory();
  });
  afterEach(() => harness.server.close());

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
});
