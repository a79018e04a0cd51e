import { assert } from 'chai';
import * as fc from 'fast-check';
import type { Deployment } from '../../../src/api/types';
import {
  type CommitAge,
  durationOf,
  endOfPush,
  longestPush,
  type PushedApp,
  type PushState,
  readApp,
} from '../../../src/deployed/push';
import { covers } from '../covers';
import { read } from '../trees/treeText';

/** Commits of one line, oldest first. The pushed one is in the middle. */
const commits = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40));
const [, older = '', sha = '', newer = ''] = commits;
const stranger = 'e'.repeat(40);

function ageOf(commit: string): CommitAge {
  const at = commits.indexOf(commit);
  return at < 0 ? 'unknown' : at < commits.indexOf(sha) ? 'older' : at > 2 ? 'newer' : 'unknown';
}

/** A deployment as it becomes, by seconds since the push. */
interface Run {
  readonly commit: string;
  readonly created: number;
  readonly started?: number;
  readonly finished?: number;
  /** The state from each second on. */
  readonly states: readonly (readonly [second: number, state: string])[];
  readonly errorCode?: string;
  /** Whether the server never says when it ended. */
  readonly hasNoEnd?: boolean;
}

/** What happens to one app, and what is true of it at a time. */
interface Story {
  readonly name: string;
  readonly runs: readonly Run[];
  readonly truth: (second: number) => PushState;
  readonly isJob?: boolean;
}

const run = (
  commit: string,
  created: number,
  finished: number,
  state: string,
  more: Partial<Run> = {},
): Run => {
  const started = created + (finished - created) / 4;
  const states = [
    [created, 'queued'],
    [started, 'building'],
    [finished, state],
  ] as const;
  return { commit, created, started, finished, states, ...more };
};

const since =
  (...steps: readonly (readonly [number, PushState])[]) =>
  (second: number): PushState =>
    steps.filter(([from]) => second >= from).at(-1)?.[1] ?? 'waiting';

/** The live commit before the push. */
const before = run(older, -5000, -4900, 'succeeded');

/** @param c when its deployment is created. @param f when it ends. */
const stories = (c: number, f: number): readonly Story[] => [
  {
    name: 'succeeds',
    runs: [before, run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'fails',
    runs: [before, run(sha, c, f, 'failed', { errorCode: 'BUILD_FAILED' })],
    truth: since([c, 'deploying'], [f, 'failed']),
  },
  {
    name: 'fails and is tried again',
    runs: [before, run(sha, c, f, 'failed'), run(sha, f + 20, f + 60, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'failed'], [f + 20, 'deploying'], [f + 60, 'live']),
  },
  {
    name: 'is cancelled for a newer commit',
    runs: [before, run(sha, c, f, 'cancelled'), run(newer, f, f + 50, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'overtaken']),
  },
  {
    name: 'is skipped for a newer commit',
    runs: [before, run(newer, c, f, 'succeeded')],
    truth: since([c, 'overtaken']),
  },
  {
    name: 'was live once, before a force push',
    runs: [run(sha, -9000, -8900, 'succeeded'), before, run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'is what runs already',
    runs: [before, run(sha, -300, -200, 'succeeded')],
    truth: since([-200, 'live']),
  },
  {
    name: 'is rolled back later',
    runs: [before, run(sha, c, f, 'succeeded'), run(older, f + 1, f + 30, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'waits for an older one',
    runs: [before, run(older, 1, c, 'succeeded'), run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'is replaced when it is live',
    runs: [
      before,
      run(sha, c, f, 'live', {
        states: [
          [c, 'queued'],
          [f, 'live'],
          [f + 3, 'superseded'],
        ],
      }),
      run(newer, f + 1, f + 3, 'live'),
    ],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'has a state of its own, and an end',
    runs: [before, run(sha, c, f, 'frobnicated')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'has a state of its own, an end and an error',
    runs: [before, run(sha, c, f, 'frobnicated', { errorCode: 'OUT_OF_MEMORY' })],
    truth: since([c, 'deploying'], [f, 'failed']),
  },
  {
    name: 'has a state of its own and no end',
    runs: [before, run(sha, c, f, 'frobnicated', { hasNoEnd: true })],
    truth: since([c, 'deploying'], [f + 300, 'ended']),
  },
  {
    name: 'meets a commit of another line',
    runs: [before, run(stranger, 1, 2, 'succeeded'), run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  { name: 'never comes', runs: [before], truth: since() },
  { name: 'is a job that is not deployed', runs: [before], truth: since(), isJob: true },
  {
    name: 'is a job that is deployed',
    runs: [before, run(sha, c, f, 'failed')],
    truth: since([c, 'deploying'], [f, 'failed']),
    isJob: true,
  },
];

/** What the server answers at a time, by its clock. */
function answer(runs: readonly Run[], second: number, clockOff: number): Deployment[] {
  const at = (time: number): string =>
    new Date(Date.UTC(2026, 10, 20) + (time + clockOff) * 1000).toISOString();
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
        const told = chosen.map(({ story, created, took }) => {
          const one = stories(created, created + took)[story];
          assert(one);
          return one;
        });
        let apps = told.map(({ name, isJob = false }, at): PushedApp => ({
          ...{ resourceId: String(at), name, isJob, state: 'waiting' },
        }));
        const readAt = told.map(() => -Infinity);
        const still = new Map<string, number>();
        let second = 0;
        for (; second * 1000 < longestPush && endOfPush(apps) === undefined; second += every) {
          const now = second;
          const isStill = ({ id = '', state = '' }: Deployment): boolean => {
            const key = `${id} ${state}`;
            still.set(key, still.get(key) ?? now);
            return now - (still.get(key) ?? now) >= 300;
          };
          apps = apps.map((app, at) => {
            const runs = told[at]?.runs ?? [];
            if (lost[(second / every + at) % lost.length] === true && second % 3 !== 0) return app;
            readAt[at] = second;
            const found = answer(runs, second, clockOff);
            return readApp(app, order ? found : found.reverse(), { sha, ageOf, isStill });
          });
        }
        const isNamed = ({ name }: Story): boolean => name === 'has a state of its own and no end';
        apps.forEach(({ state }, at) => {
          const story = told[at];
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
            apps.filter(({ isJob, state }) => state !== 'live' && !(isJob && state === 'waiting')),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  const app = (state: PushState, more: Partial<PushedApp> = {}): PushedApp => ({
    ...{ resourceId: state, name: state, isJob: false, state, ...more },
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
    assert.equal(endOfPush([app('live'), app('waiting', { isJob: true })]), 'live');
    assert.isUndefined(endOfPush([app('waiting', { isJob: true })]), 'nothing was deployed');
  });

  it('stays live when the server no longer lists the deployment', () => {
    const commit = { sha, ageOf, isStill: () => false };
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
    assert.equal(durationOf(apps, Date.UTC(2026, 10, 20, 13, 0)), 3 * 60_000, 'seen later');
    assert.isUndefined(durationOf([of(time(1))], 0));
  });
});
