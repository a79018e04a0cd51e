import { assert } from 'chai';
import fc from 'fast-check';
import { readSavedTails, TailSaver } from '../../../../src/logs/tail/savedTails';
import { fakeClock } from '../../fakeClock';

const position = {
  from: '2026-11-20T12:00:00Z',
  to: '2027-11-20T12:00:00Z',
  cursor: 'c',
  seen: ['e-1'],
};
const tail = {
  ...{ filter: { severities: ['error'] }, label: 'errors', position },
  ...{ paused: true, ownChannel: true },
};

describe('saved tails', () => {
  it('are read back as saved', () => {
    const saved = { connection: 'https://cp.example a', tails: [tail] };
    assert.deepEqual(readSavedTails(JSON.parse(JSON.stringify(saved))), {
      connection: saved.connection,
      tails: [{ ...tail, filter: { severities: ['error'] } }],
    } as never);
  });

  it('are left out if they cannot be followed, without the others', () => {
    const saved = readSavedTails({
      connection: 'c',
      tails: [{ ...tail, filter: { severities: ['loud'] } }, { ...tail, label: 7 }, null, tail],
    });
    assert.lengthOf(saved!.tails, 1);
  });

  for (const broken of [
    null,
    { ...position, cursor: 7 },
    { ...position, seen: [7] },
    { ...position, to: undefined },
  ]) {
    it(`start from the beginning if their position is ${JSON.stringify(broken)}`, () => {
      const saved = readSavedTails({ connection: 'c', tails: [{ ...tail, position: broken }] });
      assert.isUndefined(saved!.tails[0]!.position);
    });
  }

  it('never throw, whatever was stored', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (value, other) => {
        readSavedTails(value);
        readSavedTails({ connection: 'c', tails: [other, { filter: other, label: 'x' }] });
      }),
    );
  });
});

function saver() {
  const clock = fakeClock();
  const start = clock.monotonic();
  const writes: (readonly [at: number, state: object])[] = [];
  const current: { state: object | undefined } = { state: undefined };
  const tested = new TailSaver(
    clock,
    () => current.state,
    (state) => {
      writes.push([clock.monotonic() - start, state]);
      return Promise.resolve();
    },
  );
  return { clock, writes, current, tested };
}

describe('the saver of tails', () => {
  it('saves at once, then at most every two seconds, the last state at the latest then', async () => {
    const { clock, writes, current, tested } = saver();
    for (let time = 0; time < 5000; time += 100) {
      current.state = { time };
      tested.schedule();
      await clock.advance(100);
    }
    await clock.advance(10_000);
    assert.deepEqual(writes, [
      [0, { time: 0 }],
      [2000, { time: 1900 }],
      [4000, { time: 3900 }],
      [6000, { time: 4900 }],
    ]);
    current.state = {};
    tested.schedule();
    await clock.advance(0);
    assert.deepEqual(writes.at(-1), [15_000, {}]);
  });

  it('writes nothing if nothing has changed, or if there is nothing to save', async () => {
    const { clock, writes, current, tested } = saver();
    current.state = {};
    for (let time = 0; time < 10; time++) {
      tested.schedule();
      await clock.advance(5000);
    }
    assert.lengthOf(writes, 1);
    current.state = undefined;
    await tested.save();
    current.state = {};
    await tested.save();
    assert.lengthOf(writes, 1);
  });

  it('writes one state after the other, so that the last one stays however long the others take', async () => {
    const { clock } = saver();
    const written: string[] = [];
    let finish = (): void => undefined;
    const slow = new TailSaver(
      clock,
      () => ({ at: clock.monotonic() }),
      async () => {
        written.push('begins');
        await new Promise<void>((resolve) => (finish = resolve));
        written.push('ends');
      },
    );
    void slow.save();
    await clock.advance(1);
    const last = slow.save();
    await clock.advance(0);
    assert.deepEqual(written, ['begins']);
    finish();
    await clock.advance(0);
    finish();
    await last;
    assert.deepEqual(written, ['begins', 'ends', 'begins', 'ends']);
  });

  it('saves at the end what it has not saved yet, and then leaves no timer', async () => {
    const { clock, writes, current, tested } = saver();
    current.state = { number: 1 };
    tested.schedule();
    await clock.advance(0);
    current.state = { number: 2 };
    tested.schedule();
    await tested.save();
    assert.deepEqual(
      writes.map(([, state]) => state),
      [{ number: 1 }, { number: 2 }],
    );
    assert.equal(clock.liveTimers, 0);
  });
});
