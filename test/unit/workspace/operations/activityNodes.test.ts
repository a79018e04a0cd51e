import { assert } from 'chai';
import * as fc from 'fast-check';
import type { Operation } from '../../../../src/api/types';
import { activityNodes } from '../../../../src/workspace/operations/activityNodes';
import { cleanupText } from '../../../../src/api/cleanupBody';
import type {
  CleanUpEntry,
  Entry,
  PreviewReportingEntry,
  Progress,
  SyncEntry,
} from '../../../../src/workspace/operations/entries';
import { readEntry } from '../../../../src/workspace/operations/readEntry';
import { detailText, scene, treeText, uuid } from '../treeText';
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

function cleanUp(progress: Progress, operation?: Operation, items = ['old-api']): CleanUpEntry {
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

const row = (entry: Entry): string => treeText(activityNodes(context, [entry]));
const tokens = (entry: Entry): string => activityNodes(context, [entry])[0]!.contextValue;

describe('rows of the activity', () => {
  it('say how far a clean-up is', () => {
    const title = 'Clean up old-api on fra-app-1';
    const following: Progress = { kind: 'following' };
    const over: Progress = { kind: 'over' };
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

  it('count many items, and name all of them in the tooltip', () => {
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded' }, ['a', 'b', 'c']);
    const [node] = activityNodes(context, [entry]);
    assert.equal(node!.label, 'Clean up 3 items on fra-app-1');
    assert.include(detailText(node!), 'Items: a, b, c');
  });

  it('say what took how long, by the clock of the server', () => {
    const times = { startedAt: '2026-11-20T11:59:00Z', finishedAt: '2026-11-20T11:59:42Z' };
    const entry = cleanUp({ kind: 'over' }, { state: 'succeeded', ...times });
    assert.match(row(entry), /took 42\s?s/);
  });

  it('list what was deployed since a sync', () => {
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

  it('count what preview reporting did', () => {
    const entry: PreviewReportingEntry = {
      ...base,
      kind: 'previewReporting',
      progress: { kind: 'over' },
      attempted: 3,
      succeeded: 2,
      failed: 1,
    };
    assert.include(
      row(entry),
      '[warning] Retry preview reporting — 3 attempted · 2 succeeded · 1 failed',
    );
  });

  it('offer what can be done', () => {
    assert.match(tokens(cleanUp({ kind: 'sending' })), /\brunning\b/);
    assert.notMatch(tokens(cleanUp({ kind: 'sending' })), /\bcanRemove\b|\bcanSendAgain\b/);
    assert.match(tokens(cleanUp({ kind: 'unknown', why: 'noAnswer' })), /\bcanSendAgain\b/);
    assert.notMatch(tokens(cleanUp({ kind: 'refused', problem })), /\bcanSendAgain\b/);
    assert.notMatch(
      tokens(sync({ progress: { kind: 'unknown', why: 'noAnswer' } })),
      /canSendAgain/,
    );
    assert.match(tokens(cleanUp({ kind: 'left', why: 'stopped' }, {})), /\bcanWatch\b/);
  });
});

describe('an entry that is read again', () => {
  it('is what was written', () => {
    for (const entry of [
      cleanUp({ kind: 'left', why: 'lost', problem }, { state: 'running', result: { logs: 'x' } }),
      cleanUp({ kind: 'unknown', why: 'noAnswer', problem }),
      sync({ before: { [uuid(9)]: 7, [uuid(10)]: null }, sync: { a: [1] }, endedAt: 9 }),
    ]) {
      assert.deepEqual(readEntry(JSON.parse(JSON.stringify(entry))), entry);
    }
  });

  it('is none, or one that can be shown, whatever a file says', () => {
    const whole = JSON.parse(JSON.stringify(sync({ before: {} }))) as object;
    const names = [...Object.keys(whole), 'items', 'operation', 'idempotencyKey', 'body'];
    const garbage = fc.anything({ withNullPrototype: true });
    fc.assert(
      fc.property(fc.constantFrom(...names), garbage, (name, value) => {
        const entry = readEntry({ ...whole, [name]: value });
        if (entry !== undefined) activityNodes(context, [entry]).forEach(detailText);
      }),
    );
    fc.assert(fc.property(garbage, (value) => void readEntry(value)));
  });

  it('is small, whatever the server sent', () => {
    const logs = 'x'.repeat(1_000_000);
    const text = 'y'.repeat(3000);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, text]));
    const entry = readEntry(cleanUp({ kind: 'over' }, { result: { logs }, request: many }));
    assert.isBelow(JSON.stringify(entry).length, 700_000);
  });
});
