import { assert } from 'chai';
import fc from 'fast-check';
import type { TailPosition } from '../../../../src/logs/tail/types';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { ids, logServer, refusal } from '../logServer';
import { followed, type Followed, refuseConnect } from './followed';

/** The position after it was stored and read again. */
function stored({ tail }: Followed): TailPosition {
  return JSON.parse(JSON.stringify(tail.position)) as TailPosition;
}

describe('a tail after a reload', () => {
  it('resumes after the last record that was handed on, in the middle of a page', async () => {
    const first = followed({ takes: false });
    const { clock, server } = first;
    server.append(2);
    first.tail.start();
    await clock.advance(0);
    first.take();
    server.append(10);
    await clock.advance(0);
    first.take(4);
    const position = stored(first);
    first.tail.stop();

    server.append(3);
    const second = followed({ clock, server, position });
    assert.deepEqual(second.tail.position, position);
    second.tail.start();
    assert.deepEqual([...first.ids(), ...(await second.shown())], ids(0, 15));
    assert.lengthOf(server.queries, 1);
    const [before, after] = server.connects.map(({ request }) => request.filters);
    assert.deepEqual(after, before);
  });

  for (const taken of [0, 4]) {
    it(`shows all of its history if it had shown ${taken} lines of it, and all that came since ${covers('F64', 'unit')}`, async () => {
      const first = followed({ takes: false, initialLines: 10 });
      const { clock, server } = first;
      server.append(50);
      await first.begin();
      first.take(taken);
      first.tail.pause();
      server.append(60);
      await clock.advance(1000);
      const position = first.leave();
      server.append(30);
      const second = followed({ clock, server, initialLines: 10, ...(position && { position }) });
      await second.begin();
      assert.deepEqual([...first.ids(), ...(await second.shown())], ids(40, 140));
      assert.deepEqual(second.parts(), ['records']);
    });
  }

  it('requests its history again if that failed', async () => {
    const first = followed({ takes: false, initialLines: 10 });
    const { clock, server } = first;
    server.append(50);
    await first.begin();
    const position = first.leave();
    server.on.query = () => {
      if (server.queries.length === 2) throw refusal(503);
    };
    const second = followed({ clock, server, initialLines: 10, ...(position && { position }) });
    await second.begin();
    server.append(20);
    await clock.advance(60_000);
    assert.deepEqual(await second.shown(), ids(40, 70));
    second.server.open[0]?.end();
    await clock.advance(1000);
    assert.lengthOf(server.queries, 3);
  });

  it(`does not repeat records that the server sends again from before the cursor ${covers('F26', 'unit')}`, async () => {
    const first = followed();
    const { clock, server } = first;
    first.tail.start();
    await clock.advance(0);
    server.append(5);
    await first.shown();
    const position = stored(first);
    first.tail.stop();
    server.on.open = (stream) => stream.send(stream.page(0, 7));
    server.append(2);
    const second = followed({ clock, server, position });
    second.tail.start();
    assert.deepEqual(await second.shown(), ids(5, 7));
  });

  it(`marks the gap if its cursor is too old, and shows what has arrived since ${covers('F21', 'unit')}`, async () => {
    const ahead = (): number => 366 * 24 * 3_600_000;
    const first = followed({ ahead });
    const { clock, server } = first;
    server.append(5);
    first.tail.start();
    await first.shown();
    const position = stored(first);
    first.tail.stop();
    server.append(600);
    refuseConnect(server, 2, refusal(410));
    clock.jump(10 * 24 * 3_600_000);
    const second = followed({ clock, server, position, ahead });
    second.tail.start();
    await clock.advance(1000);
    assert.deepEqual(second.ids(), ids(5, 605));
    assert.equal(second.outputs[0]?.kind, 'gap');
    assert.equal(server.queries[1]?.filters.from, position.from);
  });

  it('knows its position even if it has not shown anything yet', async () => {
    const first = followed({ initialLines: 0 });
    const { clock, server } = first;
    server.append(5);
    first.tail.start();
    await first.shown();
    const position = stored(first);
    first.tail.stop();
    server.append(1);
    refuseConnect(server, 2, refusal(410));
    const second = followed({ clock, server, position, initialLines: 0 });
    second.tail.start();
    await clock.advance(1000);
    assert.deepEqual(second.ids(), ids(5, 6));
  });

  it('fails on an invalid position, and starts from the beginning at the next start', async () => {
    const position = { from: '', to: '', cursor: '', seen: [] };
    const f = followed({ position });
    f.server.append(2);
    refuseConnect(f.server, 1, refusal(400));
    await f.begin();
    assert.equal(f.tail.state.kind, 'failed');
    f.tail.start();
    await f.clock.advance(1000);
    assert.deepEqual(f.ids(), ids(0, 2));
  });

  it(`loses and repeats nothing at any number of reloads at any time ${covers('F17, F26', 'unit')}`, async () => {
    const step = fc.oneof(
      fc.record({ append: fc.nat({ max: 9 }) }),
      fc.record({ take: fc.nat({ max: 9 }) }),
      fc.constantFrom('reload', 'break', 'wait', 'refuse'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 50 }),
        fc.nat({ max: 6 }),
        async (steps, size) => {
          const clock = fakeClock();
          const server = logServer({ clock, unkind: { streamPage: size + 1 } });
          server.append(3);
          const shown: string[] = [];
          const open = (position?: TailPosition): Followed => {
            const f = followed({ clock, server, takes: false, ...(position ? { position } : {}) });
            f.tail.start();
            return f;
          };
          let f = open();
          await clock.advance(0);
          for (const next of steps) {
            if (typeof next === 'object') {
              if ('append' in next) server.append(next.append);
              else f.take(next.take);
            } else if (next === 'break') server.open[0]?.reset();
            else if (next === 'refuse') server.open[0]?.fail(410);
            else if (next === 'wait') await clock.advance(3000);
            else {
              const position = stored(f);
              f.tail.stop();
              shown.push(...f.ids());
              f = open(position);
            }
            await clock.advance(0);
          }
          // Two refusals in a row would end it.
          f.tail.start();
          await clock.advance(150_000);
          f.take();
          shown.push(...f.ids());
          f.tail.stop();
          assert.deepEqual(shown, ids(0, server.log.length));
        },
      ),
      { numRuns: shortOrLong(60, 400) },
    );
  });
});
