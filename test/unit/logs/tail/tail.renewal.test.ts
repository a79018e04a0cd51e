import { assert } from 'chai';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { seededRandom } from '../../../control-plane/random';
import type { Unkindness } from '../../../control-plane/unkind';
import { scaled } from '../../../host/slowness';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { ids, refusal } from '../logServer';
import { followed, type Followed, idsOf, refuseConnect } from './followed';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const ahead = (): number => hour;

/** Appends a record that a server stamped some time before it arrived. */
function arrive({ server, clock }: Followed, late: number): void {
  server.append(1, {
    timestamp: new Date(clock.now() - late).toISOString(),
    ingestedAt: new Date(clock.now()).toISOString(),
  });
}

function kindsOf({ outputs }: Followed): string[] {
  return [...new Set(outputs.map(({ kind }) => kind))];
}

/** The ends of the ranges that were streamed, each once. */
function ranges({ server }: Followed): string[] {
  return [...new Set(server.connects.map(({ request }) => request.filters.to))];
}

describe(`the range of a tail that ends and is renewed ${covers('F81', 'unit')}`, () => {
  const kinds: readonly (readonly [string, Unkindness, LogFilter])[] = [
    ['of a server', {}, {}],
    ['of one that takes no stream cursor for a search', { refusesFollowCursors: true }, {}],
    ['of one that does not say why', { refusesFollowCursors: true, vagueCursors: true }, {}],
    ['of one with small pages', { queryPage: 3, streamPage: 2 }, {}],
    ['with a filter of the client', {}, { stream: 'stdout' }],
  ];
  for (const [which, unkind, filter] of kinds) {
    it(`${which} loses and repeats no record that arrives late, in any order`, async function () {
      this.timeout(scaled(shortOrLong(60_000, 600_000)));
      for (let seed = 1; seed <= shortOrLong(2, 20); seed++) {
        const random = seededRandom(seed);
        const plane = {
          unkind: { ...unkind, longestRangeSeconds: 8 * 24 * 3600 },
          heartbeatSeconds: 15,
        };
        const f = followed({ plane, ahead, filter, random });
        /** Three servers, each with its own delay. */
        const arrivals = (): void => {
          for (const latest of [0, minute, 10 * minute]) {
            if (random() < 0.5) arrive(f, random() * latest);
          }
        };
        await f.begin();
        // Also between two streams, and between any two requests of a renewal.
        f.server.on.query = f.server.on.connect = arrivals;
        while (ranges(f).length < 4) {
          arrivals();
          await f.clock.advance(random() < 0.9 ? random() * 3 * second : minute);
        }
        await f.clock.advance(minute);
        assert.sameMembers(await f.shown(), ids(0, f.server.log.length), `seed ${seed}`);
        assert.lengthOf(f.ids(), f.server.log.length, `seed ${seed}`);
        assert.deepEqual(kindsOf(f), ['records'], `seed ${seed}`);
        assert.equal(f.tail.state.kind, 'live');
      }
    });

    it(`${which} loses nothing if the machine slept beyond its end`, async () => {
      const f = followed({ plane: { unkind, heartbeatSeconds: 15 }, ahead, filter });
      await f.begin();
      arrive(f, 0);
      await f.clock.advance(minute);
      f.server.open[0]?.hold();
      for (let time = 0; time < 3 * hour; time += 10 * minute) {
        f.clock.jump(10 * minute);
        arrive(f, 0);
        arrive(f, 20 * minute);
      }
      await f.clock.advance(2 * minute);
      arrive(f, 0);
      await f.clock.advance(second);
      assert.sameMembers(await f.shown(), ids(0, f.server.log.length));
      assert.lengthOf(f.ids(), f.server.log.length);
      assert.deepEqual(kindsOf(f), ['records']);
    });
  }

  it(`says that lines may be missing if more were stamped after its end than one search brings ${covers('F21', 'unit')}`, async () => {
    const f = followed({ ahead });
    await f.begin();
    arrive(f, 0);
    await f.clock.advance(minute);
    f.server.open[0]?.hold();
    f.clock.jump(3 * hour);
    f.server.append(10_100, { timestamp: new Date(f.clock.now()).toISOString() });
    await f.clock.advance(2 * minute);
    const shown = await f.shown();
    assert.isBelow(shown.length, f.server.log.length);
    assert.equal(shown.at(-1), f.server.log.at(-1)?.eventId);
    assert.include(kindsOf(f), 'gap');
  });

  it(`keeps the order in which records arrived meanwhile ${covers('F27', 'unit')}`, async () => {
    const f = followed({ ahead });
    await f.begin();
    await f.clock.advance(40 * minute);
    f.server.on.query = () => {
      f.server.on.query = () => undefined;
      for (const late of [minute, 30 * minute, 0]) arrive(f, late);
    };
    await f.clock.advance(20 * minute);
    assert.deepEqual(await f.shown(), ids(0, 3));
  });

  it('drains more than one search can bring', async () => {
    const f = followed({ ahead, takes: false });
    await f.begin();
    f.server.open[0]?.hold();
    await f.clock.advance(55 * minute);
    f.server.append(12_000, { timestamp: new Date(f.clock.now()).toISOString() });
    f.server.open[0]?.end();
    await f.clock.advance(10 * minute);
    arrive(f, 0);
    await f.clock.advance(second);
    assert.deepEqual(idsOf(f.tail.take()), ids(0, 12_001));
  });

  it(`says that lines may be missing if the cursor is lost ${covers('F21', 'unit')}`, async () => {
    const f = followed({ ahead });
    f.server.append(1);
    await f.begin();
    await f.shown();
    refuseConnect(f.server, f.server.connects.length + 1, refusal(410));
    f.server.on.query = ({ cursor }) => {
      if (cursor !== undefined) throw refusal(410);
    };
    f.clock.jump(55 * minute);
    f.server.open[0]?.end();
    arrive(f, 0);
    await f.clock.advance(2 * minute);
    assert.deepEqual(await f.shown(), ids(0, 2));
    assert.deepEqual(kindsOf(f), ['records', 'gap']);
    assert.equal(f.tail.state.kind, 'live');
  });

  it('continues after errors at each step', async () => {
    for (let failing = 1; failing <= 3; failing++) {
      const f = followed({ ahead });
      await f.begin();
      await f.clock.advance(40 * minute);
      let queries = 0;
      f.server.on.query = () => {
        if (++queries === failing) throw refusal(503);
        arrive(f, minute);
      };
      while (ranges(f).length < 2) await f.clock.advance(minute);
      f.server.on.query = () => undefined;
      await f.clock.advance(minute);
      assert.sameMembers(await f.shown(), ids(0, f.server.log.length), `query ${failing}`);
      assert.lengthOf(f.ids(), f.server.log.length);
      assert.deepEqual(kindsOf(f), ['records']);
    }
  });
});
