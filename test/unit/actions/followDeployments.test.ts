import { assert } from 'chai';
import type { SyncEntry } from '../../../src/actions/activityEntry';
import { activityNodes } from '../../../src/actions/activityNodes';
import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import type { Deployment } from '../../../src/api/types';
import { covers } from '../covers';
import { fakeClock, type FakeClock } from '../fakeClock';
import { read, scene, uuid } from '../trees/treeText';
import { createDisk, openedWindow, progressOf, until, type Window } from './windows';

const minute = 60_000;
const [sourceId, environmentId] = [uuid(20), uuid(30)];
const [web, api, job] = [uuid(40), uuid(41), uuid(42)];

/** A server with an environment of two apps and a job. A test deploys with `set`. */
function environment() {
  const deployments = new Map<string, Deployment[]>([web, api, job].map((id) => [id, []]));
  let failure: ApiError | undefined;
  const resources = [
    { id: web, kind: 'app' },
    { id: api, kind: 'app' },
    { id: job, kind: 'Job' },
  ].map((one) => ({ ...one, environment: { id: environmentId } }));
  const client: Partial<ControlPlaneClient> = {
    syncEnvironment: () => Promise.resolve({}),
    listResources: () =>
      failure ? Promise.reject(failure) : Promise.resolve(read('ResourceListing', { resources })),
    listDeployments: (id) =>
      failure
        ? Promise.reject(failure)
        : Promise.resolve({ deployments: [...(deployments.get(id) ?? [])] }),
  };
  return {
    client,
    set: (id: string, state: string): void =>
      void deployments.set(id, [{ id: `${id}-1`, state, createdAt: '2026-11-20T12:00:05Z' }]),
    fail: (error: ApiError | undefined): void => void (failure = error),
  };
}

describe('a watched sync', () => {
  let clock: FakeClock;
  let window: Window;
  let server: ReturnType<typeof environment>;

  beforeEach(async () => {
    clock = fakeClock();
    server = environment();
    window = await openedWindow(clock, createDisk(), server.client);
  });

  async function sync(): Promise<() => SyncEntry> {
    const names = { sourceName: 'shop-web', environmentName: 'production' };
    const id = await clock.run(
      window.activity.start('sync', { sourceId, environmentId, ...names }),
    );
    await clock.run(until(window, id, ({ progress }) => progress.kind === 'following'));
    return () => {
      const entry = window.activity.find(id);
      assert(entry?.kind === 'sync');
      return entry;
    };
  }

  const words = (entry: SyncEntry): string | undefined =>
    activityNodes(scene({}).context, [entry])[0]!.status.words;

  it(`ends when every app was deployed, and shows which failed ${covers('F66', 'unit')}`, async () => {
    const entry = await sync();
    server.set(web, 'deploying');
    await clock.advance(10_000);
    server.set(web, 'succeeded');
    await clock.advance(20_000);
    assert.equal(progressOf(entry()), 'following', 'the other app may follow');
    assert.equal(words(entry()), '1 succeeded');
    server.set(api, 'deploying');
    await clock.advance(30_000);
    assert.equal(words(entry()), '1 of 2 succeeded, 1 deploying');
    server.set(api, 'failed');
    await clock.advance(6000);
    assert.equal(progressOf(entry()), 'over');
    assert.equal(words(entry()), '1 of 2 succeeded, 1 failed');
    assert.equal(clock.liveTimers, 0);
  });

  it(`ends a minute after the last deployment if not all apps were deployed ${covers('F66', 'unit')}`, async () => {
    const entry = await sync();
    server.set(web, 'succeeded');
    await clock.advance(55_000);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(15_000);
    assert.equal(progressOf(entry()), 'over');
  });

  it('ends with a word of its own in a state that is not known and no longer changes', async () => {
    const entry = await sync();
    server.set(web, 'succeeded');
    server.set(api, 'active');
    await clock.advance(4 * minute);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(2 * minute);
    assert.equal(progressOf(entry()), 'over');
    assert.equal(words(entry()), '1 of 2 succeeded, 1 in state active');
  });

  for (const state of ['live', 'deployed', 'complete']) {
    it(`ends at once when every deployment is ${state}`, async () => {
      const entry = await sync();
      [web, api].forEach((id) => server.set(id, state));
      await clock.advance(10_000);
      assert.equal(progressOf(entry()), 'over');
    });
  }

  it(`polls less often when the window has no focus ${covers('F67', 'unit')}`, async () => {
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

  it(`is watched for half an hour, without the sleep of the machine ${covers('F67', 'unit')}`, async () => {
    const entry = await sync();
    server.set(web, 'deploying');
    await clock.advance(10 * minute);
    const slow = { kind: 'http', status: 429, code: 'slow', message: '' } as const;
    server.fail(new ApiError({ ...slow, retryAfter: 60 * minute }));
    await clock.advance(minute);
    server.fail(undefined);
    await clock.advance(60 * minute);
    assert.equal(progressOf(entry()), 'following', 'nothing could be loaded');
    await clock.advance(15 * minute);
    assert.equal(progressOf(entry()), 'following');
    await clock.advance(15 * minute);
    assert.equal(progressOf(entry()), 'left deadline');
  });
});
