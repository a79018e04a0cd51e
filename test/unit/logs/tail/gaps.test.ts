import { assert } from 'chai';
import { followed, liveTail, type Followed } from './followed';
import { httpError, ids, networkError } from './simulatedServer';

const minute = 60_000;

function gaps({ outputs }: Followed) {
  return outputs.flatMap((output) => (output.kind === 'gap' ? [output] : []));
}

describe('A tail whose cursor is refused', () => {
  for (const [name, error] of [
    ['409', httpError(409)],
    ['410', httpError(410)],
    ['422', httpError(422)],
    ['400 that names the cursor', httpError(400, { code: 'bad_cursor' })],
  ] as const) {
    it(`begins again at the last record and marks the gap: ${name} (F21)`, async () => {
      const f = await liveTail();
      f.server.onConnect = () => {
        if (f.server.connects.length === 2) throw error;
      };
      f.server.open[0]?.fail(networkError());
      f.server.append(1200);
      await f.clock.advance(1000);
      f.server.append(2);
      await f.clock.advance(0);
      assert.deepEqual(await f.shown(), ids(0, 1205));
      assert.deepEqual(f.parts(), ['records', 'gap', 'records']);
      assert.deepEqual(gaps(f), [{ kind: 'gap', since: f.server.log[2]?.timestamp, error }]);
      assert.equal(f.tail.state.kind, 'live');
      assert.equal(f.tail.counters.repeated, 1);
    });
  }

  it('does so as often as once a minute, and no oftener (F21)', async () => {
    const f = await liveTail();
    const queries: number[] = [];
    f.server.onQuery = () => void queries.push(f.clock.monotonic());
    f.server.onOpen = (connection) => {
      f.server.append(1);
      connection.sendNews();
      connection.fail(httpError(410));
    };
    f.server.open[0]?.fail(httpError(410));
    await f.clock.advance(10 * minute);
    queries.slice(1).forEach((at, index) => assert.isAtLeast(at - queries[index]!, minute));
    assert.isAtLeast(queries.length, 9);
    assert.deepEqual(
      await f.shown(),
      f.server.log.map(({ eventId }) => eventId),
    );
  });

  it('stops where a cursor that is brand-new is refused too (F22)', async () => {
    const f = await liveTail();
    f.server.onConnect = () => Promise.reject(httpError(422));
    f.server.open[0]?.fail(networkError());
    await f.clock.advance(10 * minute);
    const { state } = f.tail;
    assert.equal(state.kind === 'failed' && state.why.kind, 'refused');
    assert.lengthOf(f.server.connects, 3);
    assert.lengthOf(gaps(f), 1);
  });

  it('may refuse one again after an hour of silence', async () => {
    const f = await liveTail();
    const refuse = (): void => f.server.open[0]?.fail(httpError(410));
    f.server.onOpen = (connection) => {
      for (let s = 0; s < 3600; s += 30) {
        f.clock.setTimer(() => connection.send({ kind: 'heartbeat' }), s * 1000);
      }
    };
    refuse();
    await f.clock.advance(60 * minute);
    refuse();
    await f.clock.advance(minute);
    assert.equal(f.tail.state.kind, 'live');
    assert.lengthOf(gaps(f), 2);
  });

  it('says so where nothing was shown before, and shows what there is', async () => {
    const f = followed();
    f.tail.start();
    await f.clock.advance(0);
    f.server.onConnect = () => {
      if (f.server.connects.length === 2) throw httpError(410);
    };
    f.server.open[0]?.close();
    f.server.append(2);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), ids(0, 2));
    assert.isUndefined(gaps(f)[0]?.since);
  });

  it('catches up with what the limit allows, newest first', async () => {
    const f = await liveTail();
    f.server.onConnect = () => {
      if (f.server.connects.length === 2) throw httpError(410);
    };
    f.server.open[0]?.close();
    f.server.append(12_000);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 3), ...ids(2003, 12_003)]);
    assert.lengthOf(gaps(f), 1);
  });

  it('does not mind that the history fails meanwhile', async () => {
    const f = await liveTail();
    f.server.onQuery = () => {
      if (f.server.queries.length < 4) throw networkError();
    };
    f.server.open[0]?.fail(httpError(410));
    f.server.append(1);
    await f.clock.advance(minute);
    assert.deepEqual(await f.shown(), ids(0, 4));
    assert.lengthOf(gaps(f), 1);
  });

  it('keeps what has no readable timestamp', async () => {
    const f = followed();
    f.server.append(2);
    f.tail.start();
    await f.clock.advance(0);
    const { filters } = f.server.connects[0]!.request;
    const page = f.server.page(0, 1, filters);
    const odd = { ...page.records[0]!, eventId: 'odd', timestamp: 'yesterday' };
    f.server.open[0]?.send({ kind: 'page', page: { ...page, records: [odd] } });
    f.server.open[0]?.fail(httpError(410));
    f.server.append(1);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 2), 'odd', ...ids(2, 3)]);
    assert.equal(gaps(f)[0]?.since, 'yesterday');
  });
});

describe('A tail', () => {
  it('says that a page is partial, once for each time (F29)', async () => {
    const f = await liveTail();
    f.server.partial = true;
    f.server.append(1);
    f.server.append(1);
    f.server.partial = false;
    f.server.append(1);
    f.server.partial = true;
    f.server.append(1);
    await f.shown();
    assert.deepEqual(f.parts(), ['records', 'partial', 'records', 'partial', 'records']);
  });

  it('says that the access has changed before the records that show it (F30)', async () => {
    const f = await liveTail();
    f.server.accessRevision = 'revision-2';
    f.server.append(1);
    f.server.append(1);
    await f.shown();
    assert.deepEqual(f.parts(), ['records', 'accessChanged', 'records']);
  });
});
