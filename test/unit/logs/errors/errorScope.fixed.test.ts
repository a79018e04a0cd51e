import { assert } from 'chai';
import type { Deployment, LogRecord } from '../../../../src/api/types';
import { minute } from '../../../../src/base/clock';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import type { ErrorKind } from '../../../../src/logs/errors/errorKind';
import { fixedMark, hideKinds } from '../../../../src/logs/errors/errorScope';
import { settle } from '../../fakeClock';
import { uuid } from '../../trees/treeText';
import { errorAt, filesAt, start } from './errorRecords';

/** A deployment that was created so many minutes after the start. */
function deployment(name: number, at: number, changes: Partial<Deployment> = {}): Deployment {
  const createdAt = new Date(start + at * minute).toISOString();
  return { id: uuid(name), state: 'succeeded', createdAt, ...changes };
}

async function kindOf(...records: LogRecord[]): Promise<ErrorKind> {
  const groups = new ErrorGroups(settle, filesAt());
  await groups.add(records);
  const [kind] = groups.kinds;
  assert(kind);
  return kind;
}

const old = deployment(1, 0, { state: 'superseded' });
const last = deployment(2, 10);
const next = deployment(4, 30);
const written = (at: number, by: Deployment, changes: Partial<LogRecord> = {}): LogRecord =>
  errorAt(at * 60, 'lost', { deploymentId: by.id ?? null, ...changes });

describe('A kind that is fixed in the next deployment', () => {
  interface Case {
    readonly does: string;
    /** The deployments that are known when it is marked, and later. */
    readonly known: readonly Deployment[];
    readonly later: readonly Deployment[];
    /** What comes after the mark. */
    readonly record: LogRecord;
    readonly cameBack?: Deployment;
  }
  const preview = deployment(5, 31, { environment: 'preview' });
  const cases: readonly Case[] = [
    {
      does: 'is hidden while what ran before writes it',
      ...{ known: [old, last], later: [old, last, next] },
      record: written(25, last),
    },
    {
      does: 'is hidden while an older deployment writes it that did not before',
      ...{ known: [old, last], later: [old, last, next] },
      record: written(25, old),
    },
    {
      does: 'comes back in a newer deployment',
      ...{ known: [old, last], later: [old, last, next] },
      ...{ record: written(35, next), cameBack: next },
    },
    {
      does: 'comes back in one that was under way when it was marked',
      known: [old, last, deployment(4, 19, { state: 'building' })],
      later: [old, last, deployment(4, 19)],
      ...{ record: written(35, next), cameBack: next },
    },
    {
      does: 'does not come back in one that had failed',
      known: [old, last, deployment(6, 15, { state: 'failed' })],
      later: [old, last, deployment(6, 15, { state: 'failed' })],
      record: written(35, deployment(6, 15)),
    },
    {
      does: 'does not come back in a preview',
      ...{ known: [old, last], later: [old, last, preview] },
      record: written(35, preview, { previewId: 'a' }),
    },
    {
      does: 'comes back by the time of its records if no deployments can be listed',
      ...{ known: [], later: [] },
      ...{ record: written(35, next), cameBack: next },
    },
    {
      does: 'is hidden if a deployment is not in the list yet',
      ...{ known: [old, last], later: [old, last] },
      record: written(35, next),
    },
  ];
  for (const { does, known, later, record, cameBack } of cases) {
    it(does, async () => {
      const before = await kindOf(written(15, last));
      const mark = fixedMark(before, () => known, start + 20 * minute);
      const kind = await kindOf(written(15, last), record);
      const muted = [{ key: kind.key, template: kind.template, fixed: mark }];
      const hidden = hideKinds([kind], muted, () => later);
      assert.deepEqual([...hidden.cameBack.values()], cameBack ? [cameBack.id] : []);
      assert.lengthOf(hidden.shown, cameBack ? 1 : 0);
      assert.lengthOf(hidden.muted, cameBack ? 0 : 1);
    });
  }

  it('is hidden while each workload runs what it ran, also if one was deployed later', async () => {
    const own = deployment(7, 18);
    const ofWorker = { workloadId: uuid(99), workloadName: 'worker' };
    const kind = await kindOf(written(15, last), written(19, own, ofWorker));
    const deploymentsOf = (id: string): readonly Deployment[] =>
      id === uuid(99) ? [own] : [old, last];
    const mark = fixedMark(kind, deploymentsOf, start + 20 * minute);
    const muted = [{ key: kind.key, template: kind.template, fixed: mark }];
    assert.isEmpty(hideKinds([kind], muted, deploymentsOf).shown);
  });

  it('stays hidden for ever if it is muted, and is the only one that is hidden', async () => {
    const kind = await kindOf(written(15, last), written(35, next));
    const other = { ...kind, key: 'another\n' };
    const hidden = hideKinds([kind, other], [{ key: kind.key, template: '' }], () => [next]);
    assert.deepEqual(hidden.shown, [other]);
    assert.isEmpty(hidden.cameBack);
  });
});
