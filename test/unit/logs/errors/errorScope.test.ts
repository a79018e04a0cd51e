import { assert } from 'chai';
import { day, hour, minute } from '../../../../src/base/clock';
import {
  defaultScope,
  type ErrorScope,
  isNarrowed,
  readMemory,
  searchOf,
  followOf,
  recordsQuery,
  tracesQuery,
  searchForKind,
  fixedMark,
  hideKinds,
  noMemory,
  withMuted,
  withoutMuted,
} from '../../../../src/logs/errors/errorScope';
import type { LogRecord, Deployment } from '../../../../src/api/types';
import { type ErrorKind, kindOf } from '../../../../src/logs/errors/errorKind';
import { matches } from '../../../../src/logs/query/matches';
import { Patterns } from '../../../../src/logs/record/patterns';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import { uuid } from '../../trees/treeText';
import { settle } from '../../fakeClock';
import { covers } from '../../covers';
import { searchOf as parsed } from '../explorer/explored';
import { errorAt, filesAt, keyOfErrors, start } from './errorRecords';
import { kindWith, spotAt, web } from './spottedKinds';

const worker = { id: uuid(7), name: 'worker' };

const readScope = (scope: unknown): ErrorScope | undefined => readMemory({ scope })?.scope;

describe('the scope of errors', () => {
  const idsOf = (workloads: ErrorScope['workloads'], apps: readonly string[]): unknown =>
    searchOf({ ...defaultScope, workloads }, apps)?.filter.workloadIds ?? 'all';

  it('is the workloads of the folder if they are known, otherwise all', () => {
    assert.deepEqual(idsOf('auto', [uuid(2), uuid(1), uuid(2)]), [uuid(1), uuid(2)]);
    assert.strictEqual(idsOf('auto', []), 'all');
    assert.strictEqual(idsOf('auto', ['not an id']), 'all');
  });

  it('searches for nothing if only the folder is wanted and unknown', () => {
    assert.isUndefined(searchOf({ ...defaultScope, workloads: 'folder' }, []));
    assert.deepEqual(idsOf('folder', [uuid(1)]), [uuid(1)]);
  });

  it('is what was chosen', () => {
    assert.deepEqual(idsOf([worker], [uuid(1)]), [uuid(7)]);
    assert.strictEqual(idsOf('all', [uuid(1)]), 'all');
    const scope = { ...defaultScope, range: '1h', environment: 'preview' } as const;
    assert.deepEqual(searchOf(scope, []), { range: hour, filter: { environments: ['preview'] } });
    assert.strictEqual(searchOf(defaultScope, [])?.range, day);
  });

  it('has all workloads of the folder, also more than a query can name', () => {
    const many = Array.from({ length: 70 }, (_, index) => uuid(index));
    assert.lengthOf(idsOf('auto', many) as unknown[], 70);
  });

  it('says whether a filter is set', () => {
    const narrowed = (change: Partial<ErrorScope>): boolean =>
      isNarrowed({ ...defaultScope, ...change });
    assert.isFalse(narrowed({}));
    assert.isFalse(narrowed({ workloads: 'all', range: '7d' }));
    assert.isTrue(narrowed({ workloads: 'folder' }));
    assert.isTrue(narrowed({ workloads: [worker] }));
    assert.isTrue(narrowed({ environment: 'production' }));
  });

  it('is read as it was kept', () => {
    const scope: ErrorScope = {
      range: '7d',
      workloads: [worker],
      environment: 'preview',
      sorting: 'frequent',
    };
    assert.deepEqual(readScope(JSON.parse(JSON.stringify(scope))), scope);
  });

  it('has defaults for what is not valid', () => {
    for (const kept of [undefined, null, 7, 'x', [], { range: '2h', workloads: 3, sorting: {} }]) {
      assert.deepEqual(readScope(kept), defaultScope);
    }
    const workloads = [{ id: 'x', name: 'y' }, { id: uuid(1) }, null];
    assert.strictEqual(readScope({ workloads })?.workloads, 'auto');
  });
});

function kind(...records: LogRecord[]): ErrorKind {
  const patterns = new Patterns();
  return kindOf(
    'key',
    records.map((record) => ({
      record,
      at: Date.parse(record.timestamp),
      places: [],
      pattern: patterns.add(record.body),
      bytes: 1,
    })),
  );
}

const workload = { workloadId: uuid(1) };
const lost = [
  errorAt(1, 'order 17 of "ann" lost', workload),
  errorAt(2, 'order 18 of "bob" lost', workload),
];

describe('queries for a kind of error', () => {
  it('find its records', () => {
    const query = recordsQuery(kind(...lost), defaultScope);
    assert.strictEqual(query, `severity:error,fatal workload:${uuid(1)} "order" last:24h`);
    const { filter } = parsed(query);
    assert.isTrue(lost.every((record) => matches(record, filter)));
    assert.deepEqual(followOf(kind(...lost)), { filter, label: 'order 18 of "bob" lost' });
  });

  it('have the range and environment of the view', () => {
    const query = recordsQuery(kind(...lost), { range: '7d', environment: 'preview' });
    assert.include(query, 'last:7d');
    assert.deepEqual(parsed(query).filter.environments, ['preview']);
  });

  it('find the traces of its newest records', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
    assert.strictEqual(
      tracesQuery(kind(errorAt(1, 'x', { traceId: a })), defaultScope),
      `trace:${a} last:24h`,
    );
    const both = tracesQuery(
      kind(errorAt(1, 'x', { traceId: a }), errorAt(2, 'x', { traceId: b }), errorAt(3, 'x')),
      defaultScope,
    );
    const { filter } = parsed(both ?? '');
    assert.isTrue(matches(errorAt(1, 'y', { traceId: a }), filter));
    assert.isFalse(matches(errorAt(1, 'y'), filter));
    assert.isUndefined(tracesQuery(kind(errorAt(1, 'x', { traceId: 'not one' })), defaultScope));
  });

  it('begin with its first record, beside code', () => {
    const last = errorAt(9, 'Error: order 17 of "Ann" is not paid');
    const kind = kindWith('Error: order <n> of <text> is not paid', [spotAt(1)], { last });
    assert.equal(
      searchForKind(kind),
      `severity:error,fatal workload:${web} "Error: order" from:2026-11-20T12:00:00Z`,
    );
  });

  it('do not name too many workloads, nor a text that no body has', () => {
    const workloads = Array.from({ length: 60 }, () => ({ id: web, name: '', count: 1 }));
    const kind = kindWith('<n>', [spotAt(1)], { workloads });
    assert.equal(searchForKind(kind), 'severity:error,fatal from:2026-11-20T12:00:00Z');
  });
});

/** A deployment that was created so many minutes after the start. */
function deployment(name: number, at: number, changes: Partial<Deployment> = {}): Deployment {
  const createdAt = new Date(start + at * minute).toISOString();
  return { id: uuid(name), state: 'succeeded', createdAt, ...changes };
}

async function foundKind(...records: LogRecord[]): Promise<ErrorKind> {
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
    /** The deployments that are known when it is marked. */
    readonly known?: readonly Deployment[];
    /** Those that are known later. */
    readonly later?: readonly Deployment[];
    /** What comes after the mark. */
    readonly record: LogRecord;
    readonly cameBack?: Deployment;
  }
  const preview = deployment(5, 31, { environment: 'preview' });
  const failed = deployment(6, 15, { state: 'failed' });
  const cases: readonly Case[] = [
    { does: 'is hidden while what ran before writes it', record: written(25, last) },
    {
      does: 'is hidden while an older deployment writes it that did not before',
      record: written(25, old),
    },
    { does: 'comes back in a newer deployment', record: written(35, next), cameBack: next },
    {
      does: 'comes back in one that was under way when it was marked',
      known: [old, last, deployment(4, 19, { state: 'building' })],
      later: [old, last, deployment(4, 19)],
      ...{ record: written(35, next), cameBack: next },
    },
    {
      does: 'does not come back in one that had failed',
      ...{ known: [old, last, failed], later: [old, last, failed] },
      record: written(35, failed),
    },
    {
      does: 'does not come back in a preview',
      later: [old, last, preview],
      record: written(35, preview, { previewId: 'a' }),
    },
    {
      does: 'comes back by the time of its records if no deployments can be listed',
      ...{ known: [], later: [], record: written(35, next), cameBack: next },
    },
    {
      does: 'does not come back in a preview then, either',
      ...{ known: [], later: [], record: written(35, next, { previewId: 'a' }) },
    },
    {
      does: 'is hidden then by the time of what it wrote before, too',
      ...{ known: [], later: [], record: written(19, next) },
    },
    {
      does: 'comes back by the time of its records in a deployment that is not in the list yet',
      later: [old, last],
      ...{ record: written(35, next), cameBack: next },
    },
    {
      does: 'comes back by the newest deployment of that time if records do not say theirs',
      record: written(35, next, { deploymentId: null }),
      cameBack: next,
    },
    {
      does: 'is hidden if records of before do not say theirs, either',
      record: written(25, next, { deploymentId: null }),
    },
  ];
  for (const test of cases) {
    const { does, known = [old, last], later = [old, last, next], record, cameBack } = test;
    it(does, async () => {
      const before = await foundKind(written(15, last));
      const mark = fixedMark(before, () => known, start + 20 * minute);
      const kind = await foundKind(written(15, last), record);
      const muted = [{ key: kind.key, template: kind.template, fixed: mark }];
      const hidden = hideKinds([kind], muted, () => later);
      assert.deepEqual([...hidden.cameBack.values()], cameBack ? [cameBack.id] : []);
      assert.lengthOf(hidden.shown, cameBack ? 1 : 0);
      assert.lengthOf(hidden.muted, cameBack ? 0 : 1);
    });
  }

  it('is hidden while each workload runs what it ran, also if one was deployed later', async () => {
    const [before, own] = [deployment(6, 3), deployment(7, 18)];
    const ofWorker = { workloadId: uuid(99), workloadName: 'worker' };
    const records = [written(15, last), written(5, before, ofWorker)];
    const deploymentsOf = (id: string): readonly Deployment[] =>
      id === uuid(99) ? [before, own] : [old, last];
    const mark = fixedMark(await foundKind(...records), deploymentsOf, start + 20 * minute);
    const kind = await foundKind(...records, written(25, own, ofWorker));
    const muted = [{ key: kind.key, template: kind.template, fixed: mark }];
    assert.isEmpty(hideKinds([kind], muted, deploymentsOf).shown);
  });

  it('stays hidden for ever if it is muted, and is the only one that is hidden', async () => {
    const kind = await foundKind(written(15, last), written(35, next));
    const other = await foundKind(errorAt(1, 'another'));
    const hidden = hideKinds([kind, other], [{ key: kind.key, template: '' }], () => [next]);
    assert.deepEqual(hidden.shown, [other]);
    assert.isEmpty(hidden.cameBack);
  });
});

describe('what is kept for errors', () => {
  const muted = (template: string, file = 'file'): Parameters<typeof withMuted>[1] => ({
    key: keyOfErrors([template], file),
    messages: [keyOfErrors([template], file)],
    template,
  });
  const lost = muted('lost');
  const kept = { key: lost.key, template: 'lost' };

  it('is what was kept, and nothing if that is not valid', () => {
    const one = withMuted(noMemory, lost);
    assert.deepEqual(readMemory(JSON.parse(JSON.stringify(one))), one);
    const fixed = withMuted(one, lost, { at: 7, deployments: ['a'] });
    assert.deepEqual(fixed.muted, [{ ...kept, fixed: { at: 7, deployments: ['a'] } }]);
    assert.deepEqual(readMemory(JSON.parse(JSON.stringify(fixed))), fixed);
    assert.deepEqual(withMuted(fixed, lost), one);
    for (const kept of [undefined, null, 'x']) assert.isUndefined(readMemory(kept));
    assert.deepEqual(readMemory({ muted: [{ key: 1 }, null] }), noMemory);
  });

  it('has a muted kind once, and without it again', () => {
    const twice = withMuted(withMuted(noMemory, lost), { ...lost, template: 'other' });
    assert.deepEqual(twice.muted, [{ ...kept, template: 'other' }]);
    assert.isEmpty(withoutMuted(twice, lost.key).muted);
  });

  it(`has a muted kind once if its pattern becomes more general ${covers('F96', 'unit')}`, () => {
    const special = muted('the owner of 7 is lost');
    const names = ['owner', 'price', 'tax', 'name', 'rest'];
    const key = keyOfErrors(
      names.map((name) => `the ${name} of 7 is lost`),
      'file',
    );
    const general = { key, messages: [key], template: 'the <value> of <n> is lost' };
    const elsewhere = muted('the owner of 7 is lost', 'file2');
    const memory = [special, elsewhere, general].reduce(
      (before, kind) => withMuted(before, kind),
      noMemory,
    );
    const keys = ({ muted: all }: typeof memory): string[] => all.map((one) => one.key);
    assert.deepEqual(keys(memory), [elsewhere.key, general.key]);
    assert.deepEqual(keys(withoutMuted(memory, special.key)), [elsewhere.key]);
  });

  it('is bounded', () => {
    let memory = noMemory;
    for (let index = 0; index < 300; index++)
      memory = withMuted(memory, { ...lost, key: `${index}` });
    assert.lengthOf(memory.muted, 200);
    assert.strictEqual(memory.muted[0]?.key, '100');
    assert.isEmpty(withMuted(noMemory, { ...lost, key: 'x'.repeat(10_000) }).muted);
  });
});
