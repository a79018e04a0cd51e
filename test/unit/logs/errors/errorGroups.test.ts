import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import type { ErrorKind } from '../../../../src/logs/errors/errorKind';
import type { FindPlace } from '../../../../src/logs/errors/errorPlaces';
import { settle } from '../../fakeClock';
import { errorAt, filesAt, stackOf, start } from './errorRecords';

interface Given {
  readonly pause?: () => Promise<void>;
  readonly find?: FindPlace;
  readonly most?: { readonly records: number; readonly bytes: number };
}

function groupsWith({ pause = settle, find, most }: Given = {}): ErrorGroups {
  const found = find ?? filesAt('src/db.ts', 'src/cart.ts');
  return new ErrorGroups(pause, found, undefined, most);
}

async function kindsOf(records: Parameters<ErrorGroups['add']>[0]): Promise<readonly ErrorKind[]> {
  const groups = groupsWith();
  await groups.add(records);
  return groups.kinds;
}

async function kindOf(records: Parameters<ErrorGroups['add']>[0]): Promise<ErrorKind> {
  const [kind, ...others] = await kindsOf(records);
  assert.isEmpty(others);
  assert.isDefined(kind);
  return kind;
}

const counts = (kinds: readonly ErrorKind[]): string[] =>
  kinds.map(({ template, count }) => `${count} × ${template}`);
/** The lines of a kind, with how often they are in a stack. */
const spotsOf = ({ spots }: ErrorKind): string[] =>
  spots.map(({ file, line, column, count }) => {
    const name = file.slice('file:///shop/src/'.length);
    return `${count} × ${name}:${line}:${column ?? ''}`;
  });

describe('error groups', () => {
  it('are one kind for messages that differ in numbers, at other lines of the same file', async () => {
    const kind = await kindOf([
      errorAt(1, stackOf('Error: order 17 lost', 'src/db.ts:4')),
      errorAt(2, stackOf('Error: order 18 lost', 'src/db.ts:9')),
    ]);
    assert.deepEqual(counts([kind]), ['2 × Error: order <n> lost']);
    assert.deepEqual(spotsOf(kind), ['1 × db.ts:4:7', '1 × db.ts:9:7']);
  });

  it('are of what is shown as an error only', async () => {
    const body = (level: string): string => `{"level":"${level}","msg":"order lost"}`;
    const records = [
      errorAt(1, body('info'), { stream: 'stderr' }),
      errorAt(2, body('fatal'), { stream: 'stderr' }),
      errorAt(3, body('error'), { severity: 'unknown' }),
      errorAt(4, 'order found', { severity: 'unknown' }),
    ];
    const { count, severity } = await kindOf(records);
    assert.deepEqual([count, severity], [2, 'fatal']);
    const ofServer = new ErrorGroups(settle, filesAt(), () => ({
      severity: 'server',
      joinLines: true,
    }));
    await ofServer.add(records);
    assert.deepEqual(
      ofServer.kinds.map((kind) => [kind.count, kind.severity]),
      [[2, 'error']],
    );
  });

  it('are one error for the records of a stack trace, also if they come apart and in any order', async () => {
    const lines = stackOf('Error: lost', 'src/db.ts:4', 'src/cart.ts:7').split('\n');
    const records = [...lines, 'Error: found'].map((body, index) => errorAt(index / 1000, body));
    const [first, second, third, other] = records;
    assert.isDefined(third);
    const orders = [
      [records],
      [[first, second], [third], [other]],
      [[third, other], [second], [first]],
      [[second], [first, second, third, other]],
    ];
    for (const order of orders) {
      const groups = groupsWith();
      for (const batch of order) await groups.add(batch.filter((one) => one !== undefined));
      await groups.add([third]);
      assert.sameMembers(counts(groups.kinds), ['1 × Error: lost', '1 × Error: found']);
      const kind = groups.kinds.find(({ template }) => template === 'Error: lost');
      assert.isDefined(kind);
      assert.deepEqual(spotsOf(kind), ['1 × db.ts:4:7', '1 × cart.ts:7:7']);
      assert.equal(kind.last.eventId, first?.eventId);
      groups.forgetBefore(Infinity);
      assert.equal(groups.size, 0);
    }
    const apart = new ErrorGroups(settle, filesAt(), () => ({
      severity: 'body',
      joinLines: false,
    }));
    await apart.add(records);
    assert.equal(apart.size, 4);
  });

  it('are one kind once enough of them are alike, also those from before', async () => {
    const groups = groupsWith();
    const lost = (at: number, name: string): LogRecord =>
      errorAt(at, `the ${name} of a cart is lost`);
    const names = ['price', 'owner', 'tax', 'coupon', 'address'];
    await groups.add(names.slice(0, 4).map((name, index) => lost(index, name)));
    assert.lengthOf(groups.kinds, 4);
    await groups.add(names.slice(4).map((name) => lost(4, name)));
    assert.deepEqual(counts(groups.kinds), ['5 × the <value> of a cart is lost']);
    // Nothing in it changes, so it stays the same.
    assert.strictEqual(groups.kinds[0], groups.kinds[0]);
    groups.forgetBefore(start + 3000);
    assert.strictEqual(groups.kinds[0]?.count, 2);
  });

  it('are two kinds if the first file of the workspace differs', async () => {
    const kinds = await kindsOf([
      errorAt(1, stackOf('Error: lost', 'node_modules/pg/a.js:1', 'src/db.ts:4')),
      errorAt(2, stackOf('Error: lost', 'src/cart.ts:4')),
    ]);
    assert.deepEqual(kinds.map(spotsOf), [['1 × db.ts:4:7'], ['1 × cart.ts:4:7']]);
  });

  it('have the frames of the first place first, then the most frequent', async () => {
    const kind = await kindOf([
      errorAt(1, stackOf('Error: lost', 'src/db.ts:4', 'src/cart.ts:1')),
      errorAt(2, stackOf('Error: lost', 'src/db.ts:5', 'src/cart.ts:1')),
      errorAt(3, stackOf('Error: lost', 'src/db.ts:5', 'src/cart.ts:1')),
    ]);
    assert.deepEqual(spotsOf(kind), ['2 × db.ts:5:7', '1 × db.ts:4:7', '3 × cart.ts:1:7']);
  });

  it('count a line once for a record, however deep the recursion', async () => {
    const kind = await kindOf([
      errorAt(1, stackOf('RangeError: deep', 'src/db.ts:4', 'src/db.ts:4', 'src/db.ts:4')),
    ]);
    assert.deepEqual(spotsOf(kind), ['1 × db.ts:4:7']);
  });

  it('read stacks of structured bodies and attributes', async () => {
    const err = { stack: stackOf('E: x', 'src/db.ts:4') };
    const attributes = { 'exception.stacktrace': stackOf('E: x', 'src/cart.ts:8') };
    const kinds = await kindsOf([
      errorAt(1, JSON.stringify({ level: 50, msg: 'lost', err })),
      errorAt(2, 'gone', { attributes }),
    ]);
    assert.deepEqual(counts(kinds), ['1 × lost', '1 × gone']);
    assert.deepEqual(kinds.map(spotsOf), [['1 × db.ts:4:7'], ['1 × cart.ts:8:7']]);
  });

  it('count workloads and deployments, and have the newest records first', async () => {
    const web = { workloadId: 'a', workloadName: 'web', deploymentId: 'd1' };
    const kind = await kindOf([
      errorAt(3, 'lost', { workloadId: 'b', workloadName: 'worker', deploymentId: 'd2' }),
      errorAt(1, 'lost', web),
      errorAt(2, 'lost', { ...web, severity: 'fatal' }),
      errorAt(4, 'lost', { ...web, deploymentId: 'd3' }),
    ]);
    assert.deepInclude(kind, {
      count: 4,
      severity: 'fatal',
      workloads: [
        { id: 'a', name: 'web', count: 3 },
        { id: 'b', name: 'worker', count: 1 },
      ],
      deployments: [
        { id: 'd3', name: 'web', count: 1 },
        { id: 'd2', name: 'worker', count: 1 },
        { id: 'd1', name: 'web', count: 2 },
      ],
    });
    const secondsOf = ({ first, records }: ErrorKind): number[] =>
      [first, ...records].map(({ timestamp }) => (Date.parse(timestamp) - start) / 1000);
    assert.deepEqual(secondsOf(kind), [1, 4, 3, 2, 1]);
    const many = Array.from({ length: 9 }, (_, seconds) => errorAt(seconds, 'lost'));
    assert.deepEqual(secondsOf(await kindOf(many)), [0, 8, 7, 6, 5, 4]);
  });

  it('say what is new with the last deployment, as another object', async () => {
    const groups = groupsWith();
    await groups.add([errorAt(4000, 'lost', { workloadId: 'web' })]);
    const [before] = groups.kinds;
    assert(before);
    const period = { since: start, now: start + 7_200_000 };
    const createdAt = new Date(start + 3_600_000).toISOString();
    const deployed = [{ id: 'd', state: 'succeeded', createdAt }];
    groups.compare(period, (id) => (id === 'web' ? [] : deployed));
    assert.strictEqual(groups.kinds[0], before);
    groups.compare(period, (id) => (id === 'web' ? deployed : []));
    assert.deepEqual(groups.kinds, [{ ...before, change: 'new' }]);
  });

  it('name a workload without a name by its service', async () => {
    const kind = await kindOf([errorAt(1, 'lost', { workloadName: '', service: 'web' })]);
    assert.strictEqual(kind.workloads[0]?.name, 'web');
  });

  it('count a record that comes twice once, also while it is being added', async () => {
    const groups = groupsWith();
    const record = errorAt(1, stackOf('lost', 'src/db.ts:4'));
    await Promise.all([groups.add([record]), groups.add([record, record])]);
    await groups.add([record]);
    assert.strictEqual(groups.kinds[0]?.count, 1);
  });

  it('keep the same object for a kind that did not change', async () => {
    const groups = groupsWith();
    await groups.add([errorAt(1, 'lost'), errorAt(2, 'gone')]);
    const [lost, gone] = groups.kinds;
    await groups.add([errorAt(3, 'gone')]);
    assert.strictEqual(groups.kinds[0], lost);
    assert.notStrictEqual(groups.kinds[1], gone);
  });

  it('forget records before a time, and kinds without records', async () => {
    const groups = groupsWith();
    await groups.add([errorAt(5, 'lost'), errorAt(1, 'lost'), errorAt(2, 'gone')]);
    groups.forgetBefore(start + 3000);
    assert.deepEqual(counts(groups.kinds), ['1 × lost']);
    assert.strictEqual(groups.size, 1);
  });

  it('keep the newest records within the bounds, and no older one comes back', async () => {
    const records = [1, 2, 3, 4].map((seconds) => errorAt(seconds, 'lost'));
    const groups = groupsWith({ most: { records: 2, bytes: 1e6 } });
    await groups.add(records);
    assert.strictEqual(groups.size, 2);
    await groups.add(records);
    assert.strictEqual(groups.kinds[0]?.first.timestamp, records[2]?.timestamp);
    assert.strictEqual(groups.begin, start + 2000);
    const small = groupsWith({ most: { records: 100, bytes: 1 } });
    await small.add(records);
    assert.strictEqual(small.size, 1);
  });

  it('have nothing of before after they were cleared', async () => {
    const groups = groupsWith();
    const adding = groups.add([errorAt(1, stackOf('lost', 'src/db.ts:4'))]);
    groups.clear();
    await adding;
    assert.isEmpty(groups.kinds);
    await groups.add([errorAt(1, 'lost')]);
    assert.strictEqual(groups.size, 1);
  });

  it('find files again when they changed', async () => {
    let files = filesAt();
    const groups = groupsWith({ find: (frame) => files(frame) });
    await groups.add([errorAt(1, stackOf('lost', 'src/db.ts:4'))]);
    assert.isEmpty(groups.kinds[0]?.spots);
    files = filesAt('src/db.ts');
    await groups.locateAgain('all');
    assert.strictEqual(groups.kinds[0]?.spots[0]?.line, 4);
    assert.strictEqual(groups.size, 1);
  });

  it('look later for files that were not looked for because there were too many', async () => {
    const find = filesAt('src/db.ts');
    const looked: string[] = [];
    const groups = groupsWith({
      find: (frame, budget) => {
        if (budget.left-- <= 0) return Promise.resolve(null);
        looked.push(frame.path);
        return find(frame);
      },
    });
    const hostile = Array.from({ length: 100 }, (_, record) =>
      errorAt(
        record,
        stackOf('lost', ...Array.from({ length: 30 }, (_, at) => `src/${record}/${at}.ts:1`)),
      ),
    );
    await groups.add([...hostile, errorAt(200, stackOf('real', 'src/db.ts:4'))]);
    const lines = (): (number | undefined)[] =>
      groups.kinds.filter(({ template }) => template === 'real').map(({ spots }) => spots[0]?.line);
    assert.deepEqual(lines(), [undefined]);
    assert.isTrue(groups.isIncomplete);
    await groups.locateAgain('unknown');
    assert.deepEqual(lines(), [4]);
    assert.isFalse(groups.isIncomplete);
    assert.lengthOf(new Set(looked), looked.length, 'no file twice');
  });

  it('remember the files of a bounded number of workloads', async () => {
    let asked = 0;
    const groups = groupsWith({
      find: (_frame, _budget, workloadId) => {
        if (workloadId === 'web') asked++;
        return Promise.resolve(undefined);
      },
    });
    const error = (seconds: number, workloadId = 'web'): LogRecord =>
      errorAt(seconds, stackOf('lost', 'src/db.ts:4'), { workloadId });
    await groups.add([error(1), error(2)]);
    assert.strictEqual(asked, 1);
    await groups.add(Array.from({ length: 6000 }, (_, index) => error(10 + index, `${index}`)));
    await groups.add([error(3)]);
    assert.strictEqual(asked, 2);
    const paths = (second: number): LogRecord =>
      errorAt(second, stackOf('lost', `src/${second}.ts:1`), { workloadId: 'web' });
    await groups.add(Array.from({ length: 6000 }, (_, index) => paths(10_000 + index)));
    const before = asked;
    await groups.add([error(4)]);
    assert.strictEqual(asked, before + 1);
  });

  it('find files again once for a burst of changes', async () => {
    let found = 0;
    const groups = groupsWith({
      find: () => {
        found++;
        return Promise.resolve(undefined);
      },
    });
    await groups.add([errorAt(1, stackOf('lost', 'src/db.ts:4'))]);
    await Promise.all(Array.from({ length: 20 }, () => groups.locateAgain('all')));
    assert.isAtMost(found, 3);
  });

  it('have the last of two records of one millisecond last', async () => {
    const at = (fraction: string): LogRecord =>
      errorAt(0, fraction, { body: 'lost', timestamp: `2026-11-20T12:00:00.123${fraction}Z` });
    const { first, last } = await kindOf([at('9'), at('4'), at('1')]);
    assert.deepEqual([first.eventId, last.eventId], ['error 0 1', 'error 0 9']);
  });

  it('let other tasks run', async () => {
    let pauses = 0;
    const groups = groupsWith({
      pause: () => {
        pauses++;
        return Promise.resolve();
      },
    });
    await groups.add(Array.from({ length: 1000 }, (_, index) => errorAt(index, 'lost')));
    assert.strictEqual(pauses, 39);
    const long = 'x'.repeat(100_000);
    await groups.add(Array.from({ length: 10 }, (_, index) => errorAt(index, `${index} ${long}`)));
    assert.strictEqual(pauses, 48);
  });
});
