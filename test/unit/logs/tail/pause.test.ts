import { assert } from 'chai';
import { followed, type Followed } from './followed';
import { sampleRecord } from '../sampleRecord';
import { httpError, idAt, ids, networkError } from './simulatedServer';

describe('What a tail has received', () => {
  it('is told of whenever more comes, and as long as something is left', async () => {
    const f = followed({ takes: false });
    f.tail.start();
    await f.clock.advance(0);
    assert.equal(f.receipts, 0);
    const appended = async (count: number): Promise<boolean> => {
      const before = f.receipts;
      f.server.append(count);
      await f.clock.advance(0);
      return f.receipts > before;
    };
    assert.isTrue(await appended(3));
    assert.isTrue(await appended(3));
    f.take(4);
    assert.deepEqual(f.ids(), ids(0, 4));
    assert.isTrue(await appended(1));
    f.take();
    assert.deepEqual(f.ids(), ids(0, 7));
    assert.isFalse(await appended(0));
    f.tail.pause();
    assert.isFalse(await appended(2));
  });

  it('is shown after a pause that came before the listener took it (F35, F64)', async () => {
    const f = followed({ takesAfter: () => 100 });
    f.tail.start();
    await f.clock.advance(0);
    for (let round = 0; round < 12; round++) {
      f.server.append(3);
      await f.clock.advance(50);
      f.tail.pause();
      f.server.append(2);
      await f.clock.advance(200);
      assert.lengthOf(f.ids(), round * 5);
      f.tail.resume();
      assert.deepEqual(await f.shown(), ids(0, (round + 1) * 5));
    }
  });

  for (const [name, end] of Object.entries({
    'is stopped': (f: Followed) => f.tail.stop(),
    fails: (f: Followed) => f.server.open[0]?.fail(httpError(403)),
  })) {
    it(`is shown where the tail ${name} in a pause, before it comes to anything more (F64)`, async () => {
      const f = followed();
      f.server.append(1);
      f.tail.start();
      await f.clock.advance(0);
      f.tail.pause();
      f.server.append(3);
      await f.shown();
      assert.deepEqual(f.ids(), []);
      end(f);
      assert.deepEqual(await f.shown(), ids(0, 4));
      f.tail.start();
      assert.deepEqual(await f.shown(), ids(0, 4));
    });
  }

  it('is shown at the next start where nothing took it when the tail ended (F64)', async () => {
    const f = followed({ takes: false });
    f.server.append(3);
    f.tail.start();
    await f.clock.advance(0);
    f.tail.stop();
    const before = f.receipts;
    f.tail.start();
    assert.isAbove(f.receipts, before);
    f.take();
    assert.deepEqual(f.ids(), ids(0, 3));
  });

  it('pauses without losing anything and shows all in order on resume', async () => {
    const f = followed();
    f.server.append(1);
    f.tail.start();
    await f.shown();
    f.tail.pause();
    f.tail.pause();
    f.server.append(2);
    await f.clock.advance(0);
    f.server.open[0]?.fail(networkError());
    f.server.append(3);
    await f.clock.advance(1000);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 5 });
    assert.deepEqual(f.tail.take(), []);
    assert.deepEqual(await f.shown(), ids(0, 1));
    f.tail.resume();
    f.tail.resume();
    assert.deepEqual(await f.shown(), ids(0, 6));
    assert.deepEqual(f.states, [
      { kind: 'connecting' },
      { kind: 'live' },
      { kind: 'paused', newRecords: 0 },
      { kind: 'paused', newRecords: 2 },
      { kind: 'paused', newRecords: 5 },
      { kind: 'live' },
    ]);
  });

  it('says exactly how much a pause was too long for (F36)', async () => {
    const f = followed({ bufferRecords: 100, initialLines: 1 });
    f.server.append(1);
    f.tail.start();
    await f.shown();
    f.tail.pause();
    for (let round = 0; round < 100; round++) f.server.append(7);
    await f.clock.advance(0);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 700 });
    f.tail.resume();
    await f.shown();
    assert.deepEqual(f.outputs[1], { kind: 'leftOut', count: 602 });
    assert.deepEqual(f.ids(), [idAt(0), ...ids(603, 701)]);
    const { received, handedOn, leftOut } = f.tail.counters;
    assert.deepEqual([received, handedOn, leftOut], [701, 99, 602]);
  });

  it('accounts for each of a million records that come faster than they are shown (F36)', async function () {
    this.timeout(30_000);
    const f = followed({ takes: false });
    f.tail.start();
    await f.clock.advance(0);
    const { filters } = f.server.connects[0]!.request;
    const page = f.server.page(0, 0, filters);
    let shown = 0;
    let leftOut = 0;
    const take = (maxRecords?: number): void => {
      for (const output of f.tail.take(maxRecords)) {
        if (output.kind === 'leftOut') leftOut += output.count;
        if (output.kind !== 'records') continue;
        for (const { eventId } of output.records) {
          if (eventId !== idAt(shown + leftOut)) assert.fail(`${eventId} at ${shown + leftOut}`);
          shown++;
        }
      }
    };
    for (let sent = 0; sent < 1_000_000; sent += 500) {
      const records = ids(sent, sent + 500).map((eventId) => sampleRecord({ eventId }));
      f.server.open[0]?.send({
        kind: 'page',
        page: { ...page, records, followCursor: `behind-${sent}` },
      });
      await f.clock.advance(0);
      if (sent % 10_000 === 0) take(3000);
    }
    take();
    assert.equal(shown + leftOut, 1_000_000);
    assert.isAbove(leftOut, 500_000);
    const { received, handedOn, leftOut: counted } = f.tail.counters;
    assert.deepEqual([received, handedOn, counted], [1_000_000, shown, leftOut]);
  });

  it('pauses before the first connect, and not at all once it has ended', async () => {
    const f = followed();
    f.tail.pause();
    assert.deepEqual(f.states, []);
    f.server.append(2);
    f.tail.start();
    f.tail.pause();
    await f.clock.advance(0);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 2 });
    f.tail.stop();
    assert.equal(f.tail.state.kind, 'stopped');
    assert.deepEqual(await f.shown(), ids(0, 2));
  });
});
