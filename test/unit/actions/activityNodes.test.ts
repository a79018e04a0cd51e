import { assert } from 'chai';
import * as fc from 'fast-check';
import type {
  ActionProgress,
  ActivityEntry,
  CleanUpEntry,
  UnwatchedReason,
  PreviewReportingEntry,
  SyncEntry,
} from '../../../src/actions/activityEntry';
import { activityNodes } from '../../../src/actions/activityNodes';
import { readActivityEntry } from '../../../src/actions/activityStorage';
import { mayBeForgotten } from '../../../src/actions/resumePolicy';
import { cleanupText } from '../../../src/api/cleanupBody';
import type { Operation } from '../../../src/api/types';
import { detailText, scene, treeText, uuid } from '../inventory/treeText';
import { connection } from './windows';

const { context, clock } = scene({});
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
    deployments: [],
    ...members,
  };
}

const row = (entry: ActivityEntry): string => treeText(activityNodes(context, [entry]));
const tokens = (entry: ActivityEntry): string => activityNodes(context, [entry])[0]!.contextValue;

describe('activityNodes', () => {
  it('show the progress of a clean-up', () => {
    const title = 'Clean up old-api on fra-app-1';
    const following: ActionProgress = { kind: 'following' };
    const over: ActionProgress = { kind: 'over' };
    for (const [entry, expected] of [
      [cleanUp({ kind: 'sending' }), `[cloud-upload] ${title} — sending`],
      [
        cleanUp(following, { state: 'running', phase: 'removing', requestedBy: 'ada' }),
        `[sync~spin] ${title} — running · removing · by ada`,
      ],
      [
        cleanUp(following, { state: 'running', cancelRequestedAt: '2026-11-20T12:00:00Z' }),
        `[sync~spin] ${title} — running · cancel requested`,
      ],
      [
        cleanUp(following, { state: 'defragmenting' }),
        `[circle-large-outline] ${title} — defragmenting`,
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
        `[trash] ${title} — running · deleted`,
      ],
      [
        cleanUp(over, { state: 'running', finishedAt: '2026-11-20T12:00:00Z' }),
        `[circle-large-outline] ${title} — running`,
      ],
      [
        cleanUp({ kind: 'refused', problem }),
        `[error] ${title} — refused · Not allowed: [x](command:go)`,
      ],
      [cleanUp({ kind: 'unknown', why: 'noAnswer' }), `[question] ${title} — outcome unknown`],
      [
        cleanUp({ kind: 'left', why: 'expired' }, { state: 'running' }),
        `[question] ${title} — expired: the control plane has removed the operation · running`,
      ],
    ] as const) {
      assert.include(row(entry), expected);
    }
  });

  it('show the number of items, and all of them in the tooltip', () => {
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded' }, ['a', 'b', 'c']);
    const [node] = activityNodes(context, [entry]);
    assert.equal(node!.label, 'Clean up 3 items on fra-app-1');
    assert.include(detailText(node!), 'Items: a, b, c');
  });

  it('show the duration by the clock of the server', () => {
    const times = { startedAt: '2026-11-20T11:59:00Z', finishedAt: '2026-11-20T11:59:42Z' };
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded', ...times });
    assert.match(row(entry), /took 42\s?s/);
  });

  it('list the deployments since a sync', () => {
    const deployments = [
      { id: uuid(10), state: 'failed', createdAt: '2026-11-20T12:00:00Z' },
      { id: uuid(11), state: 'succeeded', createdAt: '2026-11-20T12:00:00Z' },
    ];
    const text = row(sync({ progress: { kind: 'over' }, deployments }));
    assert.include(text, '[error] Sync production of shop-web — 1 of 2 succeeded, 1 failed');
    assert.lengthOf(
      text.split('\n').filter((line) => line.startsWith('  [')),
      2,
    );
    assert.include(row(sync({})), 'accepted, waiting for deployments');
  });

  it('show why a clean-up is no longer watched, with an icon', () => {
    const title = 'Clean up old-api on fra-app-1';
    const left = (why: UnwatchedReason): string =>
      row(cleanUp({ kind: 'left', why }, { state: 'running' })).split(' · ')[0] ?? '';
    for (const [why, expected] of [
      ['stopped', `[eye-closed] ${title} — no longer watched`],
      ['noPolling', `[eye-closed] ${title} — accepted; progress cannot be watched`],
      ['nothing', `[eye-closed] ${title} — accepted, nothing was deployed`],
      [
        'lost',
        `[question] ${title} — outcome unknown: the control plane does not know the operation`,
      ],
      ['expired', `[question] ${title} — expired: the control plane has removed the operation`],
      ['deadline', `[warning] ${title} — still running after 30 minutes; no longer watched`],
      ['failed', `[warning] ${title} — accepted, watching failed`],
    ] as const) {
      assert.equal(left(why), expected);
    }
    const noPolling = sync({ progress: { kind: 'left', why: 'noPolling' } });
    assert.include(row(noPolling), 'accepted; deployments cannot be watched');
  });

  it('show requests that were not sent, and errors of the server', () => {
    const refused = (kind: string, message = ''): string =>
      row(cleanUp({ kind: 'refused', problem: { kind, message, code: 'some_code' } }));
    assert.include(
      refused('cancelled'),
      '[circle-slash] Clean up old-api on fra-app-1 — cancelled,',
    );
    assert.include(
      refused('invalid'),
      '[error] Clean up old-api on fra-app-1 — not sent · some_code',
    );
    assert.include(refused('http', 'No.'), '— refused · No.');
    const over = (operation: Operation, replayed?: boolean): string =>
      row({
        ...cleanUp({ kind: 'over' }, operation),
        ...(replayed === undefined ? {} : { replayed }),
      });
    assert.include(over({ state: 'succeeded' }, true), 'succeeded · replayed');
    assert.notInclude(over({ state: 'succeeded' }, false), 'replayed');
    assert.include(over({ state: 'succeeded', errorCode: 'late' }), '[warning]');
    assert.include(over({ state: 'failed', errorCode: 'late' }), '[error]');
    assert.notInclude(over({ state: 'done', phase: 'done' }), 'done · done');
    assert.include(row({ ...cleanUp({ kind: 'over' }, {}), endedAt: base.at + 42_000 }), 'took 42');
    assert.notInclude(
      row({ ...cleanUp({ kind: 'following' }, {}), endedAt: base.at + 42_000 }),
      'took',
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
    const title = 'Retry preview reporting';
    assert.include(row(entry), `[warning] ${title} — 3 attempted · 2 succeeded · 1 failed`);
    const details = detailText(activityNodes(context, [entry])[0]!);
    for (const line of ['Attempted: 3', 'Succeeded: 2', 'Failed: 1']) assert.include(details, line);
    const { attempted: _, succeeded: __, failed: ___, ...none } = entry;
    assert.match(row(none), /^\[pass-filled\] Retry preview reporting — \D*1 min/);
    assert.include(row({ ...entry, failed: 0 }), '[pass-filled]');
    assert.include(
      row({ ...none, progress: { kind: 'sending' } }),
      `[cloud-upload] ${title} — sending`,
    );
  });

  it('show all details in the tooltip', () => {
    const details = (entry: ActivityEntry): string =>
      detailText(activityNodes(context, [entry])[0]!);
    const failed: ActionProgress = { kind: 'refused', problem };
    const operation = { state: 'running', result: { logs: 'not here', kept: 7 } };
    const cleaned = details({ ...cleanUp(failed, operation), replayed: false });
    for (const line of [
      'Connection: shop',
      'Progress: refused · running',
      `Server: fra-app-1 (${uuid(2)})`,
      'Items: old-api',
      `Idempotency key: ${uuid(3)}`,
      'Replayed: no',
      'Code: forbidden',
      'Status: 403',
      'Request ID: r-1',
    ]) {
      assert.include(cleaned, line);
    }
    assert.notInclude(cleaned, 'not here');
    assert.include(cleaned, '7');
    assert.notInclude(details(cleanUp({ kind: 'sending' })), 'Replayed');
    const synced = details(sync({ sync: { commit: 'abc' } }));
    for (const line of [
      `Source: shop-web (${uuid(5)})`,
      `Environment: production (${uuid(6)})`,
      'abc',
      'Deployments since: 0',
    ]) {
      assert.include(synced, line);
    }
    assert.notInclude(details(sync({})), 'Sync');
  });

  it('have a target with the ids that commands need', () => {
    const [cleaned, synced] = activityNodes(context, [
      cleanUp({ kind: 'over' }, { state: 'succeeded' }),
      sync({}),
    ]).map(({ target }) => target);
    assert.include(cleaned, { activityId: uuid(1), id: uuid(4), serverId: uuid(2) });
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
      const { icon, color, rank, states } = activityNodes(context, [entry])[0]!.status;
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
      [cleanUp({ kind: 'sending' }), 'cloud-upload charts.blue 2 sending'],
      [cleanUp({ kind: 'refused', problem }), 'error testing.iconFailed 4 refused'],
      [
        cleanUp({ kind: 'refused', problem: { kind: 'cancelled', message: '' } }),
        'circle-slash disabledForeground 0 cancelled, nothing was sent',
      ],
      [
        cleanUp({ kind: 'unknown', why: 'noAnswer' }),
        'question list.warningForeground 3 outcome unknown',
      ],
      [
        cleanUp({ kind: 'left', why: 'lost' }),
        'question list.warningForeground 3 outcome unknown: the control plane does not know the operation',
      ],
      [
        cleanUp({ kind: 'left', why: 'deadline' }),
        'warning list.warningForeground 3 still running after 30 minutes; no longer watched',
      ],
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
      [sync({}), 'sync~spin charts.blue 2 accepted, waiting for deployments'],
      [deployed('succeeded'), 'pass-filled testing.iconPassed 1 succeeded'],
      [deployed('failed'), 'error testing.iconFailed 4 failed'],
      [reporting(1), 'warning list.warningForeground 3 1 failed'],
      [reporting(0), 'pass-filled testing.iconPassed 1 0 failed'],
      [reporting(), 'pass-filled testing.iconPassed 1 '],
    ] as const) {
      assert.equal(look(entry), expected);
    }
  });

  it('show only details that exist, each once', () => {
    const details = (entry: ActivityEntry): string[] =>
      detailText(activityNodes(context, [entry])[0]!).split('\n');
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
    assert.include(details({ ...entry, replayed: true }), 'Replayed: yes');
    assert.isFalse(details(entry).some((line) => /^(?:Error|Code|Status|Request ID)/.test(line)));
    const [node] = activityNodes(context, [cleanUp({ kind: 'sending' })]);
    assert.deepEqual(node!.target, {
      activityId: uuid(1),
      name: 'Clean up old-api on fra-app-1',
      serverId: uuid(2),
    });
    assert.equal(node!.id, `activity ${uuid(1)}`);
    assert.equal(node!.kind, 'activity');
    assert.equal(node!.time(), base.at);
    assert.isEmpty(node!.children());
    const synced = sync({});
    assert.deepEqual(activityNodes(context, [synced])[0]!.record, synced);
    assert.isUndefined(node!.record);
    const later = { ...cleanUp({ kind: 'sending' }), at: clock.now() + 60_000 };
    assert.notInclude(row(later), 'in ', 'the clock of another window may be ahead');
  });
});

describe('readActivityEntry and activityNodes', () => {
  it('read what was written', () => {
    for (const entry of [
      cleanUp({ kind: 'left', why: 'lost', problem }, { state: 'running', result: { logs: 'x' } }),
      cleanUp({ kind: 'unknown', why: 'noAnswer', problem }),
      sync({ before: { [uuid(9)]: 7, [uuid(10)]: null }, sync: { a: [1] }, endedAt: 9 }),
    ]) {
      assert.deepEqual(readActivityEntry(JSON.parse(JSON.stringify(entry))), entry);
    }
  });

  it('show any entry that can be read from any file', () => {
    const whole = JSON.parse(JSON.stringify(sync({ before: {} }))) as object;
    const names = [...Object.keys(whole), 'items', 'operation', 'idempotencyKey', 'body'];
    const garbage = fc.anything({ withNullPrototype: true });
    fc.assert(
      fc.property(fc.constantFrom(...names), garbage, (name, value) => {
        const entry = readActivityEntry({ ...whole, [name]: value });
        if (entry !== undefined) activityNodes(context, [entry]).forEach(detailText);
      }),
    );
    fc.assert(fc.property(garbage, (value) => void readActivityEntry(value)));
  });

  it('limit the size of an entry for any response', () => {
    const logs = 'x'.repeat(1_000_000);
    const text = 'y'.repeat(3000);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, text]));
    const entry = readActivityEntry(cleanUp({ kind: 'over' }, { result: { logs }, request: many }));
    assert.isBelow(JSON.stringify(entry).length, 700_000);
  });
});
