import { assert } from 'chai';
import { createDrawPace } from '../../../src/trees/drawPace';
import { fakeClock } from '../fakeClock';

describe('the pace of a tree', () => {
  function pace() {
    const clock = fakeClock();
    const start = clock.monotonic();
    const times: number[] = [];
    return {
      clock,
      times,
      pace: createDrawPace(clock, () => times.push(clock.monotonic() - start)),
    };
  }

  it('draws at once after a quiet time, and then all changes of 250 ms together', async () => {
    const tree = pace();
    for (let ms = 0; ms < 600; ms += 10) {
      tree.pace.soon();
      await tree.clock.advance(10);
    }
    assert.deepEqual(tree.times, [0, 250, 500]);
  });

  it('draws less often if that takes long', async () => {
    const clock = fakeClock();
    let spent = 0;
    let draws = 0;
    const slow = { ...clock, monotonic: () => clock.monotonic() + spent };
    const tree = createDrawPace(slow, () => {
      spent += 200;
      draws++;
    });
    tree.soon();
    await clock.advance(0);
    tree.soon();
    await clock.advance(599);
    assert.equal(draws, 1);
    await clock.advance(1);
    assert.equal(draws, 2);
  });

  it('draws nothing while rows are on their way to the window', async () => {
    const tree = pace();
    tree.pace.answered(undefined, []);
    tree.pace.soon();
    await tree.clock.advance(99);
    assert.deepEqual(tree.times, []);
    await tree.clock.advance(1);
    assert.deepEqual(tree.times, [100]);
  });

  it('waits until VS Code has requested the children of each open row', async () => {
    const tree = pace();
    tree.pace.answered('source', ['environment', 'other']);
    tree.pace.soon();
    await tree.clock.advance(500);
    tree.pace.answered('environment', []);
    await tree.clock.advance(200);
    assert.deepEqual(tree.times, []);
    tree.pace.answered('other', []);
    await tree.clock.advance(100);
    assert.deepEqual(tree.times, [800]);
  });

  it('draws after a second if VS Code does not request the children of an open row', async () => {
    const tree = pace();
    tree.pace.answered('source', ['environment']);
    tree.pace.soon();
    await tree.clock.advance(2000);
    assert.deepEqual(tree.times, [1000]);
    // That row is no longer waited for.
    tree.pace.answered('other', []);
    tree.pace.soon();
    await tree.clock.advance(100);
    assert.deepEqual(tree.times, [1000, 2100]);
  });

  it('draws earlier if a command waits for it, but not while rows are on their way', async () => {
    const tree = pace();
    tree.pace.soon(1000);
    tree.pace.answered(undefined, []);
    let isDrawn = false;
    void tree.pace.drawn().then(() => (isDrawn = true));
    await tree.clock.advance(99);
    assert.isFalse(isDrawn);
    await tree.clock.advance(1);
    assert.isTrue(isDrawn);
    assert.deepEqual(tree.times, [100]);
    void tree.pace.drawn().then(() => (isDrawn = false));
    tree.pace.dispose();
    await tree.clock.advance(0);
    assert.isFalse(isDrawn, 'no command waits for ever');
  });

  it('draws nothing after dispose, and leaves no timer', async () => {
    const tree = pace();
    tree.pace.soon();
    tree.pace.dispose();
    assert.equal(tree.clock.liveTimers, 0);
    await tree.clock.advance(1000);
    assert.deepEqual(tree.times, []);
  });
});
