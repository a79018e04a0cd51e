import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { ExplorerModel } from '../../../../src/logs/explorer/explorerModel';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { scaled } from '../../../host/slowness';
import { fastClock } from '../../api/realClock';
import { Harness, start } from '../../control-plane/harness';
import { covers } from '../../covers';
import { clientOf } from '../logServer';
import { searchOf } from './explored';

const endpoint = 'post_logs_query';
/** Waits are a twentieth of what they are. */
const clock = fastClock(20);
/** Some 2,000 of the million. */
const threeMinutes = 'from:2026-11-20T06:00:00Z to:2026-11-20T06:03:00Z';

/** An explorer of a control plane, whose list is checked at every change, and a wait for what holds. */
function explorerOf({ server }: Harness) {
  let shown: LogRecord[] = [];
  let onEvent = (): void => undefined;
  const client = clientOf(server, clock, { random: () => 0 });
  const source = { client, readKey: () => Promise.resolve(server.keys['demo-full']) };
  const explorer = new ExplorerModel(
    () => source,
    () => ({ now: start, timeZone: 'UTC' }),
    { clock, random: () => 0, pageTarget: { first: 500, more: 5000 } },
  );
  explorer.onDidHappen((event) => {
    if (event.kind === 'replaced') shown = [...event.records];
    else {
      if (event.kind === 'added') {
        const { direction, records, dropped } = event;
        shown = direction === 'older' ? [...records, ...shown] : [...shown, ...records];
        shown.splice(0, dropped.length);
      }
      onEvent();
    }
  });
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      onEvent = () => {
        if (holds()) resolve();
      };
      onEvent();
    });
  const loaded = async (load: () => void): Promise<ExplorerModel['state']> => {
    load();
    await until(() => explorer.state.loading === undefined);
    assert.deepEqual(idsOf(explorer.records), idsOf(shown));
    return explorer.state;
  };
  return {
    explorer,
    until,
    run: (query: string) => loaded(() => explorer.run(query, searchOf(query, start))),
    runFilter: (filter: LogFilter) => loaded(() => explorer.run('', { filter, range: {} })),
    older: () => loaded(() => explorer.load('older')),
    newer: () => loaded(() => explorer.load('newer')),
    async all(query: string): Promise<readonly LogRecord[]> {
      await loaded(() => explorer.run(query, searchOf(query, start)));
      while (explorer.state.older.kind !== 'reached') await loaded(() => explorer.load('older'));
      return explorer.records;
    },
  };
}

const idsOf = (records: readonly LogRecord[]): string[] => records.map(({ eventId }) => eventId);

describe('explorer session with a million records', () => {
  let harness: Harness;
  before(async function () {
    this.timeout(scaled(60_000));
    harness = await Harness.start({ historyRecords: 1_000_000, maxRecords: 1_100_000 });
  });
  after(() => harness.server.close());
  beforeEach(() => harness.server.admin.reset());

  /** The ids of all records from this one on, in the server's order. */
  const fromOn = (first: LogRecord | undefined): string[] => {
    const { eventIds } = harness.server.admin.emitted();
    return eventIds.slice(eventIds.indexOf(first?.eventId ?? ''));
  };

  it(`loads in both directions without gaps or repeats while records arrive, despite errors ${covers('F23, F42', 'connection')}`, async () => {
    const { admin } = harness.server;
    const { explorer, run, older, newer } = explorerOf(harness);
    await run('last:2d');
    assert.equal(explorer.state.count, 500);
    admin.fault({ kind: 'status', status: 429, headers: { 'retry-after': '0' }, endpoint });
    admin.fault({ kind: 'status', status: 413, endpoint, skip: 2 });
    admin.fault({ kind: 'status', status: 503, endpoint, skip: 4 });
    admin.fault({ kind: 'cursorRefused', endpoint, skip: 8 });
    for (let round = 0; round < 3; round++) {
      admin.emit(700);
      assert.isUndefined((await older()).failure);
      admin.emit(30);
      await newer();
    }
    admin.fault({ kind: 'cursorRefused', endpoint });
    await older();
    await newer();
    assert.equal(admin.pendingFaults(), 0);
    assert.isAbove(explorer.state.count, 10_000);
    assert.isTrue(explorer.state.restarted);
    assert.deepEqual(idsOf(explorer.records), fromOn(explorer.records[0]));
  }).timeout(60_000);

  it('follows across broken streams without gaps or repeats', async () => {
    const { admin } = harness.server;
    const { explorer, run, until } = explorerOf(harness);
    await run('last:2d');
    admin.emit(1200);
    explorer.follow();
    await until(() => explorer.state.following?.state.kind === 'live');
    const before = explorer.state.count;
    assert.equal(before, 1700);
    admin.fault({ kind: 'errorEvent', status: 500, endpoint: 'post_logs_tail', afterPages: 1 });
    admin.fault({ kind: 'duplicatePage', endpoint: 'post_logs_tail' });
    for (let round = 1; round <= 4; round++) {
      admin.emit(600);
      if (round === 2) await harness.server.admin.restart(1);
      await until(() => explorer.state.count === before + round * 600);
    }
    explorer.pause();
    admin.emit(300);
    await until(() => explorer.state.following?.newRecords === 300);
    explorer.follow();
    await until(() => explorer.state.count === before + 2700);
    explorer.stopFollowing();
    assert.equal(admin.pendingFaults(), 0);
    assert.deepEqual(idsOf(explorer.records), fromOn(explorer.records[0]));
    explorer.dispose();
  }).timeout(60_000);

  it('removes its records when access is refused in the middle of many pages', async () => {
    const { run, older } = explorerOf(harness);
    await run('last:2d');
    harness.server.admin.fault({ kind: 'status', status: 403, endpoint, skip: 3 });
    const { count, failure } = await older();
    assert.equal(count, 0);
    assert.propertyVal(failure, 'status', 403);
    assert.equal((await older()).count, 500);
  });

  it('mixes no records when the filter changes during a load', async () => {
    const { explorer, run, until } = explorerOf(harness);
    await run('last:2d');
    explorer.load('older');
    await until(() => (explorer.state.loading?.pages ?? 0) >= 2);
    await run('severity:error last:2d');
    assert.equal(explorer.state.count, 500);
    assert.isTrue(explorer.records.every(({ severity }) => severity === 'error'));
  });

  it('finds all records for every filter and operator', async () => {
    const reader = explorerOf(harness);
    const every = [...(await reader.all(threeMinutes))];
    assert.isAbove(every.length, 1000);
    const sample =
      every.find((one) => one.traceId !== null && Object.keys(one.attributes).length > 0) ??
      assert.fail();
    const { traceId, spanId, workloadId, serverId, containerId, service } = sample;
    const [name = '', value = ''] = Object.entries(sample.attributes)[0] ?? [];
    const text = (record: LogRecord): string | undefined => record.attributes[name];
    const preview = every.find(({ previewId }) => previewId !== null);
    const { previewId, deploymentId } = preview ?? assert.fail();
    const half = service.slice(1, 4);
    const cases: [string, (record: LogRecord) => boolean][] = [
      ['severity:error,warn', ({ severity }) => severity === 'error' || severity === 'warn'],
      [`workload:${workloadId}`, (record) => record.workloadId === workloadId],
      [`server:${serverId}`, (record) => record.serverId === serverId],
      [`deployment:${deploymentId}`, (record) => record.deploymentId === deploymentId],
      [`preview:${previewId}`, (record) => record.previewId === previewId],
      [`container:${containerId}`, (record) => record.containerId === containerId],
      ['env:preview', ({ environment }) => environment === 'preview'],
      [`service:${service}`, (record) => record.service === service],
      ['stream:stderr', ({ stream }) => stream === 'stderr'],
      [`trace:${traceId}`, (record) => record.traceId === traceId],
      ['"order"', ({ body }) => body.toLowerCase().includes('order')],
      [`attr.${name}="${value}"`, (record) => text(record) === value],
      [
        `attr.${name}~"${value.slice(1)}"`,
        (record) => text(record)?.includes(value.slice(1)) === true,
      ],
      [`service=${service}`, (record) => record.service === service],
      [`service!=${service}`, (record) => record.service !== service],
      [`service~${half}`, (record) => record.service.includes(half)],
      [`service!~${half}`, (record) => !record.service.includes(half)],
      [
        `service^=${service.slice(0, 3)}`,
        (record) => record.service.startsWith(service.slice(0, 3)),
      ],
      [`service$=${service.slice(-3)}`, (record) => record.service.endsWith(service.slice(-3))],
      ['spanId:*', (record) => record.spanId !== null],
      ['-spanId:*', (record) => record.spanId === null],
      [`-attr.${name}:*`, (record) => text(record) === undefined],
      [
        `spanId=${spanId} or (attr.${name}!~"${value}")`,
        (record) => record.spanId === spanId || text(record)?.includes(value) !== true,
      ],
      [
        `stream!=stderr service=${service} severity:info`,
        (record) =>
          record.stream !== 'stderr' && record.service === service && record.severity === 'info',
      ],
    ];
    for (const [query, passes] of cases) {
      const expected = every.filter(passes);
      assert.isNotEmpty(expected, query);
      assert.isBelow(expected.length, every.length, query);
      assert.deepEqual(idsOf(await reader.all(`${query} ${threeMinutes}`)), idsOf(expected), query);
    }
  }).timeout(60_000);

  it('accepts filters up to the limits of the API and sends none beyond', async () => {
    const { runFilter } = explorerOf(harness);
    const uuids = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => {
        return `6c2b3f91-1d2e-4f30-9b4c-${index.toString(16).padStart(12, '0')}`;
      });
    const condition = { field: 'service', operator: 'equals', value: 'x' } as const;
    const limits: [number, (count: number) => LogFilter][] = [
      [50, (count) => ({ workloadIds: uuids(count) })],
      [50, (count) => ({ serverIds: uuids(count) })],
      [50, (count) => ({ deploymentIds: uuids(count) })],
      [50, (count) => ({ previewIds: uuids(count) })],
      [50, (count) => ({ services: uuids(count) })],
      [128, (count) => ({ services: ['s'.repeat(count)] })],
      [512, (count) => ({ search: 'x'.repeat(count) })],
      [
        8,
        (count) => ({ attributes: Array.from({ length: count }, () => ({ key: 'a', value: '' })) }),
      ],
      [128, (count) => ({ attributes: [{ key: 'k'.repeat(count), value: 'x' }] })],
      [
        8,
        (count) => ({
          conditionGroup: {
            match: 'or',
            conditions: Array.from({ length: count }, () => condition),
          },
        }),
      ],
      [
        512,
        (count) => ({
          conditionGroup: {
            match: 'and',
            conditions: [{ ...condition, value: 'x'.repeat(count) }],
          },
        }),
      ],
    ];
    for (const [limit, filterOf] of limits) {
      assert.isUndefined((await runFilter(filterOf(limit))).failure, JSON.stringify(filterOf(1)));
      const { length } = harness.server.admin.requests();
      const { failure } = await runFilter(filterOf(limit + 1));
      assert.propertyVal(failure, 'name', 'InvalidRequestError', JSON.stringify(filterOf(1)));
      assert.lengthOf(harness.server.admin.requests(), length);
    }
  }).timeout(60_000);

  it('shows the context of a record', async () => {
    const { explorer, run, until } = explorerOf(harness);
    await run('severity:error from:2026-11-20T06:00:00Z to:2026-11-20T06:30:00Z');
    const before = idsOf(explorer.records);
    const record = explorer.records[100] ?? assert.fail();
    explorer.showContext(record);
    await until(() => explorer.state.context !== undefined);
    const all = await explorerOf(harness).all(
      `container:${record.containerId} from:2026-11-20T05:00:00Z to:2026-11-20T07:30:00Z`,
    );
    const at = idsOf(all).indexOf(record.eventId);
    assert.deepEqual(idsOf(explorer.records), idsOf(all.slice(at - 50, at + 51)));
    explorer.back();
    assert.deepEqual(idsOf(explorer.records), before);
  }).timeout(60_000);
});
