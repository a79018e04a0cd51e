import { assert } from 'chai';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { loadHistory, type History, type HistoryRequest } from '../../../../src/logs/tail/history';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { NoAnswer } from '../../../control-plane/inMemory';
import { clientOf, ids, logServer, refusal } from '../logServer';

const window = { from: '2026-11-13T12:00:00.000Z', to: '2027-11-21T12:00:00.000Z' };

/** @param queryPage the most records of a page, whatever was requested. */
function setup(queryPage = 500) {
  const clock = fakeClock();
  const server = logServer({ clock, unkind: { queryPage } });
  const client = clientOf(server, clock);
  const load = (wanted: number, more: Partial<HistoryRequest> = {}): Promise<History> =>
    loadHistory({
      client,
      filter: {},
      window,
      wanted,
      signal: new AbortController().signal,
      ...more,
    });
  return { server, load };
}

const idsOf = ({ records }: History): string[] => records.map(({ eventId }) => eventId);

describe('the history before a tail', () => {
  it(`is loaded page by page, within the limit ${covers('F29', 'unit')}`, async () => {
    const { server, load } = setup();
    server.append(2000);
    const history = await load(1234);
    assert.deepEqual(idsOf(history), ids(766, 2000));
    assert.deepEqual(
      server.queries.map(({ limit }) => limit),
      [500, 500, 234],
    );
    assert.isFalse(history.partial);
    assert.isFalse(history.reachesBack);
  });

  it('ends with the last record', async () => {
    const { server, load } = setup();
    assert.deepEqual(idsOf(await load(10)), []);
    server.append(3);
    const history = await load(10);
    assert.deepEqual(idsOf(history), ids(0, 3));
    assert.isTrue(history.reachesBack);
  });

  it('continues from the first page: records that arrive meanwhile arrive on the stream', async () => {
    const { server, load } = setup();
    server.append(1000);
    server.on.page = (page) => {
      server.append(1);
      return page;
    };
    const history = await load(1000);
    assert.equal(server.positionOf(history.follow.text), 1000);
    assert.deepEqual(idsOf(history), ids(0, 1000));
  });

  it('returns a stream cursor for the filters of the stream', async () => {
    const { server, load } = setup();
    const fitting = { stream: 'stderr', body: 'slow request' } as const;
    server.append(3, fitting);
    server.append(1, { stream: 'stdout', body: 'slow request' });
    server.on.page = (page) => {
      server.append(1, fitting);
      return page;
    };
    const filter: LogFilter = { stream: 'stderr', search: 'slow' };
    const history = await load(10, { filter });
    assert.deepEqual(history.follow.text, server.cursor(4, { search: 'slow', ...window }));
    assert.deepEqual(idsOf(history), [...ids(0, 3), ...ids(4, 5)]);
    assert.equal(server.queries[0]?.limit, 1);
  });

  it('ends after several nearly empty pages and is partial', async () => {
    const { server, load } = setup(1);
    server.append(500);
    const history = await load(100);
    assert.deepEqual(idsOf(history), ids(479, 500));
    assert.isTrue(history.partial);
  });

  it(`ends if the cursors form a circle ${covers('F42', 'unit')}`, async () => {
    const { server, load } = setup(100);
    server.append(500);
    server.admin.fault({ kind: 'sameCursor', endpoint: 'post_logs_query', skip: 1 });
    const history = await load(500);
    assert.lengthOf(server.queries, 2);
    assert.isTrue(history.partial);
  });

  it(`is partial if the server says so ${covers('F29', 'unit')}`, async () => {
    const { server, load } = setup();
    server.append(2);
    server.admin.fault({ kind: 'partial', endpoint: 'post_logs_query' });
    assert.isTrue((await load(2)).partial);
  });

  it(`never mixes records of two access revisions ${covers('F30', 'unit')}`, async () => {
    const { server, load } = setup(10);
    server.append(30);
    server.on.page = (page) => {
      const accessRevision = server.queries.length < 2 ? 'revision-1' : 'revision-2';
      return { ...page, accessRevision };
    };
    const history = await load(30);
    assert.deepEqual(idsOf(history), ids(0, 30));
    assert.equal(history.accessRevision, 'revision-2');
    assert.lengthOf(server.queries, 5);
    assert.isFalse(history.partial);
  });

  it(`has fewer records instead of mixed ones if the access keeps changing ${covers('F30', 'unit')}`, async () => {
    const { server, load } = setup(10);
    server.append(30);
    server.on.page = (page) => ({ ...page, accessRevision: `revision-${server.queries.length}` });
    const history = await load(30);
    assert.deepEqual(idsOf(history), ids(20, 30));
    assert.isTrue(history.partial);
  });

  it(`starts again if changed access invalidates a cursor ${covers('F30, F42', 'unit')}`, async () => {
    const { server, load } = setup(10);
    server.append(30);
    server.on.query = () => {
      if (server.queries.length === 2) server.admin.changeAccess('demo-full');
    };
    const history = await load(30);
    assert.deepEqual(idsOf(history), ids(0, 30));
    assert.lengthOf(server.queries, 5);
    assert.isFalse(history.partial);
  });

  it('throws every other error', async () => {
    for (const [error, code] of [
      [new NoAnswer(), 'reset'],
      [refusal(403), 'code_403'],
    ] as const) {
      const { server, load } = setup(10);
      server.append(30);
      server.on.query = () => {
        if (server.queries.length === 2) throw error;
      };
      const failure: unknown = await load(30).catch((reason: unknown) => reason);
      assert.propertyVal(failure, 'code', code);
    }
  });

  it('ends where a tail knows the records', async () => {
    const { server, load } = setup(100);
    server.append(1200);
    const known = new Set(ids(600, 800));
    known.delete(ids(750, 751)[0]!);
    const history = await load(10_000, { knows: (id) => known.has(id) });
    assert.deepEqual(idsOf(history), ids(600, 1200));
    assert.lengthOf(server.queries, 6);
  });
});
