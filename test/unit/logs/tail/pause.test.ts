import { assert } from 'chai';
import { followed } from './followed';
import { sampleRecord } from '../sampleRecord';
import { idAt, ids, networkError } from './simulatedServer';

describe('What a tail has received', () => {
  it('tells once that there is something to take, until all was taken', async () => {
    const f = followed({ takes: false });
    f.server.append(3);
    f.tail.start();
    await f.clock.advance(0);
    f.server.append(3);
    await f.clock.advance(0);
    assert.equal(f.receipts, 1);
    f.take(4);
    f.server.append(1);
    await f.clock.advance(0);
    assert.equal(f.receipts, 1);
    assert.deepEqual(f.ids(), ids(0, 4));
    f.take();
    f.server.append(1);
    await f.clock.advance(0);
    assert.equal(f.receipts, 2);
    f.take();
    assert.deepEqual(f.ids(), ids(0, 8));
  });

  it('pauses without losing anything and shows all in order on resume', async () => {
    const f = followed();
    f.server.append(1);
    f.tail.start();
    await f.clock.advance(0);
    f.tail.pause();
    f.tail.pause();
    f.server.append(2);
    await f.clock.advance(0);
    f.server.open[0]?.fail(networkError());
    f.server.append(3);
    await f.clock.advance(1000);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 5 });
    assert.deepEqual(f.tail.take(), []);
    assert.deepEqual(f.ids(), ids(0, 1));
    assert.equal(f.receipts, 1);
    f.tail.resume();
    f.tail.resume();
    assert.deepEqual(f.ids(), ids(0, 6));
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
    await f.clock.advance(0);
    f.tail.pause();
    for (let round = 0; round < 100; round++) f.server.append(7);
    await f.clock.advance(0);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 700 });
    f.tail.resume();
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
    f.take();
    assert.deepEqual(f.ids(), ids(0, 2));
  });
});
