import { assert } from 'chai';
import { fakeClock } from '../../fakeClock';
import { followed, type Followed } from './followed';
import { seededRandom } from './seededRandom';
import {
  httpError,
  networkError,
  protocolError,
  simulatedServer,
  type Connection,
} from './simulatedServer';

const seeds = 20;
const disconnectsPerSeed = 10_000;

/** A server that lets no stream live for long, in every way it can end. */
function unreliable(seed: number): Followed {
  const random = seededRandom(seed);
  const clock = fakeClock();
  const server = simulatedServer(clock);
  const upTo = (count: number): number => Math.floor(random() * count);
  server.pageSize = 1 + upTo(7);

  server.onConnect = () => {
    server.append(upTo(3));
    const dice = random();
    if (dice < 0.04) throw networkError('refused');
    if (dice < 0.06) throw httpError(503);
    if (dice < 0.07) throw httpError(408);
    if (dice < 0.08) throw httpError(429, { retryAfter: upTo(3) * 1000 });
    if (dice < 0.09) throw protocolError('notEventStream');
  };

  const end = (connection: Connection): void => {
    const dice = random();
    if (dice < 0.4) connection.close();
    else if (dice < 0.7) connection.fail(networkError());
    else if (dice < 0.98) connection.reset();
    // Otherwise it stays silent until the tail gives it up.
  };

  server.onOpen = (connection) => {
    if (random() < 0.2) sendAgain(connection, upTo(20));
    if (random() < 0.9) connection.sendNews();
    for (let more = upTo(3); more > 0; more--) {
      clock.setTimer(() => {
        if (connection.isOpen) server.append(upTo(12));
      }, upTo(400));
    }
    // At once: pages that were sent are on the way while the stream ends already.
    if (random() < 0.2) end(connection);
    else clock.setTimer(() => end(connection), upTo(500));
  };

  /** What came before the cursor, as a server does that goes on from a little earlier. */
  const sendAgain = ({ cursor, send }: Connection, count: number): void => {
    const at = Number(cursor?.split('|')[0]);
    const { filters } = server.connects.at(-1)!.request;
    send({ kind: 'page', page: server.page(Math.max(0, at - count), at, filters) });
  };

  return followed({ clock, server, random, initialLines: 50 });
}

describe('Disconnects, simulated', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    it(`lose, repeat and reorder nothing: ${disconnectsPerSeed} with seed ${seed} (F14, F16, F18, F24, F26, F27)`, async function () {
      this.timeout(60_000);
      const { server, tail, clock, ids } = unreliable(seed);
      server.append(200);
      tail.start();
      while (server.connects.length < disconnectsPerSeed) await clock.advance(60_000);
      // One good stream at the end brings the rest.
      server.onConnect = () => undefined;
      server.onOpen = (connection) => connection.sendNews();
      await clock.advance(300_000);
      server.append(1);
      await clock.advance(0);

      assert.equal(tail.state.kind, 'live');
      const expected = server.log.slice(150).map(({ eventId }) => eventId);
      assert.deepEqual(ids(), expected);
      assert.equal(server.mostOpen, 1);
      assert.equal(tail.counters.leftOut, 0);
      tail.stop();
      await clock.advance(0);
      assert.lengthOf(server.open, 0);
    });
  }
});
