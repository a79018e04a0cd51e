import { assert } from 'chai';
import { TailStateNotifier } from '../../../../src/logs/tail/stateNotifier';
import { covers } from '../../covers';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { ids, logServer } from '../logServer';
import { followed } from './followed';

/** What no script can say: see tail.scripts.test.ts. */

describe('a tail', () => {
  it('requests a week back and a week ahead, so that the filters outlive the cursor', async () => {
    const f = followed({ filter: { services: ['web'] } });
    await f.begin();
    assert.deepEqual(f.server.queries[0]?.filters, {
      services: ['web'],
      from: '2026-11-13T12:00:00.000Z',
      to: '2026-11-27T12:00:00.000Z',
    });
    assert.deepEqual(f.server.connects[0]?.request.filters, f.server.queries[0]?.filters);
  });

  it(`drops repeated records and keeps the order of the server ${covers('F26, F27', 'unit')}`, async () => {
    const f = followed();
    f.server.append(4);
    await f.begin();
    const [stream] = f.server.open;
    if (stream === undefined) assert.fail();
    stream.send(stream.page(2, 4));
    const late = stream.page(0, 1);
    const older = { ...late.records[0]!, timestamp: '2026-11-19T00:00:00Z', eventId: 'older' };
    const twin = { ...older, eventId: 'twin' };
    stream.send({ ...late, records: [...late.records, twin, older] });
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), [...ids(0, 4), 'twin', 'older']);
    assert.equal(f.tail.counters.repeated, 3);
  });

  it('keeps records without a valid timestamp', async () => {
    const f = followed();
    f.server.append(2);
    await f.begin();
    const page = f.server.open[0]!.page(0, 1);
    const odd = { ...page.records[0]!, eventId: 'odd', timestamp: 'yesterday' };
    f.server.open[0]!.send({ ...page, records: [odd] });
    f.server.open[0]?.fail(410);
    f.server.append(1);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 2), 'odd', ...ids(2, 3)]);
    assert.deepEqual(f.parts(), ['records', 'gap', 'records']);
  });

  it('backs off at an unknown error', async () => {
    const fails = (): never => {
      throw new TypeError('a mistake');
    };
    const f = followed({
      client: { serverNow: () => 0, queryLogs: fails, openLogStream: fails },
    });
    await f.begin();
    const { state } = f.tail;
    assert.equal(state.kind === 'reconnecting' && state.why?.code, 'unexpected');
  });

  it(`connects at most ten times a minute while it is offline for an hour, and reports it once ${covers('F33', 'unit')}`, async () => {
    const clock = fakeClock();
    const told: string[] = [];
    const news = new TailStateNotifier(clock);
    news.onDidNotice(() => told.push(f.tail.state.kind));
    const f = followed({ clock, onState: (state) => news.changed('tail', state) });
    f.server.append(3);
    f.tail.start();
    await f.shown();
    f.server.unreachable = 'ENETUNREACH';
    f.server.open[0]?.reset();
    const tries: number[] = [];
    for (let second = 0; second < 3600; second++) {
      await clock.advance(1000);
      tries.push(f.tail.counters.connects);
    }
    // With full jitter up to 30 s, the mean is an attempt every 15 s.
    assert.isAbove(tries.at(-1)!, 120);
    assert.isBelow(tries.at(-1)!, 400);
    tries.slice(60).forEach((count, index) => assert.isAtMost(count - tries[index]!, 10));
    // In that hour only the time of the next attempt changes.
    assert.deepEqual([...new Set(f.kinds())], ['connecting', 'live', 'reconnecting']);
    const { state } = f.tail;
    assert.equal(state.kind === 'reconnecting' && state.why?.code, 'offline');
    assert.deepEqual(told, ['reconnecting']);
    f.server.unreachable = undefined;
    f.server.append(100);
    await clock.advance(30_000);
    assert.deepEqual(await f.shown(), ids(0, 103));
    assert.deepEqual(told, ['reconnecting', 'live']);
  });

  it('does nothing but look for a sleep of the machine every 1.5 s', async () => {
    let timers = 0;
    const clock = fakeClock();
    const counting: FakeClock = {
      ...clock,
      setTimer(callback, ms) {
        timers++;
        return clock.setTimer(callback, ms);
      },
    };
    const f = followed({ clock: counting, server: logServer({ clock: fakeClock() }) });
    await f.begin();
    const before = timers;
    await clock.advance(60_000);
    assert.equal(f.tail.state.kind, 'live');
    assert.equal(timers - before, 40);
  });
});
