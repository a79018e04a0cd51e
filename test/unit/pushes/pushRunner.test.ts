import { assert } from 'chai';
import { isOfKind } from '../../../src/activity/entryKind';
import { pushKind } from '../../../src/pushes/pushKind';
import * as fc from 'fast-check';
import type { PushEntry } from '../../../src/pushes/pushEntry';
import { appsOf } from '../../../src/pushes/pushKind';
import { endOfPush, longestPush } from '../../../src/deployed/push';
import type { InMemoryControlPlane } from '../../control-plane/inMemory';
import { covers } from '../covers';
import { historyOf, type Run, sha, stories, type Story } from '../deployed/pushStories';
import { fakeClock, type FakeClock } from '../fakeClock';
import { clientOf, logServer } from '../logs/logServer';
import { shortOrLong } from '../long';
import { createDisk, type Disk, openWindow, type Window } from '../activity/windows';

const minute = 60_000;
/** The source with three apps. The job is of another one. */
const sourceName = 'shop-web';

/** A control plane and its source, whose apps and jobs are deployed as the stories say. */
function planeOf(clock: FakeClock, stories: readonly Story[], aheadSeconds: number) {
  const server = logServer({ clock, unkind: { aheadSeconds } });
  const source = server.world.sources.find(({ name }) => name === sourceName);
  assert(source);
  const { workloads } = server.world;
  const apps = workloads.filter((one) => one.source === source);
  const jobs = workloads.filter(({ kind }) => kind === 'job');
  const chosen = stories.flatMap(({ isJob }, at) => {
    const workload = isJob === true ? jobs.shift() : apps.shift();
    return workload === undefined ? [] : [{ workload, story: stories[at]! }];
  });
  for (const { id } of apps)
    server.admin.change(id, { environment: { id: server.world.workspaceId } });
  return { server, source, chosen };
}

/** Lets the control plane deploy a run: now, and in the future. */
function deploy(
  server: InMemoryControlPlane,
  clock: FakeClock,
  resourceId: string,
  run: Run,
  [aheadSeconds, environment]: readonly [number, object],
): void {
  const start = clock.now();
  const at = (second: number): string =>
    new Date(start + (second + aheadSeconds) * 1000).toISOString();
  const { created, started, finished, errorCode, hasNoEnd } = run;
  const begin = (): void => {
    const now = (clock.now() - start) / 1000;
    const ended = {
      ...(finished === undefined || hasNoEnd === true ? {} : { finishedAt: at(finished) }),
      ...(errorCode === undefined ? {} : { errorCode }),
    };
    const steps = run.states.map(([second, state]) => ({
      afterSeconds: second - now,
      state,
      members: {
        ...(second === started ? { startedAt: at(second) } : {}),
        ...(second === finished ? ended : {}),
      },
    }));
    const given = { commitSha: run.commit, createdAt: at(created), targetEnvironment: environment };
    server.admin.deploy(resourceId, given, steps);
  };
  if (created <= 0) begin();
  else clock.setTimer(begin, created * 1000);
}

const history = fc.record({
  apps: fc.array(
    fc.record({
      story: fc.nat(stories(0, 0).length - 1),
      created: fc.integer({ min: 2, max: 200 }),
      took: fc.integer({ min: 8, max: 400 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  aheadSeconds: fc.constantFrom(0, 0, -7200, 5, 7200),
  isFocused: fc.boolean(),
  hasTwoEnvironments: fc.boolean(),
  /** The app whose deployments may not be read, if there is one. */
  forbidden: fc.option(fc.nat(3), { freq: 4 }),
  lost: fc.array(
    fc.record({ kind: fc.constantFrom('reset', 'status', 'malformedJson'), skip: fc.nat(12) }),
    { maxLength: 5 },
  ),
  /** When the window is reloaded, in seconds. */
  reload: fc.option(fc.integer({ min: 1, max: 400 })),
});

/** All ends of a push that windows with a disk have shown. */
class Windows {
  readonly ends: string[] = [];

  constructor(
    private readonly server: InMemoryControlPlane,
    private readonly clock: FakeClock,
    private readonly disk: Disk,
    private readonly isForced: boolean,
    private readonly aheadSeconds: number,
  ) {}

  async open(isFocused: boolean): Promise<Window> {
    const window = openWindow(this.clock, this.disk, clientOf(this.server, this.clock));
    window.history = historyOf(this.isForced);
    window.serverAhead = this.aheadSeconds * 1000;
    window.polling.setFocused(isFocused);
    window.activity.onDidChange((change) => {
      const { entry, previous } = change ?? {};
      if (!isOfKind(entry, pushKind) || !isOfKind(previous, pushKind)) return;
      const [before, after] = [previous, entry].map((one) => endOfPush(appsOf(one)));
      if (before === undefined && after !== undefined) this.ends.push(after);
    });
    await this.clock.run(window.open());
    return window;
  }
}

type PushTarget = Parameters<typeof pushKind.begin>[0];

const pushOf = ({ activity }: Window): PushEntry => {
  const [entry] = activity.entriesOf(pushKind);
  assert(entry);
  return entry;
};

describe('The watch of a push', () => {
  it(`ends as the deployments say, in any history of them, with few requests ${covers('F95', 'unit')}`, async () => {
    const runs = shortOrLong(25, 100);
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const { aheadSeconds, isFocused } = given;
        const answers = given.apps.map(
          ({ story, created, took }) => stories(created, created + took)[story]!,
        );
        const isForced = answers.some(({ name }) => name.startsWith('is amended'));
        const clock = fakeClock();
        const { server, source, chosen } = planeOf(clock, answers, aheadSeconds);
        if (chosen.length === 0) return;
        const first = { id: source.environmentId, name: 'production', branch: 'main' };
        const second = { id: server.world.previews[0]!.id, name: 'staging', branch: 'main' };
        const environments = chosen.map((_, at) =>
          given.hasTwoEnvironments && at % 2 === 1 ? second : first,
        );
        chosen.forEach(({ workload, story }, at) => {
          const environment = environments[at]!;
          server.admin.change(workload.id, { environment });
          story.runs.forEach((run) =>
            deploy(server, clock, workload.id, run, [aheadSeconds, environment]),
          );
        });
        const refused = chosen[given.forbidden ?? chosen.length]?.workload.id;
        if (refused !== undefined) server.admin.unkind({ forbiddenIds: [refused] });
        for (const { kind, skip } of given.lost) {
          const endpoint = 'get_resources_resource_id_deployments';
          if (kind === 'status') server.admin.fault({ kind, status: 503, skip, endpoint });
          else server.admin.fault({ kind: kind, skip, endpoint });
        }

        const windows = new Windows(server, clock, createDisk(), isForced, aheadSeconds);
        let window = await windows.open(isFocused);
        const target: PushTarget = {
          ...{ sourceId: source.id, sourceName, repository: 'file:///shop', branch: 'main', sha },
          upstream: 'origin/main',
          environments: [first, second]
            .map(({ id, name }) => ({
              ...{ id, name, isPreview: false },
              apps: chosen.flatMap(({ workload, story }, at) =>
                environments[at]?.id === id
                  ? [
                      {
                        ...{ resourceId: workload.id, name: story.name, state: 'waiting' as const },
                        isOptional: story.isJob === true,
                      },
                    ]
                  : [],
              ),
            }))
            .filter(({ apps }) => apps.length > 0),
        };
        const start = clock.monotonic();
        await clock.run(window.activity.start(pushKind, target));
        const readAt = new Map<string, number>();
        const countReads = (): void => {
          for (const { workload } of chosen) {
            const { triedAt, error } = window.store.read('deployments', workload.id);
            if (triedAt === undefined || error !== undefined) continue;
            readAt.set(workload.id, (triedAt - start) / 1000);
          }
        };
        if (given.reload !== null) {
          await clock.advance(given.reload * 1000);
          countReads();
          await window.activity.close();
          window = await windows.open(isFocused);
        }
        for (let minutes = 0; pushOf(window).progress.kind === 'following'; minutes++) {
          assert.isBelow(minutes * minute, 2 * longestPush, 'it ends');
          await clock.advance(minute);
        }
        countReads();

        const entry = pushOf(window);
        for (const { resourceId, name, state, isUnseen } of appsOf(entry)) {
          assert.equal(isUnseen === true, resourceId === refused, `${name} may be read`);
          const read = readAt.get(resourceId);
          const own = chosen.find(({ workload }) => workload.id === resourceId)?.story;
          if (own === undefined || read === undefined || isUnseen === true) continue;
          const truth = own.truth(read);
          // How long a state has stood still counts from when it was first seen.
          if (own.name === 'has a state of its own and no end' && read >= 10) continue;
          assert.equal(state, truth, `${name} at ${read} s`);
        }
        const end = endOfPush(appsOf(entry));
        assert.deepEqual(windows.ends, end === undefined ? [] : [end]);
        const seen = chosen.filter(({ workload }) => workload.id !== refused);
        const why = 'why' in entry.progress ? entry.progress.why : entry.progress.kind;
        assert.equal(
          why,
          end !== undefined ? 'over' : seen.length === 0 ? 'noPolling' : 'deadline',
        );

        const times = server.admin.requests().map(({ at }) => at);
        const most = Math.max(
          ...times.map(
            (from) => times.filter((at) => at >= from && at < from + 10 * minute).length,
          ),
        );
        assert.isAtMost(most, 40, 'requests in ten minutes');
        await window.activity.close();
        await clock.advance(10 * minute);
        assert.equal(clock.liveTimers, server.liveTimers);
      }),
      { numRuns: runs },
    );
  });

  /** A watch in one window, of these environments; what the control plane deploys succeeds at once. */
  async function watched(
    environmentsOf: (plane: ReturnType<typeof planeOf>) => PushTarget['environments'],
  ) {
    const clock = fakeClock();
    const some = stories(10, 20).slice(0, 3);
    const plane = planeOf(clock, some, 0);
    const { server, source } = plane;
    const window = await new Windows(server, clock, createDisk(), false, 0).open(true);
    const environments = environmentsOf(plane);
    const target = {
      ...{ sourceId: source.id, sourceName, repository: 'file:///shop', branch: 'main', sha },
      ...{ upstream: 'origin/main', environments },
    };
    await clock.run(window.activity.start(pushKind, target));
    return {
      push: () => pushOf(window),
      change: (id: string, members: Readonly<Record<string, unknown>>) =>
        server.admin.change(id, members),
      deploy: (resourceId: string, members: object, state = 'succeeded') =>
        server.admin.deploy(
          resourceId,
          { commitSha: sha, createdAt: new Date(clock.now()).toISOString(), ...members },
          [{ afterSeconds: 0, state }],
        ),
      states: async (): Promise<Readonly<Record<string, string>>> => {
        await clock.advance(minute);
        const apps = appsOf(pushOf(window));
        return Object.fromEntries(apps.map(({ resourceId, state }) => [resourceId, state]));
      },
    };
  }

  it('includes an app that comes to its environment, but none that was archived or is elsewhere', async () => {
    const ids: string[] = [];
    const { deploy: deployed, states } = await watched(({ server, source, chosen }) => {
      const environment = { id: source.environmentId.toUpperCase(), name: 'production' };
      ids.push(...chosen.map(({ workload }) => workload.id));
      const [first = '', added = '', archived = ''] = ids;
      server.admin.change(added, { environment });
      server.admin.change(archived, { environment, archivedAt: '2026-11-01T00:00:00Z' });
      const app = {
        resourceId: first,
        name: 'first',
        state: 'waiting' as const,
        isOptional: false,
      };
      return [{ ...environment, id: source.environmentId, isPreview: false, apps: [app] }];
    });
    const [first = '', added = ''] = ids;
    deployed(first, {});
    assert.deepEqual(await states(), { [first]: 'live', [added]: 'waiting' });
    deployed(added, {});
    assert.deepEqual(await states(), { [first]: 'live', [added]: 'live' });
  });

  it('takes the preview of its branch for a preview, and nothing else', async () => {
    let id = '';
    const { deploy: deployed, states } = await watched(({ chosen }) => {
      id = chosen[0]!.workload.id;
      const app = { resourceId: id, name: 'app', state: 'waiting' as const, isOptional: false };
      return [{ name: 'preview', isPreview: true, branch: 'main', apps: [app] }];
    });
    deployed(id, {});
    deployed(id, { environment: 'preview', gitRef: 'refs/heads/other' });
    assert.deepEqual(await states(), { [id]: 'waiting' });
    deployed(id, { environment: 'preview', gitRef: 'refs/heads/main' });
    assert.deepEqual(await states(), { [id]: 'live' });
  });

  it('sends half as many requests while the window has no focus', async () => {
    const requestsOf = async (isFocused: boolean): Promise<number> => {
      const clock = fakeClock();
      const never = stories(0, 0).find(({ name }) => name === 'never comes')!;
      const { server, source, chosen } = planeOf(clock, [never], 0);
      const window = await new Windows(server, clock, createDisk(), false, 0).open(isFocused);
      const app = {
        ...{ resourceId: chosen[0]!.workload.id, name: 'app', state: 'waiting' as const },
        isOptional: false,
      };
      const target = {
        ...{ sourceId: source.id, sourceName, repository: 'file:///shop', branch: 'main', sha },
        ...{ upstream: 'origin/main', environments: [{ name: 'production', apps: [app] }] },
      };
      await clock.run(window.activity.start(pushKind, target));
      await clock.advance(10 * minute);
      return server.admin.requests().length;
    };
    const [seen, away] = [await requestsOf(true), await requestsOf(false)];
    assert.isAbove(seen, 20);
    assert.approximately(away / seen, 0.5, 0.1);
  });

  it(`does not wait for what the push removes ${covers('F100', 'unit')}`, async () => {
    for (const change of [
      { archivedAt: '2026-11-20T12:00:00Z' },
      { environment: { id: '00000000-0000-4000-8000-000000000000', name: 'other' } },
    ]) {
      let [kept, gone] = ['', ''];
      const {
        deploy: deployed,
        states,
        push,
        change: changeResource,
      } = await watched((plane) => {
        const ids = plane.chosen.map(({ workload }) => workload.id);
        const [, , other = ''] = ids;
        [kept = '', gone = ''] = ids;
        plane.server.admin.change(other, { environment: { id: plane.server.world.workspaceId } });
        const { environmentId: id } = plane.source;
        const environment = { id, name: 'production', branch: 'main' };
        for (const one of [kept, gone]) plane.server.admin.change(one, { environment });
        const apps = [kept, gone].map((resourceId) => ({
          ...{ resourceId, name: resourceId, state: 'waiting' as const, isOptional: false },
        }));
        return [{ id, name: 'production', apps }];
      });
      changeResource(gone, change);
      deployed(kept, {});
      await states();
      await states();
      assert.equal(push().outcome, 'live');
      assert.deepEqual(
        appsOf(push()).map(({ isRemoved }) => isRemoved),
        [undefined, true],
      );
    }
  });

  it('says that an app has failed after a minute, while another waits', async () => {
    let [failing, waiting] = ['', ''];
    const {
      deploy: deployed,
      states,
      push,
    } = await watched((plane) => {
      [failing = '', waiting = ''] = plane.chosen.map(({ workload }) => workload.id);
      const { environmentId: id } = plane.source;
      for (const one of [failing, waiting]) plane.server.admin.change(one, { environment: { id } });
      const apps = [failing, waiting].map((resourceId) => ({
        ...{ resourceId, name: resourceId, state: 'waiting' as const, isOptional: false },
      }));
      return [{ id, name: 'production', apps }];
    });
    const failed = { finishedAt: new Date(Date.UTC(2026, 10, 20, 12)).toISOString() };
    deployed(failing, failed, 'failed');
    let minutes = 0;
    while (push().outcome === undefined && minutes < 10) {
      await states();
      minutes++;
    }
    assert.equal(push().outcome, 'failed');
    assert.include([2, 3], minutes, 'minutes');
    assert.equal(push().progress.kind, 'following', 'the other one is watched');
  });

  it('takes no preview for an environment', async () => {
    let id = '';
    const { deploy: deployed, states } = await watched(({ source, chosen }) => {
      id = chosen[0]!.workload.id;
      const app = { resourceId: id, name: 'app', state: 'waiting' as const, isOptional: false };
      return [{ id: source.environmentId, name: 'production', isPreview: false, apps: [app] }];
    });
    deployed(id, { environment: 'preview', gitRef: 'refs/heads/main' });
    assert.equal((await states())[id], 'waiting');
    deployed(id, { targetEnvironment: { id: '00000000-0000-4000-8000-000000000000' } });
    assert.equal((await states())[id], 'waiting');
    deployed(id, {});
    assert.equal((await states())[id], 'live');
  });
});
