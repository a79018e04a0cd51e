import { assert } from 'chai';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { seededRandom } from '../../../control-plane/random';
import { scaled } from '../../../host/slowness';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { ids, refusal } from '../logServer';
import { windowTails, type WindowTails } from './windowTails';

const second = 1000;

describe(`a record that several tails follow is shown once ${covers('F82', 'unit')}`, () => {
  it('if one of them is resumed long after the others have shown it', async () => {
    const w = windowTails();
    w.tails.follow({}, 'everything');
    const { tail } = w.tails.follow({ environments: ['production', 'preview'] }, 'the same');
    await w.clock.advance(0);
    tail.pause();
    w.server.append(25_000);
    await w.clock.advance(second);
    w.takeAll();
    tail.resume();
    w.takeAll();
    assert.deepEqual(w.ids, ids(0, 25_000));
  });

  it('if one of them holds the few of very many', async () => {
    const w = windowTails();
    w.tails.follow({}, 'everything');
    const { tail } = w.tails.follow({ severities: ['fatal'] }, 'fatal');
    await w.clock.advance(0);
    tail.pause();
    for (let round = 0; round < 20; round++) {
      w.server.append(5, { severity: 'fatal' });
      w.server.append(1500, { severity: 'info' });
      await w.clock.advance(second);
      w.takeAll();
    }
    tail.resume();
    w.takeAll();
    assert.deepEqual(w.ids, ids(0, w.server.log.length));
  });

  it('if a new tail has a history of what is on screen', async () => {
    const w = windowTails({ initialLines: 200, shownAtMost: 50_000 });
    w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    for (let round = 0; round < 200; round++) {
      w.server.append(1, { severity: 'error' });
      w.server.append(199, { severity: 'info' });
      await w.clock.advance(0);
      w.takeAll();
    }
    w.tails.follow({ severities: ['error'] }, 'errors');
    await w.clock.advance(0);
    w.takeAll();
    assert.deepEqual(w.ids, ids(0, 40_000));
  });

  it('whenever they are paused, resumed, broken, stopped and started', async function () {
    this.timeout(scaled(shortOrLong(60_000, 600_000)));
    for (let seed = 1; seed <= shortOrLong(3, 30); seed++) {
      const random = seededRandom(seed);
      const w = windowTails();
      const filters: LogFilter[] = [{}, { severities: ['error'] }, { stream: 'stdout' }];
      const all = filters.map((filter, index) => w.tails.follow(filter, String(index)));
      await w.clock.advance(0);
      for (let step = 0; step < 60; step++) {
        const severity = random() < 0.3 ? 'error' : 'info';
        w.server.append(Math.floor(random() * 1500), { severity, stream: 'stdout' });
        const { tail } = all[Math.floor(random() * all.length)]!;
        const dice = random();
        if (dice < 0.3) tail.pause();
        else if (dice < 0.5) tail.resume();
        else if (dice < 0.6) w.server.open[Math.floor(random() * 3)]?.cut();
        else if (dice < 0.7) tail.stop();
        else if (dice < 0.9) tail.start();
        if (random() < 0.7) await w.clock.advance(random() * 5 * second);
        if (random() < 0.7) w.takeAll();
      }
      for (const { tail } of all) {
        tail.start();
        tail.resume();
      }
      await w.clock.advance(120 * second);
      w.takeAll();
      assert.lengthOf(new Set(w.ids), w.ids.length, `seed ${seed}: repeated`);
      assert.sameMembers(w.ids, ids(0, w.server.log.length), `seed ${seed}`);
    }
  });

  it('but again in the history of a tail that starts after all have ended', async () => {
    const w = windowTails({ initialLines: 10 });
    w.server.append(5);
    const first = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.takeAll();
    w.tails.remove(first);
    w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.takeAll();
    assert.deepEqual(w.ids, [...ids(0, 5), ...ids(0, 5)]);
  });

  it('also if the last of them is stopped while it holds it', async () => {
    const w = windowTails();
    const all = [w.tails.follow({}, 'a'), w.tails.follow({ severities: ['info'] }, 'b')];
    await w.clock.advance(0);
    all[1]?.tail.pause();
    w.server.append(100, { severity: 'info' });
    await w.clock.advance(0);
    w.takeAll();
    all.forEach(({ tail }) => tail.stop());
    w.tails.follow({ severities: ['error'] }, 'c');
    w.takeAll();
    assert.deepEqual(w.ids, ids(0, 100));
  });
});

describe('a record that tails with several channels follow', () => {
  it('is shown once in each of them, also in the history', async () => {
    const w = windowTails({ initialLines: 10 });
    w.server.append(5, { severity: 'error' });
    w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    assert.deepEqual(w.takeAll(), { everything: ids(0, 5) });
    w.tails.follow({ severities: ['error'] }, 'errors', { ownChannel: true });
    w.tails.follow({ severities: ['error', 'fatal'] }, 'the same');
    await w.clock.advance(0);
    assert.deepEqual(w.takeAll(), { errors: ids(0, 5), 'the same': [] });
    w.server.append(2, { severity: 'error' });
    await w.clock.advance(0);
    const { errors, everything = [], 'the same': same = [] } = w.takeAll();
    assert.deepEqual(errors, ids(5, 7));
    assert.sameMembers([...everything, ...same], ids(5, 7));
  });

  it('is shown again in the channel of a tail that is removed and followed again', async () => {
    const w = windowTails({ initialLines: 10 });
    w.server.append(3, { severity: 'error' });
    w.tails.follow({}, 'everything');
    const follow = () => w.tails.follow({ severities: ['error'] }, 'errors', { ownChannel: true });
    const first = follow();
    await w.clock.advance(0);
    w.takeAll();
    w.tails.remove(first);
    follow();
    await w.clock.advance(0);
    assert.deepEqual(w.takeAll(), { errors: ids(0, 3) });
  });
});

describe('tails take turns', () => {
  it('so that a busy one does not hold back the others', async () => {
    const w = windowTails();
    for (const label of ['error', 'warn', 'info'] as const) {
      w.tails.follow({ severities: [label] }, label);
    }
    await w.clock.advance(0);
    w.server.append(10_000, { severity: 'error' });
    w.server.append(600, { severity: 'warn' });
    w.server.append(10, { severity: 'info' });
    await w.clock.advance(second);
    const turns = Array.from({ length: 6 }, () => w.tails.take(500)?.followed.label);
    assert.deepEqual(turns, ['error', 'warn', 'info', 'error', 'warn', 'error']);
  });
});

describe('the states and rates of tails', () => {
  /** Lets time pass, and returns what was told meanwhile, in milliseconds since the start of that. */
  async function ticksOf(w: WindowTails, ms: number): Promise<number[]> {
    w.ticks.length = 0;
    const start = w.clock.monotonic();
    await w.clock.advance(ms);
    return w.ticks.map(({ at }) => at - start);
  }

  it('are looked at only while they change by themselves', async () => {
    const w = windowTails();
    w.tails.follow({}, 'everything');
    assert.isEmpty(await ticksOf(w, 3_600_000));
    assert.equal(w.clock.liveTimers - w.server.liveTimers, 1, 'the watch over the stream');
    w.server.append(10);
    await w.clock.advance(0);
    w.takeAll();
    const ticks = await ticksOf(w, 3_600_000);
    assert.deepEqual(ticks, [1000, 2000, 3000, 4000, 6000]);
    assert.deepEqual(w.ticks.at(-1)?.rates, [0], 'the last look shows that nothing comes any more');
    assert.isAbove(w.ticks.at(-2)?.rates[0] ?? 0, 0);
  });

  it('count down to the end of a wait, at each second', async () => {
    const w = windowTails();
    w.server.on.connect = () => {
      throw refusal(429, 20);
    };
    const { tail } = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    const { state } = tail;
    if (state.kind !== 'rateLimited') assert.fail(state.kind);
    const end = state.retryAt - w.clock.monotonic();
    w.server.on.connect = () => undefined;
    const ticks = await ticksOf(w, 60_000);
    // At the end, its state changes.
    assert.lengthOf(ticks, Math.ceil(end / second) - 1);
    ticks.forEach((at, index) => assert.approximately(at, (end % second) + index * second, 1));
  });

  it(`leave no timer behind ${covers('F34', 'unit')}`, async () => {
    const w = windowTails();
    const followed = w.tails.follow({}, 'everything');
    await w.clock.advance(0);
    w.server.append(10);
    await w.clock.advance(0);
    w.takeAll();
    w.tails.remove(followed);
    w.tails.dispose();
    await w.clock.advance(0);
    assert.equal(w.clock.liveTimers - w.server.liveTimers, 0);
  });
});
