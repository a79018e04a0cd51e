import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import { olderPaging } from '../../../../src/logs/explorer/explorerState';
import { type Loaded, PagedSearch } from '../../../../src/logs/explorer/pagedSearch';
import { rowKey } from '../../../../src/logs/explorer/recordRows';
import { idAt } from '../../../control-plane/inMemory';
import { failure } from '../../api/cannedAnswers';
import { realClock } from '../../api/realClock';
import { always, Harness } from '../../control-plane/harness';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { clientOf, refusal } from '../logServer';
import { isNewer, filters, numbers, numbersOf, searched, startedAt } from './searched';

/** @param isOpen whether the range ends now, whenever that is. */
function setup(records: number, { maxRecords = 100_000, isOpen = false } = {}) {
  const { clock, server, client } = searched(records);
  const inFuture = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();
  const until = (): string => (isOpen ? inFuture(0) : filters.to);
  /** The numbers of what was added last. */
  let came: number[] = [];
  const search = new PagedSearch({
    client,
    filters: { ...filters, to: until() },
    until,
    maxRecords,
  });
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
  return { server, search, older, newer, follow, summary, inFuture };
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

  it('goes on by time where a cursor ends, since its range and its snapshot are older', async () => {
    for (const isOpen of [false, true]) {
      const { server, search, older, newer, summary } = setup(5, { isOpen });
      await older(2);
      server.append(5);
      await newer(3);
      server.append(4);
      assert.deepEqual(summary(await newer(5)), [numbers(8, 13), 'target']);
      assert.deepEqual(summary(await newer(5)), [[13], 'end']);
      assert.deepEqual(shown(search), numbers(3, 14));
    }
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
    // The newest is far from the oldest, and what is late from both.
    server.append(1, { timestamp: new Date(startedAt + 60_000).toISOString() });
    await newer(10);
    server.append(1, { timestamp: new Date(startedAt + 55_000).toISOString() });
    await newer(10);
    assert.deepEqual(shown(search), numbers(15, 24));
  });

  it('never sends a range that ends before it begins, whatever times records have', async () => {
    const times = [[3600], [3600, 0], [0, 3600], [-86_400, 0], [0, -86_400], [3600, 7200]];
    for (const seconds of times) {
      const { server, search, older, newer, follow, inFuture } = setup(5, { isOpen: true });
      await older(1);
      for (const offset of seconds) server.append(1, { timestamp: inFuture(offset) });
      follow(server.log.slice(5));
      server.append(1, { timestamp: inFuture(0) });
      await newer(100);
      await older(100);
      assert.include(shown(search), 5 + seconds.length, seconds.join());
      for (const { filters: sent } of server.queries) {
        assert.isAtMost(Date.parse(sent.from), Date.parse(sent.to), seconds.join());
      }
    }
  });

  it('finds what was stamped between now and the newest, if that is in the future', async () => {
    const { server, search, older, newer, follow, inFuture } = setup(3, { isOpen: true });
    await older(5);
    server.append(1, { timestamp: inFuture(600) });
    follow(server.log.slice(3));
    server.append(1, { timestamp: inFuture(595) });
    await newer(5);
    assert.sameMembers(shown(search), numbers(0, 5));
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
    const { server, search, older, summary } = setup(20);
    await older(5);
    server.on.query = () => {
      throw refusal(403);
    };
    assert.propertyVal(await failure(older(5)), 'status', 403);
    server.on.query = () => undefined;
    const reason = new Error('Enough.');
    const signal = AbortSignal.abort(reason);
    assert.strictEqual(await failure(search.load('older', { target: 5, signal })), reason);
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
    const { server, search, older, newer, summary } = setup(20, { maxRecords: 8 });
    assert.deepEqual(summary(await older(5)), [numbers(15, 20), 'target']);
    assert.deepEqual(summary(await older(5)), [numbers(12, 15), 'target']);
    assert.deepEqual(summary(await older(5)), ['full']);
    assert.isTrue(search.isFull);
    server.append(3);
    assert.deepEqual(summary(await newer(5)), [numbers(20, 23), 'end']);
    assert.deepEqual(shown(search), numbers(15, 23));
  });

  it('adds the records of a stream and drops the oldest at its maximum', async () => {
    const { server, search, older, newer, follow, summary } = setup(20, { maxRecords: 8 });
    await older(8);
    server.append(3);
    const came = server.log.slice(-3);
    assert.deepEqual(follow(came), numbers(20, 23));
    assert.deepEqual(follow(came), []);
    assert.deepEqual(shown(search), numbers(15, 23));
    assert.isFalse(search.state?.ends.older === 'end');
    assert.deepEqual(summary(await newer(5)), [[], 'end']);
  });

  it('takes a record again that it has dropped, of which it remembers nothing', async () => {
    const { server, search, older, follow } = setup(8, { maxRecords: 8 });
    await older(8);
    const first = search.records[0]!;
    server.append(1);
    follow([server.log.at(-1)!]);
    assert.deepEqual(follow([first]), [0]);
  });

  it('finds the records of its list by their keys, and no others', async () => {
    const { server, search, older, newer, follow } = setup(20, { maxRecords: 12 });
    const seen = new Set<LogRecord>();
    const check = (): void => {
      for (const record of search.records) seen.add(record);
      const found = [...seen].filter((record) => search.recordOf(rowKey(record)) === record);
      assert.sameMembers(found, [...search.records]);
    };
    check();
    await older(4);
    check();
    await older(4);
    check();
    server.append(3);
    await newer(2);
    check();
    server.append(6);
    follow(server.log.slice(20));
    check();
    assert.isAbove(search.dropped, 0);
    search.clear();
    check();
    assert.lengthOf(search.records, 0);
    await older(4);
    check();
    assert.lengthOf(search.records, 4);
  });

  it('loads no older records when a stream has filled it', async () => {
    const { server, search, older, summary } = setup(6, { maxRecords: 8 });
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

describe('search of endless large records', () => {
  let harness: Harness;
  before(async () => (harness = await Harness.start()));
  after(() => harness.server.close());

  it(`limits the size of its list, counts the dropped ones and says so ${covers('F74', 'connection')}`, async () => {
    const { server } = harness;
    const body = 'x'.repeat(64 * 1024);
    const emit = (count: number) =>
      server.admin.emit(Array.from({ length: count }, () => ({ body })));
    emit(200);
    server.admin.unkind({ queryPage: 10 });
    const client = clientOf(server, realClock);
    const maxBytes = 16 * 1024 * 1024;
    const search = new PagedSearch({ client, filters: always, maxBytes });
    const { signal } = new AbortController();
    while ((await search.load('older', { target: 1000, signal })).kind === 'records');
    assert.isTrue(search.isFull);
    // A character takes two bytes; a page may be over the bound.
    const most = maxBytes / (2 * body.length);
    const before = search.records.length;
    assert.isAtMost(before, most + 10);
    assert.equal(search.dropped, 0);
    emit(40);
    await search.load('newer', { target: 1000, signal });
    const streamed = emit(20);
    search.follow(streamed);
    assert.isAtMost(search.records.length, most);
    assert.equal(search.records.at(-1)?.eventId, streamed.at(-1)?.eventId);
    assert.equal(search.records.length + search.dropped, before + 60);
    assert.deepEqual(await search.load('older', { target: 10, signal }), { kind: 'full' });
    assert.deepEqual(olderPaging(search), { kind: 'full' }, 'the end of the list says so');
  });
});
