import { assert } from 'chai';
import { pushKind } from '../../../src/pushes/pushKind';
import * as fc from 'fast-check';
import type { PushEntry } from '../../../src/pushes/pushEntry';
import { type PushNews, PushNewsFinder } from '../../../src/pushes/pushNews';
import { minute } from '../../../src/base/clock';
import { NotifiedStates } from '../../../src/connection/perConnection';
import { countedEnvironments } from '../../../src/deployed/push';
import { covers } from '../covers';
import { httpError } from '../data/fakeClient';
import { fakeClock, type FakeClock } from '../fakeClock';
import { wireClient } from '../logs/wireClient';
import { shortOrLong } from '../long';
import { read, uuid } from '../trees/treeText';
import {
  type App,
  commits,
  environments,
  historyOf,
  idOf,
  ownError,
  type Run,
  stranger,
  World,
} from './pushWorld';
import { connection, createDisk, type Disk, openWindow, type Window } from '../activity/windows';

const [, , before = '', sha = '', newer = ''] = commits;

const ends = {
  succeeds: { word: 'succeeded', isLive: true },
  fails: { word: 'failed', isLive: false },
  cancelled: { word: 'cancelled', isLive: false },
  crashes: { word: 'crashed', isLive: false },
  neverRuns: { word: 'superseded', isLive: false },
} as const;

const end = fc.constantFrom<keyof typeof ends>(
  ...(['succeeds', 'succeeds', 'succeeds', 'fails', 'cancelled', 'crashes'] as const),
);

const appHistory = fc.record({
  past: fc.constantFrom('before', 'before', 'failedOnce', 'ranOnce', 'runsAlready', 'nothing'),
  own: fc.array(
    fc.record({
      end,
      /** Of the first one: after the push; of others: after the one before was created, or has ended. */
      wait: fc.integer({ min: 1, max: 150 }),
      took: fc.integer({ min: 6, max: 300 }),
      isDuplicate: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  other: fc.option(
    fc.record({
      commit: fc.constantFrom(newer, newer, before, stranger),
      created: fc.integer({ min: 1, max: 500 }),
      took: fc.integer({ min: 2, max: 300 }),
      end: fc.constantFrom<keyof typeof ends>('succeeds', 'succeeds', 'fails', 'cancelled'),
    }),
    { freq: 2 },
  ),
  /** Whether the control plane ends what is under way when another deployment is created. */
  isStrict: fc.boolean(),
  preview: fc.option(fc.tuple(end, fc.integer({ min: 1, max: 100 })), { freq: 2 }),
  kind: fc.constantFrom<App['kind']>('app', 'app', 'app', 'job'),
  autoDeploy: fc.constantFrom(true, true, true, false),
  isReadable: fc.constantFrom(true, true, true, true, true, false),
  removed: fc.option(fc.integer({ min: 1, max: 50 }), { freq: 1 }),
  environment: fc.constantFrom(0, 0, 1),
  brings: fc.boolean(),
  nextBrings: fc.boolean(),
});

const history = fc.record({
  apps: fc.array(appHistory, { minLength: 1, maxLength: 4 }),
  isForced: fc.boolean(),
  hasIds: fc.boolean(),
  aheadMinutes: fc.constantFrom(0, 0, 20, -20),
  /** How long after the push a window sees it, in seconds. */
  seenAfter: fc.integer({ min: 0, max: 60 }),
  /** Whether Git says when it was pushed. */
  isLogged: fc.constantFrom(true, true, true, false),
  isFocused: fc.boolean(),
  /** When a second window sees the push, in seconds after the first. */
  second: fc.option(fc.constantFrom(0, 1, 30, 400)),
  /** When the first window is reloaded. */
  reload: fc.option(fc.integer({ min: 1, max: 500 })),
});
type AppHistory = typeof appHistory extends fc.Arbitrary<infer T> ? T : never;

const past: Readonly<
  Record<AppHistory['past'], readonly (readonly [string, keyof typeof ends])[]>
> = {
  before: [[before, 'succeeds']],
  failedOnce: [
    [before, 'succeeds'],
    [sha, 'fails'],
  ],
  ranOnce: [
    [sha, 'succeeds'],
    [before, 'succeeds'],
  ],
  runsAlready: [
    [before, 'succeeds'],
    [sha, 'succeeds'],
  ],
  nothing: [],
};

/** What happens to an app. */
function appOf({ past: which, own, other, isStrict, preview, ...rest }: AppHistory): App {
  const runs: Run[] = past[which].map(([commit, how], at) => {
    const created = -9000 + at * 4000;
    return { commit, created, started: created + 1, ended: created + 100, ...ends[how] };
  });
  let at = 0;
  let last = 0;
  for (const { end: how, wait, took, isDuplicate } of own) {
    at = (isDuplicate ? at : last) + wait;
    last = Math.max(last, at + took);
    const started = at + took / 4;
    runs.push({ commit: sha, created: at, started, ended: at + took, ...ends[how] });
  }
  if (preview !== null) {
    const [how, created] = preview;
    const ended = created + 20;
    runs.push({ commit: sha, created, started: created + 1, ended, isPreview: true, ...ends[how] });
  }
  if (other !== null) {
    const { commit, created, took, end: how } = other;
    runs.push({ commit, created, started: created + 1, ended: created + took, ...ends[how] });
  }
  const removed = rest.removed ?? undefined;
  return { ...rest, removed, runs: isStrict ? runs.map((run) => replaced(run, runs)) : runs };
}

/** A run of a control plane that ends what is under way for the next one, and says what was replaced. */
function replaced(run: Run, all: readonly Run[]): Run {
  const { created, started = Infinity, ended, isLive } = run;
  if (run.isPreview === true || created < 0) return run;
  const later = all.filter((one) => one.created > created && one.isPreview !== true);
  const next = Math.min(...later.map((one) => one.created));
  if (next < ended) {
    return {
      ...run,
      started: started < next ? started : undefined,
      ended: next,
      ...ends.neverRuns,
    };
  }
  const liveAt = Math.min(...later.filter((one) => one.isLive).map((one) => one.ended));
  return isLive && liveAt < Infinity ? { ...run, replaced: liveAt } : run;
}

type Told = PushNews & { readonly second: number };

/** The windows of a user, which share a disk and what they have told. */
class Windows {
  readonly notices: Told[] = [];
  private readonly disk: Disk = createDisk();
  private readonly memento = new Map<string, unknown>();

  constructor(
    private readonly world: World,
    private readonly clock: FakeClock,
    private readonly ahead: number,
    private readonly tip: string,
    private readonly secondNow: () => number,
  ) {}

  async open(isFocused: boolean): Promise<Window> {
    const { world, clock, ahead, secondNow } = this;
    const wire = wireClient({
      queryLogs: (request) => Promise.resolve(world.query(request, secondNow())),
    });
    const window = openWindow(clock, this.disk, {
      serverNow: () => clock.now() + ahead,
      listResources: () =>
        Promise.resolve(read('ResourceListing', { resources: world.resources(secondNow()) })),
      listDeployments: ({ resourceId: id }) => {
        const isReadable = world.apps.every((app, at) => app.isReadable || uuid(at + 1) !== id);
        if (!isReadable) return Promise.reject(httpError(403, 'forbidden'));
        const deployments = world.deployments(id, secondNow());
        return Promise.resolve(read('DeploymentListing', { deployments }));
      },
      queryLogs: wire.queryLogs,
    });
    window.history = historyOf(this.tip);
    window.serverAhead = ahead;
    window.polling.setFocused(isFocused);
    const session = { state: { kind: 'signedIn', connection } } as const;
    const storage = {
      get: (key: string) => this.memento.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void this.memento.set(key, value)),
    };
    const teller = new PushNewsFinder(
      window.activity,
      new NotifiedStates(session as never, storage, 'told'),
    );
    teller.onDidCome((news) => this.notices.push({ ...news, second: secondNow() }));
    await clock.run(window.open());
    return window;
  }
}

/** How long after the fact it may be known at the latest, in seconds, with this many apps. */
const slack = (apps: number, second: number): number => (7 + second / 25) * 2 * (apps + 2);

describe('What is told of a push', () => {
  it(`is so in any history of it ${covers('F95, F97, F98, F99, F100, F101, F102, F103', 'unit')}`, async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const clock = fakeClock();
        const ahead = given.aheadMinutes * minute;
        const origin = clock.now() + ahead;
        const apps = given.apps.map(appOf);
        const world = new World(apps, sha, origin, given.hasIds);
        const secondNow = (): number => (clock.now() + ahead - origin) / 1000;
        const windows = new Windows(world, clock, ahead, sha, secondNow);
        const pushId = uuid(9999);
        const start = async (window: Window): Promise<void> => {
          const pushedAt = given.isLogged ? origin : undefined;
          await clock.run(
            window.activity.start(
              pushKind,
              {
                ...{ sourceId: uuid(8), sourceName: 'shop', repository: 'file:///shop' },
                ...{ branch: 'main', upstream: 'origin/main', sha, pushedAt },
                before: given.isForced ? newer : before,
                environments: environments
                  .map((one, index) => ({
                    ...one,
                    isPreview: false,
                    apps: apps.flatMap(({ environment, kind, autoDeploy }, at) =>
                      environment === index
                        ? [
                            {
                              ...{ resourceId: uuid(at + 1), name: `app-${at}` },
                              ...{ isOptional: kind === 'job' || !autoDeploy },
                              state: 'waiting' as const,
                            },
                          ]
                        : [],
                    ),
                  }))
                  .filter((one) => one.apps.length > 0),
              },
              pushId,
            ),
          );
        };
        const first = await windows.open(given.isFocused);
        const all = [first];
        await clock.advance(given.isLogged ? given.seenAfter * 1000 : 0);
        const tasks: [second: number, act: () => Promise<void>][] = [
          [secondNow(), () => start(first)],
        ];
        if (given.second !== null) {
          const other = await windows.open(false);
          all.push(other);
          tasks.push([secondNow() + given.second, () => start(other)]);
        }
        if (given.reload !== null) {
          tasks.push([
            secondNow() + given.reload,
            async () => {
              await first.activity.close();
              all.push(await windows.open(given.isFocused));
            },
          ]);
        }
        for (const [second, act] of tasks.sort(([a], [b]) => a - b)) {
          await clock.advance(Math.max(0, second - secondNow()) * 1000);
          await act();
        }
        await clock.advance(40 * minute);
        const [entry] = all.flatMap(({ activity }) => activity.entriesOf(pushKind));
        assert(entry);
        for (const { activity } of all) await activity.close();

        // At most one word, and one of its errors.
        const outcomes = windows.notices.filter(({ kind }) => kind !== 'worse');
        assert.isAtMost(outcomes.length, 1, 'one word');
        assert.isAtMost(windows.notices.length - outcomes.length, 1, 'one word of its errors');
        for (const news of windows.notices) check(world, news);
        const [outcome] = outcomes;
        counts.set(outcome?.kind ?? 'none', (counts.get(outcome?.kind ?? 'none') ?? 0) + 1);
        const must = mustBe(world);
        if (must !== undefined) assert.equal(outcome?.kind, must, 'there must be one');
        checkHealth(world, entry);
        const word = `health ${entry.health?.kind ?? 'none'}`;
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }),
      { numRuns: shortOrLong(150, 2000) },
    );
    const reached = ['live', 'failed', 'ended', 'none', 'health worse', 'health healthy'];
    assert.includeMembers([...counts.keys()], reached);
  });
});

function check(world: World, { kind, environments: places, second, ...news }: Told): void {
  const late = slack(world.apps.length, second);
  const named = places.flatMap(({ apps, name }) => apps.map((app) => ({ app, name })));
  assert.isNotEmpty(named);
  for (const {
    app: { resourceId },
    name,
  } of named) {
    const app = world.apps.find((_, at) => uuid(at + 1) === resourceId);
    assert(app);
    assert.equal(name, environments[app.environment]?.name, 'where it is');
    const isUnderWay = world
      .own(app)
      .some(({ created, ended }) => created <= second - late && ended > second);
    switch (kind) {
      case 'live':
      case 'worse':
        assert.isTrue(world.hasRun(app, second), 'it runs');
        break;
      case 'failed':
      case 'ended': {
        const isFailure = (run: Run): boolean =>
          run.ended <= second && (kind === 'failed' ? run.word === 'failed' : !run.isLive);
        assert.isTrue(world.own(app).some(isFailure), 'it has failed or ended');
        assert.isFalse(
          world.own(app).some((run) => run.isLive && run.ended <= second - late),
          'it does not run',
        );
        assert.isFalse(isUnderWay, 'it is not tried again');
      }
    }
  }
  if (kind === 'live') {
    for (const app of world.apps) {
      if (world.counts(app, second - late) && world.counts(app, second)) {
        assert.isTrue(world.hasRun(app, second), 'each one runs');
      }
    }
  }
  if (kind === 'worse' && 'kinds' in news) {
    for (const { title } of news.kinds) assert.equal(title, ownError, 'whose error it is');
    assert.isTrue(world.apps.some(({ brings }) => brings));
  }
}

/** What must be told, where nothing that comes in between leaves it open. */
function mustBe(world: World): 'live' | 'failed' | undefined {
  const counted = world.apps.filter((app) => world.counts(app, 600));
  if (counted.length === 0) return undefined;
  const isSimple = counted.every(
    (app) =>
      world.running(app, 0)?.commit !== world.sha &&
      app.runs.every(({ commit, created }) => commit === world.sha || created < 0) &&
      world.own(app).length === 1 &&
      world.own(app).every(({ word }) => word === 'succeeded' || word === 'failed'),
  );
  if (!isSimple) return undefined;
  const runs = counted.flatMap((app) => world.own(app));
  // Nothing says that the push reaches a job or a manual app until it does: all others may have ended before.
  const isOptional = ({ kind, autoDeploy }: App): boolean => kind === 'job' || !autoDeploy;
  const maySurprise = counted.filter(isOptional).some((app) => {
    const created = Math.min(...world.own(app).map((run) => run.created));
    const others = world.apps
      .filter((other) => other !== app && other.isReadable)
      .flatMap((other) => [
        ...(world.running(other, 0)?.commit === world.sha ? [0] : []),
        ...world
          .own(other)
          .filter((run) => !isOptional(other) || run.created <= created)
          .map(({ ended }) => ended),
      ]);
    const late = created + slack(world.apps.length, created);
    return others.length > 0 && Math.max(...others) < late;
  });
  if (maySurprise) return undefined;
  return runs.every(({ isLive }) => isLive) ? 'live' : 'failed';
}

/** That a push which brought an error, and wrote it often enough, is not called healthy. */
function checkHealth(world: World, { health, environments: places }: PushEntry): void {
  if (health?.kind !== 'healthy') return;
  for (const { resourceId, state, deployment } of countedEnvironments(places).flatMap(
    ({ apps }) => apps,
  )) {
    const number = world.apps.findIndex((_, at) => uuid(at + 1) === resourceId);
    const app = world.apps[number];
    const own = app?.runs.find((_, at) => deployment?.id === idOf(number, at));
    if (app === undefined || own === undefined || state !== 'live' || !app.brings) continue;
    // What ran before the push writes nothing new.
    if (own.created < 0) continue;
    const isAlone = app.runs.every((run) => run.created <= own.created || run.isPreview === true);
    assert.isFalse(isAlone, 'it has brought an error');
  }
}
