import { assert } from 'chai';
import { fakeClock } from '../../fakeClock';
import { isLong, shortOrLong } from '../../long';
import { bytesClient, encode, type Cut } from './bytesServer';
import { followed } from './followed';
import { seededRandom } from './seededRandom';
import { ids, simulatedServer, type SimulatedServer } from './simulatedServer';

/** Characters of one to four bytes, so that a cut falls into each of them too. */
const body = 'größer € 😀';

/** Follows a stream of three events whose first connection is cut, and two records more. */
async function follow(cut: Cut): Promise<{ shown: string[]; server: SimulatedServer }> {
  const clock = fakeClock();
  const server = simulatedServer(clock);
  const client = bytesClient(server, clock, seededRandom(1), {
    cut: (connect) => (connect === 1 ? cut : undefined),
  });
  const f = followed({ clock, server, client });
  server.pageSize = 1;
  server.append(1, { body });
  server.onConnect = () => {
    if (server.connects.length === 1) server.append(3, { body });
  };
  f.tail.start();
  await clock.advance(3000);
  server.append(1, { body });
  const shown = await f.shown();
  f.tail.stop();
  await clock.advance(0);
  return { shown, server };
}

/** In full all of them; else those around the ends of events and the long characters, and some more. */
function offsets(events: readonly Uint8Array[]): number[] {
  const bytes = Buffer.concat(events);
  const near = (at: number): boolean =>
    bytes.subarray(Math.max(0, at - 3), at + 3).some((byte) => byte === 10 || byte >= 0xf0);
  const all = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  return all.filter((at) => isLong || at < 3 || near(at) || at % 37 === 0);
}

describe('A disconnect after every byte of three events', () => {
  for (const isClean of [true, false]) {
    it(`loses and repeats nothing: ${isClean ? 'a clean end' : 'a break'} (F8, F16, F17)`, async function () {
      this.timeout(60_000);
      const whole = await follow({ after: Infinity, isClean });
      const { filters } = whole.server.connects[0]!.request;
      const events = [1, 2, 3].map((at) =>
        encode({ kind: 'page', page: whole.server.page(at, at + 1, filters) }),
      );
      const cuts = offsets(events);
      assert.isAbove(cuts.length, shortOrLong(100, 2000));
      for (const after of cuts) {
        const { shown, server } = await follow({ after, isClean });
        assert.deepEqual(shown, ids(0, 5), `after ${after} bytes`);
        assert.lengthOf(server.connects, 2);
        assert.lengthOf(server.open, 0);
      }
    });
  }

  it('or anywhere in streams of all sizes, many times, loses and repeats nothing (F16, F17)', async function () {
    this.timeout(60_000);
    const random = seededRandom(7);
    const clock = fakeClock();
    const server = simulatedServer(clock);
    const upTo = (count: number): number => Math.floor(random() * count);
    const disconnects = shortOrLong(150, 2000);
    const client = bytesClient(server, clock, random, {
      cut: (connect) =>
        connect > disconnects ? undefined : { after: upTo(8000), isClean: random() < 0.5 },
      chunk: () => 1 + upTo(3000),
    });
    const f = followed({ clock, server, client, random });
    server.pageSize = 4;
    server.append(10, { body });
    server.onConnect = () => server.append(upTo(4), { body });
    server.onOpen = (connection) => {
      connection.sendNews();
      for (let ms = 100; ms < 4000; ms += 100) {
        clock.setTimer(() => {
          if (connection.isOpen) server.append(upTo(3), { body });
        }, ms);
      }
    };
    f.tail.start();
    while (server.connects.length <= disconnects) await clock.advance(60_000);
    await clock.advance(60_000);
    assert.deepEqual(await f.shown(), ids(0, server.log.length));
    assert.isAbove(server.log.length, disconnects);
    assert.equal(f.tail.state.kind, 'live');
    f.tail.stop();
    await clock.advance(10_000);
    assert.lengthOf(server.open, 0);
    assert.equal(clock.liveTimers, 0);
  });
});
