import { assert } from 'chai';
import { Failure, NoAnswer, type LogStream } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { logServer, refusal } from '../logServer';
import { followed, type Followed } from './followed';
import { seededRandom } from './seededRandom';

const seeds = shortOrLong(1, 20);
const disconnectsPerSeed = shortOrLong(600, 10_000);

/** All ways in which a stream can fail to open, or end. */
const ways = [
  ...['refused', '503', '408', '429', 'isNone'],
  ...['closes', 'breaks', 'resets', 'hushes', 'sendsAgain', 'endsAtOnce'],
];
type Tally = Map<string, number>;

/** A server whose streams are short and end in every possible way. */
function unreliable(seed: number, tally: Tally): Followed {
  const random = seededRandom(seed);
  const clock = fakeClock();
  const upTo = (count: number): number => Math.floor(random() * count);
  const server = logServer({ clock, unkind: { streamPage: 1 + upTo(7) } });

  const count = (way: string): void => void tally.set(way, (tally.get(way) ?? 0) + 1);
  const refusals = [
    [0.04, 'refused', () => new NoAnswer('ECONNREFUSED')],
    [0.06, '503', () => new Failure(503)],
    [0.07, '408', () => new Failure(408)],
    [0.08, '429', () => refusal(429, upTo(3))],
  ] as const;
  const ends = [
    [0.4, 'closes', (stream: LogStream) => stream.end()],
    [0.7, 'breaks', (stream: LogStream) => stream.cut()],
    [0.98, 'resets', (stream: LogStream) => stream.reset()],
    // Until the tail gives up.
    [1, 'hushes', (stream: LogStream) => stream.hold()],
  ] as const;

  server.on.connect = () => {
    server.append(upTo(3));
    const dice = random();
    if (dice > 0.99) {
      count('isNone');
      server.admin.fault({ kind: 'html', endpoint: 'post_logs_tail' });
    }
    const refusal = refusals.find(([below]) => dice < below);
    if (refusal === undefined) return;
    const [, way, error] = refusal;
    count(way);
    throw error();
  };

  const end = (stream: LogStream): void => {
    if (!stream.isOpen) return;
    const dice = random();
    const [, way, act] = ends.find(([below]) => dice < below) ?? ends[0];
    count(way);
    act(stream);
  };

  server.on.open = (stream) => {
    if (random() < 0.2) sendAgain(stream, upTo(20));
    if (random() < 0.1) stream.hold();
    for (let more = upTo(3); more > 0; more--) {
      clock.setTimer(() => {
        if (stream.isOpen) server.append(upTo(12));
      }, upTo(400));
    }
    // At once: the stream ends while pages are still on their way.
    if (random() < 0.2) {
      count('endsAtOnce');
      end(stream);
    } else clock.setTimer(() => end(stream), upTo(500));
  };

  /** Records from before the cursor, because a server may resume slightly earlier. */
  const sendAgain = (stream: LogStream, records: number): void => {
    count('sendsAgain');
    const at = server.positionOf(stream.request.cursor) ?? 0;
    stream.send(stream.page(Math.max(0, at - records), at));
  };

  return followed({ clock, server, random, initialLines: 50 });
}

describe('simulated disconnects', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    it(`lose, repeat and reorder nothing: ${disconnectsPerSeed} with seed ${seed} ${covers('F14, F16, F18, F24, F26, F27', 'unit')}`, async function () {
      this.timeout(300_000);
      const tally: Tally = new Map();
      const { server, tail, clock, shown } = unreliable(seed, tally);
      server.append(200);
      tail.start();
      while (server.connects.length < disconnectsPerSeed) await clock.advance(60_000);
      // A final stream without failures brings the rest.
      server.on.connect = server.on.open = () => undefined;
      await clock.advance(300_000);
      server.append(1);

      const expected = server.log.slice(150).map(({ eventId }) => eventId);
      assert.deepEqual(await shown(), expected);
      assert.equal(tail.state.kind, 'live');
      assert.sameMembers([...tally.keys()], ways);
      assert.equal(server.mostOpen, 1);
      assert.equal(tail.counters.dropped, 0);
      tail.stop();
      await shown();
      assert.lengthOf(server.open, 0);
    });
  }
});
