import { assert } from 'chai';
import { minute } from '../../../../src/base/clock';
import type { LogRecord } from '../../../../src/api/types';
import type { TreeNode } from '../../../../src/trees/nodes';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import type { ErrorKind } from '../../../../src/logs/errors/errorKind';
import { errorNodes, KindOrder, type ShownErrors } from '../../../../src/logs/errors/errorNodes';
import { hideKinds } from '../../../../src/logs/errors/errorScope';
import type { Suspicion } from '../../../../src/logs/errors/errorSuspects';
import { uiText } from '../../../host/texts';
import { settle } from '../../fakeClock';
import { assertWhole } from '../../trees/anyAnswer';
import { detailText, find, gives, lines, scene, treeText, uuid } from '../../trees/treeText';
import { errorAt, filesAt, keyOfErrors, stackOf, start } from './errorRecords';

/** An error so many minutes before noon. */
function ago(time: number, body: string, changes: Partial<LogRecord> = {}): LogRecord {
  return errorAt(-time * 60, body, changes);
}

async function kindsOf(...records: LogRecord[]): Promise<readonly ErrorKind[]> {
  const groups = new ErrorGroups(settle, filesAt('src/db.ts', 'cart.ts'));
  await groups.add(records);
  return groups.kinds;
}

const nothing: Omit<ShownErrors, 'kinds' | 'hidden'> = {
  muted: [],
  cameBack: new Map(),
  suspicionOf: () => undefined,
  pathOf: (file) => file.replace('file:///shop/', ''),
  lineOf: ({ line }) => line,
};

function rows(kinds: readonly ErrorKind[], shown: Partial<ShownErrors> = {}): readonly TreeNode[] {
  return errorNodes(scene({}).context, {
    kinds: new KindOrder().sorted(kinds, 'newest', true),
    hidden: hideKinds(kinds, shown.muted ?? [], () => []).hidden,
    ...nothing,
    ...shown,
  });
}

describe('rows of errors', () => {
  it('say message, count, workloads and when it was last seen, the newest first', async () => {
    const kinds = await kindsOf(
      ago(9, 'lost 1'),
      ago(8, 'lost 2', { workloadId: 'b', workloadName: 'worker' }),
      ago(1, 'gone'),
    );
    const text = (shown?: Partial<ShownErrors>): string[] =>
      rows(kinds, shown).map(({ label, description = '' }) => `${label} — ${description}`);
    const lost = '2 × lost <n> — web-api, worker · 8 min. ago';
    const gone = '1 × gone — web-api · 1 min. ago';
    assert.deepEqual(text(), [gone, lost]);
    const frequent = new KindOrder().sorted(kinds, 'frequent', true);
    assert.deepEqual(text({ kinds: frequent }), [lost, gone]);
  });

  it('have a name that VS Code cuts at its end, and the line where the code is now', async () => {
    const message = "TypeError: Cannot read properties of undefined (reading 'percent')";
    const kinds = await kindsOf(ago(1, stackOf(message, 'src/db.ts:4')));
    const [row] = rows(kinds, { lineOf: ({ line }) => line + 1 });
    assert.isDefined(row);
    assert.strictEqual(row.label, `1 × ${message.replace("'percent'", '<text>')}`);
    assert.strictEqual(row.description, 'db.ts:5 · web-api · 1 min. ago');
    assert.include(
      row.children().map(({ label }) => label),
      'db.ts:5',
    );
  });

  it('stay in their places while errors arrive, until a refresh', async () => {
    const order = new KindOrder();
    const shown = async (isSettled: boolean, ...records: LogRecord[]): Promise<string[]> =>
      order.sorted(await kindsOf(...records), 'newest', isSettled).map(({ template }) => template);
    const [old, late] = [ago(9, 'old'), ago(5, 'late')];
    assert.deepEqual(await shown(false, old), ['old']);
    assert.deepEqual(await shown(true, old, late), ['late', 'old']);
    assert.deepEqual(await shown(true, old, late, ago(1, 'old')), ['late', 'old'], 'it stays');
    assert.deepEqual(
      await shown(true, old, late, ago(1, 'old'), ago(0, 'new')),
      ['new', 'late', 'old'],
      'a new kind takes its place',
    );
    order.reset();
    assert.deepEqual(await shown(true, late, ago(1, 'old')), ['old', 'late']);
    assert.deepEqual(await shown(true, ago(1, 'old')), ['old']);
    assert.deepEqual(
      await shown(true, ago(1, 'old'), ago(0, 'late')),
      ['late', 'old'],
      'what was gone is new',
    );
  });

  it('show changes as icons with words', async () => {
    const [kind] = await kindsOf(ago(1, 'lost', { severity: 'fatal' }));
    assert.isDefined(kind);
    const status = (change: ErrorKind['change']): string => {
      const [row] = rows([{ ...kind, change }]);
      return `${row?.status.icon}: ${row?.status.words}`;
    };
    assert.deepEqual((['new', 'more', 'gone', undefined] as const).map(status), [
      `diff-added: ${uiText('new since the last deployment')}`,
      `arrow-up: ${uiText('more than before')}`,
      `pass: ${uiText('gone since the last deployment')}`,
      `error: ${uiText('fatal')}`,
    ]);
  });

  it('offer traces only if a search can find them', async () => {
    const [row] = rows(await kindsOf(ago(1, 'lost', { traceId: 'x severity:info' })));
    assert.strictEqual(row?.contextValue, 'error');
  });

  it('have lines of the workspace, workloads, deployments and the newest records below', async () => {
    const changes = { workloadId: uuid(1), deploymentId: uuid(2), traceId: 'a'.repeat(32) };
    const { context, load } = scene({
      listDeployments: gives('DeploymentListing', {
        deployments: [{ id: uuid(2), commitSha: '3f2a9bc1'.repeat(5) }],
      }),
    });
    await load({ kind: 'deployments', id: uuid(1) });
    const body = stackOf('Error: lost', 'lib/x.js:1', 'src/db.ts:4', 'cart.ts:9');
    const [row] = errorNodes(context, {
      kinds: await kindsOf(ago(2, body, changes), ago(1, body, changes)),
      ...nothing,
      hidden: new Map(),
    });
    assert.strictEqual(
      treeText(row?.children() ?? []),
      lines(`
        [go-to-file] db.ts:4 — src · 2 ×
        [go-to-file] cart.ts:9 — 2 ×
        [package] web-api — 2 ×
        [rocket] 3f2a9bc — web-api · 2 ×
        [output] 1 min. ago — Error: lost · web-api
        [output] 2 min. ago — Error: lost · web-api`),
    );
    const [record] = row?.children().slice(-1) ?? [];
    assert.strictEqual(
      record && detailText(record).split('\n')[0],
      `${uiText('Time')}: ${moment(2)} (2 min. ago)`,
    );
    const deployments = `${uiText('Deployments')}: 3f2a9bc`;
    assert.include(row && detailText(row), `\n${deployments}\n`);
    const place = find(row?.children() ?? [], 'db.ts:4');
    assert.strictEqual(detailText(place), deployments);
    assert.strictEqual(row?.contextValue, 'error hasCode hasDeployment hasTrace');
    const { deploymentId, resourceId } = find(row?.children() ?? [], '3f2a9bc').target;
    assert.deepEqual([deploymentId, resourceId], [uuid(2), uuid(1)]);
    assert.deepInclude(row?.target.place, { file: 'file:///shop/src/db.ts', line: 4, column: 7 });
  });

  it('have the details of a kind in their tooltip', async () => {
    const [row] = rows(await kindsOf(ago(2, 'lost 1\nfor long'), ago(1, 'lost 2\nagain')));
    assert.isDefined(row);
    assert.strictEqual(
      detailText(row),
      lines(`
        ${uiText('Message')}: lost 2
        again
        ${uiText('Count')}: 2
        ${uiText('Workloads')}: web-api
        ${uiText('First seen')}: ${moment(2)} (2 min. ago)
        ${uiText('Last seen')}: ${moment(1)} (1 min. ago)`),
    );
  });

  /** The rows below that of two muted kinds; beside it is one kind that is not muted. */
  function belowTwoMuted(all: readonly TreeNode[]): readonly TreeNode[] {
    const twoMuted = uiText('{0} muted', 2);
    assert.deepEqual(
      all.map(({ label }) => label),
      ['1 × gone', twoMuted],
    );
    return find(all, twoMuted).children();
  }

  it('say in which deployment a kind came back that was fixed', async () => {
    const kinds = await kindsOf(ago(1, 'lost', { deploymentId: uuid(5) }));
    const cameBack = new Map([[kinds[0]?.key ?? '', uuid(5)]]);
    const [row] = rows(kinds, { cameBack });
    assert.match(row?.description ?? '', /^came back in 00000000 · web-api · /);
  });

  it('name the likely commit, why it is likely, and the others below', async () => {
    const at = scene({}).context.timeFormat.now() - 2 * 24 * 60 * minute;
    const commit = { sha: 'a'.repeat(40), title: 'Count [x]', author: 'A Person', at, parents: [] };
    const suspect = { commit, reason: 'line', file: 'file:///shop/src/db.ts' } as const;
    const suspicionOf = (): Suspicion => ({ commits: [suspect], tooLarge: [] });
    const [row] = rows(await kindsOf(ago(1, 'lost')), { suspicionOf });
    assert.match(row?.description ?? '', / · likely aaaaaaa · 2 days ago · A Person$/);
    assert.include(
      row && detailText(row),
      'Likely commit: aaaaaaa · Count [x]\nReason: it changed',
    );
    const below = find(row?.children() ?? [], 'Count [x]');
    assert.deepEqual(below.command?.argument, { sha: commit.sha, file: suspect.file });
    const [unknown] = rows(await kindsOf(ago(1, 'lost')), {
      suspicionOf: () => ({ commits: [], tooLarge: [] }),
    });
    assert.notInclude(unknown?.description, 'likely');
    assert.include(
      unknown && detailText(unknown),
      'Likely commit: unknown: no commit touches its stack',
    );
    const [unread] = rows(await kindsOf(ago(1, 'lost')), {
      suspicionOf: () => ({ commits: [], tooLarge: ['file:///shop/dist/bundle.js'] }),
    });
    assert.include(
      unread && detailText(unread),
      'Likely commit: unknown\nToo large to compare: bundle.js',
    );
  });

  it('have muted kinds below a row that counts them, also those that did not occur', async () => {
    const kinds = await kindsOf(ago(2, 'lost'), ago(1, 'gone'));
    const muted = [
      { key: keyOfErrors(['never']), template: 'never' },
      { key: kinds[0]?.key ?? '', template: 'lost' },
    ];
    assert.deepEqual(
      belowTwoMuted(rows(kinds, { muted })).map((one) => `${one.label}: ${one.contextValue}`),
      ['1 × lost: error muted', 'never: error muted absent'],
    );
  });

  it('have a kind below that row whose pattern was more general when it was muted', async () => {
    const kinds = await kindsOf(ago(2, 'no stock of user milk'), ago(1, 'gone'));
    const general = keyOfErrors(['no stock of user bread', 'no stock of user eggs']);
    const muted = [
      { key: keyOfErrors(['never']), template: 'never' },
      { key: general, template: 'no stock of user <value>' },
    ];
    assert.deepEqual(
      belowTwoMuted(rows(kinds, { muted })).map(({ label }) => label),
      ['1 × no stock of user milk', 'never'],
    );
  });

  it('are few of very many kinds', async () => {
    const [kind] = await kindsOf(ago(1, 'lost'));
    assert.isDefined(kind);
    const all = rows(Array.from({ length: 600 }, (_, index) => ({ ...kind, key: `${index}` })));
    assert.lengthOf(all, 501);
    assert.strictEqual(all.at(-1)?.label, uiText('{0} more', 100));
  });

  it('have whole texts if their records have next to nothing', async () => {
    const empty = { workloadName: ' ', service: '', environment: '' };
    for (const workloadId of ['', uuid(7)]) {
      const of = { ...empty, workloadId };
      const nodes = rows(await kindsOf(ago(1, '', of), ago(1, stackOf('no', 'src/db.ts:4'), of)));
      assertWhole(nodes);
      const workload = nodes[0]!.children().find(({ kind }) => kind === 'errorWorkload');
      assert.equal(workload?.label, workloadId === '' ? '-' : '00000000');
    }
  });

  it('say that a kind has no message', async () => {
    assert.strictEqual(
      rows(await kindsOf(ago(1, '')))[0]?.label,
      `1 × ${uiText('without a message')}`,
    );
  });
});

function moment(time: number): string {
  const { context } = scene({});
  return context.timeFormat.moment(new Date(start - time * minute).toISOString());
}
