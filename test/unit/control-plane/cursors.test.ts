import { assert } from 'chai';
import { systemClock } from '../../../src/vscode/systemClock';
import { always, Harness, nextPage, start } from './harness';

describe('The cursors of the embedded control plane', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = Harness.inMemory({ maxRecords: 100 });
    harness.server.append(10);
  });
  afterEach(() => harness.server.close());

  const filters = { ...always, severities: ['info', 'warn'] };
  const condition = { field: 'service', operator: 'exists', value: '' };
  const mismatch = '409 cursor_filter_mismatch';

  it('require the same filters, in any order and without empty ones', async () => {
    const { nextCursor, followCursor } = await harness.query({ filters, limit: 2 });
    const same = { severities: ['warn', 'info'], search: '', services: [], ...always };
    await harness.query({ filters: same, cursor: nextCursor });
    for (const changed of [
      always,
      { ...filters, to: '2027-01-01T00:00:00Z' },
      { ...filters, stream: 'stdout' },
      { ...filters, conditionGroup: { match: 'and', conditions: [condition] } },
    ]) {
      const older = { filters: changed, cursor: nextCursor };
      assert.equal(await harness.logs('query', older), mismatch);
      const newer = { filters: changed, cursor: followCursor, direction: 'newer' };
      assert.equal(await harness.logs('query', newer), mismatch);
    }
    assert.equal(await harness.logs('tail', { cursor: followCursor }), mismatch);
  });

  it('are those of either endpoint, for filters that both accept', async () => {
    const tail = await harness.tail();
    harness.server.append(1);
    const { followCursor: cursor } = await nextPage(tail);
    tail.close();
    await harness.query({ cursor, direction: 'newer' });
    const stderr = { filters: { ...always, stream: 'stderr' } };
    assert.equal(await harness.logs('query', { ...stderr, cursor, direction: 'newer' }), mismatch);
    const ofQuery = await harness.query(stderr);
    assert.equal(await harness.logs('tail', { cursor: ofQuery.followCursor }), mismatch);
  });

  it('expire with the key, with its access, and with the records at their position', async () => {
    const expired = '410 cursor_expired';
    const { followCursor: cursor } = await harness.query();
    assert.equal(await harness.logs('tail', { cursor }, 'demo-logs'), expired);
    harness.server.admin.changeAccess('demo-full');
    assert.equal(await harness.logs('tail', { cursor }), expired);
    const { followCursor: later } = await harness.query();
    harness.server.append(200);
    assert.equal(await harness.logs('tail', { cursor: later }), expired);
  });

  it('are those of one run, also if the next one has the same keys', async () => {
    const run = (seconds: number): Harness => {
      const clock = { ...systemClock, now: () => start + seconds * 1000 };
      return Harness.inMemory({ newSecret: () => 'same', clock });
    };
    const [first, next] = [run(0), run(60)];
    const { followCursor: cursor } = await first.query();
    assert.deepEqual(first.server.keys, next.server.keys);
    assert.equal(await next.logs('tail', { cursor }), '422 cursor_invalid');
    await first.server.close();
    await next.server.close();
  });

  it('cannot be altered, or used for something else', async () => {
    const { nextCursor, followCursor } = await harness.query({ limit: 2 });
    for (const [endpoint, body] of [
      ['tail', { cursor: `A${followCursor}` }],
      ['tail', { cursor: `${followCursor}AAAA` }],
      ['tail', { cursor: nextCursor }],
      ['query', { cursor: nextCursor, direction: 'newer' }],
      ['query', { cursor: followCursor, direction: 'older' }],
    ] as const) {
      assert.equal(await harness.logs(endpoint, body), '422 cursor_invalid');
    }
  });
});
