import { assert } from 'chai';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createClient } from '../../../../src/api/createClient';
import type { Clock } from '../../../../src/api/clock';
import { startControlPlane, type Fault } from '../../../control-plane/server';
import { defaults } from '../../api/inMemoryServer';
import { loopbackServers } from '../../api/loopbackServers';
import { fastClock, realClock } from '../../api/realClock';
import { pageServer, pageText } from './pageServer';
import { recordTail, type RecordedTail } from './recordedTail';
import { seededRandom } from './seededRandom';

const eventStream = { 'content-type': 'text/event-stream' };

/** A clock that knows how many of its timers are still to come. */
function countingClock(clock: Clock): Clock & { readonly liveTimers: number } {
  const live = new Set<object>();
  return {
    ...clock,
    get liveTimers() {
      return live.size;
    },
    setTimer(callback, ms) {
      const timer = {};
      live.add(timer);
      const cancel = clock.setTimer(() => {
        live.delete(timer);
        callback();
      }, ms);
      return () => {
        live.delete(timer);
        cancel();
      };
    },
  };
}

describe('A tail on loopback', () => {
  const servers = loopbackServers();
  let recorded: RecordedTail;

  afterEach(() => {
    recorded.tail.stop();
    servers.close();
  });

  function follow(baseUrl: string, clock: Clock, key: string | undefined = 'key'): void {
    const random = seededRandom(2);
    const client = createClient({
      baseUrl,
      token: () => Promise.resolve(key),
      fetch: (request) => fetch(request),
      clock,
      random,
      settings: () => ({ ...defaults, timeoutSeconds: 10_000 }),
    });
    recorded = recordTail({ client, clock, random, readKey: () => Promise.resolve(key) });
    recorded.tail.start();
  }

  it('takes a page for people, 204 and an empty stream for failures, backs off and goes on (F12)', async () => {
    const controlPlane = await startControlPlane({ live: false, historyRecords: 0 });
    const endpoint = 'post_logs_tail';
    const faults: Fault[] = Array.from({ length: 4 }, () => [
      { kind: 'html' as const, endpoint },
      { kind: 'noContent' as const, endpoint },
      { kind: 'end' as const, endpoint },
    ]).flat();
    try {
      for (const fault of faults) controlPlane.admin.fault(fault);
      const clock = fastClock(500);
      const start = clock.monotonic();
      follow(controlPlane.url, clock, controlPlane.keys['demo-full']);
      controlPlane.admin.emit(5);
      await recorded.until(
        () => recorded.ids.length === 5 && recorded.tail.counters.connects === faults.length + 1,
      );
      assert.deepEqual(recorded.ids, controlPlane.admin.emitted().eventIds);
      assert.isAtLeast(clock.monotonic() - start, 60_000, 'ten connects a minute at most');
      const reasons = recorded.states.flatMap((state) =>
        state.kind === 'reconnecting' ? [state.why?.code] : [],
      );
      // Of an empty stream there is nothing to be said.
      assert.sameMembers([...new Set(reasons)], ['notEventStream', 'emptyAnswer', undefined]);
    } finally {
      recorded.tail.stop();
      await controlPlane.close();
    }
  });

  it('says that the name of the host is not known, and backs off (F18)', async () => {
    // No name server is asked about a label that is too long for any.
    follow(`https://${'x'.repeat(64)}.invalid`, fastClock(500));
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 3,
    );
    for (const state of recorded.states.slice(1)) {
      assert.deepInclude(state.kind === 'reconnecting' ? state.why : undefined, { code: 'dns' });
    }
  });

  /** What a server does with a stream, and where the tail is stopped. */
  const moments: [string, (response: ServerResponse) => void, () => boolean][] = [
    [
      'before there are headers',
      () => undefined,
      () => recorded.states.at(-1)?.kind === 'connecting',
    ],
    [
      'before there is a byte',
      (response) => response.writeHead(200, eventStream).flushHeaders(),
      () => recorded.tail.state.kind === 'live',
    ],
    [
      'in the middle of an event',
      (response) => {
        response.writeHead(200, eventStream).write(pageText(0, 3) + pageText(3, 3).slice(0, 500));
      },
      () => recorded.ids.length === 3,
    ],
    [
      'in a back-off',
      (response) => response.writeHead(503).end(),
      () => recorded.tail.state.kind === 'reconnecting',
    ],
  ];
  for (const [moment, answer, isReached] of moments) {
    it(`that is stopped ${moment} leaves no request, timer or callback (F34)`, async () => {
      const clock = countingClock(realClock);
      let asked: ((response: ServerResponse) => void) | undefined;
      const stream = new Promise<ServerResponse>((resolve) => (asked = resolve));
      const server = pageServer(
        (response) => {
          answer(response);
          asked?.(response);
        },
        { isSilent: true },
      );
      follow(`http://127.0.0.1:${await servers.listen(server)}`, clock);
      const response = await stream;
      const closed = response.closed ? undefined : once(response, 'close');
      await recorded.until(isReached);
      recorded.tail.stop();
      await closed;
      await assertQuiet(server, clock);
    });
  }

  it('that is stopped before its history comes leaves no request, timer or callback (F34)', async () => {
    const clock = countingClock(realClock);
    const server = pageServer(() => assert.fail('nobody asked for the stream'));
    server.removeAllListeners('request');
    follow(`http://127.0.0.1:${await servers.listen(server)}`, clock);
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    recorded.tail.stop();
    await once(response, 'close');
    await assertQuiet(server, clock);
  });

  /** Nothing is left that could bring anything: no timer, and no request that is not over. */
  async function assertQuiet(server: Server, clock: { liveTimers: number }): Promise<void> {
    let requests = 0;
    server.on('request', () => requests++);
    const before = { states: recorded.states.length, ids: recorded.ids.length };
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(clock.liveTimers, 0);
    assert.equal(recorded.states.at(-1)?.kind, 'stopped');
    assert.deepEqual({ states: recorded.states.length, ids: recorded.ids.length }, before);
    assert.equal(requests, 0);
  }
});
