import { assert } from 'chai';
import type { PushEntry } from '../../../src/pushes/pushEntry';
import { activityNodes } from '../../../src/activity/activityNodes';
import type { PushHealth } from '../../../src/pushes/pushEntry';
import { lengthOfPush, pathOfApp } from '../../../src/pushes/pushKind';
import type { Deployment } from '../../../src/api/types';
import type { PushedApp, PushedEnvironment, PushState } from '../../../src/deployed/push';
import { pathTo, type TreeNode } from '../../../src/trees/nodes';
import { uiText } from '../../host/texts';
import { detailText, scene, treeText, uuid } from '../trees/treeText';
import { connection, kinds } from '../activity/windows';

const { context, clock } = scene({});
const pushedAt = clock.now() - 120_000;

/** Apps by name, each with its state, such as `web: live, jobs: failed`. */
function pushOf(apps: string, more: Partial<PushEntry> = {}): PushEntry {
  const read = (text: string, at: number): PushedApp => {
    const [name = '', state = ''] = text.split(': ');
    return {
      resourceId: uuid(10 + at),
      name,
      // The texts of this file name them.
      state: state.replace(/ .*/, '').replace('unread', 'waiting') as PushState,
      isOptional: state.endsWith(' optional'),
      ...(state.startsWith('unread') ? {} : { isRead: true }),
      ...(state.endsWith(' unseen') ? { isUnseen: true } : {}),
    };
  };
  return {
    id: uuid(1),
    connection,
    at: pushedAt,
    kind: 'push',
    repository: 'file:///code/shop',
    branch: 'main',
    sourceId: uuid(2),
    sourceName: 'shop',
    sha: 'a'.repeat(40),
    pushedAt,
    progress: { kind: 'following' },
    environments: [
      { id: uuid(3), name: 'production', isPreview: false, apps: apps.split(', ').map(read) },
    ],
    ...more,
  };
}

/** Icon and description of the row of a push. */
function rowOf(entry: PushEntry): string {
  const [row] = activityNodes(context, kinds, [entry]);
  return `[${row?.status.icon}] ${row?.description}`;
}

const over: Partial<PushEntry> = { progress: { kind: 'over' } };
const worse: PushHealth = {
  kind: 'worse',
  kinds: [
    { title: 'TypeError: no price', change: 'new' },
    { title: 'Timeout', change: 'more' },
  ],
};

describe('The rows of a push', () => {
  const following = uiText('looking for new errors');
  const inAll = uiText('went live in {0}', 'production');
  const rows: readonly (readonly [apps: string, more: Partial<PushEntry>, row: string])[] = [
    ['web: waiting, api: waiting', {}, `[clock] ${uiText('waiting for deployments')}`],
    [
      'web: waiting',
      { progress: { kind: 'left', why: 'deadline' } },
      `[warning] ${uiText('not finished after 20 minutes; no longer watched')} · ${uiText('not deployed')}`,
    ],
    ['web: live, api: deploying', {}, `[sync~spin] ${uiText('{0} of {1} live', 1, 2)}`],
    [
      'web: failed, api: deploying, jobs: live',
      {},
      `[error] ${uiText('{0} of {1} live', 1, 3)}, ${uiText('{0} failed', 1)}`,
    ],
    ['web: live, api: waiting', {}, `[clock] ${uiText('{0} of {1} live', 1, 2)}`],
    ['web: live, jobs: waiting optional', {}, `[pass-filled] ${inAll} · ${following}`],
    ['web: live, jobs: unread optional', {}, `[clock] ${uiText('{0} of {1} live', 1, 2)}`],
    ['web: live, api: waiting unseen', over, `[pass-filled] ${inAll}`],
    ['web: failed, api: live, jobs: failed', over, `[error] ${uiText('failed: {0}', 'web, jobs')}`],
    ['web: overtaken, api: live', over, `[history] ${uiText('overtaken by another commit')}`],
    ['web: ended, api: live', over, `[circle-large-outline] ${uiText('ended: {0}', 'web')}`],
    [
      'web: live',
      { ...over, health: { kind: 'healthy' } },
      `[pass-filled] ${inAll} · ${uiText('as healthy as before')}`,
    ],
    [
      'web: live',
      { ...over, health: worse },
      `[warning] ${inAll} · ${uiText('{0} kinds of errors are new or more frequent', 2)}`,
    ],
    ...(
      [
        ['noPermission', uiText('the API key may not read logs')],
        ['failed', uiText('the logs could not be read')],
        ['noRecords', uiText('no log records since then')],
        ['noneBefore', uiText('no log records before it')],
        ['tooMany', uiText('too many errors')],
        ['partial', uiText('the logs are incomplete')],
        ['replaced', uiText('another deployment took its place too soon')],
      ] as const
    ).map(
      ([why, words]) =>
        [
          'web: live',
          { ...over, health: { kind: 'unseen', why } },
          `[pass-filled] ${inAll} · ${uiText('errors not compared: {0}', words)}`,
        ] as const,
    ),
  ];
  for (const [apps, more, row] of rows) {
    it(`say of ${apps}: ${row}`, () => {
      assert.include(rowOf(pushOf(apps, more)), row);
    });
  }

  it('have one for each app, with what the server says of its failure, and a path to each', () => {
    const entry = pushOf(
      'a: waiting, b: waiting optional, c: deploying, d: live, e: failed, f: overtaken, g: ended, h: live unseen',
    );
    const [{ apps, ...environment }] = entry.environments as [PushedEnvironment];
    const named: Readonly<Record<string, Deployment>> = {
      c: { id: uuid(31), state: 'rolling_out' },
      e: { id: uuid(32), state: 'failed', errorCode: 'build_failed', errorMessage: 'No image.' },
      g: { id: uuid(33), state: 'parked' },
    };
    const withDeployments = apps.map((app) => ({ ...app, deployment: named[app.name] }));
    const deployed = { ...entry, environments: [{ ...environment, apps: withDeployments }] };
    const nodes = activityNodes(context, kinds, [deployed]);
    assert.equal(
      treeText(nodes[0]?.children() ?? []),
      [
        `[clock] a — ${uiText('waiting')}`,
        `[clock] b — ${uiText('not deployed')}`,
        '[sync~spin] c — rolling out',
        `[pass-filled] d — ${uiText('went live')}`,
        `[error] e — ${uiText('has failed')} · build_failed: No image.`,
        `[history] f — ${uiText('overtaken')}`,
        `[circle-large-outline] g — ${uiText('in state {0}', 'parked')}`,
        `[eye-closed] h — ${uiText('not visible with this API key')}`,
      ].join('\n'),
    );
    for (const { resourceId } of apps) {
      const isMeant = ({ kind, target }: TreeNode): boolean =>
        kind !== 'activity' && target.resourceId === resourceId;
      assert.deepEqual(pathTo(nodes, isMeant), pathOfApp(entry, resourceId));
    }
  });

  it('name the environment of an app if there are several, and both in the row of the push', () => {
    const entry = pushOf('web: live', over);
    const [first] = entry.environments as [PushedEnvironment];
    const environments = [first, { ...first, id: uuid(4), name: 'staging' }];
    const several = { ...entry, environments };
    assert.include(rowOf(several), uiText('went live in {0}', 'production, staging'));
    const [row] = activityNodes(context, kinds, [several]);
    assert.deepEqual(
      row?.children().map(({ description }) => description),
      [`${uiText('went live')} · production`, `${uiText('went live')} · staging`],
    );
  });

  it('say that it was replaced once nothing of it runs, and lead to what changed', () => {
    const entry = pushOf('web: live, api: live', over);
    const [{ apps, ...environment }] = entry.environments as [PushedEnvironment];
    const withStates = (...states: readonly string[]): PushEntry => ({
      ...entry,
      environments: [
        {
          ...environment,
          apps: apps.map((app, at) => ({
            ...app,
            deployment: { id: uuid(31 + at), state: states[at]! },
          })),
        },
      ],
    });
    const half = withStates('succeeded', 'superseded');
    assert.include(rowOf(half), inAll);
    assert.include(
      rowOf(withStates('superseded', 'superseded')),
      uiText('replaced in {0}', 'production'),
    );
    const [row] = activityNodes(context, kinds, [half]);
    assert.deepEqual(
      row?.children().map(({ description }) => description),
      [uiText('went live'), uiText('replaced')],
    );
    assert.include(row?.contextValue, 'hasDeployment');
    assert.deepInclude(row?.target, { resourceId: apps[0]?.resourceId, deploymentId: uuid(31) });
    const [waiting] = activityNodes(context, kinds, [pushOf('web: waiting')]);
    assert.notInclude(waiting?.contextValue, 'hasDeployment');
  });

  it('say how long it took, from the first deployment if that is earlier than the push, and which errors are worse', () => {
    const entry = pushOf('web: live', { ...over, health: worse });
    const [{ apps, ...environment }] = entry.environments as [PushedEnvironment];
    const at = (seconds: number): string => new Date(pushedAt + seconds * 1000).toISOString();
    const deployment = { id: uuid(31), createdAt: at(-20), finishedAt: at(60) };
    const deployed = [{ ...environment, apps: apps.map((app) => ({ ...app, deployment })) }];
    assert.isUndefined(lengthOfPush(entry));
    assert.equal(lengthOfPush({ ...entry, environments: deployed }), 80_000);
    const [row] = activityNodes(context, kinds, [entry]);
    assert.include(detailText(row!), `${uiText('Errors')}: TypeError: no price; Timeout`);
  });
});
