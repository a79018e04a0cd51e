import { assert } from 'chai';
import { day, hour, minute, second } from '../../../../src/base/clock';
import type { LogRecord } from '../../../../src/api/types';
import { ErrorFeed, type ErrorSearch } from '../../../../src/logs/errors/errorFeed';
import { type RecordStyle, usualStyle } from '../../../../src/logs/record/recordStyle';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import type { InMemoryControlPlane } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { type FakeClock, fakeClock } from '../../fakeClock';
import { uuid } from '../../trees/treeText';
import { clientOf, logServer, refusal } from '../logServer';
import { errorAt, start } from './errorRecords';

interface Fed {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly feed: ErrorFeed;
  readonly groups: ErrorGroups;
  /** What was asked for what the control plane calls errors. */
  readonly queries: InMemoryControlPlane['queries'];
  /** How many errors all kinds have together. */
  readonly count: () => number;
  /** Appends errors of this second. */
  readonly fail: (count: number, changes?: Partial<LogRecord>) => void;
  pace: number;
  changes: number;
}

const all: ErrorSearch = { range: day, filter: {} };

/** A feed with a connection, which looks for all errors as soon as it is wanted. */
function fed(severity: RecordStyle['severity'] = 'body'): Fed {
  const clock = fakeClock(start);
  const server = logServer({ clock });
  const groups = new ErrorGroups(
    () => Promise.resolve(),
    () => Promise.resolve(undefined),
    () => ({ ...usualStyle(), severity }),
  );
  const feed = new ErrorFeed(clock, groups, () => self.pace);
  feed.onDidChange(() => self.changes++);
  const self: Fed = {
    clock,
    server,
    feed,
    groups,
    get queries() {
      return server.queries.filter(({ filters }) => filters.severities?.includes('error') === true);
    },
    count: () => groups.kinds.reduce((sum, { count }) => sum + count, 0),
    fail(count, changes) {
      const timestamp = new Date(clock.now()).toISOString();
      server.append(count, { severity: 'error', body: 'lost', timestamp, ...changes });
    },
    pace: 30 * second,
    changes: 0,
  };
  feed.open({ client: clientOf(server, clock) });
  feed.search(all);
  return self;
}

async function loaded(errors: number): Promise<Fed> {
  const f = fed();
  f.fail(errors);
  await f.clock.advance(second);
  f.feed.setWanted(true);
  await f.clock.advance(0);
  return f;
}

/**
 * A feed of errors of which every second one, every ten seconds, is written down late.
 *
 * @param late how late, in milliseconds.
 * @param isKnown whether some were written down before the first look.
 */
async function lateErrors(
  late: number,
  isKnown: boolean,
): Promise<Fed & { readonly written: () => number; readonly stop: () => void }> {
  const f = fed();
  let written = 0;
  let isStopped = false;
  const write = (by: number): void => {
    const ingestedAt = new Date(f.clock.now()).toISOString();
    f.fail(1, { timestamp: new Date(f.clock.now() - by).toISOString(), ingestedAt });
    written++;
  };
  if (isKnown) write(late);
  write(0);
  await f.clock.advance(second);
  f.feed.setWanted(true);
  await f.clock.advance(0);
  const next = (): void => {
    if (isStopped) return;
    write(late);
    write(second);
    f.clock.setTimer(next, 10 * second);
  };
  f.clock.setTimer(next, 10 * second);
  return Object.assign(f, { written: () => written, stop: () => (isStopped = true) });
}

/** How many pages each look requested. */
function pagesByLook({ queries }: Fed): number[] {
  const looks: number[] = [];
  for (const { cursor } of queries) {
    if (cursor === undefined) looks.push(1);
    else looks.push((looks.pop() ?? 0) + 1);
  }
  return looks;
}

describe('error feed', () => {
  it('sends nothing until it is wanted', async () => {
    const f = fed();
    await f.clock.advance(hour);
    assert.isEmpty(f.queries);
    f.feed.setWanted(true);
    await f.clock.advance(0);
    assert.deepEqual(
      f.queries.map(({ filters }) => filters.severities),
      [['error', 'fatal']],
    );
  });

  it('looks at the newest errors with at most five requests at the start', async () => {
    const f = await loaded(3000);
    assert.lengthOf(f.queries, 5);
    assert.strictEqual(f.count(), 2500);
    assert.isFalse(f.feed.state.isAll);
    const g = await loaded(700);
    assert.lengthOf(g.queries, 2);
    assert.isTrue(g.feed.state.isAll);
  });

  it('looks only for newer ones after that, and counts none twice', async () => {
    const f = await loaded(10);
    f.fail(3);
    await f.clock.advance(29 * second);
    assert.lengthOf(f.queries, 1);
    await f.clock.advance(2 * second);
    assert.lengthOf(f.queries, 2);
    assert.isAbove(Date.parse(f.queries[1]?.filters.from ?? ''), start - 3 * minute);
    assert.strictEqual(f.count(), 13);
    await f.clock.advance(31 * second);
    assert.lengthOf(f.queries, 3);
    assert.strictEqual(f.count(), 13);
  });

  it('finds errors that the server wrote down a little late', async () => {
    const f = await loaded(1);
    f.fail(1, { timestamp: new Date(start - 20 * second).toISOString() });
    await f.clock.advance(31 * second);
    assert.strictEqual(f.count(), 2);
  });

  for (const late of [10, 30, 60, 90, 120, 300, 600].map((seconds) => seconds * second)) {
    it(`has all errors if they arrive ${late / second} s late, as others before, with one request each ${covers('F105', 'unit')}`, async () => {
      const f = await lateErrors(late, true);
      await f.clock.advance(4 * minute);
      f.stop();
      await f.clock.advance(31 * second);
      assert.strictEqual(f.count(), f.written());
      assert.isTrue(f.feed.state.isAll);
      assert.deepEqual(new Set(pagesByLook(f)), new Set([1]));
    });

    it(`has all errors within five minutes if no other was ${late / second} s late before ${covers('F105', 'unit')}`, async () => {
      const f = await lateErrors(late, false);
      await f.clock.advance(20 * minute);
      f.stop();
      await f.clock.advance(6 * minute);
      assert.strictEqual(f.count(), f.written());
      assert.isTrue(f.feed.state.isAll);
      assert.deepEqual(new Set(pagesByLook(f)), new Set([1]));
    });
  }

  it('does not lose what it has when there is no time to look for late errors again, and says so', async () => {
    const f = await loaded(10);
    for (let minutes = 0; minutes < 10; minutes++) {
      f.fail(600);
      await f.clock.advance(minute);
    }
    assert.strictEqual(f.count(), 6010);
    assert.isFalse(f.feed.state.isAll);
    assert.isAtMost(Math.max(...pagesByLook(f)), 5);
  });

  it('keeps only what it looked at without a hole if more came than it loads', async () => {
    const f = await loaded(10);
    await f.clock.advance(10 * second);
    f.fail(3000);
    await f.clock.advance(21 * second);
    assert.strictEqual(f.count(), 2500);
    assert.isFalse(f.feed.state.isAll);
    assert.strictEqual(f.feed.state.since, start + 11 * second);
  });

  it('forgets what leaves the range', async () => {
    const f = await loaded(10);
    f.feed.search({ range: hour, filter: {} });
    await f.clock.advance(hour - minute);
    assert.strictEqual(f.count(), 10);
    await f.clock.advance(2 * minute);
    assert.strictEqual(f.count(), 0);
    assert.isTrue(f.feed.state.isAll);
  });

  it('pauses while it is not wanted, and looks again at once if it is due', async () => {
    const f = await loaded(1);
    f.feed.setWanted(false);
    await f.clock.advance(hour);
    assert.lengthOf(f.queries, 1);
    assert.strictEqual(f.clock.liveTimers - f.server.liveTimers, 0);
    f.feed.setWanted(true);
    await f.clock.advance(0);
    assert.lengthOf(f.queries, 2);
    f.feed.setWanted(false);
    f.feed.setWanted(true);
    await f.clock.advance(0);
    assert.lengthOf(f.queries, 2);
  });

  it('looks only on request if the setting says so', async () => {
    const f = fed();
    f.pace = 0;
    f.feed.setWanted(true);
    await f.clock.advance(hour);
    assert.lengthOf(f.queries, 1);
    f.fail(1);
    await f.clock.run(f.feed.refresh());
    assert.lengthOf(f.queries, 2);
    assert.strictEqual(f.count(), 1);
  });

  it('adds what tails bring if it belongs to the search, once', async () => {
    const f = await loaded(1);
    f.feed.search({ range: day, filter: { environments: ['production'] } });
    await f.clock.advance(0);
    const before = f.count();
    const own = errorAt(2, 'lost');
    const others: LogRecord[] = [
      errorAt(3, 'lost', { environment: 'preview' }),
      errorAt(4, 'lost', { severity: 'warn' }),
      errorAt(-2 * 24 * 3600, 'lost'),
    ];
    f.feed.add([own, ...others]);
    f.feed.add([own]);
    await f.clock.advance(0);
    assert.strictEqual(f.count(), before + 1);
  });

  it('adds records of tails whose body says that they are errors', async () => {
    const f = await loaded(1);
    const body = '{"level":"error","msg":"lost"}';
    f.feed.add([errorAt(2, body, { severity: 'unknown' })]);
    await f.clock.advance(0);
    assert.strictEqual(f.count(), 2);
  });

  it('looks at the newest of unknown severity every five minutes, for those whose body says that they are errors', async () => {
    const f = await loaded(1);
    const bodies = ['{"level":"error","msg":"lost"}', '{"level":"info","msg":"found"}', 'lost'];
    const unknown = (): number =>
      f.server.queries.filter(({ filters }) => filters.severities?.includes('unknown') === true)
        .length;
    for (const body of bodies) f.fail(1, { severity: 'unknown', body });
    await f.clock.advance(4 * minute);
    assert.deepEqual([unknown(), f.count()], [1, 1]);
    await f.clock.advance(2 * minute);
    assert.deepEqual([unknown(), f.count()], [2, 2]);
    // More than one page.
    f.fail(600, { severity: 'unknown', body: 'found' });
    await f.clock.advance(5 * minute);
    assert.deepEqual([unknown(), f.count()], [3, 2]);
  });

  it('asks for none of unknown severity if only that of the control plane counts', async () => {
    const f = fed('server');
    f.feed.setWanted(true);
    await f.clock.advance(hour);
    assert.strictEqual(f.server.queries.length, f.queries.length);
  });

  it('looks at everything again if other records may be errors', async () => {
    const f = await loaded(3);
    f.feed.lookAgain();
    assert.strictEqual(f.count(), 0);
    await f.clock.advance(0);
    assert.deepEqual([f.count(), f.queries.length], [3, 2]);
  });

  it('adds what tails bring during the first look, which has nothing newer than its begin', async () => {
    const f = fed();
    await f.clock.advance(second);
    f.feed.setWanted(true);
    assert.isTrue(f.feed.state.isLoading);
    f.feed.add([errorAt(2, 'lost')]);
    await f.clock.advance(second);
    assert.deepEqual([f.count(), f.queries.length], [1, 1]);
  });

  it('takes nothing from tails before it was wanted', async () => {
    const f = fed();
    f.feed.add([errorAt(0, 'lost')]);
    await f.clock.advance(0);
    assert.strictEqual(f.count(), 0);
  });

  it('drops everything with its connection, also what is under way', async () => {
    const f = await loaded(700);
    f.server.on.query = () => f.feed.open(undefined);
    await f.clock.advance(31 * second);
    assert.strictEqual(f.count(), 0);
    assert.isUndefined(f.feed.state.at);
    await f.clock.advance(hour);
    assert.lengthOf(f.queries, 3);
  });

  it('looks from the start for another search, and not for the same one', async () => {
    const f = await loaded(3);
    f.feed.search({ ...all });
    assert.strictEqual(f.count(), 3);
    f.feed.search({ range: day, filter: { environments: ['preview'] } });
    assert.strictEqual(f.count(), 0);
    await f.clock.advance(0);
    assert.deepEqual(f.queries.at(-1)?.filters.environments, ['preview']);
  });

  it('looks at nothing without a search', async () => {
    const f = await loaded(3);
    f.feed.search(undefined);
    await f.clock.advance(hour);
    assert.strictEqual(f.count(), 0);
    assert.lengthOf(f.queries, 1);
  });

  it(`says why it failed, keeps what it has and tries less often ${covers('F20', 'unit')}`, async () => {
    const f = await loaded(3);
    f.server.on.query = () => {
      throw refusal(400);
    };
    await f.clock.advance(31 * second);
    assert.propertyVal(f.feed.state.error, 'status', 400);
    assert.strictEqual(f.count(), 3);
    const { length } = f.queries;
    await f.clock.advance(40 * second);
    assert.lengthOf(f.queries, length);
    f.server.on.query = () => undefined;
    await f.clock.advance(21 * second);
    assert.isUndefined(f.feed.state.error);
  });

  it(`shows nothing of before once the permission is missing ${covers('F30', 'unit')}`, async () => {
    const f = await loaded(3);
    f.server.on.query = () => {
      throw refusal(403);
    };
    await f.clock.advance(31 * second);
    assert.strictEqual(f.count(), 0);
    assert.propertyVal(f.feed.state.error, 'status', 403);
    assert.isUndefined(f.feed.state.at);
  });

  it(`looks from the start when what the key may see has changed, three times at most ${covers('F30', 'unit')}`, async () => {
    const f = await loaded(3);
    f.server.admin.changeAccess('demo-full');
    f.fail(1);
    await f.clock.advance(31 * second);
    assert.strictEqual(f.count(), 4);
    assert.isTrue(f.feed.state.isAll);
    // It changes all the time: after the first page, and twice after two.
    let changes = 0;
    f.server.on.page = (page) => ({ ...page, accessRevision: `${changes++}` });
    f.fail(1000);
    const { length } = f.queries;
    await f.clock.run(f.feed.refresh());
    assert.lengthOf(f.queries, length + 1 + 2 + 2);
  });

  it('asks for a range that ends after it begins, also when the wall clock is set back', async () => {
    const f = await loaded(3);
    f.clock.jump(-hour);
    await f.clock.advance(31 * second);
    const { from = '', to = '' } = f.queries.at(-1)?.filters ?? {};
    assert.isBelow(Date.parse(from), Date.parse(to));
    assert.isUndefined(f.feed.state.error);
  });

  it('says that it looked at a part only while that is in the range', async () => {
    const f = await loaded(3);
    f.feed.search({ range: hour, filter: {} });
    f.server.on.page = (page) => ({ ...page, partial: true });
    await f.clock.advance(0);
    assert.isTrue(f.feed.state.isPartial);
    f.server.on.page = (page) => page;
    await f.clock.advance(hour / 2);
    assert.isTrue(f.feed.state.isPartial);
    await f.clock.advance(hour);
    assert.isFalse(f.feed.state.isPartial);
  });

  it('does not say that it looked at all if the server has more after empty pages', async () => {
    const f = fed();
    f.fail(2600);
    f.server.on.page = (page) => ({ ...page, records: [] });
    await f.clock.advance(second);
    f.feed.setWanted(true);
    await f.clock.advance(0);
    assert.lengthOf(f.queries, 5);
    assert.isTrue(f.feed.state.isPartial);
  });

  it(`says nothing about errors that it dropped before it has looked again ${covers('F30', 'unit')}`, async () => {
    const f = await loaded(3);
    f.server.on.page = (page) => {
      f.server.on.query = () => {
        throw refusal(400);
      };
      return { ...page, accessRevision: 'other' };
    };
    await f.clock.advance(31 * second);
    assert.propertyVal(f.feed.state.error, 'status', 400);
    assert.strictEqual(f.count(), 0);
    assert.isUndefined(f.feed.state.at);
  });

  it('finds the errors of more workloads than a query can name', async () => {
    const f = fed();
    const ids = Array.from({ length: 60 }, (_, index) => uuid(index));
    f.fail(1, { workloadId: uuid(59) });
    f.fail(1, { workloadId: uuid(99) });
    await f.clock.advance(second);
    f.feed.search({ range: day, filter: { workloadIds: ids } });
    f.feed.setWanted(true);
    await f.clock.advance(0);
    assert.isUndefined(f.feed.state.error);
    assert.deepEqual(
      f.groups.kinds.flatMap(({ workloads }) => workloads.map(({ id }) => id)),
      [uuid(59)],
    );
  });

  it('ends without a timer', async () => {
    const f = await loaded(3);
    f.feed.dispose();
    await f.clock.advance(hour);
    assert.strictEqual(f.clock.liveTimers - f.server.liveTimers, 0);
    assert.lengthOf(f.queries, 1);
  });
});
