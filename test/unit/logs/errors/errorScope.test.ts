import { assert } from 'chai';
import fc from 'fast-check';
import { day, hour, minute } from '../../../../src/base/clock';
import {
  defaultScope,
  type ErrorScope,
  isNarrowed,
  readMemory,
  searchOf,
  followOfKind,
  recordsQuery,
  tracesQuery,
  searchForKind,
  fixedMark,
  hideKinds,
  mutedKeyOf,
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
import { shortOrLong } from '../../long';
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
      severity: 'error',
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
    assert.deepEqual(followOfKind(kind(...lost)), { filter, label: 'order 18 of "bob" lost' });
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

describe('A kind of several workloads that is fixed in the next deployment', () => {
  const worker = { workloadId: uuid(99), workloadName: 'worker' };
  const mark = async (deploymentsOf: (id: string) => readonly Deployment[]) =>
    fixedMark(
      await foundKind(written(15, last), written(16, deployment(7, 5), worker)),
      deploymentsOf,
      start + 20 * minute,
    );
  const hiddenOf = (
    kind: ErrorKind,
    fixed: Awaited<ReturnType<typeof mark>>,
    later: Deployment[],
  ) =>
    hideKinds([kind], [{ key: kind.key, template: '', fixed }], (id) =>
      id === uuid(99) ? [] : later,
    );

  it('comes back in one whose deployments cannot be listed, by the time of its records', async () => {
    const fixed = await mark((id) => (id === uuid(99) ? [] : [old, last]));
    const own = deployment(8, 40);
    const many = Array.from({ length: 200 }, (_, at) => written(60 + at / 100, own, worker));
    const hidden = hiddenOf(await foundKind(written(15, last), ...many), fixed, [old, last]);
    assert.deepEqual([...hidden.cameBack.values()], [own.id]);
  });

  it('is hidden by the time of what that one wrote before', async () => {
    const fixed = await mark((id) => (id === uuid(99) ? [] : [old, last]));
    const before = written(12, deployment(6, 3), worker);
    assert.isEmpty(hiddenOf(await foundKind(before), fixed, [old, last]).shown);
  });

  it('comes back if that one says neither its deployments nor that of its records', async () => {
    const fixed = await mark((id) => (id === uuid(99) ? [] : [old, last]));
    const kind = await foundKind(written(35, last, { ...worker, deploymentId: null }));
    const { shown, cameBack } = hiddenOf(kind, fixed, [old, last]);
    assert.deepEqual(shown, [kind]);
    assert.isEmpty(cameBack);
  });

  it('reads a mark of before, which has one time for all', async () => {
    const fixed = { at: start + 10 * minute, deployments: [last.id ?? ''] };
    const kind = await foundKind(written(35, next));
    const hidden = hideKinds([kind], [{ key: kind.key, template: '', fixed }], () => [last, next]);
    assert.deepEqual([...hidden.cameBack.values()], [next.id]);
    const still = await foundKind(written(35, last));
    const muted = [{ key: still.key, template: '', fixed }];
    assert.isEmpty(hideKinds([still], muted, () => [last, next]).shown);
  });
});

describe('A muted kind', () => {
  const line = (name: string): string => `Could not reach the service ${name} in time`;
  const others = ['payments', 'checkout', 'search', 'orders'];
  const none = (): readonly Deployment[] => [];
  const bodies = (kinds: readonly ErrorKind[]): string[] =>
    kinds.flatMap(({ records }) => records.map(({ body }) => body)).sort();

  it(`hides what it covered when it was muted, not what became part of it ${covers('F96, F106', 'unit')}`, async () => {
    const groups = new ErrorGroups(settle, filesAt());
    await groups.add([errorAt(0, line('newsletter'))]);
    const [kind] = groups.kinds;
    assert(kind);
    const memory = withMuted(noMemory, kind);
    await groups.add(others.map((name, at) => errorAt(at + 1, line(name))));
    // Before they are told apart, nothing is hidden that was not muted.
    assert.lengthOf(hideKinds(groups.kinds, memory.muted, none).shown, 1);
    groups.keepApart(mutedKeyOf(memory.muted));
    const { shown, hidden } = hideKinds(groups.kinds, memory.muted, none);
    assert.deepEqual(bodies(shown), others.map(line).sort());
    assert.deepEqual([...hidden.keys()], [kind.key]);
    groups.keepApart(undefined);
    assert.lengthOf(groups.kinds, 1);
  });

  it('hides another name if its pattern was general when it was muted', async () => {
    const groups = new ErrorGroups(settle, filesAt());
    await groups.add([...others, 'mail'].map((name, at) => errorAt(at, line(name))));
    const [kind] = groups.kinds;
    assert(kind);
    const { muted } = withMuted(noMemory, kind);
    const other = await foundKind(errorAt(9, line('newsletter')));
    assert.isEmpty(hideKinds([other], muted, none).shown);
  });

  it(`hides nothing if it looks like a pattern ${covers('F106', 'unit')}`, async () => {
    const evil = await foundKind(errorAt(1, '<value> <value> <value> <value> <value>'));
    const real = await foundKind(errorAt(2, 'Payment provider rejected the card'));
    const { muted } = withMuted(noMemory, evil);
    assert.deepEqual(hideKinds([evil, real], muted, none).shown, [real]);
  });

  it(`hides only its messages if its pattern has hardly a word ${covers('F106', 'unit')}`, async () => {
    const words = Array.from({ length: 14 }, (_, at) => String.fromCharCode(97 + at).repeat(4));
    const made = words.flatMap((word) => [`${word} aaaa failed`, `aaaa ${word} failed`]);
    const groups = new ErrorGroups(settle, filesAt());
    await groups.add(made.map((body, at) => errorAt(at, body)));
    const [kind] = groups.kinds;
    assert(kind);
    assert.equal(kind.template, '<value> <value> failed');
    const { muted } = withMuted(noMemory, kind);
    const other = await foundKind(errorAt(99, 'Payment provider failed'));
    assert.deepEqual(hideKinds([kind, other], muted, none).shown, [other]);
    groups.keepApart(mutedKeyOf(muted));
    await groups.add([errorAt(99, 'bbbb zzzz failed')]);
    const { shown } = hideKinds(groups.kinds, muted, none);
    assert.deepEqual(bodies(shown), ['bbbb zzzz failed']);
    assert.isEmpty(withoutMuted({ ...noMemory, muted }, muted[0]?.key ?? '').muted);
  });

  it(`hides the same whatever the order and the pieces in which errors come ${covers('F96', 'unit')}`, async () => {
    const names = fc.constantFrom('mail', 'cart', 'tax', 'price', 'stock', 'host', 'newsletter');
    const texts = fc.array(
      fc
        .tuple(fc.constantFrom('reach', 'stop'), names, fc.nat(9))
        .map(([verb, name, count]) =>
          name === 'host'
            ? `Could not ${verb} it ${count} times`
            : `Could not ${verb} the ${name} now`,
        ),
      { minLength: 2, maxLength: 24 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.nat(), async (all, cut, which) => {
        const records = all.map((body, at) => errorAt(at, body));
        const first = records.slice(0, 1 + (cut % all.length));
        const groups = new ErrorGroups(settle, filesAt());
        await groups.add(first);
        const kind = groups.kinds[which % groups.kinds.length];
        assert(kind);
        const { muted } = withMuted(noMemory, kind);
        const found = async (...pieces: LogRecord[][]): Promise<string[][]> => {
          const some = new ErrorGroups(settle, filesAt());
          some.keepApart(mutedKeyOf(muted));
          for (const piece of pieces) await some.add(piece);
          const { shown, hidden } = hideKinds(some.kinds, muted, none);
          const are = (isHidden: boolean): ErrorKind[] =>
            some.kinds.filter(({ key }) => hidden.has(key) === isHidden);
          assert.deepEqual(are(false), shown);
          return [are(false), are(true)].map((kinds) =>
            kinds.map(({ key, count }) => `${count} ${key}`).sort(),
          );
        };
        const expected = await found(records);
        assert.deepEqual(await found([...records].reverse()), expected);
        assert.deepEqual(await found(records.slice(first.length), first), expected);
        // What was muted is still hidden, with nothing that it did not cover.
        await groups.add(records);
        groups.keepApart(mutedKeyOf(muted));
        const hidden = groups.kinds.filter(({ key }) => key === kind.key);
        assert.lengthOf(hidden, 1);
        assert.includeMembers([...(hidden[0]?.messages ?? [])], [...kind.messages]);
        assert.isEmpty(hideKinds(hidden, muted, none).shown);
      }),
      { numRuns: shortOrLong(60, 1000) },
    );
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
    // The texts of earlier versions may be those of messages.
    assert.deepEqual(readMemory({ muted: [{ key: 'a <value>\nfile', template: 'a' }] }), noMemory);
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
