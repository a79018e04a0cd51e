import { assert } from 'chai';
import type { Clock } from '../../../../src/base/clock';
import { countTimers } from '../../../control-plane/countTimers';
import { event } from '../../../control-plane/inMemory';
import type { LogStream } from '../../../control-plane/parts';
import { seededRandom } from '../../../control-plane/random';
import type { Fault } from '../../../control-plane/server';
import { fastClock, realClock } from '../../api/realClock';
import { testClient } from '../../api/testClient';
import { covers } from '../../covers';
import { settle } from '../../fakeClock';
import { ids } from '../logServer';
import { loopbackTails, type LoopbackTail } from './loopbackTails';

/** Waits for a condition that the tail does not report. */
async function until(what: string, holds: () => boolean): Promise<void> {
  const start = performance.now();
  while (!holds()) {
    if (performance.now() - start > 20_000) assert.fail(`It never was so: ${what}.`);
    await settle();
  }
}

describe('a tail on loopback', () => {
  const random = seededRandom(2);
  const endpoint = 'post_logs_tail';
  const loopback = loopbackTails();
  let recorded: LoopbackTail;

  function follow(clock: Clock): void {
    recorded = loopback.follow({ clock, random });
    recorded.tail.start();
  }

  it(`treats an HTML page, 204 and an empty stream as failures, backs off and resumes ${covers('F12', 'connection')}`, async () => {
    const faults: Fault[] = Array.from({ length: 4 }, () => [
      { kind: 'html' as const, endpoint },
      { kind: 'noContent' as const, endpoint },
      { kind: 'end' as const, endpoint },
    ]).flat();
    const { server } = loopback;
    for (const fault of faults) server.admin.fault(fault);
    const clock = fastClock(500);
    const start = clock.monotonic();
    follow(clock);
    server.append(5);
    await recorded.until(
      () => recorded.ids.length === 5 && recorded.tail.counters.connects === faults.length + 1,
    );
    assert.deepEqual(recorded.ids, ids(0, 5));
    assert.isAtLeast(clock.monotonic() - start, 60_000, 'ten connects a minute at most');
    const reasons = recorded.states.flatMap((state) =>
      state.kind === 'reconnecting' ? [state.why?.code] : [],
    );
    // An empty stream has no error to show.
    assert.sameMembers([...new Set(reasons)], ['notEventStream', 'emptyAnswer', undefined]);
  });

  it(`reports an unknown host name, and backs off ${covers('F18', 'connection')}`, async () => {
    const clock = fastClock(500);
    const client = testClient({
      // A label that is too long for DNS, so no name server is asked.
      baseUrl: `https://${'x'.repeat(64)}.invalid`,
      clock,
      random,
      settings: () => ({ timeoutSeconds: 10_000 }),
    });
    recorded = loopback.follow({ clock, random, client });
    recorded.tail.start();
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 3,
    );
    for (const state of recorded.states.slice(1)) {
      assert.deepInclude(state.kind === 'reconnecting' ? state.why : undefined, { code: 'dns' });
    }
  });

  const isAsked = (path: string): boolean =>
    loopback.server.admin.requests().some(({ url }) => url.endsWith(path));
  const state = (): string => recorded.tail.state.kind;

  /** What the server does, and when the tail is stopped. */
  const moments: [string, Fault | ((stream: LogStream) => void), () => boolean][] = [
    [
      'before its history comes',
      { kind: 'stall', endpoint: 'post_logs_query' },
      () => isAsked('/logs/query'),
    ],
    ['before there are headers', { kind: 'stall', endpoint }, () => isAsked('/logs/tail')],
    ['before there is a byte', (stream) => stream.hold(), () => state() === 'live'],
    [
      'in the middle of an event',
      (stream) => {
        stream.hold();
        loopback.server.append(6);
        const half = event('records', JSON.stringify(stream.page(3, 6))).slice(0, 500);
        stream.send(stream.page(0, 3), half);
      },
      () => recorded.ids.length === 3,
    ],
    ['in a back-off', { kind: 'status', status: 503, endpoint }, () => state() === 'reconnecting'],
  ];
  for (const [moment, act, isReached] of moments) {
    it(`leaves no request, timer or callback if it is stopped ${moment} ${covers('F34', 'connection')}`, async () => {
      const clock = countTimers(realClock);
      const { server } = loopback;
      if (typeof act === 'function') server.on.open = act;
      else server.admin.fault(act);
      follow(clock);
      await until(moment, isReached);
      recorded.tail.stop();
      const requests = server.admin.requests();
      await until('all requests are over', () => requests.every(({ isOver }) => isOver));
      const before = [recorded.states.length, recorded.ids.length, requests.length];
      for (let count = 0; count < 20; count++) await settle();
      assert.equal(clock.liveTimers, 0);
      assert.equal(recorded.states.at(-1)?.kind, 'stopped');
      assert.deepEqual([recorded.states.length, recorded.ids.length, requests.length], before);
      assert.equal(server.admin.streams(), 0);
    });
  }
});
