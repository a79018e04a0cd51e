import { assert } from 'chai';
import { idAt } from '../../../control-plane/inMemory';
import { refusal } from '../logServer';
import { numbers } from './searched';
import { explored } from './explored';

const edges = ({ explorer }: ReturnType<typeof explored>): string[] =>
  [explorer.state.older, explorer.state.newer].map((edge) =>
    edge.kind === 'paused' ? `paused ${edge.why}` : edge.kind,
  );

describe('An explorer', () => {
  it('shows the newest first, then more at either end, as it is asked to', async () => {
    const e = explored(12);
    assert.deepEqual([e.explorer.state.search, e.explorer.state.count], [undefined, 0]);
    await e.run();
    assert.deepEqual(e.events.splice(0), ['replace 7-11']);
    assert.deepEqual(edges(e), ['more', 'more']);
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.events.splice(0), ['older 3-6']);
    e.server.append(6);
    await e.after(() => e.explorer.loadNewer());
    await e.after(() => e.explorer.loadNewer());
    assert.deepEqual(e.events.splice(0), ['newer 12-15', 'newer 16-17']);
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.events.splice(0), ['older 0-2']);
    assert.deepEqual(edges(e), ['reached', 'more']);
    assert.deepEqual(e.numbers(), numbers(0, 18));
    assert.equal(e.explorer.record(idAt(3))?.eventId, idAt(3));
    assert.isUndefined(e.explorer.record(idAt(18)));
  });

  it('sends a range without an end until now, as a server may take none that lies ahead', async () => {
    const e = explored(3);
    await e.run('last:15m');
    assert.deepEqual(e.explorer.state.window, {
      from: '2026-11-20T11:45:00Z',
      to: '2026-11-20T12:00:00Z',
    });
    const { from, to } = e.server.queries[0]?.filters ?? assert.fail();
    assert.equal(from, '2026-11-20T11:45:00Z');
    assert.equal(Date.parse(to), e.clock.now());
  });

  it('has reached both ends of a range that is over, which nothing follows', async () => {
    const e = explored(12);
    await e.run('from:11:00 to:11:40');
    assert.deepEqual(edges(e), ['reached', 'reached']);
    assert.deepEqual(e.numbers(), [0]);
    await e.after(() => e.explorer.follow());
    assert.isUndefined(e.explorer.state.following);
    assert.lengthOf(e.server.connects, 0);
  });

  it('tells how far a load is, and each change once', async () => {
    const e = explored(12);
    e.server.on.page = (page, { cursor }) => {
      if (cursor !== undefined) return page;
      // The first page has nothing, and leads on.
      return { ...page, records: [] };
    };
    await e.run();
    assert.deepEqual(
      e.states.map(({ loading }) => loading),
      [
        { direction: 'first', records: 0, pages: 0 },
        { direction: 'first', records: 0, pages: 1 },
        undefined,
      ],
    );
    assert.deepEqual(e.numbers(), numbers(2, 7));
  });

  it('tells what it waits for, and until when, as long as it does (F23)', async () => {
    const e = explored(1);
    const { clock } = e;
    const errors = [refusal(429, 20), refusal(500)];
    e.server.on.query = () => {
      const error = errors.shift();
      if (error) throw error;
    };
    await e.run();
    const { loading } = e.explorer.state;
    assert.include(loading, { direction: 'first', records: 0, pages: 0 });
    assert.equal(loading?.wait?.error.status, 429);
    assert.equal(loading?.wait?.until, clock.now() + 21_000);
    // What is over in a moment is not told of.
    await clock.advance(21_000);
    assert.deepEqual(e.explorer.state.loading, { direction: 'first', records: 0, pages: 0 });
    await clock.advance(250);
    assert.deepEqual([e.explorer.state.loading, e.explorer.state.count], [undefined, 1]);
  });

  it('keeps what is shown until another search has something to show', async () => {
    const e = explored(12);
    await e.run();
    const { epoch } = e.explorer.state;
    e.server.on.query = () => {
      assert.equal(e.explorer.state.count, 5);
      assert.equal(e.explorer.state.epoch, epoch);
      assert.equal(e.explorer.state.loading?.direction, 'first');
      // What is exported, drawn or followed meanwhile is what is shown.
      assert.deepEqual(e.explorer.state.search?.range, { last: '1h' });
      assert.equal(e.explorer.state.window?.from, '2026-11-20T11:00:00Z');
      assert.isFalse(e.explorer.state.isPrevious);
    };
    await e.run('last:58m');
    assert.deepEqual(e.events, ['replace 7-11', 'replace 7-11']);
    assert.equal(e.explorer.state.epoch, epoch + 1);
    assert.deepEqual(e.explorer.state.search?.range, { last: '58m' });
    assert.equal(e.explorer.state.window?.from, '2026-11-20T11:02:00Z');
  });

  it('ends a search for another one, whose records never mix', async () => {
    const e = explored(12);
    const first = e.run('severity:info last:1h');
    await e.run('severity:error last:1h');
    await first;
    assert.deepEqual(e.events, ['replace -']);
    assert.deepEqual(e.explorer.state.search?.filter, { severities: ['error'] });
    // In mid-page, too.
    await e.run();
    e.server.on.query = ({ cursor }) => {
      if (cursor === undefined) return;
      e.server.on.query = () => undefined;
      e.explorer.run({ filter: { severities: ['error'] }, range: {} });
    };
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.numbers(), []);
    assert.isUndefined(e.explorer.state.loading);
  });

  it('goes back to what it shows where a search does not even begin', async () => {
    const e = explored(12);
    await e.run('last:1h');
    e.server.on.query = () => {
      throw refusal(404);
    };
    await e.run('severity:error');
    const { search, failure, count } = e.explorer.state;
    assert.deepEqual([search?.range, count], [{ last: '1h' }, 5]);
    assert.propertyVal(failure, 'status', 404);
    e.server.on.query = () => undefined;
    await e.after(() => e.explorer.loadOlder());
    assert.isUndefined(e.explorer.state.failure);
    assert.deepEqual(e.numbers(), numbers(3, 12));
  });

  it('tells that what it shows is of the search before, until there is another', async () => {
    const e = explored(12);
    const isPrevious = (): boolean => e.explorer.state.isPrevious;
    e.server.on.query = () => {
      throw refusal(404);
    };
    await e.run('last:1h');
    assert.isFalse(isPrevious());
    e.server.on.query = () => undefined;
    await e.run('last:1h');
    assert.isFalse(isPrevious());
    e.server.on.query = ({ cursor }) => {
      if (cursor === undefined) throw refusal(404);
    };
    await e.run('severity:error');
    assert.isTrue(isPrevious());
    // Loading more of it makes it no other search.
    await e.after(() => e.explorer.loadOlder());
    assert.isUndefined(e.explorer.state.failure);
    assert.isTrue(isPrevious());
    assert.deepEqual(e.explorer.state.search?.range, { last: '1h' });
    const [shown] = e.explorer.records;
    assert.isDefined(shown);
    e.server.on.query = () => undefined;
    await e.after(() => e.explorer.showContext(shown));
    assert.equal(e.explorer.state.context, shown);
    assert.isFalse(isPrevious());
    await e.after(() => e.explorer.back());
    assert.isTrue(isPrevious());
    await e.run('severity:error');
    assert.deepEqual([isPrevious(), e.explorer.state.count], [false, 0]);
    // One that cannot be, and one that is cancelled, leave what was there as well.
    await e.run('last:1h');
    const range = { from: '12:00', to: '11:00' };
    await e.after(() => e.explorer.run({ filter: {}, range }));
    assert.isTrue(isPrevious());
    e.server.on.query = () => e.explorer.cancel();
    await e.run('last:30m');
    assert.deepEqual([isPrevious(), e.explorer.state.count], [true, 5]);
    assert.isUndefined(e.explorer.state.failure);
    await e.after(() => e.explorer.clear());
    assert.isFalse(isPrevious());
  });

  it('tries the first search again where it has failed', async () => {
    const e = explored(12);
    e.server.on.query = () => {
      throw refusal(404);
    };
    await e.run();
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    assert.isDefined(e.explorer.state.search);
    assert.deepEqual(edges(e), ['more', 'more']);
    e.server.on.query = () => undefined;
    await e.after(() => e.explorer.loadOlder());
    assert.isUndefined(e.explorer.state.failure);
    assert.deepEqual(e.events, ['replace 7-11']);
  });

  it('keeps the records where a load fails', async () => {
    const e = explored(12);
    await e.run();
    e.server.on.query = () => {
      throw refusal(404);
    };
    await e.after(() => e.explorer.loadOlder());
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    assert.deepEqual(e.numbers(), numbers(7, 12));
    e.server.on.query = () => undefined;
    await e.after(() => e.explorer.loadOlder());
    assert.isUndefined(e.explorer.state.failure);
    assert.deepEqual(e.numbers(), numbers(3, 12));
  });

  it('keeps what came before a load was cancelled, and can go on', async () => {
    const e = explored(40, { pageTarget: { first: 5, more: 20 } });
    await e.run();
    // Pages of two records.
    e.server.on.page = (page) => page;
    let pages = 0;
    e.server.on.query = (request) => {
      request.limit = 2;
      if (++pages === 3) e.explorer.cancel();
    };
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.numbers(), numbers(31, 40));
    assert.deepEqual(edges(e), ['paused cancelled', 'more']);
    assert.deepEqual([e.explorer.state.failure, e.explorer.state.loading], [undefined, undefined]);
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(edges(e), ['more', 'more']);
    assert.deepEqual(e.numbers(), numbers(11, 40));
  });

  it('keeps what came before a cursor was refused, where going on without it fails', async () => {
    const e = explored(40, { pageTarget: { first: 5, more: 20 } });
    await e.run();
    let pages = 0;
    e.server.on.query = (request) => {
      request.limit = 2;
      pages++;
      if (pages === 3) throw refusal(410);
      if (pages === 4) throw refusal(404);
    };
    await e.after(() => e.explorer.loadOlder());
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    assert.deepEqual(e.numbers(), numbers(31, 40));
    assert.equal(e.events.at(-1), 'older 31-34');
  });

  it('shows nothing where the first search is cancelled, and can go on', async () => {
    const e = explored(5);
    e.server.on.query = () => e.explorer.cancel();
    await e.run();
    assert.deepEqual([e.events, e.explorer.state.failure], [[], undefined]);
    assert.isUndefined(e.explorer.state.loading);
    e.server.on.query = () => undefined;
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.events, ['replace 0-4']);
  });

  it('asks whether to go on where many pages bring next to nothing', async () => {
    const e = explored(80);
    await e.run();
    let pages = 0;
    e.server.on.query = (request) => {
      pages++;
      request.limit = 1;
    };
    e.server.on.page = (page) => ({ ...page, records: [] });
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual([pages, ...edges(e)], [50, 'paused sparse', 'more']);
  });

  it('is full at its bound', async () => {
    const e = explored(20, { maxRecords: 8 });
    await e.run();
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(edges(e), ['full', 'more']);
    await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.numbers(), numbers(12, 20));
    e.server.append(2);
    await e.after(() => e.explorer.loadNewer());
    assert.equal(e.events.at(-1), 'newer 20-21 dropped 2');
    assert.deepEqual(e.numbers(), numbers(14, 22));
  });

  it('says where the time of a record took the place of a cursor (F42)', async () => {
    const e = explored(12);
    await e.run();
    e.server.on.query = ({ cursor }) => {
      if (cursor !== undefined) throw refusal(410);
    };
    await e.after(() => e.explorer.loadOlder());
    assert.isTrue(e.explorer.state.restarted);
    e.server.on.query = () => undefined;
    while (e.explorer.state.older.kind === 'more') await e.after(() => e.explorer.loadOlder());
    assert.deepEqual(e.numbers(), numbers(0, 12));
    await e.run();
    assert.isFalse(e.explorer.state.restarted);
  });

  it('takes no cursor along to other filters, from wherever it had one (F42, F71)', async () => {
    const queries = ['last:1h', 'severity:info last:1h', 'stream:stdout last:1h', 'last:30m'];
    for (const query of queries) {
      const e = explored(40);
      for (const other of queries) {
        await e.run(query);
        await e.after(() => e.explorer.loadOlder());
        e.server.append(1);
        await e.after(() => e.explorer.loadNewer());
        // While a page is loaded, and while there is a stream.
        e.explorer.loadOlder();
        await e.run(other);
        await e.after(() => e.explorer.loadOlder());
        await e.after(() => e.explorer.follow());
        e.server.append(1);
        await e.run(query);
        await e.after(() => e.explorer.loadNewer());
        await e.after(() => e.explorer.loadOlder());
        const shown = e.numbers();
        assert.deepEqual(shown, numbers(shown[0] ?? 0, e.server.log.length), `${query}, ${other}`);
        assert.deepEqual(
          [e.explorer.state.failure, e.explorer.state.restarted],
          [undefined, false],
        );
      }
      assert.deepEqual(e.server.admin.reports(), [], 'the server saw none');
    }
  });

  it('asks for smaller pages where they are too large', async () => {
    const e = explored(20);
    e.server.on.query = ({ limit = 0 }) => {
      if (limit > 2) throw refusal(413);
    };
    await e.run();
    assert.deepEqual(e.numbers(), numbers(15, 20));
    assert.isUndefined(e.explorer.state.failure);
  });

  it('says what is partial', async () => {
    const e = explored(12);
    e.server.on.page = (page) => ({ ...page, partial: true });
    await e.run();
    assert.isTrue(e.explorer.state.partial);
    assert.equal(e.explorer.state.localization?.timeZone, 'Europe/Berlin');
  });

  it('says that there is no connection, and shows nothing of an earlier one', async () => {
    const e = explored(12);
    await e.run();
    e.isConnected = false;
    await e.run();
    assert.propertyVal(e.explorer.state.failure, 'kind', 'signedOut');
    assert.deepEqual(e.events, ['replace 7-11', 'replace -']);
  });

  it('forgets everything', async () => {
    const e = explored(12);
    await e.run();
    const load = e.after(() => e.explorer.loadOlder());
    e.explorer.clear();
    await load;
    const { search, window, count, epoch, failure } = e.explorer.state;
    assert.deepEqual([search, window, count, failure], [undefined, undefined, 0, undefined]);
    assert.equal(epoch, 2);
    assert.deepEqual(e.events, ['replace 7-11', 'replace -']);
    await e.run();
    assert.deepEqual(e.numbers(), numbers(7, 12));
  });

  it('tells nothing once it is disposed of, and leaves nothing behind', async () => {
    const e = explored(12);
    await e.run();
    await e.after(() => e.explorer.follow());
    assert.equal(e.server.open.length, 1);
    e.explorer.loadOlder();
    const told = [e.events.length, e.states.length];
    e.explorer.dispose();
    e.server.append(3);
    await e.clock.advance(60_000);
    assert.deepEqual([e.events.length, e.states.length], told);
    assert.deepEqual([e.server.open.length, e.liveTimers], [0, 0]);
  });
});
