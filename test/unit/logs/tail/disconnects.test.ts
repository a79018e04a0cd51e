import { assert } from 'chai';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { followed, type Followed } from './followed';
import { seededRandom } from './seededRandom';
import {
  httpError,
  networkError,
  protocolError,
  simulatedServer,
  type Connection,
} from './simulatedServer';

const seeds = shortOrLong(1, 20);
const disconnectsPerSeed = shortOrLong(2000, 10_000);

/** Each way in which a stream does not come about, or ends. */
const ways = [
  ...['refused', '503', '408', '429', 'notEventStream'],
  ...['closes', 'breaks', 'resets', 'hushes', 'sendsAgain', 'endsAtOnce'],
];
type Tally = Map<string, number>;

/** A server that lets no stream live for long, in every way it can end. */
function unreliable(seed: number, tally: Tally): Followed {
  const random = seededRandom(seed);
  const clock = fakeClock();
  const server = simulatedServer(clock);
  const upTo = (count: number): number => Math.floor(random() * count);
  server.pageSize = 1 + upTo(7);

  const count = (way: string): void => void tally.set(way, (tally.get(way) ?? 0) + 1);
  const refusals = [
    [0.04, 'refused', () => networkError('refused')],
    [0.06, '503', () => httpError(503)],
    [0.07, '408', () => httpError(408)],
    [0.08, '429', () => httpError(429, { retryAfter: upTo(3) * 1000 })],
    [0.09, 'notEventStream', () => protocolError('notEventStream')],
  ] as const;
  const ends = [
    [0.4, 'closes', (connection: Connection) => connection.close()],
    [0.7, 'breaks', (connection: Connection) => connection.fail(networkError())],
    [0.98, 'resets', (connection: Connection) => connection.reset()],
    // Until the tail gives it up.
    [1, 'hushes', (connection: Connection) => connection.hush()],
  ] as const;

  server.onConnect = () => {
    server.append(upTo(3));
    const dice = random();
    const refusal = refusals.find(([below]) => dice < below);
    if (refusal === undefined) return;
    const [, way, error] = refusal;
    count(way);
    throw error();
  };

  const end = (connection: Connection): void => {
    if (!connection.isOpen) return;
    const dice = random();
    const [, way, act] = ends.find(([below]) => dice < below) ?? ends[0];
    count(way);
    act(connection);
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
    if (random() < 0.2) {
      count('endsAtOnce');
      end(connection);
    } else clock.setTimer(() => end(connection), upTo(500));
  };

  /** What came before the cursor, as a server does that goes on from a little earlier. */
  const sendAgain = ({ cursor, send }: Connection, records: number): void => {
    count('sendsAgain');
    const at = Number(cursor?.split('|')[0]);
    const { filters } = server.connects.at(-1)!.request;
    send({ kind: 'page', page: server.page(Math.max(0, at - records), at, filters) });
  };

  return followed({ clock, server, random, initialLines: 50 });
}

describe('Disconnects, simulated', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    it(`lose, repeat and reorder nothing: ${disconnectsPerSeed} with seed ${seed} (F14, F16, F18, F24, F26, F27)`, async function () {
      this.timeout(60_000);
      const tally: Tally = new Map();
      const { server, tail, clock, shown } = unreliable(seed, tally);
      server.append(200);
      tail.start();
      while (server.connects.length < disconnectsPerSeed) await clock.advance(60_000);
      // One good stream at the end brings the rest.
      server.onConnect = () => undefined;
      server.onOpen = (connection) => connection.sendNews();
      await clock.advance(300_000);
      server.append(1);

      const expected = server.log.slice(150).map(({ eventId }) => eventId);
      assert.deepEqual(await shown(), expected);
      assert.equal(tail.state.kind, 'live');
      assert.sameMembers([...tally.keys()], ways);
      assert.equal(server.mostOpen, 1);
      assert.equal(tail.counters.leftOut, 0);
      tail.stop();
      await shown();
      assert.lengthOf(server.open, 0);
    });
  }
});
