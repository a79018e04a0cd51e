import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import {
  exportRecords,
  type ExportEnd,
  type ExportRequest,
} from '../../../../src/logs/explorer/exportRecords';
import { failure } from '../../api/cannedAnswers';
import { covers } from '../../covers';
import { refusal } from '../logServer';
import { isNewer, filters, numbers, numbersOf, searched, startedAt } from './searched';

function setup(records: number) {
  const { server, client } = searched(records);
  const written: LogRecord[] = [];
  async function run(more: Partial<ExportRequest> = {}): Promise<ExportEnd> {
    written.length = 0;
    const { signal } = new AbortController();
    const all = exportRecords({
      client,
      filters,
      maxRecords: 100_000,
      signal,
      ...more,
    });
    for (;;) {
      const { done, value } = await all.next();
      if (done === true) return value;
      written.push(...value);
    }
  }
  return { server, run, written: () => numbersOf(written) };
}

describe('exportRecords', () => {
  it('returns all records once, oldest first, while records arrive', async () => {
    const { server, run, written } = setup(4321);
    server.on.query = () => void server.append(1);
    const seen: number[] = [];
    const onProgress = ({ records, pages }: { records: number; pages: number }): void => {
      seen.push(records);
      assert.equal(pages, server.queries.length);
    };
    assert.equal(await run({ onProgress }), 'complete');
    assert.deepEqual(written().slice(0, 4321), numbers(0, 4321));
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
    assert.equal(seen.at(-1), written().length);
  });

  it('ends at its maximum, which the last record may just reach', async () => {
    const { run, written } = setup(3000);
    assert.equal(await run({ maxRecords: 2999 }), 'bound');
    assert.deepEqual(written(), numbers(0, 2999));
    assert.equal(await run({ maxRecords: 3000 }), 'complete');
    assert.lengthOf(written(), 3000);
  });

  it('returns nothing without records', async () => {
    const { run, written } = setup(0);
    assert.equal(await run(), 'complete');
    assert.isEmpty(written());
  });

  it('is unsure if the server may have started after the oldest record', async () => {
    const { server, run, written } = setup(3000);
    server.on.page = (page, request) =>
      isNewer(request) && request.cursor === undefined
        ? { ...page, records: page.records.slice(-10) }
        : page;
    assert.equal(await run(), 'unsure');
    assert.lengthOf(written(), 2510);
    server.on.page = (page, request) =>
      isNewer(request) ? { ...page, records: [], hasMore: false, nextCursor: null } : page;
    assert.equal(await run(), 'unsure');
  });

  it('is partial if the server says so', async () => {
    const { server, run } = setup(3000);
    server.on.page = (page, { cursor }) => ({ ...page, partial: cursor === undefined });
    assert.equal(await run(), 'partial');
  });

  it(`continues at the timestamp of the last record when a cursor is refused ${covers('F42', 'unit')}`, async () => {
    const { server, run, written } = setup(3000);
    server.append(700, { timestamp: new Date(startedAt + 1_000_000).toISOString() });
    let count = 0;
    server.on.query = ({ cursor }) => {
      if (cursor !== undefined && ++count % 3 === 0) throw refusal(410);
    };
    assert.equal(await run(), 'complete');
    assert.deepEqual(written(), numbers(0, 3700));
  });

  it(`ends when it makes no progress ${covers('F42', 'unit')}`, async () => {
    const { server, run, written } = setup(3000);
    server.on.query = ({ cursor }) => {
      if (cursor !== undefined) throw refusal(410);
    };
    server.on.page = (page) => ({ ...page, records: page.records.slice(0, 1) });
    assert.equal(await run(), 'stuck');
    assert.deepEqual(written(), [0]);
  });

  it('is partial if the server has more but sends no cursor', async () => {
    const { server, run, written } = setup(1200);
    server.on.page = (page) => ({ ...page, nextCursor: null });
    assert.equal(await run(), 'partial');
    // It went on by the timestamp.
    assert.deepEqual(written(), numbers(0, 1200));
    server.on.page = (page) => ({
      ...page,
      records: page.records.slice(0, 1),
      hasMore: true,
      nextCursor: null,
    });
    assert.equal(await run(), 'partial');
    assert.deepEqual(written(), [0]);
  });

  it(`ends when cursors repeat, however many there are ${covers('F42', 'unit')}`, async () => {
    for (const length of [1, 2, 3, 6, 30]) {
      const { server, run, written } = setup(16_000);
      const cursors: string[] = [];
      server.on.page = (page) => {
        if (page.nextCursor !== null && cursors.length < length) cursors.push(page.nextCursor);
        else if (cursors[0] !== undefined)
          return { ...page, hasMore: true, nextCursor: cursors[0] };
        return page;
      };
      assert.equal(await run(), 'repeated', `${length}`);
      const pages = length + 1;
      assert.deepEqual(written(), numbers(0, pages * 500));
      assert.isAtMost(server.queries.length, pages);
    }
  });

  it(`ends when permissions change ${covers('F30', 'unit')}`, async () => {
    const { server, run, written } = setup(3000);
    server.on.query = ({ cursor }) => {
      if (server.queries.length === 5 && cursor !== undefined)
        server.admin.changeAccess('demo-full');
    };
    assert.equal(await run(), 'accessChanged');
    assert.deepEqual(written(), numbers(0, 2000));
  });

  it(`keeps requesting smaller pages once they were too large ${covers('F22', 'unit')}`, async () => {
    const { server, run, written } = setup(3000);
    let refused = 0;
    server.on.query = ({ limit = 50 }) => {
      if (limit <= 250) return;
      refused++;
      throw refusal(413);
    };
    assert.equal(await run(), 'complete');
    assert.equal(refused, 1);
    assert.deepEqual(written(), numbers(0, 3000));
  });

  it('throws the reason of an abort after returning the earlier records', async () => {
    const { server, run, written } = setup(5000);
    const controller = new AbortController();
    const reason = new Error('Enough.');
    server.on.query = () => {
      if (server.queries.length === 6) controller.abort(reason);
    };
    assert.strictEqual(await failure(run({ signal: controller.signal })), reason);
    assert.deepEqual(written(), numbers(0, 2500));
  });

  it(`returns all pages before a failure, but none with other permissions ${covers('F30', 'unit')}`, async () => {
    const { server, run, written } = setup(5000);
    let asked = 0;
    const failingAt = async (page: number): Promise<number[]> => {
      asked = 0;
      server.on.query = () => {
        if (++asked === page) throw refusal(404);
      };
      assert.propertyVal(await failure(run()), 'status', 404);
      return written();
    };
    assert.deepEqual(await failingAt(1), []);
    assert.deepEqual(await failingAt(2), numbers(0, 500));
    assert.deepEqual(await failingAt(6), numbers(0, 2500));
    server.on.page = (page) => (asked > 4 ? { ...page, accessRevision: 'other' } : page);
    assert.deepEqual(await failingAt(6), numbers(0, 2000));
  });
});
