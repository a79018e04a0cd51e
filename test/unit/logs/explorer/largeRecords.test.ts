import { assert } from 'chai';
import { createServer } from 'node:http';
import { createClient } from '../../../../src/api/createClient';
import type { LogQueryRequest } from '../../../../src/api/types';
import { PagedSearch } from '../../../../src/logs/explorer/pagedSearch';
import { defaults, queryAnswer } from '../../api/cannedAnswers';
import { loopbackServers } from '../../api/loopbackServers';
import { realClock } from '../../api/realClock';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

const mega = 1024 * 1024;
const newest = Date.parse('2026-11-20T12:00:00Z');
const filters = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
const body = 'x'.repeat(64 * 1024);

/** The record so many milliseconds before, or after, the newest there was. */
const at = (offset: number) => {
  const timestamp = new Date(newest + offset).toISOString();
  return sampleRecord({ eventId: `e${offset}`, timestamp, body });
};

describe('search with records of 64 KB', () => {
  const servers = loopbackServers();
  afterEach(() => servers.close());

  it(`limits the size of its records and counts the dropped ones ${covers('F74', 'connection')}`, async () => {
    let come = 0;
    const server = createServer((request, response) => {
      let sent = '';
      request.setEncoding('utf8').on('data', (text: string) => (sent += text));
      request.on('end', () => {
        const {
          cursor,
          direction,
          limit = 50,
          filters: asked,
        } = JSON.parse(sent) as LogQueryRequest;
        const count = Math.min(10, limit);
        const isNewer = direction === 'newer';
        const first = isNewer ? Date.parse(asked.from) - newest : Number(cursor ?? 0);
        const offsets = Array.from({ length: count }, (_, index) =>
          isNewer ? first + index : first - index,
        ).filter((offset) => offset <= come);
        const end = (offsets.at(-1) ?? first) - 1;
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            ...queryAnswer,
            records: offsets.map(at),
            hasMore: !isNewer,
            nextCursor: isNewer ? null : String(end),
          }),
        );
      });
    });
    const baseUrl = `http://127.0.0.1:${await servers.listen(server)}`;
    const client = createClient({
      baseUrl,
      token: () => Promise.resolve('key'),
      fetch: (request) => fetch(request),
      clock: realClock,
      random: () => 0,
      settings: () => defaults,
    });
    const maxBytes = 16 * mega;
    const search = new PagedSearch({ client, filters, maxRecords: 100_000, maxBytes });
    const { signal } = new AbortController();
    let loads = 0;
    while ((await search.load('older', { target: 1000, signal })).kind === 'records') loads++;
    assert.isBelow(loads, 10);
    assert.isTrue(search.isFull);
    // A character takes two bytes; a page may be over the bound.
    const most = maxBytes / (2 * body.length) + 10;
    assert.isAtMost(search.records.length, most);
    assert.equal(search.dropped, 0);
    come = 40;
    const before = search.records.length;
    await search.load('newer', { target: 1000, signal });
    search.follow(Array.from({ length: 20 }, (_, index) => at(1000 + index)));
    assert.isAtMost(search.records.length, maxBytes / (2 * body.length));
    assert.equal(search.records.at(-1)?.eventId, 'e1019');
    const added = search.records.length + search.dropped - before;
    assert.isAtLeast(added, 20);
    assert.deepEqual(await search.load('older', { target: 10, signal }), { kind: 'full' });
  });
});
