import { assert } from 'chai';
import { Failure, NoAnswer } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { ids, refusal } from '../logServer';
import { followed, type Followed, liveTail, refuseConnect } from './followed';

const minute = 60_000;

function gaps({ outputs }: Followed) {
  return outputs.flatMap((output) => (output.kind === 'gap' ? [output] : []));
}

describe('a tail whose cursor is refused', () => {
  for (const [name, error] of [
    ['409', refusal(409)],
    ['410', refusal(410)],
    ['422', refusal(422)],
    ['400 that names the cursor', new Failure(400, 'No.', 'bad_cursor')],
  ] as const) {
    it(`starts again at the last record and marks the gap: ${name} ${covers('F21', 'unit')}`, async () => {
      const f = await liveTail();
      refuseConnect(f.server, 2, error);
      f.server.open[0]?.cut();
      f.server.append(1200);
      await f.clock.advance(1000);
      f.server.append(2);
      await f.clock.advance(0);
      assert.deepEqual(await f.shown(), ids(0, 1205));
      assert.deepEqual(f.parts(), ['records', 'gap', 'records']);
      assert.lengthOf(gaps(f), 1);
      const { status, code } = error;
      assert.deepInclude(gaps(f)[0]?.error, { status, code });
      assert.equal(f.tail.state.kind, 'live');
      assert.equal(f.tail.counters.repeated, 3);
    });
  }

  it(`does so at most once a minute ${covers('F21', 'unit')}`, async () => {
    const f = await liveTail();
    const queries: number[] = [];
    f.server.on.query = () => void queries.push(f.clock.monotonic());
    f.server.on.open = (stream) => {
      f.server.append(1);
      stream.fail(410);
    };
    f.server.open[0]?.fail(410);
    await f.clock.advance(10 * minute);
    queries.slice(1).forEach((at, index) => assert.isAtLeast(at - queries[index]!, minute));
    assert.isAtLeast(queries.length, 9);
    assert.deepEqual(await f.shown(), ids(0, f.server.log.length));
  });

  it(`fails if a cursor that is brand-new is refused too ${covers('F22', 'unit')}`, async () => {
    const f = await liveTail();
    f.server.on.connect = () => Promise.reject(refusal(422));
    f.server.open[0]?.cut();
    await f.clock.advance(10 * minute);
    const { state } = f.tail;
    assert.equal(state.kind === 'failed' && state.why.kind, 'refused');
    assert.lengthOf(f.server.connects, 3);
    assert.lengthOf(gaps(f), 1);
  });

  it('starts again if another cursor is refused after an hour of silence', async () => {
    const f = await liveTail({ plane: { heartbeatSeconds: 30 } });
    const refuse = (): void => f.server.open[0]?.fail(410);
    refuse();
    await f.clock.advance(60 * minute);
    refuse();
    await f.clock.advance(minute);
    assert.equal(f.tail.state.kind, 'live');
    assert.lengthOf(gaps(f), 2);
  });

  it('marks the gap even if nothing was shown before, and shows what there is', async () => {
    const f = followed();
    await f.begin();
    refuseConnect(f.server, 2, refusal(410));
    f.server.open[0]?.end();
    f.server.append(2);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), ids(0, 2));
    assert.lengthOf(gaps(f), 1);
  });

  it('catches up with as many records as the limit allows, newest first', async () => {
    const f = await liveTail();
    refuseConnect(f.server, 2, refusal(410));
    f.server.open[0]?.end();
    f.server.append(12_000);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 3), ...ids(2003, 12_003)]);
    assert.lengthOf(gaps(f), 1);
  });

  it('continues if the history fails meanwhile', async () => {
    const f = await liveTail();
    f.server.on.query = () => {
      if (f.server.queries.length < 4) throw new NoAnswer();
    };
    f.server.open[0]?.fail(410);
    f.server.append(1);
    await f.clock.advance(minute);
    assert.deepEqual(await f.shown(), ids(0, 4));
    assert.lengthOf(gaps(f), 1);
  });

  it('keeps records without a valid timestamp', async () => {
    const f = followed();
    f.server.append(2);
    await f.begin();
    const page = f.server.open[0]!.page(0, 1);
    const odd = { ...page.records[0]!, eventId: 'odd', timestamp: 'yesterday' };
    f.server.open[0]!.send({ ...page, records: [odd] });
    f.server.open[0]?.fail(410);
    f.server.append(1);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 2), 'odd', ...ids(2, 3)]);
    assert.lengthOf(gaps(f), 1);
  });
});

describe('a tail', () => {
  it(`reports a partial page, once for each time ${covers('F29', 'unit')}`, async () => {
    const f = await liveTail();
    let partial = false;
    f.server.on.page = (page) => ({ ...page, partial });
    for (partial of [true, true, false, true]) {
      f.server.append(1);
      await f.shown();
    }
    assert.deepEqual(f.parts(), ['records', 'partial', 'records', 'partial', 'records']);
  });

  it(`reports changed access before the first record with it ${covers('F30', 'unit')}`, async () => {
    const f = await liveTail();
    f.server.append(1);
    await f.shown();
    f.server.on.page = (page) => ({ ...page, accessRevision: 'revision-2' });
    f.server.append(1);
    f.server.append(1);
    await f.shown();
    assert.deepEqual(f.parts(), ['records', 'accessChanged', 'records']);
  });

  it('compares no access revision of a query with one of the stream', async () => {
    const f = followed();
    let queries = 0;
    f.server.append(2);
    const revision = (): string =>
      `of ${f.server.connects.length === 0 ? 'queries' : 'the stream'}`;
    f.server.on.page = (page) => ({ ...page, accessRevision: revision() });
    await f.begin();
    f.server.append(2);
    await f.shown();
    assert.deepEqual(f.parts(), ['records']);
    f.server.open[0]?.end();
    await f.clock.advance(2000);
    f.server.append(1);
    f.server.on.page = (page) => ({ ...page, accessRevision: `${++queries}` });
    await f.shown();
    assert.deepEqual(f.parts(), ['records', 'accessChanged', 'records']);
  });
});

describe('what a lost cursor may have missed', () => {
  const hour = 60 * minute;
  /** Loses the cursor of a tail, and appends records with these times meanwhile, in milliseconds from now. */
  async function loseCursor(f: Followed, ...times: number[]): Promise<void> {
    refuseConnect(f.server, f.server.connects.length + 1, refusal(410));
    f.server.open[0]?.end();
    for (const time of times) appendAt(f, time);
    await f.clock.advance(2000);
  }
  function appendAt({ server, clock }: Followed, time: number): void {
    server.append(1, { timestamp: new Date(clock.now() + time).toISOString() });
  }

  for (const [what, last, ...times] of [
    ['stamped before the last record, whose clock is ahead', hour, 0, minute],
    ['that came late, and was stamped before the last record', 0, -minute, -2 * minute, 0],
    ['stamped in any order', -hour, -2 * minute, hour, 0],
  ] as const) {
    it(`is shown: a record ${what} ${covers('F21, F27', 'unit')}`, async () => {
      const f = await liveTail();
      appendAt(f, last);
      await f.shown();
      await loseCursor(f, ...times);
      assert.sameMembers(await f.shown(), ids(0, 4 + times.length));
      assert.lengthOf(f.ids(), 4 + times.length);
    });
  }

  it('is not what was there before the tail started, whichever record came last', async () => {
    const f = followed({ initialLines: 3 });
    f.server.append(1700);
    f.clock.jump(hour);
    await f.begin();
    appendAt(f, -3 * hour);
    await f.shown();
    await loseCursor(f, 0);
    assert.deepEqual(await f.shown(), [...ids(1697, 1701), ...ids(1701, 1702)]);
  });

  it('ends where all is known, and needs no more requests than that', async () => {
    const f = followed({ initialLines: 1000 });
    f.server.append(9000);
    await f.begin();
    const before = f.server.queries.length;
    await loseCursor(f, 0);
    assert.deepEqual(await f.shown(), ids(8000, 9001));
    assert.isAtMost(f.server.queries.length - before, 3);
  });

  it('is found again if the access changes between two pages', async () => {
    const f = await liveTail();
    refuseConnect(f.server, 2, refusal(410));
    f.server.open[0]?.end();
    f.server.append(700);
    const { length } = f.server.queries;
    f.server.on.query = () => {
      if (f.server.queries.length === length + 2) f.server.admin.changeAccess('demo-full');
    };
    await f.clock.advance(2000);
    assert.deepEqual(await f.shown(), ids(0, 703));
  });
});
