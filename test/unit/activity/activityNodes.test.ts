import { assert } from 'chai';
import * as fc from 'fast-check';
import type {
  ActionProgress,
  ActivityEntry,
  UnwatchedReason,
} from '../../../src/activity/activityEntry';
import type { CleanUpEntry } from '../../../src/actions/kinds/cleanUp';
import type { PreviewReportingEntry } from '../../../src/actions/kinds/previewReporting';
import type { SyncEntry } from '../../../src/actions/kinds/sync';
import { activityNodes } from '../../../src/activity/activityNodes';
import { mayBeForgotten } from '../../../src/actions/kinds/cleanUp';
import { cleanupText } from '../../../src/api/validateRequest';
import type { Operation } from '../../../src/api/types';
import { uiPattern, type UiText, uiText } from '../../host/texts';
import { shortOrLong } from '../long';
import { anyAnswer, assertWhole } from '../trees/anyAnswer';
import { detailText, read, scene, treeText, uuid } from '../trees/treeText';
import { connection, kinds } from './windows';

const { context, clock } = scene({});
const title = uiText('Clean up {0} on {1}', 'old-api', 'fra-app-1');
const refused = uiText('refused');
const unknownOutcome = uiText('outcome unknown');
const waiting = uiText('accepted, waiting for deployments');
const lost = uiText('outcome unknown: the control plane does not know the operation');
const expired = uiText('expired: the control plane has removed the operation');
const tooLate = uiText('still running after 30 minutes; no longer watched');
const detail = (label: UiText, value: string | number): string => `${uiText(label)}: ${value}`;
const base = { id: uuid(1), connection, at: clock.now() - 60_000 };
const problem = {
  kind: 'http',
  status: 403,
  code: 'forbidden',
  message: 'Not allowed: [x](command:go)',
  requestId: 'r-1',
};

function cleanUp(
  progress: ActionProgress,
  operation?: Operation,
  items = ['old-api'],
): CleanUpEntry {
  return {
    ...base,
    kind: 'cleanUp',
    progress,
    serverId: uuid(2),
    serverName: 'fra-app-1',
    items,
    idempotencyKey: uuid(3),
    body: cleanupText(items),
    ...(operation === undefined ? {} : { operation, operationId: uuid(4) }),
  };
}

function sync(members: Partial<SyncEntry>): SyncEntry {
  return {
    ...base,
    kind: 'sync',
    progress: { kind: 'following' },
    sourceId: uuid(5),
    sourceName: 'shop-web',
    environmentId: uuid(6),
    environmentName: 'production',
    sentAt: base.at,
    before: {},
    deployments: [],
    ...members,
  };
}

const row = (entry: ActivityEntry): string => treeText(activityNodes(context, kinds, [entry]));
const tokens = (entry: ActivityEntry): string =>
  activityNodes(context, kinds, [entry])[0]!.contextValue;

describe('activityNodes', () => {
  it('show the progress of a clean-up', () => {
    const following: ActionProgress = { kind: 'following' };
    const over: ActionProgress = { kind: 'over' };
    for (const [entry, expected] of [
      [cleanUp({ kind: 'sending' }), `[cloud-upload] ${title} — ${uiText('sending')}`],
      [
        cleanUp(following, { state: 'running', phase: 'removing', requestedBy: 'ada' }),
        `[sync~spin] ${title} — running · removing · ${uiText('by {0}', 'ada')}`,
      ],
      [
        cleanUp(following, { state: 'running', cancelRequestedAt: '2026-11-20T12:00:00Z' }),
        `[sync~spin] ${title} — running · ${uiText('cancel requested')}`,
      ],
      [
        cleanUp(following, { state: 'defragmenting' }),
        `[circle-large-outline] ${title} — ${uiText('in state {0}', 'defragmenting')}`,
      ],
      [cleanUp(following, {}), `[circle-large-outline] ${title}`],
      [
        cleanUp(over, {
          state: 'failed',
          errorCode: 'item_in_use',
          errorMessage: 'old-api is in use.',
        }),
        `[error] ${title} — failed · old-api is in use.`,
      ],
      [
        cleanUp(over, { state: 'running', deletedAt: '2026-11-20T12:00:00Z' }),
        `[trash] ${title} — running · ${uiText('deleted')}`,
      ],
      [
        cleanUp(over, { state: 'running', finishedAt: '2026-11-20T12:00:00Z' }),
        `[circle-large-outline] ${title} — running`,
      ],
      [
        cleanUp({ kind: 'refused', problem }),
        `[error] ${title} — ${refused} · Not allowed: [x](command:go)`,
      ],
      [cleanUp({ kind: 'unknown', why: 'noAnswer' }), `[question] ${title} — ${unknownOutcome}`],
      [
        cleanUp({ kind: 'left', why: 'expired' }, { state: 'running' }),
        `[question] ${title} — ${expired} · running`,
      ],
    ] as const) {
      assert.include(row(entry), expected);
    }
  });

  it('say a state once', () => {
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded', phase: 'done' });
    const [node] = activityNodes(context, kinds, [entry]);
    assert.include(row(entry), `${title} — succeeded · 1 min. ago`);
    const tooltip = `${node!.sentence()}\n${detailText(node!)}`;
    assert.lengthOf(tooltip.match(/succeeded/g) ?? [], 1, tooltip);
    assert.notInclude(tooltip, 'done');
    const failed = cleanUp({ kind: 'over' }, { state: 'failed', phase: 'removing' });
    assert.include(row(failed), 'failed · removing');
  });

  it('show the number of items, and all of them in the tooltip', () => {
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded' }, ['a', 'b', 'c']);
    const [node] = activityNodes(context, kinds, [entry]);
    assert.equal(node!.label, uiText('Clean up {0} items on {1}', 3, 'fra-app-1'));
    assert.include(detailText(node!), detail('Items', 'a, b, c'));
  });

  it('show the duration by the clock of the server', () => {
    const times = { startedAt: '2026-11-20T11:59:00Z', finishedAt: '2026-11-20T11:59:42Z' };
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded', ...times });
    assert.match(row(entry), uiPattern('took {0}', /42\s?s/));
  });

  it('take an operation with empty error texts for one without an error', () => {
    const entry = kinds.read({
      ...cleanUp({ kind: 'over' }),
      operation: { state: 'succeeded', errorCode: '', errorMessage: '', requestedBy: '' },
    })!;
    assert.equal(row(entry), `[pass-filled] ${title} — succeeded · 1 min. ago`);
    const failed = { state: 'failed', errorCode: 'DISK_FULL', errorMessage: '' };
    const other = kinds.read({ ...cleanUp({ kind: 'over' }), operation: failed })!;
    assert.include(row(other), 'failed · DISK_FULL');
  });

  it('list the deployments since a sync', () => {
    const deployments = [
      { id: uuid(10), state: 'failed', createdAt: '2026-11-20T12:00:00Z' },
      { id: uuid(11), state: 'succeeded', createdAt: '2026-11-20T12:00:00Z' },
    ];
    const text = row(sync({ progress: { kind: 'over' }, deployments }));
    const label = uiText('Sync {0} of {1}', 'production', 'shop-web');
    assert.include(text, `[error] ${label} — succeeded: 1/2, failed: 1`);
    assert.lengthOf(
      text.split('\n').filter((line) => line.startsWith('  [')),
      2,
    );
    assert.include(row(sync({})), waiting);
  });

  it('show why the watching of a clean-up ended, with an icon', () => {
    const left = (why: UnwatchedReason): string =>
      row(cleanUp({ kind: 'left', why }, { state: 'running' })).split(' · ')[0] ?? '';
    for (const [why, expected] of [
      ['stopped', `[eye-closed] ${title} — ${uiText('no longer watched')}`],
      ['noPolling', `[eye-closed] ${title} — ${uiText('accepted; progress cannot be watched')}`],
      ['nothing', `[eye-closed] ${title} — ${uiText('accepted, nothing was deployed')}`],
      ['lost', `[question] ${title} — ${lost}`],
      ['expired', `[question] ${title} — ${expired}`],
      ['deadline', `[warning] ${title} — ${tooLate}`],
      ['failed', `[warning] ${title} — ${uiText('accepted, watching failed')}`],
    ] as const) {
      assert.equal(left(why), expected);
    }
    const noPolling = sync({ progress: { kind: 'left', why: 'noPolling' } });
    assert.include(row(noPolling), uiText('accepted; deployments cannot be watched'));
  });

  it('show requests that were not sent, and errors of the server', () => {
    const rowOf = (kind: string, message = ''): string =>
      row(cleanUp({ kind: 'refused', problem: { kind, message, code: 'some_code' } }));
    assert.include(
      rowOf('cancelled'),
      `[circle-slash] ${title} — ${uiText('cancelled, nothing was sent')}`,
    );
    assert.include(rowOf('invalid'), `[error] ${title} — ${uiText('not sent')} · some_code`);
    assert.include(rowOf('http', 'No.'), `— ${refused} · No.`);
    const over = (operation: Operation, replayed?: boolean): string =>
      row({
        ...cleanUp({ kind: 'over' }, operation),
        ...(replayed === undefined ? {} : { replayed }),
      });
    assert.include(over({ state: 'succeeded' }, true), `succeeded · ${uiText('replayed')}`);
    assert.notInclude(over({ state: 'succeeded' }, false), uiText('replayed'));
    assert.include(over({ state: 'succeeded', errorCode: 'late' }), '[warning]');
    assert.include(over({ state: 'failed', errorCode: 'late' }), '[error]');
    assert.notInclude(over({ state: 'done', phase: 'done' }), 'done · done');
    assert.match(
      row({ ...cleanUp({ kind: 'over' }, { state: 'done' }), endedAt: base.at + 42_000 }),
      uiPattern('took {0}', /42/),
    );
    assert.notMatch(
      row({ ...cleanUp({ kind: 'following' }, {}), endedAt: base.at + 42_000 }),
      uiPattern('took {0}'),
    );
  });

  it('show the counts of preview reporting', () => {
    const entry: PreviewReportingEntry = {
      ...base,
      kind: 'previewReporting',
      progress: { kind: 'over' },
      attempted: 3,
      succeeded: 2,
      failed: 1,
    };
    const retry = uiText('Retry preview reporting');
    const counts = [
      uiText('{0} attempted', 3),
      uiText('{0} succeeded', 2),
      uiText('{0} failed', 1),
    ].join(' · ');
    assert.include(row(entry), `[warning] ${retry} — ${counts}`);
    const details = detailText(activityNodes(context, kinds, [entry])[0]!);
    for (const line of [detail('Attempted', 3), detail('Succeeded', 2), detail('Failed', 1)]) {
      assert.include(details, line);
    }
    const { attempted: _, succeeded: __, failed: ___, ...none } = entry;
    assert.isTrue(row(none).startsWith(`[pass-filled] ${retry} — 1 min`), row(none));
    const good: PreviewReportingEntry = { ...entry, failed: 0 };
    assert.include(row(good), '[pass-filled]');
    assert.include(
      row({ ...none, progress: { kind: 'sending' } }),
      `[cloud-upload] ${retry} — ${uiText('sending')}`,
    );
  });

  it('show all details in the tooltip', () => {
    const details = (entry: ActivityEntry): string =>
      detailText(activityNodes(context, kinds, [entry])[0]!);
    const failed: ActionProgress = { kind: 'refused', problem };
    const operation = { state: 'running', result: { logs: 'not here', kept: 7 } };
    const sent = { ...cleanUp(failed, operation), replayed: false };
    const cleaned = details(sent);
    for (const line of [
      detail('Connection', 'shop'),
      detail('Progress', `${refused} · running`),
      detail('Server', `fra-app-1 (${uuid(2)})`),
      detail('Items', 'old-api'),
      detail('Idempotency key', uuid(3)),
      detail('Replayed', uiText('no')),
      detail('Code', 'forbidden'),
      detail('Status', 403),
      detail('Request ID', 'r-1'),
    ]) {
      assert.include(cleaned, line);
    }
    assert.notInclude(cleaned, 'not here');
    assert.include(cleaned, '7');
    assert.notInclude(details(cleanUp({ kind: 'sending' })), uiText('Replayed'));
    const synced = details(sync({ sync: { commit: 'abc' } }));
    for (const line of [
      detail('Source', `shop-web (${uuid(5)})`),
      detail('Environment', `production (${uuid(6)})`),
      'abc',
      detail('Deployments since', 0),
    ]) {
      assert.include(synced, line);
    }
    assert.notInclude(details(sync({})), 'Sync');
  });

  it('have a target with the ids that commands need', () => {
    const [cleaned, synced] = activityNodes(context, kinds, [
      cleanUp({ kind: 'over' }, { state: 'succeeded' }),
      sync({}),
    ]).map(({ target }) => target);
    assert.include(cleaned, { key: uuid(1), id: uuid(4), serverId: uuid(2) });
    assert.include(synced, { sourceId: uuid(5), environmentId: uuid(6) });
    assert.notProperty(synced, 'id');
  });

  it('say after a day that the server may not know the key any more', () => {
    const day = 24 * 60 * 60_000;
    const entry = cleanUp({ kind: 'unknown', why: 'noAnswer' });
    assert.isFalse(mayBeForgotten(entry, entry.at));
    assert.isFalse(mayBeForgotten(entry, entry.at + day));
    assert.isTrue(mayBeForgotten(entry, entry.at + day + 1));
    assert.isTrue(mayBeForgotten(entry, entry.at - 1), 'the clock was set back');
  });

  it('have a token for each command that can run', () => {
    assert.match(tokens(cleanUp({ kind: 'sending' })), /\brunning\b/);
    assert.notMatch(tokens(cleanUp({ kind: 'sending' })), /\bcanRemove\b|\bcanSendAgain\b/);
    assert.match(tokens(cleanUp({ kind: 'unknown', why: 'noAnswer' })), /\bcanSendAgain\b/);
    assert.notMatch(tokens(cleanUp({ kind: 'refused', problem })), /\bcanSendAgain\b/);
    assert.notMatch(
      tokens(sync({ progress: { kind: 'unknown', why: 'noAnswer' } })),
      /canSendAgain/,
    );
    assert.match(tokens(cleanUp({ kind: 'left', why: 'stopped' }, {})), /\bcanWatch\b/);
    const offered = (entry: ActivityEntry): string[] =>
      ['running', 'canWatch', 'canSendAgain', 'hasResult', 'hasEnvironment', 'canRemove'].filter(
        (token) => tokens(entry).split(/\W+/).includes(token),
      );
    assert.deepEqual(offered(cleanUp({ kind: 'sending' })), ['running']);
    assert.deepEqual(offered(cleanUp({ kind: 'following' })), ['running', 'hasResult']);
    assert.deepEqual(offered(cleanUp({ kind: 'over' })), ['hasResult', 'canRemove']);
    assert.deepEqual(offered(sync({})), ['running', 'hasResult', 'hasEnvironment']);
    assert.deepEqual(offered(sync({ before: {}, progress: { kind: 'left', why: 'nothing' } })), [
      'canWatch',
      'hasResult',
      'hasEnvironment',
      'canRemove',
    ]);
  });

  it('have an icon, a colour and a rank for each progress', () => {
    const look = (entry: ActivityEntry): string => {
      const { icon, color, rank, states } = activityNodes(context, kinds, [entry])[0]!.status;
      return [icon, color, rank, states.join('+')].join(' ');
    };
    const over: ActionProgress = { kind: 'over' };
    const deletedAt = '2026-11-20T12:00:00Z';
    const reporting = (failed?: number): PreviewReportingEntry => ({
      ...{ ...base, kind: 'previewReporting', progress: over },
      ...(failed === undefined ? {} : { failed }),
    });
    const deployed = (state: string): SyncEntry =>
      sync({ deployments: [{ id: uuid(10), state, createdAt: '2026-11-20T12:00:00Z' }] });
    for (const [entry, expected] of [
      [cleanUp({ kind: 'sending' }), `cloud-upload charts.blue 2 ${uiText('sending')}`],
      [cleanUp({ kind: 'refused', problem }), `error testing.iconFailed 4 ${refused}`],
      [
        cleanUp({ kind: 'refused', problem: { kind: 'cancelled', message: '' } }),
        `circle-slash disabledForeground 0 ${uiText('cancelled, nothing was sent')}`,
      ],
      [
        cleanUp({ kind: 'unknown', why: 'noAnswer' }),
        `question list.warningForeground 3 ${unknownOutcome}`,
      ],
      [cleanUp({ kind: 'left', why: 'lost' }), `question list.warningForeground 3 ${lost}`],
      [cleanUp({ kind: 'left', why: 'deadline' }), `warning list.warningForeground 3 ${tooLate}`],
      [
        cleanUp({ kind: 'left', why: 'stopped' }, { state: 'running' }),
        'eye-closed disabledForeground 0 running',
      ],
      [cleanUp(over, { state: 'running' }), 'circle-large-outline disabledForeground 0 running'],
      [cleanUp(over, { state: 'running', deletedAt }), 'trash disabledForeground 0 running'],
      [cleanUp(over, { state: 'odd', deletedAt }), 'trash disabledForeground 0 odd'],
      [cleanUp(over, { state: 'failed', deletedAt }), 'error testing.iconFailed 4 failed'],
      [
        cleanUp(over, { state: 'succeeded', errorMessage: 'late' }),
        'warning list.warningForeground 3 succeeded',
      ],
      [
        cleanUp(over, { state: 'expired', errorCode: 'x' }),
        'history list.warningForeground 3 expired',
      ],
      [sync({}), `sync~spin charts.blue 2 ${waiting}`],
      [deployed('succeeded'), 'pass-filled testing.iconPassed 1 succeeded'],
      [deployed('failed'), 'error testing.iconFailed 4 failed'],
      [reporting(1), `warning list.warningForeground 3 ${uiText('{0} failed', 1)}`],
      [reporting(0), `pass-filled testing.iconPassed 1 ${uiText('{0} failed', 0)}`],
      [reporting(), 'pass-filled testing.iconPassed 1 '],
    ] as const) {
      assert.equal(look(entry), expected);
    }
  });

  it('show only details that exist, each once', () => {
    const details = (entry: ActivityEntry): string[] =>
      detailText(activityNodes(context, kinds, [entry])[0]!).split('\n');
    const entry = cleanUp({ kind: 'over' }, { state: 'done', serverId: uuid(2) });
    assert.lengthOf(
      details(entry).filter((line) => line.includes(uuid(2))),
      1,
      'the server is named once',
    );
    const elsewhere = cleanUp({ kind: 'over' }, { state: 'done', serverId: uuid(8) });
    assert.lengthOf(
      details(elsewhere).filter((line) => line.includes(uuid(8))),
      1,
      'another server is shown',
    );
    const repeated = { ...entry, replayed: true };
    assert.include(details(repeated), detail('Replayed', uiText('yes')));
    for (const label of ['Error', 'Code', 'Status', 'Request ID'] as const) {
      assert.isFalse(
        details(entry).some((line) => line.startsWith(uiText(label))),
        label,
      );
    }
    const [node] = activityNodes(context, kinds, [cleanUp({ kind: 'sending' })]);
    assert.deepEqual(node!.target, {
      key: uuid(1),
      name: title,
      serverId: uuid(2),
    });
    assert.equal(node!.id, `activity ${uuid(1)}`);
    assert.equal(node!.kind, 'activity');
    assert.equal(node!.time(), base.at);
    assert.isEmpty(node!.children());
    const synced = sync({});
    assert.deepEqual(activityNodes(context, kinds, [synced])[0]!.record, synced);
    assert.isUndefined(node!.record);
    const later = { ...cleanUp({ kind: 'sending' }), at: clock.now() + 60_000 };
    assert.notInclude(row(later), 'in ', 'the clock of another window may be ahead');
  });
});

describe('The kinds and activityNodes', () => {
  it('read what was written', () => {
    for (const entry of [
      cleanUp({ kind: 'left', why: 'lost', problem }, { state: 'running', result: { logs: 'x' } }),
      cleanUp({ kind: 'unknown', why: 'noAnswer', problem }),
      sync({ before: { [uuid(9)]: 7 }, sync: { a: [1] }, endedAt: 9 }),
    ]) {
      assert.deepEqual(kinds.read(JSON.parse(JSON.stringify(entry))), entry);
    }
  });

  it('show any entry that can be read from any file', () => {
    const whole = JSON.parse(JSON.stringify(sync({ before: {} }))) as object;
    const names = [...Object.keys(whole), 'items', 'operation', 'idempotencyKey', 'body'];
    const garbage = fc.anything({ withNullPrototype: true });
    fc.assert(
      fc.property(fc.constantFrom(...names), garbage, (name, value) => {
        const entry = kinds.read({ ...whole, [name]: value });
        if (entry !== undefined) activityNodes(context, kinds, [entry]).forEach(detailText);
      }),
    );
    fc.assert(fc.property(garbage, (value) => void kinds.read(value)));
  });

  it('make whole texts of operations and deployments of all kinds', () => {
    const steps = ['preparing', 'sending', 'following', 'over', 'refused', 'unknown', 'left'];
    const progress = fc.record({
      kind: fc.constantFrom(...steps),
      why: fc.constantFrom('noAnswer', 'stopped', 'deadline', 'nothing'),
      problem: fc.constant({ kind: 'http', message: 'no', status: 500 }),
    });
    const ended = fc.record({ endedAt: fc.constantFrom(0, base.at - 9, base.at + 9, 8.64e15) });
    const operation = fc.record({ operation: anyAnswer('Operation'), replayed: fc.boolean() });
    const counts = fc.constantFrom(undefined, 0, -0, 3, 1e308, Infinity, NaN);
    const reporting = fc.record({ attempted: counts, succeeded: counts, failed: counts });
    const state = fc.constantFrom('waiting', 'deploying', 'live', 'failed', 'ended', 'overtaken');
    fc.assert(
      fc.property(
        ...([
          progress,
          ended,
          operation,
          reporting,
          anyAnswer('DeploymentListing'),
          state,
        ] as const),
        (progress, { endedAt }, cleaned, counts, listing, state) => {
          const { deployments = [] } = read('DeploymentListing', listing);
          const app = { resourceId: uuid(7), name: 'web', isOptional: false, state };
          const apps = deployments.map((deployment) => ({ ...app, deployment }));
          const environments = [{ name: 'production', isPreview: false, apps }];
          const of = { sourceId: uuid(5), sourceName: 'shop', repository: 'r', branch: 'main' };
          const commit = { sha: 'a'.repeat(40), pushedAt: base.at };
          for (const entry of [
            { ...cleanUp({ kind: 'over' }), ...cleaned },
            sync({ deployments }),
            { ...base, kind: 'previewReporting', ...counts },
            { ...base, kind: 'push', ...of, ...commit, environments },
          ]) {
            const saved = kinds.read({ ...entry, progress, endedAt });
            if (saved !== undefined) assertWhole(activityNodes(context, kinds, [saved]));
          }
        },
      ),
      { numRuns: shortOrLong(100, 3000) },
    );
  });

  it('limit the size of an entry for any response', () => {
    const logs = 'x'.repeat(1_000_000);
    const text = 'y'.repeat(3000);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, text]));
    const entry = kinds.read(cleanUp({ kind: 'over' }, { result: { logs }, request: many }));
    assert.isBelow(JSON.stringify(entry).length, 700_000);
  });
});
