import { assert } from 'chai';
import { isOfKind } from '../../../../src/activity/entryKind';
import { syncKind } from '../../../../src/actions/kinds/sync';
import type { SyncEntry } from '../../../../src/actions/kinds/sync';
import { activityNodes } from '../../../../src/activity/activityNodes';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { ApiError } from '../../../../src/api/errors';
import type { Deployment } from '../../../../src/api/types';
import { covers } from '../../covers';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { httpError } from '../../data/fakeClient';
import { read, scene, uuid } from '../../trees/treeText';
import {
  createDisk,
  type Disk,
  kinds,
  openedWindow,
  progressOf,
  until,
  type Window,
} from '../../activity/windows';

const minute = 60_000;
const [sourceId, environmentId] = [uuid(20), uuid(30)];
const [web, api, job] = [uuid(40), uuid(41), uuid(42)];

/** A server with an environment of two apps and a job. A test deploys with `set`. */
function environment() {
  const server = {
    deployments: new Map<string, readonly Deployment[]>(),
    ids: [web, api, job],
    /** What every look-up, or only that of the deployments of one app, fails with or waits for. */
    trouble: new Map<string, () => Promise<never>>(),
    /** The apps whose deployments were requested, in order. */
    looks: [] as string[],
    sync: {},
    client: {} as Partial<ControlPlaneClient>,
    set(id: string, state: string, number = 1): void {
      const createdAt = `2026-11-20T12:00:0${number + 4}Z`;
      server.deployments.set(id, [{ id: `${id}-${number}`, state, createdAt }]);
    },
    fail(error: ApiError | undefined, what = 'all'): void {
      if (error === undefined) server.trouble.delete(what);
      else server.trouble.set(what, () => Promise.reject(error));
    },
  };
  const answer = <T>(what: string, value: () => T): Promise<T> =>
    (server.trouble.get('all') ?? server.trouble.get(what))?.() ?? Promise.resolve(value());
  server.client = {
    syncEnvironment: () => Promise.resolve(server.sync),
    listResources: () =>
      answer('resources', () =>
        read('ResourceListing', {
          resources: server.ids.map((id) => ({
            ...{ id, kind: id === job ? 'Job' : 'app' },
            environment: { id: environmentId },
          })),
        }),
      ),
    listDeployments({ resourceId: id }) {
      server.looks.push(id);
      return answer(id, () => ({ deployments: [...(server.deployments.get(id) ?? [])] }));
    },
  };
  return server;
}

describe('a watched sync', () => {
  let clock: FakeClock;
  let disk: Disk;
  let window: Window;
  let server: ReturnType<typeof environment>;

  beforeEach(async () => {
    clock = fakeClock();
    server = environment();
    disk = createDisk();
    window = await openedWindow(clock, disk, server.client);
  });

  async function sync(): Promise<() => SyncEntry> {
    const names = { sourceName: 'shop-web', environmentName: 'production' };
    const id = await clock.run(
      window.activity.start(syncKind, { sourceId, environmentId, ...names }),
    );
    await clock.run(until(window, id, ({ progress }) => progress.kind === 'following'));
    // The window may be another one by then.
    return () => {
      const entry = window.activity.find(id);
      assert(isOfKind(entry, syncKind));
      return entry;
    };
  }

  /** Another window, after this one was closed. */
  async function reopened(): Promise<Window> {
    await clock.run(window.activity.close());
    return openedWindow(clock, disk, server.client);
  }

  const words = (entry: SyncEntry): string | undefined =>
    activityNodes(scene({}).context, kinds, [entry])[0]!.status.words;

  it(`ends when every app was deployed, and shows which failed ${covers('F66', 'unit')}`, async () => {
    const entry = await sync();
    server.set(web, 'deploying');
    await clock.advance(10_000);
    server.set(web, 'succeeded');
    await clock.advance(20_000);
    assert.equal(progressOf(entry()), 'following', 'the other app may follow');
    assert.equal(words(entry()), 'succeeded: 1');
    server.set(api, 'deploying');
    await clock.advance(30_000);
    assert.equal(words(entry()), 'succeeded: 1/2, deploying: 1');
    server.set(api, 'failed');
    await clock.advance(6000);
    assert.equal(progressOf(entry()), 'over');
    assert.equal(words(entry()), 'succeeded: 1/2, failed: 1');
    assert.equal(clock.liveTimers, 0);
  });

  it(`ends a minute after the last deployment if not all apps were deployed ${covers('F66', 'unit')}`, async () => {
    const entry = await sync();
    server.set(web, 'succeeded');
    await clock.advance(55_000);
    assert.equal(progressOf(entry()), 'following');
    server.set(job, 'succeeded');
    await clock.advance(55_000);
    assert.equal(progressOf(entry()), 'following', 'a minute from the last one');
    await clock.advance(15_000);
    assert.equal(progressOf(entry()), 'over');
  });

  it('ends two minutes after all could be loaded without a deployment', async () => {
    const entry = await sync();
    let fail: (error: ApiError) => void = () => undefined;
    server.trouble.set(api, () => new Promise((_, reject) => (fail = reject)));
    await clock.advance(10 * minute);
    assert.equal(progressOf(entry()), 'following', 'one app has no answer');
    server.trouble.clear();
    fail(httpError(503, 'down'));
    await clock.advance(10_000);
    assert.equal(progressOf(entry()), 'left nothing');
  });

  it('watches the other apps if one may not be read', async () => {
    server.fail(httpError(403, 'forbidden'), web);
    const entry = await sync();
    server.set(api, 'succeeded');
    await clock.advance(50_000);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(20_000);
    assert.equal(progressOf(entry()), 'over');
    assert.equal(words(entry()), 'succeeded: 1');
  });

  it('watches the apps that the environment has by now', async () => {
    const entry = await sync();
    const other = uuid(43);
    server.ids = [web, other, job];
    await clock.advance(10_000);
    server.looks = [];
    server.set(web, 'succeeded');
    server.set(other, 'deploying');
    await clock.advance(10_000);
    assert.lengthOf(entry().deployments, 2);
    server.ids = [web, other];
    await clock.advance(10_000);
    server.looks = [];
    await clock.advance(minute);
    assert.sameMembers([...new Set(server.looks)], [web, other]);
    await clock.advance(28 * minute);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(minute);
    assert.equal(progressOf(entry()), 'left deadline');
  });

  it('looks again before it ends in another window, and keeps what it has seen', async () => {
    const entry = await sync();
    server.set(web, 'succeeded', 2);
    await clock.advance(10_000);
    server.deployments.delete(web);
    server.set(api, 'deploying');
    window = await reopened();
    await clock.advance(10_000);
    assert.equal(progressOf(entry()), 'following');
    assert.deepEqual(
      entry().deployments.map(({ id, state }) => `${id} ${state}`),
      [`${web}-2 succeeded`, `${api}-1 deploying`],
      'the newest first',
    );
  });

  it('ends when the user stops it, and leaves no timer', async () => {
    const entry = await sync();
    window.activity.stop(entry().id);
    await clock.advance(1);
    assert.equal(progressOf(entry()), 'left stopped');
    server.looks = [];
    await clock.advance(minute);
    assert.isEmpty(server.looks);
    assert.equal(clock.liveTimers, 0);
  });

  it('saves when each app was deployed last as soon as it is known', async () => {
    server.fail(httpError(503, 'down'), api);
    const entry = await sync();
    assert.deepEqual(entry().before, { [web]: 0, [job]: 0 });
    server.fail(undefined, api);
    await clock.advance(30_000);
    assert.deepEqual(entry().before, { [web]: 0, [api]: 0, [job]: 0 });
  });

  it('keeps the newest fifty deployments, and no large text', async () => {
    server.sync = { sync: { commitSha: 'x'.repeat(100_000) } };
    const entry = await sync();
    const at = (index: number): string => new Date(clock.now() + index * 1000).toISOString();
    const all = Array.from({ length: 60 }, (_, index): Deployment => {
      const hostname = 'x'.repeat(100_000);
      return { id: uuid(100 + index), state: 'succeeded', createdAt: at(index), hostname };
    });
    server.deployments.set(web, all);
    await clock.advance(10_000);
    assert.deepEqual(
      entry().deployments.map(({ id }) => id),
      all
        .slice(10)
        .reverse()
        .map(({ id }) => id),
    );
    assert.isBelow(JSON.stringify(entry()).length, 200_000);
  });

  it('ends with a word of its own in a state that is not known and no longer changes', async () => {
    const entry = await sync();
    server.set(web, 'succeeded');
    server.set(api, 'active');
    await clock.advance(4 * minute);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(2 * minute);
    assert.equal(progressOf(entry()), 'over');
    assert.equal(words(entry()), 'succeeded: 1/2, in state active: 1');
  });

  for (const state of ['live', 'deployed', 'complete']) {
    it(`ends at once when every deployment is ${state}`, async () => {
      const entry = await sync();
      [web, api].forEach((id) => server.set(id, state));
      await clock.advance(10_000);
      assert.equal(progressOf(entry()), 'over');
    });
  }

  it('polls less often when the window has no focus', async () => {
    const entry = await sync();
    window.polling.setFocused(false);
    server.set(web, 'deploying');
    server.set(api, 'deploying');
    await clock.advance(31_000);
    assert.lengthOf(entry().deployments, 2);
    server.set(web, 'succeeded');
    server.set(api, 'succeeded');
    await clock.advance(31_000);
    assert.equal(progressOf(entry()), 'over');
  });

  for (const [state, progress] of [
    ['succeeded', 'over'],
    ['deploying', 'left deadline'],
  ] as const) {
    it(`is ${progress} if its deployments are ${state} while the window has no focus for longer than it is watched ${covers('F67', 'unit')}`, async () => {
      const entry = await sync();
      window.polling.setFocused(false);
      for (const id of [web, api]) server.set(id, 'deploying');
      await clock.advance(25 * minute);
      assert.equal(progressOf(entry()), 'following');
      for (const id of [web, api]) server.set(id, state);
      await clock.advance(minute);
      if (state === 'succeeded') assert.equal(progressOf(entry()), 'over');
      await clock.advance(35 * minute);
      window.polling.setFocused(true);
      await clock.advance(minute);
      assert.equal(progressOf(entry()), progress);
    });
  }

  it('is watched for half an hour, without the sleep of the machine', async () => {
    const entry = await sync();
    server.set(web, 'deploying');
    await clock.advance(10 * minute);
    const slow = { kind: 'http', status: 429, code: 'slow', message: '' } as const;
    server.fail(new ApiError({ ...slow, retryAfter: 60 * minute }));
    await clock.advance(minute);
    server.fail(undefined);
    await clock.advance(60 * minute);
    assert.equal(progressOf(entry()), 'following', 'nothing could be loaded');
    await clock.advance(17 * minute);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(minute);
    assert.equal(progressOf(entry()), 'left deadline');
  });
});
