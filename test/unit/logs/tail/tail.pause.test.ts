import { assert } from 'chai';
import { idAt } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { ids } from '../logServer';
import { followed, type Followed } from './followed';

describe('received records', () => {
  it('are announced when more arrive, and while some are left', async () => {
    const f = followed({ takes: false });
    await f.begin();
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

  it(`are shown after a pause that began before the listener took them ${covers('F35, F64', 'unit')}`, async () => {
    const f = followed({ takesAfter: () => 100 });
    await f.begin();
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
    fails: (f: Followed) => f.server.open[0]?.fail(403),
  })) {
    it(`are shown if the tail ${name} in a pause, before anything else ${covers('F64', 'unit')}`, async () => {
      const f = followed();
      f.server.append(1);
      await f.begin();
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

  it(`are shown at the next start if they were not taken when the tail ended ${covers('F64', 'unit')}`, async () => {
    const f = followed({ takes: false });
    f.server.append(3);
    await f.begin();
    f.tail.stop();
    const before = f.receipts;
    f.tail.start();
    assert.isAbove(f.receipts, before);
    f.take();
    assert.deepEqual(f.ids(), ids(0, 3));
  });

  it('are all shown in order after a pause', async () => {
    const f = followed();
    f.server.append(1);
    f.tail.start();
    await f.shown();
    f.tail.pause();
    f.tail.pause();
    f.server.append(2);
    await f.clock.advance(0);
    f.server.open[0]?.cut();
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

  it(`are counted exactly if a pause drops some, including those from before it ${covers('F36', 'unit')}`, async () => {
    const f = followed({
      bufferRecords: 100,
      initialLines: 1,
      takesAfter: () => 100,
      plane: { unkind: { streamPage: 7 } },
    });
    f.server.append(1);
    f.tail.start();
    await f.shown();
    f.server.append(5);
    await f.clock.advance(0);
    assert.equal(f.tail.counters.received, 6);
    assert.deepEqual(f.ids(), ids(0, 1));
    f.tail.pause();
    f.server.append(700);
    await f.clock.advance(1000);
    assert.deepEqual(f.tail.state, { kind: 'paused', newRecords: 700 });
    f.tail.resume();
    await f.shown();
    assert.deepEqual(f.outputs[1], { kind: 'dropped', count: 607 });
    assert.deepEqual(f.ids(), [idAt(0), ...ids(608, 706)]);
    const { received, handedOn, dropped } = f.tail.counters;
    assert.deepEqual([received, handedOn, dropped], [706, 99, 607]);
  });

  it(`are all accounted for if 100,000 a second arrive faster than they are shown ${covers('F36', 'unit')}`, async function () {
    this.timeout(120_000);
    const seconds = shortOrLong(0.3, 10);
    const bufferRecords = shortOrLong(5000, 50_000);
    const f = followed({ takes: false, bufferRecords });
    await f.begin();
    let shown = 0;
    let dropped = 0;
    let markers = 0;
    const take = (maxRecords?: number): void => {
      for (const output of f.tail.take(maxRecords)) {
        if (output.kind === 'dropped') {
          dropped += output.count;
          markers++;
        }
        if (output.kind !== 'records') continue;
        for (const { eventId } of output.records) {
          if (eventId !== idAt(shown + dropped)) assert.fail(`${eventId} at ${shown + dropped}`);
          shown++;
        }
      }
    };
    let sent = 0;
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      sent += f.server.append(10_000).length;
      await f.clock.advance(100);
      // About as many as VS Code appends in that time; in the middle there is a pause.
      if (tenth % 10 === 1) f.tail.pause();
      if (tenth % 10 === 2) f.tail.resume();
      take(3000);
    }
    take();
    assert.deepEqual([sent, shown + dropped], [seconds * 100_000, seconds * 100_000]);
    assert.isAbove(dropped, sent / 2);
    assert.isAbove(markers, 1);
    const { received, handedOn, dropped: counted } = f.tail.counters;
    assert.deepEqual([received, handedOn, counted], [sent, shown, dropped]);
  });

  it('wait for a pause that began before the first connect; a tail that ended cannot be paused', async () => {
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
