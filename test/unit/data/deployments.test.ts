import { assert } from 'chai';
import type { Deployment } from '../../../src/api/types';
import {
  deploymentPair,
  previewOf,
  deployedIn,
  hasRun,
  isIn,
  siteOf,
} from '../../../src/data/deployments';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { covers } from '../covers';
import { read, scene, uuid, find, gives } from '../trees/treeText';
import { resources, source, sources } from './shop';

/**
 * The example source, whose first app has deployments in these states, one an hour, oldest first.
 */
async function pairIn(
  states: string[],
  wanted: number,
  { isOfSource = true, places = [] as Deployment[] } = {},
) {
  const deployments = states.map((state, index) => ({
    id: uuid(100 + index),
    state,
    createdAt: `2026-11-20T0${index}:00:00Z`,
    startedAt: `2026-11-20T0${index}:01:00Z`,
    finishedAt: `2026-11-20T0${index}:05:00Z`,
    ...places[index],
  }));
  const made = scene(
    {
      listResources: () => Promise.resolve(resources),
      listDeployments: ({ resourceId: id }) =>
        Promise.resolve(
          id === uuid(10)
            ? // In any order.
              read('DeploymentListing', { deployments: [...deployments].sort(() => -1) })
            : {},
        ),
    },
    isOfSource ? { sources } : {},
  );
  await made.load({ kind: 'resources', id: source }, { kind: 'deployments', id: uuid(10) });
  return deploymentPair(made.context, {
    deploymentId: uuid(100 + wanted),
    ...(isOfSource ? {} : { resourceId: uuid(10) }),
  });
}

describe('A deployment and its neighbours', () => {
  it('are the nearest on either side that have run', async () => {
    const states = ['succeeded', 'superseded', 'failed', 'succeeded', 'cancelled', 'succeeded'];
    const pair = await pairIn(states, 3);
    assert.equal(pair?.resource.name, 'web-api');
    assert.equal(pair?.time, Date.UTC(2026, 10, 20, 3));
    assert.equal(pair?.previous?.id, uuid(101));
    assert.equal(pair?.next?.id, uuid(105));
  });

  it('are found without the source of their app', async () => {
    const pair = await pairIn(['succeeded', 'succeeded'], 1, { isOfSource: false });
    assert.deepEqual(pair?.resource, { id: uuid(10) });
    assert.equal(pair?.previous?.id, uuid(100));
  });

  it('are of the same environment, or of the same preview', async () => {
    const states = Array.from({ length: 5 }, () => 'succeeded');
    const production = { targetEnvironment: { id: uuid(1) } };
    const preview = (branch: string): Deployment => ({
      environment: 'preview',
      gitRef: `refs/heads/${branch}`,
    });
    const staging = { targetEnvironment: { id: uuid(2) } };
    const places = [production, preview('one'), staging, preview('two'), production];
    assert.equal((await pairIn(states, 4, { places }))?.previous?.id, uuid(100));
    assert.equal((await pairIn(states, 0, { places }))?.next?.id, uuid(104));
    assert.isUndefined((await pairIn(states, 3, { places }))?.previous);
    const again = [...places.slice(0, 3), preview('one'), production];
    assert.equal((await pairIn(states, 3, { places: again }))?.previous?.id, uuid(101));
  });

  it('can be missing', async () => {
    const pair = await pairIn(['failed', 'succeeded', 'queued'], 1);
    assert.isUndefined(pair?.previous);
    assert.isUndefined(pair?.next);
    assert.isUndefined(await pairIn(['succeeded'], 9));
  });
});

const app = { id: uuid(1), name: 'web' };
const preview = (hour: number, changes: Partial<Deployment> = {}): Deployment => ({
  id: uuid(10 + hour),
  environment: 'preview',
  gitRef: 'refs/heads/topic',
  state: 'succeeded',
  createdAt: `2026-11-20T0${hour}:00:00Z`,
  hostname: 'topic.shop.example',
  ...changes,
});

describe('The site of a deployment', () => {
  for (const [host, url] of [
    ['shop.example', 'https://shop.example/'],
    ['https://shop.example', 'https://shop.example/'],
    ['HTTPS://Shop.Example/a?b#c', 'https://shop.example/a?b#c'],
    ['https:/shop.example', 'https://shop.example/'],
    ['//shop.example', 'https://shop.example/'],
    [' shop.example\n', 'https://shop.example/'],
    ['shop.example:8443', 'https://shop.example:8443/'],
    ['localhost:443/app', 'https://localhost/app'],
    ['https://shop.example:8443/app', 'https://shop.example:8443/app'],
    ['shop.example.', 'https://shop.example/'],
    ['shop.example.:8443/a.', 'https://shop.example:8443/a.'],
    ['2001:db8::1', 'https://[2001:db8::1]/'],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/'],
    ['192.0.2.1', 'https://192.0.2.1/'],
    ['http://shop.example', undefined],
    ['ftp://shop.example', undefined],
    ['javascript:alert(1)', undefined],
    ['*.shop.example', undefined],
    ['user@shop.example', undefined],
    ['shop.example evil', undefined],
    ['https://', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    it(`is ${url ?? 'none'} for ${JSON.stringify(host)}`, () => {
      assert.equal(siteOf(host), url);
    });
  }
});

describe('The preview of a branch', () => {
  interface Case {
    readonly does: string;
    readonly deployments: readonly Deployment[];
    /** The id of its newest deployment, and its site; undefined without a preview. */
    readonly expected: readonly [id: string, site: string | undefined] | undefined;
  }
  const site = 'https://topic.shop.example/';
  const cases: readonly Case[] = [
    {
      does: 'has the site of its deployment',
      deployments: [preview(1), { id: uuid(9), state: 'succeeded', hostname: 'shop.example' }],
      expected: [uuid(11), site],
    },
    {
      does: 'keeps its site while it is deployed again, and after a failure',
      deployments: [preview(1), preview(2, { state: 'building', hostname: 'new.example' })],
      expected: [uuid(12), site],
    },
    {
      does: 'has no site before the first deployment has succeeded',
      deployments: [preview(1, { state: 'building' })],
      expected: [uuid(11), undefined],
    },
    ...['http://topic.example', 'user@topic.example', 'topic.example evil', ''].map((hostname) => ({
      does: `has no site at ${JSON.stringify(hostname)}`,
      deployments: [preview(1, { hostname })],
      expected: [uuid(11), undefined] as const,
    })),
    {
      does: 'is that of the branch only',
      deployments: [preview(1, { gitRef: 'refs/heads/other' })],
      expected: undefined,
    },
    {
      does: 'is gone after it was removed',
      deployments: [preview(1), preview(2, { state: 'deleted' })],
      expected: undefined,
    },
  ];
  for (const { does, deployments, expected } of cases) {
    it(does, () => {
      const [found] = previewOf([app], ['main', 'topic'], () => deployments);
      assert.deepEqual(found && [found.deployment.id, found.site], expected && [...expected]);
    });
  }

  it('has a row under the environment, with its state, its logs and its site', async () => {
    const source = uuid(5);
    const resource = { ...app, environment: { id: uuid(6), name: 'production' } };
    const checkedOut = { sourceId: source, branches: ['topic'] };
    const { context, load } = scene(
      {
        listResources: gives('ResourceListing', { resources: [resource] }),
        listDeployments: gives('DeploymentListing', { deployments: [preview(2), preview(1)] }),
      },
      { sources: [{ id: source }], checkedOut },
    );
    await load({ kind: 'resources', id: source }, { kind: 'deployments', id: app.id });
    const row = find(sourceNodes(context), 'preview of web');
    assert.equal(row.description, 'succeeded · 10 hr. ago · topic.shop.example');
    assert.equal(row.contextValue, 'preview canFollow hasSite hasId');
    assert.deepEqual(row.target.follow?.filter, { deploymentIds: [uuid(12), uuid(11)] });
    const elsewhere = { ...context, checkedOut: () => ({ ...checkedOut, sourceId: uuid(8) }) };
    assert.throws(() => find(sourceNodes(elsewhere), 'preview of web'));
  });
});

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const c = 'c'.repeat(40);

/** The result for apps with these deployments, by name. */
function deployed(given: Record<string, object[]>): ReturnType<typeof deployedIn> {
  const names = Object.keys(given);
  const { resources = [] } = read('ResourceListing', {
    resources: names.map((name, index) => ({ id: uuid(index), name })),
  });
  return deployedIn(
    resources,
    ({ name = '' }) =>
      read('DeploymentListing', { deployments: given[name] ?? [] }).deployments ?? [],
  );
}

const at = (day: number): string => `2026-11-${day}T12:00:00Z`;

describe('The commit that is deployed', () => {
  const live = { commitSha: a, state: 'succeeded', createdAt: at(10) };
  const newer = { commitSha: b, createdAt: at(12) };
  const ended = { ...newer, finishedAt: at(12) };
  const notLive = ['failed', 'cancelled', 'superseded', 'rolled_back', 'queued', 'timed-out'];
  for (const [what, deployments, expected] of [
    ['the newest one that succeeded', [live, { ...newer, state: 'Succeeded' }], b],
    ['the same in any order', [{ ...newer, state: 'Succeeded' }, live], b],
    ...notLive.map(
      (state) => [`not one that is ${state}`, [live, { ...newer, state }], a] as const,
    ),
    ['not one of an unknown state', [live, { ...newer, state: 'landed' }], a],
    ['not one of an unknown state that has ended', [live, { ...ended, state: 'landed' }], a],
    ['not one without a state that has ended', [live, ended], a],
    // What Git could take for an option or for more than one commit.
    ...['--output=/tmp/x', 'HEAD', 'main', 'abc', `${a}..${b}`, `${a} -p`, '', null].map(
      (commitSha) =>
        [`not ${JSON.stringify(commitSha)}`, [{ ...live, commitSha }], undefined] as const,
    ),
  ] as const) {
    it(`is ${what}`, () => {
      const { commits } = deployed({ app: [...deployments] });
      assert.deepEqual(
        commits.map(({ sha }) => sha),
        expected === undefined ? [] : [expected],
      );
    });
  }

  it('is listed for each group of apps if they differ, newest first', () => {
    const { commits } = deployed({
      web: [{ id: uuid(7), commitSha: a, state: 'succeeded', createdAt: at(10) }],
      api: [{ id: uuid(8), commitSha: b, state: 'succeeded', createdAt: at(12) }],
      worker: [{ id: uuid(9), commitSha: a.toUpperCase(), state: 'succeeded', createdAt: at(11) }],
      idle: [],
    });
    assert.deepEqual(commits, [
      { sha: b, at: Date.parse(at(12)), resources: ['api'], deploymentIds: [uuid(8)] },
      {
        sha: a,
        at: Date.parse(at(11)),
        resources: ['web', 'worker'],
        deploymentIds: [uuid(7), uuid(9)],
      },
    ]);
  });

  it('has a later deployment that is in progress', () => {
    const running = { commitSha: b, state: 'building', createdAt: at(12), startedAt: at(12) };
    const stuck = { commitSha: c, state: 'running', createdAt: at(9), startedAt: at(9) };
    assert.deepEqual(deployed({ web: [stuck, live, running] }).coming, [b]);
    assert.deepEqual(deployed({ web: [running] }), { commits: [], coming: [b], unclear: [] });
  });

  it(`has a later deployment that has ended in a word of its own ${covers('F99', 'unit')}`, () => {
    const crashed = { commitSha: b, state: 'crashed', createdAt: at(12), finishedAt: at(12) };
    const before = { ...crashed, commitSha: c, createdAt: at(9) };
    const cancelled = { ...crashed, state: 'cancelled', createdAt: at(13) };
    const { commits, unclear } = deployed({ web: [before, live, crashed, cancelled] });
    assert.deepEqual(
      commits.map(({ sha }) => sha),
      [a],
    );
    assert.deepEqual(unclear, [{ sha: b, state: 'crashed' }]);
  });
});

describe('A deployment has run', () => {
  const minute = (number: number): string => new Date(Date.UTC(2026, 10, 20, 12, number)).toJSON();
  const made = (
    state: string,
    created: number,
    finished?: number,
    more: object = {},
  ): Deployment => ({
    ...{ state, createdAt: minute(created), startedAt: minute(created) },
    ...(finished === undefined ? {} : { finishedAt: minute(finished) }),
    ...more,
  });
  const next = made('succeeded', 10, 12);
  for (const [what, deployment, others, expected] of [
    ['if it succeeded', made('succeeded', 0, 2), [], true],
    ['if it had ended before the next one was created', made('superseded', 0, 2), [next], true],
    [
      'not if the next one came a moment after its end',
      made('superseded', 9, 10),
      [{ ...next, createdAt: '2026-11-20T12:10:05Z' }],
      false,
    ],
    ['not if the next one ended it', made('superseded', 9, 10), [next], false],
    ['not if the next one came while it was built', made('superseded', 9, 13), [next], false],
    [
      'not if it never started',
      { state: 'superseded', createdAt: minute(0), finishedAt: minute(2) },
      [next],
      false,
    ],
    ['not if it says no end', made('superseded', 0), [next], false],
    ['not if nothing took its place', made('rolled_back', 0, 2), [], false],
    [
      'not if only a preview came later',
      made('superseded', 0, 2),
      [made('succeeded', 10, 12, { environment: 'preview', gitRef: 'refs/heads/topic' })],
      false,
    ],
    ['not if its state is a word of its own', made('build_failed', 0, 2), [next], false],
  ] as const) {
    it(what, () => assert.equal(hasRun(deployment, [deployment, ...others]), expected));
  }
});

describe('The place of a deployment', () => {
  const production = { isPreview: false, id: uuid(50), name: 'production' };
  const topic = { isPreview: true, branch: 'topic' };
  const preview = { environment: 'preview', gitRef: 'refs/heads/topic' };
  const to = (targetEnvironment: object): Deployment => ({
    environment: 'production',
    targetEnvironment,
  });
  for (const [what, deployment, place, expected] of [
    ['is its environment', to({ id: uuid(50).toUpperCase() }), production, true],
    ['is its environment by name if it has no id', to({ name: 'staging' }), production, false],
    ['may be any environment', {}, production, true],
    ['is no other environment', to({ id: uuid(51), name: 'production' }), production, false],
    ['is no environment for a preview', preview, production, false],
    ['is the preview of its branch', preview, topic, true],
    ['is not the preview of another branch', preview, { ...topic, branch: 'main' }, false],
    ['is no preview for an environment', to({ id: uuid(50) }), topic, false],
  ] as const) {
    it(`${what} ${covers('F101', 'unit')}`, () => assert.equal(isIn(deployment, place), expected));
  }
});
