import { assert } from 'chai';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { seededRandom } from '../../../control-plane/random';
import type { Unkindness } from '../../../control-plane/unkind';
import { scaled } from '../../../host/slowness';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { ids } from '../logServer';
import { followed, type Followed } from './followed';
import { scripts } from './tailScript';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const ahead = (): number => hour;

/** Appends a record that a server stamped some time before it arrived. */
function arrive({ server, clock }: Followed, late: number): void {
  server.append(1, { timestamp: new Date(clock.now() - late).toISOString() });
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

    scripts(
      {
        [`${which} loses nothing if the machine slept beyond its end`]: `
          start 0 stamped:0 1m hold ${'jump:10m stamped:0 stamped:-20m '.repeat(18)} 2m
          stamped:0 1s -> all true; parts records`,
      },
      { plane: { unkind, heartbeatSeconds: 15 }, ahead, filter },
    );
  }

  scripts(
    {
      [`says that lines may be missing if more were stamped after its end than one search brings ${covers('F21', 'unit')}`]: `
        start 0 stamped:0 1m hold jump:3h stamped:0/10100 2m -> shown 0,101-10100; parts records gap records`,
      [`keeps the order in which records arrived meanwhile ${covers('F27', 'unit')}`]:
        'start 40m query:stamped:-1m,stamped:-30m,stamped:0 20m -> shown 0-2; ranges 2',
      [`says that lines may be missing if the cursor is lost ${covers('F21', 'unit')}`]: `
        +1 start 100ms jump:55m connect:410 query:ok query:410 end stamped:0 2m
        -> shown 0-1; parts records gap records; now live`,
      ...Object.fromEntries(
        [0, 1, 2].map((before) => [
          `continues after an error at step ${before + 1}`,
          `start 40m ${'query:stamped:-1m '.repeat(before)} query:503 query*:stamped:-1m 20m
          -> ranges 2; all true; parts records`,
        ]),
      ),
    },
    { ahead },
  );
  scripts(
    {
      'drains more than one search can bring':
        'start 0 hold 55m stamped:0/12000 end 10m stamped:0 1s take -> shown 0-12000; parts records',
    },
    { ahead, takes: false },
  );
  scripts(
    {
      'is as long as a server allows, and new only when the old one is about to end': `start ${'stamped:0 1h '.repeat(60)} -> ranges 3; shown 0-59; now live`,
    },
    { ahead: () => 24 * hour, plane: { unkind: { longestRangeSeconds: 8 * 24 * 3600 } } },
  );
});
