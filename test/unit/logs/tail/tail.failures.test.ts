import { assert } from 'chai';
import { event } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { ids, refusal } from '../logServer';
import { followed, heartbeat, liveTail, malformed, outcome, refuseConnect } from './followed';

const minute = 60_000;

describe('a tail that cannot continue', () => {
  describe('fails and says why', () => {
    for (const [status, kind] of [
      [400, 'refused'],
      [403, 'missingPermission'],
      [404, 'notFound'],
      [405, 'refused'],
      [413, 'refused'],
    ] as const) {
      it(`at ${status} on the stream ${covers('F20, F22', 'unit')}`, async () => {
        const f = await liveTail();
        f.server.on.connect = () => Promise.reject(refusal(status));
        f.server.open[0]?.end();
        await f.clock.advance(10 * minute);
        assert.equal(outcome(f), `${kind} code_${status}`);
        const { state } = f.tail;
        assert.match(state.kind === 'failed' ? (state.why.error.requestId ?? '') : '', /^req_/);
        // The error does not say whether 400 is about the cursor, so a fresh one is tried once.
        assert.lengthOf(f.server.connects, status === 400 ? 3 : 2);
        assert.equal(f.liveTimers, 0);
      });
    }

    for (const [status, kind] of [
      [400, 'refused'],
      [403, 'missingPermission'],
      [404, 'notFound'],
      [409, 'refused'],
      [413, 'refused'],
      [422, 'refused'],
    ] as const) {
      it(`at ${status} on the history ${covers('F20, F22', 'unit')}`, async () => {
        const f = followed();
        f.server.on.query = () => Promise.reject(refusal(status));
        f.tail.start();
        await f.clock.advance(10 * minute);
        assert.equal(outcome(f), `${kind} code_${status}`);
        const limits = status === 413 ? [100, 50, 25, 12, 6, 3, 1] : [100];
        assert.deepEqual(
          f.server.queries.map(({ limit }) => limit),
          limits,
        );
      });
    }

    it(`but not at 400 for a lost cursor, however it is described: a fresh one helps ${covers('F21, F71', 'unit')}`, async () => {
      const f = await liveTail({ plane: { unkind: { vagueCursors: true } } });
      refuseConnect(f.server, 2, refusal(400));
      f.server.open[0]?.end();
      f.server.append(2);
      await f.clock.advance(10_000);
      assert.equal(outcome(f), 'live');
      assert.deepEqual(await f.shown(), ids(0, 5));
    });

    it('at a request that our own checks reject', async () => {
      const f = followed({ filter: { search: 'x'.repeat(513) } });
      f.tail.start();
      await f.clock.advance(minute);
      assert.equal(outcome(f), 'refused invalidRequest');
    });

    it(`at malformed events, three times at one cursor ${covers('F10, F11', 'unit')}`, async () => {
      const f = await liveTail();
      f.server.on.open = (stream) => {
        stream.send(heartbeat, event('records', '{"records":[]}'));
      };
      f.server.open[0]?.send(malformed);
      await f.clock.advance(2 * minute);
      assert.equal(outcome(f), 'protocol wrongSchema');
      assert.lengthOf(f.server.connects, 3);
    });

    it(`but not at malformed events with progress between them ${covers('F10', 'unit')}`, async () => {
      const f = await liveTail();
      f.server.on.open = (stream) => {
        f.server.append(1);
        stream.send(malformed);
      };
      f.server.open[0]?.end();
      await f.clock.advance(5 * minute);
      assert.equal(outcome(f), 'reconnecting');
      assert.deepEqual(await f.shown(), ids(0, f.server.log.length));
    });

    for (const [which, filter, times] of [
      ['the same records', {}, 3],
      // They are new the first time, because the history has only what is shown.
      ['the same records, which its filter hides,', { stream: 'stderr' }, 4],
    ] as const) {
      it(`at the same cursor with ${which} three times ${covers('F28', 'unit')}`, async () => {
        const f = followed({ filter });
        f.server.append(3, { stream: 'stdout' });
        await f.begin();
        const [stream] = f.server.open;
        if (stream === undefined) assert.fail();
        for (let time = 1; time <= times; time++) {
          assert.equal(outcome(f), 'live');
          stream.send({ ...stream.page(1, 3), followCursor: stream.request.cursor ?? '' });
          await f.clock.advance(1000);
        }
        assert.equal(outcome(f), 'protocol cursorStuck');
        assert.lengthOf(f.server.open, 0);
      });
    }

    it(`but not at the same cursor without records ${covers('F28', 'unit')}`, async () => {
      const f = await liveTail();
      const [stream] = f.server.open;
      if (stream === undefined) assert.fail();
      for (let time = 1; time <= 20; time++) {
        stream.send(stream.page(3, 3));
        await f.clock.advance(1000);
      }
      assert.equal(outcome(f), 'live');
      assert.lengthOf(f.server.connects, 1);
    });

    it('and starts again from there, with a gap marker if its cursor was the problem', async () => {
      const f = await liveTail();
      f.server.on.connect = () => Promise.reject(refusal(413));
      f.server.open[0]?.end();
      await f.clock.advance(minute);
      f.server.on.connect = () => undefined;
      f.server.append(2);
      f.tail.start();
      await f.clock.advance(minute);
      assert.equal(outcome(f), 'live');
      assert.deepEqual(await f.shown(), ids(0, 5));
      assert.include(
        f.outputs.map(({ kind }) => kind),
        'gap',
      );
    });
  });
});
