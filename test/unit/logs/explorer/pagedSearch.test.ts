import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import { type Loaded, PagedSearch } from '../../../../src/logs/explorer/pagedSearch';
import { idAt, NoAnswer } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { refusal } from '../logServer';
import { isNewer, filters, numbers, numbersOf, searched, startedAt } from './searched';

function setup(records: number, maxRecords = 100_000) {
  const { clock, server, client } = searched(records);
  /** The numbers of what was added last. */
  let came: number[] = [];
  const search = new PagedSearch({ client, filters, maxRecords });
  search.onDidAdd(({ direction, records: added }) => {
    came = direction === 'older' ? [...numbersOf(added), ...came] : [...came, ...numbersOf(added)];
  });
  const { signal } = new AbortController();
  const older = (target: number): Promise<Loaded> => {
    came = [];
    return search.load('older', { target, signal });
  };
  const newer = (target: number): Promise<Loaded> => {
    came = [];
    return search.load('newer', { target, signal });
  };
  const follow = (records: readonly LogRecord[]): number[] => {
    came = [];
    search.follow(records);
    return came;
  };
  /** The numbers of what a load added, with how it ended. */
  const summary = (loaded: Loaded): unknown[] => {
    if (loaded.kind !== 'records') return [loaded.kind];
    return [came, loaded.end, ...(loaded.restarted ? ['restarted'] : [])];
  };
  return { clock, server, client, search, older, newer, follow, summary };
}

const shown = ({ records }: PagedSearch): number[] => numbersOf(records);

describe('search', () => {
  it('loads the newest records first, then older ones up to the start', async () => {
    const { search, older, summary } = setup(10);
    assert.deepEqual(summary(await older(4)), [numbers(6, 10), 'target']);
    assert.isFalse(search.state?.ends.older === 'end');
    assert.deepEqual(summary(await older(4)), [numbers(2, 6), 'target']);
    assert.deepEqual(summary(await older(4)), [numbers(0, 2), 'end']);
    assert.isTrue(search.state?.ends.older === 'end');
    assert.deepEqual(summary(await older(4)), [[], 'end']);
    assert.deepEqual(shown(search), numbers(0, 10));
  });

  it('loads newer records and knows whether there are more', async () => {
    const { server, search, older, newer, summary } = setup(5);
    assert.isFalse(search.state?.ends.newer === 'end');
    await older(2);
    assert.isTrue(search.state?.ends.newer === 'end');
    server.append(5);
    assert.deepEqual(summary(await newer(3)), [numbers(5, 8), 'target']);
    assert.isFalse(search.state?.ends.newer === 'end');
    assert.deepEqual(summary(await newer(3)), [numbers(8, 10), 'end']);
    assert.isTrue(search.state?.ends.newer === 'end');
    assert.deepEqual(summary(await newer(3)), [[], 'end']);
    await older(10);
    assert.deepEqual(shown(search), numbers(0, 10));
  });

  it('has no gaps or repeats whichever way it grows while records arrive', async () => {
    const step = fc.oneof(
      fc.record({
        load: fc.constantFrom('older', 'newer'),
        target: fc.integer({ min: 1, max: 9 }),
      }),
      fc.record({ append: fc.integer({ min: 1, max: 12 }) }),
      fc.constant({ refuse: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(30), async (steps, records) => {
        const { server, search, older, newer } = setup(records);
        let refuse = false;
        server.on.query = ({ cursor }) => {
          if (!refuse || cursor === undefined) return;
          refuse = false;
          throw refusal(410);
        };
        for (const one of steps) {
          if ('append' in one) server.append(one.append);
          else if ('refuse' in one) refuse = true;
          else await (one.load === 'older' ? older : newer)(one.target);
          const [first = 0] = shown(search);
          assert.deepEqual(shown(search), numbers(first, first + search.records.length));
        }
        refuse = false;
        while ((await newer(1000)).kind === 'records' && search.state?.ends.newer !== 'end');
        await older(1000);
        const { length } = search.records;
        assert.deepEqual(shown(search), numbers(0, length));
        assert.isTrue(search.state?.ends.older === 'end');
      }),
      { numRuns: shortOrLong(60, 300) },
    );
  });

  it(`continues at a timestamp when a cursor is refused ${covers('F42', 'unit')}`, async () => {
    const { server, search, older, newer, summary } = setup(20);
    await older(5);
    server.on.query = ({ cursor }) => {
      if (cursor !== undefined) throw refusal(410);
    };
    assert.deepEqual(summary(await older(5)), [numbers(11, 15), 'target', 'restarted']);
    server.append(2);
    assert.deepEqual(summary(await newer(5)), [numbers(20, 22), 'end']);
    server.on.query = () => undefined;
    assert.deepEqual(summary(await older(100)), [numbers(0, 11), 'end']);
    assert.deepEqual(shown(search), numbers(0, 22));
    // The cursor belongs to the range that it was issued for.
    assert.isDefined(server.queries.at(-1)?.cursor);
    assert.notEqual(server.queries.at(-1)?.filters.to, filters.to);
  });

  it('leaves no gap when a search for newer records does not start at the oldest', async () => {
    const { server, search, older, newer, summary } = setup(20);
    await older(5);
    // As a server that sends the newest first, in either direction.
    server.on.page = (page, request) =>
      !isNewer(request) || request.cursor !== undefined
        ? page
        : { ...page, records: page.records.slice(-2), hasMore: false };
    server.append(15);
    assert.deepEqual(summary(await newer(100)), [numbers(20, 35), 'end']);
    server.append(1);
    server.on.page = (page, request) =>
      isNewer(request) ? { ...page, records: [], hasMore: false } : page;
    assert.deepEqual(summary(await newer(3)), [[35], 'end']);
    assert.deepEqual(shown(search), numbers(15, 36));
  });

  it('says that records may be missing when it cannot reach the loaded ones', async () => {
    const { server, search, older, newer, summary } = setup(20);
    await older(5);
    server.append(15);
    server.on.page = (page, request) =>
      isNewer(request) ? { ...page, records: [], hasMore: false } : page;
    server.on.query = ({ cursor }) => {
      if (cursor !== undefined) throw refusal(410);
    };
    server.on.query = (request) => {
      if (request.cursor !== undefined) throw refusal(410);
      request.limit = Math.min(3, request.limit ?? 50);
    };
    assert.deepEqual(summary(await newer(100)), [numbers(32, 35), 'end', 'restarted']);
    assert.deepEqual(shown(search), [...numbers(15, 20), ...numbers(32, 35)]);
  });

  it('finds records that arrive late', async () => {
    const { server, search, older, newer } = setup(20);
    await older(5);
    server.append(1, { timestamp: new Date(startedAt + 175).toISOString() });
    server.append(1);
    await newer(10);
    assert.deepEqual(shown(search), numbers(15, 22));
  });

  it('never sends a range that ends before it begins, whatever times records have', async () => {
    const times = [[3600], [3600, 0], [0, 3600], [-86_400, 0], [0, -86_400], [3600, 7200]];
    for (const seconds of times) {
      const { clock, server, client } = searched(5);
      const until = (): string => new Date(clock.now()).toISOString();
      const search = new PagedSearch({ client, filters: { ...filters, to: until() }, until });
      const { signal } = new AbortController();
      await search.load('older', { target: 1, signal });
      for (const offset of seconds) {
        server.append(1, { timestamp: new Date(clock.now() + offset * 1000).toISOString() });
      }
      search.follow(server.log.slice(5));
      server.append(1, { timestamp: until() });
      await search.load('newer', { target: 100, signal });
      await search.load('older', { target: 100, signal });
      assert.include(shown(search), 5 + seconds.length, seconds.join());
      for (const { filters: sent } of server.queries) {
        assert.isAtMost(Date.parse(sent.from), Date.parse(sent.to), seconds.join());
      }
    }
  });

  it('loads many records with the same timestamp without a cursor', async () => {
    const { server, search, older } = setup(3);
    const timestamp = new Date(startedAt + 1000).toISOString();
    server.append(30, { timestamp });
    await older(5);
    server.on.query = ({ cursor, limit }) => {
      if (cursor !== undefined && limit === 4) throw refusal(422);
    };
    await older(4);
    while (search.state?.ends.older !== 'end') await older(5);
    assert.deepEqual(shown(search), numbers(0, 33));
  });

  it(`removes everything when permissions change ${covers('F30', 'unit')}`, async () => {
    const { server, search, older, newer, summary } = setup(20);
    for (const load of [older, newer]) {
      await older(5);
      server.admin.changeAccess('demo-full');
      assert.deepEqual(summary(await load(5)), ['accessChanged']);
      assert.deepEqual([search.records, search.state?.ends.newer === 'end'], [[], false]);
      assert.deepEqual(summary(await load(5)), [numbers(15, 20), 'target']);
    }
    server.on.query = ({ cursor }) => {
      if (cursor === undefined) return;
      server.on.query = () => undefined;
      server.admin.changeAccess('demo-full');
    };
    server.on.page = (page) => page;
    await older(1);
    assert.deepEqual(search.records, []);
  });

  it('ignores pages that were requested before permissions changed', async () => {
    const { server, search, older, summary } = setup(20);
    await older(5);
    server.on.query = () => search.clear();
    assert.deepEqual(summary(await older(5)), ['accessChanged']);
    assert.deepEqual(search.records, []);
  });

  it('stays the same when a load fails or is cancelled', async () => {
    const { clock, server, search, older, summary } = setup(20);
    await older(5);
    for (const [error, code] of [
      [refusal(403), 'code_403'],
      [refusal(500), 'code_500'],
      [new NoAnswer(), 'reset'],
    ] as const) {
      server.on.query = () => {
        throw error;
      };
      await clock.run(older(5)).then(
        () => assert.fail(),
        (thrown: unknown) => assert.propertyVal(thrown, 'code', code),
      );
    }
    server.on.query = () => undefined;
    const options = { target: 5, signal: AbortSignal.abort(new Error('Enough.')) };
    await search.load('older', options).then(
      () => assert.fail(),
      (thrown: unknown) => assert.propertyVal(thrown, 'message', 'Enough.'),
    );
    assert.deepEqual(shown(search), numbers(15, 20));
    assert.deepEqual(summary(await older(5)), [numbers(10, 15), 'target']);
  });

  it('runs one load after the other', async () => {
    const { server, search, older, newer } = setup(20);
    let running = 0;
    server.on.query = async () => {
      assert.equal(++running, 1);
      await Promise.resolve();
      running--;
    };
    await Promise.all([older(3), newer(3), older(3), older(3)]);
    assert.deepEqual(shown(search), numbers(11, 20));
  });

  it('is full at its maximum', async () => {
    const { server, search, older, newer, summary } = setup(20, 8);
    assert.deepEqual(summary(await older(5)), [numbers(15, 20), 'target']);
    assert.deepEqual(summary(await older(5)), [numbers(12, 15), 'target']);
    assert.deepEqual(summary(await older(5)), ['full']);
    assert.isTrue(search.isFull);
    server.append(3);
    assert.deepEqual(summary(await newer(5)), [numbers(20, 23), 'end']);
    assert.deepEqual(shown(search), numbers(15, 23));
  });

  it('adds the records of a stream and drops the oldest at its maximum', async () => {
    const { server, client, search, older, newer, follow, summary } = setup(20, 8);
    await older(8);
    server.append(3);
    const { signal } = new AbortController();
    const { records } = await client.queryLogs(
      { filters, limit: 3 },
      { signal, priority: 'person' },
    );
    const came = [...records].reverse();
    assert.deepEqual(follow(came), numbers(20, 23));
    assert.deepEqual(follow(came), []);
    assert.deepEqual(shown(search), numbers(15, 23));
    assert.isFalse(search.state?.ends.older === 'end');
    assert.deepEqual(summary(await newer(5)), [[], 'end']);
  });

  it('takes a record again that it has dropped, of which it remembers nothing', async () => {
    const { server, search, older, follow } = setup(8, 8);
    await older(8);
    const first = search.records[0]!;
    server.append(1);
    follow([server.log.at(-1)!]);
    assert.deepEqual(follow([first]), [0]);
  });

  it('finds what was stamped between now and the newest, if that is in the future', async () => {
    const { clock, server, client } = searched(3);
    const until = (ahead = 0): string => new Date(clock.now() + ahead).toISOString();
    const search = new PagedSearch({
      client,
      filters: { ...filters, to: until() },
      until: () => until(),
    });
    const { signal } = new AbortController();
    await search.load('older', { target: 5, signal });
    server.append(1, { timestamp: until(600_000) });
    search.follow(server.log.slice(3));
    server.append(1, { timestamp: until(595_000) });
    await search.load('newer', { target: 5, signal });
    assert.sameMembers(shown(search), numbers(0, 5));
  });

  it('loads no older records when a stream has filled it', async () => {
    const { server, search, older, summary } = setup(6, 8);
    await older(10);
    assert.isTrue(search.state?.ends.older === 'end');
    const one = search.records[0];
    assert.isDefined(one);
    const added = Array.from({ length: 4 }, (_, index) => ({ ...one, eventId: idAt(100 + index) }));
    search.follow(added);
    assert.deepEqual(shown(search), [2, 3, 4, 5, 100, 101, 102, 103]);
    assert.deepEqual(summary(await older(5)), ['full']);
    assert.isEmpty(server.queries.slice(1));
  });

  it('reports partial results', async () => {
    const { server, search, older } = setup(20);
    assert.isTrue(search.state === undefined);
    await older(5);
    assert.propertyVal(search.state, 'partial', false);
    server.on.page = (page) => ({ ...page, partial: true });
    await older(5);
    server.on.page = (page) => page;
    await older(5);
    assert.propertyVal(search.state, 'partial', true);
  });
});
