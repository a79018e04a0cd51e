import { assert } from 'chai';
import { rangeBefore, Comparison } from '../../../../src/logs/explorer/comparison';
import { refusal } from '../logServer';
import { searched, startedAt } from './searched';

const pause = () => Promise.resolve();
const { signal } = new AbortController();
const ofAll = { filter: {} };
/** A range of the log, whose records follow every 10 ms. */
const range = (first: number, end: number) => ({
  from: startedAt + first * 10,
  to: startedAt + end * 10 - 1,
});

function setup(records: number, now = range(3000, 6000)) {
  const { clock, server, client } = searched(records);
  const before = { ...ofAll, range: rangeBefore(now, 'periodBefore') };
  const comparison = new Comparison(client, { now: { ...ofAll, range: now }, before }, pause);
  const read = () => clock.run(comparison.read({ signal }));
  return { clock, server, client, comparison, read };
}

describe('comparison', () => {
  it('reads the newest of both sides in five requests each, and more on request', async () => {
    const { server, comparison, read } = setup(6000);
    const first = await read();
    assert.lengthOf(server.queries, 10);
    assert.deepEqual(
      [first.now, first.before].map((side) => [side.records.length, side.isWhole, side.read]),
      [
        [2500, false, [range(3500, 6000)]],
        [2500, false, [range(500, 3000)]],
      ],
    );
    assert.closeTo(first.factor, 1, 0.01);
    assert.isTrue(comparison.canRead);
    const second = await read();
    assert.lengthOf(server.queries, 12);
    assert.deepEqual(
      [second.now, second.before].map((side) => [side.records.length, side.isWhole, side.read]),
      [
        [3000, true, [range(3000, 6000)]],
        [3000, true, [range(0, 3000)]],
      ],
    );
    assert.isFalse(comparison.canRead);
    assert.equal(comparison.result, second);
  });

  it('takes a side that is only sampled for no change', async () => {
    const { read } = setup(9000, range(8000, 9000));
    const { now, before, changes } = await read();
    assert.deepEqual([now.isWhole, before.isWhole], [true, true]);
    const sampled = setup(9000, range(4500, 9000));
    const { changes: ofSample } = await sampled.read();
    for (const { change } of [...changes, ...ofSample]) assert.equal(change, 'same');
  });

  it('compares a part with the rest around it, within the same bounds', async () => {
    const { clock, server, client } = searched(9000);
    const comparison = new Comparison(
      client,
      {
        now: { ...ofAll, range: range(4000, 4500) },
        before: { ...ofAll, range: range(0, 9000) },
      },
      pause,
    );
    const { now, before } = await clock.run(comparison.read({ signal }));
    assert.lengthOf(now.records, 500);
    assert.lengthOf(before.read, 2);
    assert.lengthOf(before.records, 2000);
    const ids = new Set([...now.records, ...before.records].map(({ eventId }) => eventId));
    assert.equal(ids.size, 2500);
    assert.isAtMost(server.queries.length, 2 + 5);
  });

  it('keeps its result if more cannot be read', async () => {
    const { server, comparison, read } = setup(6000);
    const first = await read();
    server.on.query = () => {
      throw refusal(403);
    };
    let failure: unknown;
    await read().catch((error: unknown) => (failure = error));
    assert.propertyVal(failure, 'status', 403);
    assert.equal(comparison.result, first);
  });

  it('finds what sets the records of a pattern apart from all others', async () => {
    const { clock, server, client } = searched();
    server.admin.emit(
      Array.from({ length: 200 }, (_, index) => ({
        body: index % 10 === 0 ? 'no route' : `charged ${index} EUR`,
        attributes: { region: index % 10 === 0 ? 'eu' : 'us' },
      })),
    );
    const to = clock.now();
    const now = { ...ofAll, range: { from: to - 60_000, to } };
    const before = { ...ofAll, range: rangeBefore(now.range, 'periodBefore') };
    const comparison = new Comparison(client, { now, before }, pause);
    const { changes } = await clock.run(comparison.read({ signal }));
    assert.deepEqual(
      changes.map(({ template, change }) => [change, template]),
      [
        ['new', 'charged <n> EUR'],
        ['new', 'no route'],
      ],
    );
    assert.deepInclude(await comparison.apartOf('no route'), {
      field: 'attr.region',
      value: 'eu',
      share: 1,
      otherShare: 0,
    });
  });
});
