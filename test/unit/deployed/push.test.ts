import { assert } from 'chai';
import * as fc from 'fast-check';
import type { Deployment, Resource } from '../../../src/api/types';
import {
  durationOf,
  endOfPush,
  longestPush,
  type PushedApp,
  type PushState,
  readApp,
  DeploymentEnds,
  environmentsOfPush,
  isPushOf,
  type ShownPush,
  withPush,
} from '../../../src/deployed/push';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { BranchEnvironment, CheckedOutBranch } from '../../../src/deployed/branch';
import { uiText } from '../../host/texts';
import { covers } from '../covers';
import { read, counted, t, uuid } from '../trees/treeText';
import { ageOf, newer, older, type Run, run, sha, stories, type Story } from './pushStories';

const day = Date.UTC(2026, 10, 20);

/** What the server answers at a time, by its clock. */
function answer(runs: readonly Run[], second: number, clockOff: number): Deployment[] {
  const at = (time: number): string => new Date(day + (time + clockOff) * 1000).toISOString();
  const known = runs.filter(({ created }) => created <= second);
  const listing = read('DeploymentListing', {
    deployments: known.map((one) => {
      const { created, started = Infinity, finished = Infinity, errorCode, hasNoEnd } = one;
      return {
        id: `${one.commit.slice(0, 4)} ${created}`,
        commitSha: one.commit,
        createdAt: at(created),
        ...(second >= started ? { startedAt: at(started) } : {}),
        ...(second >= finished && hasNoEnd !== true ? { finishedAt: at(finished) } : {}),
        ...(second >= finished && errorCode !== undefined ? { errorCode } : {}),
        state: one.states.filter(([from]) => second >= from).at(-1)?.[1],
      };
    }),
  });
  return [...(listing.deployments ?? [])];
}

const storyCount = stories(0, 0).length;
const history = fc.record({
  apps: fc.array(
    fc.record({
      story: fc.nat(storyCount - 1),
      created: fc.integer({ min: 2, max: 200 }),
      took: fc.integer({ min: 8, max: 500 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  every: fc.integer({ min: 3, max: 40 }),
  lost: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  clockOff: fc.integer({ min: -7200, max: 7200 }),
  order: fc.boolean(),
});

describe('A push', () => {
  it(`ends as its deployments say, in any history of them ${covers('F95', 'unit')}`, () => {
    fc.assert(
      fc.property(history, ({ apps: chosen, every, lost, clockOff, order }) => {
        const answered = chosen.map(({ story, created, took }) => {
          const one = stories(created, created + took)[story];
          assert(one);
          return one;
        });
        let apps = answered.map(({ name, isJob: isOptional = false }, at): PushedApp => ({
          ...{ resourceId: String(at), name, isOptional, state: 'waiting' },
        }));
        const readAt = answered.map(() => -Infinity);
        const still = new Map<string, number>();
        const pushedAt = day + clockOff * 1000;
        let second = 0;
        for (; second * 1000 < longestPush && endOfPush(apps) === undefined; second += every) {
          const now = second;
          const isStill = ({ id = '', state = '' }: Deployment): boolean => {
            const key = `${id} ${state}`;
            still.set(key, still.get(key) ?? now);
            return now - (still.get(key) ?? now) >= 300;
          };
          apps = apps.map((app, at) => {
            const runs = answered[at]?.runs ?? [];
            if (lost[(second / every + at) % lost.length] === true && second % 3 !== 0) return app;
            readAt[at] = second;
            const found = answer(runs, second, clockOff);
            return readApp(app, order ? found : found.reverse(), { sha, pushedAt, ageOf, isStill });
          });
        }
        const isNamed = ({ name }: Story): boolean => name === 'has a state of its own and no end';
        apps.forEach(({ state }, at) => {
          const story = answered[at];
          if (story === undefined || readAt[at] === -Infinity) return;
          const truth = story.truth(readAt[at] ?? 0);
          // How long a state has stood still counts from when it was first seen.
          if (isNamed(story) && truth === 'ended' && state === 'deploying') return;
          assert.equal(state, truth, `${story.name} at ${readAt[at] ?? 0} s`);
        });
        const end = endOfPush(apps);
        if (end === undefined) assert.isAtLeast(second * 1000, longestPush);
        else if (end === 'live') {
          assert.isEmpty(
            apps.filter(
              ({ isOptional, state }) => state !== 'live' && !(isOptional && state === 'waiting'),
            ),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  const app = (state: PushState, more: Partial<PushedApp> = {}): PushedApp => ({
    ...{ resourceId: state, name: state, isOptional: false, state, ...more },
  });

  it('has failed if one app has, was overtaken if one was, and is live if all are', () => {
    const cases: readonly (readonly [states: readonly PushState[], end: string | undefined])[] = [
      [['live', 'live'], 'live'],
      [['live', 'failed', 'overtaken'], 'failed'],
      [['live', 'overtaken'], 'overtaken'],
      [['live', 'ended'], 'ended'],
      [['live', 'deploying'], undefined],
      [['failed', 'waiting'], undefined],
    ];
    for (const [states, end] of cases) {
      assert.equal(endOfPush(states.map((state) => app(state))), end, states.join());
    }
    const job = app('waiting', { isOptional: true });
    assert.isUndefined(endOfPush([app('live'), job]), 'the job may be deployed as well');
    const read = { ...job, isRead: true };
    assert.equal(endOfPush([app('live'), read]), 'live');
    assert.isUndefined(endOfPush([read]), 'nothing was deployed');
  });

  const commit = { sha, pushedAt: day, ageOf, isStill: () => false };

  it('is known by the beginning of its commit, of at least seven digits', () => {
    const states = [7, 6].map((length) => {
      const found = answer([run(sha.slice(0, length), 1, 9, 'live')], 9, 0);
      return readApp(app('waiting'), found, commit).state;
    });
    assert.deepEqual(states, ['live', 'waiting']);
  });

  /** A deployment of a commit, by minutes since the push. */
  const made = (
    commitSha: string,
    state: string,
    created: number,
    finished?: number,
    more: Partial<Deployment> = {},
  ): Deployment => {
    const at = (minutes: number): string => new Date(day + minutes * 60_000).toISOString();
    return {
      ...{ id: `${commitSha.slice(0, 4)} ${created}`, commitSha, state },
      ...{ createdAt: at(created), startedAt: at(created) },
      ...(finished === undefined ? {} : { finishedAt: at(finished) }),
      ...more,
    };
  };
  const failedBefore = made(sha, 'failed', -60, -58);
  const runs = made(older, 'succeeded', -90, -88);
  const newerRuns = made(newer, 'succeeded', 2, 4);
  for (const [what, found, state] of [
    ['waits, whatever failed before', [failedBefore, runs], 'waiting'],
    [
      'waits, whatever newer commit was deployed before',
      [made(newer, 'live', -30, -29)],
      'waiting',
    ],
    ['is live if the environment runs it already', [made(sha, 'live', -60, -58)], 'live'],
    ['is live after an old failure', [failedBefore, made(sha, 'live', 1, 3)], 'live'],
    [
      'goes on if a second deployment of it is cancelled',
      [made(sha, 'deploying', 1), made(sha, 'cancelled', 2, 3)],
      'deploying',
    ],
    [
      'goes on if a newer commit fails at once',
      [made(sha, 'deploying', 1), made(newer, 'failed', 2, 2.1)],
      'deploying',
    ],
    ['is overtaken if a newer commit runs', [made(sha, 'pending', 1), newerRuns], 'overtaken'],
    [
      'is overtaken if it was replaced while it was built',
      [made(sha, 'superseded', 1, 2), newerRuns],
      'overtaken',
    ],
    [
      'is overtaken if it was cancelled for what is under way',
      [made(sha, 'cancelled', 1, 2), made(newer, 'deploying', 2)],
      'overtaken',
    ],
    [
      'is live if it was replaced after it ran',
      [made(sha, 'superseded', 1, 2), made(newer, 'live', 5, 6)],
      'live',
    ],
    [
      'goes on while an older commit is rolled back to',
      [made(sha, 'deploying', 1), made(older, 'live', 2, 3)],
      'deploying',
    ],
    ['ends if a person cancels it', [made(sha, 'canceled', 1, 3)], 'ended'],
    ['ends in a word of its own', [made(sha, 'build_failed', 1, 3)], 'ended'],
    [
      'has failed in a word of its own with an error',
      [made(sha, 'build_failed', 1, 3, { errorCode: 'OOM' })],
      'failed',
    ],
    [
      'has failed if a second deployment of it is cancelled',
      [made(sha, 'failed', 1, 3), made(sha, 'cancelled', 2, 3)],
      'failed',
    ],
    ['has failed, whatever comes later', [made(sha, 'failed', 1, 1.5), newerRuns], 'failed'],
  ] as const) {
    it(`${what} ${covers('F98, F99', 'unit')}`, () => {
      assert.equal(readApp(app('waiting'), found, commit).state, state);
      assert.equal(readApp(app('waiting'), [...found].reverse(), commit).state, state);
    });
  }

  it('was replaced where one of its deployments may have run when the next was created, whatever became of that', () => {
    const first = made(sha, 'superseded', 1, 1.9);
    for (const state of ['failed', 'cancelled']) {
      const found = [first, made(sha, state, 2, 3)];
      const { state: end, deployment } = readApp(app('waiting'), found, commit);
      assert.deepEqual([end, deployment], ['ended', first]);
    }
  });

  it('is not live when another deployment takes the place of one that was rolled back', () => {
    const rolledBack = made(sha, 'rolled_back', 1, 3);
    const ended = readApp(app('waiting'), [rolledBack], commit);
    assert.equal(ended.state, 'ended');
    assert.equal(
      readApp(ended, [rolledBack, made(older, 'live', 9, 10)], commit).state,
      'overtaken',
    );
  });

  it('stays live when the server no longer lists the deployment', () => {
    const live = readApp(app('waiting'), answer([run(sha, 1, 9, 'live')], 9, 0), commit);
    assert.equal(live.state, 'live');
    assert.equal(readApp(live, [], commit).state, 'live');
  });

  it('took as long as from the push to the end of its last deployment', () => {
    const time = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 12, minute)).toJSON();
    const of = (createdAt: string, finishedAt?: string): PushedApp =>
      app('live', {
        deployment: { id: 'd', createdAt, ...(finishedAt === undefined ? {} : { finishedAt }) },
      });
    const apps = [of(time(1), time(4)), of(time(2), time(3))];
    assert.equal(durationOf(apps, Date.UTC(2026, 10, 20, 12, 0)), 4 * 60_000);
    assert.equal(durationOf(apps, Date.UTC(2026, 10, 20, 12, 3)), 3 * 60_000, 'seen later');
    assert.isUndefined(durationOf(apps, Date.UTC(2026, 10, 20, 13, 0)), 'it ran before the push');
    assert.isUndefined(durationOf([of(time(1))], 0));
  });
});

const before = 'a'.repeat(40);
const resources: readonly Resource[] = [
  { id: uuid(1), name: 'web' },
  { id: uuid(2), name: 'api', config: { autoDeploy: false } },
  { id: uuid(3), name: 'nightly', kind: 'job' },
  { name: 'without id' },
];
const environment: BranchEnvironment = {
  ...{ id: uuid(9), name: 'production', branch: 'main', isDisconnected: false },
  ...{ isPreview: false, resources },
  deployed: {
    commits: [{ sha: before, resources: ['web'], deploymentIds: [] }],
    coming: [],
    unclear: [],
  },
  ...{ lookedAt: 3, error: undefined },
};
const branch: CheckedOutBranch = {
  ...{ head: { branch: 'main', commit: sha }, source: { id: uuid(8) } },
  ...{ by: 'name', relation: 'own', preview: [], environments: [environment] },
};

const push = (state: PushState, isOnItsWay = true): ShownPush => ({
  ...{ repository: 'file:///shop', branch: 'main', sha, at: 0, isOnItsWay, note: 'how it is' },
  isFailed: state === 'failed',
  environments: environmentsOfPush(branch).map((one) => ({
    ...one,
    apps: one.apps.map((app) => ({ ...app, isRead: true, ...(app.isOptional ? {} : { state }) })),
  })),
});

const timeFormat = new TimeFormat(
  () => ({}),
  () => 'utc',
  () => 80_000,
  'en',
);
const words = {
  ...{ text: 'production aaaaaaa', label: 'label', tooltip: ['tip'] },
  ...{ isBusy: false, isFailed: false },
};
const shown = (one: ShownPush): ReturnType<typeof withPush> =>
  withPush(words, branch, one, { t, counted, timeFormat });

describe('A push in the status bar', () => {
  it('shows how far it is, with both commits and since when in the tooltip', () => {
    const { text, label, tooltip, isBusy } = shown(push('deploying'));
    const step = uiText('deploying {0} of {1}', 1, 1);
    assert.equal(text, 'production 0/1');
    assert.deepEqual(tooltip, [
      uiText('Pushed: {0}', '3333333 · how it is'),
      `aaaaaaa → 3333333 · ${step} · 1 min. ago`,
      'tip',
    ]);
    assert.equal(
      label,
      uiText('Control plane: {0} goes to {1}, {2}', '3333333', 'production', step),
    );
    assert.isTrue(isBusy);
    assert.include(shown(push('waiting')).label, uiText('waiting for deployments'));
    const [web] = push('deploying').environments[0]?.apps ?? [];
    assert(web);
    const apps: PushedApp[] = [{ ...web, state: 'live' }, web, web];
    const halfway = { ...push('deploying'), environments: [{ name: '', isPreview: false, apps }] };
    assert.equal(shown(halfway).text, '1/3');
    assert.include(shown(halfway).label, uiText('deploying {0} of {1}', 2, 3));
  });

  it('is red while an app has failed, on its way and after', () => {
    assert.deepEqual(
      [push('deploying'), push('failed'), push('failed', false), push('live', false)].map(
        (one) => shown(one).isFailed,
      ),
      [false, true, true, false],
    );
  });

  it('is only in the tooltip when it has ended', () => {
    const { tooltip, ...rest } = shown(push('live', false));
    assert.deepEqual(rest, {
      ...{ text: words.text, label: words.label },
      ...{ isBusy: false, isFailed: false },
    });
    assert.deepEqual(tooltip, [uiText('Pushed: {0}', '3333333 · how it is'), 'tip']);
  });

  it('is that of the checked-out branch', () => {
    assert.isTrue(isPushOf(push('live'), branch, 'file:///shop'));
    assert.isFalse(isPushOf(push('live'), branch, 'file:///other'));
    assert.isFalse(
      isPushOf(push('live'), { ...branch, head: { branch: 'topic' } }, 'file:///shop'),
    );
  });

  it('goes to the environments of the branch, where jobs and manual apps are optional', () => {
    const [target] = environmentsOfPush(branch);
    const names = target?.apps.map(({ name, isOptional }) => (isOptional ? `(${name})` : name));
    assert.deepEqual(names, ['web', '(api)', '(nightly)']);
    assert.isEmpty(environmentsOfPush({ ...branch, relation: 'other' }));
    const preview = { ...environment, name: 'preview', branch: 'topic', isPreview: true };
    const [found] = environmentsOfPush({ ...branch, relation: 'preview', environments: [preview] });
    assert.deepInclude(found, { isPreview: true, branch: 'topic' }, 'whatever HEAD is called');
    const disconnected = { ...environment, isDisconnected: true };
    assert.isEmpty(environmentsOfPush({ ...branch, environments: [disconnected] }));
  });
});

describe('The ends of deployments', () => {
  it('are those between two looks, each once', () => {
    const ends = new DeploymentEnds();
    const ids = (...deployments: readonly (readonly [number, string])[]): string[] =>
      ends
        .look([environment], (id) =>
          id === uuid(1)
            ? deployments.map(([number, state]) => ({ id: uuid(number), state }))
            : undefined,
        )
        .map(({ deployment }) => deployment.id);
    assert.isEmpty(ids([10, 'succeeded'], [11, 'queued']), 'what was there before');
    assert.isEmpty(ids([10, 'succeeded'], [11, 'deploying']));
    assert.deepEqual(ids([10, 'superseded'], [11, 'failed']), [uuid(11)]);
    assert.deepEqual(ids([12, 'succeeded'], [11, 'failed']), [uuid(12)]);
    assert.isEmpty(ids([12, 'succeeded'], [11, 'failed']));
  });
});
