import { assert } from 'chai';
import { InvalidRequestError } from '../../../../src/api/errors';
import { phrase } from '../../../../src/api/phrase';
import { followed, liveTail, outcome } from './followed';
import { httpError, ids, protocolError } from './simulatedServer';

const minute = 60_000;

describe('A tail that has no way to go on', () => {
  describe('stops and says why', () => {
    for (const [status, kind] of [
      [400, 'refused'],
      [403, 'missingPermission'],
      [404, 'notFound'],
      [405, 'refused'],
      [413, 'refused'],
    ] as const) {
      it(`at ${status} on the stream (F20, F22)`, async () => {
        const f = await liveTail();
        f.server.onConnect = () => Promise.reject(httpError(status));
        f.server.open[0]?.close();
        await f.clock.advance(10 * minute);
        assert.equal(outcome(f), `${kind} code_${status}`);
        const { state } = f.tail;
        assert.equal(state.kind === 'failed' && state.why.error.requestId, 'request-1');
        assert.lengthOf(f.server.connects, 2);
        assert.equal(f.clock.liveTimers, 0);
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
      it(`at ${status} on the history (F20, F22)`, async () => {
        const f = followed();
        f.server.onQuery = () => Promise.reject(httpError(status));
        f.tail.start();
        await f.clock.advance(10 * minute);
        assert.equal(outcome(f), `${kind} code_${status}`);
        assert.lengthOf(f.server.queries, 1);
      });
    }

    it('at a request that our own checks refuse', async () => {
      const f = followed();
      const error = new InvalidRequestError('filters.search', phrase('is too long'), phrase('512'));
      f.server.onQuery = () => Promise.reject(error);
      f.tail.start();
      await f.clock.advance(minute);
      assert.equal(outcome(f), 'refused invalidRequest');
    });

    it('at malformed events, three times at one cursor (F10, F11)', async () => {
      const f = await liveTail();
      f.server.onOpen = (connection) => {
        connection.send({ kind: 'heartbeat' });
        connection.fail(protocolError('wrongSchema'));
      };
      f.server.open[0]?.fail(protocolError('notJson'));
      await f.clock.advance(2 * minute);
      assert.equal(outcome(f), 'protocol wrongSchema');
      assert.lengthOf(f.server.connects, 3);
    });

    it('but not at malformed events between which it got on (F10)', async () => {
      const f = await liveTail();
      f.server.onOpen = (connection) => {
        f.server.append(1);
        connection.sendNews();
        connection.fail(protocolError('notJson'));
      };
      f.server.open[0]?.close();
      await f.clock.advance(5 * minute);
      assert.equal(outcome(f), 'reconnecting');
      assert.deepEqual(
        await f.shown(),
        f.server.log.map(({ eventId }) => eventId),
      );
    });

    it('at the same cursor with the same records three times (F28)', async () => {
      const f = await liveTail();
      const [connection] = f.server.open;
      const { filters } = f.server.connects[0]!.request;
      for (let time = 1; time <= 3; time++) {
        assert.equal(outcome(f), 'live');
        connection?.send({ kind: 'page', page: f.server.page(1, 3, filters) });
        await f.clock.advance(1000);
      }
      assert.equal(outcome(f), 'protocol cursorStuck');
      assert.lengthOf(f.server.open, 0);
    });

    it('but not at the same cursor without records (F28)', async () => {
      const f = await liveTail();
      const [connection] = f.server.open;
      const { filters } = f.server.connects[0]!.request;
      for (let time = 1; time <= 20; time++) {
        connection?.send({ kind: 'page', page: f.server.page(3, 3, filters) });
        await f.clock.advance(1000);
      }
      assert.equal(outcome(f), 'live');
      assert.lengthOf(f.server.connects, 1);
    });

    it('and starts again from there, with a gap marker where its cursor was the trouble', async () => {
      const f = await liveTail();
      f.server.onConnect = () => Promise.reject(httpError(413));
      f.server.open[0]?.close();
      await f.clock.advance(minute);
      f.server.onConnect = () => undefined;
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
