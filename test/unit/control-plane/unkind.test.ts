import { assert } from 'chai';
import type { LogPage, Operation } from '../../../src/api/types';
import type { Unkindness } from '../../control-plane/server';
import { always, Harness, nextPage, type Answer } from './harness';

/** The result of a request, before and after the server becomes unkind. */
type Probe = (harness: Harness) => Promise<unknown>;

const summary = ({ status, json }: Answer): string => {
  const { error } = json as { error?: { code: string } };
  return error === undefined ? String(status) : `${status} ${error.code}`;
};

const query =
  (body: object): Probe =>
  async (harness) =>
    summary(await harness.ask('/logs/query', { body: { filters: always, ...body } }));

const cleanUp = (harness: Harness, name: string, key = 'k'): Promise<Answer> =>
  harness.ask(`/servers/${harness.server.world.servers[0]?.id}/actions/cleanup-orphans`, {
    headers: { 'idempotency-key': key },
    body: { items: [{ name }] },
  });

const resources =
  (index: number): Probe =>
  async (harness) =>
    summary(await harness.ask(`/sources/${harness.server.world.sources[index]?.id}/resources`));

const each =
  (...probes: Probe[]): Probe =>
  async (harness) => {
    const found: unknown[] = [];
    for (const probe of probes) found.push(await probe(harness));
    return found;
  };

/** The times of an operation that has started and not ended. */
const begun: Probe = async (harness) => {
  const key = String(harness.server.admin.operations().length);
  await cleanUp(harness, 'old', key);
  harness.pass(2);
  const { json } = await cleanUp(harness, 'old', key);
  const { startedAt, finishedAt } = (json as { operation: Operation }).operation;
  return [startedAt?.slice(0, 4), finishedAt];
};

/** The cursor of a stream. */
async function followCursor(harness: Harness): Promise<string> {
  harness.server.admin.emit(3);
  return (await harness.query({ limit: 2 })).followCursor;
}

const table: readonly (readonly [
  string,
  Unkindness | ((h: Harness) => Unkindness),
  Probe,
  unknown,
  unknown,
])[] = [
  [
    'answers that the operation of an idempotency key is in progress',
    { inProgress: true },
    async (harness) => {
      const key = harness.server.admin.operations().length > 0 ? 'second' : 'first';
      const asked = [await cleanUp(harness, 'old', key), await cleanUp(harness, 'old', key)];
      harness.pass(10);
      asked.push(await cleanUp(harness, 'old', key));
      return asked.map(summary);
    },
    ['202', '202', '202'],
    ['202', '409 operation_in_progress', '202'],
  ],
  [
    'refuses a cursor without mention of a cursor',
    { vagueCursors: true },
    async (harness) => {
      const cursor = await followCursor(harness);
      const filters = { ...always, search: 'x' };
      const { status, text } = await harness.ask('/logs/tail', { body: { filters, cursor } });
      return [status, /cursor/i.test(text)];
    },
    [409, true],
    [400, false],
  ],
  [
    'refuses the cursor of a stream in a query',
    { refusesFollowCursors: true },
    async (harness) => {
      const cursor = await followCursor(harness);
      const found = await query({ cursor, direction: 'newer' })(harness);
      (await harness.tail({ cursor })).close();
      return [found, harness.server.admin.reports()];
    },
    ['200', []],
    ['422 cursor_invalid', []],
  ],
  [
    'sends unknown severities and states',
    { unknownValues: true },
    async (harness) => {
      harness.server.admin.emit([{ severity: 'info' }]);
      const { records } = await harness.query({ limit: 1 });
      const { json } = await cleanUp(harness, 'old');
      return [records[0]?.severity, (json as { operation: Operation }).operation.state];
    },
    ['info', 'queued'],
    ['new-info', 'new-queued'],
  ],
  [
    'adds a member to every object, except data and where the document allows no other member',
    { extraMembers: true },
    async (harness) => {
      harness.server.admin.emit([{ attributes: { a: 'b' } }]);
      const page = await harness.query({ limit: 1 });
      const tail = await harness.tail({});
      harness.server.admin.emit(1);
      const streamed = await nextPage(tail);
      tail.close();
      const { json } = await harness.ask('/nowhere');
      const { localization } = page as LogPage & { localization: { timestamps: object } };
      const all = [page, page.records[0], streamed, streamed.records[0], json];
      const others = [page.records[0]?.attributes, localization, localization.timestamps];
      return [all, others].map((some) => some.filter((one) => 'newMember' in Object(one)).length);
    },
    [0, 0],
    [5, 0],
  ],
  [
    'adds a member that identifies the control plane',
    { extraMembers: 'https://a.example' },
    async (harness) => ((await harness.query({})) as LogPage & { newMember?: unknown }).newMember,
    undefined,
    { since: 'https://a.example' },
  ],
  ['sends "" for unset times', { unsetTimes: 'empty' }, begun, ['2026', undefined], ['2026', '']],
  [
    'sends the year 1 for unset times',
    { unsetTimes: 'zero' },
    begun,
    ['2026', undefined],
    ['2026', '0001-01-01T00:00:00Z'],
  ],
  [
    'refuses large pages only',
    { largestPage: 99 },
    each(query({ limit: 100 }), query({ limit: 99 })),
    ['200', '200'],
    ['413 payload_too_large', '200'],
  ],
  [
    'refuses one source, not the others',
    ({ server }) => ({ forbiddenIds: [server.world.sources[0]!.id] }),
    each(resources(0), resources(1)),
    ['200', '200'],
    ['403 forbidden', '200'],
  ],
  [
    'refuses one workload in filters',
    ({ server }) => ({ forbiddenIds: [server.world.workloads[0]!.id.toUpperCase()] }),
    (harness) =>
      query({ filters: { ...always, workloadIds: [harness.server.world.workloads[0]!.id] } })(
        harness,
      ),
    '200',
    '403 forbidden',
  ],
  [
    'refuses more requests within a minute than a key may send, and says how long',
    { perMinute: { key: 1 } },
    async (harness) => {
      await harness.ask('/integrations');
      const { status, headers } = await harness.ask('/integrations');
      const other = await harness.ask('/integrations', { key: 'demo-none' });
      harness.server.admin.takeReports();
      return [status, headers.get('retry-after'), other.status];
    },
    [200, null, 403],
    [429, '60', 403],
  ],
  [
    'counts the requests of all keys',
    { perMinute: { workspace: 1 } },
    async (harness) => {
      await harness.ask('/integrations', { key: 'demo-none' });
      return summary(await harness.ask('/integrations'));
    },
    '200',
    '429 rate_limited',
  ],
  [
    'refuses an old cursor',
    { cursorSeconds: 10 },
    async (harness) => {
      const cursor = await followCursor(harness);
      harness.pass(11);
      return query({ cursor, direction: 'newer' })(harness);
    },
    '200',
    '410 cursor_expired',
  ],
  [
    'stamps records without fractions',
    { fractions: 'none' },
    (harness) => Promise.resolve(harness.server.admin.emit(1)[0]?.timestamp.length),
    24,
    20,
  ],
  [
    'stamps records earlier than they come',
    { lateSeconds: 1000 },
    (harness) => {
      const times = harness.server.admin.emit(9).map(({ timestamp }) => Date.parse(timestamp));
      return Promise.resolve(times.some((time, index) => time < (times[index - 1] ?? 0)));
    },
    false,
    true,
  ],
  [
    'leaves out members, but none of a log page',
    { missing: 0.5 },
    async (harness) => {
      const source = harness.server.world.sources[0]?.id;
      const { json } = await harness.ask(`/sources/${source}/resources`);
      const [first] = (json as { resources?: object[] }).resources ?? [];
      const page = await harness.query({});
      return [Object.keys(first ?? {}).length > 14, Object.keys(page).length];
    },
    [true, 8],
    [false, 8],
  ],
  [
    'has a clock that is ahead',
    { aheadSeconds: 600 },
    async (harness) => (await harness.query({})).snapshotAt.slice(11, 16),
    '12:00',
    '12:10',
  ],
  [
    'sends no cursor with a page that has more behind it',
    { noNextCursor: true },
    async (harness) => {
      harness.server.admin.emit(3);
      const { hasMore, nextCursor } = await harness.query({ limit: 1 });
      return [hasMore, nextCursor === null];
    },
    [true, false],
    [true, true],
  ],
  [
    'has another access revision in a stream than in a query',
    { streamRevision: true },
    async (harness) => {
      const { accessRevision } = await harness.query({});
      const tail = await harness.tail({});
      harness.server.admin.emit(1);
      const streamed = await nextPage(tail);
      tail.close();
      return streamed.accessRevision === accessRevision;
    },
    true,
    false,
  ],
  [
    'refuses long ranges only',
    { longestRangeSeconds: 86_400 },
    each(
      query({}),
      query({ filters: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' } }),
    ),
    ['200', '200'],
    ['400 invalid_request', '200'],
  ],
  [
    'returns smaller pages than requested, in queries and streams',
    { queryPage: 2, streamPage: 3 },
    async (harness) => {
      const { followCursor: cursor } = await harness.query({});
      harness.server.admin.emit(7);
      const { records, hasMore } = await harness.query({ limit: 5 });
      const tail = await harness.tail({ cursor });
      const streamed = await nextPage(tail);
      tail.close();
      return [records.length, hasMore, streamed.records.length, streamed.hasMore];
    },
    [5, true, 7, false],
    [2, true, 3, true],
  ],
];

describe('The embedded control plane, if unkind,', () => {
  for (const [what, ways, probe, kind, unkind] of table) {
    it(what, async () => {
      const harness = Harness.inMemory();
      const wanted = typeof ways === 'function' ? ways(harness) : ways;
      assert.deepEqual(await probe(harness), kind);
      harness.server.admin.unkind(wanted);
      assert.deepEqual(await probe(harness), unkind);
      // A reset restores the initial unkindness.
      const other = Harness.inMemory({ unkind: wanted });
      other.server.admin.unkind({ queryPage: 1, largestPage: 0 });
      other.server.admin.reset();
      assert.deepEqual(await probe(other), unkind);
    });
  }
});
