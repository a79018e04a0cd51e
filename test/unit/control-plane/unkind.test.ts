import { assert } from 'chai';
import type { LogPage, Operation } from '../../../src/api/types';
import type { Unkindness } from '../../control-plane/server';
import { always, Harness, nextPage } from './harness';

/** The result of a request, before and after the server becomes unkind. */
type Probe = (harness: Harness) => unknown;

/** How many members have: a page of a query, its record, a page of a stream, a resource, data. */
const members: Probe = async (harness) => {
  const { server } = harness;
  const tail = await harness.tail();
  server.append(1, { attributes: { a: 'b' } });
  const page = (await harness.query()) as LogPage & { localization: object };
  const streamed = await nextPage(tail);
  tail.close();
  const { json } = await harness.ask(`/sources/${server.world.sources[0]?.id}/resources`);
  const [resource] = (json as { resources: object[] }).resources;
  const [record] = page.records;
  return [page, record, streamed, resource, record?.attributes, page.localization].map(
    (one) => Object.keys(one ?? {}).length,
  );
};

// What tests of the product would not notice if it were missing: their servers are unkind in these ways
// by chance, or the product only has to live with it.
describe('The embedded control plane, if unkind,', () => {
  function test(
    what: string,
    ways: Unkindness,
    [kind, unkind]: readonly [unknown, unknown],
    probe: Probe,
  ): void {
    it(what, async () => {
      const harness = Harness.inMemory();
      assert.deepEqual(await probe(harness), kind);
      harness.server.admin.unkind(ways);
      assert.deepEqual(await probe(harness), unkind);
    });
  }

  // Not to data, and not where the document allows no other member.
  const more = [9, 19, 8, 16, 1, 4];
  test('adds a member', { extraMembers: true }, [[8, 18, 7, 15, 1, 4], more], members);
  const fewer = [8, 18, 7, 14, 1, 4];
  test('misses some', { missing: 0.1 }, [[8, 18, 7, 15, 1, 4], fewer], members);

  for (const [unsetTimes, unset] of [
    ['empty', ''],
    ['zero', '0001-01-01T00:00:00Z'],
  ] as const) {
    test(`has unset times: ${unsetTimes}`, { unsetTimes }, [undefined, unset], async (harness) => {
      const { admin, world } = harness.server;
      const idempotencyKey = String(admin.operations().length);
      const path = `/servers/${world.servers[0]?.id}/actions/cleanup-orphans`;
      const headers = { 'idempotency-key': idempotencyKey };
      const { json } = await harness.ask(path, { headers, body: { items: [{ name: 'old' }] } });
      return (json as { operation: Operation }).operation.finishedAt;
    });
  }

  const tooLarge = ['200, 200', '413 payload_too_large, 200'] as const;
  test('refuses large pages only', { largestPage: 99 }, tooLarge, async (harness) => {
    const outcomes = [100, 99].map((limit) => harness.logs('query', { limit }));
    return (await Promise.all(outcomes)).join(', ');
  });

  const tooLong = ['200, 200', '400 invalid_request, 200'] as const;
  test('refuses long ranges only', { longestRangeSeconds: 86_400 }, tooLong, async (harness) => {
    const day = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
    const outcomes = [always, day].map((filters) => harness.logs('query', { filters }));
    return (await Promise.all(outcomes)).join(', ');
  });

  test('limits the rate of a key', { perMinute: { key: 1 } }, [null, '60'], async (harness) => {
    await harness.ask('/integrations');
    const { headers } = await harness.ask('/integrations');
    assert.equal(await harness.outcome('/integrations', { key: 'demo-none' }), '403 forbidden');
    return headers.get('retry-after');
  });

  const limited = ['200', '429 rate_limited'] as const;
  test('limits that of all', { perMinute: { workspace: 1 } }, limited, async (harness) => {
    await harness.ask('/integrations', { key: 'demo-none' });
    return harness.outcome('/integrations');
  });

  test(
    'names no cursor that it refuses',
    { vagueCursors: true },
    [true, false],
    async (harness) => {
      const { followCursor: cursor } = await harness.query();
      const body = { filters: { ...always, search: 'x' }, cursor };
      const { json } = await harness.ask('/logs/tail', { body });
      return /cursor/i.test(JSON.stringify(json));
    },
  );

  const invalid = ['200', '422 cursor_invalid'] as const;
  test('separates cursors', { refusesFollowCursors: true }, invalid, async (harness) => {
    const { followCursor: cursor } = await harness.query();
    (await harness.tail({ cursor })).close();
    const outcome = await harness.logs('query', { cursor, direction: 'newer' });
    // It is not the fault of the client.
    assert.isEmpty(harness.server.admin.reports());
    return outcome;
  });

  const expired = ['200', '410 cursor_expired'] as const;
  test('refuses an old cursor', { cursorSeconds: 10 }, expired, async (harness) => {
    const { followCursor: cursor } = await harness.query();
    harness.advance(11);
    return harness.logs('query', { cursor, direction: 'newer' });
  });

  test('sends no next cursor', { noNextCursor: true }, [false, true], async (harness) => {
    harness.server.append(3);
    const { hasMore, nextCursor } = await harness.query({ limit: 1 });
    return hasMore && nextCursor === null;
  });

  test('has a revision for streams', { streamRevision: true }, [true, false], async (harness) => {
    const tail = await harness.tail();
    harness.server.append(1);
    const streamed = await nextPage(tail);
    tail.close();
    return streamed.accessRevision === (await harness.query()).accessRevision;
  });

  test('stamps whole seconds', { fractions: 'none' }, [24, 20], ({ server }) => {
    return server.admin.emit(1)[0]?.timestamp.length;
  });

  test('stamps records as late', { lateSeconds: 1000 }, [false, true], ({ server }) => {
    const times = server.admin.emit(9).map(({ timestamp }) => Date.parse(timestamp));
    return times.some((time, index) => time < (times[index - 1] ?? 0));
  });

  test('is ahead', { aheadSeconds: 600 }, ['12:00', '12:10'], async (harness) => {
    return (await harness.query()).snapshotAt.slice(11, 16);
  });

  it('is after a reset as at the start', async () => {
    const harness = Harness.inMemory({ unkind: { largestPage: 99 } });
    harness.server.admin.unkind({ largestPage: 1, queryPage: 1 });
    harness.server.admin.reset();
    harness.server.append(2);
    assert.equal(await harness.logs('query', { limit: 100 }), '413 payload_too_large');
    assert.lengthOf((await harness.query({ limit: 99 })).records, 2);
  });
});
