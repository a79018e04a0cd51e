import { assert } from 'chai';
import * as fc from 'fast-check';
import type { Deployment } from '../../../src/api/types';
import {
  durationOf,
  endOfPush,
  longestPush,
  type PushedApp,
  type PushState,
  readApp,
} from '../../../src/deployed/push';
import { covers } from '../covers';
import { read } from '../trees/treeText';
import { ageOf, type Run, run, sha, stories, type Story } from './pushStories';

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
        const told = chosen.map(({ story, created, took }) => {
          const one = stories(created, created + took)[story];
          assert(one);
          return one;
        });
        let apps = told.map(({ name, isJob: isOptional = false }, at): PushedApp => ({
          ...{ resourceId: String(at), name, isOptional, state: 'waiting' },
        }));
        const readAt = told.map(() => -Infinity);
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
            const runs = told[at]?.runs ?? [];
            if (lost[(second / every + at) % lost.length] === true && second % 3 !== 0) return app;
            readAt[at] = second;
            const found = answer(runs, second, clockOff);
            return readApp(app, order ? found : found.reverse(), { sha, pushedAt, ageOf, isStill });
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
    assert.equal(endOfPush([app('live'), app('waiting', { isOptional: true })]), 'live');
    assert.isUndefined(endOfPush([app('waiting', { isOptional: true })]), 'nothing was deployed');
  });

  it('stays live when the server no longer lists the deployment', () => {
    const commit = { sha, pushedAt: day, ageOf, isStill: () => false };
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
