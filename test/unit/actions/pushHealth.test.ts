import { assert } from 'chai';
import { type PushHealth, PushHealthCheck } from '../../../src/actions/pushHealth';
import { Store } from '../../../src/data/store';
import type { PushedApp } from '../../../src/deployed/push';
import { fakeClock } from '../fakeClock';
import { clientOf, logServer } from '../logs/logServer';

const minute = 60_000;

/** What an app logs, in minutes from the moment when it was live. */
interface Logged {
  readonly info?: readonly number[];
  readonly crash?: readonly number[];
}

async function healthOf(
  { info = [], crash = [] }: Logged,
  key: 'demo-full' | 'demo-no-logs' = 'demo-full',
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
  });
  const records = [...info.map(record('info', 'ok')), ...crash.map(record('error', 'It broke'))];
  server.admin.emit(records.sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1)));
  server.admin.addKey('demo-no-logs', ['resource.read']);
  const token = (): string | undefined => server.keys[key as 'demo-full'];
  const store = new Store(clock);
  const client = clientOf(server, clock, { token });
  store.reset(client);
  const app: PushedApp = {
    ...{ resourceId: workload.id, name: 'web', isOptional: false, state: 'live' },
    deployment: {
      ...{ id: '00000000-0000-4000-8000-000000000001', state: 'succeeded' },
      ...{ createdAt: at(-1), startedAt: at(-1), finishedAt: at(0) },
    },
  };
  const check = new PushHealthCheck(client, store, clock);
  return clock.run(check.run([app], new AbortController().signal));
}

describe('The errors of a push', () => {
  const usual = [-50, -20, 1, 3];
  const worse = (change: 'new' | 'more'): PushHealth => ({
    kind: 'worse',
    kinds: [{ title: 'It broke', change }],
  });
  const cases: readonly (readonly [what: string, Logged, PushHealth])[] = [
    ['are healthy without any', { info: usual }, { kind: 'healthy' }],
    [
      'are healthy if they are as before',
      { info: usual, crash: [-40, -8, 2] },
      { kind: 'healthy' },
    ],
    ['are worse if a kind is new', { info: usual, crash: [1, 2] }, worse('new')],
    [
      'are worse if a kind is more frequent',
      { info: usual, crash: [-30, 1, 1.5, 2, 3, 4] },
      worse('more'),
    ],
    ['cannot be compared without records', { info: [-50] }, { kind: 'unseen', why: 'noRecords' }],
    ['cannot be compared with nothing', { crash: [2] }, { kind: 'unseen', why: 'noneBefore' }],
  ];
  for (const [what, logged, expected] of cases) {
    it(what, async () => assert.deepEqual(await healthOf(logged), expected));
  }

  it('cannot be compared without permission', async () => {
    const expected: PushHealth = { kind: 'unseen', why: 'noPermission' };
    assert.deepEqual(await healthOf({ info: usual }, 'demo-no-logs'), expected);
  });
});
