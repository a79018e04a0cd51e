import { assert } from 'chai';
import type { LogFilter } from '../../../../src/logs/query/filter';
import { loadHistory, type History, type HistoryRequest } from '../../../../src/logs/tail/history';
import { fakeClock } from '../../fakeClock';
import { httpError, ids, networkError, simulatedServer } from './simulatedServer';

const window = { from: '2026-11-13T12:00:00.000Z', to: '2027-11-21T12:00:00.000Z' };

function setup() {
  const server = simulatedServer(fakeClock());
  const load = (wanted: number, more: Partial<HistoryRequest> = {}): Promise<History> =>
    loadHistory({
      client: server.client,
      filter: {},
      window,
      wanted,
      since: undefined,
      signal: new AbortController().signal,
      ...more,
    });
  return { server, load };
}

const idsOf = ({ records }: History): string[] => records.map(({ eventId }) => eventId);

describe('The history before a tail', () => {
  it('is drained page by page, in requests that keep to the limit (F29)', async () => {
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

  it('ends where there is no more', async () => {
    const { server, load } = setup();
    assert.deepEqual(idsOf(await load(10)), []);
    server.append(3);
    const history = await load(10);
    assert.deepEqual(idsOf(history), ids(0, 3));
    assert.isTrue(history.reachesBack);
  });

  it('is turned round where the server runs newest first, and only there', async () => {
    for (const queriesRunForward of [false, true]) {
      const { server, load } = setup();
      server.queriesRunForward = queriesRunForward;
      server.queryPageSize = 3;
      server.append(8);
      assert.deepEqual(idsOf(await load(8)), ids(0, 8));
    }
  });

  it('takes records of one instant for newest first, as the contract is read', async () => {
    const { server, load } = setup();
    server.append(4, { timestamp: '2026-11-20T11:00:00Z' });
    assert.deepEqual(idsOf(await load(4)), ids(0, 4));
  });

  it('goes on from the first page: what comes while it is drained comes on the stream', async () => {
    const { server, load } = setup();
    server.append(1000);
    server.onQuery = () => server.append(1);
    const history = await load(1000);
    assert.equal(history.followCursor.split('|')[0], '1000');
    assert.deepEqual(idsOf(history), ids(0, 1000));
  });

  it('gets the cursor of the stream for the filters of the stream', async () => {
    const { server, load } = setup();
    server.append(3, { stream: 'stderr' });
    server.append(1);
    server.onQuery = () => server.append(1, { stream: 'stderr' });
    const filter: LogFilter = { stream: 'stderr', search: 'slow' };
    const history = await load(10, { filter });
    assert.deepEqual(history.followCursor, server.cursor(4, { search: 'slow', ...window }));
    assert.deepEqual(idsOf(history), [...ids(0, 3), ...ids(4, 5)]);
    assert.equal(server.queries[0]?.limit, 1);
  });

  it('gives up after some nearly empty pages and says that it is partial', async () => {
    const { server, load } = setup();
    server.append(500);
    server.queryPageSize = 1;
    const history = await load(100);
    assert.deepEqual(idsOf(history), ids(479, 500));
    assert.isTrue(history.partial);
  });

  it('gives up where a cursor leads round in circles (F42)', async () => {
    const { server, load } = setup();
    server.append(500);
    server.queryPageSize = 100;
    server.onQuery = ({ filters }, page) => {
      page.nextCursor = server.cursor(400, filters);
    };
    const history = await load(500);
    assert.lengthOf(server.queries, 2);
    assert.isTrue(history.partial);
  });

  it('says what the server says is partial (F29)', async () => {
    const { server, load } = setup();
    server.append(2);
    server.partial = true;
    assert.isTrue((await load(2)).partial);
  });

  it('never mixes what two kinds of access may see (F30)', async () => {
    const { server, load } = setup();
    server.append(30);
    server.queryPageSize = 10;
    server.onQuery = (_, page) => {
      if (server.queries.length === 2) server.accessRevision = page.accessRevision = 'revision-2';
    };
    const history = await load(30);
    assert.deepEqual(idsOf(history), ids(0, 30));
    assert.equal(history.accessRevision, 'revision-2');
    assert.lengthOf(server.queries, 5);
    assert.isFalse(history.partial);
  });

  it('shows less rather than mix, where the access keeps changing (F30)', async () => {
    const { server, load } = setup();
    server.append(30);
    server.queryPageSize = 10;
    server.onQuery = () => {
      server.accessRevision += '+';
    };
    const history = await load(30);
    assert.deepEqual(idsOf(history), ids(20, 30));
    assert.isTrue(history.partial);
  });

  it('begins again where a cursor is refused between two pages (F42)', async () => {
    const { server, load } = setup();
    server.append(30);
    server.queryPageSize = 10;
    server.onQuery = () => {
      if (server.queries.length === 3) throw httpError(410);
    };
    assert.deepEqual(idsOf(await load(30)), ids(0, 30));
    assert.lengthOf(server.queries, 6);
  });

  it('leaves every other failure to its caller', async () => {
    for (const error of [networkError(), httpError(403)]) {
      const { server, load } = setup();
      server.append(30);
      server.queryPageSize = 10;
      server.onQuery = () => {
        if (server.queries.length === 2) throw error;
      };
      const failure: unknown = await load(30).catch((reason: unknown) => reason);
      assert.strictEqual(failure, error);
    }
  });

  it('reaches back to a moment, no further', async () => {
    const { server, load } = setup();
    server.append(1200);
    const history = await load(10_000, { since: server.log[600]!.timestamp });
    assert.deepEqual(idsOf(history), ids(600, 1200));
    assert.isTrue(history.reachesBack);
    assert.lengthOf(server.queries, 2);
    assert.isFalse((await load(100, { since: server.log[600]!.timestamp })).reachesBack);
  });
});
