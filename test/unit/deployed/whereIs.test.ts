import { assert } from 'chai';
import type { Deployment, Resource } from '../../../src/api/types';
import {
  commitOfLine,
  hashAt,
  nameOfPlace,
  placesByEnvironment,
  placeText,
  whereaboutsText,
  whereIsCommit,
} from '../../../src/deployed/whereIs';
import { uiText } from '../../host/texts';
import { counted, scene, t, uuid } from '../trees/treeText';

const { timeFormat } = scene({}).context;
const texts = { t, counted, timeFormat };

/** Commits of one line, from `0` to `f`: each comes from those with a lower digit. */
const sha = (digit: string): string => digit.repeat(40);
const reader = {
  hashOf: (hash: string) => Promise.resolve(hash.startsWith('f') ? undefined : hash),
  mergeBase: (a: string, b: string) => Promise.resolve(a < b ? a : b),
};
const wanted = sha('5');

const app = (number: number, environment: string): Resource => ({
  id: uuid(number),
  name: `app-${number}`,
  environment: { name: environment },
});

/** A deployment such as `succeeded 7 10:00`; the time is that of its end, if it has one. */
function deployment(text: string): Deployment {
  const [state = '', digit = '', time = ''] = text.split(' ');
  const date = `2026-11-20T${time}:00Z`;
  const ended = state === 'running' ? {} : { finishedAt: date };
  return { id: text, state, commitSha: sha(digit), createdAt: date, ...ended };
}

type App = readonly [Resource, ...string[]];

async function where(...apps: readonly App[]) {
  const deployments = new Map(apps.map(([resource, ...all]) => [resource.id, all.map(deployment)]));
  return whereIsCommit(
    apps.map(([resource]) => resource),
    ({ id }) => deployments.get(id) ?? [],
    wanted,
    reader,
  );
}

describe('Where a commit is', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    [
      'says since when an app has run it, without a break',
      ['succeeded 6 11:00', 'succeeded 5 10:00', 'succeeded 4 09:00'],
      uiText('deployed since {0}', '10:00:00 UTC'),
    ],
    [
      'counts from the last time that it came back',
      ['succeeded 6 11:00', 'succeeded 4 10:00', 'succeeded 5 09:00'],
      uiText('deployed since {0}', '11:00:00 UTC'),
    ],
    [
      'does not count a failed deployment as a break',
      ['succeeded 6 11:00', 'failed 4 10:00', 'succeeded 5 09:00'],
      uiText('deployed since {0}', '09:00:00 UTC'),
    ],
    [
      'says that it may be longer if the repository does not have what ran before',
      ['succeeded 6 11:00', 'succeeded f 10:00'],
      uiText('deployed since {0} or earlier', '11:00:00 UTC'),
    ],
    [
      'names the deployment that brings it',
      ['running 7 11:00', 'succeeded 4 10:00'],
      uiText('deploying: {0}', '7777777'),
    ],
    [
      'names what comes first',
      ['queued 2 11:30', 'running 4 11:00', 'succeeded 3 10:00'],
      uiText('not deployed: {0}, which does not have it, is being deployed first', '4444444'),
    ],
    [
      'says that its deployment failed',
      ['failed 5 11:00', 'succeeded 4 10:00'],
      uiText('not deployed: the deployment of {0} failed', '5555555'),
    ],
    [
      'forgets a failure after a success',
      ['succeeded 4 11:30', 'failed 5 11:00'],
      uiText('not deployed: it runs {0}, which does not have it', '4444444'),
    ],
    [
      'says that another commit took its place',
      ['succeeded 4 11:00', 'succeeded 5 10:00'],
      uiText('not deployed any more: it runs {0}', '4444444'),
    ],
    [
      'says that it does not know a commit that the repository does not have',
      ['succeeded f 11:00'],
      uiText('unknown: it runs {0}, which is not in this repository', 'fffffff'),
    ],
    ['says that nothing was deployed', [], uiText('not deployed')],
  ];
  for (const [does, deployments, expected] of cases) {
    it(does, async () => {
      const [place] = await where([app(1, 'production'), ...deployments]);
      assert.equal(placeText(place!, texts), expected);
      assert.equal(nameOfPlace(place!), 'app-1');
    });
  }

  it('has the date if that is not today', async () => {
    const [place] = await where([app(1, 'production')]);
    const since = Date.UTC(2026, 10, 19, 10);
    const live = { ...place!, where: { kind: 'live', since, maybeEarlier: false } } as const;
    assert.equal(placeText(live, texts), uiText('deployed since {0}', '2026-11-19 10:00:00 UTC'));
  });

  it('asks Git once for each commit, and only for hashes', async () => {
    const asked: string[] = [];
    const counting = {
      ...reader,
      hashOf: (hash: string) => {
        asked.push(hash);
        return reader.hashOf(hash);
      },
    };
    const all = [
      { state: 'succeeded', commitSha: sha('7'), createdAt: '2026-11-20T11:00:00Z' },
      { state: 'succeeded', commitSha: '--all', createdAt: '2026-11-20T10:00:00Z' },
    ];
    await whereIsCommit([app(1, 'a'), app(2, 'a')], () => all, wanted, counting);
    assert.deepEqual(asked, [sha('7')]);
  });

  it('is one line: how many, since when, and what waits for what', async () => {
    const places = await where(
      [app(3, 'staging'), 'running 4 11:00', 'succeeded 3 10:00'],
      [app(1, 'production'), 'succeeded 6 11:00'],
      [app(2, 'production'), 'succeeded 5 11:30'],
    );
    assert.equal(
      whereaboutsText(places, texts),
      [
        uiText('{1} of {0} apps and jobs', 3, 2),
        uiText('{0} since {1}', 'production', '11:30:00 UTC'),
        uiText('{0} waits for {1}', 'staging', '4444444'),
      ].join(' · '),
    );
    assert.deepEqual(
      placesByEnvironment(places, texts).map(({ name }) => name),
      ['production', 'staging'],
    );
  });

  it('says of an environment that it is deploying, has failed, or has it in part', async () => {
    const says = async (...apps: readonly App[]): Promise<string> =>
      whereaboutsText(await where(...apps), texts).replace(/^[^·]*(?:· )?/, '');
    const has = [app(1, 'a'), 'succeeded 6 11:00'] as const;
    assert.equal(
      await says(has, [app(2, 'a'), 'running 7 11:00']),
      uiText('{0} deploys {1}', 'a', '7777777'),
    );
    assert.equal(
      await says(has, [app(2, 'a'), 'failed 7 11:00']),
      uiText('{0} failed with {1}', 'a', '7777777'),
    );
    assert.equal(await says(has, [app(2, 'a')]), uiText('{0} in part', 'a'));
    assert.equal(await says([app(2, 'a')]), '');
  });
});

describe('The commit of a line', () => {
  it('is in what Git prints, unless the line is not committed', () => {
    const blame = [
      '^1234567 (A Person 2026-11-20 12:00:00 +0000 1) const a = 1;',
      '89abcdef01 old name.ts (A Person 2026-11-20 12:00:00 +0000 2) const b = 2;',
      '00000000 (Not Committed Yet 2026-11-20 12:00:00 +0000 3) const c = 3;',
    ].join('\n');
    assert.deepEqual(
      [1, 2, 3, 4, 0].map((line) => commitOfLine(blame, line)),
      ['1234567', '89abcdef01', undefined, undefined, undefined],
    );
  });

  it('is the hash at the cursor', () => {
    const text = 'Fixed in 9F8E7D6, not in a1b2c3 or x9f8e7d6 or 1234567-1.';
    const at = (word: string): string | undefined => hashAt(text, text.indexOf(word) + 2);
    assert.equal(at('9F8E7D6'), '9f8e7d6');
    assert.equal(hashAt(text, 9), '9f8e7d6');
    assert.equal(hashAt(text, 16), '9f8e7d6');
    for (const word of ['Fixed', 'a1b2c3', 'x9f8e7d6', '1234567']) assert.isUndefined(at(word));
  });
});
