import { assert } from 'chai';
import type { Direction, PageCursor } from '../../../src/api/cursors';
import {
  fetchEach,
  type FetchedPages,
  fetchPages,
  type PagesRequest,
  stopLoading,
} from '../../../src/api/fetchPages';
import { Failure } from '../../control-plane/inMemory';
import { covers } from '../covers';
import { filters, numbers, numbersOf, searched } from '../logs/explorer/searched';
import { refusal } from '../logs/logServer';
import { failure } from './cannedAnswers';

interface Asked extends Partial<Omit<PagesRequest, 'start'>> {
  readonly direction?: Direction;
  readonly cursor?: PageCursor | undefined;
}

function setup(records: number) {
  const { server, client } = searched(records);
  const run = (
    target: number,
    { direction = 'older', cursor, ...more }: Asked = {},
  ): Promise<FetchedPages> =>
    fetchPages({
      client,
      start: cursor ?? { filters, direction },
      target,
      signal: new AbortController().signal,
      priority: 'person',
      ...more,
    }).then((found) => (found === 'cursorRefused' ? assert.fail(found) : found));
  const limits = (): (number | undefined)[] => server.queries.map(({ limit }) => limit);
  return { server, client, run, limits };
}

describe('fetchPages', () => {
  it(`loads pages until there are enough records ${covers('F29', 'unit')}`, async () => {
    const { run, limits } = setup(2000);
    const found = await run(1234);
    assert.deepEqual(numbersOf(found.records), numbers(766, 2000));
    assert.deepEqual(limits(), [500, 500, 234]);
    assert.equal(found.end, 'target');
    const rest = await run(10_000, { cursor: found.next });
    assert.deepEqual(numbersOf(rest.records), numbers(0, 766));
    assert.deepEqual([rest.end, rest.next], ['end', undefined]);
  });

  it('waits for all pages but the first as for what is awaited, with the retries of a person', async () => {
    const { client, run } = setup(2000);
    const turns: string[] = [];
    const asked: Asked['client'] = {
      queryLogs(query, options) {
        turns.push(`${options.priority} ${String(options.retries)}`);
        return client.queryLogs(query, options);
      },
    };
    const { next } = await run(1234, { client: asked });
    await run(1, { client: asked, cursor: next });
    assert.deepEqual(turns.splice(0), [
      'person undefined',
      'awaited true',
      'awaited true',
      'person undefined',
    ]);
    await run(1234, { client: asked, priority: 'automatic', retries: false });
    assert.deepEqual(new Set(turns), new Set(['automatic false']));
  });

  it('continues a search from its cursor', async () => {
    const { server, run } = setup(5);
    server.append(7);
    const found = await run(4, { direction: 'newer', pageSize: 2 });
    assert.deepEqual(numbersOf(found.records), numbers(0, 4));
    const rest = await run(100, { cursor: found.next });
    assert.deepEqual(numbersOf(rest.records), numbers(4, 12));
    assert.equal(rest.end, 'end');
  });

  it('reverses pages in the other order, but not records of the same time', async () => {
    for (const direction of ['older', 'newer'] as const) {
      const { server, run } = setup(20);
      server.append(5, { timestamp: '2026-11-20T13:00:00Z' });
      const expected = await run(25, { direction, pageSize: 7 });
      assert.deepEqual(numbersOf(expected.records), numbers(0, 25), direction);
      server.on.page = (page) => ({ ...page, records: [...page.records].reverse() });
      const found = await run(20, { direction, pageSize: 4 });
      const first = direction === 'older' ? 5 : 0;
      const times = found.records.map(({ timestamp }) => timestamp);
      assert.deepEqual(times, [...times].sort());
      assert.sameMembers(numbersOf(found.records), numbers(first, first + 20));
    }
  });

  it('loads nearly empty pages with progress, and stops after many of them', async () => {
    const { server, run } = setup(400);
    // Like a server that examines a fixed number of records for each page.
    server.admin.unkind({ queryPage: 1 });
    const progress: number[] = [];
    const found = await run(20, { onProgress: ({ records }) => progress.push(records) });
    assert.deepEqual(numbersOf(found.records), numbers(380, 400));
    assert.deepEqual(progress, numbers(1, 20));
    const sparse = await run(400);
    assert.equal(sparse.end, 'sparse');
    assert.lengthOf(sparse.records, 50);
    const next = await run(10, { cursor: sparse.next });
    assert.deepEqual(numbersOf(next.records), numbers(340, 350));
  });

  it(`requests smaller pages if they are too large, down to one record ${covers('F22, F72', 'unit')}`, async () => {
    const { server, run, limits } = setup(100);
    server.on.query = ({ limit = 50 }) => {
      if (limit > 30) throw refusal(413);
    };
    assert.deepEqual(numbersOf((await run(100)).records), numbers(0, 100));
    assert.deepEqual(limits(), [100, 50, 25, 25, 25, 25]);
    server.on.query = () => {
      throw refusal(413);
    };
    assert.propertyVal(await failure(run(8)), 'status', 413);
    assert.deepEqual(limits().slice(-4), [8, 4, 2, 1]);
  });

  it(`ends when a cursor comes twice ${covers('F42', 'unit')}`, async () => {
    const { server, run } = setup(100);
    const first = await run(10);
    server.on.page = (page) => ({ ...page, hasMore: true, nextCursor: first.next?.text ?? null });
    const found = await run(100, { cursor: first.next, pageSize: 10 });
    assert.deepEqual([found.end, found.next], ['repeatedCursor', undefined]);
    assert.deepEqual(numbersOf(found.records), numbers(80, 90));
  });

  it('says so when the server has more but sends no cursor', async () => {
    const { server, run } = setup(100);
    server.on.page = (page) => ({ ...page, nextCursor: null });
    const found = await run(60, { pageSize: 50 });
    assert.deepEqual([found.end, found.next, found.partial], ['cursorMissing', undefined, true]);
    assert.deepEqual(numbersOf(found.records), numbers(50, 100));
    assert.deepEqual([(await run(100)).end, (await run(100)).partial], ['end', false]);
  });

  it('finds a cursor that came in an earlier load', async () => {
    const { server, run } = setup(100);
    const first = await run(10, { pageSize: 10 });
    const second = await run(10, { cursor: first.next });
    server.on.page = (page) => ({ ...page, hasMore: true, nextCursor: first.next?.text ?? null });
    const found = await run(10, { cursor: second.next });
    assert.deepEqual([found.end, found.next], ['repeatedCursor', undefined]);
    // The same page may be loaded twice.
    server.on.page = (page) => page;
    assert.isDefined((await run(10, { cursor: second.next })).next);
    assert.isDefined((await run(10, { cursor: second.next })).next);
  });

  it('does not take full pages for nearly empty ones, however small the server wants them', async () => {
    const { server, run } = setup(2000);
    let refused = 0;
    server.on.query = ({ limit = 50 }) => {
      if (limit <= 30) return;
      refused++;
      throw refusal(413);
    };
    const found = await run(2000, { pageSize: 100 });
    assert.deepEqual([found.end, found.records.length, found.pageSize], ['end', 2000, 25]);
    assert.equal(refused, 2);
  });

  it(`never mixes pages of two access revisions ${covers('F30', 'unit')}`, async () => {
    const { server, run } = setup(100);
    server.on.page = (page, { cursor }) =>
      cursor === undefined ? page : { ...page, accessRevision: 'another' };
    const found = await run(100, { pageSize: 30 });
    assert.deepEqual(numbersOf(found.records), numbers(70, 100));
    assert.equal(found.end, 'accessChanged');
  });

  it(`ends when a cursor is refused, with any code ${covers('F42', 'unit')}`, async () => {
    for (const error of [
      refusal(409),
      refusal(410),
      refusal(422),
      new Failure(400, 'No.', 'invalid_request'),
    ]) {
      const { server, client, run } = setup(100);
      const { next: start } = await run(1);
      assert.isDefined(start);
      server.on.query = ({ cursor }) => {
        if (cursor !== undefined) throw error;
      };
      const found = await run(100, { pageSize: 30 });
      assert.equal(found.end, 'cursorRefused');
      assert.deepEqual(numbersOf(found.records), numbers(70, 100));
      const { signal } = new AbortController();
      const rest = { client, start, target: 1, signal, priority: 'person' } as const;
      assert.equal(await fetchPages(rest), 'cursorRefused');
    }
  });

  it('throws any other error, and the reason of an abort', async () => {
    const { server, run } = setup(100);
    server.on.query = () => {
      throw refusal(403);
    };
    assert.propertyVal(await failure(run(1)), 'status', 403);
    server.on.query = () => {
      throw new Failure(400, 'No.', 'invalid_request');
    };
    assert.propertyVal(await failure(run(1)), 'status', 400);
    server.on.query = () => undefined;
    const controller = new AbortController();
    const stopped = new Error('Enough.');
    const onProgress = (): void => controller.abort(stopped);
    const { signal } = controller;
    assert.strictEqual(await failure(run(100, { pageSize: 10, onProgress, signal })), stopped);
  });

  it('keeps its pages if it is cancelled between two, or if they are enough for who asks', async () => {
    const { run } = setup(100);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(stopLoading);
    const cancelled = await run(100, { pageSize: 10, onProgress, signal: controller.signal });
    const satisfied = await run(100, { pageSize: 10, onPage: () => true });
    assert.deepEqual([cancelled.end, satisfied.end], ['cancelled', 'satisfied']);
    for (const { records, next } of [cancelled, satisfied]) {
      assert.deepEqual(numbersOf(records), numbers(90, 100));
      assert.isDefined(next);
    }
  });

  it('is followed from the first page of older records, and from the last of newer ones', async () => {
    for (const [direction, text] of [
      ['older', 'page 1'],
      ['newer', 'page 2'],
    ] as const) {
      const { server, run } = setup(20);
      let pages = 0;
      server.on.page = (page) => ({ ...page, followCursor: `page ${++pages}` });
      const { follow } = await run(20, { direction, pageSize: 10 });
      assert.equal(follow?.text, text);
      assert.equal(pages, 2);
    }
  });

  it('returns whether a page is partial', async () => {
    const { server, run } = setup(100);
    assert.isFalse((await run(100)).partial);
    server.on.page = (page, { cursor }) => ({ ...page, partial: cursor !== undefined });
    assert.isTrue((await run(100, { pageSize: 50 })).partial);
  });

  it(`keeps the order of the server for any times ${covers('F27', 'unit')}`, async () => {
    const { server, run } = setup(3);
    server.append(1, { timestamp: '2026-11-20T11:00:30Z' });
    server.append(2);
    assert.deepEqual(numbersOf((await run(10, { pageSize: 2 })).records), [0, 1, 3, 2, 4, 5]);
    assert.deepEqual(numbersOf((await run(10)).records), numbers(0, 6));
  });
});

describe('fetchEach', () => {
  it('has found every value only if the control plane left out no records', async () => {
    for (const [partial, isAll] of [
      [false, true],
      [true, false],
    ] as const) {
      const { clock, server, client } = searched(20);
      server.on.page = (page) => ({ ...page, partial });
      const { signal } = new AbortController();
      const each = fetchEach({
        ...{ client, filters, signal, priority: 'automatic', field: 'serverId' },
        found: () => [],
      });
      assert.equal(await clock.run(each), isAll);
    }
  });

  it('has not found every value if the others are partial', async () => {
    const { clock, server, client } = searched();
    server.admin.emit(Array.from({ length: 4000 }, () => ({ body: 'of one' })));
    const seen = new Set<string>();
    const each = (partial: boolean): Promise<boolean> => {
      server.on.page = (page, { filters: asked }) => ({
        ...page,
        partial: partial && 'conditionGroup' in asked,
      });
      const { signal } = new AbortController();
      return clock.run(
        fetchEach({
          ...{ client, filters, signal, priority: 'automatic', field: 'serverId' },
          found: () => [...seen],
          onPage: ({ records }) => records.forEach(({ serverId }) => seen.add(serverId)),
        }),
      );
    };
    assert.isTrue(await each(false));
    assert.isFalse(await each(true));
  });
});
