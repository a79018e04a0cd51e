import { assert } from 'chai';
import { hour, minute } from '../../../../src/base/clock';
import { restOfRange } from '../../../../src/logs/explorer/histogram';
import { wholeRange } from '../../../../src/logs/explorer/liveSearch';
import { covers } from '../../covers';
import { refusal } from '../logServer';
import { numbers } from './searched';
import { explored, followingOf } from './explored';

const edges = ({ explorer }: ReturnType<typeof explored>): string[] =>
  [explorer.state.older, explorer.state.newer].map((edge) =>
    edge.kind === 'paused' ? `paused ${edge.why}` : edge.kind,
  );

describe('explorer session', () => {
  it('shows the newest records first, then more at each end on request', async () => {
    const e = explored(12);
    assert.deepEqual([e.explorer.state.search, e.explorer.state.count], [undefined, 0]);
    await e.run();
    assert.deepEqual(e.events.splice(0), ['replace 7-11']);
    assert.deepEqual(edges(e), ['more', 'more']);
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual(e.events.splice(0), ['older 3-6']);
    e.server.append(6);
    await e.after(() => e.explorer.load('newer'));
    await e.after(() => e.explorer.load('newer'));
    assert.deepEqual(e.events.splice(0), ['newer 12-15', 'newer 16-17']);
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual(e.events.splice(0), ['older 0-2']);
    assert.deepEqual(edges(e), ['reached', 'more']);
    assert.deepEqual(e.numbers(), numbers(0, 18));
  });

  it('loads the whole range part after part, and shows each', async () => {
    const e = explored(30);
    await e.run();
    const { length } = e.server.queries;
    await e.after(() => e.explorer.loadWhole());
    assert.deepEqual(e.numbers(), numbers(0, 30));
    assert.deepEqual(e.events.slice(0, 4), [
      'replace 25-29',
      'older 21-24',
      'older 17-20',
      'older 13-16',
    ]);
    assert.deepEqual(edges(e), ['reached', 'more']);
    assert.equal(e.server.queries.length - length, 7);
    const progress = e.states.flatMap(({ loading }) =>
      loading?.isWhole === true ? [loading] : [],
    );
    assert.isNotEmpty(progress);
    assert.isUndefined(e.explorer.state.loading);
    // There is nothing left to load.
    await e.after(() => e.explorer.loadWhole());
    assert.equal(e.server.queries.length - length, 7);
  });

  it('loads the whole range only up to a bound, and goes on from there', async () => {
    const e = explored(400);
    await e.run();
    const { length } = e.server.queries;
    await e.after(() => e.explorer.loadWhole());
    assert.equal(e.server.queries.length - length, wholeRange.requests);
    assert.equal(e.explorer.state.count, 5 + wholeRange.requests * 4);
    assert.equal(restOfRange(e.explorer.state), 'stopped');
    await e.after(() => e.explorer.loadWhole());
    assert.equal(e.explorer.state.count, 5 + 2 * wholeRange.requests * 4);
    assert.deepEqual(edges(e), ['more', 'more']);
    await e.after(() => e.explorer.loadWhole());
    assert.equal(e.explorer.state.count, 400);
    assert.isUndefined(restOfRange(e.explorer.state));
    await e.run();
    assert.equal(restOfRange(e.explorer.state), 'canLoad', 'another search');
  });

  it('keeps what came when loading the whole range is cancelled or fails', async () => {
    for (const stop of ['cancel', 'fail'] as const) {
      const e = explored(30);
      await e.run();
      let asked = 0;
      e.server.on.query = () => {
        if (++asked < 3) return;
        if (stop === 'fail') throw refusal(404);
        e.explorer.cancel();
      };
      await e.after(() => e.explorer.loadWhole());
      assert.equal(asked, 3, stop);
      assert.isAtLeast(e.explorer.state.count, 13, stop);
      assert.isUndefined(e.explorer.state.loading, stop);
      e.accept();
      await e.after(() => e.explorer.loadWhole());
      assert.deepEqual(e.numbers(), numbers(0, 30), stop);
    }
  });

  it('loads the whole range after a part that is on its way', async () => {
    const e = explored(30);
    await e.run();
    await e.after(() => {
      e.explorer.load('older');
      e.explorer.loadWhole();
      e.explorer.loadWhole();
    });
    assert.deepEqual(e.numbers(), numbers(0, 30));
  });

  it('sends an open range with an end of now, since servers may refuse one in the future', async () => {
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

  it('has more at the end of a range that was in the future, until it is loaded after that', async () => {
    const e = explored(12);
    await e.run('from:11:00 to:12:30');
    assert.deepEqual(edges(e), ['more', 'more']);
    await e.clock.advance(20 * 60_000);
    e.server.append(2);
    await e.clock.advance(20 * 60_000);
    assert.deepEqual(edges(e), ['more', 'more']);
    assert.deepEqual(e.numbers(), numbers(7, 12));
    await e.after(() => e.explorer.load('newer'));
    assert.deepEqual(edges(e), ['more', 'reached']);
    assert.deepEqual(e.numbers(), numbers(7, 14));
  });

  it('reaches both ends of a past range, which cannot be followed', async () => {
    const e = explored(12);
    await e.run('from:11:00 to:11:40');
    assert.deepEqual(edges(e), ['reached', 'reached']);
    assert.deepEqual(e.numbers(), [0]);
    await e.after(() => e.explorer.follow());
    assert.isUndefined(e.explorer.state.following);
    assert.lengthOf(e.server.connects, 0);
  });

  it('reports the progress of a load, each change once', async () => {
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
        { direction: 'first', records: 0, pages: 0, wait: undefined, isWhole: false },
        { direction: 'first', records: 0, pages: 1, wait: undefined, isWhole: false },
        undefined,
      ],
    );
    assert.deepEqual(e.numbers(), numbers(2, 7));
  });

  it(`reports what it waits for and until when ${covers('F23', 'unit')}`, async () => {
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
    // Short loads are not reported.
    await clock.advance(21_000);
    assert.deepEqual(e.explorer.state.loading, {
      direction: 'first',
      records: 0,
      pages: 0,
      wait: undefined,
      isWhole: false,
    });
    await clock.advance(250);
    assert.deepEqual([e.explorer.state.loading, e.explorer.state.count], [undefined, 1]);
  });

  it('keeps its records until the first page of the next search', async () => {
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

  it('ends a search when another starts, without mixing records', async () => {
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
      e.accept();
      e.explorer.run('severity:error', { filter: { severities: ['error'] }, range: {} });
    };
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual(e.numbers(), []);
    assert.isUndefined(e.explorer.state.loading);
  });

  it('ends everything else when a search starts, also one that fails', async () => {
    const e = explored(40);
    await e.run('last:1h');
    const [record] = e.explorer.records;
    const stayOpen = async (): Promise<number> => {
      e.refuse(404);
      await e.run('severity:fatal');
      assert.propertyVal(e.explorer.state.failure, 'status', 404);
      return e.server.admin.requests().filter(({ isOver }) => !isOver).length;
    };
    await e.after(() => e.explorer.follow());
    assert.lengthOf(e.server.open, 1);
    assert.equal(await stayOpen(), 0, 'the stream');
    const others: Readonly<Record<string, () => void>> = {
      'a page': () => e.explorer.load('older'),
      'another search': () => void e.run('severity:error'),
      'a context': () => e.explorer.showContext(record!),
    };
    for (const [what, begin] of Object.entries(others)) {
      e.server.on.query = () => new Promise(() => undefined);
      await e.after(begin);
      assert.isDefined(e.explorer.state.loading, what);
      assert.equal(await stayOpen(), 0, what);
    }
  });

  it('keeps its records when a search fails before its first page', async () => {
    const e = explored(12);
    await e.run('last:1h');
    e.refuse(404);
    await e.run('severity:error');
    const { search, failure, count } = e.explorer.state;
    assert.deepEqual([search?.range, count], [{ last: '1h' }, 5]);
    assert.propertyVal(failure, 'status', 404);
    e.accept();
    await e.after(() => e.explorer.load('older'));
    assert.isUndefined(e.explorer.state.failure);
    assert.deepEqual(e.numbers(), numbers(3, 12));
  });

  it('says that its records are those of the previous search until the next one succeeds', async () => {
    const e = explored(12);
    const isPrevious = (): boolean => e.explorer.state.isPrevious;
    e.refuse(404);
    await e.run('last:1h');
    assert.isFalse(isPrevious());
    e.accept();
    await e.run('last:1h');
    assert.isFalse(isPrevious());
    e.server.on.query = ({ cursor }) => {
      if (cursor === undefined) throw refusal(404);
    };
    await e.run('severity:error');
    assert.isTrue(isPrevious());
    // Loading more of it makes it no other search.
    await e.after(() => e.explorer.load('older'));
    assert.isUndefined(e.explorer.state.failure);
    assert.isTrue(isPrevious());
    assert.deepEqual(e.explorer.state.search?.range, { last: '1h' });
    const [shown] = e.explorer.records;
    assert.isDefined(shown);
    e.accept();
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
    await e.after(() => e.explorer.run('', { filter: {}, range }));
    assert.isTrue(isPrevious());
    e.server.on.query = () => e.explorer.cancel();
    await e.run('last:30m');
    assert.deepEqual([isPrevious(), e.explorer.state.count], [true, 5]);
    assert.isUndefined(e.explorer.state.failure);
    await e.after(() => e.explorer.clear());
    assert.isFalse(isPrevious());
  });

  it('retries a failed first search', async () => {
    const e = explored(12);
    e.refuse(404);
    await e.run();
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    assert.isDefined(e.explorer.state.search);
    assert.deepEqual(edges(e), ['more', 'more']);
    e.accept();
    await e.after(() => e.explorer.load('older'));
    assert.isUndefined(e.explorer.state.failure);
    assert.deepEqual(e.events, ['replace 7-11']);
  });

  it('keeps the records of a cancelled load and continues it', async () => {
    const e = explored(40, { pageTarget: { first: 5, more: 20 } });
    await e.run();
    // Pages of two records.
    e.server.on.page = (page) => page;
    let pages = 0;
    e.server.on.query = (request) => {
      request.limit = 2;
      if (++pages === 3) e.explorer.cancel();
    };
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual(e.numbers(), numbers(31, 40));
    assert.deepEqual(edges(e), ['paused cancelled', 'more']);
    assert.deepEqual([e.explorer.state.failure, e.explorer.state.loading], [undefined, undefined]);
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual(edges(e), ['more', 'more']);
    assert.deepEqual(e.numbers(), numbers(11, 40));
  });

  it('keeps the records before a refused cursor when continuing without it fails', async () => {
    const e = explored(40, { pageTarget: { first: 5, more: 20 } });
    await e.run();
    let pages = 0;
    e.server.on.query = (request) => {
      request.limit = 2;
      pages++;
      if (pages === 3) throw refusal(410);
      if (pages === 4) throw refusal(404);
    };
    await e.after(() => e.explorer.load('older'));
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    assert.deepEqual(e.numbers(), numbers(31, 40));
    assert.equal(e.events.at(-1), 'older 31-34');
  });

  it('follows nothing if that is cancelled before the stream starts', async () => {
    const e = explored(12);
    await e.run();
    e.server.on.query = () => new Promise(() => undefined);
    await e.after(() => e.explorer.follow());
    assert.equal(followingOf(e), 'connecting');
    await e.after(() => e.explorer.cancel());
    assert.equal(followingOf(e), 'none');
    assert.isEmpty(e.server.admin.requests().filter(({ isOver }) => !isOver));
  });

  it('shows nothing after a cancelled first search, and continues it', async () => {
    const e = explored(5);
    e.server.on.query = () => e.explorer.cancel();
    await e.run();
    assert.deepEqual([e.events, e.explorer.state.failure], [[], undefined]);
    assert.isUndefined(e.explorer.state.loading);
    e.accept();
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual(e.events, ['replace 0-4']);
  });

  it(`reports when it continues by timestamp instead of a cursor ${covers('F42', 'unit')}`, async () => {
    const e = explored(12);
    await e.run();
    e.server.on.query = ({ cursor }) => {
      if (cursor !== undefined) throw refusal(410);
    };
    await e.after(() => e.explorer.load('older'));
    assert.isTrue(e.explorer.state.restarted);
    e.accept();
    while (e.explorer.state.older.kind === 'more') await e.after(() => e.explorer.load('older'));
    assert.deepEqual(e.numbers(), numbers(0, 12));
    await e.run();
    assert.isFalse(e.explorer.state.restarted);
  });

  it(`uses no cursor with other filters ${covers('F42, F71', 'unit')}`, async () => {
    const queries = ['last:1h', 'severity:info last:1h', 'stream:stdout last:1h', 'last:30m'];
    for (const query of queries) {
      const e = explored(40);
      for (const other of queries) {
        await e.run(query);
        await e.after(() => e.explorer.load('older'));
        e.server.append(1);
        await e.after(() => e.explorer.load('newer'));
        // While a page is loaded, and while there is a stream.
        e.explorer.load('older');
        await e.run(other);
        await e.after(() => e.explorer.load('older'));
        await e.after(() => e.explorer.follow());
        e.server.append(1);
        await e.run(query);
        await e.after(() => e.explorer.load('newer'));
        await e.after(() => e.explorer.load('older'));
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

  it('reports partial results', async () => {
    const e = explored(12);
    e.server.on.page = (page) => ({ ...page, partial: true });
    await e.run();
    assert.isTrue(e.explorer.state.partial);
  });

  it('reports a missing connection and removes the records of the earlier one', async () => {
    const e = explored(12);
    await e.run();
    e.isConnected = false;
    await e.run();
    assert.propertyVal(e.explorer.state.failure, 'kind', 'signedOut');
    assert.deepEqual(e.events, ['replace 7-11', 'replace -']);
    const never = explored();
    never.isConnected = false;
    await never.run();
    assert.propertyVal(never.states.at(-1)?.failure, 'kind', 'signedOut');
    assert.isUndefined(never.explorer.shownLogs);
  });

  it('says that a range is impossible, until another search starts', async () => {
    const e = explored(12);
    const range = { from: '12:00', to: '11:00' };
    await e.after(() => e.explorer.run('', { filter: {}, range }));
    assert.propertyVal(e.states.at(-1)?.failure, 'field', 'filters.from');
    void e.run();
    assert.isUndefined(e.explorer.state.failure);
  });

  it('removes everything on request, also its history', async () => {
    const e = explored(12);
    await e.run('last:2h');
    await e.run();
    assert.isTrue(e.explorer.canGoBack);
    const load = e.after(() => e.explorer.load('older'));
    e.explorer.clear();
    await load;
    const { search, window, count, epoch, failure } = e.explorer.state;
    assert.deepEqual([search, window, count, failure], [undefined, undefined, 0, undefined]);
    assert.deepEqual([e.explorer.canGoBack, e.explorer.query], [false, '']);
    assert.equal(epoch, 3);
    assert.equal(e.events.at(-1), 'replace -');
    // A search without a page, too: its connection may be another one by then.
    const running = e.run();
    e.explorer.clear();
    assert.isUndefined(e.explorer.state.loading);
    await running;
    assert.isEmpty(e.numbers());
    assert.isUndefined(e.explorer.state.search);
    await e.run();
    assert.deepEqual(e.numbers(), numbers(7, 12));
  });

  it('reports nothing and leaves nothing running after it is disposed', async () => {
    const e = explored(12);
    await e.run();
    await e.after(() => e.explorer.follow());
    assert.equal(e.server.open.length, 1);
    e.explorer.load('older');
    const before = [e.events.length, e.states.length];
    e.explorer.dispose();
    e.server.append(3);
    await e.run();
    await e.clock.advance(60_000);
    assert.deepEqual([e.events.length, e.states.length], before);
    assert.deepEqual([e.server.open.length, e.liveTimers], [0, 0]);
  });
});

describe('history of the explorer', () => {
  const trace = 'a'.repeat(32);

  it('goes back through queries and traces to the record that each was left from', async () => {
    const e = explored(3);
    const { explorer } = e;
    const focus = (): string | undefined => explorer.focus?.eventId;
    e.server.append(2, { traceId: trace });
    assert.isFalse(explorer.canGoBack);
    await e.run('last:2h');
    assert.isFalse(explorer.canGoBack, 'there was nothing before');
    const [, , , record] = explorer.records;
    await e.after(() => explorer.trace(record!));
    assert.match(explorer.query, new RegExp(`^trace:${trace} from:\\S+Z to:\\S+Z$`));
    assert.deepEqual(e.numbers(), [3, 4]);
    assert.equal(focus(), record!.eventId);
    await e.run('severity:fatal last:1h');
    assert.isUndefined(focus());
    await e.run('severity:fatal last:1h');
    await e.after(() => explorer.back());
    assert.deepEqual(e.numbers(), [3, 4]);
    await e.after(() => explorer.back());
    assert.equal(explorer.query, 'last:2h');
    assert.equal(focus(), record!.eventId, 'the record that it was left from');
    assert.isFalse(explorer.canGoBack);
    const { length } = e.server.queries;
    await e.after(() => explorer.back());
    assert.lengthOf(e.server.queries, length);
  });

  it('has the last fifty queries', async () => {
    const e = explored(3);
    for (let minutes = 1; minutes <= 60; minutes++) await e.run(`last:${minutes}m`);
    let steps = 0;
    for (; e.explorer.canGoBack; steps++) await e.after(() => e.explorer.back());
    assert.deepEqual([steps, e.explorer.query], [50, 'last:10m']);
  });

  it('is what was shown, not what failed', async () => {
    const e = explored(3);
    await e.run('last:2h');
    e.refuse(400);
    await e.run('last:1h');
    assert.deepEqual([e.explorer.query, e.explorer.previous], ['last:1h', 'last:2h']);
    const { filters } = e.explorer.shownLogs ?? assert.fail('Nothing is shown.');
    assert.equal(Date.parse(filters.to) - Date.parse(filters.from), 2 * hour);
    e.accept();
    await e.run('last:3h');
    assert.isUndefined(e.explorer.previous);
    await e.after(() => e.explorer.back());
    assert.equal(e.explorer.query, 'last:2h');
    assert.isFalse(e.explorer.canGoBack, 'it is there once');
  });
});

describe('explorer session on a machine whose clock is wrong', () => {
  for (const off of [-90, -10, 10, 90]) {
    const scene = (): ReturnType<typeof explored> => explored(12, { off: off * minute });

    it(`searches the range of the control plane's clock, by ${off} minutes ${covers('F83', 'unit')}`, async () => {
      const e = scene();
      e.server.append(1, { timestamp: new Date(e.clock.now()).toISOString() });
      // The first answer tells the time.
      await e.run('last:30m');
      assert.deepEqual(e.numbers(), numbers(8, 13));
      const { filters } = e.server.queries.at(-1)!;
      assert.closeTo(Date.parse(filters.to), e.clock.now(), 1000);
      assert.closeTo(Date.parse(filters.from), e.clock.now() - 30 * minute, 1000);
      assert.isUndefined(e.explorer.state.failure);
    });

    it(`loads and follows the newest records, by ${off} minutes ${covers('F83', 'unit')}`, async () => {
      const e = scene();
      await e.run();
      await e.clock.advance(2 * minute);
      e.server.append(2, { timestamp: new Date(e.clock.now() - minute).toISOString() });
      await e.after(() => e.explorer.load('newer'));
      assert.deepEqual(e.numbers(), numbers(7, 14));
      assert.isUndefined(e.explorer.state.failure);
      await e.after(() => e.explorer.follow());
      const { filters } = e.server.connects.at(-1)!.request;
      assert.isAbove(Date.parse(filters.to), e.clock.now());
      e.server.append(2);
      await e.clock.advance(1000);
      assert.deepEqual(e.numbers(), numbers(7, 16));
    });

    it(`shows the newest records around one of them, by ${off} minutes ${covers('F83', 'unit')}`, async () => {
      const e = scene();
      await e.run();
      await e.after(() => e.explorer.showContext(e.explorer.records.at(-1)!));
      const newer = e.server.queries.find(({ direction }) => direction === 'newer');
      assert.closeTo(Date.parse(newer!.filters.to), e.clock.now(), 1000);
      assert.deepEqual(e.numbers(), numbers(0, 12));
    });
  }
});
