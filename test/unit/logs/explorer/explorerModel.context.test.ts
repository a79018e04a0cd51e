import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { RecordGoneError } from '../../../../src/logs/explorer/explorerModel';
import { rowKey } from '../../../../src/logs/explorer/recordRows';
import { idAt } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { explored, followingOf, type Explored } from './explored';
import { numbers } from './searched';

const other = 'd'.repeat(64);

/** An explorer of 300 records, every third of which is of another container. */
function fresh(): Explored {
  const e = explored();
  for (let index = 0; index < 300; index++) {
    e.server.append(1, index % 3 === 0 ? { containerId: other } : {});
  }
  return e;
}

/** One with the last of these records. */
async function shown(): Promise<Explored> {
  const e = fresh();
  await e.run();
  for (let times = 0; times < 40; times++) await e.after(() => e.explorer.load('older'));
  return e;
}

function recordOf({ explorer }: Explored, number: number): LogRecord {
  return (
    explorer.records.find(({ eventId }) => eventId === idAt(number)) ??
    assert.fail(`${number} is not shown.`)
  );
}

const multiples = (from: number, to: number): number[] =>
  Array.from({ length: 300 }, (_, index) => index).filter(
    (index) => index % 3 === 0 && index >= from && index <= to,
  );

describe('explorer session with a context', () => {
  it('shows it in place of the results, which come back unchanged', async () => {
    const e = await shown();
    const before = e.numbers();
    const { epoch } = e.explorer.state;
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    const { context, older, newer, search, loading } = e.states.at(-1)!;
    assert.deepEqual(
      [context?.eventId, older, newer, loading],
      [idAt(201), { kind: 'reached' }, { kind: 'reached' }, undefined],
    );
    assert.isDefined(search);
    assert.deepEqual(e.numbers(), multiples(201 - 150, 201 + 150));
    assert.equal(e.explorer.state.epoch, epoch + 1);
    const { length } = e.server.queries;
    await e.after(() => {
      e.explorer.load('older');
      e.explorer.load('newer');
      e.explorer.follow();
    });
    assert.lengthOf(e.server.queries, length);
    await e.after(() => e.explorer.back());
    assert.isUndefined(e.explorer.state.context);
    assert.deepEqual(e.numbers(), before);
    assert.equal(e.explorer.focus?.eventId, idAt(201), 'the record that it was of');
    assert.equal(e.explorer.state.epoch, epoch + 2);
    await e.after(() => e.explorer.load('older'));
    assert.isAbove(e.numbers().length, before.length);
  });

  it('finds the records that it shows by their keys, and none that it does not show', async () => {
    const e = await shown();
    const { explorer } = e;
    const result = recordOf(e, 202);
    const isFound = (record: LogRecord): boolean => explorer.recordOf(rowKey(record)) === record;
    assert.isTrue(isFound(result));
    await e.after(() => explorer.showContext(recordOf(e, 201)));
    assert.deepEqual([isFound(result), explorer.records.every(isFound)], [false, true]);
    await e.after(() => explorer.back());
    assert.isTrue(isFound(result));
    explorer.clear();
    assert.isFalse(isFound(result));
  });

  it('does not request it with an id or time that no request may contain', async () => {
    const e = await shown();
    const { length } = e.server.queries;
    for (const odd of [
      { containerId: 'web-1' },
      { containerId: '' },
      { timestamp: 'never', ingestedAt: '' },
      { timestamp: '9999-12-31T23:59:59Z' },
    ]) {
      await e.after(() => e.explorer.showContext({ ...recordOf(e, 201), ...odd }));
    }
    assert.lengthOf(e.server.queries, length);
    assert.deepEqual([e.explorer.state.loading, e.explorer.state.failure], [undefined, undefined]);
  });

  it('shows the context of a record in another context', async () => {
    const e = await shown();
    const before = e.numbers();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    await e.after(() => e.explorer.showContext(recordOf(e, 60)));
    assert.deepEqual(e.numbers(), multiples(0, 210));
    await e.after(() => e.explorer.back());
    assert.deepEqual(e.numbers(), before);
  });

  it('keeps loading the results behind it', async () => {
    const e = await shown();
    const before = e.numbers();
    const record = recordOf(e, 201);
    let go = (): void => undefined;
    e.server.on.query = () => new Promise((resolve) => (go = resolve));
    await e.after(() => e.explorer.load('older'));
    e.accept();
    await e.after(() => e.explorer.showContext(record));
    e.events.length = 0;
    await e.after(() => go());
    assert.deepEqual([e.events, e.explorer.state.context], [[], record]);
    await e.after(() => e.explorer.back());
    assert.deepEqual(e.numbers().slice(4), before);
  });

  it('pauses following and loses nothing', async () => {
    const e = await shown();
    await e.after(() => e.explorer.follow());
    const before = e.numbers();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    e.events.length = 0;
    await e.after(() => e.server.append(4));
    assert.deepEqual([e.events, e.explorer.state.following?.newRecords], [[], 4]);
    await e.after(() => e.explorer.back());
    assert.deepEqual(e.events, [`replace ${before[0]}-299`, 'newer 300-303']);
    assert.equal(followingOf(e), 'live');
  });

  it('keeps an earlier pause, and does not follow again after a stop', async () => {
    const e = await shown();
    await e.after(() => e.explorer.follow());
    e.explorer.pause();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    await e.after(() => e.explorer.back());
    assert.equal(followingOf(e), 'paused');
    e.explorer.follow();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    await e.after(() => e.explorer.stopFollowing());
    await e.after(() => e.server.append(4));
    await e.after(() => e.explorer.back());
    assert.isUndefined(e.explorer.state.following);
    await e.after(() => e.explorer.load('newer'));
    assert.equal(e.events.at(-1), 'newer 300-303');
  });

  it('says when it loads, and ends that for another one, when cancelled and on the way back', async () => {
    const e = await shown();
    const open = (): number => e.server.admin.requests().filter(({ isOver }) => !isOver).length;
    const said = (): boolean => e.states.at(-1)?.loading !== undefined;
    e.server.on.query = () => new Promise(() => undefined);
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    const requests = open();
    assert.isAbove(requests, 0);
    assert.isTrue(said());
    await e.after(() => e.explorer.showContext(recordOf(e, 204)));
    assert.equal(open(), requests);
    for (const end of ['cancel', 'back'] as const) {
      await e.after(() => e.explorer.showContext(recordOf(e, 201)));
      await e.after(() => e.explorer[end]());
      assert.deepEqual([open(), said()], [0, false], end);
    }
  });

  it('keeps the results if the context fails or is cancelled', async () => {
    const e = await shown();
    const before = e.numbers();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    e.refuse(404);
    await e.after(() => e.explorer.showContext(recordOf(e, 60)));
    const failed = e.states.at(-1);
    assert.deepEqual([failed?.context?.eventId, failed?.loading], [idAt(201), undefined]);
    assert.propertyVal(failed?.failure, 'status', 404);
    await e.after(() => e.explorer.back());
    assert.isUndefined(e.states.at(-1)?.failure);
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    e.server.on.query = () => e.explorer.cancel();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    const { failure, loading, context } = e.explorer.state;
    assert.deepEqual([failure, loading, context], [undefined, undefined, undefined]);
    assert.deepEqual(e.numbers(), before);
  });

  it('closes it when another search starts, and keeps it if that fails', async () => {
    const e = await shown();
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    e.refuse(404);
    await e.run('severity:error');
    assert.equal(e.explorer.state.context?.eventId, idAt(201));
    assert.propertyVal(e.explorer.state.failure, 'status', 404);
    e.accept();
    await e.run('severity:error');
    assert.deepEqual([e.explorer.state.context, e.numbers()], [undefined, []]);
  });

  it(`removes it and the results when access is lost ${covers('F30', 'unit')}`, async () => {
    for (const lose of [
      (e: Explored) => {
        e.key = undefined;
        e.explorer.keyChanged();
      },
      (e: Explored) => {
        e.refuse(403);
        e.explorer.showContext(recordOf(e, 60));
      },
    ]) {
      const e = await shown();
      await e.after(() => e.explorer.showContext(recordOf(e, 201)));
      await e.after(() => lose(e));
      assert.deepEqual(e.numbers(), []);
      assert.isDefined(e.explorer.state.failure);
      await e.after(() => e.explorer.back());
      assert.deepEqual(e.numbers(), []);
    }
  });

  it(`loads the results again instead when permissions have changed ${covers('F30', 'unit')}`, async () => {
    const e = await shown();
    e.server.admin.changeAccess('demo-full');
    e.events.length = 0;
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    assert.deepEqual(e.events, ['replace -', 'replace 295-299']);
    assert.deepEqual([e.explorer.state.accessChanged, e.explorer.state.context], [true, undefined]);
  });

  it(`closes it when the stream of the results reports other permissions ${covers('F30', 'unit')}`, async () => {
    const e = await shown();
    await e.after(() => e.explorer.follow());
    await e.after(() => e.server.append(1));
    await e.after(() => e.explorer.showContext(recordOf(e, 201)));
    e.events.length = 0;
    e.server.admin.changeAccess('demo-full');
    await e.after(() => e.server.append(1));
    assert.deepEqual(e.events, ['replace -', 'replace 297-301']);
    assert.isUndefined(e.explorer.state.context);
  });

  it('shows a record that is in no list, with those around it, and says if it is gone', async () => {
    const place = recordOf(await shown(), 201);
    const e = fresh();
    await e.after(() => e.explorer.showRecord(place));
    assert.equal(e.explorer.state.context?.eventId, idAt(201));
    assert.deepEqual(e.numbers(), multiples(201 - 150, 201 + 150));
    await e.after(() => e.explorer.back());
    assert.deepEqual([e.explorer.state.context, e.numbers()], [undefined, []]);

    await e.after(() => e.explorer.showRecord({ ...place, eventId: 'another' }));
    assert.instanceOf(e.explorer.state.failure, RecordGoneError);
    assert.isUndefined(e.explorer.state.context);
  });

  it('shows a record in the middle of 100,000 after two requests', async () => {
    const e = explored();
    const place = e.server.append(100_000)[50_000] ?? assert.fail();
    await e.after(() => e.explorer.showRecord(place));
    assert.equal(e.explorer.state.context?.eventId, idAt(50_000));
    assert.deepEqual(e.numbers(), numbers(50_000 - 50, 50_000 + 51));
    assert.lengthOf(e.server.queries, 2);
  });

  it('is tried again where nothing else is shown', async () => {
    const place = recordOf(await shown(), 201);
    const e = fresh();
    e.refuse(404);
    await e.after(() => e.explorer.showRecord(place));
    assert.isDefined(e.explorer.state.failure);
    e.accept();
    await e.after(() => e.explorer.load('older'));
    assert.equal(e.explorer.state.context?.eventId, idAt(201));
  });
});
