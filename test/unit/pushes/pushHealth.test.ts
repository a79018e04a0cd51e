import { assert } from 'chai';
import type { PushHealth } from '../../../src/pushes/pushEntry';
import { PushHealthCheck } from '../../../src/pushes/pushHealth';
import type { LogQueryRequest } from '../../../src/api/types';
import { Store } from '../../../src/data/store';
import { matches } from '../../../src/logs/query/matches';
import { type RecordStyle, usualStyle } from '../../../src/logs/record/recordStyle';
import { covers } from '../covers';
import { fakeClient, httpError, logAnswer, logRecord } from '../data/fakeClient';
import { fakeClock } from '../fakeClock';
import { clientOf, logServer } from '../logs/logServer';
import { wireClient } from '../logs/wireClient';
import { read, uuid } from '../trees/treeText';

const minute = 60_000;

/** What an app logs, in minutes from the moment when it was live. */
interface Logged {
  readonly info?: readonly number[];
  readonly crash?: readonly number[];
  /** What it writes to stderr when it crashes. */
  readonly body?: string;
}

async function healthOf(
  { info = [], crash = [], body: written = 'It broke' }: Logged,
  key: 'demo-full' | 'demo-no-logs' = 'demo-full',
  style: () => RecordStyle = usualStyle,
): Promise<PushHealth> {
  const clock = fakeClock();
  const server = logServer({ clock });
  const [workload] = server.world.workloads;
  assert(workload);
  const liveAt = clock.now();
  const at = (minutes: number): string => new Date(liveAt + minutes * minute).toISOString();
  const record = (severity: 'info' | 'error', body: string) => (minutes: number) => ({
    ...{ workloadId: workload.id, workloadName: workload.name, severity, body },
    ...{ timestamp: at(minutes), deploymentId: null, previewId: null },
    stream: severity === 'error' ? ('stderr' as const) : ('stdout' as const),
  });
  const records = [...info.map(record('info', 'ok')), ...crash.map(record('error', written))];
  server.admin.emit(records.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)));
  server.admin.addKey('demo-no-logs', ['resource.read']);
  const token = (): string | undefined => server.keys[key as 'demo-full'];
  const store = new Store(clock);
  const client = clientOf(server, clock, { token });
  store.reset(client);
  const app = {
    resourceId: workload.id,
    deployment: {
      ...{ id: '00000000-0000-4000-8000-000000000001', state: 'succeeded' },
      ...{ createdAt: at(-1), startedAt: at(-1), finishedAt: at(0) },
    },
  };
  const check = new PushHealthCheck(client, store, clock, style);
  return clock.run(check.run([app], new AbortController().signal));
}

/** Errors in minutes from the moment when the push was live, each with the number of its deployment. */
type Errors = readonly (readonly [minute: number, deployment: number, body: string])[];

const [old, own, next] = [100, 101, 102];
const every = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
const from = (minutes: readonly number[], deployment: number, body: string): Errors =>
  minutes.map((at) => [at, deployment, body] as const);

interface Deployed {
  readonly errors: Errors;
  /** How many minutes the deployment of the push took. */
  readonly took?: number;
  /** When the next deployment is created, and how it ends half a minute later. */
  readonly next?: readonly [minute: number, state: string];
  readonly hasIds?: boolean;
  readonly partial?: boolean;
  /** Whether the deployment of the push says no end. */
  readonly hasNoEnd?: boolean;
  /** Whether the logs cannot be read. */
  readonly fails?: boolean;
  /** Whether the deployments cannot be read. */
  readonly isUnread?: boolean;
}

async function healthWith({
  errors,
  took = 1,
  next: later,
  hasIds = true,
  partial = false,
  isUnread = false,
  hasNoEnd = false,
  fails = false,
}: Deployed): Promise<PushHealth> {
  const clock = fakeClock();
  const liveAt = clock.now();
  const at = (minutes: number): string => new Date(liveAt + minutes * minute).toISOString();
  const record = (minutes: number, deployment: number, body: string, severity: 'info' | 'error') =>
    logRecord({
      ...{ eventId: `${minutes} ${body}`, timestamp: at(minutes), ingestedAt: at(minutes) },
      ...{ workloadId: uuid(1), severity, body },
      deploymentId: hasIds ? uuid(deployment) : null,
    });
  const records = [
    ...every(-120, 5, 3).map((one) => record(one + 0.01, one < 0 ? old : own, 'ok', 'info')),
    ...errors.map(([one, deployment, body]) => record(one, deployment, body, 'error')),
  ].sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  const queryLogs = ({ filters, limit = 50, cursor }: LogQueryRequest) => {
    if (fails) return Promise.reject(httpError(503, 'unavailable'));
    const found = records.filter((one) => matches(one, filters));
    const start = Number(cursor ?? 0);
    const hasMore = found.length > start + limit;
    const nextCursor = hasMore ? String(start + limit) : null;
    const page = found.slice(start, start + limit);
    return Promise.resolve(logAnswer(page, { hasMore, nextCursor, partial }));
  };
  const ended = (id: number, created: number, finished: number, state: string) => ({
    ...{ id: uuid(id), state, createdAt: at(created), startedAt: at(created) },
    finishedAt: at(finished),
  });
  const listing = read('DeploymentListing', {
    deployments: [
      ended(old, -5000, -4999, 'superseded'),
      // What says little changes nothing.
      { state: 'succeeded' },
      { state: 'succeeded', createdAt: at(-6000), finishedAt: at(-5999) },
      ended(own, -took, 0, later?.[1] === 'succeeded' ? 'superseded' : 'succeeded'),
      ...(later === undefined ? [] : [ended(next, later[0], later[0] + 0.5, later[1])]),
    ],
  });
  const store = new Store(clock);
  store.reset(fakeClient(isUnread ? {} : { listDeployments: () => Promise.resolve(listing) }));
  const deployment = listing.deployments?.find(({ id }) => id === uuid(own));
  assert(deployment);
  const { finishedAt, id, ...members } = deployment;
  const known = {
    ...members,
    ...(hasNoEnd || finishedAt === undefined ? {} : { finishedAt }),
    ...(hasIds && id !== undefined ? { id } : {}),
  };
  const app = { resourceId: uuid(1), deployment: known };
  const client = { ...wireClient({ queryLogs }), serverNow: () => clock.now() };
  const check = new PushHealthCheck(client, store, clock, usualStyle);
  return clock.run(check.run([app], new AbortController().signal));
}

const healthy: PushHealth = { kind: 'healthy' };
const worse = (change: 'new' | 'more', ...titles: string[]): PushHealth => ({
  kind: 'worse',
  kinds: titles.map((title) => ({ title, change })),
});

describe('The errors of a push', () => {
  const usual = [-50, -20, 1, 3];
  const cases: readonly (readonly [what: string, Logged, PushHealth])[] = [
    ['are healthy without any', { info: usual }, healthy],
    ['are healthy if they are as before', { info: usual, crash: [-40, -8, 2] }, healthy],
    ['are worse if a kind is new', { info: usual, crash: [1, 2] }, worse('new', 'It broke')],
    [
      'are worse if a kind is more frequent',
      { info: usual, crash: [-30, 1, 1.5, 2, 3, 4] },
      worse('more', 'It broke'),
    ],
    ['cannot be compared without records', { info: [-50] }, { kind: 'unseen', why: 'noRecords' }],
    [
      'cannot be compared with records from before it was live',
      { info: [-50, -0.5] },
      { kind: 'unseen', why: 'noRecords' },
    ],
    ['cannot be compared with nothing', { crash: [2] }, { kind: 'unseen', why: 'noneBefore' }],
  ];
  for (const [what, logged, expected] of cases) {
    it(what, async () => assert.deepEqual(await healthOf(logged), expected));
  }

  it('cannot be compared without permission', async () => {
    const expected: PushHealth = { kind: 'unseen', why: 'noPermission' };
    assert.deepEqual(await healthOf({ info: usual }, 'demo-no-logs'), expected);
  });

  it('are what the setting makes of the stream', async () => {
    const logged = { info: usual, crash: [1, 2], body: '{"level":"info","msg":"ready"}' };
    assert.deepEqual(await healthOf(logged), healthy);
    const byServer = (): RecordStyle => ({ ...usualStyle(), severity: 'server' });
    assert.deepEqual(
      await healthOf(logged, 'demo-full', byServer),
      worse('new', 'ready  level=info'),
    );
  });

  it('are not looked at any more if the user stops that', async () => {
    const clock = fakeClock();
    const end = new AbortController();
    const queryLogs = (): Promise<never> => {
      end.abort();
      return Promise.reject(new Error('The request was aborted.'));
    };
    const client = wireClient({ queryLogs });
    const store = new Store(clock);
    store.reset(fakeClient({}));
    const check = new PushHealthCheck(
      { ...client, serverNow: () => clock.now() },
      store,
      clock,
      usualStyle,
    );
    const app = { resourceId: uuid(1), deployment: { state: 'succeeded' } };
    const error: unknown = await clock.run(
      check.run([app], end.signal).catch((one: unknown) => one),
    );
    assert.strictEqual(error, end.signal.reason);
  });

  for (const hasIds of [true, false]) {
    for (const took of [1, 20]) {
      const records = hasIds ? 'records with their deployment' : 'records without one';
      it(`are worse if they are four times as frequent, after ${took} minutes of deploying, in ${records} ${covers('F102', 'unit')}`, async () => {
        const errors = [
          ...from(every(-80, 0, 1), old, 'It broke'),
          ...from(every(0.05, 5, 0.25), own, 'It broke'),
        ];
        assert.deepEqual(await healthWith({ errors, took, hasIds }), worse('more', 'It broke'));
      });
    }
  }

  const early = from([0.5, 1, 1.5], own, 'Came with it');
  const late = from([3, 3.5, 4], next, 'Came with the next one');
  for (const [what, given, expected] of [
    ['are not those of the next deployment', { errors: late, next: [2, 'succeeded'] }, healthy],
    [
      'are its own, also if the next deployment has them, too',
      {
        errors: [...early, ...from([3, 4], next, 'Came with it')],
        next: [2, 'succeeded'],
      },
      worse('new', 'Came with it'),
    ],
    [
      'are not those of a deployment that is not known',
      { errors: from([3, 3.5, 4], 999, 'Of another one') },
      healthy,
    ],
    [
      'without a deployment, are not those from when the next one was created',
      { errors: late, next: [2, 'succeeded'], hasIds: false },
      healthy,
    ],
    [
      'are as before if the deployments cannot be read',
      { errors: [...from(every(-60, 0, 5), old, 'Old'), ...from([2], own, 'Old')], isUnread: true },
      healthy,
    ],
    [
      'count from when it was seen to be live, if it says no end',
      { errors: from([0.5, 1, 1.5], own, 'Came with it'), hasNoEnd: true },
      worse('new', 'Came with it'),
    ],
    [
      'cannot be compared if the logs cannot be read',
      { errors: [], fails: true },
      { kind: 'unseen', why: 'failed' },
    ],
    [
      'go on if the next deployment fails',
      { errors: from([3, 3.5, 4], own, 'Came with it'), next: [2, 'failed'] },
      worse('new', 'Came with it'),
    ],
    [
      'say nothing if the next deployment came within a minute',
      { errors: late, next: [0.5, 'succeeded'] },
      { kind: 'unseen', why: 'replaced' },
    ],
    [
      'say nothing if some records are left out',
      { errors: [], partial: true },
      { kind: 'unseen', why: 'partial' },
    ],
    [
      'cannot be compared if there are too many to read',
      { errors: from(every(0, 5, 0.002), own, 'It broke') },
      { kind: 'unseen', why: 'tooMany' },
    ],
    [
      'are named from the most frequent on',
      { errors: [...from([1, 2], own, 'Rare'), ...from([1, 2, 3, 4], own, 'Frequent')] },
      worse('new', 'Frequent', 'Rare'),
    ],
  ] as readonly (readonly [string, Deployed, PushHealth])[]) {
    it(`${what} ${covers('F103', 'unit')}`, async () => {
      assert.deepEqual(await healthWith(given), expected);
    });
  }
});
