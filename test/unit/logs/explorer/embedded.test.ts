import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { queryFilters } from '../../../../src/logs/query/fields';
import { matches } from '../../../../src/logs/query/matches';
import { parseSearch } from '../../../../src/logs/query/searchQuery';
import { exportRecords } from '../../../../src/logs/explorer/exportRecords';
import { PagedSearch } from '../../../../src/logs/explorer/pagedSearch';
import type { Admin } from '../../../control-plane/server';
import { always, start } from '../../control-plane/harness';
import { covers } from '../../covers';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { clientOf, logServer } from '../logServer';

const { signal } = new AbortController();
const endpoint = 'post_logs_query';

describe('search on the embedded control plane', () => {
  let clock: FakeClock;
  let admin: Admin;
  let client: ControlPlaneClient;
  beforeEach(() => {
    clock = fakeClock(start);
    const server = logServer({ clock, historyRecords: 3000 });
    ({ admin } = server);
    client = clientOf(server, clock);
  });

  function search(query = ''): PagedSearch {
    const result = parseSearch(query, { now: start, timeZone: 'UTC' });
    if (!result.ok) assert.fail(JSON.stringify(result.errors));
    const filters = queryFilters(result.query.filter, always.from, always.to);
    return new PagedSearch({ client, filters, maxRecords: 100_000 });
  }

  async function loadAll(one: PagedSearch): Promise<string[]> {
    while (one.state?.ends.older !== 'end') await one.load('older', { target: 700, signal });
    return one.records.map(({ eventId }) => eventId);
  }

  /** All there is, as the export hands it on: from the other end. */
  async function everything(): Promise<string[]> {
    const ids: string[] = [];
    const all = exportRecords({
      client,
      filters: always,
      maxRecords: 100_000,
      signal,
    });
    for await (const records of all) ids.push(...records.map(({ eventId }) => eventId));
    return ids;
  }

  it(`finds all records in both directions despite errors while records arrive ${covers('F23, F42', 'unit')}`, async () => {
    const one = search();
    await one.load('older', { target: 100, signal });
    admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': '0' }, endpoint });
    admin.fault({ kind: 'status', status: 413, endpoint, skip: 1 });
    admin.fault({ kind: 'cursorRefused', endpoint, skip: 2 });
    admin.emit(700);
    await clock.run(one.load('older', { target: 900, signal }));
    await one.load('newer', { target: 300, signal });
    admin.emit(50);
    while (one.state?.ends.newer !== 'end') await one.load('newer', { target: 300, signal });
    // Those pages were of the snapshot before the last records came.
    await one.load('newer', { target: 300, signal });
    const ids = await loadAll(one);
    assert.lengthOf(ids, 3750);
    assert.deepEqual(ids, await everything());
  });

  it('sends valid requests that find the right records', async () => {
    for (const query of [
      'severity:error,fatal',
      '-severity:info,debug env:production',
      'stream:stderr or spanId:*',
      'service^=w -trace:*',
      '(attr.method:* or service!=web) a',
    ]) {
      const result = parseSearch(query, { now: start, timeZone: 'UTC' });
      if (!result.ok) assert.fail(JSON.stringify(result.errors));
      const { filter } = result.query;
      const all = search();
      await loadAll(all);
      const expected = all.records.filter((record) => matches(record, filter));
      assert.deepEqual(
        await loadAll(search(query)),
        expected.map(({ eventId }) => eventId),
        query,
      );
    }
  });

  it(`removes everything when permissions change ${covers('F30', 'unit')}`, async () => {
    const one = search();
    await one.load('older', { target: 500, signal });
    admin.fault({ kind: 'accessRevision', endpoint });
    assert.deepEqual(await one.load('older', { target: 500, signal }), { kind: 'accessChanged' });
    assert.isEmpty(one.records);
    assert.lengthOf(await loadAll(one), 3000);
  });

  it(`stops when pages repeat ${covers('F42', 'unit')}`, async () => {
    const one = search();
    await one.load('older', { target: 500, signal });
    admin.fault({ kind: 'sameCursor', endpoint });
    const loaded = await one.load('older', { target: 2000, signal });
    assert.propertyVal(loaded, 'end', 'repeatedCursor');
    assert.lengthOf(await loadAll(one), 3000);
  });
});
