import { assert } from 'chai';
import type { PreviewReportingEntry } from '../../../src/actions/kinds/previewReporting';
import {
  type ActionProgress,
  type ActivityEntry,
  belongsTo,
  compareEntries,
  grantedPermission,
  isUnsettled,
  type UnwatchedReason,
} from '../../../src/activity/activityEntry';
import { cleanupText } from '../../../src/api/validateRequest';
import { uuid } from '../trees/treeText';
import { connection, kinds } from './windows';

const base = { id: uuid(1), connection, at: 1_700_000_000_000 };
const items = ['old-api'];
const samples = {
  cleanUp: {
    ...{ ...base, kind: 'cleanUp', serverId: uuid(2), serverName: 'fra', items },
    ...{ idempotencyKey: uuid(3), body: cleanupText(items) },
  },
  sync: {
    ...{ ...base, kind: 'sync', sourceId: uuid(2), sourceName: 'shop', environmentId: uuid(3) },
    ...{ environmentName: 'production', sentAt: base.at, before: {}, deployments: [] },
  },
  previewReporting: { ...base, kind: 'previewReporting' },
  push: {
    ...{ ...base, kind: 'push', sourceId: uuid(2), sourceName: 'shop', repository: 'file:///shop' },
    ...{ branch: 'main', upstream: 'origin/main', sha: 'a1'.repeat(20), pushedAt: base.at },
    environments: [
      {
        ...{ id: uuid(3), name: 'production', isPreview: false },
        apps: [
          {
            ...{ resourceId: uuid(4), name: 'web', isOptional: false, state: 'failed' },
            ...{
              deployment: { id: uuid(5), errorCode: 'no' },
              isRead: true,
              isUnseen: false,
            },
          },
        ],
      },
    ],
  },
} as const;

/** An entry of a kind with this progress and these other members. */
function entry(
  kind: keyof typeof samples,
  progress: ActionProgress,
  more: object = {},
): ActivityEntry {
  return { ...samples[kind], progress, ...more };
}

const left = (why: UnwatchedReason, problem?: object): ActionProgress =>
  ({ kind: 'left', why, ...(problem ? { problem } : {}) }) as ActionProgress;
const signedOut = { kind: 'signedOut', message: '' };
const refused = { kind: 'http', status: 401, message: '' };

describe('ActivityEntry', () => {
  const cases: readonly (readonly [string, ActivityEntry, boolean])[] = [
    ['a clean-up that is being sent', entry('cleanUp', { kind: 'sending' }), true],
    ['a watched sync', entry('sync', { kind: 'following' }), true],
    ['an ended clean-up', entry('cleanUp', { kind: 'over' }), false],
    ['an interrupted clean-up', entry('cleanUp', { kind: 'unknown', why: 'interrupted' }), true],
    [
      'a clean-up without a response',
      entry('cleanUp', { kind: 'unknown', why: 'noAnswer' }),
      false,
    ],
    ['an interrupted sync', entry('sync', { kind: 'unknown', why: 'interrupted' }), false],
    [
      'a clean-up that could not be watched without a key',
      entry('cleanUp', left('failed', signedOut), { operationId: 'o' }),
      true,
    ],
    [
      'a clean-up that could not be watched because the key was refused',
      entry('cleanUp', left('failed', refused), { operationId: 'o' }),
      true,
    ],
    [
      'a clean-up that could not be watched for another reason',
      entry('cleanUp', left('failed', { kind: 'http', status: 500, message: '' }), {
        operationId: 'o',
      }),
      false,
    ],
    [
      'a clean-up without a key and an operation id',
      entry('cleanUp', left('failed', signedOut)),
      false,
    ],
    [
      'a clean-up that the user stopped watching',
      entry('cleanUp', left('stopped'), { operationId: 'o' }),
      false,
    ],
  ];
  for (const [what, one, resumes] of cases) {
    it(`${resumes ? 'resumes' : 'does not resume'} ${what}`, () =>
      assert.equal(isUnsettled(one) || kinds.isUndecided(one) || kinds.isSignedOut(one), resumes));
  }

  it('is undecided only if it is a clean-up that may have been sent, and nobody has decided', () => {
    const all: readonly ActionProgress[] = [
      { kind: 'sending' },
      { kind: 'unknown', why: 'interrupted' },
      { kind: 'unknown', why: 'stopped' },
      { kind: 'unknown', why: 'noAnswer' },
      { kind: 'following' },
      { kind: 'over' },
      left('stopped'),
    ];
    const undecided = (kind: keyof typeof samples): boolean[] =>
      all.map((progress) => kinds.isUndecided(entry(kind, progress)));
    assert.deepEqual(undecided('cleanUp'), [true, true, true, false, false, false, false]);
    for (const kind of ['sync', 'previewReporting'] as const) {
      assert.notInclude(undecided(kind), true);
    }
  });

  it('can be sent again if it is a clean-up of unknown outcome', () => {
    const noAnswer = { kind: 'unknown', why: 'noAnswer' } as const;
    assert.isTrue(kinds.canSendAgain(entry('cleanUp', noAnswer)));
    assert.isFalse(kinds.canSendAgain(entry('cleanUp', { kind: 'sending' })));
    assert.isFalse(kinds.canSendAgain(entry('sync', noAnswer)));
  });

  it('can be watched again if the control plane can tell how it goes on', () => {
    assert.isTrue(kinds.canWatchAgain(entry('cleanUp', left('stopped'), { operationId: 'o' })));
    assert.isFalse(kinds.canWatchAgain(entry('cleanUp', left('stopped'))));
    assert.isFalse(kinds.canWatchAgain(entry('cleanUp', { kind: 'over' }, { operationId: 'o' })));
    assert.isTrue(kinds.canWatchAgain(entry('sync', left('deadline'))));
    assert.isTrue(kinds.canWatchAgain(entry('push', left('deadline'))));
    assert.isFalse(kinds.canWatchAgain(entry('previewReporting', left('stopped'))));
    assert.isFalse(kinds.isSignedOut(entry('previewReporting', left('failed', signedOut))));
    assert.isFalse(kinds.isSignedOut(entry('sync', left('failed'))));
    assert.isFalse(kinds.isSignedOut(entry('sync', left('nothing', signedOut))));
  });

  it('is unsettled while it is sent or watched', () => {
    assert.isTrue(isUnsettled(entry('sync', { kind: 'preparing' })));
    assert.isTrue(isUnsettled(entry('sync', { kind: 'sending' })));
    assert.isTrue(isUnsettled(entry('sync', { kind: 'following' })));
    assert.isFalse(isUnsettled(entry('sync', { kind: 'unknown', why: 'noAnswer' })));
  });

  it('belongs to the connection with the same name and URL', () => {
    const one = entry('sync', { kind: 'over' });
    assert.isTrue(belongsTo(one, connection));
    assert.isFalse(belongsTo(one, { ...connection, name: 'other' }));
    assert.isFalse(belongsTo(one, { ...connection, baseUrl: 'https://other.example' }));
  });

  it('is sorted by time, newest first, then by id', () => {
    const at = (id: number, time: number): ActivityEntry =>
      entry('previewReporting', { kind: 'over' }, { id: uuid(id), at: time });
    const sorted = [at(3, 1), at(2, 5), at(1, 5), at(4, 9)].sort(compareEntries);
    assert.deepEqual(
      sorted.map(({ id }) => id),
      [uuid(4), uuid(1), uuid(2), uuid(3)],
    );
  });
});

describe('The kinds', () => {
  const over: ActionProgress = { kind: 'over' };
  const read = (kind: keyof typeof samples, more: object): Record<string, unknown> | undefined =>
    kinds.read(entry(kind, over, more));

  it('reads an entry of any progress as it was written', () => {
    const problem = { kind: 'http', status: 409, code: 'c', message: 'm', requestId: 'r' };
    const whys = [
      'stopped',
      'noPolling',
      'lost',
      'expired',
      'deadline',
      'failed',
      'nothing',
    ] as const;
    for (const progress of [
      { kind: 'preparing' },
      { kind: 'sending' },
      { kind: 'following' },
      { kind: 'over' },
      { kind: 'refused', problem },
      { kind: 'unknown', why: 'noAnswer' },
      { kind: 'unknown', why: 'interrupted', problem },
      ...whys.map((why) => left(why, problem)),
    ] as ActionProgress[]) {
      for (const kind of ['cleanUp', 'sync', 'previewReporting', 'push'] as const) {
        const one = entry(kind, progress, { endedAt: 5, heartbeat: { window: 'w', at: 7 } });
        assert.deepEqual(kinds.read(JSON.parse(JSON.stringify(one))), one);
      }
    }
    const counts = { attempted: 0, succeeded: 0, failed: 0 };
    assert.deepInclude(read('previewReporting', counts), counts);
    const cleaned = { operationId: 'o', replayed: false, operation: { state: 'running' } };
    assert.deepInclude(read('cleanUp', cleaned), cleaned);
  });

  it('returns undefined if a required member is missing', () => {
    for (const more of [
      { id: 'one' },
      { at: 'now' },
      { at: 9e15 },
      { connection: undefined },
      { connection: { name: 'shop' } },
      { connection: { baseUrl: 'x' } },
      { progress: { kind: 'dreaming' } },
      { progress: 'over' },
      { kind: 'other' },
    ]) {
      assert.isUndefined(read('sync', more), JSON.stringify(more));
    }
    for (const value of [undefined, null, 7, 'entry', []]) assert.isUndefined(kinds.read(value));
    for (const more of [{ sourceId: 'x' }, { environmentId: 'x' }]) {
      assert.isUndefined(read('sync', more));
    }
    // The body must match the items.
    for (const more of [
      { serverId: 'x' },
      { idempotencyKey: 'x' },
      { items: ['other'] },
      { items: [] },
      { body: '{}' },
    ]) {
      assert.isUndefined(read('cleanUp', more));
    }
  });

  it('leaves out members of the wrong type', () => {
    /** The rest is read as it is. */
    const isLeftOut = (kind: keyof typeof samples, more: object): void => {
      const [key = ''] = Object.keys(more);
      const { [key]: value, ...rest } = read(kind, more) ?? assert.fail('it is not read at all');
      assert.isUndefined(value, JSON.stringify(more));
      assert.deepEqual(rest, read(kind, {}), JSON.stringify(more));
    };
    for (const more of [
      { endedAt: 'later' },
      { heartbeat: { window: 'w' } },
      { heartbeat: { at: 7 } },
      { heartbeat: 'mine' },
      { sync: 'done' },
    ]) {
      isLeftOut('sync', more);
    }
    assert.deepEqual(
      read('sync', { before: { [uuid(1)]: 5, x: 5, [uuid(2)]: 'y', [uuid(3)]: null } })?.['before'],
      { [uuid(1)]: 5 },
    );
    const unread = { before: 'all', sentAt: 'now' };
    assert.deepInclude(read('sync', unread), { before: {}, sentAt: base.at });
    for (const more of [{ attempted: '3' }, { succeeded: Infinity }, { failed: null }]) {
      isLeftOut('previewReporting', more);
    }
    for (const more of [{ operationId: 5 }, { operation: 'x' }, { replayed: 'yes' }]) {
      isLeftOut('cleanUp', more);
    }
  });

  it('uses ids for missing names', () => {
    assert.equal(read('cleanUp', { serverName: 5 })?.['serverName'], uuid(2));
    assert.equal(read('sync', { sourceName: null })?.['sourceName'], uuid(2));
    assert.equal(read('sync', { environmentName: null })?.['environmentName'], uuid(3));
  });

  it('reads at most fifty deployments', () => {
    const deployments = Array.from({ length: 60 }, (_, index) => ({ id: uuid(index) }));
    assert.lengthOf(read('sync', { deployments })?.['deployments'] as unknown[], 50);
    assert.deepEqual(read('sync', { deployments: 'x' })?.['deployments'], []);
  });

  it('reads a conflict of an earlier version as an unknown outcome', () => {
    const problem = { kind: 'http', status: 409, message: 'm' };
    const conflict = { kind: 'conflict', problem };
    assert.deepEqual(kinds.read({ ...samples.sync, progress: conflict })?.progress, {
      kind: 'unknown',
      why: 'noAnswer',
      problem,
    });
    const progressOf = (progress: object): object | undefined =>
      kinds.read({ ...samples.sync, progress })?.progress;
    assert.deepEqual(progressOf({ kind: 'left', why: 'bored' }), { kind: 'left', why: 'stopped' });
    assert.deepEqual(progressOf({ kind: 'left', why: 'toString' }), {
      kind: 'left',
      why: 'stopped',
    });
    assert.deepEqual(progressOf({ kind: 'unknown', why: 'who knows' }), {
      kind: 'unknown',
      why: 'interrupted',
    });
    const nothing = { kind: 'refused', problem: { kind: 'other', message: '' } };
    assert.deepEqual(progressOf({ kind: 'refused' }), nothing);
    const strange = progressOf({ kind: 'refused', problem: { kind: 1, status: 'x', code: 2 } });
    assert.deepEqual(JSON.parse(JSON.stringify(strange)), nothing);
  });
});

describe('grantedPermission', () => {
  function entry(progress: ActionProgress): PreviewReportingEntry {
    return { id: uuid(1), connection, at: 0, kind: 'previewReporting', progress };
  }
  const sending = entry({ kind: 'sending' });
  const refused = (status: number): ActionProgress => ({
    kind: 'refused',
    problem: { kind: 'http', status, message: '' },
  });

  it('says whether the key has the permission when the response arrives', () => {
    for (const [progress, expected] of [
      [refused(403), false],
      [{ kind: 'over' }, true],
      [{ kind: 'following' }, true],
      [{ kind: 'left', why: 'noPolling' }, true],
      [refused(400), undefined],
      [refused(401), undefined],
      [{ kind: 'unknown', why: 'noAnswer' }, undefined],
      [{ kind: 'sending' }, undefined],
    ] as const) {
      const learnt = grantedPermission({ entry: entry(progress), previous: sending });
      assert.equal(learnt, expected, JSON.stringify(progress));
    }
  });

  it('is undefined for new and removed entries, and after the response', () => {
    const following = entry({ kind: 'following' });
    const over = entry({ kind: 'over' });
    assert.isUndefined(grantedPermission({ entry: over, previous: following }));
    assert.isUndefined(grantedPermission({ entry: sending, previous: undefined }));
    assert.isUndefined(grantedPermission({ entry: undefined, previous: sending }));
  });
});
