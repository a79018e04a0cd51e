import { assert } from 'chai';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { Resource } from '../../../src/api/types';
import type { BranchEnvironment, CheckedOutBranch } from '../../../src/deployed/branch';
import {
  DeploymentEnds,
  environmentsOfPush,
  type PushState,
  isPushOf,
  type ShownPush,
  withPush,
} from '../../../src/deployed/push';
import { uiText } from '../../host/texts';
import { counted, t, uuid } from '../trees/treeText';

const [before, sha] = ['a'.repeat(40), 'b'.repeat(40)];
const resources: readonly Resource[] = [
  { id: uuid(1), name: 'web' },
  { id: uuid(2), name: 'api', config: { autoDeploy: false } },
  { id: uuid(3), name: 'nightly', kind: 'job' },
  { name: 'without id' },
];
const environment: BranchEnvironment = {
  ...{ id: uuid(9), name: 'production', branch: 'main', isDisconnected: false, resources },
  deployed: { commits: [{ sha: before, resources: ['web'], deploymentIds: [] }], coming: [] },
  ...{ lookedAt: 3, error: undefined },
};
const branch: CheckedOutBranch = {
  ...{ head: { branch: 'main', commit: sha }, source: { id: uuid(8) } },
  ...{ by: 'name', relation: 'own', preview: [], environments: [environment] },
};

const push = (state: PushState, isOnItsWay = true): ShownPush => ({
  ...{ repository: 'file:///shop', branch: 'main', sha, at: 0, isOnItsWay, note: 'how it is' },
  environments: environmentsOfPush(branch).map((one) => ({
    ...one,
    apps: one.apps.map((app) => (app.isOptional ? app : { ...app, state })),
  })),
});

const timeFormat = new TimeFormat(
  () => ({}),
  () => 'utc',
  () => 0,
  'en',
);
const words = { text: 'production aaaaaaa', label: 'label', tooltip: ['tip'], isBusy: false };
const shown = (one: ShownPush): ReturnType<typeof withPush> =>
  withPush(words, branch, one, { t, counted, timeFormat, now: 80_000 });

describe('A push in the status bar', () => {
  it('shows both commits, how far it is, and for how long', () => {
    const { text, label, isBusy } = shown(push('deploying'));
    const step = uiText('deploying {0} of {1}', 1, 1);
    assert.equal(text, `production aaaaaaa → bbbbbbb · ${step} · 1 min 20 sec`);
    assert.notInclude(label, '20');
    assert.isTrue(isBusy);
    assert.include(shown(push('waiting')).text, uiText('waiting for deployments'));
  });

  it('is only in the tooltip when it has ended', () => {
    const { tooltip, ...rest } = shown(push('live', false));
    assert.deepEqual(rest, { text: words.text, label: words.label, isBusy: false });
    assert.deepEqual(tooltip, [uiText('Pushed: {0}', 'bbbbbbb · how it is'), 'tip']);
  });

  it('is that of the checked-out branch', () => {
    assert.isTrue(isPushOf(push('live'), branch, 'file:///shop'));
    assert.isFalse(isPushOf(push('live'), branch, 'file:///other'));
    assert.isFalse(
      isPushOf(push('live'), { ...branch, head: { branch: 'topic' } }, 'file:///shop'),
    );
  });

  it('goes to the environments of the branch, where jobs and manual apps are optional', () => {
    const [target, ...others] = environmentsOfPush(branch);
    assert.isEmpty(others);
    assert.deepEqual(
      target?.apps.map(({ name, isOptional }) => [name, isOptional]),
      [
        ['web', false],
        ['api', true],
        ['nightly', true],
      ],
    );
    assert.isEmpty(environmentsOfPush({ ...branch, relation: 'other' }));
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
